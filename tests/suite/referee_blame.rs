//! One arithmetic of blame: random schedules of what an engine and the host do while its clock runs, against a model
//! that knows the truth. In virtual time, and in every mode of `host_faults`.
//!
//! A search that was in time loses in no mode, whatever waits are put into it; one that used more than its time is
//! excused by none; no two modes differ in whose fault it was.

use std::time::Duration;

use arbiter960::chess::Color;
use arbiter960::chess::random::Random;
use arbiter960::clock::Stamp;
use arbiter960::internal::referee::*;

use super::referee_virtual::{STANDARD, clock, forfeit, settings};
use super::study;

/// Schedules of `cargo test`.
const SCHEDULES: u32 = 100_000;
const THREADS: u64 = 4;

/// Nanoseconds.
const MS: u64 = 1_000_000;

/// How late a timer of the runner is.
const TIMER: u64 = 20_000;

/// For so long after its flag has fallen it is found out whether an engine sleeps.
const LOOKS: u64 = 3 * MS;

/// What an engine's thread does, or what is done to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Computes,
    /// Ready to run, and the host does not run it.
    Waits,
    Sleeps,
    /// By SIGSTOP.
    Stopped,
}

/// What comes after that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Moves,
    /// It keeps its move until it reads something.
    MovesWhenAsked,
    /// It writes its move without the end of the line.
    HalfLine,
    Exits(Exit),
    ClosesItsOutput,
    SleepsOn,
    ComputesOn,
}

#[derive(Debug, Clone)]
struct Schedule {
    control: &'static str,
    margin: u64,
    parts: Vec<(Part, u64)>,
    end: End,
    answers_isready: bool,
    /// For how long the runner does not read what has come.
    read_late: u64,
    /// Because it was stopped, and not because it waited for a processor.
    is_stopped: bool,
    /// What another thread of the engine has waited by now.
    helper: u64,
    /// Whether all threads could be followed.
    complete: bool,
    /// It reports without end.
    floods: bool,
    /// The opponent has ended before.
    is_alone: bool,
}

/// What an engine's thread has had, and what it does.
#[derive(Debug, Default)]
struct Had {
    cpu: u64,
    waits: u64,
    /// In a wait that has not ended.
    pending: u64,
    does: Option<Part>,
}

impl Schedule {
    fn random(dice: &mut Random) -> Schedule {
        let mut parts = Vec::new();
        for _ in 0..1 + dice.below(6) {
            let part = match dice.below(10) {
                0..=3 => Part::Computes,
                4..=7 => Part::Waits,
                8 => Part::Sleeps,
                _ => Part::Stopped,
            };
            let most = if part == Part::Waits { 2_000 } else { 500 };
            parts.push((part, (1 + dice.below(most)) * MS));
        }
        let end = match dice.below(16) {
            0..=7 => End::Moves,
            8 => End::MovesWhenAsked,
            9 => End::HalfLine,
            10 => End::Exits(Exit::Signal(11)),
            11 => End::Exits(Exit::Status(3)),
            12 => End::Exits(Exit::Status(0)),
            13 => End::ClosesItsOutput,
            14 => End::SleepsOn,
            _ => End::ComputesOn,
        };
        let controls = ["1", "1+0.1", "2/1", "0.3+0.2", "0.5"];
        let mut schedule = Schedule {
            control: controls[dice.below(5) as usize],
            margin: dice.below(2) * 10 * MS,
            parts,
            end,
            answers_isready: dice.below(2) == 0,
            read_late: 0,
            is_stopped: dice.below(2) == 0,
            helper: match dice.below(4) {
                0 => dice.below(900) * MS,
                _ => 0,
            },
            complete: dice.below(5) > 0,
            floods: dice.below(20) == 0,
            is_alone: dice.below(8) == 0,
        };
        if end == End::Moves && dice.below(4) == 0 {
            schedule.read_late = (1 + dice.below(300)) * MS;
        }
        if dice.below(4) == 0 {
            schedule.come_close(dice);
        }
        schedule
    }

    /// Its own time becomes exactly what it has, or a millisecond more or less.
    fn come_close(&mut self, dice: &mut Random) {
        let aim = self.deadline() + dice.below(3) * MS - MS;
        if let Some(missing) = aim.checked_sub(self.own()).filter(|missing| *missing > 0) {
            self.parts.push((Part::Computes, missing));
        }
    }

