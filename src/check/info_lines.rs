//! Whether what an engine says of its search is well-formed and true.

use crate::chess::{Game, Position, UciDialect, UciMoveError};
use crate::uci::{InfoLine, Message, Score, Thinking};

/// Fields of `info` that are followed by one number which is not below 0.
const NUMERIC_FIELDS: &str =
    "depth seldepth time nodes multipv currmovenumber hashfull nps tbhits sbhits cpuload";

/// The `info` line in an engine's words.
fn info(line: &str) -> Option<InfoLine<'_>> {
    match Message::parse(line) {
        Message::Info(info) => Some(info),
        _ => None,
    }
}

/// The `info` lines of the first line of play, read, with their words.
fn principal(lines: &[String]) -> impl Iterator<Item = (&str, Thinking)> {
    let read = |line| {
        let info = info(line).filter(InfoLine::is_first)?;
        Some((line, info.parse()))
    };
    lines.iter().map(String::as_str).filter_map(read)
}

/// The first malformed field of an `info` line.
pub(crate) fn malformed(line: &str) -> Option<String> {
    let mut words = info(line)?.text().split_ascii_whitespace().peekable();
    while let Some(word) = words.next() {
        let next = words.peek().copied().unwrap_or_default();
        match word {
            "string" | "pv" | "refutation" | "currline" => return None,
            "score" if !matches!(next, "cp" | "mate" | "lowerbound" | "upperbound") => {
                return Some(format!("`score {next}` in {line:?}"));
            }
            "cp" | "mate" if next.parse::<i64>().is_err() => {
                return Some(format!("`{word} {next}` in {line:?}"));
            }
            _ if NUMERIC_FIELDS.split(' ').any(|name| name == word)
                && next.parse::<u64>().is_err() =>
            {
                return Some(format!("`{word} {next}` in {line:?}"));
            }
            _ => {}
        }
    }
    None
}

/// What the `info` lines of one search leave unsaid: depth, nodes, a score.
pub(crate) fn unsaid(lines: &[String]) -> Option<&'static str> {
    let mut missing = vec!["depth", "nodes", "score"];
    for (_, report) in principal(lines) {
        missing.retain(|field| match *field {
            "depth" => report.depth.is_none(),
            "nodes" => report.nodes.is_none(),
            _ => report.score.is_none(),
        });
    }
    missing.first().copied()
}

/// The first number that goes back during a search.
pub(crate) fn goes_back(lines: &[String]) -> Option<String> {
    let (mut depth, mut nodes, mut time) = (0, 0, 0);
    for (line, report) in principal(lines) {
        let back = [
            ("depth", step(&mut depth, report.depth.map(u64::from))),
            ("nodes", step(&mut nodes, report.nodes)),
            ("time", step(&mut time, report.time_ms)),
        ];
        for (name, step) in back {
            if let Some(before) = step {
                return Some(format!("{name} was {before} before {line:?}"));
            }
        }
    }
    None
}

/// Takes the next number; the one before if it goes back.
fn step(last: &mut u64, next: Option<u64>) -> Option<u64> {
    let next = next?;
    let before = std::mem::replace(last, next);
    (next < before).then_some(before)
}

/// The deepest depth and the largest number of nodes that were reported.
pub(crate) fn extent(lines: &[String]) -> (Option<u32>, Option<u64>) {
    let depth = principal(lines).filter_map(|(_, read)| read.depth).max();
    let nodes = principal(lines).filter_map(|(_, read)| read.nodes).max();
    (depth, nodes)
}

/// The last exact score of a search, as the side to move sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Evaluation {
    /// Centipawns, or moves to mate.
    pub(crate) score: Score,
    /// Chances of a win, a draw and a loss in 1,000, where the engine tells them.
    pub(crate) chances: Option<[u16; 3]>,
}

pub(crate) fn last_exact(lines: &[String]) -> Option<Evaluation> {
    let exact = principal(lines).filter(|(_, report)| report.bound.is_none());
    let evaluations = exact.filter_map(|(_, report)| {
        Some(Evaluation {
            score: report.score?,
            chances: report.wdl,
        })
    });
    evaluations.last()
}

/// The last exact score.
pub(crate) fn last_score(lines: &[String]) -> Option<Score> {
    last_exact(lines).map(|last| last.score)
}

