//! Completion of a command line in a shell.

use clap::ValueHint;
use clap_complete::Shell;
use clap_complete::env::{CompleteEnv, Shells};

/// Set by a shell that asks what may stand in a place of a command line.
const VARIABLE: &str = "ARBITER960_COMPLETE";

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
        if takes_value && FILES.contains(&argument.get_id().as_str()) {
            argument.hide(hides).value_hint(ValueHint::AnyPath)
        } else {
            argument.hide(hides)
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
