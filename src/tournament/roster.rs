//! Who plays, and under which names.

use std::collections::HashMap;
use std::path::Path;
use std::{fmt, io};

use serde::{Deserialize, Serialize};

use crate::chess::start::Variant;
use crate::event::identity::{AdaptiveTerms, EventIdentity, FormatWord};
use crate::event::{Decisions, GameNames, PairId, Seat};
use crate::platform::read_text_untrusted;
use crate::referee::HostFaults;
use crate::schedule::NO_BID;
use crate::store::{Reader, StoreResult};
use crate::text::{count, instant, printable};

use super::rounds::game_names;

/// One participant: an engine, or a copy of an engine that plays itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Participant {
    /// By which games name it.
    pub seat: Seat,
    /// Its name in the event file, a copy with its number.
    pub name: String,
}

/// What a sink must know of an event before the first game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Roster {
    /// The event's name.
    pub event: String,
    /// The PGN `Site`.
    pub site: String,
    /// The variant.
    pub variant: Variant,
    /// The pairing format; `None` for a file, which does not say it.
    pub format: Option<FormatWord>,
    /// The participants in the order of the event file.
    pub participants: Vec<Participant>,
    /// How many voided games the store's log has so far.
    pub voided_games: u64,
    /// How many finished games were lost on time by the host's fault, and count all the same.
    pub decided_by_host: u64,
    /// What becomes of such games from now on.
    pub host_faults: HostFaults,
    /// Where the pairs go, in words, if that depends on results.
    pub adaptive: Option<String>,
    /// The arbiter's book.
    pub decisions: Decisions,
    /// What the games are called.
    pub games: GameNames,
    /// How the store was rebuilt, if it was.
    pub rebuilt: Option<Rebuilt>,
}

impl Roster {
    /// The roster of a stored event, under the identity in force.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn read(reader: &Reader) -> StoreResult<Roster> {
        Roster::under(reader, &reader.begun()?.identity)
    }

    /// The same under this identity.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(super) fn under(reader: &Reader, identity: &EventIdentity) -> StoreResult<Roster> {
        let mut event = reader.described()?;
        let mut value = |key: &str| event.remove(key).unwrap_or_default();
        Ok(Roster {
            event: value("name"),
            site: value("site"),
            variant: identity.variant,
            format: Some(identity.format),
            participants: participants(identity),
            voided_games: reader.voided_games()?,
            decided_by_host: reader.flag_falls()?.host,
            host_faults: identity.adjudication.host_faults,
            adaptive: identity.adaptive.as_ref().map(AdaptiveTerms::label),
            decisions: reader.decisions().clone(),
            games: game_names(reader)?,
            rebuilt: reader.json_value(REBUILT)?,
        })
    }

    /// The name of an engine of the event file.
    pub(crate) fn engine_name(&self, engine: u16) -> String {
        let mut own = self.participants.iter();
        let name = own.find(|entry| entry.seat.engine == engine);
        name.map_or_else(|| format!("engine {engine}"), |entry| entry.name.clone())
    }

    /// The name of a participant; a seat without a participant is shown by number.
    pub fn name(&self, seat: Seat) -> String {
        let known = self.participants.iter().find(|entry| entry.seat == seat);
        let known = known.map(|entry| entry.name.as_str());
        let late = usize::from(seat.engine).checked_sub(self.participants.len());
        let known = known.or_else(|| self.entrants().get(late?).copied());
        let unknown = || format!("engine {}.{}", seat.engine, seat.copy);
        known.map_or_else(unknown, str::to_owned)
    }

    /// The engines that the arbiter has let in, and no run has admitted yet: they play in the rounds to come.
    pub(crate) fn entrants(&self) -> Vec<&str> {
        let is_new = |name: &&str| self.participants.iter().all(|one| one.name != *name);
        self.decisions.added().filter(is_new).collect()
    }

    /// Whether one engine plays itself: then its copies' score is no result.
    pub fn is_self_play(&self) -> bool {
        self.participants.iter().any(|entry| entry.seat.copy > 0)
    }
}

/// Everybody who takes part, in the order of the event file.
fn participants(identity: &EventIdentity) -> Vec<Participant> {
    let mut participants = Vec::new();
    for (engine, own) in (0..).zip(&identity.engines) {
        for copy in 0..own.copies {
            let seat = Seat { engine, copy };
            let name = seat.name(&own.name, own.copies);
            participants.push(Participant { seat, name });
        }
    }
    participants
}

// Records that a store was rebuilt from `games.pgn`, and what it therefore does not know.

/// The key in the table `event`.
pub(crate) const REBUILT: &str = "rebuilt";

/// What is not in `games.pgn`.
pub(crate) const NOT_IN_PGN: &str = "what the host did while flags fell, exact times, the engines' \
    variations, voided games with their faults, the dialogues of faults, the arbiter's book";

/// How a store was rebuilt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rebuilt {
    /// When, in milliseconds since 1970-01-01 UTC.
    pub at_ms: i64,
    /// Games that were taken over.
    pub games: u64,
    /// Games of the file that were not, because something was wrong with them.
    pub left_out: u64,
}

impl Rebuilt {
    /// As the store has it.
    pub(crate) fn text(&self) -> String {
        serde_json::json!(self).to_string()
    }
}

impl fmt::Display for Rebuilt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (moment, games) = (instant(self.at_ms), count(self.games, "game"));
        write!(f, "from games.pgn on {moment}: {games}")?;
        if self.left_out > 0 {
            write!(f, ", and {} that did not fit were left out", self.left_out)?;
        }
        write!(f, "; of these is not known: {NOT_IN_PGN}")
    }
}

// Where an event stands: one answer for the page, `status`, the terminal and JSON.

