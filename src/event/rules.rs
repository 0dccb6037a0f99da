//! The rules of the formats in which results decide who meets whom, and of the positions of their
//! rounds. An identity holds them as they are here.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::UnixMillis;
use crate::chess::start::Variant;
use crate::clock::Limits;

/// How one of two engines comes out of an encounter that its games have left level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EncounterTieBreak {
    /// More pairs won with both colours.
    DoubleWins,
    /// More games won with Black.
    BlackWins,
    /// The better seed.
    Seed,
    /// A lot that the event's seed has drawn.
    Lot,
}

/// The rules of a knockout, of a double elimination and of a ladder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EliminationRules {
    /// The engines by their places in the event file, the first seed first.
    pub seeds: Vec<u16>,
    /// Pairs of an encounter.
    pub pairs: u32,
    /// The same for the first rounds, where they have numbers of their own, the first round first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub round_pairs: Vec<u32>,
    /// Who has White in the first game of an encounter.
    #[serde(default, skip_serializing_if = "crate::text::is_usual")]
    pub first_white: FirstWhite,
    /// Whether pairs that cannot change who advances are left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ends_when_decided: bool,
    /// What is played while an encounter is level, one step after the other.
    pub playoffs: Vec<Playoff>,
    /// What decides then, in this order; the last decides always.
    pub tie_break: Vec<EncounterTieBreak>,
    /// Whether the losers of the semifinals meet.
    pub third_place: bool,
}

/// One step in which a level encounter is played off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Playoff {
    /// Pairs of the step; of an armageddon game 1.
    pub pairs: u32,
    /// How often it is played at most, while the encounter stays level.
    pub times: u32,
    /// The limits of its games by [`Color::index`](crate::chess::Color::index), if they are not the event's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<[Limits; 2]>,
    /// Whether it is one game in which a draw decides for Black, and who has White then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub armageddon: Option<ArmageddonWhite>,
}

/// Who has White in an armageddon game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArmageddonWhite {
    HigherSeed,
    LowerSeed,
    /// Who is drawn with the event's seed.
    Lot,
    /// Who bids more of White's time, in percent. The lower bid has Black and this time. Of equal bids a lot decides.
    Bid {
        /// Of each engine, by its place in the event file; `None`: its operator bids by a command.
        bids: Vec<Option<u8>>,
        /// How long after the game before it is waited for such a command.
        wait_seconds: u32,
    },
}

/// Who has White in the first game of an encounter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstWhite {
    /// The higher seed on every other board, in turn from round to round.
    #[default]
    Alternate,
    HigherSeed,
    LowerSeed,
}

impl EliminationRules {
    /// Pairs of an encounter of a round, without playoffs.
    pub(crate) fn pairs_of_round(&self, round: u16) -> u32 {
        let own = self.round_pairs.get(usize::from(round).wrapping_sub(1));
        own.copied().unwrap_or(self.pairs)
    }

    /// The most games that the playoffs of an encounter have.
    pub(crate) fn playoff_games(&self) -> u64 {
        let steps = self.playoffs.iter();
        let games = steps.map(|step| match step.armageddon {
            Some(_) => 1,
            None => 2 * u64::from(step.pairs) * u64::from(step.times),
        });
        games.sum()
    }

    /// The playoff to which a pair of an encounter belongs; `None` of one before them.
    pub(crate) fn playoff(&self, place: Place) -> Option<&Playoff> {
        let before = self.pairs_of_round(place.round);
        let mut nth = u32::from(place.pair).checked_sub(before + 1)?;
        self.playoffs.iter().find(|step| {
            let all = step.pairs * step.times;
            let is_it = nth < all;
            nth = nth.saturating_sub(all);
            is_it
        })
    }

    /// The number of pairs after which the step ends to which this number of pairs belongs or which it completes; `None`
    /// beyond the last step.
    pub(crate) fn end_of_step(&self, round: u16, pairs: u32) -> Option<u32> {
        let main = self.pairs_of_round(round);
        let turns = self.playoffs.iter();
        let turns = turns.flat_map(|step| (0..step.times).map(|_| step.pairs));
        let ends = turns.scan(main, |end, pairs| {
            *end += pairs;
            Some(*end)
        });
        std::iter::once(main).chain(ends).find(|end| *end >= pairs)
    }
}

crate::chess::worded! {
    /// What becomes of a game that a run has left behind when it was stopped or killed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum AfterInterruption,
    /// Its word in the event file.
    word: &'static str {
        /// It goes on behind its last move.
        Resume = "resume",
        /// It is played from its start.
        Replay = "replay",
    }
}

crate::chess::worded! {
    /// When the games with swapped colours are played.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum SwappedGames,
    /// Its word in the event file.
    word: &'static str {
        /// Each behind the first game of its pair.
        #[default]
        #[serde(rename = "after-game")]
        AtOnce = "after-game",
        /// When the first games of the round were played.
        AfterRound = "after-round",
        /// When those of all rounds were played in which everybody meets everybody once.
        AfterCycle = "after-cycle",
    }
}

impl SwappedGames {
    /// In words, where a game with swapped colours does not follow at once.
    pub(crate) fn words(self) -> Option<&'static str> {
        Some(match self {
            SwappedGames::AtOnce => return None,
            SwappedGames::AfterRound => {
                "games with swapped colours after all first games of the round"
            }
            SwappedGames::AfterCycle => {
                "games with swapped colours after all first games of the cycle"
            }
        })
    }
}

/// What an engine that is not paired gets for the round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ByePoints {
    /// All the points of an encounter (FIDE C.04.1, article 1.c: the pairing-allocated bye; TCEC alike).
    #[default]
    Win,
    /// Half of them.
    Draw,
    /// None.
    Nothing,
}

