//! `standings.json`: standings, crosstable and progress, for programs; with it `crosstable.json` and, of
//! an event in rounds, `schedule.json`; of one in stages, `next-season.toml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::event::{EncounterTieBreak, PlayedGame, SCHEMA_VERSION};
use crate::schedule::{Encounter, EncounterDecision};
use crate::text::{harmless_json, results_json, row_json};
use crate::tournament::{
    Contest, DecidedEncounters, EventState, EventView, Ratings, Roster, Scoreboard, SprtWatch,
    StageBoard, StandingRow, decision_values, ruling_values,
};

use super::{
    InSinkFile, PublishedStatistics, Sink, SinkError, VerdictOf, has_rested, replace_file,
};

/// The file's name in the event's folder.
const FILE: &str = "standings.json";

/// The names of the other files in the folder.
const CROSSTABLE: &str = "crosstable.json";
const SCHEDULE: &str = "schedule.json";
const NEXT_SEASON: &str = "next-season.toml";

/// Spectators see a result within this time; writing more often would only load the disk.
const UPDATE_INTERVAL: Duration = Duration::from_millis(500);

/// Keeps `standings.json` up to date.
pub struct StandingsSink {
    folder: PathBuf,
    event: EventView,
    /// The verdict on the event; it comes from a caller because the analysis is a layer above this one.
    pub(crate) verdict: Option<VerdictOf>,
    written: Option<Instant>,
    /// The version of the state that was written.
    version: Option<u64>,
}

impl StandingsSink {
    /// For the event in `folder`, in this state.
    pub fn new(folder: &Path, event: EventView) -> StandingsSink {
        StandingsSink {
            folder: folder.to_path_buf(),
            event,
            verdict: None,
            written: None,
            version: None,
        }
    }

    fn write(&mut self, running: Option<usize>, durable: bool) -> Result<(), SinkError> {
        let said = self.verdict.as_ref();
        let said = said.map(|verdict| verdict(&self.event, running == Some(0)));
        let (texts, version) = self.event.read(|event| {
            let running = running.unwrap_or(event.running());
            let (roster, board) = (event.roster(), event.board());
            let texts = [
                (CROSSTABLE, Some(crosstable_json(roster, board))),
                (SCHEDULE, schedule_json(roster, board)),
                (NEXT_SEASON, next_season(event)),
                // Written last: a program that waits for this file finds the others.
                (FILE, Some(text(event, running, said))),
            ];
            (texts, event.version())
        });
        for (name, text) in texts {
            if let Some(text) = text {
                let path = self.folder.join(name);
                replace_file(&path, text.as_bytes(), durable).at(&path)?;
            }
        }
        self.written = Some(Instant::now());
        self.version = Some(version);
        Ok(())
    }
}

impl Sink for StandingsSink {
    fn committed(&mut self, _game: &PlayedGame) -> Result<(), SinkError> {
        self.refresh()
    }

    fn refresh(&mut self) -> Result<(), SinkError> {
        let stale = self.version != Some(self.event.read(EventState::version));
        let rested = has_rested(self.written, UPDATE_INTERVAL);
        if stale && rested {
            self.write(None, false)
        } else {
            Ok(())
        }
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.write(Some(0), true)
    }
}

/// The text of `standings.json`; its schema is in `docs/files.md`.
pub fn standings_json(event: &EventState, running: usize) -> String {
    text(event, running, None)
}

/// The same with the statistics.
pub(super) fn text(
    event: &EventState,
    running: usize,
    said: Option<PublishedStatistics>,
) -> String {
    let (roster, board) = (event.roster(), event.board());
    let is_analysed = said.is_some();
    let PublishedStatistics { verdict, ratings } = said.unwrap_or_default();
    let mut value = json!({
        "schema": SCHEMA_VERSION,
        "event": { "name": roster.event, "site": roster.site, "variant": roster.variant.name() },
        "progress": {
            "games": board.games(),
            "planned_games": board.planned_games(),
            "pairs": board.pairs(),
            "voided_games": roster.voided_games,
            "decided_by_host": roster.decided_by_host,
            "forfeited_games": board.forfeited_games(),
            "annulled_games": board.annulled_games(),
            "cancelled_games": board.cancelled_games(),
            "running_games": running,
            "waiting": event.waiting,
        },
        "final": event.is_over(),
        "sprt": event.test().map(SprtWatch::json),
        "tie_breaks": board.tie_breaks().iter().map(|rule| rule.name()).collect::<Vec<_>>(),
        "self_play": roster.is_self_play(),
        "adaptive": roster.adaptive,
        "white": results_json(board.white().reversed().0),
        "standings": rows_json(board, &ratings),
        "disqualified": ruling_values(board),
        "decisions": decision_values(roster),
        "entrants": roster.entrants(),
        "crosstable": crosstable(board),
    });
    let stages = board.stages();
    if !stages.is_empty() {
        value["stages"] = stages.iter().map(stage_json).collect();
    }
    if is_analysed {
        value["verdict"] = verdict;
    }
    harmless_json(&format!("{value:#}\n"))
}

