//! `[adjudication]`: when the referee ends a game that the board has not ended.

use super::context::Context;
use super::problem::Problem;
use super::section::Section;
use super::tablebases;
use crate::referee::{
    Adjudication, DrawRule, FlagFallRule, HostFaults, Preset, ResignRule, School,
};

/// The rules; `host_faults` is what holds where the file does not say it.
pub(super) fn read(
    section: Option<Section<'_>>,
    host_faults: HostFaults,
    context: &Context<'_>,
) -> Adjudication {
    let usual = Adjudication {
        host_faults,
        ..Adjudication::default()
    };
    let Some(mut section) = section else {
        return usual;
    };
    let known = by_name(&mut section);
    let flag_falls = [("loss", FlagFallRule::Loss), ("fide", FlagFallRule::Fide)];
    let host_faults = [
        ("count", HostFaults::Count),
        ("void", HostFaults::Void),
        ("replay", HostFaults::Replay),
    ];
    let draw = section.table("draw").map(|table| draw(table, known.school));
    let resign = section
        .table("resign")
        .map(|table| resign(table, known.school));
    let adjudication = Adjudication {
        school: known.school,
        draw: draw.or(known.draw),
        resign: resign.or(known.resign),
        max_moves: section
            .optional("max_moves")
            .and_then(|entry| entry.integer(1..=100_000)),
        tablebase: tablebases::read(&mut section, context),
        flag_fall: section
            .optional("flag_fall")
            .and_then(|entry| entry.choice(&flag_falls))
            .unwrap_or_default(),
        host_faults: section
            .optional("host_faults")
            .and_then(|entry| entry.choice(&host_faults))
            .unwrap_or(usual.host_faults),
    };
    section.finish();
    adjudication
}

/// The rules of `preset`, or none by the way of counting that `school` names.
fn by_name(section: &mut Section<'_>) -> Adjudication {
    let preset_entry = section.optional("preset");
    let school_entry = section.optional("school");
    let preset = preset_entry
        .as_ref()
        .and_then(|entry| entry.choice(&Preset::WORDS));
    let school = school_entry
        .as_ref()
        .and_then(|entry| entry.choice(&School::WORDS))
        .unwrap_or_default();
    let Some(preset) = preset else {
        return Adjudication {
            school,
            ..Adjudication::default()
        };
    };
    if let Some(entry) = school_entry {
        let title = "`school` and `preset` exclude each other: a preset has its school";
        entry.fail::<()>(Problem::error(title).help("take one of the two out"));
    }
    let contradicted = ["draw", "resign"]
        .into_iter()
        .find(|key| section.has_own(key));
    if let (Preset::None, Some(key)) = (preset, contradicted) {
        let title = format!("preset \"none\" has no rule by score, and there is `{key}`");
        let problem = Problem::error(title).help(format!("take `preset` or `{key}` out"));
        preset_entry.map(|entry| entry.fail::<()>(problem));
    }
    preset.rules()
}

fn draw(mut section: Section<'_>, school: School) -> DrawRule {
    let from_entry = section.optional("from_move");
    let from_move = from_entry
        .as_ref()
        .and_then(|entry| entry.integer(0..=10_000));
    if let (School::Cutechess | School::Tcec, Some(0), Some(entry)) =
        (school, from_move, &from_entry)
    {
        let title = "cutechess takes `from_move` 0 for no draw by score";
        let help = "from_move = 1 gives draws from the first move on";
        entry.fail::<()>(Problem::error(title).help(help));
    }
    let rule = DrawRule {
        from_move: from_move.unwrap_or(1),
        moves: required(&mut section, "moves", "moves = 8", 1..=10_000),
        centipawns: required(&mut section, "centipawns", "centipawns = 10", 0..=100_000),
    };
    section.finish();
    rule
}

fn resign(mut section: Section<'_>, school: School) -> ResignRule {
    let both_engines = section.optional("both_engines");
    let both = both_engines.as_ref().and_then(|entry| entry.boolean());
    if let (School::Tcec, Some(false), Some(entry)) = (school, both, &both_engines) {
        let title = "TCEC's way needs both engines for a win";
        let help = "take this out, or choose another `school`";
        entry.fail::<()>(Problem::error(title).help(help));
    }
    let rule = ResignRule {
        moves: required(&mut section, "moves", "moves = 4", 1..=10_000),
        centipawns: required(&mut section, "centipawns", "centipawns = 600", 1..=100_000),
        both_engines: both.unwrap_or(true),
    };
    section.finish();
    rule
}

fn required(
    section: &mut Section<'_>,
    key: &'static str,
    example: &str,
    range: std::ops::RangeInclusive<u32>,
) -> u32 {
    let least = *range.start();
    let entry = section.required(key, example);
    entry
        .and_then(|entry| entry.integer(range))
        .unwrap_or(least)
}
