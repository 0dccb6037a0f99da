//! Who played a game of a PGN file, and which other game belongs to it.

use crate::pgn::RawGame;

use super::super::collection::{Collector, fnv1a, game_name, known_event};
use super::PgnFile;
use super::part::SaidOfGame;

impl Collector {
    /// The engines of White and Black. Where a name plays itself, its two copies are told apart.
    pub(super) fn opponents<'a>(
        &mut self,
        file: &mut PgnFile,
        game: &SaidOfGame,
        start: u32,
        text: impl Fn(u32) -> &'a String,
        mut engine: impl FnMut(&mut Self, u32) -> u16,
    ) -> [u16; 2] {
        let [white, black] = game.players;
        if white != black {
            return [engine(self, white), engine(self, black)];
        }
        let [first, second] = [1, 2].map(|copy| self.engine(&format!("{} #{copy}", text(white))));
        let second_is_white = game.second_copy_is_white.unwrap_or_else(|| {
            let turn = file.turns.entry((start, first)).or_insert(true);
            *turn = !*turn;
            *turn
        });
        if second_is_white {
            [second, first]
        } else {
            [first, second]
        }
    }
}

/// Whether the second copy of a name that plays itself has White; `None` if no tag says so.
pub(super) fn second_copy_is_white(game: &RawGame<'_>) -> Option<bool> {
    Some(game.tag("WhiteCopy")? == "2")
}

/// What is known of the engine on a side: its name, version and options.
pub(super) fn identity_text(game: &RawGame<'_>, side: &str) -> String {
    let tag = |name: &str| game.tag(&format!("{side}{name}"));
    let mut text = tag("").unwrap_or_default().into_owned();
    for name in ["Version", "Options"] {
        if let Some(value) = tag(name) {
            text.push('\n');
            text.push_str(&value);
        }
    }
    text
}

/// A game that no tag puts into a pair.
pub(super) struct LooseGame {
    index: usize,
    /// Start, the two engines, a hash of the round.
    meeting: (u32, u16, u16, u64),
    ascending: bool,
}

impl Collector {
    /// Two games of one round with the same start and the colours swapped are a
    /// pair. What is left is paired in order, once all games are known.
    pub(super) fn pair_by_round(&mut self, mut loose: Vec<LooseGame>) {
        loose.sort_by_key(|game| (game.meeting, game.index));
        let mut pairs = Vec::new();
        for games in loose.chunk_by(|a, b| a.meeting == b.meeting) {
            if let [first, second] = games
                && first.ascending != second.ascending
            {
                pairs.push([first.index, second.index]);
            }
        }
        // Numbered in the order of the file.
        pairs.sort_unstable();
        pairs.into_iter().for_each(|pair| self.join(pair));
    }
}

impl PgnFile {
    /// Remembers a game without the tag `Pair`, by its round.
    pub(super) fn loosen(
        &mut self,
        index: usize,
        game: &SaidOfGame,
        start: u32,
        [white, black]: [u16; 2],
    ) {
        self.loose.extend(game.round.map(|round| LooseGame {
            index,
            meeting: (start, white.min(black), white.max(black), round),
            ascending: white < black,
        }));
    }
}

/// A hash of the main number of the game's round, `12` of `12.1`; `None` if it has none.
pub(super) fn round_of(game: &RawGame<'_>) -> Option<u64> {
    let round = game.tag("Round")?;
    let main = round.split('.').next().unwrap_or_default().trim();
    let is_known = !matches!(main, "" | "?" | "-");
    is_known.then(|| fnv1a(main.bytes()))
}

/// What a game is called wherever it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum GameName {
    /// Event, players and pair or round: no other game of the event is called so.
    Full(u64),
    /// Without pair or round: several games may be called so.
    Vague(u64),
}

/// The name by the tags.
pub(super) fn game_name_of(game: &RawGame<'_>) -> GameName {
    let tag = |name: &str| game.tag(name).unwrap_or_default();
    let player = |side: &str| match game.tag(&format!("{side}Copy")) {
        Some(copy) => format!("{} #{copy}", tag(side)),
        None => tag(side).into_owned(),
    };
    let players = ["White", "Black"].map(player);
    let players = [players[0].as_str(), players[1].as_str()];
    let event = tag("Event");
    let event = known_event(&event);
    let pair = tag("Pair").trim().parse().ok();
    let round = tag("Round");
    match (pair, round.trim()) {
        (Some(pair), _) => GameName::Full(game_name(event, pair, players)),
        (None, "" | "?" | "-") => {
            GameName::Vague(game_name(event, fnv1a(tag("Date").bytes()), players))
        }
        (None, round) => GameName::Full(game_name(event, fnv1a(round.bytes()), players)),
    }
}
