//! What stands between the runner and a UCI engine. With a Polyglot book the engine is not asked while the book has
//! moves.

use crate::chess::random::Random;
use crate::chess::{Game, UciDialect};
use crate::schedule::polyglot::PolyglotBook;

use super::thinking::commanded;
use super::{Between, PassedLine};

/// The `info` line before a move of the book.
pub(crate) const FROM_BOOK: &str = "info string book";

/// The part between runner and engine.
#[derive(Debug)]
pub(super) struct OwnBook {
    out: Vec<PassedLine>,
    book: Option<PolyglotBook>,
    plies: usize,
    random: Random,
    dialect: UciDialect,
    /// The last `position`, which the engine has not received.
    line: String,
    asked: Option<Game>,
}

impl OwnBook {
    /// A translator for an engine with this book, which is asked for the first half-moves of a game.
    pub(super) fn new(book: Option<PolyglotBook>, plies: usize, seed: u64) -> OwnBook {
        OwnBook {
            out: Vec::new(),
            book,
            plies,
            random: Random::new(seed),
            dialect: UciDialect::Standard,
            line: String::new(),
            asked: None,
        }
    }

    /// A move of the book, as UCI writes it.
    fn drawn(&mut self) -> Option<String> {
        let board = self.asked.as_ref()?;
        let is_early = board.moves().len() < self.plies;
        let book = self.book.as_ref().filter(|_| is_early)?;
        let played = book.drawn(board.start(), board.moves(), &mut self.random)?;
        Some(board.position().uci(played, self.dialect).to_string())
    }
}

impl Between for OwnBook {
    fn hear_runner(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "position" => {
                self.asked = commanded(rest, self.dialect);
                line.clone_into(&mut self.line);
            }
            "go" => match self.drawn() {
                Some(text) => self.out.extend([
                    PassedLine::ToRunner(FROM_BOOK.to_owned()),
                    PassedLine::ToRunner(format!("bestmove {text}")),
                ]),
                None => self.out.extend([
                    PassedLine::ToEngine(self.line.clone()),
                    PassedLine::ToEngine(line.to_owned()),
                ]),
            },
            _ => {
                if let Some(value) = rest.strip_prefix("name UCI_Chess960 value ") {
                    self.dialect = match value {
                        "true" => UciDialect::Chess960,
                        _ => UciDialect::Standard,
                    };
                }
                self.out.push(PassedLine::ToEngine(line.to_owned()));
            }
        }
    }

    fn hear_engine(&mut self, line: &str) {
        self.out.push(PassedLine::ToRunner(line.to_owned()));
    }

    fn out(&mut self) -> &mut Vec<PassedLine> {
        &mut self.out
    }
}

// A UCI engine that gives its scores as White sees them: for Black they are turned round.

/// The part between runner and engine.
#[derive(Debug, Default)]
pub(super) struct WhiteView {
    out: Vec<PassedLine>,
    /// It is asked for Black.
    for_black: bool,
}

impl Between for WhiteView {
    fn hear_runner(&mut self, line: &str) {
        if let Some(position) = line.strip_prefix("position ") {
            self.for_black = is_black_to_move(position);
        }
        self.out.push(PassedLine::ToEngine(line.to_owned()));
    }

    fn hear_engine(&mut self, line: &str) {
        let text = if self.for_black {
            turned(line)
        } else {
            line.to_owned()
        };
        self.out.push(PassedLine::ToRunner(text));
    }

    fn out(&mut self) -> &mut Vec<PassedLine> {
        &mut self.out
    }
}

/// Whether the words after `position` end with Black to move.
fn is_black_to_move(position: &str) -> bool {
    let (start, moves) = position.split_once("moves").unwrap_or((position, ""));
    // `fen`, the board, the side to move.
    let begins_black = start.split_ascii_whitespace().nth(2) == Some("b");
    let is_odd = moves.split_ascii_whitespace().count() % 2 == 1;
    begins_black != is_odd
}

/// An `info` with the other side's score; any other line unchanged.
fn turned(line: &str) -> String {
    if !line.starts_with("info ") || line.starts_with("info string") {
        return line.to_owned();
    }
    let mut before = "";
    let words = line.split_ascii_whitespace().map(|word| {
        let kind = std::mem::replace(&mut before, word);
        match (kind, word) {
            ("cp" | "mate", number) => match number.parse::<i64>() {
                Ok(number) => (-number).to_string(),
                Err(_) => number.to_owned(),
            },
            (_, "lowerbound") => "upperbound".to_owned(),
            (_, "upperbound") => "lowerbound".to_owned(),
            _ => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1. e4, with its key in the format's own example of the start position.
    fn book() -> PolyglotBook {
        let key = 0x463b_9618_1691_fc9c_u64.to_be_bytes();
        let mv = [0b0000_0011, 0b0001_1100];
        let entry = [&key[..], &mv, &[0, 1], &[0; 4]].concat();
        PolyglotBook::read(&entry).unwrap()
    }

    fn said(line: &str, plies: usize) -> Vec<PassedLine> {
        let mut own = OwnBook::new(Some(book()), plies, 1);
        own.hear_runner(line);
        own.hear_runner("go movetime 9");
        own.take()
    }

    #[test]
    fn the_engine_is_asked_where_the_book_ends() {
        let engine = |line: &str| PassedLine::ToEngine(line.to_owned());
        let runner = |line: &str| PassedLine::ToRunner(line.to_owned());
        assert_eq!(
            said("position startpos", 2),
            [runner(FROM_BOOK), runner("bestmove e2e4")]
        );
        for (line, plies) in [
            ("position startpos", 0),
            ("position startpos moves e2e4", 2),
        ] {
            assert_eq!(said(line, plies), [engine(line), engine("go movetime 9")]);
        }
    }

    /// What the runner receives of a line in this position.
    fn heard(position: &str, line: &str) -> String {
        let mut view = WhiteView::default();
        view.hear_runner(&format!("position {position}"));
        view.hear_engine(line);
        match view.take().pop() {
            Some(PassedLine::ToRunner(text)) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn scores_for_black_are_turned_round() {
        let line = "info depth 3 score cp 25 lowerbound nodes 9 pv e2e4";
        let turned = "info depth 3 score cp -25 upperbound nodes 9 pv e2e4";
        let black = "fen 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
        for (position, heard_as) in [
            ("startpos", line),
            ("startpos moves e2e4", turned),
            (black, turned),
            (&format!("{black} moves e8e7"), line),
        ] {
            assert_eq!(heard(position, line), heard_as, "{position}");
        }
        assert_eq!(heard(black, "info score mate -3"), "info score mate 3");
        for other in ["bestmove e8e7", "info string score cp 5", "readyok"] {
            assert_eq!(heard(black, other), other);
        }
    }
}
