//! The warnings of fastchess about the variations that engines report, with the same checks.

use super::scores::{is_first, last_scored, mate};
use crate::chess::{Ending, FenDialect, Game, Position, UciDialect};
use crate::front::common::reason::color_name;
use crate::referee::EndedSearch;
use crate::uci::{InfoLine, Score};

/// How lines are checked, and how a warning is written.
#[derive(Debug, Clone)]
pub(crate) struct VariationChecks {
    /// How moves are written.
    pub(crate) dialect: UciDialect,
    /// How start positions are written.
    pub(crate) fen: FenDialect,
    /// Whether a variation that announces mate must end with it.
    pub(crate) checks_mates: bool,
    /// The text between the parts of a warning.
    pub(crate) separator: &'static str,
}

impl VariationChecks {
    /// The warnings about a search, as whole lines; `name` is the name of the engine.
    pub(crate) fn warnings(&self, search: &EndedSearch, name: &str) -> String {
        let mut game = Game::of(search.start.clone(), search.moves.iter().copied());
        let mut text = String::new();
        for line in &search.lines {
            if let Some(wrong) = self.wrong_line(&mut game, line) {
                text += &self.block(search, &format!("Warning; {wrong} from {name}"), line);
            }
        }
        if let Some(line) = self.unfollowed(search) {
            let wrong = "Bestmove does not match beginning of last PV";
            let words = format!("Warning; {wrong} - move {} from {name}", search.answer);
            text += &self.block(search, &words, line);
        }
        text
    }

    /// The warning if the last two searches both announce a win, or both a loss, for their own side: the search before,
    /// and this one.
    pub(crate) fn both_mate(
        &self,
        [before, search]: [&EndedSearch; 2],
        [their_name, name]: [&str; 2],
    ) -> Option<String> {
        let follows = before.moves.len() + 1 == search.moves.len();
        let [their_line, line] = [before, search].map(last_scored);
        let [theirs, own] = [their_line?, line?].map(mate);
        let (theirs, own) = (theirs?, own?);
        if !follows || !search.is_legal || theirs.signum() * own.signum() <= 0 {
            return None;
        }
        let words = format!(
            "Warning; Sign mismatch in mate scores {theirs} and {own} from {their_name} ({}) and {name} ({})",
            color_name(before.side),
            color_name(search.side)
        );
        let infos = format!("Infos; info {} ; info {}", their_line?, line?);
        let moves = format!("{} {}", self.moves(search), search.answer);
        Some(self.join([words, infos, self.start(search), moves]))
    }

    /// The fault of a variation, in words.
    fn wrong_line(&self, game: &mut Game, line: &str) -> Option<String> {
        let report = InfoLine::new(line).parse();
        let moves: Vec<&str> = report
            .pv
            .split_ascii_whitespace()
            .take_while(|word| is_uci_move(word))
            .collect();
        if moves.is_empty() {
            return None;
        }
        let before = game.moves().len();
        let wrong = self.wrong_moves(game, &moves).or_else(|| {
            let exact = report.score.filter(|_| report.bound.is_none());
            match exact {
                Some(Score::Mate(mate)) if self.checks_mates => wrong_mate(game, mate, moves.len()),
                _ => None,
            }
        });
        while game.moves().len() > before {
            game.pop();
        }
        wrong
    }

    /// Plays the moves, up to the first that is illegal.
    fn wrong_moves(&self, game: &mut Game, moves: &[&str]) -> Option<String> {
        for text in moves {
            if let Some(end) = end(game) {
                return Some(format!("PV continues after {end} - move {text}"));
            }
            if game.play_uci(text, self.dialect).is_err() {
                return Some(format!("Illegal PV move - move {text}"));
            }
        }
        None
    }

    /// The last variation, if its first move is not the move that was made.
    fn unfollowed<'a>(&self, search: &'a EndedSearch) -> Option<&'a str> {
        let mut lines = search.lines.iter().rev();
        let line = lines.find(|line| is_first(line))?;
        let report = InfoLine::new(line).parse();
        let first = report.pv.split_ascii_whitespace().next();
        let differs = first.is_some_and(|first| is_uci_move(first) && first != search.answer);
        (search.is_legal && report.bound.is_none() && differs).then_some(line.as_str())
    }

    fn block(&self, search: &EndedSearch, words: &str, line: &str) -> String {
        let info = format!("Info; info {line}");
        let parts = [
            words.to_owned(),
            info,
            self.start(search),
            self.moves(search),
        ];
        self.join(parts)
    }

    fn join(&self, parts: [String; 4]) -> String {
        format!("{}\n", parts.join(self.separator))
    }

    fn start(&self, search: &EndedSearch) -> String {
        let is_usual = self.fen == FenDialect::XFen && search.start == Position::standard();
        match is_usual {
            true => "Position; startpos".to_owned(),
            false => format!("Position; fen {}", search.start.fen(self.fen)),
        }
    }

    fn moves(&self, search: &EndedSearch) -> String {
        let moves = search.moves.iter().copied();
        let words = search.start.uci_line(moves, self.dialect);
        format!("Moves; {}", words.join(" "))
    }
}

/// How the game is over by fastchess's rules for a variation: insufficient material never ends it.
fn end(game: &Game) -> Option<&'static str> {
    let mated = matches!(game.automatic_ending(), Some(Ending::Checkmate { .. }));
    match game.automatic_ending() {
        Some(Ending::DeadPosition) => None,
        _ if mated => Some("checkmate"),
        _ if game.position().halfmove_clock() >= 100 => Some("fifty-move rule"),
        _ if game.repetitions() >= 3 => Some("threefold repetition"),
        Some(Ending::Stalemate) => Some("stalemate"),
        _ => None,
    }
}

