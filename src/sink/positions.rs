//! `positions.csv`: one row a start number.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::chess::start::{self, Variant};
use crate::chess::{FenDialect, StartNumber};
use crate::event::FinishedGame;

use super::Sink;
use super::atomic;
use super::error::SinkError;
use super::scoreboard::{NumberRow, Scoreboard};

/// The file's name in the event's folder.
const FILE: &str = "positions.csv";

/// Writes `positions.csv` at the end of a run.
pub struct PositionsSink {
    path: PathBuf,
    variant: Variant,
    board: Scoreboard,
}

impl PositionsSink {
    /// For the event in `folder`, with the results so far.
    pub fn new(folder: &Path, variant: Variant, board: Scoreboard) -> PositionsSink {
        PositionsSink {
            path: folder.join(FILE),
            variant,
            board,
        }
    }
}

impl Sink for PositionsSink {
    fn committed(&mut self, game: &FinishedGame) -> Result<(), SinkError> {
        self.board.add_game(game);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        let text = positions_csv(self.variant, &self.board);
        let written = atomic::replace(&self.path, text.as_bytes(), true);
        written.map_err(|error| SinkError::file(&self.path, error))
    }
}

/// The text of `positions.csv`; its columns are in `docs/files.md`.
pub fn positions_csv(variant: Variant, board: &Scoreboard) -> String {
    let header = "number,back_rank,games,pairs,white_wins,draws,white_losses,white_score\r\n";
    let mut text = header.to_owned();
    for (number, row) in board.numbers() {
        write_row(&mut text, variant, number, row);
    }
    text
}

fn write_row(text: &mut String, variant: Variant, number: StartNumber, row: &NumberRow) {
    let NumberRow { pairs, white } = row;
    let (games, wins, draws, losses) = (white.games(), white.wins, white.draws, white.losses);
    let score = white
        .score()
        .map_or_else(String::new, |score| format!("{score:.6}"));
    let rank = back_rank(variant, number).unwrap_or_default();
    // Writing into a string cannot fail.
    let _infallible = write!(
        text,
        "{number},{rank},{games},{pairs},{wins},{draws},{losses},{score}\r\n"
    );
}

/// White's men on the first rank, or both sides' with a slash where they differ.
pub fn back_rank(variant: Variant, number: StartNumber) -> Option<String> {
    let fen = start::position(variant, number).ok()?.fen(FenDialect::XFen);
    let board = fen.split(' ').next()?;
    let black = board.split('/').next()?.to_ascii_uppercase();
    let white = board.split('/').next_back()?;
    Some(if white == black {
        white.to_owned()
    } else {
        format!("{white}/{black}")
    })
}
