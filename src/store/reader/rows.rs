//! Converts rows into games and results.

use std::borrow::Cow;
use std::collections::VecDeque;

use rusqlite::types::ValueRef;
use rusqlite::{Row, params};

use super::Reader;
use crate::chess::{Color, FenDialect, Move, StartNumber};
use crate::event::{GameId, PlayedGame, Seat, UnixMillis, start_key};
use crate::hash::moves_hash;
use crate::referee::{FaultKind, Outcome};
use crate::stats::counts::GameScore;
use crate::store::checksum::{self, GAMES, PLAY, VOIDED};
use crate::store::error::{self, Result};
use crate::store::key::{self, unsigned};
use crate::store::payload::TextColumns;

/// The result of a finished game, without its moves.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultRow {
    /// The order of finishing, from 1.
    pub sequence: u64,
    /// The key.
    pub id: GameId,
    /// Which playing of the game; 0 unless the arbiter had it played again.
    pub playing: u32,
    /// The cycle of the plan, from 0.
    pub cycle: u32,
    /// The start number, if the start has one.
    pub number: Option<StartNumber>,
    /// As [`PlayedGame::start_key`].
    pub start: u64,
    /// White and Black, by [`Color::index`].
    pub seats: [Seat; 2],
    /// How it ended.
    pub outcome: Outcome,
    /// Half-moves on the board, the book's included.
    pub plies: u32,
    /// The first fault seen in the game: whose, and its kind.
    pub fault: Option<(Color, FaultKind)>,
    /// Equal for games with the same start and the same moves.
    pub moves_hash: u64,
}

/// A finished or voided game from the store.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredGame {
    /// The order of finishing, or of voiding, from 1.
    pub sequence: u64,
    /// The revision of the identity under which it was played.
    pub revision: u32,
    /// Which playing of the game; 0 unless the arbiter had it played again.
    pub playing: u32,
    pub game: PlayedGame,
}

impl StoredGame {
    /// Its result as [`Reader::results`] has it.
    pub(crate) fn result(&self) -> ResultRow {
        let (game, record) = (&self.game, &self.game.record);
        let fen = record.start.fen(FenDialect::XFen);
        ResultRow {
            sequence: self.sequence,
            id: game.id,
            playing: self.playing,
            cycle: game.cycle,
            number: game.number,
            start: game.start_key(),
            seats: game.seats,
            outcome: record.outcome.clone(),
            plies: u32::try_from(record.plies()).unwrap_or(u32::MAX),
            fault: record.faults.first().map(|fault| (fault.side, fault.kind)),
            moves_hash: moves_hash(&fen, record.all_moves().map(Move::bits)),
        }
    }
}

/// Number of games that are read at once, with and without their moves.
const GAMES_A_PAGE: u32 = 64;
const RESULTS_A_PAGE: u32 = 8192;

/// Columns of finished and of voided games.
const GAME_COLUMNS: &str =
    "pair, game, cycle, number, white_engine, white_copy, black_engine, black_copy,
        fen, castling, opening, moves, faults, breaches, revision, started_ms, ended_ms";

/// Packs small numbers into two columns, because every column costs the same.
const SELECT_RESULTS: &str = "SELECT sequence, pair, number,
        (game << 56) | (white_engine << 40) | (white_copy << 32) | (black_engine << 8) | black_copy,
        (cycle << 32) | plies,
        white_half_points, reason, moves_hash, fault_side, fault_kind,
        CASE WHEN number IS NULL THEN
            (SELECT fen || ' ' || opening FROM play WHERE play.sequence = games.sequence) END, {intact}
    FROM games";

/// A page of results after one place in the order of finishing, up to another.
pub(super) fn read_results(reader: &Reader, between: [u64; 2]) -> Result<VecDeque<ResultRow>> {
    let sql = SELECT_RESULTS.replace("{intact}", &GAMES.intact());
    let mut endings = Endings::default();
    read_page(reader, &sql, between, RESULTS_A_PAGE, |row| {
        result(row, &mut endings)
    })
}

