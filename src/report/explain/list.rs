//! An event's store with the engines and their limits, and the games that can be explained: those with a fault, and
//! those that were lost.

use serde::Serialize;

use crate::chess::Color;
use crate::event::identity::{EventEngine, EventIdentity};
use crate::event::{GameId, GameName, Named, PlayedGame, Seat};
use crate::referee::{Blame, Dialogue, PlayerSettings, end_words};
use crate::store::{Reader, StoreError, StoredGame};
use crate::text::{CellValue, Column, ColumnUnit, Table, columns, count};
use crate::tournament::fault_counts::FaultCounts;
use crate::tournament::{EventState, Roster, stored_limits};

use super::evaluations::{Judgement, is_judged, loser};

/// A game of the store with all that is kept of it.
#[derive(Debug, Clone, PartialEq)]
pub struct GameSource {
    /// The game.
    pub game: PlayedGame,
    /// The revision of the identity under which it was played.
    pub revision: u32,
    /// The last lines before a fault.
    pub dialogue: Option<Dialogue>,
    /// How often the game was voided for a fault before.
    pub replays: u32,
}

/// What is needed to explain any game of an event.
#[derive(Debug)]
pub struct EventFiles {
    /// The store.
    pub reader: Reader,
    /// Who plays.
    pub roster: Roster,
    /// Who was disqualified, and why.
    pub fault_counts: FaultCounts,
    /// The identities, in the order of their revisions.
    identities: Vec<EventIdentity>,
}

impl EventFiles {
    /// For the event that `reader` reads.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn new(reader: Reader) -> Result<EventFiles, StoreError> {
        let roster = Roster::read(&reader)?;
        let identities = reader.identities()?.into_iter();
        Ok(EventFiles {
            fault_counts: crate::tournament::fault_counts(&reader)?,
            identities: identities.map(|accepted| accepted.identity).collect(),
            roster,
            reader,
        })
    }

    /// The games of this name that were begun: one, or those of a pair; empty if no game has this name.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn games(&self, name: &str, voided: bool) -> Result<Vec<GameSource>, StoreError> {
        let ids = match self.roster.games.find(name) {
            Some(Named::Game(id)) => vec![id],
            Some(Named::Pair(pair)) => (0..2).map(|game| GameId { pair, game }).collect(),
            None => Vec::new(),
        };
        let mut found = Vec::new();
        for id in ids {
            found.extend(self.game(id, voided)?);
        }
        Ok(found)
    }

    /// Why there is nothing to say of a game of this name that the event has, or may have.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn unplayed(&self, name: &str) -> Result<Option<&'static str>, StoreError> {
        let names = &self.roster.games;
        let state = EventState::read(&self.reader)?;
        let planned = state.board().planned_games();
        let pair = names.find(name).map(|named| match named {
            Named::Game(GameId { pair, .. }) | Named::Pair(pair) => pair,
        });
        let is_planned = pair.is_some_and(|pair| {
            if names.is_in_rounds() {
                names.place(pair).is_some()
            } else {
                planned.is_some_and(|games| pair.0 < games.div_ceil(2))
            }
        });
        let follows = names.is_in_rounds() && name.split('.').count() == 3;
        Ok(match (is_planned, state.is_over()) {
            (true, true) => Some("was not played"),
            (true, false) => Some("is still to be played"),
            (false, false) if follows => {
                Some("is not paired yet: the results decide who plays it, if anybody does")
            }
            _ => None,
        })
    }

    /// The finished game with this key; if it is not finished, or `voided` is set, its last voided attempt.
    ///
    /// # Errors
    /// The store cannot be read.
    fn game(&self, id: GameId, voided: bool) -> Result<Option<GameSource>, StoreError> {
        let replayed = self.reader.replayed_games()?;
        let replays = replayed.iter().filter(|game| game.id == id).count() as u32;
        let finished = if voided { None } else { self.reader.game(id)? };
        let (stored, attempt, replays) = match finished {
            Some(finished) => (finished, 0, replays),
            None => {
                let mut voided = self.reader.voided()?.into_iter();
                let Some(last) = voided.rfind(|voided| voided.game.id == id) else {
                    return Ok(None);
                };
                let attempt = last.sequence;
                (last, attempt, replays.saturating_sub(1))
            }
        };
        Ok(Some(GameSource {
            dialogue: self.reader.dialogue(id, attempt)?,
            revision: stored.revision,
            game: stored.game,
            replays,
        }))
    }

    /// The engine in the identity of this revision.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if the identity does not have the engine.
    pub fn engine(&self, revision: u32, seat: Seat) -> Result<&EventEngine, StoreError> {
        let place = usize::try_from(revision).ok();
        let place = place.and_then(|revision| revision.checked_sub(1));
        let identity = place.and_then(|place| self.identities.get(place));
        let engine = identity.and_then(|identity| identity.engines.get(usize::from(seat.engine)));
        engine.ok_or_else(|| StoreError::Damaged {
            file: self.reader.file().to_path_buf(),
            detail: format!("revision {revision} has no engine {}", seat.engine),
        })
    }

    /// The limits of each side of a game, by [`Color::index`]. Node limits that were drawn are in the records of the
    /// moves.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] for an engine that the identity does not have.
    pub fn players(&self, source: &GameSource) -> Result<[PlayerSettings; 2], StoreError> {
        let mut given = self.reader.time_given()?;
        let given = given.remove(&source.game.id.pair.0).unwrap_or_default();
        let terms = self.roster.games.terms(source.game.id.pair);
        let others = stored_limits(&self.reader, source.revision)?.of(terms);
        let [white, black] = Color::ALL.map(|side| {
            let engine = self.engine(source.revision, source.game.seat(side))?;
            let others = others.as_ref().map(|limits| &limits[side.index()]);
            let player = PlayerSettings {
                limits: others.unwrap_or(&engine.limits).clone(),
                margin: engine.margin(),
                fen: engine.fen,
                ponder: false,
                translated: false,
                node_draw: None,
            };
            Ok::<_, StoreError>(player.after_giving(given[side.index()]))
        });
        Ok([white?, black?])
    }
}

