//! Messages about engines that play no more, in text and in JSON.

use serde_json::{Value, json};

use super::fault_counts::Ruling;
use super::{Roster, Scoreboard};
use crate::event::{ArbiterAct, ArbiterDecision, Disqualified};
use crate::text::{count, instant, printable};

/// One sentence for every engine that plays no more, fit for a terminal.
pub(crate) fn ruling_lines(board: &Scoreboard) -> Vec<String> {
    let line = |ruling: Ruling| {
        let sentence = ruling_sentence(&board.engine_name(ruling.engine), &ruling);
        match board.contest() {
            Some(_) => sentence + " Its opponents win what is not played.",
            None => sentence,
        }
    };
    board.rulings().into_iter().map(line).collect()
}

/// One sentence for each engine that the arbiter has let in, and no run has admitted yet.
pub(crate) fn entrant_lines(roster: &Roster) -> Vec<String> {
    let line = |name| format!("{} takes part from the next round on.", printable(name));
    roster.entrants().into_iter().map(line).collect()
}

/// Games of the plan that were not played or do not count, if there are any: what they are called, and how many they are.
pub(crate) fn unusual_games(board: &Scoreboard) -> Vec<(&'static str, String)> {
    let games = [
        ("forfeited", board.forfeited_games() as u64, "without play"),
        (
            "annulled",
            board.annulled_games(),
            "of engines that are out",
        ),
        (
            "cancelled",
            board.cancelled_games(),
            "of engines that are out",
        ),
    ];
    let games = games.into_iter().filter(|(_, games, _)| *games > 0);
    let line = |(name, games, which)| (name, format!("{} {which}", count(games, "game")));
    games.map(line).collect()
}

/// The arbiter's book, a line for each decision, fit for a terminal.
pub(crate) fn decision_lines(roster: &Roster) -> Vec<String> {
    let line = |decision| printable(&decision_line(roster, decision)).into_owned();
    roster.decisions.all().iter().map(line).collect()
}

fn decision_line(roster: &Roster, decision: &ArbiterDecision) -> String {
    let ArbiterDecision {
        id, author, reason, ..
    } = decision;
    let act = act_words(roster, &decision.act);
    let stands = roster.decisions.holds(decision) || decision.act.is_done();
    let undone = if stands { "" } else { " [taken back]" };
    let moment = instant(decision.decided.0);
    format!("{id}. {moment} {author}: {act}{undone} ({reason})")
}

/// What was decided, in words.
pub(crate) fn act_words(roster: &Roster, act: &ArbiterAct) -> String {
    let engine = |engine: u16| roster.engine_name(engine);
    let game = act.game();
    let game = game.map_or_else(String::new, |game| roster.games.name(game).into());
    match act {
        ArbiterAct::Withdraw { engine: out } => format!("{} is withdrawn", engine(*out)),
        ArbiterAct::Forfeit {
            white_loses, seats, ..
        } => {
            let loser = roster.name(seats[usize::from(!white_loses)]);
            format!("game {game} is forfeited by {loser}")
        }
        ArbiterAct::Result {
            white_half_points, ..
        } => {
            let result = ["0-1", "1/2-1/2", "1-0"];
            let result = result.get(usize::from(*white_half_points));
            format!("game {game} has the result {}", result.unwrap_or(&"?"))
        }
        ArbiterAct::Uneven { result, .. } => {
            format!("game {game} has the result {}", result.as_str())
        }
        ArbiterAct::Replay { .. } => format!("game {game} is played again"),
        ArbiterAct::Purge { worker, games } => format!(
            "the {} of worker {worker} are played again",
            count(games.len(), "game")
        ),
        ArbiterAct::Add { name } => format!("{name} takes part from now on"),
        ArbiterAct::Replace { engine: other } => format!("{} may be another build", engine(*other)),
        ArbiterAct::Extend { rounds: 1 } => "one more round".to_owned(),
        ArbiterAct::Extend { rounds } => count(*rounds, "more round"),
        ArbiterAct::Bid {
            engine: bidder,
            round,
            board,
            percent,
        } => {
            let bid = match (roster.games.are_bids_open(*round, *board), percent) {
                (true, 1..) => format!("bids {percent} %"),
                _ => "has made a sealed bid".to_owned(),
            };
            let bidder = engine(*bidder);
            format!("{bidder} {bid} in round {round}, board {board}")
        }
        ArbiterAct::Undo { decision } => format!("decision {decision} is taken back"),
        ArbiterAct::Announce { words } => format!("announced: {words}"),
        ArbiterAct::Control { words } => words.trim_end_matches('.').to_owned(),
    }
}

