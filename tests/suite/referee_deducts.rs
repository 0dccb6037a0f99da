//! What the host takes of a move is not charged (`host_faults = "deduct"`): in virtual time, in every state of a search.
//! A game in which engines wait is the game in which they do not.

use std::time::Duration;

use arbiter960::chess::random::Random;
use arbiter960::chess::{Color, Position, UciDialect};
use arbiter960::internal::referee::*;

use super::referee_starved::{Game, STATES};
use super::referee_virtual::{MS, STANDARD, Table, clock, forfeit, ms, settings, waited};
use super::study;

fn rules(control: &str) -> GameSettings {
    let mut game = settings(STANDARD, clock(control));
    game.adjudication.host_faults = HostFaults::Deduct;
    game
}

impl Table {
    /// The side to move moves after this time, of which the host has taken a part.
    fn moves_of_which(&mut self, text: &str, milliseconds: u64, host: u32) {
        self.now += milliseconds;
        self.says(self.referee.side_to_move(), &format!("bestmove {text}"));
        assert_eq!(self.referee.awaits_testimony(), Some(true));
        self.referee.testify(&waited(host * MS), ms(self.now));
    }
}

#[test]
fn the_flag_falls_when_what_is_charged_exceeds_clock_and_margin() {
    for (elapsed, host, in_time) in [
        (1_010, 0, true),
        (1_011, 0, false),
        (1_500, 490, true),
        (1_500, 489, false),
        (1_500, 9_999, true),
    ] {
        let mut game = rules("1");
        game.players[0].margin = 10 * MS;
        let mut table = Table::watched(game);
        table.moves_of_which("e2e4", elapsed, host);
        assert_eq!(table.referee.is_over(), !in_time, "{elapsed} {host}");
        if in_time {
            let record = table.stopped();
            let charged = (elapsed - u64::from(host).min(elapsed)) as u32 * MS;
            assert_eq!(record.moves[0].charged(), charged, "{elapsed} {host}");
            let left = (1_000 * MS).saturating_sub(charged);
            assert_eq!(record.moves[0].clock, Some(left), "{elapsed} {host}");
            continue;
        }
        let record = table.white_lost(FaultKind::FlagFall);
        let evidence = record.faults[0].evidence.expect("evidence");
        assert!(evidence.answered && evidence.verdict != Blame::Host);
        let words = "of it not charged";
        assert_eq!(record.faults[0].detail.contains(words), host > 0);
    }
}

#[test]
fn whatever_an_engine_does_when_it_is_not_run_its_clock_is_that_of_a_machine_that_runs_it() {
    let (mut dice, cases) = (Random::new(study::seed(0)), study::cases(20));
    for (state, steps) in STATES {
        let play = |waits: &mut dyn FnMut() -> u64| {
            let mut game = Game::in_state(steps, HostFaults::Deduct);
            let before = game.table.referee.moves().len();
            // It thinks for seven milliseconds before it reads each time, and then waits.
            while game.table.referee.moves().len() == before {
                (0..7).for_each(|_| game.pass());
                for _ in 0..waits() {
                    game.starved += MS;
                    game.pass();
                }
                game.runs();
                assert!(!game.table.referee.is_over(), "{state}");
            }
            let last = game.table.referee.moves().last().unwrap();
            assert_eq!(last.elapsed(), last.charged() + last.taken, "{state}");
            last.clock.unwrap()
        };
        let expected = play(&mut || 0);
        for case in 0..cases {
            let clock = play(&mut || dice.below(3_000));
            assert_eq!(clock, expected, "{state}, case {case}");
        }
    }
}

#[test]
fn an_engine_that_sleeps_loses_whatever_it_was_doing() {
    for (state, steps) in STATES {
        let mut game = Game::in_state(steps, HostFaults::Deduct);
        game.sleeps = true;
        for _ in 0..2_300 {
            game.pass();
        }
        let evidence = game.lost(state);
        assert_eq!(evidence.verdict, Blame::Engine, "{state}: {evidence}");
    }
}