    fn settings(&self, rule: HostFaults) -> GameSettings {
        let mut game = settings(STANDARD, clock(self.control));
        game.adjudication.host_faults = rule;
        game.players[0].margin = Duration::from_nanos(self.margin);
        game
    }

    /// What is on the clock, and the margin.
    fn deadline(&self) -> u64 {
        let allowed = match self.control {
            "1+0.1" => 1_100,
            "0.3+0.2" | "0.5" => 500,
            _ => 1_000,
        };
        allowed * MS + self.margin
    }

    fn took(&self) -> u64 {
        self.parts.iter().map(|(_, time)| time).sum()
    }

    fn waited(&self) -> u64 {
        self.at(self.took()).waits
    }

    fn own(&self) -> u64 {
        self.took() - self.waited()
    }

    fn at(&self, now: u64) -> Had {
        let mut had = Had::default();
        let mut before = 0;
        let after = match self.end {
            End::ComputesOn => Part::Computes,
            _ => Part::Sleeps,
        };
        for (part, time) in self.parts.iter().copied().chain([(after, u64::MAX / 2)]) {
            let gone = now.saturating_sub(before).min(time);
            match part {
                Part::Computes => had.cpu += gone,
                Part::Waits if gone < time => had.pending = gone,
                Part::Waits => had.waits += gone,
                Part::Sleeps | Part::Stopped => {}
            }
            before += time;
            if now < before {
                had.does = Some(part);
                break;
            }
        }
        had
    }

    /// What is seen of it.
    fn evidence(&self, answered: bool, now: u64) -> HostEvidence {
        let time = Duration::from_nanos;
        let had = self.at(now);
        let late = if answered { self.read_late } else { 0 };
        let [waited, suspended] = match self.is_stopped {
            true => [0, late],
            false => [late, 0],
        };
        let wants = matches!(had.does, Some(Part::Computes | Part::Waits));
        HostEvidence {
            host: Observation {
                watched: time(now),
                wakeup: Some(time(waited)),
                lane_wait: Some(time(waited)),
                engine: Some(EngineTimes {
                    cpu: time(had.cpu),
                    wait: time(had.waits + self.helper.min(now)),
                    complete: self.complete,
                }),
                pressure: None,
                suspended: time(suspended),
            },
            pending: time(had.pending),
            standing: match had.does {
                _ if answered || wants => ThreadState::Runnable,
                Some(Part::Stopped) => ThreadState::Stopped,
                _ => ThreadState::Asleep,
            },
            answerer_wait: (answered || wants).then(|| time(had.waits)),
            busiest: time(had.cpu),
            own: Duration::ZERO,
        }
    }

    fn truth(&self) -> Truth {
        let (took, deadline) = (self.took(), self.deadline());
        let (came, crashed) = (took + self.read_late, took <= deadline);
        // The looks at an engine that sleeps may find it awake.
        let sleeps = |at| self.at(at).does == Some(Part::Sleeps);
        let looks = [deadline + TIMER, deadline + LOOKS];
        match self.end {
            End::Moves if came <= deadline => Truth::Plays,
            End::Moves if took <= deadline => Truth::KeptByTheHost,
            End::Moves if looks.map(sleeps) == [true, true] && took > looks[1] => Truth::Late,
            End::Moves if sleeps(looks[0]) => Truth::Any,
            End::Moves if self.own() <= deadline => Truth::KeptByTheHost,
            End::Exits(_) | End::ClosesItsOutput if crashed => Truth::Crashed,
            End::Exits(_) | End::ClosesItsOutput => Truth::LateOrCrashed,
            _ => Truth::Late,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Truth {
    Plays,
    KeptByTheHost,
    Late,
    Crashed,
    LateOrCrashed,
    /// It depends on the moment of a look.
    Any,
}

/// One game of White's first move.
struct Play<'a> {
    schedule: &'a Schedule,
    referee: Referee,
    now: u64,
    ended: bool,
    /// When it answers what it was asked after its flag had fallen.
    answers: Option<u64>,
}

impl Play<'_> {
    fn new(schedule: &Schedule, rule: HostFaults) -> Play<'_> {
        let mut referee = Referee::new(schedule.settings(rule), Stamp(0)).watched();
        while referee.transmit(Stamp(0)).is_some() {}
        for side in Color::ALL {
            referee.line(side, "readyok", Stamp(0));
        }
        let allowed = referee.due().and_then(|(_, allowed)| allowed);
        let deadline = allowed.unwrap() + Duration::from_nanos(schedule.margin);
        assert_eq!(deadline.as_nanos(), u128::from(schedule.deadline()));
        while referee.transmit(Stamp(0)).is_some() {}
        if schedule.is_alone {
            referee.ended(Color::Black, Some(Exit::Signal(6)), Stamp(0));
        }
        let (now, ended, answers) = (0, false, None);
        Play {
            schedule,
            referee,
            now,
            ended,
            answers,
        }
    }

