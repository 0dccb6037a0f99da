//! A game's moves, played with full legality.

use super::start::GameStart;
use super::{PgnError, PgnErrorKind, RawGame, Token, Tokens, tag};
use crate::chess::{Game, Move, Position, SanError, UciDialect};
use crate::pgn::GameResult;

/// Plays the moves of a game one by one; variations are passed over.
///
/// Ends after the first error: the rest of the game then means nothing.
#[derive(Debug, Clone)]
pub struct Replay<'a> {
    raw: RawGame<'a>,
    tokens: Tokens<'a>,
    game: Game,
    start: GameStart,
    result: Option<GameResult>,
    failed: bool,
}

/// What comes next in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// A move, which has been played.
    Move(Move),
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
            start,
            result: None,
            failed: false,
        }
    }

    /// The game as far as it has been played.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// What the tags say about the start.
    pub fn start(&self) -> &GameStart {
        &self.start
    }

    /// The result token, once it has been passed.
    pub fn result(&self) -> Option<GameResult> {
        self.result
    }

    /// Half-moves played so far.
    pub fn plies(&self) -> u32 {
        self.game.moves().len() as u32
    }

    /// Plays on to the next move or comment, or to the result.
    ///
    /// # Errors
    /// An illegal or unreadable move, or brackets that do not match, with line, game and ply;
    /// then there is no next step.
    pub fn next_step(&mut self) -> Option<Result<Step<'a>, PgnError>> {
        while !self.failed {
            let (place, token) = self.tokens.next()?;
            match self.take(token) {
                Ok(Some(step)) => return Some(Ok(step)),
                Ok(None) => {}
                Err(kind) => return Some(Err(self.fail(place, kind))),
            }
        }
        None
    }

    /// Plays all moves that are left.
    ///
    /// # Errors
    /// As [`Replay::next_step`].
    pub fn finish(&mut self) -> Result<(), PgnError> {
        while let Some(step) = self.next_step() {
            step?;
        }
        Ok(())
    }

    fn take(&mut self, token: Token<'a>) -> Result<Option<Step<'a>>, PgnErrorKind> {
        match token {
            Token::Move(word) => Ok(self.play(word)?.map(Step::Move)),
            Token::Comment(text) => Ok(Some(Step::Comment(text))),
            Token::Result(result) if self.result.is_none() => {
                self.result = Some(result);
                Ok(Some(Step::Result(result)))
            }
            Token::Result(second) => Err(PgnErrorKind::AfterResult(second.to_string())),
            Token::MoveNumber | Token::Nag(_) => Ok(None),
            Token::VariationStart => self.skip_variation().map(|()| None),
            Token::VariationEnd => Err(PgnErrorKind::StrayVariationEnd),
            Token::OpenComment => Err(PgnErrorKind::OpenComment),
        }
    }

    fn skip_variation(&mut self) -> Result<(), PgnErrorKind> {
        let mut depth = 1u32;
        while depth > 0 {
            match self.tokens.next() {
                Some((_, Token::VariationStart)) => depth += 1,
                Some((_, Token::VariationEnd)) => depth -= 1,
                Some((_, Token::OpenComment)) => return Err(PgnErrorKind::OpenComment),
                Some(_) => {}
                None => return Err(PgnErrorKind::OpenVariation),
            }
        }
        Ok(())
    }

    fn play(&mut self, word: &[u8]) -> Result<Option<Move>, PgnErrorKind> {
        if self.result.is_some() {
            return Err(PgnErrorKind::AfterResult(tag::decode(word).into_owned()));
        }
        match read_move(self.position(), word) {
            Ok(chess_move) => {
                self.game.play(chess_move);
                Ok(Some(chess_move))
            }
            Err(_) if is_remark(word) => Ok(None),
            Err(reason) => Err(PgnErrorKind::Move {
                text: tag::decode(word).into_owned(),
                reason,
            }),
        }
    }

    fn fail(&mut self, place: usize, kind: PgnErrorKind) -> PgnError {
        self.failed = true;
        // A move's error belongs to the half-move that could not be played.
        let attempted = matches!(
            kind,
            PgnErrorKind::Move { .. } | PgnErrorKind::AfterResult(_)
        );
        let ply = self.plies() + u32::from(attempted);
        PgnError::at(&self.raw, self.raw.movetext + place, ply, kind)
    }
}

/// Reads a move in algebraic notation, or as engines write it.
fn read_move(position: &Position, word: &[u8]) -> Result<Move, SanError> {
    let Ok(text) = std::str::from_utf8(word) else {
        return position.parse_san(&tag::decode(word));
    };
    position
        .parse_san(text)
        .or_else(|error| uci_move(position, text).ok_or(error))
}

/// A move in UCI text: king takes own rook, or else the king's two squares.
fn uci_move(position: &Position, text: &str) -> Option<Move> {
    let dialects = [UciDialect::Chess960, UciDialect::Standard];
    dialects
        .into_iter()
        .find_map(|dialect| position.parse_uci(text, dialect).ok())
}

/// Words that older files put after a capture in passing.
fn is_remark(word: &[u8]) -> bool {
    matches!(word, b"e.p." | b"ep" | b"e.p")
}
