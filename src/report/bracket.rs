//! A tree of encounters as text.

use crate::report::verdict::decision_words;
use crate::schedule::EncounterDecision;
use crate::sink::decided_encounters;
use crate::text::printable;
use crate::tournament::Scoreboard;

/// The encounters of a tree by round, the last round first; `None` for other events.
pub(crate) fn bracket(board: &Scoreboard) -> Option<String> {
    let contest = board.contest()?;
    let progress = contest.progress()?;
    let decided = decided_encounters(contest);
    let name = |engine: u16| printable(&board.engine_name(engine)).into_owned();
    let mut rows: Vec<((u16, u16), String)> = Vec::new();
    for (place, encounter) in contest.history().encounters() {
        let [one, other] = encounter.engines;
        let points = encounter.half_points.map(|half| f64::from(half) / 2.0);
        let title = progress.name(place.0, place.1).unwrap_or_default();
        let state = match decided.get(&place) {
            Some((winner, by)) => match decision_words(*by) {
                Some(words) => format!("   {} goes on by {words}", name(*winner)),
                None => String::new(),
            },
            None => format!("   {} of {} games", encounter.played, encounter.games),
        };
        let row = format!(
            "{:<8} {:<12} {} {:.1} - {:.1} {}{state}",
            format!("round {}", place.0),
            title,
            name(one),
            points[0],
            points[1],
            name(other)
        );
        rows.push((place, row.trim_end().to_owned()));
    }
    for (place, (winner, by)) in &decided {
        if *by == EncounterDecision::Bye {
            let round = format!("round {}", place.0);
            rows.push((
                *place,
                format!("{round:<8} {:<12} {} has a bye", "", name(*winner)),
            ));
        }
    }
    rows.sort_by_key(|((round, board), _)| (std::cmp::Reverse(*round), *board));
    Some(rows.into_iter().map(|(_, row)| row + "\n").collect())
}
