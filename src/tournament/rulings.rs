//! What is said of disqualified engines, in text and in JSON.

use serde_json::{Value, json};

use crate::referee::Disqualified;
use crate::tournament::fault_counts::Ruling;

use super::scoreboard::Scoreboard;
use crate::text::printable;

/// One sentence for every disqualified engine, fit for a terminal.
pub(crate) fn ruling_lines(board: &Scoreboard) -> Vec<String> {
    let rulings = board.rulings().into_iter();
    rulings
        .map(|ruling| ruling_sentence(&board.engine_name(ruling.engine), &ruling))
        .collect()
}

/// One sentence for every engine for whose sake the host's faults have voided games.
pub(crate) fn void_lines(board: &Scoreboard) -> Vec<String> {
    let voided = board.fault_counts().voided();
    let sentence = |(engine, games, excused): (u16, u64, u32)| {
        let name = board.engine_name(engine);
        let name = printable(&name);
        let rest = match games >= u64::from(excused) {
            true => "nothing is excused any more",
            false => "then nothing is excused any more",
        };
        let plural = if games == 1 { "" } else { "s" };
        format!("{name}: {games} game{plural} voided for its sake; voids = {excused}, {rest}.")
    };
    voided.map(sentence).collect()
}

/// What became of an engine, and why.
pub(crate) fn ruling_sentence(name: &str, ruling: &Ruling) -> String {
    let Ruling {
        faults,
        strikes,
        games,
        ..
    } = ruling;
    let of = ruling.planned_games;
    let of = of.map_or(String::new(), |planned| format!(" of {planned}"));
    let fate = match (ruling.annulled, ruling.rule) {
        (true, Disqualified::Half) => "are annulled: fewer than half (FIDE Tournament Rules 5.4)",
        (true, _) => "are annulled",
        (false, Disqualified::Half) => "stand: at least half (FIDE Tournament Rules 5.4)",
        (false, _) => "stand",
    };
    let name = printable(name);
    let plural = if *faults == 1 { "" } else { "s" };
    format!(
        "{name} is disqualified: {faults} fault{plural}, strikes = {strikes}. \
         Its {games}{of} games {fate}."
    )
}

/// The member `disqualified` of `standings.json`.
pub(crate) fn ruling_values(board: &Scoreboard) -> Vec<Value> {
    let value = |ruling: Ruling| {
        json!({
            "name": board.engine_name(ruling.engine),
            "engine": ruling.engine,
            "faults": ruling.faults,
            "strikes": ruling.strikes,
            "games": ruling.games,
            "planned_games": ruling.planned_games,
            "rule": ruling.rule,
            "annulled": ruling.annulled,
        })
    };
    board.rulings().into_iter().map(value).collect()
}
