//! The keys of `[event]`.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::KeyKind::{List, Text, Whole};
use super::keys;
use crate::chess::start::Variant;
use crate::config::entry::Entry;
use crate::config::value::{WrittenValue, words};
use crate::event::Colours;
use crate::event::identity::FormatWord;

words! {
    Variant by name;
}

words! {
    FormatWord {
        "match" => Match,
        "round-robin" => RoundRobin,
        "gauntlet" => Gauntlet,
        "knockout" => Knockout,
        "double-elimination" => DoubleElimination,
        "ladder" => Ladder,
        "swiss" => Swiss,
    }
    Colours {
        "balanced" => Balanced,
        "white-black" => WhiteBlack,
        "black-white" => BlackWhite,
        "white" => White,
        "black" => Black,
    }
}

keys! {
    /// The values of `[event]`.
    Event<'a>, "event", "[event]", "The name, the plan, and who meets whom.";

    name: String [required], "",
        "The name of the event, in the PGN and as the folder of its results: results/NAME.",
        "name = \"First steps\"",
        refused ["not the name of a folder: empty, `.` or `..`, a slash, a control character, more than 200 bytes"];
    site: String [= "?"], "",
        "The `Site` tag of the PGN.",
        "site = \"Mainz\"";
    seed: u64 [or "drawn, printed and recorded"] Whole(0, u64::MAX as i128), "",
        "Decides every random choice: the sample, the order of the positions, varied node limits. The same file and seed make the same plan. Without it the event draws and prints one.",
        "seed = 960";
    public_source: String [or "the seed has no public part"], "",
        "The source of the public part of the seed, which is announced later (`arbiter960 draw --help`).",
        "seed = 7\npublic_source = \"lottery 6 of 49 of 2026-12-05\"",
        refused ["without `seed`", "together with `sample`"];
    public_seed: String [or "not announced yet: nothing can be played"], "",
        "The announced text, letter by letter. It and `seed` make the seed of the event.",
        "seed = 7\npublic_source = \"lottery 6 of 49 of 2026-12-05\"\npublic_seed = \"3 11 19 27 33 41\"",
        refused ["without `public_source`"];
    variant: Variant [or "\"chess960\""], "",
        "The rules, and which start positions there are (docs/variants.md).",
        "variant = \"dfrc\"";
    format: FormatWord [or "\"match\" for two engines, \"round-robin\" for more"], "",
        "Who meets whom (docs/formats.md). The last four are played in rounds, as results decide.",
        "format = \"round-robin\"",
        refused ["a match of more than two", "\"swiss\" without [swiss]", "in rounds with [sprt], [adaptive] or `games`"];
    heroes: Entry<'a> [or "the first engine"] List(&Text), "",
        "The engines of a gauntlet that meet all the others, by name.",
        "format = \"gauntlet\"\nheroes = [\"New\"]",
        refused ["without format = \"gauntlet\"", "no engine of this name", "every engine, or none"];
    pairs: u32 [= 1] Whole(1, 1_000_000_000), "pairs of games",
        "How often every two engines meet on each position, each time with both colours. In a knockout, a double elimination, a ladder and a Swiss: the pairs of an encounter. With `draw`: how often every two meet.",
        "pairs = 4",
        refused ["together with `games`"];
    games: u64 [or "every position is played `pairs` times"] Whole(1, 2_000_000_000), "games",
        "The event ends after this number of games: a longer list of positions is cut, a shorter one begins again.",
        "games = 500",
        refused ["an odd number: games come in pairs with the colours swapped", "together with `pairs`, [sprt] or [adaptive]"];
    pair_games: u8 [or "2; 1 where an engine that plays itself would repeat its game"] Whole(1, 2), "games",
        "The games of a pair. 1: no game with swapped colours, so the start position's advantage is not cancelled.",
        "pair_games = 2",
        refused ["1 without draw = \"next\" in [positions]"];
    colours: Colours [= "balanced"], "",
        "The colours of the engine that is named first, in the games of a pair, as fastchess and cutechess-cli give them with -noswap and -reverse.",
        "colours = \"balanced\"",
        refused ["another than \"balanced\" without draw = \"next\" in [positions]"];
    concurrency: NonZeroUsize [= 1] Whole(1, 1024), "games at once",
        "How many games are played at once: at most one a core; `arbiter960 doctor --engine` recommends a number.",
        "concurrency = 4";
    cpus_per_lane: NonZeroUsize [or "the system places the engines"] Whole(1, 1024), "processors",
        "Processors for each game that no other game and no other event on this machine uses.",
        "cpus_per_lane = 1",
        refused ["together with the `cpus` of an engine", "more than the machine has"];
    pause: Duration [or "none"], "seconds",
        "How long a lane waits between two games, so that the machine cools down.",
        "pause = 5";
    replacements: bool [= true], "",
        "Whether the arbiter may replace an engine by another build (`arbiter960 decide RESULTS replace ENGINE`).",
        "replacements = false";
    keep_lines: Vec<WrittenValue<'a, String>> [or "[]"], "",
        "Regular expressions. The store keeps, for each search and expression, the last line of the engine that matches (column `lines`, docs/store.md).",
        "keep_lines = [\"^info string \"]",
        refused ["not a regular expression", "more than 16"];
}