/// Rows after one place in the order of finishing, up to another, at most so many.
fn read_page<T>(
    reader: &Reader,
    sql: &str,
    [after, until]: [u64; 2],
    most: u32,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<VecDeque<T>> {
    let sql = format!(
        "{sql} WHERE games.sequence > ?1 AND games.sequence <= ?2 ORDER BY games.sequence LIMIT ?3"
    );
    let bound = params![after.cast_signed(), until.cast_signed(), most];
    reader.rows(&sql, bound, read)
}

fn result(row: &Row<'_>, endings: &mut Endings) -> rusqlite::Result<ResultRow> {
    let whole = |column| unsigned(row, column);
    let (seats, lengths) = (whole(3)?, whole(4)?);
    let (pair, playing) = key::of_pair_column(row.get(1)?);
    let game = (seats >> 56) as u8;
    let id = GameId { pair, game };
    checksum::check(row, 11, || format!("the result of game {id}"))?;
    let number: Option<u32> = row.get(2)?;
    let number = number.map(StartNumber);
    let seat = |bits: u64| Seat {
        engine: (bits >> 8) as u16,
        copy: bits as u8,
    };
    let start = row.get_ref(10)?.as_str_or_null()?;
    Ok(ResultRow {
        sequence: whole(0)?,
        id,
        playing,
        cycle: (lengths >> 32) as u32,
        number,
        start: start_key(number, || start.unwrap_or_default().to_owned()),
        seats: [seat(seats >> 32), seat(seats)],
        outcome: endings.outcome(row)?,
        plies: lengths as u32,
        fault: key::fault(row, 8)?,
        moves_hash: whole(7)?,
    })
}

/// The outcomes met so far, by their words: there are few.
#[derive(Default)]
struct Endings(Vec<(GameScore, String, Outcome)>);

impl Endings {
    fn outcome(&mut self, row: &Row<'_>) -> rusqlite::Result<Outcome> {
        let (white, reason) = (key::score(row, 5)?, row.get_ref(6)?.as_str()?);
        let mut known = self.0.iter();
        let known = known.find(|(score, word, _)| *score == white && word == reason);
        if let Some((.., outcome)) = known {
            return Ok(outcome.clone());
        }
        let outcome = key::outcome(white, reason);
        let outcome = outcome.ok_or_else(|| key::unknown(6, "reason"))?;
        self.0.push((white, reason.to_owned(), outcome.clone()));
        Ok(outcome)
    }
}

/// Games with their moves, and more columns of them.
fn select_games(more: &str) -> String {
    let (games, play) = (GAMES.intact(), PLAY.intact());
    format!(
        "SELECT games.sequence, {GAME_COLUMNS}, white_half_points, reason, {games} AND {play} {more}
         FROM games LEFT JOIN play USING (sequence)"
    )
}

/// A page of finished games after one place in the order of finishing, up to another.
pub(super) fn read_games(reader: &Reader, between: [u64; 2]) -> Result<VecDeque<StoredGame>> {
    read_page(
        reader,
        &select_games(""),
        between,
        GAMES_A_PAGE,
        stored_game,
    )
}

/// A finished game to be checked, also if it cannot be read.
pub(in crate::store) struct InspectedRow {
    pub(in crate::store) sequence: u64,
    /// The key in the row; with a wrong checksum it may be the key of another game.
    pub(in crate::store) id: GameId,
    pub(in crate::store) plies: u32,
    pub(in crate::store) termination: String,
    pub(in crate::store) moves_hash: u64,
    /// The game, or what is wrong with it.
    pub(in crate::store) game: std::result::Result<PlayedGame, String>,
}

/// The finished games after one place in the order of finishing, up to another.
pub(in crate::store) fn read_for_inspection(
    reader: &Reader,
    between: [u64; 2],
) -> Result<VecDeque<InspectedRow>> {
    let sql = select_games(", plies, termination, moves_hash");
    read_page(reader, &sql, between, u32::MAX, inspected)
}

fn inspected(row: &Row<'_>) -> rusqlite::Result<InspectedRow> {
    let id = key::game_id(row, 1)?;
    let game = stored_game(row).map(|stored| stored.game);
    let game = game.map_err(|error| {
        let words = error::words(&error);
        // Whoever tells it names the game.
        let named = words.strip_prefix(&format!("game {id}: "));
        named.map_or_else(|| words.clone(), str::to_owned)
    });
    Ok(InspectedRow {
        sequence: unsigned(row, 0)?,
        id,
        plies: row.get(21)?,
        termination: row.get(22)?,
        moves_hash: unsigned(row, 23)?,
        game,
    })
}

/// One finished game by its key: this playing of it, with its outcome on the board.
pub(super) fn read_game(reader: &Reader, id: GameId, playing: u32) -> Result<Option<StoredGame>> {
    let sql = select_games("") + " WHERE pair = ?1 AND game = ?2";
    let bound = params![key::pair_column(id, playing), id.game];
    let mut found: VecDeque<StoredGame> = reader.rows(&sql, bound, stored_game)?;
    Ok(found.pop_front())
}

impl Reader {
    /// The log of voided games, in order.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn voided(&self) -> Result<Vec<StoredGame>> {
        let intact = VOIDED.intact();
        let sql = format!(
            "SELECT attempt, {GAME_COLUMNS}, reason, detail, {intact} FROM voided ORDER BY attempt"
        );
        self.rows(&sql, [], voided_game)
    }
}

