//! `[adjudication]`: when the referee ends a game that the board has not ended.

use super::section::Section;
use crate::referee::{Adjudication, DrawRule, FlagFallRule, HostFaults, ResignRule};

/// The rules; `host_faults` is what holds where the file does not say it.
pub(super) fn read(section: Option<Section<'_>>, host_faults: HostFaults) -> Adjudication {
    let Some(mut section) = section else {
        return Adjudication {
            host_faults,
            ..Adjudication::default()
        };
    };
    let usual = host_faults;
    let flag_falls = [("loss", FlagFallRule::Loss), ("fide", FlagFallRule::Fide)];
    let host_faults = [
        ("count", HostFaults::Count),
        ("void", HostFaults::Void),
        ("replay", HostFaults::Replay),
    ];
    let adjudication = Adjudication {
        draw: section.table("draw").map(draw),
        resign: section.table("resign").map(resign),
        max_moves: section
            .optional("max_moves")
            .and_then(|entry| entry.integer(1..=100_000)),
        tablebases: Vec::new(),
        flag_fall: section
            .optional("flag_fall")
            .and_then(|entry| entry.choice(&flag_falls))
            .unwrap_or_default(),
        host_faults: section
            .optional("host_faults")
            .and_then(|entry| entry.choice(&host_faults))
            .unwrap_or(usual),
    };
    section.later("tablebases");
    section.finish();
    adjudication
}

fn draw(mut section: Section<'_>) -> DrawRule {
    let from_move = section.optional("from_move");
    let rule = DrawRule {
        from_move: from_move
            .and_then(|entry| entry.integer(1..=10_000))
            .unwrap_or(1),
        moves: required(&mut section, "moves", "moves = 8", 10_000),
        centipawns: required(&mut section, "centipawns", "centipawns = 10", 100_000),
    };
    section.finish();
    rule
}

fn resign(mut section: Section<'_>) -> ResignRule {
    let both_engines = section.optional("both_engines");
    let rule = ResignRule {
        moves: required(&mut section, "moves", "moves = 4", 10_000),
        centipawns: required(&mut section, "centipawns", "centipawns = 600", 100_000),
        both_engines: both_engines
            .and_then(|entry| entry.boolean())
            .unwrap_or(true),
    };
    section.finish();
    rule
}

fn required(section: &mut Section<'_>, key: &'static str, example: &str, most: u32) -> u32 {
    let entry = section.required(key, example);
    entry.and_then(|entry| entry.integer(1..=most)).unwrap_or(1)
}
