//! The groups of an event in stages, for programs; the divisions of the next season.

use serde_json::{Value, json};

use crate::text::row_json;
use crate::tournament::{EventState, Ratings, StageBoard, StandingRow};

/// A group of a stage.
pub(super) fn stage_json(stage: &StageBoard) -> Value {
    let (part, board) = (&stage.part, &stage.board);
    let table = board.standings();
    let rows = board.rows(&table, &Ratings::new());
    let rows = rows
        .iter()
        .map(|row| row_json(&StandingRow::FOR_PROGRAMS, row));
    json!({
        "name": part.name,
        "final": part.is_played,
        "rounds": [part.rounds.start, part.rounds.end - 1],
        "boards": [part.boards.start, part.boards.end - 1],
        "tie_breaks": part.tie_breaks.iter().map(|rule| rule.name()).collect::<Vec<_>>(),
        "standings": rows.collect::<Vec<_>>(),
    })
}

/// The divisions of the next season, if engines change their places after this one and it is over.
pub(super) fn next_season(event: &EventState) -> Option<String> {
    let stages = event.board().stages();
    if !event.is_over() || stages.iter().all(|stage| stage.part.moves == [0; 2]) {
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
        let [up, down] = stage.part.moves.map(usize::from);
        let leaving = names.split_off(names.len() - down);
        let rising: Vec<String> = names.drain(..up).collect();
        let before = divisions.get_mut(nth.wrapping_sub(1));
        let falling = before.map(|above: &mut Vec<String>| {
            let falling = above.split_off(above.len() - rising.len());
            above.extend(rising);
            falling
        });
        divisions.push(
            falling
                .into_iter()
                .flatten()
                .chain(names)
                .chain(leaving)
                .collect(),
        );
    }
    let text = stages.iter().zip(divisions).map(|(stage, names)| {
        let [name, names] = [json!(stage.part.name), json!(names)];
        format!("[[stage]]\nname = {name}\nengines = {names}\n")
    });
    let about = "# The divisions of the next season, for its event file.\n";
    Some(about.to_owned() + &text.collect::<Vec<_>>().join("\n"))
}
