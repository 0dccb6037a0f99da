//! The rules one after the other: groups of level engines are split until nothing more splits them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::{Met, Standing, StandingsInput, TieBreak, half_points};

/// Steps of the ratings of [`TieBreak::RatingPerformance`]; they settle long before.
const STEPS: usize = 200;

/// The table in order, with places and what decided them.
pub(super) fn rank(
    results: &StandingsInput,
    mut table: Vec<Standing>,
    order: &[TieBreak],
) -> Vec<Standing> {
    let points: Vec<i64> = table.iter().map(|row| row.half_points.into()).collect();
    let mut groups = split((0..table.len()).collect(), |engine| points[engine]);
    // What set each group apart from the one before it.
    let mut reasons: Vec<Option<TieBreak>> = vec![None; groups.len()];
    for &rule in order {
        let values = values(results, &table, rule);
        let (mut next, mut next_reasons) = (Vec::new(), Vec::new());
        let mut among = match rule {
            TieBreak::DirectEncounter => within(results, &groups, table.len()),
            _ => Vec::new(),
        };
        for (place, group) in groups.into_iter().enumerate() {
            let parts = match among.get_mut(place) {
                Some(cells) => direct(&std::mem::take(cells), &mut table, group),
                None => split(group, |engine| values[engine]),
            };
            next_reasons.push(reasons[place]);
            next_reasons.resize(next.len() + parts.len(), Some(rule));
            next.extend(parts);
        }
        if rule != TieBreak::DirectEncounter {
            let rows = table.iter_mut().zip(&values);
            rows.for_each(|(row, value)| row.values.push((rule, Some(*value))));
        }
        (groups, reasons) = (next, next_reasons);
    }
    let mut rows = Vec::with_capacity(table.len());
    for (group, mut decided_by) in groups.into_iter().zip(reasons) {
        let place = rows.len() + 1;
        for engine in group {
            rows.push(Standing {
                place,
                decided_by: decided_by.take(),
                ..table[engine].clone()
            });
        }
    }
    rows
}

/// The engines by descending value; those with the same one stay together, in their order.
fn split(mut group: Vec<usize>, value: impl Fn(usize) -> i64) -> Vec<Vec<usize>> {
    group.sort_by_key(|engine| (Reverse(value(*engine)), *engine));
    let parts = group.chunk_by(|one, other| value(*one) == value(*other));
    parts.map(<[usize]>::to_vec).collect()
}

/// By group the games among its engines.
fn within(results: &StandingsInput, groups: &[Vec<usize>], engines: usize) -> Vec<Vec<Met>> {
    let mut group_of = vec![0; engines];
    for (place, group) in groups.iter().enumerate() {
        group.iter().for_each(|engine| group_of[*engine] = place);
    }
    let mut within = vec![Vec::new(); groups.len()];
    for met in results.met() {
        let [white, black] = met.engines.map(|engine| group_of[engine]);
        if white == black {
            within[white].push(met);
        }
    }
    within
}

/// Splits a group by the games among its engines, and every part that is smaller by those among
/// its own.
fn direct(games: &[Met], table: &mut [Standing], group: Vec<usize>) -> Vec<Vec<usize>> {
    let mut among: BTreeMap<usize, i64> = group.iter().map(|engine| (*engine, 0)).collect();
    let mut met: BTreeSet<[usize; 2]> = BTreeSet::new();
    for game in games {
        let [white, black] = game.engines;
        if !(among.contains_key(&white) && among.contains_key(&black)) {
            continue;
        }
        for (engine, half) in game.engines.into_iter().zip(game.half_points) {
            *among.entry(engine).or_default() += i64::from(half);
        }
        met.insert([white.min(black), white.max(black)]);
    }
    let all_met = group.len() > 1 && met.len() == group.len() * (group.len() - 1) / 2;
    for &engine in &group {
        table[engine]
            .values
            .retain(|(rule, _)| *rule != TieBreak::DirectEncounter);
        let value = all_met.then(|| among[&engine]);
        table[engine]
            .values
            .push((TieBreak::DirectEncounter, value));
    }
    if !all_met {
        return vec![group];
    }
    let parts = split(group, |engine| among[&engine]);
    if parts.len() == 1 {
        return parts;
    }
    let split_again = |part: Vec<usize>| match part.len() {
        1 => vec![part],
        _ => direct(games, table, part),
    };
    parts.into_iter().flat_map(split_again).collect()
}

/// The values of a rule by engine; more is better.
fn values(results: &StandingsInput, table: &[Standing], rule: TieBreak) -> Vec<i64> {
    let each = |value: &dyn Fn(&Standing) -> i64| table.iter().map(value).collect::<Vec<i64>>();
    match rule {
        TieBreak::DirectEncounter => each(&|row| row.direct.into()),
        TieBreak::Wins => each(&|row| row.wins.into()),
        TieBreak::SonnebornBerger => each(&|row| row.sonneborn_berger as i64),
        TieBreak::BlackWins => each(&|row| row.black_wins.into()),
        TieBreak::DoubleWins => each(&|row| row.double_wins.into()),
        TieBreak::Koya => koya(results, table),
        TieBreak::Buchholz => buchholz(results, table, [0, 0]),
        TieBreak::BuchholzCut1 => buchholz(results, table, [1, 0]),
        TieBreak::BuchholzCut2 => buchholz(results, table, [2, 0]),
        TieBreak::MedianBuchholz => buchholz(results, table, [1, 1]),
        TieBreak::AverageBuchholz => average_buchholz(results, table),
        TieBreak::Progressive => progressive(results, table.len()),
        TieBreak::RatingPerformance => performance(results, table),
        TieBreak::FewerFaults => each(&|row| {
            let faults = results.faults.get(usize::from(row.engine));
            -(faults.copied().unwrap_or(0) as i64)
        }),
        TieBreak::Lot => each(&|row| {
            let lot = results.lots.get(usize::from(row.engine));
            lot.copied().unwrap_or(0).into()
        }),
    }
}

