//! A lane between a fake source and a fake player: every test ends with all that was said.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Mutex, PoisonError};

use super::*;
use crate::chess::Color;
use crate::clock::Stamp;
use crate::config::{Overrides, load};
use crate::event::{GameId, PairId, UnixMillis};
use crate::referee::{Breaches, DrawnBy, Outcome, VoidReason, WonBy};
use crate::run::source::{NextJob, StoredConsequences};

/// Gives these jobs, and writes down what it hears. Its store disqualifies engine 0 at the
/// third crash.
#[derive(Debug)]
struct FakeSource {
    jobs: Mutex<VecDeque<Job>>,
    /// After the last job: more may follow, for ever.
    open: bool,
    said: Mutex<Vec<String>>,
    faults: Mutex<u32>,
    stop: watch::Sender<Stop>,
    disqualified: watch::Sender<Disqualifications>,
    /// Where a store that is slow keeps what it has to confirm; without it all is durable at once.
    held: Option<Mutex<Vec<oneshot::Sender<()>>>>,
}

impl WorkSource for FakeSource {
    fn next(&self) -> NextJob<'_> {
        Box::pin(async {
            let job = self.jobs.lock().unwrap().pop_front();
            match job {
                None if self.open => std::future::pending().await,
                job => job,
            }
        })
    }

    fn report(&self, report: Report) {
        let words = match report {
            Report::Begun { pair, lane } => format!("lane {lane} begins {}", pair.0 + 1),
            Report::Remark { engine, words, .. } => format!("engine {engine}: {words}"),
            Report::Done(pair) => format!("done {}", pair.0 + 1),
            Report::Ended { lane } => format!("lane {lane} ended"),
            Report::Overdue { words, .. } => words,
            Report::Waits { game, why, .. } => format!("{game} waits: {why}"),
            Report::Game { game, stored } => {
                let mut faults = self.faults.lock().unwrap();
                let is_strike = |fault: &&Fault| fault.kind == FaultKind::Crash;
                *faults += game.record.faults.iter().filter(is_strike).count() as u32;
                if *faults >= 3 {
                    self.disqualified.send_replace(Arc::new(StoredConsequences {
                        out: BTreeSet::from([0]),
                        ..StoredConsequences::default()
                    }));
                }
                match (stored, &self.held) {
                    (Some(stored), Some(held)) => held.lock().unwrap().push(stored),
                    (Some(stored), None) => stored.send(()).expect("the lane waits"),
                    (None, _) => {}
                }
                format!("{} {}", game.id, game.record.outcome.reason())
            }
        };
        self.said
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(words);
    }

    fn stop(&self) -> watch::Receiver<Stop> {
        self.stop.subscribe()
    }

    fn disqualified(&self) -> watch::Receiver<Disqualifications> {
        self.disqualified.subscribe()
    }
}

/// Ends its games in the ways it is given, then with draws.
struct FakePlayer {
    endings: VecDeque<Ending>,
    source: Arc<FakeSource>,
}

#[derive(Clone, Copy)]
enum Ending {
    Crash,
    /// A flag that fell by the host's fault.
    HostFlag,
    /// An engine that could not be started.
    NotStarted,
    /// The run is stopped in the middle of it.
    Stopped,
}

impl GamePlayer for FakePlayer {
    async fn play(&mut self, game: PlannedGame) -> Option<PlayedGame> {
        let ending = self.endings.pop_front();
        let side = Color::ALL[usize::from(game.seats[0].engine != 0)];
        let fault = |kind| Fault {
            side,
            kind,
            ply: 0,
            at: Stamp(0),
            detail: String::new(),
            stderr: None,
            evidence: None,
        };
        let host = Outcome::Void(VoidReason::HostFault("the host".to_owned()));
        let (outcome, faults) = match ending {
            None => (Outcome::Drawn(DrawnBy::Stalemate), Vec::new()),
            Some(Ending::Crash) => {
                let (by, how) = (!side, WonBy::Forfeit(FaultKind::Crash));
                (Outcome::Won { by, how }, vec![fault(FaultKind::Crash)])
            }
            Some(Ending::HostFlag) => (host, vec![fault(FaultKind::FlagFall)]),
            Some(Ending::NotStarted) => (host, Vec::new()),
            Some(Ending::Stopped) => {
                self.source.stop.send_replace(Stop::VoidGames);
                (Outcome::Void(VoidReason::Interrupted), Vec::new())
            }
        };
        let record = GameRecord {
            start: game.settings.start.clone(),
            opening: Vec::new(),
            moves: Vec::new(),
            outcome,
            faults,
            breaches: [Breaches::default(); 2],
            dialogue: None,
        };
        Some(game.finished(UnixMillis(0), record))
    }