fn crosstable(board: &Scoreboard) -> Vec<Value> {
    let count = board.participants().len();
    let encounters = (0..count).flat_map(|a| (0..count).map(move |b| (a, b)));
    let met = encounters.filter_map(|(participant, opponent)| {
        let games = board.encounter(participant, opponent);
        let name = |index: usize| &board.participants()[index].name;
        let have_met = participant != opponent && games.total().games() > 0;
        have_met.then(|| {
            json!({
                "name": name(participant),
                "opponent": name(opponent),
                "total": results_json(games.total().reversed().0),
                "white": results_json(games.as_white.reversed().0),
                "black": results_json(games.as_black.reversed().0),
                "pairs": games.pairs,
            })
        })
    });
    met.collect()
}

/// Byes of a tree, and its encounters that were won without a game: where, who goes on, and how in words.
pub(crate) fn won_without_games(
    contest: &Contest,
    decided: &DecidedEncounters,
) -> Vec<((u16, u16), u16, &'static str)> {
    let encounters = contest.history.encounters();
    let without = decided.iter().filter_map(|(place, (winner, by))| {
        let words = match by {
            EncounterDecision::Bye => "has a bye",
            EncounterDecision::Walkover if !encounters.contains_key(place) => "wins by walkover",
            _ => return None,
        };
        Some((*place, *winner, words))
    });
    without.collect()
}

/// The text of `schedule.json`; `None` for an event without rounds. Its schema is in `docs/files.md`.
pub(crate) fn schedule_json(roster: &Roster, board: &Scoreboard) -> Option<String> {
    let contest = board.contest()?;
    let decisions = contest.decided();
    let mut rounds: BTreeMap<u16, (Vec<Value>, Vec<Value>)> = BTreeMap::new();
    for ((round, number), encounter) in contest.history.encounters() {
        let decision = decisions.get(&(round, number));
        let value = board_value(board, contest, &encounter, decision);
        rounds.entry(round).or_default().0.push(value);
    }
    for bye in contest.history.byes() {
        let name = json!(board.engine_name(bye.engine));
        rounds.entry(bye.round).or_default().1.push(name);
    }
    for ((round, _), winner, _) in won_without_games(contest, &decisions) {
        let name = json!(board.engine_name(winner));
        rounds.entry(round).or_default().1.push(name);
    }
    let rounds = rounds
        .into_iter()
        .map(|(round, (boards, byes))| json!({ "round": round, "boards": boards, "byes": byes }));
    let value = json!({
        "schema": SCHEMA_VERSION,
        "event": { "name": roster.event, "site": roster.site, "variant": roster.variant.name() },
        "planned_rounds": contest.rounds.rounds(),
        "rounds": rounds.collect::<Vec<_>>(),
    });
    Some(harmless_json(&format!("{value:#}\n")))
}

fn board_value(
    board: &Scoreboard,
    contest: &Contest,
    encounter: &Encounter,
    decision: Option<&(u16, EncounterDecision)>,
) -> Value {
    let history = &contest.history;
    let pairs = encounter.pairs.iter().map(|(id, spec)| {
        json!({
            "pair": id.0 + 1,
            "opening": spec.opening,
            "number": contest.start_number(spec.opening).map(|number| number.0),
            "second_after_round": spec.section().map(|(round, _)| round),
            "white_first": board.engine_name(spec.first.engine),
            "white_points": history.results(*id).map(|scores| scores.map(|[white, _]| white.points())),
        })
    });
    let state = match (encounter.is_complete(), history.is_open(encounter)) {
        (true, _) => "played",
        (false, true) => "open",
        (false, false) => "withdrawn",
    };
    json!({
        "board": encounter.place.board,
        "engines": encounter.engines.map(|engine| board.engine_name(engine)),
        "points": encounter.half_points.map(|half| f64::from(half) / 2.0),
        "state": state,
        "winner": decision.map(|(winner, _)| board.engine_name(*winner)),
        "decided_by": decision.map(|(_, by)| decision_word(*by)),
        "pairs": pairs.collect::<Vec<_>>(),
    })
}

