//! An event of engines that work, and what each of their moves was charged beyond that.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use arbiter960::internal::config::{Overrides, load};
use arbiter960::internal::run::live_updates::Delivery;
use arbiter960::internal::run::signals::SignalWatch;
use arbiter960::internal::run::{RunError, Session};
use arbiter960::internal::sink::{PgnSink, RunOutputs, StandingsSink};
use arbiter960::internal::store::Reader;
use arbiter960::internal::tournament::EventView;

use crate::viewers::Page;

/// Half-moves of a game.
pub(crate) const PLIES: usize = 40;

/// What else happens during the measured games.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beside {
    /// Nothing.
    Nothing,
    /// Both engines write without end while the other one works.
    FloodingOpponent,
    /// A third engine in the event writes without end while it works.
    FloodingNeighbour,
    /// Eight listeners to all updates.
    Listeners,
    /// A page with 1,000 viewers, in a process of the lowest priority: as a rule they are elsewhere.
    Viewers,
    /// `stats` of the event, again and again.
    Statistics,
    /// Every move is kept on the disk, so that games can go on after an interruption.
    KeptMoves,
}

impl Beside {
    pub(crate) const ALL: [Beside; 7] = [
        Beside::Nothing,
        Beside::FloodingOpponent,
        Beside::FloodingNeighbour,
        Beside::Listeners,
        Beside::Viewers,
        Beside::Statistics,
        Beside::KeptMoves,
    ];
}

/// What was measured of moves, nanoseconds.
#[derive(Default)]
pub(crate) struct Measured {
    /// What each was charged beyond the engine's own time.
    pub(crate) taxes: Vec<i64>,
    /// From a move's stamp to the next `go`, on no clock.
    pub(crate) between: Vec<i64>,
}

/// Plays this number of games of engines that work.
pub(crate) fn taxes(
    folder: &Path,
    name: &str,
    lanes: usize,
    games: usize,
    beside: Beside,
) -> Measured {
    let file = folder.join(format!("{name}.toml"));
    fs::write(&file, event_file(name, lanes, games, beside)).expect("the file can be written");
    let loaded = load(&file, Overrides::default());
    let (tournament, _) = loaded.expect("the event file is right");
    let identity = tournament.identity().expect("every file can be read");
    let session = Session::open(tournament, identity, folder, false);
    let session = session.expect("the store can be made");
    let results = session.folder().to_path_buf();
    let updates = Arc::new(AtomicU64::new(0));
    if beside == Beside::Listeners {
        for _ in 0..8 {
            let heard = Arc::clone(&updates);
            let deliver = Box::new(move |_| {
                heard.fetch_add(1, Ordering::Relaxed);
                Delivery::Taken
            });
            session.live_updates.subscribe(deliver).expect("a thread");
        }
    }
    let over = Arc::new(AtomicBool::new(false));
    let statistics = (beside == Beside::Statistics).then(|| {
        let (over, results) = (Arc::clone(&over), results.clone());
        std::thread::spawn(move || statistics(&results, &over))
    });
    let signals = SignalWatch::start().expect("signals can be heard");
    let mut page = (beside == Beside::Viewers).then(Page::open);
    let ending = session.play(&signals, |session, event| {
        let mut audience = files(session, event)?;
        if let Some(page) = &mut page {
            page.begin(session, event, &mut audience);
        }
        Ok(audience)
    });
    assert_eq!(ending.expect("the event is played").voided, 0);
    over.store(true, Ordering::Relaxed);
    if let Some(thread) = statistics {
        assert!(thread.join().expect("it ends") > 0, "no statistics ran");
    }
    if let Some(page) = page {
        let seen = page.close();
        assert!(seen > 0, "nothing was seen on the page");
    }
    if beside == Beside::Listeners {
        assert!(
            updates.load(Ordering::Relaxed) > 0,
            "nothing was listened to"
        );
    }
    charged(&results)
}

/// The files that grow while an event is played.
fn files(session: &Session, event: &EventView) -> Result<RunOutputs, RunError> {
    let mut audience = RunOutputs::default();
    let pgn = PgnSink::open(&session.reader()?, session.folder())?;
    audience.files.add(pgn);
    let standings = StandingsSink::new(session.folder(), event.clone());
    audience.files.add(standings);
    Ok(audience)
}

fn event_file(name: &str, lanes: usize, games: usize, beside: Beside) -> String {
    let program = std::env::current_exe().expect("this program");
    let engine = |name: &str, manner: &str| {
        format!(
            "[[engine]]\nname = {name:?}\ncommand = {program:?}\nargs = [\"engine\", {manner:?}]\n"
        )
    };
    let manner = match beside {
        Beside::FloodingOpponent => "floods-out-of-its-turn",
        _ => "quiet",
    };
    let mut engines = engine("A", manner) + &engine("B", manner);
    let mut pairs = games / 2;
    if beside == Beside::FloodingNeighbour {
        engines += &engine("Neighbour", "floods-in-its-turn");
        // In two of three encounters one side is measured.
        pairs /= 2;
    }
    let last = pairs.clamp(1, 960) - 1;
    let interrupted = match beside {
        Beside::KeptMoves => "resume",
        _ => "replay",
    };
    format!(
        "[event]\nname = {name:?}\nconcurrency = {lanes}\ninterrupted = {interrupted:?}\n[positions]\nnumbers = [\"0-{last}\"]\n\
         [time]\ncontrol = \"60+1\"\n[adjudication]\nmax_moves = {}\n{engines}",
        PLIES / 2
    )
}

/// Of every move of an engine that keeps quiet in its turn.
fn charged(results: &Path) -> Measured {
    let reader = Reader::open(results).expect("the store can be read");
    let mut measured = Measured::default();
    let nanoseconds =
        |time: std::time::Duration| i64::try_from(time.as_nanos()).expect("nanoseconds");
    for stored in reader.games() {
        let game = stored.expect("a game").game;
        for (ply, record) in game.record.moves.iter().enumerate() {
            // Engine 2 is the neighbour.
            if game.seats[ply % 2].engine < 2 {
                let worked = record.thinking.nodes.map(i64::try_from);
                let worked = worked.expect("it says so").expect("nanoseconds");
                measured.taxes.push(nanoseconds(record.elapsed()) - worked);
            }
        }
        let between = game.record.moves.windows(2);
        let between = between.map(|two| nanoseconds(two[1].sent.saturating_since(two[0].received)));
        measured.between.extend(between);
    }
    measured
}

/// How often the statistics of an event were computed until it was over.
fn statistics(results: &Path, over: &AtomicBool) -> u64 {
    let mut computed = 0;
    while !over.load(Ordering::Relaxed) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter960"));
        command
            .arg("stats")
            .arg(results)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let done = command.status().expect("it starts");
        computed += u64::from(done.success());
    }
    computed
}
