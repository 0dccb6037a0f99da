//! Who has won an event by its own rules, which is not the question who is stronger.

use crate::event::identity::FormatWord;
use crate::report::tie_break_words;
use crate::schedule::{Decision, Progress};
use crate::sink::decision_word;
use crate::stats::standings::{Standing, TieBreak};
use crate::text::count;
use crate::tournament::{Contest, Scoreboard};

use super::facts::EventFacts;

/// Names in one sentence; of more the others are counted.
const NAMED: usize = 5;

/// Who has won, in a sentence. `None` where standings name no winner: of a match of two, whose score says it, of a
/// gauntlet, whose engines have not met the same opponents, and of a file that does not say how it was decided.
pub(super) fn winner(facts: &EventFacts) -> Option<String> {
    let format = facts.format?;
    let board = &facts.board;
    if let Some(contest) = board.contest()
        && let Some(progress) = contest.progress()
    {
        return Some(of_tree(board, contest, &progress));
    }
    let has_standings = format != FormatWord::Gauntlet && board.participants().len() > 2;
    (has_standings && board.games() > 0).then(|| by_points(facts))
}

/// Of a tree: who has won the last encounter, or who is still in.
fn of_tree(board: &Scoreboard, contest: &Contest, progress: &Progress) -> String {
    let standings = progress.standings();
    let first = standings.first().filter(|first| first.is_final);
    let Some(first) = first else {
        let still = standings.iter().filter(|one| !one.is_final);
        let still: Vec<String> = still.map(|one| board.engine_name(one.engine)).collect();
        return format!(
            "Not decided yet: still in {} {}.",
            are(still.len()),
            names(&still)
        );
    };
    let name = board.engine_name(first.engine);
    let won = progress.decisions().filter(|(_, winner, loser, by)| {
        *winner == first.engine && loser.is_some() && *by != Decision::NotNeeded
    });
    let Some((place, _, Some(loser), by)) = won.max_by_key(|(place, ..)| *place) else {
        return format!("{name} has won.");
    };
    let encounter = progress.name(place.0, place.1).unwrap_or("last encounter");
    let mut text = format!(
        "{name} has won the {encounter} against {}",
        board.engine_name(loser)
    );
    let encounters = contest.history().encounters();
    if let Some(found) = encounters.get(&place)
        && let Some(side) = found.side(first.engine)
    {
        let points = [side, 1 - side].map(|side| f64::from(found.half_points[side]) / 2.0);
        text += &format!(", {:.1} to {:.1}", points[0], points[1]);
    }
    if by != Decision::Points {
        text += &format!(", decided by {}", decision_word(by));
    }
    text + "."
}

/// By points and tie-breaks.
fn by_points(facts: &EventFacts) -> String {
    let board = &facts.board;
    let standings = board.standings();
    let [first, rest @ ..] = standings.as_slice() else {
        return "No game is finished yet.".to_owned();
    };
    let name = |row: &Standing| board.participants()[usize::from(row.engine)].name.clone();
    let planned = facts.roster.planned_games;
    let missing = planned.map_or(0, |planned| board.missing_games(planned));
    let level = rest.iter().filter(|row| row.place == first.place);
    let mut level: Vec<String> = level.map(name).collect();
    // Points of byes are among them, which are no games.
    let games = count(u64::from(first.games), "game");
    let points = format!("{:.1} points ({games})", first.points());
    let leads = missing > 0;
    if !level.is_empty() {
        level.insert(0, name(first));
        let words = if leads { "Not decided yet: " } else { "" };
        return format!(
            "{words}{} share the first place with {points}.",
            names(&level)
        );
    }
    let ahead = rest
        .first()
        .map_or_else(String::new, |second| ahead(first, second, &name(second)));
    match leads {
        true => format!(
            "Not decided yet: {} leads with {points}{ahead}; {} to be played.",
            name(first),
            match missing {
                1 => "1 game is".to_owned(),
                missing => format!("{missing} games are"),
            }
        ),
        false => format!("{} has won with {points}{ahead}.", name(first)),
    }
}

/// What puts the first before the second.
fn ahead(first: &Standing, second: &Standing, name: &str) -> String {
    match second
        .decided_by
        .filter(|_| first.half_points == second.half_points)
    {
        None => format!("; {name} is next with {:.1}", second.points()),
        Some(TieBreak::Lot) => format!(", by lot before {name}, who has as many"),
        Some(rule) => format!(
            ", before {name}, who has as many, by {}",
            tie_break_words(rule)
        ),
    }
}

fn are(number: usize) -> &'static str {
    if number == 1 { "is" } else { "are" }
}

/// `A, B and C`; of many the first, and how many more.
pub(super) fn names(all: &[String]) -> String {
    let (last, before) = match all {
        [] => return String::new(),
        [one] => return one.clone(),
        many if many.len() > NAMED => {
            let more = format!("{} more", many.len() - NAMED);
            return format!("{} and {more}", many[..NAMED].join(", "));
        }
        [before @ .., last] => (last, before),
    };
    format!("{} and {last}", before.join(", "))
}
