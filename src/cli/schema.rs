//! `arbiter960 schema`: the language of event files, for editors and for people.

use std::io::Write;

use clap::ValueEnum;

use crate::cli::VERSION;
use crate::report::event_file::{event_manual, event_markdown, event_schema};

/// Print the JSON Schema of event files, or the page of every key.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 schema > event.schema.json       # then #:schema event.schema.json
  arbiter960 schema --format markdown | less
  arbiter960 schema --format manual | man -l -")]
pub(crate) struct SchemaArguments {
    /// What to print
    #[arg(long, value_enum, default_value_t = SchemaFormat::Json)]
    format: SchemaFormat,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SchemaFormat {
    /// A JSON Schema.
    Json,
    /// The page docs/event-file.md.
    Markdown,
    /// The manual page arbiter960-event(5).
    Manual,
}

/// Runs the command.
///
/// # Errors
/// The output cannot be written.
pub(crate) fn run(arguments: &SchemaArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    match arguments.format {
        SchemaFormat::Json => writeln!(out, "{:#}", event_schema())?,
        SchemaFormat::Markdown => write!(out, "{}", event_markdown())?,
        SchemaFormat::Manual => event_manual(VERSION, out)?,
    }
    Ok(())
}
