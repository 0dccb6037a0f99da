//! The games of a part of a file, as numbers instead of texts, so that adding them to a collection, which one thread
//! does, costs little.

use std::borrow::Cow;
use std::collections::HashMap;

use twox_hash::XxHash3_64;

use super::super::collection::{Collector, game_name, known_event};
use super::super::starts::TextNumbers;
use crate::chess::start::{StartNumber, Variant, number_of};
use crate::chess::{FenDialect, Position};
use crate::hash::{fnv1a, moves_hash};
use crate::pgn::{GameResult, GameStart, PgnError, RawGame, Step, Token, is_book_mark};
use crate::stats::counts::GameScore;
use crate::stats::games::GameFlags;

/// The games of a part of a file, in order.
#[derive(Debug, Default)]
pub(super) struct PartGames {
    pub(super) games: Vec<TaggedGame>,
    /// Every text met in this part.
    pub(super) texts: TextNumbers,
    /// Every start met in this part.
    pub(super) starts: Vec<CountedStart>,
    /// Starts by their tags, so that each is computed once.
    known_starts: HashMap<String, u32>,
    /// Games without a result.
    pub(super) unfinished: u64,
    /// Games that cannot be read, and the first of them.
    pub(super) unreadable: u64,
    pub(super) first_unreadable: Option<PgnError>,
    /// A buffer for a text that is looked up.
    scratch: String,
}

/// A game. Texts and starts are numbers of its part.
#[derive(Debug)]
pub(super) struct TaggedGame {
    /// Its place in the part, from 1.
    pub(super) number: u64,
    pub(super) players: [u32; 2],
    /// For a name against itself: whether its second copy has White, if a tag has it.
    pub(super) second_copy_is_white: Option<bool>,
    pub(super) start: u32,
    pub(super) result: GameScore,
    pub(super) flags: GameFlags,
    /// The tag `Pair`.
    pub(super) pair: Option<u32>,
    /// A hash of the round's main number, if there is one.
    pub(super) round: Option<u64>,
    pub(super) limits: u32,
    /// The game's name, the same in every file.
    pub(super) name: u64,
    /// Several games may have this name: it has no pair and no round, or the games have no moves.
    pub(super) is_vague: bool,
    /// Equal for games that are the same: of start and moves, or, if games are not replayed,
    /// of the text.
    pub(super) record: u64,
    /// What is known of both programs; needed only for copies, which are found by moves.
    pub(super) identities: Option<[u32; 2]>,
    /// Its moves, if games are replayed.
    pub(super) replayed: Option<Replayed>,
}

impl PartGames {
    /// Adds a game, or the error in it.
    pub(super) fn read(&mut self, game: Result<RawGame<'_>, PgnError>, replay: bool) {
        if let Err(error) = game.and_then(|game| self.read_game(&game, replay)) {
            self.unreadable += 1;
            self.first_unreadable.get_or_insert(error);
        }
    }

    fn read_game(&mut self, game: &RawGame<'_>, replay: bool) -> Result<(), PgnError> {
        let Some(result) = game.result().and_then(GameResult::white_score) else {
            self.unfinished += 1;
            return Ok(());
        };
        let replayed = replay.then(|| replayed(game)).transpose()?;
        let start = self.start(game, replayed.as_ref())?;
        let mut text = |tag: &str| self.texts.place(game.tag(tag).as_deref().unwrap_or("?"));
        let (players, limits) = (["White", "Black"].map(&mut text), text("TimeControl"));
        let pair = game.tag("Pair").and_then(|pair| pair.trim().parse().ok());
        let (name, is_full) = game_name_of(game);
        let copy = game.tag("WhiteCopy").filter(|_| players[0] == players[1]);
        let tagged = TaggedGame {
            number: game.number(),
            players,
            second_copy_is_white: copy.map(|copy| copy == "2"),
            start,
            result,
            flags: flags(&game.tag("Termination").unwrap_or_default()),
            pair,
            round: if pair.is_none() { round_of(game) } else { None },
            limits,
            name,
            // Without moves nothing shows that two games of one name are the same.
            is_vague: !is_full || !has_moves(game),
            record: match &replayed {
                Some(replayed) => replayed.record,
                // Compared with others of this run alone, so the fastest will do.
                None => XxHash3_64::oneshot(game.text()),
            },
            identities: replay.then(|| {
                ["White", "Black"].map(|side| self.texts.place(&identity_text(game, side)))
            }),
            replayed,
        };
        self.games.push(tagged);
        Ok(())
    }

    /// The start's number; the tags are looked up, not parsed again.
    fn start(&mut self, game: &RawGame<'_>, replayed: Option<&Replayed>) -> Result<u32, PgnError> {
        start_key(game, replayed, &mut self.scratch);
        if let Some(start) = self.known_starts.get(self.scratch.as_str()) {
            return Ok(*start);
        }
        let start = start_of(game, replayed.map_or(0, |replayed| replayed.book))?;
        let place = self.starts.len() as u32;
        self.starts.push(start);
        self.known_starts.insert(self.scratch.clone(), place);
        Ok(place)
    }
}

/// Reads `Termination` as several programs write it; case does not matter (Lichess writes `Time forfeit`).
fn flags(termination: &str) -> GameFlags {
    match termination.trim().to_ascii_lowercase().as_str() {
        "adjudication" => GameFlags::ADJUDICATED,
        "time forfeit" | "rules infraction" | "abandoned" | "illegal move"
        | "stalled connection" | "disconnect" | "disconnection" | "timeout" | "forfeit" => {
            GameFlags::FORFEIT
        }
        _ => GameFlags::default(),
    }
}

