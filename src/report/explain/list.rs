//! The games that can be explained: those with a fault, and those that were lost.

use serde::Serialize;

use crate::chess::Color;
use crate::event::GameName;
use crate::referee::Outcome;
use crate::report::statistics::numbers::rendered;
use crate::report::tables::new_table;
use crate::store::{StoreError, StoredGame};
use crate::text::{count, printable};

use super::files::EventFiles;

/// How many lines of each kind are shown to people.
const SHOWN: usize = 50;

/// A game with a fault, or one that was lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct NotableGame {
    /// The game, as the PGN `Round`.
    pub game: GameName,
    /// White's and Black's names.
    pub players: [String; 2],
    /// The PGN result; `*` for a game that was voided and played again.
    pub result: &'static str,
    /// The stable word for how it ended.
    pub reason: &'static str,
    /// The name of the engine that lost, or had the fault; `None` if none had.
    pub loser: Option<String>,
    /// Whether there was a fault in it.
    pub fault: bool,
    /// Why it does not count, in words; only of voided games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Half-moves on the board; `None` if it was voided.
    pub plies: Option<u32>,
}

/// All findings: voided games first, then in the order of finishing.
///
/// # Errors
/// The store cannot be read.
pub(crate) fn findings(files: &EventFiles) -> Result<Vec<NotableGame>, StoreError> {
    let roster = &files.roster;
    let mut found = Vec::new();
    for replayed in files.reader().replayed_games()? {
        let side = replayed.fault.map_or(Color::White, |(side, _)| side);
        found.push(NotableGame {
            game: roster.games.name(replayed.id),
            players: replayed.seats.map(|seat| roster.name(seat)),
            result: "*",
            reason: replayed.fault.map_or("fault", |(_, kind)| kind.reason()),
            loser: Some(roster.name(replayed.seats[side.index()])),
            fault: true,
            detail: None,
            plies: None,
        });
    }
    for result in files.reader().results() {
        let result = result?;
        let lost = match result.outcome {
            Outcome::Won { by, .. } => Some(!by),
            _ => result.fault.map(|(side, _)| side),
        };
        if let Some(loser) = lost {
            found.push(NotableGame {
                game: roster.games.name(result.id),
                players: result.seats.map(|seat| roster.name(seat)),
                result: result.outcome.result(),
                reason: result.outcome.reason(),
                loser: Some(roster.name(result.seats[loser.index()])),
                fault: result.fault.is_some(),
                detail: None,
                plies: Some(result.plies),
            });
        }
    }
    Ok(found)
}

/// All voided games, in the order of voiding.
///
/// # Errors
/// The store cannot be read.
pub(crate) fn voided_games(files: &EventFiles) -> Result<Vec<NotableGame>, StoreError> {
    let roster = &files.roster;
    let listed = |voided: StoredGame| {
        let game = voided.game;
        let fault = game.record.faults.first();
        NotableGame {
            game: roster.games.name(game.id),
            players: Color::ALL.map(|side| roster.name(game.seat(side))),
            result: "*",
            reason: game.record.outcome.reason(),
            loser: fault.map(|fault| roster.name(game.seat(fault.side))),
            fault: fault.is_some(),
            detail: Some(match fault {
                Some(fault) => fault.kind.to_string(),
                None => game.record.outcome.to_string().replacen("void: ", "", 1),
            }),
            plies: u32::try_from(game.record.plies()).ok(),
        }
    };
    let voided = files.reader().voided()?.into_iter();
    Ok(voided.map(listed).collect())
}

/// Voided games for people.
pub(crate) fn voided_text(voided: &[NotableGame]) -> String {
    if voided.is_empty() {
        return "No game was voided.\n".to_owned();
    }
    let listed: Vec<&NotableGame> = voided.iter().collect();
    table("voided", "fault of", &listed)
}

/// The findings for people: games with a fault, then the others.
pub(crate) fn findings_text(findings: &[NotableGame]) -> String {
    let (faults, losses): (Vec<&NotableGame>, Vec<&NotableGame>) =
        findings.iter().partition(|finding| finding.fault);
    if findings.is_empty() {
        return "No game was lost.\n".to_owned();
    }
    table("with a fault", "lost by", &faults) + &table("lost on the board", "lost by", &losses)
}

fn table(title: &str, by: &str, findings: &[&NotableGame]) -> String {
    if findings.is_empty() {
        return format!("0 games {title}\n");
    }
    let mut table = new_table(
        &["game", "White", "Black", "result", by, "reason", "moves"],
        &[1, 2, 4, 5],
    );
    for finding in findings.iter().take(SHOWN) {
        let [white, black] = &finding.players;
        let moves = finding.plies.map(|plies| plies.div_ceil(2).to_string());
        table.add_row(vec![
            finding.game.to_string(),
            printable(white).into_owned(),
            printable(black).into_owned(),
            finding.result.to_owned(),
            printable(finding.loser.as_deref().unwrap_or("-")).into_owned(),
            printable(finding.detail.as_deref().unwrap_or(finding.reason)).into_owned(),
            moves.unwrap_or_else(|| "-".to_owned()),
        ]);
    }
    let games = count(findings.len() as u64, "game");
    let mut text = format!("{games} {title}\n{}", rendered(&table));
    if findings.len() > SHOWN {
        let hidden = findings.len() - SHOWN;
        text += &format!("{hidden} more: --format json has them all\n");
    }
    text
}
