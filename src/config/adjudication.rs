//! `[adjudication]`: when the referee ends a game that the board has not ended.

use std::path::PathBuf;
use std::sync::Arc;

use super::files::Context;
use super::keys::KeyKind::{Either, List, Text, Whole};
use super::keys::keys;
use super::problem::Problem;
use super::section::{Entry, Section};
use super::value::words;
use crate::platform::capabilities::Capability;
use crate::referee::{
    Adjudication, DrawRule, FlagFallRule, HostFaults, OpenTables, ResignRule, School,
    TablebaseResults, TablebaseRule,
};
use crate::tablebase::{Syzygy, Tablebase};

/// The rules; `usual` is the default of `host_faults`.
pub(super) fn read(section: Section<'_>, usual: HostFaults, context: &Context<'_>) -> Adjudication {
    let keys = AdjudicationKeys::read(section);
    if keys.host_faults.value == Some(HostFaults::Deduct) {
        keys.host_faults.needs(Capability::WaitEvidence);
    }
    Adjudication {
        tablebase: read_tablebases(&keys, context),
        flag_fall: keys.flag_fall.value,
        host_faults: keys.host_faults.value.unwrap_or(usual),
        ..by_score(&keys)
    }
}

/// The rules of a stage: draws and wins by score and length.
pub(super) fn of_stage(keys: &AdjudicationKeys<'_>) -> Adjudication {
    let shared = [
        &keys.tablebases.entry,
        &keys.flag_fall.entry,
        &keys.host_faults.entry,
    ];
    for entry in shared.into_iter().flatten() {
        let title = format!("`{}` is the same in all stages", entry.key);
        entry.error(title, "write it into [adjudication]");
    }
    if keys.tablebases.entry.is_none() {
        refuse_terms(keys);
    }
    by_score(keys)
}

fn by_score(keys: &AdjudicationKeys<'_>) -> Adjudication {
    let known = by_name(keys);
    let by_draw = keys.draw.value.as_ref();
    let by_draw = by_draw.map(|table| draw(table, known.school));
    let by_resign = keys.resign.value.as_ref();
    let by_resign = by_resign.map(|table| resign(table, known.school));
    Adjudication {
        draw: by_draw.or(known.draw),
        resign: by_resign.or(known.resign),
        max_moves: keys.max_moves.value,
        ..known
    }
}

/// The rules of `preset`, or none by the way of counting that `school` names.
fn by_name(keys: &AdjudicationKeys<'_>) -> Adjudication {
    let Some(preset) = keys.preset.value else {
        return Adjudication {
            school: keys.school.value,
            ..Adjudication::default()
        };
    };
    let title = "`school` and `preset` exclude each other: a preset has its school";
    keys.school.error(title, "take one of the two out");
    let contradicted = match (&keys.draw.entry, &keys.resign.entry) {
        (Some(entry), _) | (None, Some(entry)) => entry.key,
        (None, None) => return preset.rules(),
    };
    let title = format!("preset \"none\" has no rule by score, and there is `{contradicted}`");
    let help = format!("take `preset` or `{contradicted}` out");
    keys.preset.error_if(preset == Preset::None, title, help);
    preset.rules()
}

fn draw(keys: &DrawKeys<'_>, school: School) -> DrawRule {
    let from_move = &keys.from_move;
    let ends_nothing = matches!(school, School::Cutechess | School::Tcec) && from_move.value == 0;
    let title = "cutechess takes `from_move` 0 for no draw by score";
    let help = "from_move = 1 gives draws from the first move on";
    from_move.error_if(ends_nothing, title, help);
    DrawRule {
        from_move: from_move.value,
        moves: keys.moves.value.unwrap_or(1),
        centipawns: keys.centipawns.value.unwrap_or(0),
    }
}

fn resign(keys: &ResignKeys<'_>, school: School) -> ResignRule {
    let both_engines = &keys.both_engines;
    let title = "TCEC's way needs both engines for a win";
    let help = "take this out, or choose another `school`";
    both_engines.error_if(school == School::Tcec && !both_engines.value, title, help);
    ResignRule {
        moves: keys.moves.value.unwrap_or(1),
        centipawns: keys.centipawns.value.unwrap_or(1),
        both_engines: both_engines.value,
    }
}

/// Maximum number of missing files named.
const MAX_NAMED_TABLES: usize = 8;

/// The rule, if there are folders with tables.
fn read_tablebases(keys: &AdjudicationKeys<'_>, context: &Context<'_>) -> Option<TablebaseRule> {
    let Some(folders) = &keys.tablebases.entry else {
        refuse_terms(keys);
        return None;
    };
    let tables = open_tables(folders, keys.tablebase_men.value, context)?;
    let men = keys.tablebase_men.value.unwrap_or(tables.men());
    warn_of_missing(folders, &tables, men);
    Some(TablebaseRule {
        tables: OpenTables(Some(Arc::new(tables))),
        men,
        results: keys.tablebase_results.value,
        fifty_moves: keys.tablebase_fifty_moves.value,
        zeroing: keys.tablebase_zeroing.value,
    })
}

