//! The keys of `[positions]`.

use super::KeyKind::{Boolean, Either, List, Number, Text, Whole};
use super::keys;
use crate::config::section::Entry;
use crate::config::value::words;
use crate::event::{OpeningSystem, PositionDraw};
use crate::schedule::polyglot::MoveChoice;

words! {
    /// What a book is.
    pub(in crate::config) enum BookFormat { "epd" => Epd, "pgn" => Pgn }
    /// In which order positions are played.
    pub(in crate::config) enum Order {
        /// As they are listed.
        "sequential" => Sequential,
        /// Drawn with the seed, again for every cycle.
        "random" => Random,
        /// As fastchess shuffles a book.
        "fastchess" => Fastchess,
        /// As cutechess-cli does.
        "cutechess" => Cutechess,
    }
}

words! {
    MoveChoice { "weighted" => Weighted, "best" => Best }
    PositionDraw { "every" => Every, "round" => Round, "encounter" => Encounter, "next" => Next }
    OpeningSystem {
        "northam" => Northam,
        "northam-strict" => NorthamStrict,
        "northam-free" => NorthamFree,
        "pre-chess" => PreChess,
        "pre-chess-960" => PreChess960,
        "auction" => Auction,
        "auction-time" => AuctionTime,
        "exchange" => Exchange,
        "auction-exchange" => AuctionExchange,
        "moab" => Moab,
    }
}

keys! {
    /// The values of `[positions]`.
    PositionKeys<'a>, "positions", "[positions]", "Where the games start: one of `all`, `numbers`, `sample` and `file`, or `sample` of a `file`.";

    /// Every start position of the variant.
    all: Entry<'a> [or "none"] Boolean, "all = true",
        refused ["false", "together with `numbers`, `sample` or `file`"];
    /// Start numbers, and ranges of them as strings. They are played in this order.
    numbers: Entry<'a> [or "none"] List(&Either(&[Whole(0, u32::MAX as i128), Text])),
        "numbers = [518, \"0-99\"]",
        refused ["a number that the variant does not have"];
    /// This number of positions, drawn with the seed: of all starts of the variant, or of the book `file`.
    sample: Entry<'a> [or "none"] Whole(1, 8_294_400), in "positions", "sample = 50",
        refused ["more than there are"];
    /// A book: EPD, FEN lines, PGN, or a Polyglot book (.bin); also compressed (.gz, .zst, .bz2); `-` is the standard
    /// input. Of a Polyglot book `sample` lines are drawn, or one of each start; the starts are `numbers` or `all`,
    /// else all in it.
    file: Entry<'a> [or "none"], "file = \"book.epd\"",
        refused ["it cannot be read", "a line, a game or an entry that is wrong, each with its place", "a Polyglot book in chess480 or moab"],
        also ["openings"];
    /// What the book is: lines of EPD or FEN, or games in PGN.
    format: BookFormat [or "by the name's ending"], "file = \"book.epd\"\nformat = \"epd\"",
        refused ["without `file`"];
    /// How many half-moves of each game of a PGN book are played; the longest line of a Polyglot book.
    plies: u32 [= 8] Whole(0, 1000), in "half-moves", "file = \"book.pgn\"\nplies = 12",
        refused ["without `file`"];
    /// In a Polyglot book: moves by weight, or the heaviest.
    choice: MoveChoice [= "weighted"], "file = \"book.bin\"\nchoice = \"best\"",
        refused ["without a Polyglot book", "\"best\" with `sample`"];
    /// As written; drawn with the seed, anew each time the list begins again; or as fastchess or cutechess-cli
    /// shuffle a book.
    order: Order [or "\"sequential\" for `numbers`, \"random\" for everything else"],
        "file = \"book.epd\"\norder = \"sequential\"";
    /// The first position of a book, from 1; those before it come last.
    start: Entry<'a> [or "1"] Whole(1, u32::MAX as i128),
        "file = \"book.epd\"\norder = \"sequential\"\nstart = 101",
        refused ["with order = \"random\"", "more than there are"];
    /// Only this number of positions is played, from the beginning of the book's order.
    limit: u32 [or "all"] Whole(1, u32::MAX as i128), in "positions",
        "file = \"book.epd\"\norder = \"sequential\"\nlimit = 100",
        refused ["with order = \"random\""];
    /// The positions of a pair (docs/formats.md). "every": every encounter on every position. "round": one for all
    /// boards of a round. "encounter": each its own. "next": every pair takes the next one, and at most `pairs`
    /// positions are played.
    draw: PositionDraw [or "\"every\" where the plan is known, \"round\" where results decide it"],
        "all = true\ndraw = \"round\"",
        refused ["\"every\" where results decide who meets whom", "\"round\" and \"encounter\" with a gauntlet, self-play, `games`, [sprt] or [adaptive]", "\"next\" with self-play or [adaptive], or where results decide who meets whom"];
    /// The two players of every pair make its start by their evaluations
    /// (docs/variants.md#starts-that-the-players-make): they place the pieces, one start for each of `pairs`, or
    /// change given starts by an auction or an exchange.
    opening: OpeningSystem [or "none"], "opening = \"northam\"",
        refused ["another variant than the system's", "more than two players, shards, [sprt], [adaptive], `games`, `draw`", "together with `all`, `numbers`, `sample` or `file` where pieces are placed", "\"auction-time\" with an engine without a clock or a time for each move"];
    /// The time of each player to make one start. Turns without time or answer are drawn.
    opening_time: f64 [= 5] Number(0.01, 86_400.0), in "seconds",
        "opening = \"northam\"\nopening_time = 2.5",
        refused ["without `opening`"];
    /// Whether a colour's clock begins its games without the time that the placing of its pieces took.
    opening_clock: bool [= false], "opening = \"northam\"\nopening_clock = true",
        refused ["without an `opening` in which pieces are placed", "an engine without a clock"];
    /// Start numbers and ranges that are left out.
    exclude: Entry<'a> [or "none"] List(&Either(&[Whole(0, u32::MAX as i128), Text])),
        "all = true\nexclude = [518]",
        refused ["a number that the variant does not have", "no position is left"];
}
