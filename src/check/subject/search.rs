//! Positions put before the engine, and the searches it ends.

use std::time::Duration;

use tokio::time::Instant;

use crate::check::trouble::{Trouble, wrong};
use crate::chess::{FenDialect, Game, Move, Position, UciDialect};
use crate::host::starvation::Starvation;
use crate::uci::{Message, position_command};

use super::Subject;

/// One search that has ended.
#[derive(Debug)]
pub(in crate::check) struct SearchAnswer {
    /// The move, in the engine's words.
    pub text: String,
    /// The move after `ponder`.
    pub ponder: Option<String>,
    /// All lines before `bestmove`.
    pub lines: Vec<String>,
    /// From when it was awaited to the answer.
    pub took: Duration,
}

impl Subject<'_> {
    /// The FEN that every engine reads: Shredder-FEN in Chess960, `KQkq` in plain chess.
    pub(crate) fn fen(&self) -> FenDialect {
        match self.dialect {
            UciDialect::Chess960 => FenDialect::Shredder,
            UciDialect::Standard => FenDialect::XFen,
        }
    }

    /// Sends `position` with the start in this dialect, `startpos` where it is that.
    pub(crate) fn place(&mut self, game: &Game, fen: FenDialect) {
        let mut line = position_command(game.start(), fen);
        for (index, &mv) in game.moves().iter().enumerate() {
            line.push_str(if index == 0 { " moves " } else { " " });
            line.push_str(game.positions()[index].uci(mv, self.dialect).as_str());
        }
        self.send(&line);
    }

    /// Sends `go …` and waits for its end.
    pub(crate) async fn go(
        &mut self,
        limits: &str,
        limit: Duration,
    ) -> Result<SearchAnswer, Trouble> {
        self.send(&format!("go {limits}"));
        self.best_move(limit).await
    }

    /// Places the game and lets the engine answer; the answer must be legal.
    pub(crate) async fn answer(
        &mut self,
        game: &Game,
        limits: &str,
    ) -> Result<(Move, SearchAnswer), Trouble> {
        self.place(game, self.fen());
        let search = self.go(limits, self.bench.timeout).await?;
        Ok((self.legal(game.position(), &search)?, search))
    }

    /// The move that the search ended with.
    pub(crate) fn legal(
        &self,
        position: &Position,
        search: &SearchAnswer,
    ) -> Result<Move, Trouble> {
        let read = position.parse_uci(&search.text, self.dialect);
        read.or_else(|error| {
            let fen = position.fen(self.fen());
            wrong(format!("`bestmove {}` in {fen}: {error}", search.text))
        })
    }

    /// Waits for `bestmove`.
    pub(crate) async fn best_move(&mut self, limit: Duration) -> Result<SearchAnswer, Trouble> {
        let begun = Instant::now();
        let mut lines = Vec::new();
        let found = |line: &str| match Message::parse(line) {
            Message::BestMove { text, ponder } => {
                Some((text.to_owned(), ponder.map(str::to_owned)))
            }
            _ => {
                lines.push(line.to_owned());
                None
            }
        };
        let mut waits = Starvation::begin(self.process.id());
        let found = self.wait_for("bestmove", limit, found).await;
        let waited = waits.as_mut().map(|waits| waits.since(Duration::ZERO));
        self.bench.add_wait(waited.unwrap_or_default());
        let (text, ponder) = found?;
        let took = begun.elapsed();
        Ok(SearchAnswer {
            text,
            ponder,
            lines,
            took,
        })
    }

    /// Fails if the search ends within this time, with these words.
    pub(crate) async fn thinks_on(&mut self, time: Duration, words: &str) -> Result<(), Trouble> {
        let ended = |line: &String| matches!(Message::parse(line), Message::BestMove { .. });
        match self.listen(time).await?.into_iter().find(ended) {
            None => Ok(()),
            Some(line) => wrong(format!("{line:?} {words}")),
        }
    }
}