/// A game of random thinking times, and everything that the engines are told in it; with waits or without.
fn game(seed: u64, waits: bool) -> (Vec<String>, GameRecord) {
    let mut dice = Random::new(seed);
    let mut referee = rules("3/5+0.1:2");
    referee.timeouts.each_move = dice.below(2).eq(&0).then_some(MS * 1_000);
    let checked = referee.timeouts.each_move.is_some();
    let mut table = Table::begun(referee);
    table.referee = table.referee.watched();
    let mut told = Vec::new();
    let mut position = Position::from_fen(STANDARD).unwrap();
    for _ in 0..40 {
        let legal = position.legal_moves();
        let chosen = legal[dice.below(legal.len() as u64) as usize];
        let text = position.uci(chosen, UciDialect::Chess960).to_string();
        position.play(chosen);
        let (think, wait) = (dice.below(60), dice.below(400) as u32);
        let wait = if waits { wait } else { 0 };
        let mover = table.referee.side_to_move();
        let ready = |table: &mut Table| {
            if checked && table.sent().iter().any(|(_, text)| text == "isready\n") {
                table.says(mover, "readyok");
            }
        };
        ready(&mut table);
        told.extend(table.sent().into_iter().map(|(_, text)| text));
        table.moves_of_which(&text, think + u64::from(wait), wait);
        ready(&mut table);
    }
    table.referee.interrupt(VoidReason::Interrupted);
    (told, table.record())
}

#[test]
fn a_game_with_waits_is_the_game_without_them_and_every_move_is_a_sum() {
    for case in 0..study::cases(50) {
        let seed = study::seed(0) + u64::from(case);
        let ((told, quiet), (heard, waited)) = (game(seed, false), game(seed, true));
        assert_eq!(told, heard, "{case}: the clocks that engines are told");
        for (one, other) in quiet.moves.iter().zip(&waited.moves) {
            assert_eq!(one.clock, other.clock, "{case}");
            assert_eq!(one.elapsed(), other.charged(), "{case}");
        }
        let sum = |time: fn(&MoveRecord) -> Duration| waited.moves.iter().map(time).sum();
        let (elapsed, charged): (Duration, Duration) =
            (sum(MoveRecord::elapsed), sum(MoveRecord::charged));
        let taken: Duration = sum(|played| played.taken);
        assert_eq!(elapsed, charged + taken, "{case}");
        assert!(quiet.moves.iter().all(|played| played.taken.is_zero()) && !taken.is_zero());
        // What is asked again is asked with the same clocks.
        let players = rules("3/5+0.1:2").players;
        for index in [0, 7, 20] {
            let again = waited.request(&players, UciDialect::Chess960, index);
            assert!(heard[index].contains(&again.go), "{case}: {}", again.go);
        }
    }
}

#[test]
fn until_it_is_certain_that_a_flag_has_fallen_nothing_is_decided() {
    let overdue = || {
        let mut game = rules("1");
        game.excused = [false; 2];
        let mut table = Table::watched(game);
        table.tick_at(1_001);
        assert_eq!(table.referee.awaits_testimony(), Some(false));
        table.referee.testify(&waited(400 * MS), ms(1_001));
        assert_eq!(table.sent(), [], "it is not disturbed");
        table
    };
    let mut stopped = overdue();
    stopped.referee.interrupt(VoidReason::Interrupted);
    let void = Outcome::Void(VoidReason::Interrupted);
    assert_eq!(stopped.record().outcome, void);

    let mut ended = overdue();
    ended.referee.ended(Color::White, None, ms(1_002));
    ended.white_lost(FaultKind::Crash);

    let mut opponent = overdue();
    let what = "ended for 300 MiB".to_owned();
    let kind = FaultKind::MemoryLimit;
    opponent.referee.fault(Color::Black, kind, what, ms(1_002));
    assert_eq!(opponent.record().outcome, forfeit(Color::White, kind));

    let mut answers = overdue();
    answers.moves_of_which("e2e4", 300, 302);
    assert!(!answers.referee.is_over());
    let due = answers.referee.due();
    assert_eq!(due, Some((Color::Black, Some(1_000 * MS))));
}

#[test]
fn an_engine_that_is_never_run_again_ends_the_game_within_the_time_of_a_stall() {
    let mut table = Table::watched(rules("1"));
    table.tick_at(1_001);
    while !table.referee.is_over() {
        let mut seen = waited(Duration::ZERO);
        seen.host.watched = table.now as u32 * MS;
        seen.pending = table.now as u32 * MS;
        seen.standing = ThreadState::Runnable;
        table.referee.testify(&seen, ms(table.now));
        table.now += 50;
        assert!(table.now < 70_000, "it never ends");
    }
    assert!(table.now > 60_000);
    let evidence = table.record().faults[0].evidence.expect("evidence");
    assert_eq!(evidence.verdict, Blame::Undecided);
}

#[test]
fn without_a_witness_everything_is_charged() {
    let mut table = Table::begun(rules("1"));
    table.sent();
    table.moves(1_001, "e2e4");
    table.white_lost(FaultKind::FlagFall);
}
