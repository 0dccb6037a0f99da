//! The games that can be asked about: those with a fault, and those that were lost.

use serde::Serialize;

use crate::chess::Color;
use crate::event::GameName;
use crate::referee::Outcome;
use crate::report::tables::new_table;
use crate::store::StoreError;
use crate::text::printable;

use super::files::EventFiles;

/// How many lines of each kind are shown to people.
const SHOWN: usize = 50;

/// A game with a fault, or one that was lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ListedGame {
    /// The game, as the PGN `Round`.
    pub game: GameName,
    /// White's and Black's names.
    pub players: [String; 2],
    /// The PGN result; `*` for a game that was voided and played again.
    pub result: &'static str,
    /// The stable word for how it ended.
    pub reason: &'static str,
    /// The name of the engine that lost, or had the fault.
    pub loser: String,
    /// Whether there was a fault in it.
    pub fault: bool,
    /// Half-moves on the board; `None` if it was voided.
    pub plies: Option<u32>,
}

/// All findings: voided games first, then in the order of finishing.
///
/// # Errors
/// The store cannot be read.
pub(crate) fn findings(files: &EventFiles) -> Result<Vec<ListedGame>, StoreError> {
    let roster = &files.roster;
    let mut found = Vec::new();
    for replayed in files.reader().replayed_games()? {
        let side = replayed.fault.map_or(Color::White, |(side, _)| side);
        found.push(ListedGame {
            game: roster.games.name(replayed.id),
            players: replayed.seats.map(|seat| roster.name(seat)),
            result: "*",
            reason: replayed.fault.map_or("fault", |(_, kind)| kind.reason()),
            loser: roster.name(replayed.seats[side.index()]),
            fault: true,
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
            found.push(ListedGame {
                game: roster.games.name(result.id),
                players: result.seats.map(|seat| roster.name(seat)),
                result: result.outcome.result(),
                reason: result.outcome.reason(),
                loser: roster.name(result.seats[loser.index()]),
                fault: result.fault.is_some(),
                plies: Some(result.plies),
            });
        }
    }
    Ok(found)
}

/// The findings for people: games with a fault, then the others.
pub(crate) fn findings_text(findings: &[ListedGame]) -> String {
    let (faults, losses): (Vec<&ListedGame>, Vec<&ListedGame>) =
        findings.iter().partition(|finding| finding.fault);
    if findings.is_empty() {
        return "No game was lost.\n".to_owned();
    }
    [
        table("with a fault", &faults),
        table("lost on the board", &losses),
    ]
    .concat()
}

fn table(title: &str, findings: &[&ListedGame]) -> String {
    if findings.is_empty() {
        return format!("0 games {title}\n");
    }
    let mut table = new_table(
        &[
            "game", "White", "Black", "result", "lost by", "reason", "plies",
        ],
        &[1, 2, 4, 5],
    );
    for finding in findings.iter().take(SHOWN) {
        let [white, black] = &finding.players;
        let plies = finding
            .plies
            .map_or("-".to_owned(), |plies| plies.to_string());
        table.add_row(vec![
            finding.game.to_string(),
            printable(white).into_owned(),
            printable(black).into_owned(),
            finding.result.to_owned(),
            printable(&finding.loser).into_owned(),
            finding.reason.to_owned(),
            plies,
        ]);
    }
    let rows = table.to_string();
    let rows: Vec<&str> = rows.lines().map(str::trim_end).collect();
    let noun = if findings.len() == 1 { "game" } else { "games" };
    let mut text = format!("{} {noun} {title}\n{}\n", findings.len(), rows.join("\n"));
    if findings.len() > SHOWN {
        let hidden = findings.len() - SHOWN;
        text += &format!("{hidden} more: --format json has them all\n");
    }
    text
}
