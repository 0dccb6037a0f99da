//! The same games played by the runner: rules, clocks, store, PGN and all.

use std::fs;
use std::path::Path;
use std::time::Instant;

use arbiter960::internal::config::{Overrides, load};
use arbiter960::internal::run::signals::SignalWatch;
use arbiter960::internal::run::{RunError, Session};
use arbiter960::internal::sink::{PgnSink, RunOutputs, StandingsSink};
use arbiter960::internal::tournament::EventView;

use crate::bare::GAMES;
use crate::script::PLIES;

/// Plays one event with this number of lanes.
pub(crate) fn plies_per_second(folder: &Path, script: &Path, lanes: usize, round: usize) -> f64 {
    let program = std::env::current_exe().expect("this program");
    let (program, script) = (program.display(), script.display());
    let numbers = GAMES / 2 - 1;
    let name = format!("lanes-{lanes}-round-{round}");
    let engine = |name: &str| {
        format!(
            "[[engine]]\nname = {name:?}\ncommand = \"{program}\"\nargs = [\"engine\", \"{script}\"]\n"
        )
    };
    let text = format!(
        "[event]\nname = {name:?}\nconcurrency = {lanes}\n[positions]\nnumbers = [\"0-{numbers}\"]\n\
         [time]\ncontrol = \"60+1\"\n{}{}",
        engine("A"),
        engine("B"),
    );
    let file = folder.join(format!("{name}.toml"));
    fs::write(&file, &text).expect("the event file can be written");
    let loaded = load(&file, Overrides::default());
    let (tournament, warnings) = loaded.expect("the event file is right");
    assert!(warnings.is_empty(), "{warnings}");
    let identity = tournament.identity().expect("every file can be read");
    let session = Session::open(tournament, identity, folder, false);
    let session = session.expect("the store can be made");
    // From when the engines have been checked until every game is on the disk.
    // The report at the end is not the runner's speed.
    let mut begun = None;
    let signals = SignalWatch::start().expect("signals can be heard");
    let ending = session.play(&signals, |session, event| {
        begun = Some(Instant::now());
        files(session, event)
    });
    let seconds = begun.expect("it has begun").elapsed().as_secs_f64();
    assert_eq!(ending.expect("the event is played").voided, 0);
    (GAMES * PLIES) as f64 / seconds
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
