//! The referee between two machines that say anything at any time: they crash, answer late, twice
//! or for another game, flood, stop reading. In virtual time, with the pipes and the pool of
//! engines that a lane has.
//!
//! No line of one game is ever counted in another; a side that did nothing wrong never loses by
//! forfeit; every game ends within its bounds.

use std::collections::BTreeMap;
use std::time::Duration;

use arbiter960::chess::random::Random;
use arbiter960::chess::{Color, StartNumber, Variant, start};
use arbiter960::clock::Stamp;
use arbiter960::internal::referee::*;

use super::anything_machine::{MS, Machine, Output, Word};
use super::referee_virtual::{STANDARD, clock, nodes, settings};
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

/// What happened and how often, so that a test that shows nothing is noticed.
type Tally = BTreeMap<&'static str, u32>;

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

    fn count(&mut self, what: &'static str, times: u32) {
        *self.tally.entry(what).or_default() += times;
    }

    fn settings(&mut self, clocked: bool) -> GameSettings {
        let limits = match clocked {
            true => clock("1+0.05"),
            false => nodes(1_000),
        };
        let mut game = settings(STANDARD, limits);
        let number = StartNumber(self.dice.below(960) as u32);
        game.start = start::position(Variant::Chess960, number).unwrap();
        for player in &mut game.players {
            player.ponder = self.dice.below(2) == 0;
        }
        game.timeouts.new_game = Duration::from_secs(NEW_GAME);
        game.timeouts.stall = Duration::from_secs(STALL);
        game.adjudication.max_moves = Some(MOVES);
        if self.dice.below(3) == 0 {
            game.adjudication.host_faults = HostFaults::Deduct;
        }
        game
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
        self.deliver_both(referee);
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
            self.count("ponder hits", u32::from(text == "ponderhit\n"));
            self.count("stopped", u32::from(text == "stop\n"));
            self.machines[side.index()].hear(text, self.game, self.now);
        }
    }

    fn next_output(&self) -> Option<u64> {
        let first = |machine: &Machine| machine.outputs.first().map(|output| output.at);
        self.machines.iter().filter_map(first).min()
    }

    fn deliver_both(&mut self, referee: &mut Referee) {
        for side in Color::ALL {
            self.deliver(referee, side);
        }
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
            ) => self.count("forfeits", 1),
            (Outcome::Void(_), [one, other]) => assert!(!one && !other, "{record:?}"),
            _ => self.count("played out", 1),
        }
        let misses = record.moves.iter();
        let misses = misses.filter(|played| played.pondered == Some(Pondered::Miss));
        self.count("ponder misses", misses.count() as u32);
        let unasked = record.breaches.iter().map(|side| side.unasked_bestmoves);
        self.count("unasked", unasked.sum());
        let plies = u64::from(2 * MOVES);
        let moves = if clock { 4 } else { 60 * STALL * (plies + 1) };
        let most = (NEW_GAME + moves + HEARING + 1) * 1_000 * MS;
        let taken = self.now - self.begun;
        assert!(taken <= most, "{taken} of {most} ns: game {}", self.game);
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
            self.deliver_both(referee);
        }
        self.deliver_both(referee);
    }

    /// Between two games: an engine that is not fit for another one is replaced, and others now
    /// and then.
    fn rest(&mut self, side: Color, fit: bool) {
        self.now += self.dice.below(20) * MS;
        let machine = &self.machines[side.index()];
        let ended = |output: &Output| output.at <= self.now && output.word == Word::End;
        let ended = machine.outputs.iter().any(ended);
        if fit && !ended && self.dice.below(4) > 0 {
            self.count("kept", 1);
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
    let mut tally = Tally::new();
    for (what, count) in tallies.into_iter().flatten() {
        *tally.entry(what).or_default() += count;
    }
    eprintln!("{tally:?}");
    let least = games / 100;
    assert_eq!(tally.len(), 7, "{tally:?}");
    assert!(tally.values().all(|count| *count > least), "{tally:?}");
}
