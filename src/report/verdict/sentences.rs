//! A sentence for each claim.

use serde_json::json;

use super::{names, reason, winner_words};
use crate::analysis::{
    Basis, Claim, Hint, HostTooBusy, Refusal, SequentialTest, Statement, Stronger,
};
use crate::report::statistics::{model_word, tested};
use crate::stats::sprt::Decision as TestDecision;
use crate::text::{count, elo, p_value, percent, short_name};

/// The stable id of a claim, as in `docs/claims.md` and in JSON.
pub(super) fn id(said: &Statement) -> String {
    let value = json!(said);
    value["id"].as_str().unwrap_or_default().to_owned()
}

/// The sentence of a claim; for a claim that is not allowed, that it is not, and why.
pub(super) fn sentence(claim: &Claim) -> String {
    let refused = claim.refused.as_ref();
    match &claim.said {
        Statement::Score { engines, points } => {
            let [one, other] = engines.each_ref().map(|engine| short_name(engine));
            format!("{one} {:.1} - {:.1} {other}.", points[0], points[1])
        }
        Statement::SameMoves { engines, pairs } => {
            let [one, other] = engines.each_ref().map(|engine| short_name(engine));
            format!(
                "{one} and {other} play the same moves in both games of all {}: is it one build?",
                count(*pairs, "pair")
            )
        }
        Statement::Winner(winner) => winner_words(winner, refused),
        Statement::Sprt(test) => test_words(test),
        Statement::Stronger(found) => match found.than {
            Some(_) => of_two(found, refused),
            None => of_many(found, refused),
        },
        Statement::FirstMove(found) => match (found.elo, found.score, refused) {
            (Some(values), Some(score), None) => format!(
                "White's first move is worth {} from {} (score {}).",
                interval(values, found.level),
                starts(found.positions),
                percent(score)
            ),
            (.., refused) => {
                let why = refused.map_or_else(String::new, |why| format!(": {}", reason(why)));
                format!("What White's first move is worth is not known{why}.")
            }
        },
        Statement::StartsDiffer { sd, level, p, .. } => differ_words(*sd, level, *p, refused),
        Statement::StartStandsOut {
            better_for_white,
            worse_for_white,
        } => match refused {
            Some(refusal) => format!("No start position stands out: {}.", reason(refusal)),
            None => stands_out(better_for_white, worse_for_white),
        },
        Statement::FaultOf { engine, faults } => {
            let whose = engine.as_deref().map(short_name).unwrap_or_default();
            format!("{whose}: {}.", count(*faults, "fault"))
        }
        Statement::HostTooBusy(busy) => busy_words(busy),
        Statement::LimitIgnored {
            engine,
            nodes,
            limit,
        } => format!(
            "{} ignores the node limit: {nodes} nodes a move, not {limit}. Do not compare it with the others.",
            short_name(engine)
        ),
        Statement::GamesRepeat {
            games,
            left_out,
            counted,
        } => copies_words(*games, *left_out, *counted),
        Statement::NotUsable { games } => {
            count(*games, "game") + " cannot be read or break the rules, and are not counted."
        }
        Statement::NextStep { step } => match step {
            Hint::Play => "Play what is missing: the same `run` or `match`.",
            Hint::Explain => "See why games with a fault were lost: `explain`.",
            Hint::Doctor => "See which time control this computer can play: `doctor`.",
            Hint::More => "More games may decide it (`pairs` of an event, `--games` of `match`).",
            Hint::Details => "See every number: `stats --details`.",
        }
        .to_owned(),
    }
}

/// Elo with its interval; an open end is not printed.
fn interval([value, low, high]: [f64; 3], level: f64) -> String {
    let level = format!("{:.0} %", 100.0 * level);
    match (low.is_finite(), high.is_finite()) {
        (true, true) => format!(
            "{} Elo ({level}: {} to {})",
            elo(value),
            elo(low),
            elo(high)
        ),
        (true, false) => format!("at least {} Elo ({level})", elo(low)),
        (false, true) => format!("at most {} Elo ({level})", elo(high)),
        (false, false) => "an unknown number of Elo".to_owned(),
    }
}

fn of_two(found: &Stronger, refused: Option<&Refusal>) -> String {
    let one = found.engines.first().map(|rated| short_name(&rated.engine));
    let (one, other) = (
        one.unwrap_or_default(),
        found.than.as_deref().map(short_name),
    );
    let other = other.unwrap_or_default();
    let values = found.elo.unwrap_or([f64::NAN; 3]);
    let difference = interval(values, found.level);
    let (basis, so_far) = match found.basis {
        Basis::Positions => (", for start positions like these", ""),
        Basis::AlwaysValid => ("", " so far"),
        _ => ("", ""),
    };
    match refused {
        None => format!("{one} is stronger than {other}: {difference}{basis}{so_far}."),
        Some(Refusal::TooFewGames) => {
            format!("Too few games to say whether {one} or {other} is stronger.")
        }
        Some(Refusal::HoldsZeroWithoutCopies) => format!(
            "Not decided whether {one} or {other} is stronger: {}.",
            reason(&Refusal::HoldsZeroWithoutCopies)
        ),
        Some(_) => format!("Not decided{so_far}: {one} against {other} {difference}{basis}."),
    }
}