fn koya(results: &StandingsInput, table: &[Standing]) -> Vec<i64> {
    // A game gives two half points, so half of all half points are as many as the games.
    let strong =
        |engine: usize| table[engine].half_points - results.awarded(engine) >= table[engine].games;
    let mut values = vec![0; table.len()];
    for met in results.met() {
        let [white, black] = met.engines;
        let [white_half, black_half] = met.half_points;
        values[white] += i64::from(strong(black)) * i64::from(white_half);
        values[black] += i64::from(strong(white)) * i64::from(black_half);
    }
    values
}

/// Without this number of the worst and of the best opponents.
fn buchholz(results: &StandingsInput, table: &[Standing], [worst, best]: [usize; 2]) -> Vec<i64> {
    let mut opponents: Vec<Vec<i64>> = vec![Vec::new(); table.len()];
    let points = |engine: u16| i64::from(table[usize::from(engine)].half_points);
    for one in &results.rounds {
        // A round without an opponent: a dummy with as many points as the engine (article 16.4).
        let opponent = one.outcome.opponent().unwrap_or(one.engine);
        opponents[usize::from(one.engine)].push(points(opponent));
    }
    let sum = |mut points: Vec<i64>| {
        points.sort_unstable();
        let kept = points.len().saturating_sub(worst + best);
        points.iter().skip(worst).take(kept).sum()
    };
    opponents.into_iter().map(sum).collect()
}

/// Hundredths of points, halves rounded up; 0 for an engine that has met no opponent.
fn average_buchholz(results: &StandingsInput, table: &[Standing]) -> Vec<i64> {
    let buchholz = buchholz(results, table, [0, 0]);
    let mut met = vec![(0, 0); table.len()];
    for one in &results.rounds {
        if let Some(opponent) = one.outcome.opponent() {
            let (half_points, opponents) = &mut met[usize::from(one.engine)];
            *half_points += buchholz[usize::from(opponent)];
            *opponents += 1;
        }
    }
    let average = |(half_points, opponents): (i64, i64)| {
        (100 * half_points + opponents).checked_div(2 * opponents)
    };
    met.into_iter()
        .map(|met| average(met).unwrap_or(0))
        .collect()
}

fn progressive(results: &StandingsInput, engines: usize) -> Vec<i64> {
    let rounds = results.rounds.iter();
    let last = rounds.map(|one| one.round).max().unwrap_or(0);
    let mut values = vec![0; engines];
    for one in &results.rounds {
        // What was won in a round counts after it and after every later one.
        let times = i64::from(last - one.round + 1);
        values[usize::from(one.engine)] += times * i64::from(one.outcome.half_points());
    }
    values
}

/// Hundredths of Elo. Ratings by the model of Bradley and Terry, found by Hunter's MM steps ("MM algorithms for
/// generalized Bradley–Terry models", Annals of Statistics 32, 2004), with one drawn game of each engine against an
/// average one, so that no rating is infinite.
fn performance(results: &StandingsInput, table: &[Standing]) -> Vec<i64> {
    let engines = table.len();
    let mut games: Vec<Vec<f64>> = vec![vec![0.0; engines]; engines];
    let mut score = vec![0.5; engines];
    for cell in &results.cells {
        let [white, black] = [cell.white, cell.black].map(usize::from);
        let (white_half, black_half) = half_points(cell);
        score[white] += f64::from(white_half) / 2.0;
        score[black] += f64::from(black_half) / 2.0;
        let played = f64::from(white_half + black_half) / 2.0;
        games[white][black] += played;
        games[black][white] += played;
    }
    let mut strength = vec![1.0_f64; engines];
    for _ in 0..STEPS {
        let next = |engine: usize| {
            let against =
                |other: usize| games[engine][other] / (strength[engine] + strength[other]);
            let sum: f64 = (0..engines).map(against).sum();
            score[engine] / (sum + 1.0 / (strength[engine] + 1.0))
        };
        strength = (0..engines).map(next).collect();
    }
    let elo = |ratio: f64| 400.0 * ratio.log10();
    let performance = |engine: usize| {
        let played: f64 = games[engine].iter().sum();
        if played == 0.0 {
            return 0;
        }
        let opponents = (0..engines).map(|other| games[engine][other] * elo(strength[other]));
        let average = opponents.sum::<f64>() / played;
        let share = ((score[engine] - 0.5) / played).clamp(0.01, 0.99);
        (100.0 * (average + elo(share / (1.0 - share)))).round() as i64
    };
    (0..engines).map(performance).collect()
}
