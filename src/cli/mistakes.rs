//! The help of the program, how errors are printed, and hints for users of the options of another runner.

use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::time::Duration;

use crate::text::{labelled, printable_lines, tell};

/// The hint if a request to a running event was typed as a command.
pub(super) fn of_an_event(mut words: impl Iterator<Item = String>) -> Option<String> {
    let word = words.next()?;
    let folder = words.next().unwrap_or_else(|| "results/EVENT".to_owned());
    match word.as_str() {
        "resume" | "continue" => Some(format!(
            "`{word}` is no command: a stopped event goes on by the command that began it, a paused one by \
             `arbiter960 control {folder} resume`"
        )),
        "pause" | "stop" => Some(format!(
            "`{word}` is no command: write `arbiter960 control {folder} {word}`"
        )),
        _ => None,
    }
}

/// The hint if the options of `match` were written as for fastchess and cutechess-cli.
pub(super) fn one_dash(
    mut words: impl Iterator<Item = String>,
    program: impl FnOnce() -> clap::Command,
) -> Option<String> {
    let command = words.next().filter(|command| command == "match")?;
    let is_letter = |byte: u8| byte.is_ascii_lowercase();
    let is_name = |name: &str| name.len() > 2 && name.bytes().all(is_letter);
    let word = words.find(|word| word.strip_prefix('-').is_some_and(is_name))?;
    let name = word.trim_start_matches('-');
    let program = program();
    let mut own = program.find_subcommand(command)?.get_arguments();
    let is_own = own.any(|option| option.get_long() == Some(name));
    Some(if is_own {
        format!(
            "`{word}`: options have two dashes here: write --{name}, or take the other program's line \
             as it is to `arbiter960 fastchess` or `arbiter960 cutechess`"
        )
    } else {
        format!(
            "`{word}` is an option of another program: `arbiter960 fastchess` and `arbiter960 cutechess` take \
             its lines as they are, and `arbiter960 match --help` has the options of this one"
        )
    })
}

/// The hint if engines were named for `match` without `--engine`.
pub(super) fn bare_engine(mut words: impl Iterator<Item = String>) -> Option<String> {
    words.next().filter(|command| command == "match")?;
    let word = words.next().filter(|word| !word.starts_with('-'))?;
    Some(format!(
        "`{word}`: every engine needs the option: `arbiter960 match --engine {word} --engine OTHER`"
    ))
}

/// A number of something of which there must be one.
///
/// # Errors
/// It is none.
pub(super) fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    text.parse()
        .map_err(|_| "it must be a whole number from 1 on".to_owned())
}

/// A share of a whole.
///
/// # Errors
/// It is none.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let share: Option<f64> = text.parse().ok();
    let share = share.filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "it must be a number from 0 to 1: 50 % is 0.5".to_owned())
}

/// A time in seconds, from a tenth of one to a day.
///
/// # Errors
/// It is none.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok();
    let seconds = seconds.filter(|seconds| (0.1..=86_400.0).contains(seconds));
    let seconds = seconds.ok_or("a number of seconds from 0.1 to 86400")?;
    Ok(Duration::from_secs_f64(seconds))
}

/// Prints an error with its causes, without control characters.
pub(super) fn report(error: &anyhow::Error) {
    let terminal = io::stderr().is_terminal();
    let mark = if terminal {
        "\x1b[1;31merror\x1b[0m"
    } else {
        "error"
    };
    // Errors of the event file have their own layout.
    match error.downcast_ref::<crate::config::ConfigErrors>() {
        Some(errors) if terminal => tell(&errors.coloured()),
        Some(errors) => tell(&errors.to_string()),
        None => tell(&format!("{mark}: {}", printable_lines(&with_causes(error)))),
    }
}

/// An error and its causes, without those that the message in front of them quotes.
fn with_causes(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

/// A purpose, and the commands for it.
pub(super) const GROUPS: [(&str, &str); 6] = [
    ("Play", "init run match plan control"),
    ("Look", "status stats report serve explain compare export"),
    ("Decide", "decide adjudicate draw seal"),
    ("Examine", "check doctor verify positions perft"),
    ("Many machines", "worker merge rebuild"),
    (
        "Other programs, and help",
        "fastchess cutechess import install-fronts schema completions manual",
    ),
];

/// Columns of the names.
const COLUMNS: usize = 18;

/// The program's command with its help in groups.
pub(super) fn grouped(command: clap::Command) -> clap::Command {
    let mut text = String::new();
    for (title, names) in GROUPS {
        text += &format!("{title}:\n");
        for name in names.split(' ') {
            if let Some(found) = command.find_subcommand(name) {
                let about = found.get_about().map(ToString::to_string);
                let about = about.unwrap_or_default();
                text += &labelled(&format!("  {name}"), COLUMNS, &about);
            }
        }
        text.push('\n');
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{text}Options:\n{{options}}{{after-help}}"
    ))
}
