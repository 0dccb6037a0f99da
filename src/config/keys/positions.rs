//! The keys of `[positions]`.

use super::KeyKind::{Boolean, Either, List, Number, Text, Whole};
use super::keys;
use crate::config::entry::Entry;
use crate::config::value::words;
use crate::event::{OpeningSystem, PositionDraw};
use crate::schedule::polyglot::MoveChoice;

/// What a book is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::config) enum BookFormat {
    Epd,
    Pgn,
}

/// In which order positions are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::config) enum Order {
    /// As they are listed.
    Sequential,
    /// Drawn with the seed, again for every cycle.
    Random,
    /// As fastchess shuffles a book.
    Fastchess,
    /// As cutechess-cli does.
    Cutechess,
}

words! {
    BookFormat { "epd" => Epd, "pgn" => Pgn }
    MoveChoice { "weighted" => Weighted, "best" => Best }
    Order {
        "sequential" => Sequential,
        "random" => Random,
        "fastchess" => Fastchess,
        "cutechess" => Cutechess,
    }
    PositionDraw { "every" => Every, "round" => Round, "encounter" => Encounter, "next" => Next }
    OpeningSystem {
        "northam" => Northam,
        "northam-strict" => NorthamStrict,
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
    Positions<'a>, "positions", "[positions]", "Where the games start: one of `all`, `numbers`, `sample` and `file`, or `sample` of a `file`.";

    all: Entry<'a> [or "none"] Boolean, "",
        "Every start position of the variant.",
        "all = true",
        refused ["false", "together with `numbers`, `sample` or `file`"];
    numbers: Entry<'a> [or "none"] List(&Either(&[Whole(0, u32::MAX as i128), Text])), "",
        "Start numbers, and ranges of them as strings. They are played in this order.",
        "numbers = [518, \"0-99\"]",
        refused ["a number that the variant does not have"];
    sample: Entry<'a> [or "none"] Whole(1, 8_294_400), "positions",
        "This number of positions, drawn with the seed: of all starts of the variant, or of the book `file`.",
        "sample = 50",
        refused ["more than there are"];
    file: Entry<'a> [or "none"], "",
        "A book: lines of EPD or FEN, games in PGN, or moves of a Polyglot book (.bin); also compressed (.gz, .zst, .bz2); `-` is the standard input. From a Polyglot book, lines with different last positions are drawn before the event: `sample` of them, or one of each start. The starts are `numbers` or `all`, else all in the book. The path is relative to the event file.",
        "file = \"book.epd\"",
        refused ["it cannot be read", "a line, a game or an entry that is wrong, each with its place", "a Polyglot book in chess480 or moab"],
        also ["openings"];
    format: BookFormat [or "by the name's ending"], "",
        "What the book is: lines of EPD or FEN, or games in PGN.",
        "file = \"book.epd\"\nformat = \"epd\"",
        refused ["without `file`"];
    plies: u32 [= 8] Whole(0, 1000), "half-moves",
        "How many half-moves of each game of a PGN book are played; the longest line of a Polyglot book.",
        "file = \"book.pgn\"\nplies = 12",
        refused ["without `file`"];
    choice: MoveChoice [= "weighted"], "",
        "In a Polyglot book: each move is drawn with the probability of its weight, or the move with the largest weight is taken (one line of each start).",
        "file = \"book.bin\"\nchoice = \"best\"",
        refused ["without a Polyglot book", "\"best\" with `sample`"];
    order: Order [or "\"sequential\" for `numbers`, \"random\" for everything else"], "",
        "The order of positions: as written; drawn with the seed, differently each time the list begins again; or as fastchess or cutechess-cli shuffle a book with this seed, once.",
        "file = \"book.epd\"\norder = \"sequential\"";
    start: Entry<'a> [or "1"] Whole(1, u32::MAX as i128), "",
        "The first position of a book, counted from 1; those before it come after the last.",
        "file = \"book.epd\"\norder = \"sequential\"\nstart = 101",
        refused ["with order = \"random\"", "more than there are"];
    limit: u32 [or "all"] Whole(1, u32::MAX as i128), "positions",
        "Only this number of positions is played, from the beginning of the book's order; no other line of EPD or FEN is read.",
        "file = \"book.epd\"\norder = \"sequential\"\nlimit = 100",
        refused ["with order = \"random\""];
    draw: PositionDraw [or "\"every\" where the plan is known, \"round\" where results decide it"], "",
        "The positions of a pair (docs/formats.md). \"every\": every encounter on every position. \"round\": all boards of a round have the same one. \"encounter\": each its own. \"next\": every pair takes the next one, as in fastchess and cutechess-cli, and at most `pairs` positions are played.",
        "all = true\ndraw = \"round\"",
        refused ["\"every\" where results decide who meets whom", "\"round\" and \"encounter\" with a gauntlet, self-play, `games`, [sprt] or [adaptive]", "\"next\" with self-play or [adaptive], or where results decide who meets whom"];
    opening: OpeningSystem [or "none"], "",
        "The two players of every pair make its start before the first game, by their evaluations (docs/variants.md#starts-that-the-players-make). They place the pieces, one start for each of `pairs`; or they change the given starts of transcendental chess by an auction, by exchanges, or by both.",
        "opening = \"northam\"",
        refused ["another variant than the system's", "more than two players, shards, [sprt], [adaptive], `games`, `draw`", "together with `all`, `numbers`, `sample` or `file` where pieces are placed", "\"auction-time\" with an engine without a clock or a time for each move"];
    opening_time: f64 [= 5] Number(0.01, 86_400.0), "seconds",
        "The time of each player to make one start. Turns without time or answer are drawn.",
        "opening = \"northam\"\nopening_time = 2.5",
        refused ["without `opening`"];
    exclude: Entry<'a> [or "none"] List(&Either(&[Whole(0, u32::MAX as i128), Text])), "",
        "Start numbers and ranges that are left out.",
        "all = true\nexclude = [518]",
        refused ["a number that the variant does not have", "no position is left"];
}
