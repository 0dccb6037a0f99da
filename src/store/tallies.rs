//! The data of a game for statistics, and nothing more: reading a large event takes the time that SQLite needs for the
//! columns, so there are few of them.

use rusqlite::Row;

use crate::chess::StartNumber;
use crate::event::{GameId, GameRuling, PairId, Seat};
use crate::referee::Outcome;
use crate::stats::counts::GameScore;

use super::error::{InFile, StoreError};
use super::reader::Reader;
use super::{checksum, key, words};

/// One finished game for the statistics.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    /// The order of finishing, from 1.
    pub sequence: u64,
    /// The pair.
    pub pair: PairId,
    /// The start number, if the start has one.
    pub number: Option<StartNumber>,
    /// White and Black.
    pub seats: [Seat; 2],
    /// How it ended.
    pub outcome: Outcome,
    /// Whether the first fault was a fallen flag, for which the host may be to blame.
    pub flag_fall: bool,
    /// Equal for games with the same start and the same moves.
    pub moves_hash: u64,
}

/// Packs five small numbers into one column, because every column costs the same.
const SELECT: &str = "SELECT sequence, pair, number,
        ((fault_kind IS 'flag-fall') << 56)
            | (white_engine << 40) | (white_copy << 32) | (black_engine << 8) | black_copy,
        white_half_points, reason, moves_hash, {intact}, game
    FROM games WHERE sequence > ?1 AND sequence <= ?2 ORDER BY sequence LIMIT ?3";

/// Number of games that are read at once, so that no read transaction stays open.
const A_PAGE: u32 = 8192;

/// Calls `take` for every game after one place in the order of finishing, up to another, that is evidence of strength:
/// games that the arbiter had played again or awarded to one side are left out.
pub(super) fn for_each(
    reader: &Reader,
    [mut after, until]: [u64; 2],
    mut take: impl FnMut(Tally),
) -> Result<(), StoreError> {
    let mut statement = reader.prepare(&SELECT.replace("{intact}", reader.intact_games()))?;
    let mut endings = Endings::default();
    let decided = !reader.decisions().is_empty();
    let last = reader.last_place()?.min(until);
    loop {
        let bound = rusqlite::params![after.cast_signed(), until.cast_signed(), A_PAGE];
        let mut rows = statement.query(bound).at(reader.file())?;
        let before = after;
        while let Some(row) = rows.next().at(reader.file())? {
            let mut tally = tally(row, &mut endings).at(reader.file())?;
            reader.follows(after, tally.sequence)?;
            after = tally.sequence;
            if !decided || is_evidence(reader, row, &mut tally).at(reader.file())? {
                take(tally);
            }
        }
        if after == before {
            return reader.reaches(after, last);
        }
    }
}

/// Whether a game is evidence of strength under the arbiter's decisions; sets its outcome under them.
fn is_evidence(reader: &Reader, row: &Row<'_>, tally: &mut Tally) -> rusqlite::Result<bool> {
    let (pair, playing) = key::of_pair_column(row.get(1)?);
    let game = row.get(8)?;
    match reader.decisions().ruling(GameId { pair, game }, playing) {
        GameRuling::AsPlayed => Ok(true),
        GameRuling::Superseded { .. } => Ok(false),
        GameRuling::Ruled { outcome, .. } => {
            tally.outcome = outcome;
            tally.flag_fall = false;
            Ok(tally.outcome.is_evidence())
        }
    }
}

fn tally(row: &Row<'_>, endings: &mut Endings) -> rusqlite::Result<Tally> {
    let whole = |column| row.get::<usize, i64>(column).map(i64::cast_unsigned);
    checksum::check(row, 7, || {
        format!("the result of the game in place {}", whole(0).unwrap_or(0))
    })?;
    let seats = whole(3)?;
    let seat = |bits: u64| Seat {
        engine: (bits >> 8) as u16,
        copy: bits as u8,
    };
    let number: Option<u32> = row.get(2)?;
    Ok(Tally {
        sequence: whole(0)?,
        pair: key::of_pair_column(row.get(1)?).0,
        number: number.map(StartNumber),
        seats: [seat(seats >> 32), seat(seats & 0xffff_ffff)],
        flag_fall: seats >> 56 & 1 == 1,
        outcome: endings.of(row)?,
        moves_hash: whole(6)?,
    })
}

/// The outcomes met so far, by their words: there are few.
#[derive(Default)]
struct Endings(Vec<(GameScore, String, Outcome)>);

impl Endings {
    fn of(&mut self, row: &Row<'_>) -> rusqlite::Result<Outcome> {
        let (white, reason) = (words::score(row, 4)?, row.get_ref(5)?.as_str()?);
        let is_it =
            |(score, word, _): &&(GameScore, String, Outcome)| *score == white && word == reason;
        if let Some((_, _, outcome)) = self.0.iter().find(is_it) {
            return Ok(outcome.clone());
        }
        let outcome = words::outcome(white, reason);
        let outcome = outcome.ok_or_else(|| words::unknown(5, "reason"))?;
        self.0.push((white, reason.to_owned(), outcome.clone()));
        Ok(outcome)
    }
}
