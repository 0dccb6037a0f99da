//! A game's moves, played with full legality.

use super::raw::lines_of;
use super::start::GameStart;
use super::{MoveTokens, PgnError, PgnErrorKind, PgnPlace, RawGame, Style, Token, tag};
use crate::chess::{Game, Move, Position, SanError, UciDialect};
use crate::pgn::GameResult;

/// Plays the moves of a game one by one; variations are skipped.
///
/// Ends after the first error, because the rest of the game has no meaning then.
#[derive(Debug, Clone)]
pub struct Replay<'a> {
    raw: RawGame<'a>,
    tokens: MoveTokens<'a>,
    /// Since the start, or since the last null move.
    game: Game,
    /// Half-moves before `game` begins.
    plies_before: u32,
    start: GameStart,
    /// Place of the last token in the movetext that was passed.
    place: usize,
    /// Deviations from PGN: places in the movetext, half-moves, and how they are read.
    styles: Vec<(usize, u32, String)>,
    /// Place of the last null move in the movetext.
    null_move: usize,
    result: Option<GameResult>,
    failed: bool,
}

/// One step of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// A move, which has been played.
    Move(Move),
    /// A null move: the turn has passed to the other side.
    NullMove,
    /// A comment on the last move, or before the first.
    Comment(&'a [u8]),
    /// The result at the end.
    Result(GameResult),
}

impl<'a> Replay<'a> {
    pub(super) fn new(raw: RawGame<'a>, start: GameStart) -> Replay<'a> {
        let game = Game::new(start.position.clone());
        Replay {
            raw,
            tokens: raw.tokens(),
            game,
            plies_before: 0,
            start,
            place: 0,
            styles: Vec::new(),
            null_move: 0,
            result: None,
            failed: false,
        }
    }

    /// The game as played so far; after a null move, from there on.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// The start according to the tags.
    pub fn start(&self) -> &GameStart {
        &self.start
    }

    /// The result token, once it has been passed.
    pub fn result(&self) -> Option<GameResult> {
        self.result
    }

    /// Half-moves played so far, null moves included.
    pub fn plies(&self) -> u32 {
        self.plies_before + self.game.moves().len() as u32
    }

    /// The line of the last step.
    pub fn line(&self) -> u64 {
        self.raw.line_at(self.raw.movetext + self.place)
    }

    /// Deviations from PGN among the moves played so far.
    pub fn styles(&self) -> impl Iterator<Item = Style> {
        let places = self.styles.iter();
        let places = places.map(|(place, ..)| self.raw.movetext + place);
        let styles = self.styles.iter().zip(lines_of(&self.raw, places));
        styles.map(|((_, ply, words), line)| Style {
            place: PgnPlace {
                line,
                game: self.raw.number(),
                ply: *ply,
            },
            words: words.clone(),
        })
    }

    /// Continues to the next move or comment, or to the result.
    ///
    /// # Errors
    /// An illegal or unreadable move, or brackets that do not match, with line, game and ply; no step follows.
    pub fn next_step(&mut self) -> Option<Result<Step<'a>, PgnError>> {
        while !self.failed {
            let (place, token) = self.tokens.next()?;
            self.place = place;
            match self.take(place, token) {
                Ok(Some(step)) => return Some(Ok(step)),
                Ok(None) => {}
                Err(kind) => return Some(Err(self.fail(place, kind))),
            }
        }
        None
    }

    /// Plays all remaining moves.
    ///
    /// # Errors
    /// As [`Replay::next_step`].
    pub fn finish(&mut self) -> Result<(), PgnError> {
        while let Some(step) = self.next_step() {
            step?;
        }
        Ok(())
    }

