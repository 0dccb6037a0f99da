//! What went wrong, and what to do next.

use serde::Serialize;
use serde_json::json;

use crate::analysis::EventStatistics;
use crate::referee::HostFaults;
use crate::text::{count, short_name};
use crate::tournament::EventState;

use super::ClaimInput;
use super::claim::Claim;

/// What to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Hint {
    /// Play what is missing.
    Play,
    /// Find out why games with a fault were lost.
    Explain,
    /// Find out which time control this computer can play.
    Doctor,
    /// Play more games than planned.
    More,
    /// Read every number.
    Details,
}

impl Hint {
    fn words(self) -> &'static str {
        match self {
            Hint::Play => "Play what is missing: the same `run` or `match`.",
            Hint::Explain => "See why games with a fault were lost: `explain`.",
            Hint::Doctor => "See which time control this computer can play: `doctor`.",
            Hint::More => "More games may decide it (`pairs` of an event, `--games` of `match`).",
            Hint::Details => "See every number: `stats --details`.",
        }
    }
}

/// All that went wrong, and the next step; `open`: more games may answer what these leave open.
pub(super) fn trouble(known: &ClaimInput<'_>, open: bool) -> (Vec<Claim>, Option<Hint>) {
    let mut claims = faults(known);
    let has_fault = !claims.is_empty();
    let busy = too_busy(known);
    let decided = busy.as_ref().is_some_and(|busy| busy.decided > 0);
    claims.extend(busy.map(HostTooBusy::claim));
    claims.extend(known.statistics.into_iter().flat_map(of_statistics));
    let step = next_step(known, decided, has_fault).map(|step| match step {
        Hint::Details if open => Hint::More,
        step => step,
    });
    claims.extend(step.map(|step| {
        let words = step.words().to_owned();
        Claim::new("next-step", None, json!({ "step": step }), words)
    }));
    (claims, step)
}

/// The command that helps most now; none while games are played.
fn next_step(known: &ClaimInput<'_>, decided_by_host: bool, has_fault: bool) -> Option<Hint> {
    let is_played = |state: &EventState| state.running() > 0 && !known.is_final;
    if known.state.is_some_and(is_played) || known.statistics.is_some_and(|found| found.running) {
        return None;
    }
    let is_event = known.state.is_some();
    Some(match () {
        () if is_event && !known.is_final => Hint::Play,
        () if decided_by_host => Hint::Doctor,
        () if is_event && has_fault => Hint::Explain,
        () => Hint::Details,
    })
}

fn faults(known: &ClaimInput<'_>) -> Vec<Claim> {
    let Some(state) = known.state else {
        let games = known.statistics.map_or(0, |found| found.games.forfeits);
        return fault_of(None, games as u64).into_iter().collect();
    };
    let board = state.board();
    let seats = board.participants().iter().map(|one| one.seat);
    let mut engines: Vec<u16> = seats.map(|seat| seat.engine).collect();
    engines.dedup();
    let faults = |engine: u16| {
        let faults = board.fault_counts().faults(engine);
        fault_of(Some(board.engine_name(engine)), faults)
    };
    engines.into_iter().filter_map(faults).collect()
}

/// Faults of an engine, or of all where it is not known whose they are.
fn fault_of(engine: Option<String>, faults: u64) -> Option<Claim> {
    let whose = engine.as_deref().map(short_name).unwrap_or_default();
    let words = format!("{whose}: {}.", count(faults, "fault"));
    let numbers = json!({ "engine": engine, "faults": faults });
    (faults > 0).then(|| Claim::new("fault-of", None, numbers, words))
}

/// Games that this computer decided or spoilt.
#[derive(Default, Serialize)]
struct HostTooBusy {
    /// Games that it decided, and that count.
    decided: u64,
    /// Whether the event counts such games on purpose.
    counts: bool,
    /// Games that are void because it was too busy.
    replayed: u64,
    /// Games that are void because an engine's program was changed.
    changed: u64,
    /// Engines for which nothing more is excused.
    unexcused: Vec<String>,
}

