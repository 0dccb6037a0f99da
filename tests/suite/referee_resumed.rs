//! A game that is interrupted after any move and goes on behind its record is the game that it would have been, in
//! virtual time: the same moves, clocks and stamps, the same end.

use std::time::Duration;

use arbiter960::chess::random::Random;
use arbiter960::chess::{Color, Game, Position, UciDialect};
use arbiter960::clock::FirstIncrement;
use arbiter960::internal::referee::*;

use super::referee_virtual::{STANDARD, Table, clock, ms, settings};
use super::study;

const AWAY: Duration = Duration::from_secs(7_200);

/// What an engine says of a move, and for how long it has thought.
struct Said {
    thought: u64,
    report: String,
    best: String,
    idle: u64,
}

fn some_settings(dice: &mut Random) -> GameSettings {
    let controls = ["1+0.1", "4/2+0.05:1+0.02", "3/1", "*2", "2"];
    let mut limits = clock(controls[dice.below(5) as usize]);
    if dice.below(3) == 0 {
        limits.first_increment = FirstIncrement::Withheld;
    }
    if dice.below(5) == 0 {
        limits.time = Default::default();
        limits.nodes = Some(100);
    }
    let mut settings = settings(STANDARD, limits);
    let schools = School::ALL;
    let school = schools[dice.below(schools.len() as u64) as usize];
    let draw = DrawRule {
        from_move: 4,
        moves: 3,
        centipawns: 20,
    };
    let resign = ResignRule {
        moves: 3,
        centipawns: 300,
        both_engines: dice.below(2) == 0,
    };
    settings.adjudication = Adjudication {
        school,
        draw: Some(draw),
        resign: Some(resign),
        max_moves: Some(40),
        ..Adjudication::default()
    };
    settings.idle_cpu.policy = IdlePolicy::Fault;
    settings
}

/// A move of a random game, mostly in time; scores that are near each other for some moves.
fn some_move(dice: &mut Random, position: &Position, mood: u64) -> Said {
    let moves = position.legal_moves();
    let chosen = moves[dice.below(moves.len() as u64) as usize];
    let score = match mood {
        0 => dice.below(30) as i64 - 15,
        1 if position.side_to_move() == Color::White => 300 + dice.below(50) as i64,
        1 => -300 - dice.below(50) as i64,
        _ => dice.below(2_000) as i64 - 1_000,
    };
    Said {
        thought: match dice.below(200) {
            0 => 5_000,
            _ => dice.below(120),
        },
        report: format!(
            "info depth 9 score cp {score} nodes 77 pv {}",
            dice.below(9)
        ),
        best: position.uci(chosen, UciDialect::Chess960).to_string(),
        idle: dice.below(40),
    }
}

fn makes(table: &mut Table, said: &Said) {
    table.sent();
    let side = table.referee.side_to_move();
    table.says(side, &said.report);
    let before = table.referee.moves().len();
    table.moves(said.thought, &said.best);
    if table.referee.moves().len() > before {
        let idle = IdleTimes {
            watched: Duration::from_millis(said.thought),
            cpu: Duration::from_millis(said.idle.min(said.thought)),
        };
        table.referee.idled(idle, ms(table.now));
    }
}

/// Plays a game to its end; what was said, and when each move was over.
fn undisturbed(dice: &mut Random, settings: GameSettings) -> (Vec<Said>, Vec<u64>, GameRecord) {
    let mut table = Table::begun(settings.clone());
    let mut game = Game::new(settings.start);
    let (mut said, mut times) = (Vec::new(), Vec::new());
    while !table.referee.is_over() {
        let mood = game.moves().len() as u64 / 8 % 3;
        said.push(some_move(dice, game.position(), mood));
        let last = said.last().unwrap();
        makes(&mut table, last);
        game.play_uci(&last.best, UciDialect::Chess960).unwrap();
        times.push(table.now);
    }
    (said, times, table.record())
}

/// The record as it was when so many moves had been made.
fn cut(record: &GameRecord, moves: usize) -> GameRecord {
    GameRecord {
        moves: record.moves[..moves].to_vec(),
        outcome: Outcome::Void(VoidReason::Interrupted),
        faults: Vec::new(),
        ..record.clone()
    }
}

#[test]
fn a_game_that_goes_on_behind_its_record_is_the_game_that_it_would_have_been() {
    let mut dice = Random::new(study::seed(0x7e5));
    let mut ends = std::collections::BTreeSet::new();
    for _ in 0..study::size(400) {
        let settings = some_settings(&mut dice);
        let (said, times, whole) = undisturbed(&mut dice, settings.clone());
        let made = whole.moves.len();
        if made < 2 {
            continue;
        }
        ends.insert(whole.outcome.reason());
        let after = 1 + dice.below(made as u64 - 1) as usize;
        let now = times[after - 1];
        let referee =
            Referee::resumed(settings, cut(&whole, after), AWAY, ms(now)).expect("its own record");
        let mut table = Table { referee, now };
        let greetings = table.sent();
        let is_greeting = |(_, text): &(Color, String)| text == "ucinewgame\nisready\n";
        assert!(greetings.iter().all(is_greeting));
        for side in Color::ALL {
            table.says(side, "readyok");
        }
        for said in &said[after..] {
            makes(&mut table, said);
        }
        let mut record = table.record();
        let interruptions: Vec<_> = record.interruptions().collect();
        assert_eq!(interruptions, [(1 + after as u32 / 2, AWAY)]);
        record.moves[after - 1].interruptions.clear();
        assert_eq!(record, whole);
    }
    for end in ["score-adjudication", "flag-fall"] {
        assert!(ends.iter().any(|found| found.contains(end)), "{ends:?}");
    }
}

#[test]
fn a_game_whose_last_move_has_ended_it_is_over_and_was_not_interrupted() {
    let mut dice = Random::new(7);
    let settings = some_settings(&mut dice);
    let mut played = 0;
    while played < 20 {
        let (_, _, whole) = undisturbed(&mut dice, settings.clone());
        if whole.faults.is_empty() {
            played += 1;
            let last = cut(&whole, whole.moves.len());
            let mut referee = Referee::resumed(settings.clone(), last, AWAY, ms(0)).unwrap();
            assert_eq!(referee.finish(), Some(whole));
        }
    }
}

#[test]
fn a_record_that_is_not_of_this_game_is_refused() {
    let mut dice = Random::new(11);
    let settings = settings(STANDARD, clock("60+1"));
    let mut table = Table::begun(settings.clone());
    for text in ["e2e4", "e7e5", "g1f3"] {
        table.moves(100, text);
    }
    let record = table.stopped();
    let goes_on = |record: &GameRecord, settings: &GameSettings| {
        Referee::resumed(settings.clone(), record.clone(), AWAY, ms(0)).is_some()
    };
    assert!(goes_on(&record, &settings));
    let nth = dice.below(3) as usize;
    let mut other = record.clone();
    let more = other.moves[nth].clock.unwrap() + Duration::from_micros(1);
    other.moves[nth].clock = Some(more);
    assert!(!goes_on(&other, &settings), "a clock");
    let mut other = record.clone();
    other.moves.remove(1);
    assert!(!goes_on(&other, &settings), "an illegal move");
    let mut slower = settings.clone();
    slower.players[1].limits = clock("90+1");
    assert!(!goes_on(&record, &slower), "another time control");
    let mut elsewhere = settings.clone();
    elsewhere.start = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap();
    assert!(!goes_on(&record, &elsewhere), "another start");
    let mut nothing = record;
    nothing.moves.clear();
    assert!(!goes_on(&nothing, &settings), "no move");
}
