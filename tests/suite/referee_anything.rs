//! The referee between two machines that say anything at any time: they crash, answer late, twice
//! or for another game, flood, stop reading. In virtual time, with the pipes and the pool of
//! engines that a lane has.
//!
//! No line of one game is ever counted in another; a side that did nothing wrong never loses by
//! forfeit; every game ends within its bounds.

use std::time::Duration;

use arbiter960::chess::random::Random;
use arbiter960::chess::{Color, FenDialect, StartNumber, UciDialect, Variant, start};
use arbiter960::clock::{Limits, Stamp, TimeLimit};
use arbiter960::internal::referee::*;

use super::anything_machine::{MS, Machine, Output, Word};
use super::study;

/// Games of `cargo test`.
const GAMES: u32 = 20_000;
const THREADS: u32 = 4;

/// The most full moves of a game.
const MOVES: u32 = 3;

/// Seconds.
const NEW_GAME: u64 = 10;
const STALL: u64 = 2;
const WIND_UP: u64 = 5;
const HEARING: u64 = 5;

/// Two engines, their pipes and the clock.
struct Lane {
    dice: Random,
    machines: [Machine; 2],
    now: u64,
    game: u32,
    begun: u64,
    tally: Tally,
}

/// What happened, so that a test that shows nothing is noticed.
#[derive(Debug, Default)]
struct Tally {
    forfeits: u32,
    played_out: u32,
    kept: u32,
    stopped: u32,
    ponder_hits: u32,
    ponder_misses: u32,
    unasked: u32,
}

impl Lane {
    fn new(seed: u64) -> Lane {
        let mut dice = Random::new(seed);
        let machines = [0, 1].map(|_| some_machine(&mut dice));
        Lane {
            dice,
            machines,
            now: 0,
            game: 0,
            begun: 0,
            tally: Tally::default(),
        }
    }

    fn settings(&mut self, clock: bool) -> GameSettings {
        let player = |ponder| PlayerSettings {
            limits: match clock {
                true => Limits {
                    time: TimeLimit::Clock("1+0.05".parse().unwrap()),
                    ..Limits::default()
                },
                false => Limits {
                    nodes: Some(1_000),
                    ..Limits::default()
                },
            },
            margin: Duration::ZERO,
            fen: FenDialect::Shredder,
            ponder,
            translated: false,
            node_draw: None,
        };
        let number = StartNumber(self.dice.below(960) as u32);
        GameSettings {
            start: start::position(Variant::Chess960, number).unwrap(),
            opening: Vec::new(),
            dialect: UciDialect::Chess960,
            variant: None,
            players: [0, 1].map(|_| player(self.dice.below(2) == 0)),
            timeouts: Timeouts {
                new_game: Duration::from_secs(NEW_GAME),
                stall: Duration::from_secs(STALL),
                ..Timeouts::default()
            },
            adjudication: Adjudication {
                max_moves: Some(MOVES),
                host_faults: match self.dice.below(3) {
                    0 => HostFaults::Deduct,
                    _ => HostFaults::default(),
                },
                ..Adjudication::default()
            },
            compatibility: Compatibility::default(),
            excused: [true; 2],
            idle_cpu: IdleRule::default(),
            kept_lines: Default::default(),
        }
    }

    /// Plays a game, and sees to it that both engines can play the next one.
    fn play(&mut self) {
        self.game += 1;
        self.begun = self.now;
        let clock = self.dice.below(4) > 0;
        let settings = self.settings(clock);
        let mut referee = Referee::new(settings, Stamp(self.now));
        if self.dice.below(2) == 0 {
            referee = referee.watched();
        }
        let record = self.play_through(&mut referee);
        self.judge(&record, clock);
        let stays = Color::ALL.map(|side| {
            let faulty = record.faults.iter().any(|fault| fault.side == side);
            !faulty && !record.outcome.is_void()
        });
        self.wind_up(&mut referee, stays);
        for side in Color::ALL {
            let fit = stays[side.index()] && referee.is_idle(side);
            self.rest(side, fit);
        }
        if self.dice.below(2) == 0 {
            self.machines.swap(0, 1);
        }
    }

    fn play_through(&mut self, referee: &mut Referee) -> GameRecord {
        Color::ALL
            .into_iter()
            .for_each(|side| self.deliver(referee, side));
        for _ in 0..10_000 {
            if let Some((side, _)) = referee.due() {
                self.deliver(referee, side);
            }
            self.transmit(referee);
            if let Some(record) = referee.finish() {
                return record;
            }
            let mover = referee.side_to_move();
            let next = self.next_output().into_iter();
            let next = next.chain(referee.deadline().map(|deadline| deadline.0 + 1));
            let next = next.min().expect("something is waited for");
            // The lane wakes up a little later.
            self.now = self.now.max(next) + self.dice.below(MS);
            self.deliver(referee, mover);
            self.deliver(referee, !mover);
            referee.tick(Stamp(self.now));
            if referee.awaits_testimony().is_some() {
                referee.testify(&HostEvidence::default(), Stamp(self.now));
            }
        }
        panic!("game {} never ends", self.game);
    }

    fn transmit(&mut self, referee: &mut Referee) {
        while let Some((side, text)) = referee.transmit(Stamp(self.now)) {
            self.tally.ponder_hits += u32::from(text == "ponderhit\n");
            self.tally.stopped += u32::from(text == "stop\n");
            self.machines[side.index()].hear(text, self.game, self.now);
        }
    }

    fn next_output(&self) -> Option<u64> {
        let first = |machine: &Machine| machine.outputs.first().map(|output| output.at);
        self.machines.iter().filter_map(first).min()
    }

