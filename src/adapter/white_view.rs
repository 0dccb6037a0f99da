//! A UCI engine that gives its scores as White sees them: for Black they are turned round.

use super::{Between, PassedLine};

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

    fn take(&mut self) -> Vec<PassedLine> {
        std::mem::take(&mut self.out)
    }

    fn ends(&mut self) {
        self.out.push(PassedLine::ToEngine("quit".to_owned()));
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
