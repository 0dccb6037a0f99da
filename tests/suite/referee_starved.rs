//! Whatever an engine is doing when the host stops running it, one rule says whose fault it is that
//! its flag falls: in virtual time, in every state of a search.

use std::time::Duration;

use arbiter960::chess::Color;
use arbiter960::internal::referee::*;

use super::referee_virtual::{STANDARD, Table, clock, forfeit, ms, settings, waited};

const REPORT: &str = "W info depth 1 score cp 5";
const HIT: &str = "W bestmove e2e4 ponder e7e5";

/// A state of White's engine while its clock runs, and how it comes about.
pub const STATES: &[(&str, &[&str])] = &[
    ("it thinks after go", &[]),
    ("after ponderhit", &[HIT, REPORT, "B bestmove e7e5"]),
    (
        "it ponders, was not heard of yet, and the expected move has come",
        &[REPORT, HIT, "B bestmove e7e5"],
    ),
    (
        "the same, and another move has come",
        &[REPORT, HIT, "B bestmove c7c5"],
    ),
    ("it was told to stop", &[HIT, REPORT, "B bestmove c7c5"]),
    (
        "it has stopped, and is asked anew behind isready",
        &[HIT, REPORT, "B bestmove c7c5", "W bestmove b1c3"],
    ),
    (
        "it thinks after that",
        &[
            HIT,
            REPORT,
            "B bestmove c7c5",
            "W bestmove b1c3",
            "W readyok",
        ],
    ),
    (
        "it has answered before it was told that its opponent has moved",
        &[REPORT, HIT, "B bestmove e7e5", "W bestmove g1f3"],
    ),
    (
        "it has said its last move twice",
        &["W bestmove e2e4", "B bestmove e7e5", "W bestmove e2e4"],
    ),
];

/// A game, and what White's engine has not read yet.
pub struct Game {
    pub table: Table,
    unread: Vec<String>,
    /// For how long the engine was ready to run and did not, since the host is watched.
    pub starved: Duration,
    /// Whether it sleeps, rather than being ready to run.
    pub sleeps: bool,
}

impl Game {
    pub fn in_state(steps: &[&str], rule: HostFaults) -> Game {
        let mut game = settings(STANDARD, clock("1"));
        game.adjudication.host_faults = rule;
        game.players[0].ponder = true;
        let mut table = Table::begun(game);
        table.referee = table.referee.watched();
        let (unread, starved, sleeps) = (Vec::new(), Duration::ZERO, false);
        let mut game = Game {
            table,
            unread,
            starved,
            sleeps,
        };
        game.transmit();
        for step in steps {
            let (side, line) = step.split_once(' ').unwrap();
            match (side, line) {
                ("B", _) => game.table.says(Color::Black, line),
                // It has read no more than what it answers; an echo answers nothing.
                (_, "readyok") => drop(game.unread.remove(0)),
                (_, "bestmove e2e4") if game.table.referee.moves().len() == 2 => {}
                _ => game.unread.clear(),
            }
            if side == "W" {
                game.table.says(Color::White, line);
            }
            game.weigh();
            game.transmit();
        }
        game
    }

    fn transmit(&mut self) {
        for (side, text) in self.table.sent() {
            if side == Color::White {
                self.unread.extend(text.lines().map(str::to_owned));
            }
        }
    }

    /// What has come is weighed before anything else, where the event has it so.
    fn weigh(&mut self) {
        if self.table.referee.weighs().is_some() {
            let evidence = self.evidence(true);
            self.table.referee.testify(&evidence, ms(self.table.now));
        }
        if self.table.referee.resumes().is_some() {
            self.starved = Duration::ZERO;
        }
    }

    /// A millisecond passes.
    pub fn pass(&mut self) {
        self.table.now += 1;
        let now = ms(self.table.now);
        self.table.referee.tick(now);
        self.transmit();
        if let Some(answered) = self.table.referee.awaits_testimony() {
            let evidence = self.evidence(answered);
            self.table.referee.testify(&evidence, now);
        }
    }

    fn evidence(&self, answered: bool) -> HostEvidence {
        let mut seen = waited(self.starved);
        seen.answerer_wait = answered.then_some(self.starved);
        if self.sleeps {
            seen.standing = ThreadState::Asleep;
        }
        seen
    }

    /// The engine runs again: it reads, and answers at once, as the protocol has it.
    pub fn runs(&mut self) {
        let search = self.table.referee.search(Color::White);
        if matches!(search, SearchState::Pondering(_)) {
            self.table.says(Color::White, "info depth 1 score cp 5");
            self.transmit();
        }
        let mut answers = false;
        for line in std::mem::take(&mut self.unread) {
            match line.split(' ').next() {
                Some("isready") => {
                    self.table.says(Color::White, "readyok");
                    self.weigh();
                }
                Some("go" | "stop" | "ponderhit") => answers = true,
                _ => {}
            }
        }
        if answers {
            self.table.says(Color::White, "bestmove g1f3");
            self.weigh();
        }
    }

    /// The evidence of White's loss on time.
    pub fn lost(self, state: &str) -> FlagEvidence {
        let record = self.table.record();
        let lost = forfeit(Color::Black, FaultKind::FlagFall);
        assert_eq!(record.outcome, lost, "{state}");
        record.faults[0].evidence.expect("evidence")
    }
}

#[test]
fn an_engine_that_is_not_run_is_excused_whatever_it_was_doing() {
    for (state, steps) in STATES {
        let mut game = Game::in_state(steps, HostFaults::Count);
        for _ in 0..3_000 {
            game.starved += Duration::from_millis(1);
            game.pass();
            assert!(!game.table.referee.is_over(), "{state}");
        }
        for _ in 0..20 {
            game.runs();
            game.pass();
        }
        let evidence = game.lost(state);
        assert_eq!(evidence.verdict, Blame::Host, "{state}: {evidence}");
        let is_late = evidence.late >= Duration::from_secs(1);
        assert!(evidence.answered && is_late, "{state}");
    }
}

#[test]
fn an_engine_that_sleeps_is_not_excused_whatever_it_was_doing() {
    for (state, steps) in STATES {
        let mut game = Game::in_state(steps, HostFaults::Count);
        game.sleeps = true;
        for _ in 0..2_200 {
            game.pass();
        }
        let evidence = game.lost(state);
        assert_eq!(evidence.verdict, Blame::Engine, "{state}: {evidence}");
    }
}

#[test]
fn nobody_is_listened_to_who_owes_nothing() {
    let mut game = Game::in_state(&[], HostFaults::Count);
    game.starved = Duration::from_secs(9);
    while game.table.now <= 1_001 {
        game.pass();
    }
    assert!(!game.table.referee.is_over(), "it may answer");
    let at = ms(game.table.now);
    let exit = Some(Exit::Signal(11));
    game.table.referee.ended(Color::White, exit, at);
    // No wait excuses that.
    game.table.white_lost(FaultKind::Crash);
}