fn stored_game(row: &Row<'_>) -> rusqlite::Result<StoredGame> {
    let id = key::game_id(row, 1)?;
    if row.get_ref(9)? == ValueRef::Null {
        let words = format!("game {id}: its moves are missing");
        return Err(checksum::unfit(words));
    }
    checksum::check(row, 20, || format!("game {id}"))?;
    let outcome = key::outcome(key::score(row, 18)?, row.get_ref(19)?.as_str()?);
    game_with(row, id, outcome)
}

fn voided_game(row: &Row<'_>) -> rusqlite::Result<StoredGame> {
    let id = key::game_id(row, 1)?;
    checksum::check(row, 20, || format!("voided game {id}"))?;
    let reason = key::void_reason(row.get_ref(18)?.as_str()?, row.get(19)?);
    game_with(row, id, reason.map(Outcome::Void))
}

/// A game or voided game of which columns 0 to 17 are read here; without an outcome its word is unknown.
fn game_with(row: &Row<'_>, id: GameId, outcome: Option<Outcome>) -> rusqlite::Result<StoredGame> {
    let columns = TextColumns {
        fen: row.get_ref(9)?.as_str()?.into(),
        castling: row.get_ref(10)?.as_str()?.into(),
        opening: row.get_ref(11)?.as_str()?.into(),
        moves: row.get_ref(12)?.as_str()?.into(),
        faults: row.get_ref(13)?.as_str_or_null()?.map(Cow::from),
        breaches: row.get_ref(14)?.as_str_or_null()?.map(Cow::from),
    };
    let outcome = outcome.ok_or_else(|| "unknown reason".to_owned());
    let record = outcome.and_then(|outcome| columns.decode(outcome));
    Ok(StoredGame {
        sequence: unsigned(row, 0)?,
        revision: row.get(15)?,
        playing: key::of_pair_column(row.get(1)?).1,
        game: PlayedGame {
            id,
            cycle: row.get(3)?,
            number: row.get::<_, Option<u32>>(4)?.map(StartNumber),
            seats: key::seats(row, 5)?,
            started: UnixMillis(row.get(16)?),
            ended: UnixMillis(row.get(17)?),
            record: record.map_err(|what| checksum::unfit(format!("game {id}: {what}")))?,
        },
    })
}