    async fn rest(&mut self) {
        self.source.said.lock().unwrap().push("rests".to_owned());
    }
}

fn tournament(rules: &str) -> Tournament {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("event.toml");
    let text = format!(
        "event.name = \"fake\"\npositions.numbers = [\"0-9\"]\ntime.control = \"1+0.1\"\n{rules}\n\
         [[engine]]\nname = \"A\"\nbuiltin = \"sparring\"\n[[engine]]\nname = \"B\"\nbuiltin = \"sparring\"\n"
    );
    std::fs::write(&file, text).unwrap();
    load(&file, Overrides::default()).unwrap().0
}

/// The first pairs of the event, none of whose games is there.
fn jobs(tournament: &Tournament, count: u64) -> VecDeque<Job> {
    let plan = tournament.plan().unwrap();
    let job = |pair| Job {
        pair: PairId(pair),
        spec: plan.pair(PairId(pair)).unwrap(),
        missing: [true; 2],
        replayed: [0; 2],
        goes_on: false,
    };
    (0..count).map(job).collect()
}

/// What a lane says that plays these pairs, with these endings of its first games.
fn said(rules: &str, pairs: u64, endings: &[Ending]) -> Vec<String> {
    let tournament = tournament(rules);
    let jobs = jobs(&tournament, pairs);
    said_of(tournament, jobs, false, endings).0
}

/// What it says, and how long it took; games of the fake take no time.
fn said_of(
    tournament: Tournament,
    jobs: VecDeque<Job>,
    open: bool,
    endings: &[Ending],
) -> (Vec<String>, Duration) {
    said_to(tournament, jobs, open, endings, None)
}