    /// Hands over what an engine has written by now.
    fn deliver(&mut self, referee: &mut Referee, side: Color) {
        let machine = &mut self.machines[side.index()];
        let ready = machine
            .outputs
            .partition_point(|output| output.at <= self.now);
        let outputs: Vec<_> = machine.outputs.drain(..ready).collect();
        for output in outputs {
            let at = Stamp(self.now);
            referee.tick(at);
            let state = |referee: &Referee| {
                (
                    referee.moves().len(),
                    referee.is_over(),
                    referee.due().is_some(),
                )
            };
            let before = state(referee);
            match &output.word {
                Word::Line(line) => {
                    referee.line(side, line, at);
                    if referee.weighs().is_some() {
                        let taken = self.dice.below(60 * MS);
                        let taken = Duration::from_nanos(taken);
                        let seen = HostEvidence {
                            answerer_wait: Some(taken),
                            ..HostEvidence::default()
                        };
                        referee.testify(&seen, at);
                    }
                }
                Word::End => {
                    self.machines[side.index()].outputs.clear();
                    return referee.ended(side, None, at);
                }
            }
            if state(referee) != before {
                let of_this_game = match output.asked_in {
                    Some(game) => game == self.game,
                    None => output.at >= self.begun,
                };
                assert!(of_this_game, "game {}: {output:?} was counted", self.game);
            }
            if referee.moves().len() > before.0 && self.machines[side.index()].sound {
                // The move must not come from a search on the opponent's time that was told to stop.
                let asked = output.moves_before;
                assert_eq!(asked, Some(before.0), "game {}: {output:?}", self.game);
            }
        }
    }

    fn judge(&mut self, record: &GameRecord, clock: bool) {
        let sound = |side: Color| self.machines[side.index()].sound;
        for fault in &record.faults {
            assert!(!sound(fault.side), "game {}: {fault:?}", self.game);
        }
        match (&record.outcome, [Color::White, Color::Black].map(sound)) {
            (
                Outcome::Won {
                    how: WonBy::Forfeit(_),
                    ..
                },
                _,
            ) => self.tally.forfeits += 1,
            (Outcome::Void(_), [one, other]) => assert!(!one && !other, "{record:?}"),
            _ => self.tally.played_out += 1,
        }
        let misses = record.moves.iter();
        let misses = misses.filter(|played| played.pondered == Some(Pondered::Miss));
        self.tally.ponder_misses += misses.count() as u32;
        self.tally.unasked += record
            .breaches
            .iter()
            .map(|side| side.unasked_bestmoves)
            .sum::<u32>();
        let plies = u64::from(2 * MOVES);
        let moves = if clock { 4 } else { 60 * STALL * (plies + 1) };
        let most = (NEW_GAME + moves + HEARING + 1) * 1_000 * MS;
        let taken = self.now - self.begun;
        assert!(
            taken <= most,
            "game {} took {taken} of {most} ns",
            self.game
        );
    }

    /// As the lane does it: answers still owed are awaited within a bound, then what is in the pipes.
    fn wind_up(&mut self, referee: &mut Referee, stays: [bool; 2]) {
        referee.wind_up();
        self.transmit(referee);
        let end = self.now + WIND_UP * 1_000 * MS;
        let owes = |referee: &Referee| {
            Color::ALL
                .into_iter()
                .any(|side| stays[side.index()] && referee.owes(side))
        };
        while owes(referee) {
            match self.next_output() {
                Some(at) if at <= end => self.now = self.now.max(at),
                _ => break,
            }
            Color::ALL
                .into_iter()
                .for_each(|side| self.deliver(referee, side));
        }
        Color::ALL
            .into_iter()
            .for_each(|side| self.deliver(referee, side));
    }

    /// Between two games: an engine that is not fit for another one is replaced, and others now
    /// and then.
    fn rest(&mut self, side: Color, fit: bool) {
        self.now += self.dice.below(20) * MS;
        let machine = &self.machines[side.index()];
        let ended = |output: &Output| output.at <= self.now && output.word == Word::End;
        let ended = machine.outputs.iter().any(ended);
        if fit && !ended && self.dice.below(4) > 0 {
            self.tally.kept += 1;
        } else {
            self.machines[side.index()] = some_machine(&mut self.dice);
        }
    }
}

/// A third of them are sound.
fn some_machine(dice: &mut Random) -> Machine {
    Machine::new(dice.next_u64(), dice.below(3) == 0)
}

#[test]
fn machines_that_say_anything_at_any_time() {
    let (games, first) = (study::cases(GAMES), study::seed(0));
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..THREADS)
            .map(|seed| {
                scope.spawn(move || {
                    let mut lane = Lane::new(first.wrapping_add(u64::from(seed)));
                    (0..games / THREADS).for_each(|_| lane.play());
                    lane.tally
                })
            })
            .collect();
        lanes.into_iter().map(|lane| lane.join().unwrap()).collect()
    });
    let sum = |count: fn(&Tally) -> u32| tallies.iter().map(count).sum::<u32>();
    let tally = Tally {
        forfeits: sum(|tally| tally.forfeits),
        played_out: sum(|tally| tally.played_out),
        kept: sum(|tally| tally.kept),
        stopped: sum(|tally| tally.stopped),
        ponder_hits: sum(|tally| tally.ponder_hits),
        ponder_misses: sum(|tally| tally.ponder_misses),
        unasked: sum(|tally| tally.unasked),
    };
    eprintln!("{tally:?}");
    let least = games / 100;
    let all = [
        tally.forfeits,
        tally.played_out,
        tally.kept,
        tally.stopped,
        tally.ponder_hits,
        tally.ponder_misses,
    ];
    assert!(
        all.iter().all(|count| *count > least) && tally.unasked > least,
        "{tally:?}"
    );
}
