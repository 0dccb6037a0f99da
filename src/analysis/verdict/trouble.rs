//! What went wrong, and what to do next.

use super::ClaimInput;
use super::claim::{Claim, Hint, HostTooBusy, Statement};
use crate::analysis::EventStatistics;
use crate::referee::HostFaults;
use crate::tournament::EventState;

/// All that went wrong, and the next step; `open`: more games may answer what these leave open.
pub(super) fn trouble(known: &ClaimInput<'_>, open: bool) -> Vec<Claim> {
    let mut said = faults(known);
    let has_fault = !said.is_empty();
    let busy = too_busy(known);
    let decided = busy.as_ref().is_some_and(|busy| busy.decided > 0);
    said.extend(busy.map(Statement::HostTooBusy));
    if let Some(statistics) = known.statistics {
        said.extend(of_statistics(statistics));
    }
    let step = next_step(known, decided, has_fault).map(|step| match step {
        Hint::Details if open => Hint::More,
        step => step,
    });
    said.extend(step.map(|step| Statement::NextStep { step }));
    said.into_iter().map(Claim::allowed).collect()
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

fn faults(known: &ClaimInput<'_>) -> Vec<Statement> {
    let Some(state) = known.state else {
        let games = known.statistics.map_or(0, |found| found.games.forfeits);
        let (engine, faults) = (None, games as u64);
        let all = (games > 0).then_some(Statement::FaultOf { engine, faults });
        return all.into_iter().collect();
    };
    let board = state.board();
    let seats = board.participants().iter().map(|one| one.seat);
    let mut engines: Vec<u16> = seats.map(|seat| seat.engine).collect();
    engines.dedup();
    let faults = |engine: u16| {
        let faults = board.fault_counts().faults(engine);
        let engine = Some(board.engine_name(engine));
        (faults > 0).then_some(Statement::FaultOf { engine, faults })
    };
    engines.into_iter().filter_map(faults).collect()
}

fn too_busy(known: &ClaimInput<'_>) -> Option<HostTooBusy> {
    let of_event = |state: &EventState| HostTooBusy {
        decided: state.roster().decided_by_host,
        counts: state.roster().host_faults == HostFaults::Count,
        replayed: state
            .fault_counts()
            .voided()
            .map(|(_, games, _)| games)
            .sum(),
        unexcused: state
            .fault_counts()
            .unexcused()
            .map(|engine| state.board().engine_name(engine))
            .collect(),
    };
    let of_games = |statistics: &EventStatistics| HostTooBusy {
        decided: statistics.games.host_faults as u64,
        counts: false,
        replayed: 0,
        unexcused: Vec::new(),
    };
    let found = known
        .state
        .map(of_event)
        .or(known.statistics.map(of_games))?;
    (found.decided + found.replayed > 0).then_some(found)
}

fn of_statistics(statistics: &EventStatistics) -> Vec<Statement> {
    let ignored = statistics.node_use.iter().filter(|used| !used.is_obeyed());
    let mut said: Vec<Statement> = ignored
        .map(|used| Statement::LimitIgnored {
            engine: used.engine.clone(),
            nodes: used.nodes,
            limit: used.limit,
        })
        .collect();
    let copies = &statistics.duplicates;
    if copies.warning {
        said.push(Statement::GamesRepeat {
            games: copies.games,
            left_out: copies.replays,
            counted: copies.coincidences,
        });
    }
    if statistics.games.unreadable > 0 {
        let games = statistics.games.unreadable;
        said.push(Statement::NotUsable { games });
    }
    said
}
