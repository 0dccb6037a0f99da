//! Events in stages.

use super::*;
use crate::event::{GroupSeeding, StageEntrants, StageFormat, StagePlaces, SwappedGames};
use crate::stats::standings::TieBreak;

fn stage(format: StageFormat, entrants: StageEntrants, groups: u16) -> StageRules {
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

fn named(engines: std::ops::Range<u16>) -> StageEntrants {
    StageEntrants {
        named: engines.collect(),
        placed: Vec::new(),
    }
}

fn placed(stage: u16, places: &[u16], best: Option<u16>) -> StageEntrants {
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
                let table = season.table_of_group(source);
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
    for row in season.table_of_group(last) {
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

/// Chooses what follows until everything of these rounds is played, the smaller number winning all its games.
fn play_until(season: &Rounds, history: &mut History, round: u16) {
    while history.last_round() < round
        && let Ok(Following::Chosen(chosen)) = season.next(history)
    {
        let known = history.pairs().count();
        history.choose(&chosen);
        let new: Vec<(PairId, PairSpec)> = history
            .pairs()
            .skip(known)
            .map(|(id, spec)| (id, *spec))
            .collect();
        let is_out = |spec: &PairSpec| {
            history
                .withdrawn
                .iter()
                .any(|engine| spec.concerns(*engine))
        };
        let new: Vec<_> = new.into_iter().filter(|(_, spec)| !is_out(spec)).collect();
        for (pair, spec) in new {
            for game in 0..spec.games {
                let [white, black] = spec.seats(game);
                let half_points = if white.engine < black.engine { 2 } else { 0 };
                history.played(GameId { pair, game }, white_scores(half_points));
            }
        }
    }
}

#[test]
fn what_is_taken_back_of_a_stage_is_paired_again_in_its_order() {
    for second in [StageFormat::League(1), swiss_stage(2)] {
        let season = rounds(RoundFormat::Stages(vec![
            stage(StageFormat::League(1), named(0..5), 1),
            stage(second, placed(0, &[1, 2, 3], None), 1),
        ]));
        let mut history = History::default();
        play_until(&season, &mut history, 5);
        let Ok(Following::Chosen(chosen)) = season.next(&history) else {
            panic!("the second stage is known");
        };
        assert_eq!((chosen.pairs.len(), chosen.byes.len()), (1, 1));
        history.choose(&chosen);
        // Engine 4 wins everything by rulings, and goes on instead of 2.
        let ids: Vec<(PairId, PairSpec)> = history.pairs().map(|(id, spec)| (id, *spec)).collect();
        for (pair, spec) in ids.iter().filter(|(_, spec)| spec.concerns(4)) {
            for game in 0..2 {
                let half_points = if spec.seats(game)[0].engine == 4 {
                    2
                } else {
                    0
                };
                let pair = *pair;
                history.played(GameId { pair, game }, white_scores(half_points));
            }
        }
        let back = season.superseded(history.clone()).unwrap();
        assert_eq!(back, BTreeSet::from([ids.last().unwrap().0]));
        history.unpair(back);
        assert_eq!((history.last_round(), history.byes().count()), (5, 5));
        play_until(&season, &mut history, u16::MAX);
        assert_eq!(season.next(&history), Ok(Following::Over));
        let groups = season.groups(&history);
        let last = groups.last().unwrap();
        assert_eq!(last.engines, [4, 0, 1]);
        let met = last.history.encounters().len() + last.history.byes().count();
        assert_eq!(met as u32, 2 * last.rules.rounds().unwrap());
    }
}

fn swiss_stage(count: u16) -> StageFormat {
    match swiss(8, count).format {
        RoundFormat::Swiss(rules) => StageFormat::Swiss(rules),
        _ => panic!("a Swiss"),
    }
}

#[test]
fn another_order_of_those_who_went_on_changes_no_stage_that_has_begun() {
    let season = rounds(RoundFormat::Stages(vec![
        stage(StageFormat::League(1), named(0..4), 1),
        stage(StageFormat::League(1), placed(0, &[1, 2, 3, 4], None), 1),
    ]));
    let mut history = History::default();
    play_until(&season, &mut history, 4);
    // The last of the first stage is its first by rulings.
    for (pair, spec) in history.clone().pairs().take(6) {
        for game in (0..2).filter(|_| spec.concerns(3)) {
            let half_points = if spec.seats(game)[0].engine == 3 {
                2
            } else {
                0
            };
            history.played(GameId { pair, game }, white_scores(half_points));
        }
    }
    assert_eq!(season.superseded(history.clone()), Ok(BTreeSet::new()));
    play_until(&season, &mut history, u16::MAX);
    let groups = season.groups(&history);
    assert_eq!(groups[1].engines, [0, 1, 2, 3]);
    let encounters = groups[1].history.encounters();
    let met: BTreeSet<[u16; 2]> = encounters
        .values()
        .map(|met| {
            let [one, other] = met.engines;
            [one.min(other), one.max(other)]
        })
        .collect();
    assert_eq!((met.len(), encounters.len()), (6, 6));
}

#[test]
fn who_goes_out_later_keeps_what_the_stage_before_gave_it() {
    let season = rounds(RoundFormat::Stages(vec![
        stage(StageFormat::League(1), named(0..4), 1),
        stage(StageFormat::League(1), placed(0, &[1, 2], None), 1),
    ]));
    let mut history = History::default();
    history.withdrawn = [3].into();
    play_until(&season, &mut history, 4);
    let groups = season.groups(&history);
    let before = season.table_of_group(&groups[0]);
    assert_eq!(groups[1].engines, [0, 1]);
    history.withdrawn.insert(0);
    assert_eq!(season.superseded(history.clone()), Ok(BTreeSet::new()));
    let groups = season.groups(&history);
    assert_eq!(season.table_of_group(&groups[0]), before);
    assert_eq!(groups[0].history.withdrawn, [3].into());
    assert_eq!(groups[1].history.withdrawn, [0, 3].into());
    // Who comes back has games to play in the first stage.
    history.withdrawn = [0].into();
    assert_eq!(season.superseded(history), Err((4, 1)));
}

/// Plays a season in which the smaller number wins, to its end; and the place of every engine then.
fn places_by_number(season: &Rounds, withdrawn: &[u16]) -> (History, Vec<(u16, usize)>) {
    let mut history = History::default();
    history.withdrawn.extend(withdrawn);
    while let Ok(Following::Chosen(chosen)) = season.next(&history) {
        history.choose(&chosen);
        for (pair, spec) in history.clone().pairs() {
            let is_out = withdrawn.iter().any(|engine| spec.concerns(*engine));
            for game in (0..2).filter(|_| !is_out) {
                let [white, black] = spec.seats(game);
                let half_points = if white.engine < black.engine { 2 } else { 0 };
                history.played(GameId { pair, game }, white_scores(half_points));
            }
        }
    }
    let places = season.places_of_stages(&history);
    let told = places.iter().map(|row| (row.engine, row.place)).collect();
    (history, told)
}

fn league(entrants: StageEntrants, groups: u16) -> StageRules {
    stage(StageFormat::League(1), entrants, groups)
}

#[test]
fn a_stage_ranks_above_another_if_it_takes_its_winner() {
    let places = |stages: Vec<StageRules>| {
        let season = rounds(RoundFormat::Stages(stages));
        let (_, places) = places_by_number(&season, &[]);
        places
            .into_iter()
            .map(|(engine, _)| engine)
            .collect::<Vec<_>>()
    };
    // The first division stands first in the file.
    let divisions = vec![league(named(0..3), 1), league(named(3..6), 1)];
    assert_eq!(places(divisions), [0, 1, 2, 3, 4, 5]);
    let divisions = vec![league(named(3..6), 1), league(named(0..3), 1)];
    assert_eq!(places(divisions), [3, 4, 5, 0, 1, 2]);
    // A stage of the second and the third orders these two.
    let consolation = vec![league(named(0..4), 1), league(placed(0, &[3, 2], None), 1)];
    assert_eq!(places(consolation), [0, 1, 2, 3]);
    // A final of the first two stands before a game for the third place that follows it.
    let last = |places: &[u16]| league(placed(0, places, None), 1);
    let both = vec![league(named(0..5), 1), last(&[1, 2]), last(&[3, 4])];
    assert_eq!(places(both), [0, 1, 2, 3, 4]);
    // Who wins a qualifier goes up to those who were set.
    let mut upper = placed(0, &[1], None);
    upper.named = vec![1, 2];
    let qualifier = StageEntrants {
        named: vec![0, 3, 4],
        placed: Vec::new(),
    };
    let qualified = vec![league(qualifier, 1), league(upper, 1)];
    assert_eq!(places(qualified), [0, 1, 2, 3, 4]);
}

#[test]
fn the_best_by_their_part_are_counted_with_games_that_nobody_played() {
    // 7 is out. In its group 5 has two wins and a walkover in six games; in the other 1 has four wins in six.
    let mut first = league(named(0..8), 2);
    first.seeding = GroupSeeding::Blocks;
    let mut entrants = placed(0, &[1], None);
    entrants.placed.extend(placed(0, &[2], Some(1)).placed);
    let season = rounds(RoundFormat::Stages(vec![first, league(entrants, 1)]));
    let (history, _) = places_by_number(&season, &[7]);
    let groups = season.groups(&history);
    assert_eq!(groups[2].engines, [0, 4, 1]);
    for group in &groups[..2] {
        for row in season.table(group) {
            assert_eq!(row.games, 6, "six games each, played or not");
            assert!(row.half_points <= 12);
        }
    }
}
