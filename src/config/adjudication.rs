//! `[adjudication]`: when the referee ends a game that the board has not ended.

use super::context::Context;
use super::keys::adjudication as keys;
use super::problem::Problem;
use super::section::Section;
use super::tablebases;
use crate::platform::capabilities::Capability;
use crate::referee::{Adjudication, DrawRule, HostFaults, Preset, ResignRule, School};

/// The rules; `host_faults` is the default of that key.
pub(super) fn read(
    section: Section<'_>,
    host_faults: HostFaults,
    context: &Context<'_>,
) -> Adjudication {
    let keys = keys::Adjudication::read(section);
    if keys.host_faults.value == Some(HostFaults::Deduct) {
        keys.host_faults.needs(Capability::WaitEvidence);
    }
    let known = by_name(&keys);
    let by_draw = keys.draw.value.as_ref();
    let by_resign = keys.resign.value.as_ref();
    Adjudication {
        school: known.school,
        draw: by_draw
            .map(|table| draw(table, known.school))
            .or(known.draw),
        resign: by_resign
            .map(|table| resign(table, known.school))
            .or(known.resign),
        max_moves: keys.max_moves.value,
        tablebase: tablebases::read(&keys, context),
        flag_fall: keys.flag_fall.value,
        host_faults: keys.host_faults.value.unwrap_or(host_faults),
    }
}

/// The rules of `preset`, or none by the way of counting that `school` names.
fn by_name(keys: &keys::Adjudication<'_>) -> Adjudication {
    let Some(preset) = keys.preset.value else {
        return Adjudication {
            school: keys.school.value,
            ..Adjudication::default()
        };
    };
    keys.school.fail_if(true, || {
        let title = "`school` and `preset` exclude each other: a preset has its school";
        Problem::error(title).help("take one of the two out")
    });
    let contradicted = match (&keys.draw.entry, &keys.resign.entry) {
        (Some(entry), _) | (None, Some(entry)) => entry.key,
        (None, None) => return preset.rules(),
    };
    keys.preset.fail_if(preset == Preset::None, || {
        let title = format!("preset \"none\" has no rule by score, and there is `{contradicted}`");
        Problem::error(title).help(format!("take `preset` or `{contradicted}` out"))
    });
    preset.rules()
}

fn draw(keys: &keys::Draw<'_>, school: School) -> DrawRule {
    let from_move = &keys.from_move;
    let ends_nothing = matches!(school, School::Cutechess | School::Tcec) && from_move.value == 0;
    from_move.fail_if(ends_nothing, || {
        let title = "cutechess takes `from_move` 0 for no draw by score";
        Problem::error(title).help("from_move = 1 gives draws from the first move on")
    });
    DrawRule {
        from_move: from_move.value,
        moves: keys.moves.value.unwrap_or(1),
        centipawns: keys.centipawns.value.unwrap_or(0),
    }
}

fn resign(keys: &keys::Resign<'_>, school: School) -> ResignRule {
    let both_engines = &keys.both_engines;
    both_engines.fail_if(school == School::Tcec && !both_engines.value, || {
        let title = "TCEC's way needs both engines for a win";
        Problem::error(title).help("take this out, or choose another `school`")
    });
    ResignRule {
        moves: keys.moves.value.unwrap_or(1),
        centipawns: keys.centipawns.value.unwrap_or(1),
        both_engines: both_engines.value,
    }
}