/// A decision for programs.
pub(crate) fn decision_value(roster: &Roster, decision: &ArbiterDecision) -> Value {
    let mut act = decision.act.clone();
    // A bid is not to be known before it has decided the colours.
    if let ArbiterAct::Bid {
        round,
        board,
        percent,
        ..
    } = &mut act
        && !roster.games.are_bids_open(*round, *board)
    {
        *percent = 0;
    }
    json!({
        "decision": decision.id,
        "decided": decision.decided.to_the_second().to_string(),
        "author": decision.author,
        "reason": decision.reason,
        "words": act_words(roster, &decision.act),
        "in_force": roster.decisions.holds(decision),
        "act": act,
    })
}

/// The member `decisions` of `standings.json`.
pub(crate) fn decision_values(roster: &Roster) -> Vec<Value> {
    let value = |decision| decision_value(roster, decision);
    roster.decisions.all().iter().map(value).collect()
}

/// One sentence for every engine for which games were voided because of the host's faults.
pub(crate) fn void_lines(board: &Scoreboard) -> Vec<String> {
    let voided = board.fault_counts().voided();
    let sentence = |(engine, [games, _], excused): (u16, [u64; 2], u32)| {
        let name = board.engine_name(engine);
        let name = printable(&name);
        let is_all = games >= u64::from(excused);
        let rest = if is_all { "no more than " } else { "" };
        let games = count(games, "void game");
        format!("{name}: {games}; `voids` excuses {rest}{excused}.")
    };
    voided.map(sentence).collect()
}

/// What became of an engine, and why.
pub(crate) fn ruling_sentence(name: &str, ruling: &Ruling) -> String {
    let games = ruling.games;
    let (is, stand) = match (ruling.planned_games, games) {
        (None, 1) => ("is", "stands"),
        _ => ("are", "stand"),
    };
    let played = match (ruling.planned_games, games) {
        (Some(planned), _) => format!("{games} of {planned} games"),
        (None, 1) => "only game".to_owned(),
        (None, games) => count(games, "game"),
    };
    let fate = match (ruling.annulled, ruling.rule) {
        (true, Disqualified::Half) => {
            format!("{is} annulled: fewer than half (FIDE Tournament Rules 5.4)")
        }
        (true, _) => format!("{is} annulled"),
        (false, Disqualified::Half) => {
            format!("{stand}: at least half (FIDE Tournament Rules 5.4)")
        }
        (false, _) => stand.to_owned(),
    };
    let left = count(ruling.walkovers, "game");
    let won = match ruling.walkovers {
        0 => String::new(),
        _ => format!(" Its opponents win the {left} that it does not play."),
    };
    let name = printable(name);
    if ruling.withdrawn {
        return format!("{name} was withdrawn by the arbiter. Its {played} {fate}.{won}");
    }
    let (faults, strikes) = (count(ruling.faults, "fault"), ruling.strikes);
    format!("{name} is disqualified: {faults}, strikes = {strikes}. Its {played} {fate}.{won}")
}

/// The member `disqualified` of `standings.json`.
pub(crate) fn ruling_values(board: &Scoreboard) -> Vec<Value> {
    let value = |ruling: Ruling| {
        let mut value = json!(ruling);
        value["name"] = board.engine_name(ruling.engine).into();
        value
    };
    board.rulings().into_iter().map(value).collect()
}