/// How many lines of each kind are shown to people.
const MAX_SHOWN: usize = 50;

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
    /// The move that cost the loser most, of the first games that were lost on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decisive: Option<String>,
}

/// All findings: voided games first, then in the order of the plan.
///
/// # Errors
/// The store cannot be read.
pub(crate) fn findings(files: &EventFiles) -> Result<Vec<NotableGame>, StoreError> {
    let roster = &files.roster;
    let mut found = Vec::new();
    for replayed in files.reader.replayed_games()? {
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
            decisive: None,
        });
    }
    let mut lost_on_the_board = 0;
    let results = files.reader.results();
    let mut results = results.collect::<Result<Vec<_>, _>>()?;
    results.sort_by_key(|result| result.id);
    for result in results {
        let at_fault = result.fault.map(|(side, _)| side);
        if let Some(loser) = loser(&result.outcome).or(at_fault) {
            let on_the_board = result.fault.is_none() && is_judged(&result.outcome);
            lost_on_the_board += usize::from(on_the_board);
            let decisive = if on_the_board && lost_on_the_board <= MAX_SHOWN {
                files.reader.game(result.id)?
            } else {
                None
            };
            let decisive = decisive.and_then(|stored| {
                let record = &stored.game.record;
                Judgement::new(&record.board(), record, loser).costly
            });
            found.push(NotableGame {
                game: roster.games.name(result.id),
                players: result.seats.map(|seat| roster.name(seat)),
                result: result.outcome.result(),
                reason: result.outcome.reason(),
                loser: Some(roster.name(result.seats[loser.index()])),
                fault: result.fault.is_some(),
                detail: None,
                plies: Some(result.plies),
                decisive,
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
            loser: fault.map(|fault| match &fault.evidence {
                Some(evidence) if evidence.verdict == Blame::Host => "the host".to_owned(),
                _ => roster.name(game.seat(fault.side)),
            }),
            fault: fault.is_some(),
            detail: Some(match fault {
                Some(fault) => fault.kind.to_string(),
                None => game.record.outcome.to_string().replacen("void: ", "", 1),
            }),
            plies: u32::try_from(game.record.plies()).ok(),
            decisive: None,
        }
    };
    let voided = files.reader.voided()?.into_iter();
    Ok(voided.map(listed).collect())
}

/// Voided games for people.
pub(crate) fn voided_text(voided: &[NotableGame]) -> String {
    if voided.is_empty() {
        return "No game was voided.\n".to_owned();
    }
    table("voided", &NotableGame::VOIDED, voided)
}

/// The findings for people: games with a fault, then the others.
pub(crate) fn findings_text(findings: &[NotableGame]) -> String {
    if findings.is_empty() {
        return "No game was lost.\n".to_owned();
    }
    let all = findings.iter().cloned();
    let (faults, losses): (Vec<_>, Vec<_>) = all.partition(|finding| finding.fault);
    table("with a fault", &NotableGame::LOST, &faults)
        + &table("lost on the board", &NotableGame::LOST, &losses)
}

columns! {
    NotableGame {
        GAME: "", "game", ColumnUnit::Count, |row| CellValue::Text(row.game.to_string());
        WHITE: "", "White", ColumnUnit::Text, |row| CellValue::Text(row.players[0].clone());
        BLACK: "", "Black", ColumnUnit::Text, |row| CellValue::Text(row.players[1].clone());
        RESULT: "", "result", ColumnUnit::Count, |row| CellValue::Text(row.result.to_owned());
        LOSER: "", "lost by", ColumnUnit::Text, NotableGame::whose;
        FAULT_OF: "", "fault of", ColumnUnit::Text, NotableGame::whose;
        REASON: "", "reason", ColumnUnit::Text, |row| CellValue::Text(row.detail.clone().unwrap_or_else(|| end_words(row.reason)));
        MOVES: "", "moves", ColumnUnit::Count, |row| CellValue::Text(row.plies.map_or("-".to_owned(), |plies| plies.div_ceil(2).to_string()));
        DECISIVE: "", "cost most", ColumnUnit::Text, |row| row.decisive.clone().map_or(CellValue::Missing("-"), CellValue::Text);
    }
    LOST[8]: GAME WHITE BLACK RESULT LOSER REASON MOVES DECISIVE;
    VOIDED[7]: GAME WHITE BLACK RESULT FAULT_OF REASON MOVES;
}

impl NotableGame {
    fn whose(&self) -> CellValue {
        CellValue::Text(self.loser.clone().unwrap_or_else(|| "-".to_owned()))
    }
}

fn table(title: &str, columns: &[Column<NotableGame>], findings: &[NotableGame]) -> String {
    if findings.is_empty() {
        return format!("0 games {title}\n");
    }
    let shown = &findings[..findings.len().min(MAX_SHOWN)];
    let games = count(findings.len(), "game");
    let table = Table::from_columns(columns, shown).text();
    let hidden = match findings.len() - shown.len() {
        0 => String::new(),
        hidden => format!("{hidden} more: --format json has them all\n"),
    };
    format!("{games} {title}\n{table}{hidden}")
}