fn of_many(found: &Stronger, refused: Option<&Refusal>) -> String {
    let rated: Vec<String> = found.engines.iter().map(|one| one.engine.clone()).collect();
    match refused {
        None => {
            let one = found.engines.first();
            let shown = one.and_then(|one| Some((one.elo?, one.elo_error)));
            let shown = shown.map_or_else(String::new, |(value, error)| {
                let error = error.map_or_else(String::new, |error| format!(" ± {error:.1}"));
                format!(" (rating {}{error})", elo(value))
            });
            format!(
                "{} is the strongest for certain (95 %){shown}.",
                names(&rated)
            )
        }
        Some(Refusal::NotSeparated) if found.engines.len() == found.of => {
            "Open who is the strongest: the games do not separate any of them.".to_owned()
        }
        Some(Refusal::NotSeparated) => format!(
            "Open who is the strongest: {} may be (95 %).",
            names(&rated).replace(" and ", " or ")
        ),
        Some(refusal) => format!("Who is the strongest is not known: {}.", reason(refusal)),
    }
}

fn test_words(test: &SequentialTest) -> String {
    let [first, second] = test.engines.each_ref().map(|engine| short_name(engine));
    let model = model_word(test.model);
    let [low, high] = test.bounds;
    let bounds = format!("SPRT of {} to {} {model}", test.elo0, test.elo1);
    let after = format!("after {}", tested(test.unit, test.pairs, test.games));
    let measured = match test
        .elo
        .filter(|[_, low, high]| low.is_finite() || high.is_finite())
    {
        Some(values) => format!("; {}", interval(values, 0.95)),
        None => String::new(),
    };
    match test.decision {
        TestDecision::Accepted => {
            // A test against a loss shows nothing about a gain.
            let better = if test.elo0 < 0.0 {
                "is no worse than"
            } else {
                "is better than"
            };
            format!(
                "{first} {better} {second}: {bounds} passed {after} (LLR {:.2}, needed {high:.2}){measured}.",
                test.llr
            )
        }
        TestDecision::Rejected => format!(
            "{first} did not pass against {second}: {bounds} failed {after} (LLR {:.2}, needed {low:.2}){measured}.",
            test.llr
        ),
        TestDecision::Undecided => {
            let left = match test.games_left {
                Some([low, _, high]) => format!("; {low:.0} to {high:.0} games left (80 %)"),
                None => String::new(),
            };
            format!(
                "Not decided: {first} against {second}, {bounds} at LLR {:.2} {after} (fails at {low:.2}, passes at \
                 {high:.2}){left}{measured}.",
                test.llr
            )
        }
    }
}

fn starts(positions: usize) -> String {
    match positions {
        1 => "this start position".to_owned(),
        many => format!("these {many} start positions"),
    }
}

/// Whether positions differ, and by how much.
fn differ_words(
    sd: Option<[f64; 3]>,
    level: &str,
    p: Option<f64>,
    refused: Option<&Refusal>,
) -> String {
    match (refused, sd) {
        (Some(refusal), _) => format!(
            "Whether start positions differ is not known: {}{}.",
            reason(refusal),
            at_most(sd, level, p)
        ),
        (None, None) => "Start positions differ.".to_owned(),
        (None, Some([sd, low, high])) => {
            let p = p.map(|p| format!("; {} that they do not", p_value(p)));
            format!(
                "Start positions differ by {sd:.0} Elo (standard deviation, {level}: {low:.0} to {high:.0}){}.",
                p.unwrap_or_default()
            )
        }
    }
}

/// The upper bound of how much positions may differ.
fn at_most(sd: Option<[f64; 3]>, level: &str, p: Option<f64>) -> String {
    let p = p.map_or_else(String::new, |p| format!(" ({})", p_value(p)));
    match sd {
        Some([_, _, high]) if high.is_finite() => {
            format!("{p}; if they do, then by {high:.0} Elo at most (standard deviation, {level})")
        }
        _ => p,
    }
}

/// Maximum number of positions of one list named in the sentence.
const MAX_NAMED: usize = 12;

fn stands_out(better: &[String], worse: &[String]) -> String {
    let lists = [
        ("better for White than the average:", better),
        ("worse:", worse),
    ];
    let lists = lists.into_iter().filter(|(_, all)| !all.is_empty());
    let lists = lists.map(|(title, all)| {
        let named = all
            .iter()
            .take(MAX_NAMED)
            .cloned()
            .collect::<Vec<_>>()
            .join(", ");
        match all.len().saturating_sub(MAX_NAMED) {
            0 => format!("{title} {named}"),
            more => format!("{title} {named} and {more} more"),
        }
    });
    let lists = lists.collect::<Vec<_>>().join("; ");
    format!("Start positions that stand out, the clearest first: {lists}.")
}

fn busy_words(busy: &HostTooBusy) -> String {
    let counted = |games: u64, one: &str| {
        let verb = if games == 1 { "was" } else { "were" };
        format!("{} {verb}", count(games, one))
    };
    let mut said = Vec::new();
    if busy.decided > 0 {
        let results = counted(busy.decided, "result");
        said.push(format!(
            "{results} decided by this computer, which was too busy, and counted."
        ));
        if busy.counts {
            said.push("`host_faults = \"replay\"` has such games played again.".to_owned());
        }
    }
    if busy.replayed > 0 {
        let games = counted(busy.replayed, "game");
        said.push(format!(
            "{games} spoilt by this computer, which was too busy, or by a program that was changed, and \
             not counted."
        ));
    }
    for engine in &busy.unexcused {
        said.push(format!("Nothing more is excused for {engine} (`voids`)."));
    }
    said.join(" ")
}

fn copies_words(games: usize, left_out: usize, counted: usize) -> String {
    let all = format!("of {}", count(games as u64, "game"));
    match (left_out, counted) {
        (left_out, 0) => {
            format!("{left_out} {all} repeat earlier ones: statistics leave them out.")
        }
        (0, counted) => format!("{counted} {all} repeat others: statistics count them."),
        (left_out, counted) => format!(
            "{left_out} {all} repeat earlier ones: statistics leave them out; {counted} more repeat others and count."
        ),
    }
}