fn refuse_terms(keys: &AdjudicationKeys<'_>) {
    let terms = [
        &keys.tablebase_results.entry,
        &keys.tablebase_men.entry,
        &keys.tablebase_fifty_moves.entry,
        &keys.tablebase_zeroing.entry,
    ];
    for entry in terms.into_iter().flatten() {
        let title = format!("`{}` says nothing without tablebases", entry.key);
        entry.error(title, "tablebases = [\"../syzygy\"], or take this line out");
    }
}

fn open_tables(list: &Entry<'_>, men: Option<u32>, context: &Context<'_>) -> Option<Syzygy> {
    let entries = if list.is_string() {
        vec![list.clone()]
    } else {
        list.list()?
    };
    let folders = entries.iter();
    let folders = folders.filter_map(|entry| Some(context.path(entry.string()?)));
    let folders: Vec<PathBuf> = folders.collect();
    if entries.is_empty() {
        let help = "name a folder with files such as KQvK.rtbw, or take this line out";
        return list.refuse("`tablebases` names no folder", help);
    }
    if folders.len() < entries.len() {
        return None;
    }
    let unusable = |error| Problem::error(format!("`tablebases` cannot be used: {error}"));
    // The folders are read one by one, so that an error is reported at the place of its folder.
    for (entry, folder) in entries.iter().zip(&folders) {
        if let Err(error) = context.files.tablebases(std::slice::from_ref(folder), men) {
            let help = context.looked_for(entry.string()?);
            return entry.fail(unusable(error).help(help));
        }
    }
    let tables = context.files.tablebases(&folders, men);
    tables.map_or_else(|error| list.fail(unusable(error)), Some)
}

/// Reports which tables of a complete set are missing.
fn warn_of_missing(place: &Entry<'_>, tables: &Syzygy, men: u32) {
    let missing = tables.missing(men);
    if missing.is_empty() {
        return;
    }
    let (named, more) = missing.split_at(missing.len().min(MAX_NAMED_TABLES));
    let more = match more.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let title = format!(
        "of the tables of 3 to {men} men these are missing: {}{more}",
        named.join(", ")
    );
    let help = "without a .rtbw such endings are played on; without a .rtbz they are judged only after a capture or pawn move, or as draws";
    place.fail::<()>(Problem::warning(title).help(help));
}

impl Preset {
    /// Its rules by score; the other rules are the defaults of an event.
    pub(crate) fn rules(self) -> Adjudication {
        let draw = |from_move, moves, centipawns| {
            Some(DrawRule {
                from_move,
                moves,
                centipawns,
            })
        };
        let resign = |moves, centipawns, both_engines| {
            Some(ResignRule {
                moves,
                centipawns,
                both_engines,
            })
        };
        let (school, draw, resign) = match self {
            Preset::Tcec => (School::Tcec, draw(35, 5, 15), None),
            Preset::Fishtest => (School::Fastchess, draw(34, 8, 20), resign(3, 600, false)),
            Preset::Ccrl => (School::Cutechess, draw(40, 10, 10), resign(5, 1000, true)),
            Preset::None => (School::default(), None, None),
        };
        Adjudication {
            school,
            draw,
            resign,
            ..Adjudication::default()
        }
    }
}

words! {
    /// A known set of rules for draws and wins by score.
    pub(crate) enum Preset {
        /// TCEC's draw rule since season 21: from move 35 on, both engines within ±0.15 over 10
        /// half-moves; no win by score (<https://wiki.chessdom.org/Rules>).
        "tcec" => Tcec,
        /// What Fishtest's worker asks of fastchess for its tests (`-resign movecount=3 score=600 -draw
        /// movenumber=34 movecount=8 score=20`).
        "fishtest" => Fishtest,
        /// For rating lists such as CCRL, which publish no numbers for this: cutechess's way, with both engines agreed and
        /// limits so wide that a wrong result is very rare.
        "ccrl" => Ccrl,
        /// No rule by score.
        "none" => None,
    }
}

words! {
    School by word;
}

words! {
    FlagFallRule { "loss" => Loss, "fide" => Fide }
    HostFaults { "count" => Count, "void" => Void, "replay" => Replay, "deduct" => Deduct }
    TablebaseResults { "all" => All, "wins" => Wins, "draws" => Draws }
}