/// The rules of a Swiss.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwissRules {
    /// The engines by their places in the event file, the first seed first.
    pub seeds: Vec<u16>,
    /// Pairs of an encounter.
    pub pairs: u32,
    pub rounds: u16,
    /// Groups of seeds, of which the first meets the second in the first round, the third the
    /// fourth, and so on; 1: neighbours meet.
    pub groups: u16,
    /// Engines that are not to meet, by their places in the event file.
    pub forbidden: Vec<[u16; 2]>,
    /// The points of a bye.
    pub bye: ByePoints,
}

/// Which positions the pairs of an event get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PositionDraw {
    /// Every encounter is played on every position.
    #[default]
    Every,
    /// All boards of a round have the same.
    Round,
    /// Each encounter has its own.
    Encounter,
    /// Every pair of games takes the next one, for any players.
    Next,
}

impl PositionDraw {
    /// Whether rounds are chosen one after the other.
    pub(crate) fn is_in_rounds(self) -> bool {
        matches!(self, PositionDraw::Round | PositionDraw::Encounter)
    }
}

/// The most of its time that a player gives for a side, percent.
pub(crate) const MAX_GIVEN_PERCENT: u8 = 90;

crate::chess::worded! {
    /// How the players of a pair make its start themselves.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum OpeningSystem,
    /// In words.
    words: &'static str {
        /// Northam's alternate placing; each player may once move a piece instead.
        Northam = "Northam's placing",
        /// The same without moves.
        NorthamStrict = "Northam's placing without moves",
        /// The same with moves, kings and rooks placed too; an impasse is repaired by a move.
        NorthamFree = "Northam's placing of all eight pieces",
        /// Each player fills its own rank, bishops on squares of both colours.
        PreChess = "Pre-Chess",
        /// The same, with arrays of Chess960.
        #[serde(rename = "pre-chess-960")]
        PreChess960 = "Pre-Chess with arrays of Chess960",
        /// Sealed bids for a side of a start of transcendental chess.
        Auction = "an auction",
        /// Each may exchange two pieces on its first turn of transcendental chess.
        Exchange = "an exchange on the first turn",
        /// The auction, and then the exchange.
        AuctionExchange = "an auction and an exchange on the first turn",
        /// The auction, in which the players bid time instead of tempi.
        AuctionTime = "an auction with time",
        /// The players put pieces on either rank, bishops on squares of both colours: the set-up of
        /// Moab chess.
        Moab = "the set-up of Moab chess",
    }
}

impl OpeningSystem {
    /// The variant whose starts it makes.
    pub(crate) fn variant(self) -> Variant {
        use OpeningSystem::{Moab, Northam, NorthamFree, NorthamStrict, PreChess, PreChess960};
        match self {
            Northam | NorthamStrict | NorthamFree => Variant::Chess960,
            PreChess => Variant::Shuffle,
            PreChess960 => Variant::Dfrc,
            Moab => Variant::Moab,
            _ => Variant::Transcendental,
        }
    }

    /// Whether the players place the pieces, rather than to change a start of transcendental chess that is given.
    pub(crate) fn places(self) -> bool {
        self.variant() != Variant::Transcendental
    }

    /// Whether who has which colour is decided by bids.
    pub(crate) fn is_auction(self) -> bool {
        use OpeningSystem::{Auction, AuctionExchange, AuctionTime};
        matches!(self, Auction | AuctionExchange | AuctionTime)
    }
}

/// The rules by which starts are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningRules {
    /// How.
    pub system: OpeningSystem,
    /// The time of each player for one start, milliseconds.
    pub time_ms: u64,
    /// Whether the clocks of the games begin without what was used of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub on_clock: bool,
}

impl OpeningRules {
    /// The time of each player for one start.
    pub(crate) fn time(self) -> Duration {
        Duration::from_millis(self.time_ms)
    }
}

/// The colours of the engine that is named first, in the games of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Colours {
    /// The Berger tables' colours and their opposite, alternately.
    #[default]
    Balanced,
    /// White, then Black.
    WhiteBlack,
    /// Black, then White.
    BlackWhite,
    /// White in every game.
    White,
    /// Black in every game.
    Black,
}

/// How pairs that take the next position come in series, as cutechess-cli plays them: this number of games of two
/// engines one after the other, before the next two meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    /// Who meets whom after whom, where it is not one engine that meets the others.
    pub order: SeriesOrder,
    /// Games of two engines before the next two meet.
    pub games: u32,
    /// When the next position comes.
    pub opening: SeriesOpening,
}

/// In which order the engines of a round-robin meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeriesOrder {
    /// By rounds, the first engine at its place and the others moving round it.
    #[default]
    Circle,
    /// The second meets the first, the third those two, and so on.
    Pyramid,
}

/// When series take the next position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeriesOpening {
    /// After this number of games; and where more than two engines play, with each series.
    Games(u32),
    /// With each series; where two engines play there is one position.
    Series,
    /// With each round.
    Round,
}

/// When a round may begin. No part of what an event is: it changes no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RoundTime {
    /// Not before this moment.
    pub starts: Option<UnixMillis>,
    /// Not before this time after the last game.
    pub pause: Duration,
}

/// What the limits of a pair depend on in an event in rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairTerms {
    pub place: Place,
    /// The part of White's time that Black has by bids, in percent.
    pub black_percent: Option<u8>,
}

/// The place of a pair in an event in rounds; each from 1.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
pub struct Place {
    /// The round.
    pub round: u16,
    /// The board: one encounter of the round.
    pub board: u16,
    /// Which pair of the encounter.
    pub pair: u16,
}