/// The first illegal move in any PV of a search.
pub(crate) fn illegal_pv(position: &Position, lines: &[String]) -> Option<String> {
    lines.iter().find_map(|line| {
        let problem = replay(position, &info(line)?.parse().pv).err()?;
        Some(format!("{problem}, in {line:?}"))
    })
}

/// The last PV, played.
pub(crate) fn last_pv(position: &Position, lines: &[String]) -> Option<Game> {
    let with_moves = principal(lines).filter(|(_, report)| !report.pv.is_empty());
    let last = with_moves.last()?.1;
    replay(position, &last.pv).ok()
}

fn replay(position: &Position, pv: &str) -> Result<Game, UciMoveError> {
    let mut game = Game::new(position.clone());
    for text in pv.split_ascii_whitespace() {
        game.play_uci(text, UciDialect::Standard)?;
    }
    Ok(game)
}

/// What is wrong with the final score where mate is this many moves away; below 0 the
/// engine is being mated. A search that does not see it is not blamed.
pub(crate) fn mate_problem(truth: i32, score: Score) -> Option<String> {
    let Score::Mate(claimed) = score else {
        return None;
    };
    if claimed.signum() != truth.signum() {
        return Some(format!("it says mate {claimed}, and it is mate {truth}"));
    }
    let impossible = claimed.abs() < truth.abs();
    impossible.then(|| format!("it says mate {claimed}, and nothing mates before {truth}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.split('|').map(str::to_owned).collect()
    }

    #[test]
    fn malformed_fields_are_named() {
        let good = "info depth 3 seldepth 4 multipv 1 score cp -5 lowerbound nodes 9 time 0 wdl 1 2 3 pv e2e4";
        assert_eq!(malformed(good), None);
        assert_eq!(malformed("info string depth x"), None);
        for (line, words) in [
            ("info depth x", "depth x"),
            ("info depth -7 score cp 1", "depth -7"),
            ("info score 12", "score 12"),
            ("info score mate x", "mate x"),
            ("info nodes pv e2e4", "nodes pv"),
        ] {
            assert!(malformed(line).unwrap().contains(words), "{line}");
        }
    }

    #[test]
    fn numbers_that_go_back_are_named() {
        let rising = lines("info depth 1 nodes 5|info depth 1 nodes 5|info depth 2 nodes 9 time 1");
        assert_eq!(goes_back(&rising), None);
        let other_line = lines("info depth 2 multipv 1|info depth 1 multipv 2");
        assert_eq!(goes_back(&other_line), None);
        let back = lines("info depth 2 nodes 9|info depth 3 nodes 8");
        assert!(goes_back(&back).unwrap().contains("nodes was 9"));
    }

    #[test]
    fn what_is_unsaid_and_how_far_it_went() {
        let all = lines("info string x|info depth 4 score cp 1 nodes 7|info nodes 9");
        assert_eq!(unsaid(&all), None);
        assert_eq!(unsaid(&lines("info depth 4 nodes 7")), Some("score"));
        assert_eq!(extent(&all), (Some(4), Some(9)));
    }

    #[test]
    fn bounds_are_not_the_last_score() {
        let some = lines("info score cp 9|info score cp 30 lowerbound");
        assert_eq!(last_score(&some), Some(Score::Centipawns(9)));
    }

    #[test]
    fn a_pv_is_replayed() {
        let start = Position::standard();
        let good = lines("info pv e2e4 e7e5 g1f3|info string none");
        assert_eq!(illegal_pv(&start, &good), None);
        assert_eq!(
            last_pv(&start, &good).map(|game| game.moves().len()),
            Some(3)
        );
        let bad = lines("info pv e2e4 e2e4");
        let problem = illegal_pv(&start, &bad).unwrap();
        assert!(problem.contains("e2e4 e2e4"), "{problem}");
    }

    #[test]
    fn mate_scores_are_held_against_the_truth() {
        assert_eq!(mate_problem(2, Score::Mate(2)), None);
        assert_eq!(mate_problem(2, Score::Mate(3)), None);
        assert_eq!(mate_problem(2, Score::Centipawns(900)), None);
        assert!(mate_problem(2, Score::Mate(1)).is_some());
        assert!(mate_problem(2, Score::Mate(-2)).is_some());
        assert!(mate_problem(-1, Score::Mate(1)).is_some());
        assert!(mate_problem(-1, Score::Mate(0)).is_some());
    }
}