/// A round that does not begin before a moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PendingRound {
    /// The round.
    pub round: u16,
    /// The moment, in milliseconds since 1970-01-01 UTC.
    pub starts_ms: i64,
    /// The bids that it waits for until then, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bids: Option<PendingBids>,
}

/// An armageddon game that begins when its bids are there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PendingBids {
    pub board: u16,
    /// The start number, if the position has one.
    pub number: Option<u32>,
    /// The engines whose bids are missing.
    pub missing: Vec<String>,
}

impl fmt::Display for PendingRound {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (round, starts) = (self.round, instant(self.starts_ms));
        let Some(bids) = &self.bids else {
            return write!(out, "Round {round} begins at {starts}.");
        };
        let names = printable(&bids.missing.join(" and ")).into_owned();
        let one = bids.missing.len() == 1;
        let (bid, board) = (if one { "bid" } else { "bids" }, bids.board);
        let start = bids.number.map(|number| format!(" from start {number}"));
        let start = start.unwrap_or_default();
        write!(
            out,
            "The armageddon game{start} of round {round}, board {board} waits until {starts} for the {bid} of {names}; \
             a bid that is missing then is {NO_BID} %."
        )
    }
}

/// A game that is void, and is not played again before a moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PendingReplay {
    /// The game, as its PGN `Round`.
    pub(crate) round: String,
    /// The moment, in milliseconds since 1970-01-01 UTC.
    pub(crate) at_ms: i64,
    /// How it ended.
    pub(crate) why: String,
}

impl fmt::Display for PendingReplay {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (round, at, why) = (&self.round, instant(self.at_ms), printable(&self.why));
        write!(out, "Game {round} is played again at {at} ({why}).")
    }
}

/// Where an event stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EventPhase {
    /// No game was played yet, and no run plays.
    Before,
    /// A run plays it.
    Playing,
    /// A run has it, and hands out no pair until the operator says so.
    Paused,
    /// A run has it, and the next round has its time.
    Waiting(PendingRound),
    /// It is not over, and no run plays it.
    Stopped,
    /// Nothing is left to play.
    Over,
}

impl EventPhase {
    /// A stable word for programs.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            EventPhase::Before => "before",
            EventPhase::Playing => "playing",
            EventPhase::Paused => "paused",
            EventPhase::Waiting(_) => "waiting",
            EventPhase::Stopped => "stopped",
            EventPhase::Over => "over",
        }
    }
}

impl fmt::Display for EventPhase {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EventPhase::Before => out.write_str("The event has not begun."),
            EventPhase::Playing => out.write_str("The event is being played."),
            EventPhase::Paused => {
                out.write_str("The event is paused: no pair begins until it is resumed.")
            }
            EventPhase::Waiting(round) => round.fmt(out),
            EventPhase::Stopped => out.write_str("The event is stopped, and not over."),
            EventPhase::Over => out.write_str("The event is over."),
        }
    }
}

// Which worker of a farm has played which pair.

/// The file in the event's folder, a line of JSON for each pair that a worker has played.
pub(crate) const WORKERS_FILE: &str = "workers.jsonl";

#[derive(Deserialize)]
struct WorkerLine {
    /// From 1.
    pair: u64,
    worker: String,
    /// Another result of the pair was stored before.
    #[serde(default)]
    thrown_away: bool,
}

/// Which worker has played the pairs that are stored.
#[derive(Debug, Clone, Default)]
pub(crate) struct PairWorkers {
    /// All workers that have played.
    pub(super) names: Vec<String>,
    /// The place in `names`: few bytes a pair.
    by_pair: HashMap<PairId, u16>,
}

impl PairWorkers {
    /// Reads the file; the result is empty if the file does not exist. A line that was cut short is left out.
    ///
    /// # Errors
    /// What the disk says.
    pub(crate) fn read(folder: &Path) -> io::Result<PairWorkers> {
        let text = match read_text_untrusted(&folder.join(WORKERS_FILE)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read?,
        };
        let mut players = PairWorkers::default();
        let lines = text.lines();
        for line in lines.filter_map(|line| serde_json::from_str::<WorkerLine>(line).ok()) {
            if let (Some(pair), false) = (line.pair.checked_sub(1), line.thrown_away) {
                players.add(PairId(pair), &line.worker);
            }
        }
        Ok(players)
    }

    fn add(&mut self, pair: PairId, worker: &str) {
        let known = self.names.iter().position(|name| name == worker);
        let place = known.unwrap_or_else(|| {
            self.names.push(worker.to_owned());
            self.names.len() - 1
        });
        if let Ok(place) = u16::try_from(place) {
            self.by_pair.insert(pair, place);
        }
    }

    /// Who has played a pair.
    pub(crate) fn player(&self, pair: PairId) -> Option<&str> {
        let place = self.by_pair.get(&pair)?;
        self.names.get(usize::from(*place)).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn who_has_played_what_is_the_last_line_that_counts() {
        let folder = tempfile::tempdir().unwrap();
        assert!(PairWorkers::read(folder.path()).unwrap().names.is_empty());
        let text = "{\"pair\":1,\"worker\":\"a\"}\n{\"pair\":2,\"worker\":\"a\"}\n\
                    {\"pair\":1,\"worker\":\"b\"}\n{\"pair\":2,\"worker\":\"b\",\"thrown_away\":true}\n{\"pair\":3,\"wor";
        fs::write(folder.path().join(WORKERS_FILE), text).unwrap();
        let players = PairWorkers::read(folder.path()).unwrap();
        let player = |pair| players.player(PairId(pair));
        assert_eq!(
            (player(0), player(1), player(2)),
            (Some("b"), Some("a"), None)
        );
    }
}
