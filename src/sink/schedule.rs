//! `schedule.json`: the rounds of an event, for programs; and `crosstable.json`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::event::{EncounterTieBreak, SCHEMA_VERSION};
use crate::schedule::{Encounter, EncounterDecision};
use crate::text::{harmless_json, row_json};
use crate::tournament::{Contest, Ratings, Roster, Scoreboard, StandingRow};

/// How the encounters of a tree were decided, by round and board: the winner, and by what.
pub(crate) type DecidedEncounters = BTreeMap<(u16, u16), (u16, EncounterDecision)>;

/// Of an event that is no tree, none.
pub(crate) fn decided_encounters(contest: &Contest) -> DecidedEncounters {
    let progress = contest.progress();
    let decisions = progress.iter().flat_map(|progress| progress.decisions());
    decisions
        .map(|(place, winner, _, by)| (place, (winner, by)))
        .collect()
}

/// The text of `schedule.json`; `None` for an event without rounds. Its schema is in `docs/files.md`.
pub(crate) fn schedule_json(roster: &Roster, board: &Scoreboard) -> Option<String> {
    let contest = board.contest()?;
    let decisions = decided_encounters(contest);
    let mut rounds: BTreeMap<u16, (Vec<Value>, Vec<Value>)> = BTreeMap::new();
    for ((round, number), encounter) in contest.history().encounters() {
        let decision = decisions.get(&(round, number));
        let value = board_value(board, contest, &encounter, decision);
        rounds.entry(round).or_default().0.push(value);
    }
    for bye in contest.history().byes() {
        let name = json!(board.engine_name(bye.engine));
        rounds.entry(bye.round).or_default().1.push(name);
    }
    for ((round, _), (winner, by)) in &decisions {
        if *by == EncounterDecision::Bye {
            let name = json!(board.engine_name(*winner));
            rounds.entry(*round).or_default().1.push(name);
        }
    }
    let rounds = rounds
        .into_iter()
        .map(|(round, (boards, byes))| json!({ "round": round, "boards": boards, "byes": byes }));
    let value = json!({
        "schema": SCHEMA_VERSION,
        "event": { "name": roster.event, "site": roster.site, "variant": roster.variant.name() },
        "planned_rounds": contest.planned_rounds(),
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
    let history = contest.history();
    let pairs = encounter.pairs.iter().map(|(id, spec)| {
        json!({
            "pair": id.0 + 1,
            "opening": spec.opening,
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
        EncounterDecision::TieBreak(EncounterTieBreak::DoubleWins) => "double-wins",
        EncounterDecision::TieBreak(EncounterTieBreak::BlackWins) => "wins-with-black",
        EncounterDecision::TieBreak(EncounterTieBreak::Seed) => "seed",
        EncounterDecision::TieBreak(EncounterTieBreak::Lot) => "lot",
        EncounterDecision::Walkover => "walkover",
        EncounterDecision::Bye => "bye",
        EncounterDecision::NotNeeded => "not needed",
    }
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
            match own == other || games.games() == 0 {
                true => Value::Null,
                false => json!({ "points": games.points(), "games": games.games() }),
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