    fn record(mut self) -> GameRecord {
        let most = self.schedule.deadline() + 63_000 * MS;
        while !self.referee.is_over() && self.referee.moves().is_empty() {
            self.pass();
            assert!(self.now < most, "it never ends: {:?}", self.schedule);
        }
        self.referee.interrupt(VoidReason::Interrupted);
        self.referee.finish().unwrap()
    }

    /// To the next moment at which the runner does something.
    fn pass(&mut self) {
        let (took, late) = (self.schedule.took(), self.schedule.read_late);
        let comes = (!self.ended).then_some(took + late);
        let timer = self.referee.deadline().map(|due| due.0 + 1 + TIMER);
        let flood = self.schedule.floods.then_some(self.now + 7 * MS);
        let events = [comes, timer, flood, self.answers];
        let next = events.into_iter().flatten().min().unwrap();
        self.now = next.max(self.now);
        if !self.ended && (took..took + late).contains(&self.now) {
            self.now = took + late;
        }
        if !self.ended && self.now >= took + late {
            self.ended = true;
            self.end();
        }
        if self.answers.take_if(|at| *at <= self.now).is_some() {
            self.answer();
        }
        if self.schedule.floods {
            self.line("info depth 1 nodes 9 score cp 1");
        }
        self.referee.tick(Stamp(self.now));
        self.testify();
        if !self.referee.moves().is_empty() {
            return;
        }
        while let Some((side, text)) = self.referee.transmit(Stamp(self.now)) {
            let asked = side == Color::White && text == "isready\n";
            assert!(asked, "{text:?}: {:?}", self.schedule);
            assert!(self.now > self.schedule.deadline());
            self.answers = Some(self.now + MS / 10);
        }
    }

    fn line(&mut self, line: &str) {
        self.referee.line(Color::White, line, Stamp(self.now));
        if self.referee.weighs().is_some() {
            self.testify();
        }
    }

    fn end(&mut self) {
        let now = Stamp(self.now);
        match self.schedule.end {
            End::Moves => self.line("bestmove e2e4"),
            End::Exits(exit) => self.referee.ended(Color::White, Some(exit), now),
            End::ClosesItsOutput => self.referee.ended(Color::White, None, now),
            End::MovesWhenAsked | End::HalfLine | End::SleepsOn | End::ComputesOn => {}
        }
    }

    fn answer(&mut self) {
        if self.schedule.answers_isready {
            self.line("readyok");
        }
        if self.schedule.end == End::MovesWhenAsked && self.ended {
            self.line("bestmove e2e4");
        }
    }

    fn testify(&mut self) {
        if let Some(answered) = self.referee.awaits_testimony() {
            let is_half = self.schedule.end == End::HalfLine && self.ended;
            let line = if is_half { "bestmove e2e4" } else { "" };
            self.referee.unfinished_line(line);
            let seen = self.schedule.evidence(answered, self.now);
            self.referee.testify(&seen, Stamp(self.now));
        }
    }
}

/// Who is to blame in this record, if White's flag fell in it.
fn blame(record: &GameRecord) -> Option<Blame> {
    let mut faults = record.faults.iter();
    let fault = faults.find(|fault| fault.side == Color::White)?;
    fault.evidence.map(|evidence| evidence.verdict)
}