    fn take(&mut self, place: usize, token: Token<'a>) -> Result<Option<Step<'a>>, PgnErrorKind> {
        match token {
            Token::Move(word) => self.play(place, word),
            Token::Comment(text) => Ok(Some(Step::Comment(text))),
            Token::Result(result) if self.result.is_none() => {
                self.result = Some(result);
                Ok(Some(Step::Result(result)))
            }
            Token::Result(second) => Err(PgnErrorKind::AtMove(after_result(second.as_str()))),
            Token::MoveNumber | Token::Nag | Token::Remark => Ok(None),
            Token::VariationStart => self.skip_variation().map(|()| None),
            Token::VariationEnd => Err(PgnErrorKind::Form("`)` without a variation")),
            Token::OpenComment => Err(OPEN_COMMENT),
        }
    }

    fn skip_variation(&mut self) -> Result<(), PgnErrorKind> {
        let mut depth = 1u32;
        while depth > 0 {
            match self.tokens.next() {
                Some((_, Token::VariationStart)) => depth += 1,
                Some((_, Token::VariationEnd)) => depth -= 1,
                Some((_, Token::OpenComment)) => return Err(OPEN_COMMENT),
                Some(_) => {}
                None => return Err(PgnErrorKind::Form("a variation that is never closed")),
            }
        }
        Ok(())
    }

    fn play(&mut self, place: usize, word: &[u8]) -> Result<Option<Step<'a>>, PgnErrorKind> {
        let text = || tag::decode(word).into_owned();
        if self.result.is_some() {
            return Err(PgnErrorKind::AtMove(after_result(&text())));
        }
        // The forms in which programs write a null move.
        if matches!(word, b"--" | b"Z0" | b"0000" | b"null") {
            self.pass(place, text())?;
            return Ok(Some(Step::NullMove));
        }
        let chess_move = match read_move(self.position(), word) {
            Ok(chess_move) => chess_move,
            Err(_) if REMARKS.iter().any(|remark| remark.as_bytes() == word) => return Ok(None),
            Err(reason) => self.read_loosely(place, text(), reason)?,
        };
        self.game.play(chess_move);
        Ok(Some(Step::Move(chess_move)))
    }

    /// Reads a move that is not in algebraic notation, if only one move can be meant.
    fn read_loosely(
        &mut self,
        place: usize,
        text: String,
        reason: SanError,
    ) -> Result<Move, PgnErrorKind> {
        match self.position().parse_san_loosely(&text) {
            Ok(chess_move) => {
                let meant = self.position().san(chess_move);
                self.note(place, format!("{text} is read as {meant}"));
                Ok(chess_move)
            }
            Err(_) => Err(PgnErrorKind::Move { text, reason }),
        }
    }

    /// Passes the turn. A new game begins from there: no position can be repeated across a null move.
    fn pass(&mut self, place: usize, text: String) -> Result<(), PgnErrorKind> {
        let Some(next) = self.position().play_null() else {
            let words = format!("{text}: a null move in check");
            return Err(PgnErrorKind::AtMove(words));
        };
        self.note(place, format!("{text}: a null move passes the turn"));
        self.null_move = place;
        self.plies_before = self.plies() + 1;
        self.game = Game::new(next);
        Ok(())
    }

    fn note(&mut self, place: usize, words: String) {
        self.styles.push((place, self.plies() + 1, words));
    }

    /// The error for callers that cannot continue after a null move, at the last one that was played.
    pub(in crate::pgn) fn null_move(&self) -> PgnError {
        let words = "a null move: a book is played from, and no engine can pass";
        let place = self.raw.movetext + self.null_move;
        PgnError::at(&self.raw, place, self.plies(), PgnErrorKind::Form(words))
    }

    fn fail(&mut self, place: usize, kind: PgnErrorKind) -> PgnError {
        self.failed = true;
        // A move's error is reported at the half-move that could not be played.
        let attempted = matches!(kind, PgnErrorKind::Move { .. } | PgnErrorKind::AtMove(_));
        let ply = self.plies() + u32::from(attempted);
        PgnError::at(&self.raw, self.raw.movetext + place, ply, kind)
    }
}

const OPEN_COMMENT: PgnErrorKind = PgnErrorKind::Form("a comment that is never closed");

