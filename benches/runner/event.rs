//! The same games played by the runner: rules, clocks, store, PGN and all.

use std::fs;
use std::path::Path;
use std::time::Instant;

use arbiter960::cli::play::{Play, play};
use arbiter960::config::{Overrides, load};

use crate::bare::GAMES;
use crate::script::PLIES;

/// Plays one event with so many lanes.
pub fn plies_per_second(folder: &Path, script: &Path, lanes: usize, round: usize) -> f64 {
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
    let options = Play {
        results: folder.to_owned(),
        quiet: true,
        ..Play::default()
    };
    let begun = Instant::now();
    let code = play(tournament, &text, &warnings, &options, &mut std::io::sink());
    let code = code.expect("the event is played");
    let seconds = begun.elapsed().as_secs_f64();
    assert_eq!(code, 0, "every game is finished");
    (GAMES * PLIES) as f64 / seconds
}
