//! The help of the program, its commands in groups.

use crate::text::labelled;

/// A purpose, and the commands for it.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Play", &["init", "run", "match", "plan", "control"]),
    (
        "Look",
        &[
            "status", "stats", "report", "serve", "explain", "compare", "export",
        ],
    ),
    ("Decide", &["decide", "adjudicate", "draw", "seal"]),
    (
        "Examine",
        &["check", "doctor", "verify", "positions", "perft"],
    ),
    ("Many machines", &["worker", "merge", "rebuild"]),
    (
        "Other programs, and help",
        &[
            "fastchess",
            "cutechess",
            "import",
            "install-fronts",
            "fronts",
            "schema",
            "completions",
            "manual",
        ],
    ),
];

/// Columns of the names.
const COLUMNS: usize = 18;

/// The commands of all groups.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    GROUPS.iter().flat_map(|(_, names)| names.iter().copied())
}

/// The program's command with its help in groups.
pub(super) fn grouped(command: clap::Command) -> clap::Command {
    let mut text = String::new();
    for (title, names) in GROUPS {
        text += &format!("{title}:\n");
        for name in names {
            if let Some(found) = command.find_subcommand(name) {
                let about = found
                    .get_about()
                    .map(ToString::to_string)
                    .unwrap_or_default();
                text += &labelled(&format!("  {name}"), COLUMNS, &about);
            }
        }
        text.push('\n');
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{text}Options:\n{{options}}{{after-help}}"
    ))
}