fn has_moves(game: &RawGame<'_>) -> bool {
    let mut tokens = game.tokens();
    tokens.any(|(_, token)| matches!(token, Token::Move(_)))
}

/// What is known of the engine on a side: its name, version and options.
fn identity_text(game: &RawGame<'_>, side: &str) -> String {
    let tag = |name: &str| game.tag(&format!("{side}{name}"));
    let mut text = tag("").unwrap_or_default().into_owned();
    for name in ["Version", "Options"] {
        if let Some(value) = tag(name) {
            text.push('\n');
            text.push_str(&value);
        }
    }
    text
}

/// A hash of the main number of the game's round, `12` of `12.1`; `None` without a round.
fn round_of(game: &RawGame<'_>) -> Option<u64> {
    let round = game.tag("Round")?;
    let main = round.split('.').next().unwrap_or_default().trim();
    let is_known = !matches!(main, "" | "?" | "-");
    is_known.then(|| fnv1a(main.bytes()))
}

/// The name by the tags, and whether it is unique in the event: with pair or round.
fn game_name_of(game: &RawGame<'_>) -> (u64, bool) {
    let tag = |name: &str| game.tag(name).unwrap_or_default();
    let player = |side: &str, copy: &str| match game.tag(copy) {
        Some(copy) => Cow::Owned(format!("{} #{copy}", tag(side))),
        None => tag(side),
    };
    let (white, black) = (player("White", "WhiteCopy"), player("Black", "BlackCopy"));
    let players = [white.as_ref(), black.as_ref()];
    let event = tag("Event");
    let event = known_event(&event);
    let pair = tag("Pair").trim().parse().ok();
    let round = tag("Round");
    match (pair, round.trim()) {
        (Some(pair), _) => (game_name(event, pair, players), true),
        (None, "" | "?" | "-") => {
            let date = fnv1a(tag("Date").bytes());
            (game_name(event, date, players), false)
        }
        (None, round) => (game_name(event, fnv1a(round.bytes()), players), true),
    }
}

/// The start a game is counted for.
#[derive(Debug)]
pub(super) enum CountedStart {
    /// A numbered start.
    Numbered(Variant, StartNumber),
    /// Any other, by its X-FEN.
    Named(String),
}

impl Collector {
    /// The start's key.
    pub(super) fn start_of(&mut self, start: &CountedStart) -> u32 {
        match start {
            CountedStart::Numbered(variant, number) => {
                self.found.starts.numbered(*variant, *number)
            }
            CountedStart::Named(fen) => self.found.starts.named(fen),
        }
    }
}

/// The start as given by the tags and the moves of a book.
pub(super) fn start_key(game: &RawGame<'_>, replayed: Option<&Replayed>, key: &mut String) {
    key.clear();
    for tag in ["Variant", "StartVariant", "FEN"] {
        key.push_str(game.tag(tag).as_deref().unwrap_or_default());
        key.push('\n');
    }
    if game.tag("FEN").is_none() {
        key.push_str(game.tag("StartNumber").as_deref().unwrap_or_default());
    }
    if let Some(replayed) = replayed.filter(|replayed| replayed.book > 0) {
        let book = &replayed.moves[..replayed.book];
        key.extend(book.iter().map(|bits| format!(" {bits:04x}")));
    }
}

/// The start of a game that begins with a number of book moves.
pub(super) fn start_of(game: &RawGame<'_>, book: usize) -> Result<CountedStart, PgnError> {
    let mut replay = game.replay()?;
    let numbered = numbered(replay.start()).filter(|_| book == 0);
    if let Some((variant, number)) = numbered {
        return Ok(CountedStart::Numbered(variant, number));
    }
    while (replay.plies() as usize) < book {
        match replay.next_step() {
            Some(step) => step?,
            None => break,
        };
    }
    Ok(CountedStart::Named(replay.position().fen(FenDialect::XFen)))
}

/// The number of the start, where it is one of Chess960, or of the variant named.
fn numbered(start: &GameStart) -> Option<(Variant, StartNumber)> {
    let position: &Position = &start.position;
    let mut variants = [start.numbering(), Variant::Chess960, Variant::Dfrc].into_iter();
    variants.find_map(|variant| Some((variant, number_of(variant, position)?)))
}

/// A null move among the bits of moves: no move has these.
const NULL_MOVE: u16 = 0;

/// What replaying the moves gives.
#[derive(Debug)]
pub(super) struct Replayed {
    pub(super) moves: Vec<u16>,
    /// Equal for games that are the same from the same start.
    pub(super) record: u64,
    /// The moves of a book, if comments mark them.
    pub(super) book: usize,
}

/// Plays a game through.
pub(super) fn replayed(game: &RawGame<'_>) -> Result<Replayed, PgnError> {
    let mut replay = game.replay()?;
    let fen = replay.start().position.fen(FenDialect::XFen);
    let (mut moves, mut book) = (Vec::new(), 0);
    while let Some(step) = replay.next_step() {
        match step? {
            Step::Move(chess_move) => moves.push(chess_move.bits()),
            Step::NullMove => moves.push(NULL_MOVE),
            Step::Comment(text) if book + 1 == moves.len() && is_book_mark(text) => book += 1,
            Step::Comment(_) | Step::Result(_) => {}
        }
    }
    Ok(Replayed {
        record: moves_hash(&fen, moves.iter().copied()),
        moves,
        book,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminations_in_any_case() {
        for word in ["Time forfeit", "time forfeit", "TIME FORFEIT ", "Abandoned"] {
            assert_eq!(flags(word), GameFlags::FORFEIT, "{word}");
        }
        assert_eq!(flags("Adjudication"), GameFlags::ADJUDICATED);
        assert_eq!(flags("Normal"), GameFlags::default());
    }
}