/// What decided an encounter, in a word.
pub(crate) fn decision_word(decision: EncounterDecision) -> &'static str {
    match decision {
        EncounterDecision::Points => "points",
        EncounterDecision::Armageddon => "armageddon",
        EncounterDecision::TieBreak(EncounterTieBreak::DoubleWins) => "double-wins",
        EncounterDecision::TieBreak(EncounterTieBreak::BlackWins) => "wins-with-black",
        EncounterDecision::TieBreak(EncounterTieBreak::Seed) => "seed",
        EncounterDecision::TieBreak(EncounterTieBreak::Lot) => "lot",
        EncounterDecision::Walkover => "walkover",
        EncounterDecision::Bye => "bye",
        EncounterDecision::NotNeeded => "not needed",
    }
}

/// Who had which colour and which time in the armageddon game that has decided an encounter.
pub(crate) fn armageddon_words(
    board: &Scoreboard,
    contest: &Contest,
    encounter: &Encounter,
) -> Option<String> {
    let (engines, limits) = contest.armageddon(encounter)?;
    let [white, black] = engines.map(|engine| board.engine_name(engine));
    let [of_white, of_black] = match limits {
        Some(limits) => limits.map(|limits| format!(" {limits}")),
        None => [String::new(), String::new()],
    };
    Some(format!(
        "{white} had White{of_white}, {black} Black{of_black}; a draw counts for Black"
    ))
}

/// The text of `crosstable.json`: points of each engine against each other, in the order of the
/// standings.
pub(crate) fn crosstable_json(roster: &Roster, board: &Scoreboard) -> String {
    let table = board.standings();
    let order: Vec<usize> = table.iter().map(|row| usize::from(row.engine)).collect();
    let rows = board.rows(&table, &Ratings::new());
    let rows = rows.iter().map(|row| {
        let own = usize::from(row.standing.engine);
        let cells = order.iter().map(|&other| {
            let games = board.encounter(own, other).total();
            if own == other || games.games() == 0 {
                Value::Null
            } else {
                json!({ "points": games.points(), "games": games.games() })
            }
        });
        let mut value = row_json(&StandingRow::IN_CROSSTABLE, row);
        value["cells"] = cells.collect();
        value
    });
    let value = json!({
        "schema": SCHEMA_VERSION,
        "event": { "name": roster.event },
        "rows": rows.collect::<Vec<_>>(),
    });
    harmless_json(&format!("{value:#}\n"))
}

/// A group of a stage.
fn stage_json(stage: &StageBoard) -> Value {
    let part = &stage.part;
    json!({
        "name": part.name,
        "final": part.is_played(),
        "rounds": [part.rounds.start, part.rounds.end - 1],
        "boards": [part.boards.start, part.boards.end - 1],
        "tie_breaks": part.tie_breaks().iter().map(|rule| rule.name()).collect::<Vec<_>>(),
        "standings": rows_json(&stage.board, &Ratings::new()),
    })
}

fn rows_json(board: &Scoreboard, ratings: &Ratings) -> Vec<Value> {
    let table = board.standings();
    let rows = board.rows(&table, ratings).into_iter();
    rows.map(|row| row_json(&StandingRow::FOR_PROGRAMS, &row))
        .collect()
}

/// The divisions of the next season, if engines change their places after this one and it is over.
fn next_season(event: &EventState) -> Option<String> {
    let stages = event.board().stages();
    if !event.is_over() || stages.iter().all(|stage| stage.part.moves() == [0; 2]) {
        return None;
    }
    let mut divisions: Vec<Vec<String>> = Vec::new();
    for (nth, stage) in stages.iter().enumerate() {
        let table = stage.board.standings();
        let names = table.iter().map(|row| {
            let own = &stage.board.participants()[usize::from(row.engine)];
            own.name.clone()
        });
        let mut names: Vec<String> = names.collect();
        let [up, down] = stage.part.moves().map(usize::from);
        let leaving = names.split_off(names.len() - down);
        let rising: Vec<String> = names.drain(..up).collect();
        let before = divisions.get_mut(nth.wrapping_sub(1));
        let falling = before.map(|above: &mut Vec<String>| {
            let falling = above.split_off(above.len() - rising.len());
            above.extend(rising);
            falling
        });
        let falling = falling.into_iter().flatten();
        divisions.push(falling.chain(names).chain(leaving).collect());
    }
    let text = stages.iter().zip(divisions).map(|(stage, names)| {
        let [name, names] = [json!(stage.part.name), json!(names)];
        format!("[[stage]]\nname = {name}\nengines = {names}\n")
    });
    let about = "# The next season: in its event file the line `engines` of each stage takes the place of the old one.\n";
    Some(about.to_owned() + &text.collect::<Vec<_>>().join("\n"))
}
