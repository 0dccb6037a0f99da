//! The hidden commands by which engines that need help play as UCI engines.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::adapter;

/// An engine of XBoard's protocol, and its arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct XboardArguments {
    /// A line that the engine is sent first
    #[arg(long, value_name = "LINE", allow_hyphen_values = true)]
    init: Vec<String>,
    /// The engine and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<OsString>,
}

/// A book, and an engine with its arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct BookArguments {
    /// The Polyglot book
    book: PathBuf,
    /// For how many half-moves of a game it is asked
    plies: usize,
    /// What its moves are drawn with
    seed: u64,
    /// The engine and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<OsString>,
}

/// An engine that gives its scores as White sees them, and its arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct WhiteViewArguments {
    /// The engine and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<OsString>,
}

pub(crate) fn xboard(arguments: XboardArguments) -> anyhow::Result<u8> {
    Ok(adapter::xboard(&arguments.command, arguments.init)?)
}

pub(crate) fn own_book(arguments: &BookArguments) -> anyhow::Result<u8> {
    let BookArguments {
        book, plies, seed, ..
    } = arguments;
    Ok(adapter::own_book(&arguments.command, book, *plies, *seed)?)
}

pub(crate) fn white_view(arguments: &WhiteViewArguments) -> anyhow::Result<u8> {
    Ok(adapter::white_view(&arguments.command)?)
}
