//! Events in stages.

use super::*;
use crate::event::{GroupSeeding, StageEntrants, StageFormat, StagePlaces, SwappedGames};
use crate::stats::standings::TieBreak;

pub(super) fn stage(format: StageFormat, entrants: StageEntrants, groups: u16) -> StageRules {
    StageRules {
        name: String::new(),
        format,
        entrants,
        groups,
        seeding: GroupSeeding::Snake,
        tie_breaks: vec![TieBreak::Wins, TieBreak::SonnebornBerger],
        carries_points: false,
        promotes: 0,
        relegates: 0,
        limits: None,
        adjudication: None,
        swapped_games: SwappedGames::AtOnce,
        openings: Vec::new(),
    }
}

pub(super) fn named(engines: std::ops::Range<u16>) -> StageEntrants {
    StageEntrants {
        named: engines.collect(),
        placed: Vec::new(),
    }
}

pub(super) fn placed(stage: u16, places: &[u16], best: Option<u16>) -> StageEntrants {
    let places = places.to_vec();
    StageEntrants {
        named: Vec::new(),
        placed: vec![StagePlaces {
            stage,
            places,
            best,
        }],
    }
}

fn drawn_format(random: &mut Random) -> StageFormat {
    let of = |rounds: Rounds| match rounds.format {
        RoundFormat::Elimination(_, rules) => rules,
        _ => panic!("a tree"),
    };
    match random.below(5) {
        0 => StageFormat::League(1 + random.below(2) as u32),
        1 => match swiss(8, 2).format {
            RoundFormat::Swiss(rules) => StageFormat::Swiss(rules),
            _ => panic!("a Swiss"),
        },
        2 => StageFormat::Knockout(of(tree(Elimination::Knockout, 0, true))),
        3 => StageFormat::DoubleElimination(of(tree(Elimination::Double, 0, false))),
        _ => StageFormat::Ladder(of(tree(Elimination::Ladder, 0, false))),
    }
}

/// Two to four stages of every kind, with groups, drawn with this seed.
fn drawn_season(seed: u64) -> Rounds {
    let mut random = Random::new(seed);
    let groups = 1 + random.below(3) as u16;
    let engines = 3 * groups + random.below(4) as u16;
    let mut stages = vec![stage(drawn_format(&mut random), named(0..engines), groups)];
    for nth in 1..2 + random.below(3) as u16 {
        let before = &stages[usize::from(nth) - 1];
        let best = (before.groups > 1 && random.below(2) == 1).then_some(before.groups + 1);
        let entrants = placed(nth - 1, &[2, 1], best);
        let count = best.unwrap_or(2 * before.groups);
        let groups = if count >= 4 {
            1 + random.below(2) as u16
        } else {
            1
        };
        let format = if groups == 1 || count / groups > 2 {
            drawn_format(&mut random)
        } else {
            StageFormat::League(1)
        };
        let mut next = stage(format, entrants, groups);
        next.seeding = [
            GroupSeeding::Snake,
            GroupSeeding::Rows,
            GroupSeeding::Blocks,
            GroupSeeding::Lot,
        ][random.below(4) as usize];
        let is_league = matches!(next.format, StageFormat::League(_));
        next.carries_points = is_league && random.below(2) == 1;
        if random.below(3) == 0 {
            next.openings = vec![3, 5, 7];
        }
        // The smallest group has at least two.
        if count / groups < 2 {
            next.groups = 1;
        }
        stages.push(next);
        if stages.last().is_some_and(|last| {
            let own = count / last.groups;
            own < 3
        }) {
            break;
        }
    }
    rounds(RoundFormat::Stages(stages))
}

#[test]
fn a_season_is_the_same_in_whatever_order_its_games_end() {
    let mut kinds = [0; 4];
    for seed in 0..300 {
        let season = drawn_season(seed);
        let history = play(&season, seed);
        assert_eq!(told(&history), told(&play(&season, seed + 1000)), "{seed}");
        assert_eq!(season.next(&history), Ok(Following::Over));
        assert_eq!(season.superseded(history.clone()), Ok(BTreeSet::new()));
        let places: BTreeSet<Place> = history.pairs().filter_map(|(_, spec)| spec.place).collect();
        assert_eq!(
            places.len(),
            history.pairs().count(),
            "a place is used twice: {seed}"
        );
        let games: u64 = history.pairs().map(|(_, spec)| u64::from(spec.games)).sum();
        assert!(
            season.games_before_results().contains(&games),
            "{seed}: {games}"
        );
        assert_eq!(season.planned_games(&history), Some(games));
        assert!(history.last_round() <= season.most_rounds());
        let groups = season.groups(&history);
        let stages = groups.iter().map(|group| group.stage).max().unwrap() + 1;
        assert_eq!(stages, season.stage_rules().len());
        kinds[stages - 1] += 1;
        check_groups(&season, &groups, seed);
    }
    let [_, two, three, four] = kinds;
    assert!(two > 20 && three > 20 && four > 2, "{kinds:?}");
}