/// The same with a store that confirms at once, or never.
fn said_to(
    tournament: Tournament,
    jobs: VecDeque<Job>,
    open: bool,
    endings: &[Ending],
    held: Option<Mutex<Vec<oneshot::Sender<()>>>>,
) -> (Vec<String>, Duration) {
    let source = Arc::new(FakeSource {
        jobs: Mutex::new(jobs),
        open,
        said: Mutex::default(),
        faults: Mutex::default(),
        stop: watch::channel(Stop::No).0,
        disqualified: watch::channel(Disqualifications::default()).0,
        held,
    });
    let endings = endings.iter().copied().collect();
    let pairs = LanePairs {
        lane: 4,
        tournament: Arc::new(tournament),
        source: Arc::clone(&source) as Arc<dyn WorkSource>,
        stop: source.stop(),
        disqualified: source.disqualified(),
        player: FakePlayer {
            endings,
            source: Arc::clone(&source),
        },
        has_played: false,
        unstored: VecDeque::new(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let taken = runtime.block_on(async {
        let (hour, begun) = (Duration::from_secs(3600), tokio::time::Instant::now());
        let ended = tokio::time::timeout(hour, pairs.run()).await;
        assert_eq!(ended.is_err(), open, "it ends when its source does");
        begun.elapsed()
    });
    let mut said = source.said.lock().unwrap();
    (std::mem::take(&mut said), taken)
}

#[test]
fn every_missing_game_is_reported_once_between_begin_and_done() {
    let expected = [
        "lane 4 begins 1",
        "1.1 stalemate",
        "1.2 stalemate",
        "done 1",
        "lane 4 begins 2",
        "2.1 stalemate",
        "2.2 stalemate",
        "done 2",
        "rests",
    ];
    assert_eq!(said("", 2, &[]), expected);
}

#[test]
fn only_missing_games_are_played() {
    let tournament = tournament("");
    let mut jobs = jobs(&tournament, 1);
    jobs[0].missing = [false, true];
    let expected = ["lane 4 begins 1", "1.2 stalemate", "done 1", "rests"];
    assert_eq!(said_of(tournament, jobs, false, &[]).0, expected);
}

#[test]
fn a_lane_without_work_rests_while_it_waits() {
    let tournament = tournament("");
    assert_eq!(said_of(tournament, VecDeque::new(), true, &[]).0, ["rests"]);
}

#[test]
fn what_the_host_would_not_start_is_left_to_the_source() {
    let expected = [
        "lane 4 begins 1",
        "1.1 host-fault",
        "1.2 stalemate",
        "done 1",
        "rests",
    ];
    assert_eq!(said("", 1, &[Ending::NotStarted]), expected);
}

#[test]
fn a_flag_that_the_host_let_fall_is_replayed_after_longer_and_longer_waits() {
    let tournament = tournament("adjudication.host_faults = \"replay\"");
    let jobs = jobs(&tournament, 1);
    let (said, taken) = said_of(tournament, jobs, false, &[Ending::HostFlag; 13]);
    // Each wait is reported, with its reason.
    let why = Outcome::Void(VoidReason::HostFault("the host".to_owned()));
    let game = |game: &str| {
        let void = format!("{game} host-fault");
        let twice = || [void.clone(), format!("{game} waits: {why}")];
        let waits = (0..5).flat_map(|_| twice());
        waits.chain([void.clone()]).collect::<Vec<_>>()
    };
    let expected = [
        vec!["lane 4 begins 1".to_owned()],
        game("1.1"),
        game("1.2"),
        vec!["done 1".to_owned(), "rests".to_owned()],
    ];
    assert_eq!(said, expected.concat());
    assert_eq!(taken.as_secs(), 2 * (1 + 5 + 25 + 120 + 300));
}

#[test]
fn where_a_round_waits_for_a_game_it_is_replayed_until_it_counts() {
    let adaptive = "adaptive = { boundary = \"mean\", batch = 3, max_pairs = 30 }";
    for rules in ["event.format = \"swiss\"\nswiss.rounds = 1", adaptive] {
        let (waiting, jobs) = (tournament(rules), jobs(&tournament(""), 1));
        let (said, taken) = said_of(waiting, jobs, false, &[Ending::HostFlag; 9]);
        assert_eq!(said[17], "1.1 host-fault", "{rules}");
        assert_eq!(said[19], "1.1 stalemate", "{rules}");
        assert_eq!(taken.as_secs(), 1 + 5 + 25 + 120 + 5 * 300, "{rules}");
    }
}

#[test]
fn replays_end_with_the_disqualification() {
    let rules = "faults = { policy = \"replay\", replays = 9, strikes = 3 }";
    let expected = [
        "lane 4 begins 1",
        "1.1 fault-replayed",
        "1.1 fault-replayed",
        "1.1 fault-replayed",
        "done 1",
        // Its other pairs are not begun.
        "lane 4 begins 2",
        "done 2",
        "rests",
    ];
    assert_eq!(said(rules, 2, &[Ending::Crash; 40]), expected);
}

#[test]
fn the_pair_in_which_an_engine_is_disqualified_is_finished_without_replays() {
    let rules = "faults = { policy = \"replay\", replays = 1, strikes = 3 }";
    let expected = [
        "lane 4 begins 1",
        "1.1 fault-replayed",
        "1.1 crash",
        "1.2 fault-replayed",
        "done 1",
        "rests",
    ];
    assert_eq!(said(rules, 1, &[Ending::Crash; 40]), expected);
    let rules = "faults = { strikes = 3 }";
    let said = said(rules, 2, &[Ending::Crash; 40]);
    assert_eq!(
        said[..4],
        ["lane 4 begins 1", "1.1 crash", "1.2 crash", "done 1"]
    );
    assert_eq!(
        said[4..8],
        ["lane 4 begins 2", "2.1 crash", "2.2 crash", "done 2"]
    );
}

#[test]
fn nothing_is_begun_after_a_stop() {
    let expected = ["lane 4 begins 1", "1.1 interrupted", "done 1", "rests"];
    assert_eq!(said("", 1, &[Ending::Stopped]), expected);
}

#[test]
fn replays_of_earlier_runs_count() {
    let tournament = tournament("faults = { policy = \"replay\", replays = 2, strikes = 9 }");
    let mut jobs = jobs(&tournament, 1);
    jobs[0].replayed = [2, 1];
    let id = GameId {
        pair: PairId(0),
        game: 1,
    };
    assert_eq!(jobs[0].game(1), id);
    let (said, _) = said_of(tournament, jobs, false, &[Ending::Crash; 2]);
    assert_eq!(
        said[1..4],
        ["1.1 crash", "1.2 fault-replayed", "1.2 stalemate"]
    );
}

#[test]
fn a_lane_is_no_more_than_two_pairs_ahead_of_the_store() {
    let tournament = tournament("");
    let jobs = jobs(&tournament, 9);
    let held = Some(Mutex::default());
    // Nothing is confirmed: it waits, and has begun no other pair.
    let (said, _) = said_to(tournament, jobs, true, &[], held);
    let expected = [
        "lane 4 begins 1",
        "1.1 stalemate",
        "1.2 stalemate",
        "done 1",
        "lane 4 begins 2",
        "2.1 stalemate",
        "2.2 stalemate",
    ];
    assert_eq!(said, expected);
}

#[test]
fn a_pause_lies_between_games_and_a_stop_ends_it() {
    let taken = |endings: &[Ending]| {
        let tournament = tournament("event.pause = 2.5");
        let jobs = jobs(&tournament, 2);
        said_of(tournament, jobs, false, endings).1
    };
    let pauses = taken(&[]).as_millis() / 2500;
    assert_eq!(pauses, 3, "between four games");
    assert!(taken(&[Ending::Stopped]) < Duration::from_secs(1));
}