/// Holds a record against the truth.
fn judge(schedule: &Schedule, rule: HostFaults, record: &GameRecord) {
    let context = || format!("{rule:?} {schedule:?} {record:?}");
    let own = |fault: &&Fault| fault.side == Color::White;
    let fault = record.faults.iter().find(own);
    let kind = fault.map(|fault| fault.kind);
    let lost = |kind| record.outcome == forfeit(Color::Black, kind);
    let is_played = record.moves.len() == 1 && fault.is_none();
    match schedule.truth() {
        Truth::Plays => assert!(is_played, "{}", context()),
        Truth::KeptByTheHost if rule == HostFaults::Deduct => assert!(is_played, "{}", context()),
        Truth::KeptByTheHost => {
            assert_eq!(blame(record), Some(Blame::Host), "{}", context());
            let is_void = matches!(record.outcome, Outcome::Void(VoidReason::HostFault(_)));
            assert_eq!(is_void, rule != HostFaults::Count, "{}", context());
        }
        Truth::Late => {
            assert!(lost(FaultKind::FlagFall), "{}", context());
            assert_ne!(blame(record), Some(Blame::Host), "{}", context());
            let detail = &fault.unwrap().detail;
            let asked = detail.contains("only when asked again");
            let may_be = [End::Moves, End::MovesWhenAsked].contains(&schedule.end);
            assert!(!asked || may_be, "{}", context());
            let half = detail.contains("a line without an end");
            assert!(!half || schedule.end == End::HalfLine, "{}", context());
            let is_plain = schedule.complete && schedule.helper == 0;
            let is_stopped = |(part, _): &(Part, u64)| *part == Part::Stopped;
            if is_plain && !schedule.parts.iter().any(is_stopped) {
                assert_eq!(blame(record), Some(Blame::Engine), "{}", context());
            }
        }
        Truth::Crashed => assert!(lost(FaultKind::Crash), "{}", context()),
        Truth::LateOrCrashed => {
            let is_lost = lost(FaultKind::Crash) || lost(FaultKind::FlagFall);
            assert!(is_lost, "{}", context());
            assert_ne!(blame(record), Some(Blame::Host), "{}", context());
        }
        Truth::Any => {}
    }
    if let Some(kind) = kind.filter(|_| schedule.is_alone) {
        let stored = record.faults.iter().map(|fault| (fault.side, fault.kind));
        let both = [(Color::White, kind), (Color::Black, FaultKind::Crash)];
        assert!(stored.eq(both), "{}", context());
    }
}

/// How often each truth was met, and how often an engine was asked again.
#[derive(Debug, Default)]
struct Tally {
    truths: [u64; 6],
    asked_again: u64,
    unended: u64,
}

fn study(seed: u64, schedules: u64) -> Tally {
    let mut dice = Random::new(seed);
    let mut tally = Tally::default();
    for _ in 0..schedules {
        let schedule = Schedule::random(&mut dice);
        tally.truths[schedule.truth() as usize] += 1;
        // `void` differs from `replay` only in what the run does next.
        let rules = [HostFaults::Count, HostFaults::Replay, HostFaults::Deduct];
        let records = rules.map(|rule| (rule, Play::new(&schedule, rule).record()));
        for (rule, record) in &records {
            judge(&schedule, *rule, record);
        }
        let [(_, first), (_, replay), (_, deduct)] = &records;
        assert_eq!(blame(first), blame(replay), "{schedule:?}");
        // Where nothing is charged for what the host took, the game goes on instead.
        let goes_on = blame(deduct).is_none() && blame(replay) == Some(Blame::Host);
        assert!(goes_on || blame(deduct) == blame(replay), "{schedule:?}");
        let says = |words| {
            first
                .faults
                .iter()
                .any(|fault| fault.detail.contains(words))
        };
        tally.asked_again += u64::from(says("only when asked again"));
        tally.unended += u64::from(says("a line without an end"));
    }
    tally
}

#[test]
fn no_schedule_of_waits_makes_an_engine_lose_and_none_excuses_one() {
    let (schedules, first) = (u64::from(study::cases(SCHEDULES)), study::seed(0));
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let run =
            |thread| scope.spawn(move || study(first.wrapping_add(thread), schedules / THREADS));
        let threads: Vec<_> = (0..THREADS).map(run).collect();
        let tallies = threads.into_iter().map(|thread| thread.join().unwrap());
        tallies.collect()
    });
    let met = |truth: usize| tallies.iter().map(|tally| tally.truths[truth]).sum::<u64>();
    eprintln!("{tallies:?}");
    let asked: u64 = tallies.iter().map(|tally| tally.asked_again).sum();
    let unended: u64 = tallies.iter().map(|tally| tally.unended).sum();
    let mut counts = (0..5).map(met).chain([asked, unended]);
    assert!(counts.all(|count| count > schedules / 200), "{tallies:?}");
}
