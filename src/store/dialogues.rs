//! The evidence of faults: the table `dialogues`.

use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

use crate::chess::Color;
use crate::clock::Stamp;
use crate::event::GameId;
use crate::referee::{Dialogue, EngineExit, Exit, Spoken};

use super::{key, words};

/// Stamp, side, whether the engine sent it, the text, and the length of the whole line if the text is only its
/// beginning.
type LineRow<S> = (u64, S, bool, S, Option<usize>);

/// A dialogue as its columns.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct DialogueRow {
    exit: Option<String>,
    stderr: String,
    /// An array of [`LineRow`].
    lines: String,
}

impl DialogueRow {
    pub(super) fn new(dialogue: &Dialogue) -> serde_json::Result<DialogueRow> {
        let lines: Vec<LineRow<&str>> = dialogue.lines.iter().map(row).collect();
        Ok(DialogueRow {
            exit: dialogue.remains.exit.map(exit_text),
            stderr: dialogue.remains.stderr.clone(),
            lines: serde_json::to_string(&lines)?,
        })
    }

    /// The dialogue, or what is wrong with the columns.
    pub(super) fn dialogue(self) -> Result<Dialogue, String> {
        let rows: Vec<LineRow<String>> =
            serde_json::from_str(&self.lines).map_err(|error| error.to_string())?;
        let exit = self.exit.as_deref();
        let exit = exit.map(|text| exit_of(text).ok_or("unknown exit".to_owned()));
        Ok(Dialogue {
            lines: rows.into_iter().map(line).collect::<Result<_, String>>()?,
            remains: EngineExit {
                exit: exit.transpose()?,
                stderr: self.stderr,
            },
        })
    }
}

/// Writes the dialogue of a finished game (`attempt` 0) or of a voided one.
pub(super) fn write(
    connection: &Connection,
    (id, playing): (GameId, u32),
    attempt: i64,
    dialogue: &Dialogue,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO dialogues (pair, game, attempt, exit, stderr, lines)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let columns = DialogueRow::new(dialogue);
    let columns =
        columns.map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
    connection.prepare_cached(sql)?.execute(params![
        key::pair_column(id, playing),
        id.game,
        attempt,
        columns.exit,
        columns.stderr,
        columns.lines,
    ])?;
    Ok(())
}

/// The dialogue of a game, if it was kept; the inner error says what is wrong with it.
pub(super) fn read(
    connection: &Connection,
    (id, playing): (GameId, u32),
    attempt: u64,
) -> rusqlite::Result<Option<Result<Dialogue, String>>> {
    let sql = "SELECT exit, stderr, lines FROM dialogues
               WHERE pair = ?1 AND game = ?2 AND attempt = ?3";
    let key = params![
        key::pair_column(id, playing),
        id.game,
        attempt.cast_signed()
    ];
    let mut statement = connection.prepare_cached(sql)?;
    let row = statement.query_row(key, |row| {
        Ok(DialogueRow {
            exit: row.get(0)?,
            stderr: row.get(1)?,
            lines: row.get(2)?,
        })
    });
    Ok(row.optional()?.map(DialogueRow::dialogue))
}

fn row(line: &Spoken) -> LineRow<&str> {
    let length = line.is_cut().then_some(line.length);
    let side = words::color_word(line.side);
    (line.at.0, side, line.from_engine, &line.text, length)
}

fn line((at, side, from_engine, text, length): LineRow<String>) -> Result<Spoken, String> {
    let side: Color = words::color(&side).ok_or("unknown colour")?;
    Ok(Spoken {
        at: Stamp(at),
        side,
        from_engine,
        length: length.unwrap_or(text.len()),
        text,
    })
}

/// `status 3`, `signal 6`, `ended`.
fn exit_text(exit: Exit) -> String {
    match exit {
        Exit::Status(code) => format!("status {code}"),
        Exit::Signal(signal) => format!("signal {signal}"),
        Exit::Ended => "ended".to_owned(),
    }
}

fn exit_of(text: &str) -> Option<Exit> {
    match text.split_once(' ') {
        Some(("status", code)) => code.parse().ok().map(Exit::Status),
        Some(("signal", signal)) => signal.parse().ok().map(Exit::Signal),
        None if text == "ended" => Some(Exit::Ended),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exits_come_back_from_their_words() {
        for exit in [Exit::Status(3), Exit::Signal(6), Exit::Ended] {
            assert_eq!(exit_of(&exit_text(exit)), Some(exit));
        }
        assert_eq!(exit_of("signal SEGV"), None);
    }
}
