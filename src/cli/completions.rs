//! Completion of a command line in a shell: its words, and the engines, games and decisions of the event that it names.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};

use clap::ValueHint;
use clap_complete::env::{CompleteEnv, Shells};
use clap_complete::{CompletionCandidate, Shell};

use crate::config::{Overrides, load};
use crate::store::Reader;
use crate::text::printable;
use crate::tournament::{EventState, Roster, decision_lines};

/// Set by a shell that asks what may stand in a place of a command line.
const VARIABLE: &str = "ARBITER960_COMPLETE";

/// A word, and what it stands for; the shell shows both, if it can.
type Offered = (String, String);

/// Answers a shell that asks, and ends the program; returns if none asks.
pub(super) fn answer(command: fn() -> clap::Command) {
    let command = || words_first(command());
    CompleteEnv::with_factory(command).var(VARIABLE).complete();
}

/// Arguments that may be a file, although their type does not say it.
const FILES: [&str; 5] = ["command", "engine", "evaluate", "openings", "positions"];

/// Options are offered where nothing else can stand, and where `-` is written.
fn words_first(command: clap::Command) -> clap::Command {
    let offered = |argument: clap::Arg| {
        let hides = !argument.is_positional();
        let takes_value = argument.get_action().takes_values();
        match takes_value && FILES.contains(&argument.get_id().as_str()) {
            true => argument.hide(hides).value_hint(ValueHint::AnyPath),
            false => argument.hide(hides),
        }
    };
    let command = command.mut_args(offered).mut_subcommands(words_first);
    command.disable_help_flag(true).disable_version_flag(true)
}

/// What a shell reads so that it asks.
pub(super) fn script(shell: Shell) -> anyhow::Result<Vec<u8>> {
    let mut script = Vec::new();
    if let Some(completer) = Shells::builtins().completer(&shell.to_string()) {
        let [name, program, asked] = ["arbiter960"; 3];
        completer.write_registration(VARIABLE, name, program, asked, &mut script)?;
    }
    // Where nothing is offered bash offers files, and it quotes the names of files itself.
    let script = String::from_utf8(script)?;
    let script = script.replace("-o bashdefault", "-o bashdefault -o default -o filenames");
    Ok(script.into_bytes())
}

/// The engines of the event.
pub(super) fn engines() -> Vec<CompletionCandidate> {
    of_event(engine_names)
}

/// The engines of the event file that do not take part.
pub(super) fn entrants() -> Vec<CompletionCandidate> {
    of_event(|reader| {
        let known = engine_names(reader)?;
        let source = reader.value("source")?.unwrap_or_default();
        let (tournament, _) = load(Path::new(&source), Overrides::default())?;
        let names = tournament.engines.into_iter();
        let names = names.map(|engine| (engine.name, String::new()));
        Ok(names.filter(|name| !known.contains(name)).collect())
    })
}

/// Who can forfeit a game.
pub(super) fn losers() -> Vec<CompletionCandidate> {
    let colors = ["white", "black"].map(CompletionCandidate::new);
    colors.into_iter().chain(engines()).collect()
}

/// The games that were played, and those of the round that is played.
pub(super) fn games() -> Vec<CompletionCandidate> {
    of_event(|reader| {
        let mut games = BTreeMap::new();
        let rounds = EventState::read(reader)?.pairings().unwrap_or_default();
        for round in rounds.iter().filter(|round| !round.provisional) {
            for (board, names) in &round.boards {
                let game = |nth| format!("{}.{board}.{nth}", round.round);
                games.extend([1, 2].map(|nth| (game(nth), names.join(" - "))));
            }
        }
        let roster = Roster::read(reader)?;
        for game in reader.results() {
            let game = game?;
            let [white, black] = game.seats.map(|seat| roster.name(seat));
            let words = format!("{white} - {black} {}", game.outcome.result());
            games.insert(roster.games.name(game.id).into(), words);
        }
        Ok(games.into_iter().collect())
    })
}

/// The decisions of the arbiter that hold.
pub(super) fn decisions() -> Vec<CompletionCandidate> {
    of_event(|reader| {
        let roster = Roster::read(reader)?;
        let lines = decision_lines(&roster).into_iter();
        let all = roster.decisions.all().iter().zip(lines);
        let held = all.filter(|(decision, _)| roster.decisions.holds(decision));
        Ok(held.map(|(one, line)| (one.id.to_string(), line)).collect())
    })
}

fn engine_names(reader: &Reader) -> anyhow::Result<Vec<Offered>> {
    let engines = reader.begun()?.identity.engines.into_iter();
    Ok(engines.map(|engine| (engine.name, String::new())).collect())
}

/// What the event of the command line has; nothing if it names none that can be read.
fn of_event(offered: impl Fn(&Reader) -> anyhow::Result<Vec<Offered>>) -> Vec<CompletionCandidate> {
    let words = env::args_os().skip_while(|word| word != "--");
    let mut folders = words.map(PathBuf::from).filter(|word| word.is_dir());
    let reader = folders.find_map(|folder| Reader::open(&folder).ok());
    let offered = reader.and_then(|reader| offered(&reader).ok());
    let candidate = |(word, help): Offered| {
        let help = Some(printable(&help).into_owned()).filter(|help| !help.is_empty());
        CompletionCandidate::new(printable(&word).as_ref()).help(help.map(Into::into))
    };
    offered.into_iter().flatten().map(candidate).collect()
}