keys! {
    /// The values of `[adjudication]`.
    AdjudicationKeys<'a>, "adjudication", "[adjudication]", "When the referee ends a game that the board has not ended (docs/adjudication.md).";

    /// A known set of `school`, `draw` and `resign`: TCEC's (tcec, draw 35 5 15); Fishtest's (fastchess, draw 34 8
    /// 20, resign 3 600 by one engine); for lists such as CCRL (cutechess, draw 40 10 10, resign 5 1000 by both); or
    /// none. A `draw` or `resign` next to it replaces its own.
    preset: Preset [or "none"], "preset = \"fishtest\"",
        refused ["together with `school`", "\"none\" with `draw` or `resign`"],
        also ["adjudication"];
    /// The way of counting: what restarts a count, and when the number of moves is tested.
    school: School [= "arbiter960"],
        "school = \"cutechess\"\ndraw = { from_move = 40, moves = 8, centipawns = 10 }";
    /// A draw by score.
    draw: DrawKeys<'a> [or "none"], "draw = { from_move = 40, moves = 8, centipawns = 10 }";
    /// A win by score.
    resign: ResignKeys<'a> [or "none"], "resign = { moves = 4, centipawns = 600 }";
    /// The game is drawn after this number of full moves, without those of the book.
    max_moves: u32 [or "no limit"] Whole(1, 100_000), in "moves of both sides", "max_moves = 200";
    /// A loss on time against an opponent that cannot mate: a loss, or a draw (FIDE 6.9).
    flag_fall: FlagFallRule [= "loss"], "flag_fall = \"fide\"";
    /// A game lost on time because this machine kept the engine waiting counts as a loss; is void; or is void and
    /// played again. With "deduct" no clock is charged with such waiting (docs/reliability.md).
    host_faults: HostFaults [or "\"replay\""], "host_faults = \"count\"";
    /// Folders with Syzygy tables (KQvK.rtbw, KQvK.rtbz), relative to the event file: a game ends when they know its
    /// result (docs/tablebases.md).
    tablebases: Entry<'a> [or "none"] Either(&[Text, List(&Text)]), "tablebases = [\"tables\"]",
        refused ["a folder without tables", "a damaged file"];
    /// Which verdicts of `tablebases` end a game.
    tablebase_results: TablebaseResults [= "all"],
        "tablebases = [\"tables\"]\ntablebase_results = \"draws\"",
        refused ["without `tablebases`"];
    /// `tablebases` are asked from this number of men on.
    tablebase_men: u32 [or "those of the largest table"] Whole(3, 7), in "men on the board, the kings among them",
        "tablebases = [\"tables\"]\ntablebase_men = 4",
        refused ["without `tablebases`"];
    /// Whether a win must come within fifty moves since the last capture or pawn move.
    tablebase_fifty_moves: bool [= true],
        "tablebases = [\"tables\"]\ntablebase_fifty_moves = false",
        refused ["without `tablebases`"];
    /// Whether `tablebases` are asked only when the counter of the fifty moves is 0, as fastchess does.
    tablebase_zeroing: bool [= false], "tablebases = [\"tables\"]\ntablebase_zeroing = true",
        refused ["without `tablebases`"];
}

keys! {
    /// The values of `adjudication.draw`.
    DrawKeys<'a>, "draw", "adjudication.draw", "The game is drawn when the scores of both engines stayed within ± `centipawns` for `moves` full moves in a row.";

    /// The first full move that counts; with another `school` than "arbiter960" all moves count, and this number must
    /// have been played before a draw.
    from_move: u32 [= 1] Whole(0, 10_000), in "full move of the game",
        "moves = 8\ncentipawns = 10\nfrom_move = 40",
        refused ["0 with `school` \"cutechess\" or \"tcec\""], also ["from", "movenumber"];
    /// How long.
    moves: u32 [required] Whole(1, 10_000), in "full moves in a row", "centipawns = 10\nmoves = 8",
        also ["movecount"];
    /// The largest score that counts, on either side of 0.
    centipawns: u32 [required] Whole(0, 100_000), in "centipawns", "moves = 8\ncentipawns = 10",
        also ["score"];
}

keys! {
    /// The values of `adjudication.resign`.
    ResignKeys<'a>, "resign", "adjudication.resign", "The game is lost by an engine whose scores were at or below −`centipawns` for `moves` of its moves in a row.";

    /// How long.
    moves: u32 [required] Whole(1, 10_000), in "moves in a row", "centipawns = 600\nmoves = 4",
        also ["movecount"];
    /// The smallest score that counts.
    centipawns: u32 [required] Whole(1, 100_000), in "centipawns", "moves = 4\ncentipawns = 600",
        also ["score"];
    /// Whether the winner's scores must agree.
    both_engines: bool [= true], "moves = 4\ncentipawns = 600\nboth_engines = false",
        refused ["false with `school` \"tcec\""], also ["both", "twosided"];
}
