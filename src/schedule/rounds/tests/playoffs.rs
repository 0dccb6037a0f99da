//! Encounters with playoffs, judged once more by a plain walk through their games.

use super::*;
use crate::event::{ArmageddonWhite, PairTerms};

fn bid(bids: Vec<Option<u8>>) -> ArmageddonWhite {
    ArmageddonWhite::Bid {
        bids,
        wait_seconds: 60,
    }
}

/// Rules of every kind, drawn with this seed.
fn drawn_rules(seed: u64) -> EliminationRules {
    let mut random = Random::new(seed);
    let mut below = |count: u64| random.below(count) as u32;
    let engines = 2 + below(7) as u16;
    let round_pairs = (0..below(3)).map(|_| 1 + below(4)).collect();
    let mut playoffs: Vec<Playoff> = (0..below(3))
        .map(|_| step(1 + below(2), 1 + below(2)))
        .collect();
    let white = match below(5) {
        0 => Some(ArmageddonWhite::HigherSeed),
        1 => Some(ArmageddonWhite::LowerSeed),
        2 => Some(ArmageddonWhite::Lot),
        3 => {
            let bids = (0..engines).map(|_| Some(50 + below(3) as u8)).collect();
            Some(bid(bids))
        }
        _ => None,
    };
    playoffs.extend(white.map(|white| Playoff {
        armageddon: Some(white),
        ..step(1, 1)
    }));
    EliminationRules {
        seeds: (0..engines).collect(),
        pairs: 1 + below(4),
        round_pairs,
        first_white: [FirstWhite::Alternate, FirstWhite::LowerSeed][below(2) as usize],
        ends_when_decided: below(2) == 1,
        playoffs,
        tie_break: vec![EncounterTieBreak::Lot],
        third_place: below(2) == 1,
    }
}

/// What a walk through the pairs of an encounter finds.
#[derive(Debug, PartialEq)]
enum Found {
    /// This engine advances, by points or by an armageddon game.
    Winner(u16, EncounterDecision),
    /// Level to the end: not by the games.
    Level,
}

/// The end of an encounter by its games, one pair after the other; nothing may have been played after it.
fn walk(rules: &EliminationRules, encounter: &Encounter, history: &History) -> Found {
    let mut steps = vec![rules.pairs_of_round(encounter.place.round)];
    let mut last_is_armageddon = false;
    for playoff in &rules.playoffs {
        steps.extend((0..playoff.times).map(|_| playoff.pairs));
        last_is_armageddon = playoff.armageddon.is_some();
    }
    let mut pairs = encounter.pairs.iter();
    let mut lead: i64 = 0;
    for (nth, length) in steps.iter().enumerate() {
        let is_armageddon = last_is_armageddon && nth + 1 == steps.len();
        for left in (0..*length).rev() {
            let (id, spec) = pairs.next().expect("it ends before it is decided");
            let first = encounter.side(spec.first.engine).unwrap();
            assert_eq!(spec.games, if is_armageddon { 1 } else { 2 });
            for (game, scores) in history.results(*id).into_iter().flatten().enumerate() {
                let white = if game == 0 { first } else { 1 - first };
                let gain = i64::from(scores[0].half_points()) - i64::from(scores[1].half_points());
                lead += if white == 0 { gain } else { -gain };
                if is_armageddon {
                    let wins = scores[0] == GameScore::Win;
                    let side = if wins { white } else { 1 - white };
                    assert!(pairs.next().is_none());
                    return Found::Winner(encounter.engines[side], EncounterDecision::Armageddon);
                }
            }
            let cannot_turn = lead.unsigned_abs() > u64::from(4 * left);
            if cannot_turn && (rules.ends_when_decided || left == 0) {
                assert!(pairs.next().is_none(), "played on after the decision");
                let side = usize::from(lead < 0);
                return Found::Winner(encounter.engines[side], EncounterDecision::Points);
            }
        }
    }
    assert!(pairs.next().is_none());
    Found::Level
}

#[test]
fn every_encounter_ends_when_a_walk_through_its_games_says_so() {
    let mut kinds: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..600 {
        let rules = drawn_rules(seed);
        let format = [
            Elimination::Knockout,
            Elimination::Double,
            Elimination::Ladder,
        ];
        let format = format[(seed % 3) as usize];
        let event = rounds(RoundFormat::Elimination(format, rules.clone()));
        let history = play(&event, seed);
        assert_eq!(
            told(&history),
            told(&play(&event, seed + 1000)),
            "another order of games"
        );
        let progress = event.progress(&history).unwrap();
        assert!(progress.is_over());
        let games: u64 = history.pairs().map(|(_, spec)| u64::from(spec.games)).sum();
        assert!(
            event.games_before_results().contains(&games),
            "{seed}: {games}"
        );
        let encounters = history.encounters();
        for (place, winner, _, by) in progress.decisions() {
            let Some(encounter) = encounters.get(&place) else {
                continue;
            };
            let found = walk(&rules, encounter, &history);
            *kinds.entry(format!("{by:?}")).or_default() += 1;
            match by {
                EncounterDecision::TieBreak(_) => {
                    assert_eq!(found, Found::Level, "{seed} {place:?}")
                }
                by => assert_eq!(found, Found::Winner(winner, by), "{seed} {place:?}"),
            }
        }
    }
    assert!(kinds.values().all(|count| *count > 30), "{kinds:?}");
    assert_eq!(kinds.len(), 3, "{kinds:?}");
}

