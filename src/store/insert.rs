//! Writes one finished or voided game into its rows.

use std::sync::LazyLock;

use rusqlite::{Connection, params};

use super::checksum::{GAMES, PLAY, VOIDED};
use super::counts;
use super::key;
use super::move_row::MAX_VARIATION_BYTES;
use super::payload::{self, TextColumns};
use crate::chess::Move;
use crate::event::{Decisions, PlayedGame};
use crate::hash::moves_hash;
use crate::referee::{Outcome, VoidReason};
use crate::stats::counts::GameScore;

static INSERT_GAME: LazyLock<String> =
    LazyLock::new(|| GAMES.write("INSERT") + " ON CONFLICT (pair, game) DO NOTHING");

static INSERT_PLAY: LazyLock<String> = LazyLock::new(|| PLAY.write("INSERT"));

/// What happened to a game that was submitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inserted {
    Finished,
    Voided,
    /// A game with this key already existed; nothing was written.
    Duplicate,
}

/// Writes a game inside the caller's transaction, as the playing that the arbiter has asked for.
pub(super) fn insert(
    connection: &Connection,
    revision: u32,
    decisions: &Decisions,
    game: &PlayedGame,
) -> rusqlite::Result<Inserted> {
    let columns = TextColumns::encode(&game.record).map_err(payload::unwritable)?;
    if let Outcome::Void(reason) = &game.record.outcome {
        return insert_voided(connection, revision, game, reason, &columns);
    }
    let playing = decisions.playing(game.id);
    insert_finished(connection, revision, playing, game, &columns)
}

/// Whether a variation of it is stored only in part.
pub(super) fn is_cut(game: &PlayedGame) -> bool {
    let mut moves = game.record.moves.iter();
    moves.any(|played| played.thinking.pv.len() > MAX_VARIATION_BYTES)
}

fn insert_finished(
    connection: &Connection,
    revision: u32,
    playing: u32,
    game: &PlayedGame,
    columns: &TextColumns<'_>,
) -> rusqlite::Result<Inserted> {
    let sequence = following(connection, "SELECT max(sequence) FROM games")?;
    let [white, black] = game.seats;
    let moves = game.record.all_moves().map(Move::bits);
    let outcome = &game.record.outcome;
    let fault = game.record.faults.first();
    let rows = connection.prepare_cached(&INSERT_GAME)?.execute(params![
        sequence,
        key::pair_column(game.id, playing),
        game.id.game,
        revision,
        game.cycle,
        game.number.map(|number| number.0),
        white.engine,
        white.copy,
        black.engine,
        black.copy,
        outcome.white_score().map(GameScore::half_points),
        game.record.plies().cast_signed(),
        outcome.reason(),
        outcome.termination().to_string(),
        fault.map(|fault| fault.side.to_string()),
        fault.map(|fault| fault.kind.reason()),
        game.started.0,
        game.ended.0,
        moves_hash(&columns.fen, moves).cast_signed(),
    ])?;
    if rows == 0 {
        return Ok(Inserted::Duplicate);
    }
    connection.prepare_cached(&INSERT_PLAY)?.execute(params![
        sequence,
        columns.fen,
        columns.castling,
        columns.opening,
        columns.moves,
        columns.faults,
        columns.breaches,
    ])?;
    counts::add_idle_times(connection, revision, game)?;
    if let Some(dialogue) = &game.record.dialogue {
        payload::write_dialogue(connection, (game.id, playing), 0, dialogue)?;
    }
    Ok(Inserted::Finished)
}

fn insert_voided(
    connection: &Connection,
    revision: u32,
    game: &PlayedGame,
    reason: &VoidReason,
    columns: &TextColumns<'_>,
) -> rusqlite::Result<Inserted> {
    let attempt = following(connection, "SELECT max(attempt) FROM voided")?;
    let [white, black] = game.seats;
    let mut statement = connection.prepare_cached(&VOIDED.write("INSERT"))?;
    statement.execute(params![
        attempt,
        game.id.pair.0.cast_signed(),
        game.id.game,
        revision,
        game.cycle,
        game.number.map(|number| number.0),
        white.engine,
        white.copy,
        black.engine,
        black.copy,
        game.record.outcome.reason(),
        reason.detail(),
        game.started.0,
        game.ended.0,
        columns.fen,
        columns.castling,
        columns.opening,
        columns.moves,
        columns.faults,
        columns.breaches,
    ])?;
    if let Some(dialogue) = &game.record.dialogue {
        payload::write_dialogue(connection, (game.id, 0), attempt, dialogue)?;
    }
    Ok(Inserted::Voided)
}

/// The largest number that this query finds, plus one.
fn following(connection: &Connection, largest: &str) -> rusqlite::Result<i64> {
    let mut statement = connection.prepare_cached(largest)?;
    let largest: Option<i64> = statement.query_row([], |row| row.get(0))?;
    Ok(largest.unwrap_or(0) + 1)
}
