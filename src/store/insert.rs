//! Writes one finished or voided game into its rows.

use rusqlite::{Connection, params};

use crate::chess::{Color, Move};
use crate::event::{Decisions, PlayedGame};
use crate::hash::moves_hash;
use crate::referee::{Outcome, VoidReason};
use crate::stats::counts::GameScore;

use super::payload::Payload;
use super::variation::LONGEST;
use super::words::color_word;
use super::{dialogues, idle_cpu, key};

/// What happened to a game that was submitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inserted {
    Finished,
    Voided,
    /// A game with this key already existed; nothing was written.
    Duplicate,
}

/// Writes games, and reuses its buffers.
#[derive(Debug, Default)]
pub(crate) struct Inserter {
    payload: Payload,
    /// The warning about a shortened variation was printed.
    told: bool,
}

impl Inserter {
    /// Writes a game inside the caller's transaction, as the playing that the arbiter has asked for.
    pub(crate) fn insert(
        &mut self,
        connection: &Connection,
        revision: u32,
        decisions: &Decisions,
        game: &PlayedGame,
    ) -> rusqlite::Result<Inserted> {
        let encoded = self.payload.encode(&game.record);
        encoded.map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
        self.tell_once(game);
        match &game.record.outcome {
            Outcome::Void(reason) => self.insert_voided(connection, revision, game, reason),
            _ => self.insert_finished(connection, revision, decisions.playing(game.id), game),
        }
    }

    /// Warns once per run: an engine that does this does it all the time.
    fn tell_once(&mut self, game: &PlayedGame) {
        let mut moves = game.record.moves.iter();
        if !self.told && moves.any(|played| played.thinking.pv.len() > LONGEST) {
            self.told = true;
            let id = game.id;
            tracing::warn!(%id, "a variation has more than {LONGEST} bytes: its beginning is stored");
        }
    }

    fn insert_finished(
        &self,
        connection: &Connection,
        revision: u32,
        playing: u32,
        game: &PlayedGame,
    ) -> rusqlite::Result<Inserted> {
        let sequence = following(connection, "SELECT max(sequence) FROM games")?;
        let pair = key::pair_column(game.id, playing);
        if !self.insert_result(connection, [sequence, pair], revision, game)? {
            return Ok(Inserted::Duplicate);
        }
        let sql = "INSERT INTO play (sequence, fen, castling, opening, moves, faults, breaches)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let payload = &self.payload;
        connection.prepare_cached(sql)?.execute(params![
            sequence,
            payload.fen,
            payload.castling,
            utf8(&payload.opening)?,
            utf8(&payload.moves)?,
            payload.faults,
            payload.breaches,
        ])?;
        idle_cpu::add(connection, revision, game)?;
        if let Some(dialogue) = &game.record.dialogue {
            dialogues::write(connection, (game.id, playing), 0, dialogue)?;
        }
        Ok(Inserted::Finished)
    }

    /// Writes the narrow row; `false` if the key already existed.
    fn insert_result(
        &self,
        connection: &Connection,
        [sequence, pair]: [i64; 2],
        revision: u32,
        game: &PlayedGame,
    ) -> rusqlite::Result<bool> {
        let sql = "INSERT INTO games (sequence, pair, game, revision, cycle, number,
                       white_engine, white_copy, black_engine, black_copy,
                       white_half_points, plies, reason, termination, fault_side, fault_kind,
                       started_ms, ended_ms, moves_hash, play_checksum, checksum)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15,
                       ?16, ?17, ?18, ?19, ?20,
                       arbiter960_checksum('games', ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
                           ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20))
                   ON CONFLICT (pair, game) DO NOTHING";
        let [white, black] = game.seats;
        let moves = game.record.all_moves().map(Move::bits);
        let outcome = &game.record.outcome;
        let fault = game.record.faults.first();
        let rows = connection.prepare_cached(sql)?.execute(params![
            sequence,
            pair,
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
            termination(outcome),
            fault.map(|fault| color_word(fault.side)),
            fault.map(|fault| fault.kind.reason()),
            game.started.0,
            game.ended.0,
            moves_hash(&self.payload.fen, moves).cast_signed(),
            self.payload.checksum(sequence),
        ])?;
        Ok(rows == 1)
    }

    fn insert_voided(
        &self,
        connection: &Connection,
        revision: u32,
        game: &PlayedGame,
        reason: &VoidReason,
    ) -> rusqlite::Result<Inserted> {
        let sql = "INSERT INTO voided (attempt, pair, game, revision, cycle, number,
                       white_engine, white_copy, black_engine, black_copy,
                       reason, detail, started_ms, ended_ms,
                       fen, castling, opening, moves, faults, breaches, checksum)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15,
                       ?16, ?17, ?18, ?19, ?20,
                       arbiter960_checksum('voided', ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
                           ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20))";
        let attempt = following(connection, "SELECT max(attempt) FROM voided")?;
        let [white, black] = game.seats;
        let payload = &self.payload;
        connection.prepare_cached(sql)?.execute(params![
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
            detail(reason),
            game.started.0,
            game.ended.0,
            payload.fen,
            payload.castling,
            utf8(&payload.opening)?,
            utf8(&payload.moves)?,
            payload.faults,
            payload.breaches,
        ])?;
        if let Some(dialogue) = &game.record.dialogue {
            dialogues::write(connection, (game.id, 0), attempt, dialogue)?;
        }
        Ok(Inserted::Voided)
    }
}

/// The largest number that this query finds, plus one.
fn following(connection: &Connection, largest: &str) -> rusqlite::Result<i64> {
    let mut statement = connection.prepare_cached(largest)?;
    let largest: Option<i64> = statement.query_row([], |row| row.get(0))?;
    Ok(largest.unwrap_or(0) + 1)
}

fn utf8(json: &[u8]) -> rusqlite::Result<&str> {
    let text = std::str::from_utf8(json);
    text.map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

fn detail(reason: &VoidReason) -> Option<&str> {
    match reason {
        VoidReason::Interrupted | VoidReason::FaultReplayed => None,
        VoidReason::HostFault(what) => Some(what),
    }
}

fn termination(outcome: &Outcome) -> String {
    outcome.termination().to_string()
}

/// The names of the columns are in the order of [`Color::index`]: White, Black.
const _: () = assert!(Color::White as usize == 0);