#[test]
fn the_lower_bid_has_black_and_that_part_of_the_time() {
    let white: Limits = "300+2".parse().unwrap();
    let mut rules = drawn_rules(1);
    rules.seeds = vec![0, 1];
    (rules.pairs, rules.round_pairs) = (1, Vec::new());
    rules.playoffs = vec![Playoff {
        limits: Some([white.clone(), white.clone()]),
        armageddon: Some(bid(vec![Some(60), Some(55)])),
        ..step(1, 1)
    }];
    let event = rounds(RoundFormat::Elimination(Elimination::Knockout, rules));
    let limits = GameLimits {
        by_colour: None,
        rounds: Some(event.clone()),
    };
    let terms = |pair, black_percent| {
        let place = Place {
            round: 1,
            board: 1,
            pair,
        };
        Some(PairTerms {
            place,
            black_percent,
        })
    };
    assert_eq!(limits.of(terms(1, None)), None);
    let black: Limits = "165+1.1".parse().unwrap();
    assert_eq!(limits.of(terms(2, Some(55))), Some([white, black]));
    let place = terms(2, None).unwrap().place;
    let seats = event.armageddon_seats(place, [1, 0], &History::default());
    // The second engine bids less: it has Black.
    assert_eq!(seats, Some(([0, 1], Some(55))));
}

#[test]
fn bids_by_command_are_waited_for_and_one_that_does_not_come_is_the_whole_time() {
    let mut rules = drawn_rules(1);
    rules.seeds = vec![0, 1];
    (rules.pairs, rules.round_pairs) = (1, Vec::new());
    rules.playoffs = vec![Playoff {
        armageddon: Some(bid(vec![None, Some(55)])),
        ..step(1, 1)
    }];
    let event = rounds(RoundFormat::Elimination(Elimination::Knockout, rules));
    let mut history = History::default();
    let chosen = |history: &History| match event.next(history) {
        Ok(Following::Chosen(chosen)) => chosen,
        other => panic!("{other:?}"),
    };
    let first = chosen(&history);
    assert_eq!(event.awaited_bids(&first, &history), []);
    history.choose(&first);
    for game in [0, 1] {
        let pair = PairId(0);
        history.played(GameId { pair, game }, [GameScore::Draw; 2]);
    }
    let last = chosen(&history);
    let awaited = event.awaited_bids(&last, &history);
    assert_eq!(
        (&awaited[0].missing, awaited[0].wait_ms),
        (&vec![0], 60_000)
    );
    let terms = |chosen: &Chosen| (chosen.pairs[0].second.engine, chosen.pairs[0].black_percent);
    assert_eq!(terms(&last), (1, Some(55)), "no bid is the whole time");
    history.bids.extend([(((1, 1), 0), 50)]);
    let last = chosen(&history);
    assert_eq!(event.awaited_bids(&last, &history), []);
    assert_eq!(terms(&last), (0, Some(50)));
}

/// Two engines that play a pair, a pair more while level, and an armageddon game.
fn duel(white: ArmageddonWhite) -> Rounds {
    let armageddon = Playoff {
        armageddon: Some(white),
        ..step(1, 1)
    };
    let rules = EliminationRules {
        seeds: vec![0, 1],
        pairs: 1,
        round_pairs: Vec::new(),
        playoffs: vec![step(1, 1), armageddon],
        tie_break: vec![EncounterTieBreak::Seed],
        ..drawn_rules(1)
    };
    rounds(RoundFormat::Elimination(Elimination::Knockout, rules))
}

/// All games are drawn, to the end or until this many pairs were chosen.
fn drawn(event: &Rounds, pairs: usize) -> History {
    let mut history = History::default();
    while history.pairs().count() < pairs
        && let Ok(Following::Chosen(chosen)) = event.next(&history)
    {
        history.choose(&chosen);
        for (pair, spec) in history.clone().pairs() {
            for game in 0..spec.games {
                history.played(GameId { pair, game }, white_scores(1));
            }
        }
    }
    history
}