fn after_result(text: &str) -> String {
    format!("{text} after the result")
}

/// Reads a move in algebraic notation, or in the notation of engines.
fn read_move(position: &Position, word: &[u8]) -> Result<Move, SanError> {
    let Ok(text) = std::str::from_utf8(word) else {
        return position.parse_san(&tag::decode(word));
    };
    let san = position.parse_san(text);
    san.or_else(|error| uci_move(position, text).ok_or(error))
}

/// A move in UCI notation: castling as king takes own rook, or as the two squares of the king.
fn uci_move(position: &Position, text: &str) -> Option<Move> {
    let dialects = [UciDialect::Chess960, UciDialect::Standard];
    let mut dialects = dialects.into_iter();
    dialects.find_map(|dialect| position.parse_uci(text, dialect).ok())
}

/// What older files and other programs put behind a move: `e.p.`, the signs of the Informator, `N` for a novelty, `D` for a diagram.
const REMARKS: [&str; 24] = [
    "ep", "ch", "mate", "N", "D", "RR", "=", "+=", "=+", "+/=", "=/+", "+/-", "-/+", "+-", "-+",
    "+−", "−+", "±", "∓", "⩲", "⩱", "∞", "□", "⟳",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::FenDialect;
    use crate::pgn::PgnReader;

    /// Half-moves, styles and the final position, or what is wrong.
    fn replayed(text: &str) -> Result<(u32, Vec<String>, String), String> {
        let mut reader = PgnReader::new(text.as_bytes());
        let game = reader.next_game().expect("a game").expect("a good one");
        let mut replay = game.replay().expect("a start");
        replay.finish().map_err(|error| error.to_string())?;
        let style = |style: Style| format!("{} {}", style.place, style.words);
        let fen = replay.position().fen(FenDialect::XFen);
        Ok((replay.plies(), replay.styles().map(style).collect(), fen))
    }

    #[test]
    fn null_moves_pass_the_turn() {
        let (plies, styles, fen) = replayed("1. e4 --\n2. d4 Z0 3. Nf3 *").expect("readable");
        assert_eq!(plies, 5);
        assert_eq!(
            styles,
            [
                "line 1, game 1, ply 2 --: a null move passes the turn",
                "line 2, game 1, ply 4 Z0: a null move passes the turn"
            ]
        );
        assert_eq!(
            fen,
            "rnbqkbnr/pppppppp/8/8/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 2 3"
        );
        let check = replayed("1. e4 f6 2. Qh5+ -- *").expect_err("in check");
        assert_eq!(check, "line 1, game 1, ply 4: --: a null move in check");
    }

    #[test]
    fn signs_behind_a_move_and_figures_are_read() {
        let text = "1. e4 ± e5 N 2. ♘f3 +/- ♞c6 = 3. ♗b5 ∞ a6 +/= ½-½";
        let (plies, _, _) = replayed(text).expect("readable");
        assert_eq!(plies, 6);
        assert!(replayed("1. e4 e5 2. ♘f4 *").is_err());
        assert!(replayed("1. e4 maybe *").is_err());
    }

    #[test]
    fn sloppy_moves_are_read_where_one_can_be_meant() {
        let text = "1. Pe4 d7-d5 2. e4:d5 e5 3. Pd5xe6e.p. nf6 4. e6:f7+ Kxf7 5. nf3 Be7 \
            6. Be2 Re8 7. o-o *";
        let (plies, styles, _) = replayed(text).expect("readable");
        let read: Vec<&str> = styles
            .iter()
            .filter_map(|style| style.rsplit(' ').next())
            .collect();
        assert_eq!(plies, 13);
        assert_eq!(read, ["e4", "exd5", "dxe6", "Nf6", "exf7+", "Nf3", "O-O"]);
        assert!(replayed("1. Pe5 *").is_err());
        assert!(replayed("1. nd4 *").is_err());
    }
}