fn too_busy(known: &ClaimInput<'_>) -> Option<HostTooBusy> {
    let of_event = |state: &EventState| {
        let (faults, board) = (state.fault_counts(), state.board());
        let changed: u64 = faults.voided().map(|(_, [_, changed], _)| changed).sum();
        let unexcused = faults.unexcused().map(|engine| board.engine_name(engine));
        HostTooBusy {
            decided: state.roster().decided_by_host,
            counts: state.roster().host_faults == HostFaults::Count,
            replayed: faults.voided().map(|(_, [games, _], _)| games).sum::<u64>() - changed,
            changed,
            unexcused: unexcused.collect(),
        }
    };
    let of_games = |statistics: &EventStatistics| HostTooBusy {
        decided: statistics.games.host_faults as u64,
        ..HostTooBusy::default()
    };
    let found = known.state.map(of_event);
    let found = found.or(known.statistics.map(of_games))?;
    (found.decided + found.replayed + found.changed > 0).then_some(found)
}

impl HostTooBusy {
    fn claim(self) -> Claim {
        let counted = |games: u64, one: &str| {
            let verb = if games == 1 { "was" } else { "were" };
            format!("{} {verb}", count(games, one))
        };
        let mut said = Vec::new();
        if self.decided > 0 {
            let results = counted(self.decided, "result");
            said.push(format!(
                "{results} decided by this computer, which was too busy, and counted."
            ));
            if self.counts {
                said.push("`host_faults = \"replay\"` has such games played again.".to_owned());
            }
        }
        for (games, why) in [
            (self.replayed, "this computer was too busy"),
            (self.changed, "an engine's program was changed"),
        ] {
            if games > 0 {
                let games = counted(games, "game");
                said.push(format!("{games} not counted, because {why}."));
            }
        }
        for engine in &self.unexcused {
            said.push(format!("Nothing more is excused for {engine} (`voids`)."));
        }
        Claim::new("host-too-busy", None, json!(self), said.join(" "))
    }
}

fn of_statistics(statistics: &EventStatistics) -> Vec<Claim> {
    let ignored = statistics.node_use.iter().filter(|used| !used.is_obeyed());
    let ignored = ignored.map(|used| {
        let (nodes, limit) = (used.nodes, used.limit);
        let (name, median) = (short_name(&used.engine), count(nodes, "node"));
        let verb = if nodes < limit { "stays below" } else { "ignores" };
        let words = format!(
            "{name} {verb} the node limit: {median} a move (median), not {limit}. Do not compare it with the others."
        );
        let numbers = json!({ "engine": used.engine, "nodes": nodes, "limit": limit });
        Claim::new("limit-ignored", None, numbers, words)
    });
    let mut claims: Vec<Claim> = ignored.collect();
    let copies = &statistics.duplicates;
    if copies.warning {
        let (left_out, counted) = (copies.replays, copies.coincidences);
        let all = format!("of {}", count(copies.games, "game"));
        let words = match (left_out, counted) {
            (_, 0) => format!("{left_out} {all} repeat earlier ones: statistics leave them out."),
            (0, _) => {
                format!("{counted} {all} have the moves of another one: statistics count them.")
            }
            _ => format!(
                "{left_out} {all} repeat earlier ones: statistics leave them out; {counted} more repeat others and count."
            ),
        };
        let numbers = json!({ "games": copies.games, "left_out": left_out, "counted": counted });
        claims.push(Claim::new("games-repeat", None, numbers, words));
    }
    let unreadable = statistics.games.unreadable;
    if unreadable > 0 {
        let games = count(unreadable, "game");
        let words = games + " cannot be read or break the rules, and are not counted.";
        let numbers = json!({ "games": unreadable });
        claims.push(Claim::new("not-usable", None, numbers, words));
    }
    claims
}