#[test]
fn the_first_step_after_which_an_encounter_is_not_level_decides_whatever_followed() {
    let event = duel(ArmageddonWhite::HigherSeed);
    let level = drawn(&event, 3);
    let id = |pair: u64, game| GameId {
        pair: PairId(pair),
        game,
    };
    let end = |ruled: &[(GameId, [GameScore; 2])]| {
        let mut history = level.clone();
        for (game, scores) in ruled {
            history.played(*game, *scores);
        }
        let (_, winner, _, by) = event
            .progress(&history)
            .unwrap()
            .decisions()
            .next()
            .unwrap();
        let met = event.encounters(&history).remove(&(1, 1)).unwrap();
        let begins = met.engines[0] == 0;
        let [own, other] = if begins { [0, 1] } else { [1, 0] };
        (
            winner,
            by,
            met.pairs.len(),
            [met.half_points[own], met.half_points[other]],
        )
    };
    let armageddon = EncounterDecision::Armageddon;
    assert_eq!(end(&[]), (1, armageddon, 3, [5, 5]));
    // Engine 0 wins a game of the regular pair by a ruling: it leads before the pair more, and before the last game.
    let [white, _] = level.pairs().next().unwrap().1.seats(0);
    let first = (
        id(0, 0),
        white_scores(if white.engine == 0 { 2 } else { 0 }),
    );
    let points = EncounterDecision::Points;
    assert_eq!(end(&[first]), (0, points, 1, [3, 1]));
    // Nor can what it has lost later turn that.
    let lost = |game| {
        let [white, _] = level.pairs().nth(1).unwrap().1.seats(game);
        (
            id(1, game),
            white_scores(if white.engine == 0 { 0 } else { 2 }),
        )
    };
    assert_eq!(end(&[first, lost(0), lost(1)]), (0, points, 1, [3, 1]));
    assert_eq!(end(&[lost(0)]), (1, points, 2, [3, 5]));
    // An armageddon game that both lose.
    let seed = EncounterDecision::TieBreak(EncounterTieBreak::Seed);
    let both_lose = (id(2, 0), [GameScore::Loss; 2]);
    assert_eq!(end(&[both_lose]), (0, seed, 3, [4, 4]));
}

#[test]
fn a_bid_counts_only_for_the_encounter_for_which_it_was_made() {
    let event = duel(ArmageddonWhite::Bid {
        bids: vec![None; 2],
        wait_seconds: 60,
    });
    let mut history = drawn(&event, 2);
    let awaited = |history: &History| match event.next(history) {
        Ok(Following::Chosen(chosen)) => event.awaited_bids(&chosen, history),
        other => panic!("{other:?}"),
    };
    assert_eq!(awaited(&history)[0].missing.len(), 2);
    assert_eq!(awaited(&history)[0].after, PairId(1));
    history.bids.extend([(((1, 1), 0), 50)]);
    assert_eq!(awaited(&history)[0].missing, [1]);
    // The pairs are taken back, and others follow.
    history.unpair([PairId(0), PairId(1)]);
    for pair in [2, 3].map(PairId) {
        let Ok(Following::Chosen(chosen)) = event.next(&history) else {
            panic!("nothing follows");
        };
        history.choose(&chosen);
        for game in [0, 1] {
            history.played(GameId { pair, game }, white_scores(1));
        }
    }
    assert_eq!(awaited(&history)[0].missing.len(), 2);
    assert_eq!(awaited(&history)[0].after, PairId(3));
}

#[test]
fn nothing_follows_while_a_game_of_an_engine_that_is_out_is_played() {
    let event = tree(Elimination::Knockout, 4, false);
    let Ok(Following::Chosen(semifinals)) = event.next(&History::default()) else {
        panic!("nothing follows");
    };
    let mut history = History::default();
    history.choose(&semifinals);
    let pairs: Vec<(PairId, PairSpec)> = history.pairs().map(|(id, spec)| (id, *spec)).collect();
    let (last, last_spec) = pairs[3];
    let won_by = |engine: u16, spec: &PairSpec, game: u8| {
        white_scores(if spec.seats(game)[0].engine == engine {
            2
        } else {
            0
        })
    };
    let out = last_spec.first.engine;
    for (pair, spec) in &pairs[..3] {
        let winner = if spec.concerns(out) {
            out
        } else {
            spec.first.engine.min(spec.second.engine)
        };
        for game in [0, 1] {
            history.played(GameId { pair: *pair, game }, won_by(winner, spec, game));
        }
    }
    history.withdrawn = BTreeSet::from([out]);
    history.running = BTreeSet::from([last]);
    assert_eq!(event.next(&history), Ok(Following::Wait));
    let finalists = |history: &History| match event.next(history) {
        Ok(Following::Chosen(chosen)) => chosen.pairs.iter().any(|spec| spec.concerns(out)),
        other => panic!("{other:?}"),
    };
    // It is stopped: the opponent goes on.
    let mut stopped = history.clone();
    stopped.running.clear();
    assert!(!finalists(&stopped));
    // It is played to its end, and the withdrawn engine has won the semifinal; the final is the opponent's without play.
    for game in [0, 1] {
        history.played(GameId { pair: last, game }, won_by(out, &last_spec, game));
    }
    let decided = event.progress(&history).unwrap();
    let decided: Vec<_> = decided.decisions().collect();
    assert!(
        decided
            .iter()
            .any(|(_, winner, _, by)| *winner == out && *by == EncounterDecision::Points)
    );
    assert_eq!(event.next(&history), Ok(Following::Over));
}
