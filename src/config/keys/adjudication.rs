//! The keys of `[adjudication]` and of the tables in it.

use super::KeyKind::{Either, List, Text, Whole};
use super::keys;
use crate::config::entry::Entry;
use crate::config::value::words;
use crate::referee::{FlagFallRule, HostFaults, Preset, School, TablebaseResults};

words! {
    Preset = Preset::WORDS;
    School = School::WORDS;
}

words! {
    FlagFallRule { "loss" => Loss, "fide" => Fide }
    HostFaults { "count" => Count, "void" => Void, "replay" => Replay, "deduct" => Deduct }
    TablebaseResults { "all" => All, "wins" => Wins, "draws" => Draws }
}

keys! {
    /// The values of `[adjudication]`.
    Adjudication<'a>, "adjudication", "[adjudication]", "When the referee ends a game that the board has not ended (docs/adjudication.md).";

    preset: Preset [or "none"], "",
        "A known set of `school`, `draw` and `resign`: TCEC's draw rule (tcec, 35 5 15, no win by score); Fishtest's (fastchess, draw 34 8 20, resign 3 600 by one engine); for rating lists such as CCRL, which publish no numbers (cutechess, draw 40 10 10, resign 5 1000 by both); no rule by score. A `draw` or `resign` next to it replaces its own.",
        "preset = \"fishtest\"",
        refused ["together with `school`", "\"none\" with `draw` or `resign`"],
        also ["adjudication"];
    school: School [= "arbiter960"], "",
        "The way of counting: what restarts a count, and when the number of moves is tested.",
        "school = \"cutechess\"\ndraw = { from_move = 40, moves = 8, centipawns = 10 }";
    draw: Draw<'a> [or "none"], "",
        "A draw by score.",
        "draw = { from_move = 40, moves = 8, centipawns = 10 }";
    resign: Resign<'a> [or "none"], "",
        "A win by score.",
        "resign = { moves = 4, centipawns = 600 }";
    max_moves: u32 [or "no limit"] Whole(1, 100_000), "moves of both sides",
        "The game is drawn after this number of full moves; moves of the book do not count.",
        "max_moves = 200";
    flag_fall: FlagFallRule [= "loss"], "",
        "The result of a loss on time against an opponent that cannot mate: a loss, or a draw by FIDE article 6.9.",
        "flag_fall = \"fide\"";
    host_faults: HostFaults [or "\"replay\""], "",
        "What happens to a game lost on time because this machine kept the engine waiting: it counts as a loss; it is void; or it is void and played again in the same run. With \"deduct\" no clock is charged with the time for which the kernel shows that its engine waited for a processor (docs/reliability.md).",
        "host_faults = \"count\"";
    tablebases: Entry<'a> [or "none"] Either(&[Text, List(&Text)]), "",
        "Folders with Syzygy tables (KQvK.rtbw, KQvK.rtbz), relative to the event file: a game ends when they know its result (docs/tablebases.md).",
        "tablebases = [\"tables\"]",
        refused ["a folder without tables", "a damaged file"];
    tablebase_results: TablebaseResults [= "all"], "",
        "Which verdicts of `tablebases` end a game.",
        "tablebases = [\"tables\"]\ntablebase_results = \"draws\"",
        refused ["without `tablebases`"];
    tablebase_men: u32 [or "those of the largest table"] Whole(3, 7), "men on the board, the kings among them",
        "`tablebases` are asked from this number of men on.",
        "tablebases = [\"tables\"]\ntablebase_men = 4",
        refused ["without `tablebases`"];
    tablebase_fifty_moves: bool [= true], "",
        "Whether a win must come within fifty moves without capture and pawn move, counted from the last one. With false a win that takes longer counts.",
        "tablebases = [\"tables\"]\ntablebase_fifty_moves = false",
        refused ["without `tablebases`"];
    tablebase_zeroing: bool [= false], "",
        "Whether `tablebases` are asked only when the counter of the fifty moves is 0, as in the start position; as fastchess does.",
        "tablebases = [\"tables\"]\ntablebase_zeroing = true",
        refused ["without `tablebases`"];
}

keys! {
    /// The values of `adjudication.draw`.
    Draw<'a>, "draw", "adjudication.draw", "The game is drawn when the scores of both engines stayed within ± `centipawns` for `moves` full moves in a row.";

    from_move: u32 [= 1] Whole(0, 10_000), "full move of the game",
        "The first full move that counts; with another `school` than \"arbiter960\" all moves count, and this number must have been played before a draw.",
        "moves = 8\ncentipawns = 10\nfrom_move = 40",
        refused ["0 with `school` \"cutechess\" or \"tcec\""],
        also ["from", "movenumber"];
    moves: u32 [required] Whole(1, 10_000), "full moves in a row",
        "How long.",
        "centipawns = 10\nmoves = 8",
        also ["movecount"];
    centipawns: u32 [required] Whole(0, 100_000), "centipawns",
        "The largest score that counts, on either side of 0.",
        "moves = 8\ncentipawns = 10",
        also ["score"];
}

keys! {
    /// The values of `adjudication.resign`.
    Resign<'a>, "resign", "adjudication.resign", "The game is lost by an engine whose scores were at or below −`centipawns` for `moves` of its moves in a row.";

    moves: u32 [required] Whole(1, 10_000), "moves in a row",
        "How long.",
        "centipawns = 600\nmoves = 4",
        also ["movecount"];
    centipawns: u32 [required] Whole(1, 100_000), "centipawns",
        "The smallest score that counts.",
        "moves = 4\ncentipawns = 600",
        also ["score"];
    both_engines: bool [= true], "",
        "Whether the winner's scores must agree.",
        "moves = 4\ncentipawns = 600\nboth_engines = false",
        refused ["false with `school` \"tcec\""],
        also ["both", "twosided"];
}