/// The fault of a variation that was played through on the board and announces mate in `mate` moves.
fn wrong_mate(game: &Game, mate: i32, length: usize) -> Option<String> {
    let plies = match i64::from(mate) {
        mate if mate > 0 => mate * 2 - 1,
        mate => mate * -2,
    };
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let is_mate = matches!(game.automatic_ending(), Some(Ending::Checkmate { .. }));
    let words = match length.cmp(&plies) {
        std::cmp::Ordering::Less => "Incomplete mating PV -",
        std::cmp::Ordering::Greater => "Too long mating PV -",
        std::cmp::Ordering::Equal if !is_mate => "Mating PV does not end with checkmate -",
        std::cmp::Ordering::Equal => return None,
    };
    Some(words.to_owned())
}

/// Whether a text has the form of a move.
pub(crate) fn is_uci_move(text: &str) -> bool {
    let bytes = text.as_bytes();
    let square = |place: usize| {
        matches!(bytes[place], b'a'..=b'h') && matches!(bytes[place + 1], b'1'..=b'8')
    };
    match bytes.len() {
        4 => square(0) && square(2),
        5 => square(0) && square(2) && b"nbrq".contains(&bytes[4]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(moves: &[&str], lines: &[&str], answer: &str) -> EndedSearch {
        let start = Position::standard();
        let mut position = start.clone();
        let mut played = Vec::new();
        for text in moves {
            let chess_move = position.parse_uci(text, UciDialect::Standard).unwrap();
            position.play(chess_move);
            played.push(chess_move);
        }
        let legal = position.parse_uci(answer, UciDialect::Standard).is_ok();
        EndedSearch {
            side: position.side_to_move(),
            start,
            moves: played,
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
            said_more: true,
            answer: answer.to_owned(),
            is_legal: legal,
        }
    }

    fn checker(separator: &'static str) -> VariationChecks {
        VariationChecks {
            dialect: UciDialect::Standard,
            fen: FenDialect::XFen,
            checks_mates: true,
            separator,
        }
    }

    fn first_words(moves: &[&str], line: &str, answer: &str) -> String {
        let text = checker("\n").warnings(&search(moves, &[line], answer), "E");
        text.lines().next().unwrap_or_default().to_owned()
    }

    #[test]
    fn a_warning_has_four_lines_or_one() {
        let ended = search(
            &["e2e4"],
            &[
                "depth 1 score cp 5 pv e7e5 e4e5",
                "depth 2 score cp 5 pv e7e5",
            ],
            "e7e5",
        );
        assert_eq!(
            checker("\n").warnings(&ended, "E"),
            "Warning; Illegal PV move - move e4e5 from E\nInfo; info depth 1 score cp 5 pv e7e5 \
             e4e5\nPosition; startpos\nMoves; e2e4\n"
        );
        let one = checker(" :: ").warnings(&ended, "E");
        assert_eq!((one.lines().count(), one.matches(" :: ").count()), (1, 3));
    }

    #[test]
    fn every_kind_of_wrong_line_has_its_words() {
        let to_mate = ["f2f3", "e7e5", "g2g4"];
        let mates = |line: &str| first_words(&to_mate, line, "d8h4");
        assert_eq!(
            mates("score cp 9 pv d8h4 a2a3"),
            "Warning; PV continues after checkmate - move a2a3 from E"
        );
        assert_eq!(
            mates("score mate 2 pv d8h4"),
            "Warning; Incomplete mating PV - from E"
        );
        assert_eq!(mates("score mate 1 pv d8h4"), "");
        let quiet = |line: &str| first_words(&[], line, "e2e4");
        assert_eq!(
            quiet("score mate 1 pv e2e4 e7e5"),
            "Warning; Too long mating PV - from E"
        );
        assert_eq!(
            quiet("score mate 1 pv e2e4"),
            "Warning; Mating PV does not end with checkmate - from E"
        );
        assert_eq!(
            quiet("score cp 1 pv d2d4"),
            "Warning; Bestmove does not match beginning of last PV - move e2e4 from E"
        );
        assert_eq!(quiet("score cp 1 lowerbound pv d2d4"), "");
        assert_eq!(quiet("multipv 2 score cp 1 pv d2d4"), "");
        let back = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"];
        assert_eq!(
            first_words(&back, "score cp 0 pv f6g8 e2e4", "f6g8"),
            "Warning; PV continues after threefold repetition - move e2e4 from E"
        );
    }

    #[test]
    fn two_engines_that_both_see_a_win_are_named() {
        let before = search(&[], &["score mate 4 pv e2e4"], "e2e4");
        let after = search(&["e2e4"], &["score mate 3 pv e7e5"], "e7e5");
        let said = checker("\n").both_mate([&before, &after], ["A", "B"]);
        let first = said.as_deref().and_then(|text| text.lines().next());
        let words = "Warning; Sign mismatch in mate scores 4 and 3 from A (White) and B (Black)";
        assert_eq!(first, Some(words));
        assert!(said.unwrap().ends_with("\nMoves; e2e4 e7e5\n"));
        let losing = search(&["e2e4"], &["score mate -3 pv e7e5"], "e7e5");
        assert_eq!(
            checker("\n").both_mate([&before, &losing], ["A", "B"]),
            None
        );
    }
}