/// Who is in a group, what is played there, and who goes on.
fn check_groups(season: &Rounds, groups: &[StageGroup], seed: u64) {
    for group in groups {
        let rules = &season.stage_rules()[group.stage];
        let of_stage = groups.iter().filter(|one| one.stage == group.stage);
        let sizes: Vec<usize> = of_stage.clone().map(|one| one.engines.len()).collect();
        let spread = sizes.iter().max().unwrap() - sizes.iter().min().unwrap();
        assert!(
            spread <= 1 && sizes.iter().all(|size| *size > 1),
            "{seed}: {sizes:?}"
        );
        let mut all: Vec<u16> = of_stage
            .clone()
            .flat_map(|one| one.engines.clone())
            .collect();
        all.sort_unstable();
        let count = all.len();
        all.dedup();
        assert_eq!(count, all.len(), "an engine is in two groups: {seed}");
        for (_, spec) in group.history.pairs() {
            let both = [spec.first.engine, spec.second.engine];
            assert!(
                both.iter().all(|engine| group.engines.contains(engine)),
                "{seed}"
            );
            assert!(rules.openings.is_empty() || rules.openings.contains(&spec.opening));
        }
        if let StageFormat::League(cycles) = rules.format {
            let size = group.engines.len();
            let pairs = size * (size - 1) / 2 * cycles as usize;
            assert_eq!(
                group.history.pairs().count(),
                pairs,
                "everybody meets everybody"
            );
        }
        let Some(places) = rules.entrants.placed.first() else {
            continue;
        };
        let sources = groups
            .iter()
            .filter(|one| one.stage == usize::from(places.stage));
        // Counted again from the games alone.
        let may_come: Vec<u16> = sources
            .flat_map(|source| {
                let table = source.standings();
                let at = |place: &u16| table.get(usize::from(*place) - 1);
                let rows: Vec<u16> = places
                    .places
                    .iter()
                    .filter_map(at)
                    .map(|row| source.engines[usize::from(row.engine)])
                    .collect();
                rows
            })
            .collect();
        assert!(
            group.engines.iter().all(|engine| may_come.contains(engine)),
            "{seed}"
        );
        let wanted = places.best.map_or(may_come.len(), usize::from);
        assert_eq!(count, wanted.min(may_come.len()), "{seed}");
    }
}

#[test]
fn points_of_a_group_come_from_its_games_and_from_carried_ones() {
    let league = || StageFormat::League(1);
    let mut final_stage = stage(league(), placed(0, &[1, 2], None), 1);
    final_stage.carries_points = true;
    let season = rounds(RoundFormat::Stages(vec![
        stage(league(), named(0..8), 2),
        final_stage,
    ]));
    let history = play(&season, 5);
    let groups = season.groups(&history);
    let last = groups.last().unwrap();
    let mut points: BTreeMap<u16, u32> = BTreeMap::new();
    let mut games = 0;
    for (pair, spec) in history.pairs() {
        let engines = [spec.first.engine, spec.second.engine];
        if !engines.iter().all(|engine| last.engines.contains(engine)) {
            continue;
        }
        for (game, scores) in (0..).zip(history.results(pair)) {
            games += 1;
            for (seat, score) in spec.seats(game).into_iter().zip(scores.unwrap()) {
                *points.entry(seat.engine).or_default() += u32::from(score.half_points());
            }
        }
    }
    assert_eq!(games, 2 * (6 + 2), "six encounters, and one of each league");
    for row in last.standings() {
        assert_eq!(
            row.half_points,
            points[&last.engines[usize::from(row.engine)]]
        );
    }
}

#[test]
fn a_ruling_that_sends_another_engine_on_takes_its_pairs_back() {
    let season = rounds(RoundFormat::Stages(vec![
        stage(StageFormat::League(1), named(0..3), 1),
        stage(StageFormat::League(1), placed(0, &[1, 2], None), 1),
    ]));
    let mut history = History::default();
    let mut open = Vec::new();
    while let Ok(Following::Chosen(chosen)) = season.next(&history) {
        if history.last_round() < 3 {
            history.choose(&chosen);
        } else {
            open.extend(chosen.pairs.clone());
            history.choose(&chosen);
            break;
        }
        for (pair, spec) in history.clone().pairs() {
            // The smaller number wins.
            for game in 0..2 {
                let [white, black] = spec.seats(game);
                let half_points = if white.engine < black.engine { 2 } else { 0 };
                history.played(GameId { pair, game }, white_scores(half_points));
            }
        }
    }
    assert_eq!(open.len(), 1);
    assert!(open[0].concerns(0) && open[0].concerns(1));
    let pairs: Vec<(PairId, PairSpec)> = history.pairs().map(|(id, spec)| (id, *spec)).collect();
    // Engine 0 loses everything by a ruling: 1 and 2 go on.
    for (pair, spec) in &pairs[..3] {
        for game in 0..2 {
            let [white, black] = spec.seats(game);
            if white.engine == 0 || black.engine == 0 {
                let half_points = if white.engine == 0 { 0 } else { 2 };
                let pair = *pair;
                history.played(GameId { pair, game }, white_scores(half_points));
            }
        }
    }
    let last = pairs[3].0;
    assert_eq!(
        season.superseded(history.clone()),
        Ok(BTreeSet::from([last]))
    );
    history.played(
        GameId {
            pair: last,
            game: 0,
        },
        white_scores(1),
    );
    assert_eq!(
        season.superseded(history),
        Err((4, 1)),
        "a game of it counts"
    );
}
