//! What an event is: everything on which its games depend, and by which the store knows
//! whether an event file is still the one that it was begun with.
//!
//! | file | what |
//! |---|---|
//! | `difference` | in what two identities differ, for people |
//! | `engine` | one engine: its program, files, options and limits |
//! | `settings` | positions, test and adaptive choice; what an organiser commits to before an event |
//! | this one | the event as a whole, and whether two make the same plan |
//!
//! **Invariant: no decision looks at a path, a key or a display text.** Identities are compared
//! as values; their JSON is for the store, and for people.

mod difference;
mod engine;
mod settings;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{
    AfterInterruption, Colours, EliminationRules, OpeningRules, PositionDraw, Series, StageRules,
    SwissRules,
};
use crate::chess::start::Variant;
use crate::clock::Limits;
use crate::event::FaultRules;
use crate::referee::Adjudication;
use crate::stats::standings::TieBreak;

pub(crate) use difference::Difference;
pub use engine::Restart;
pub(crate) use engine::{
    EventEngine, FileIdentity, LaunchIdentity, Protocol, repeats_itself, threads,
};
pub(crate) use settings::{
    AdaptiveTerms, Boundary, FormatWord, PositionsIdentity, SprtTerms, TestedAgainst, combined_seed,
};

/// The version of [`EventIdentity`].
pub(crate) const IDENTITY_VERSION: u32 = 2;

/// An event as far as its games depend on it. Not concurrency, timeouts, logging, or how long a
/// test or an adaptive event may go on. Fields that a sealed record may lack have a default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventIdentity {
    /// `IDENTITY_VERSION`.
    pub version: u32,
    /// The variant of chess.
    pub variant: Variant,
    /// Who meets whom.
    pub format: FormatWord,
    /// The names of a gauntlet's heroes; none elsewhere.
    pub heroes: Vec<String>,
    /// Pairs per position and encounter; `None` where a test or the results decide.
    pub pairs: Option<u32>,
    /// Games of a pair, 1 or 2.
    pub games_per_pair: u8,
    /// The rules of a knockout, a double elimination or a ladder.
    pub elimination: Option<EliminationRules>,
    /// The rules of a Swiss.
    pub swiss: Option<SwissRules>,
    /// The stages of an event that is played in them, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageRules>,
    /// Whether each round or encounter has its own positions.
    #[serde(default)]
    pub draw: PositionDraw,
    /// Who has which colour, where that is not balanced.
    #[serde(default)]
    pub colours: Colours,
    /// How many games two engines play before the next two meet, if the event file has it.
    pub series: Option<Series>,
    /// The positions.
    pub positions: PositionsIdentity,
    /// The order in which the positions are played, if it is not drawn with the seed.
    pub order: Option<String>,
    /// How the players make the starts themselves, if they do.
    pub opening: Option<OpeningRules>,
    /// The engines, in the order of the event file.
    pub engines: Vec<EventEngine>,
    /// The limits of White and Black in every game, if they are not those of the engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits_by_colour: Option<[Limits; 2]>,
    /// The same for the first rounds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub round_limits: Vec<Option<[Limits; 2]>>,
    /// The files of the book and of all engines, each once.
    pub files: Vec<FileIdentity>,
    /// When the referee ends a game.
    pub adjudication: Adjudication,
    /// What a fault costs.
    #[serde(default)]
    pub faults: FaultRules,
    /// The hypotheses of a sequential test.
    pub sprt: Option<SprtTerms>,
    /// Where pairs go if that depends on results.
    pub adaptive: Option<AdaptiveTerms>,
    /// The order of engines with equal points, if the event file has it.
    #[serde(default)]
    pub standings: Vec<TieBreak>,
    /// Whether the event forbids other builds of its engines.
    #[serde(default)]
    pub no_replacements: bool,
    /// What becomes of a game that a run has left behind, if the event file has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<AfterInterruption>,
    /// Decides every random choice.
    pub seed: u64,
    /// Of what the seed was made, if a part of it was announced in public.
    pub public_draw: Option<PublicDraw>,
}

/// A seed of which a part is announced by somebody else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublicDraw {
    /// The part that the organiser has chosen.
    pub seed: u64,
    /// Who announces the other, and when.
    pub source: String,
    /// What was announced; `None` before.
    pub announced: Option<String>,
}

/// More rounds only make the plan longer, and rounds that were paired are read from the store: whom
/// the next ones may not bring together can still change.
fn of_paired_rounds(swiss: &Option<SwissRules>) -> Option<SwissRules> {
    let mut rules = swiss.clone()?;
    (rules.rounds, rules.forbidden) = (0, Vec::new());
    Some(rules)
}

impl EventIdentity {
    /// The JSON that the store keeps, its keys in alphabetical order.
    pub fn to_json(&self) -> String {
        difference::value(self).to_string()
    }

    /// The seed that the organiser has chosen, of which that of the event may be a part.
    pub(crate) fn organisers_seed(&self) -> u64 {
        let public = self.public_draw.as_ref();
        public.map_or(self.seed, |public| public.seed)
    }

    /// The place of the engine of this name.
    pub(crate) fn engine_named(&self, name: &str) -> Option<u16> {
        let mut engines = (0..).zip(&self.engines);
        let (place, _) = engines.find(|(_, engine)| engine.name == name)?;
        Some(place)
    }

    /// What orders engines with equal points.
    pub(crate) fn tie_breaks(&self) -> Vec<TieBreak> {
        match (self.standings.as_slice(), self.format) {
            ([], FormatWord::Swiss) => TieBreak::SWISS.to_vec(),
            ([], _) => TieBreak::DEFAULT.to_vec(),
            (stated, _) => stated.to_vec(),
        }
    }

    /// Whether both make the same plan, so that a pair's number means the same pair in both.
    /// More pairs per position only make the plan longer.
    pub fn same_plan(&self, other: &EventIdentity) -> bool {
        let [ours, theirs] = [self, other].map(|identity| {
            let engines = identity.engines.iter();
            engines.map(|engine| (&engine.name, engine.copies))
        });
        self.variant == other.variant
            && self.format == other.format
            && self.heroes == other.heroes
            && self.positions == other.positions
            && self.draw == other.draw
            && self.colours == other.colours
            && self.series == other.series
            && self.elimination == other.elimination
            && self.stages == other.stages
            && of_paired_rounds(&self.swiss) == of_paired_rounds(&other.swiss)
            && self.order == other.order
            && self.opening == other.opening
            && self.seed == other.seed
            && self.adaptive == other.adaptive
            && self.games_per_pair == other.games_per_pair
            && ours.eq(theirs)
    }

    /// Whether this engine of `self` and that one of `other` are the same program, given the
    /// same arguments, environment, options and files. Names, limits and margins may differ.
    /// An engine that is not there is the same as none.
    pub fn same_engine(&self, engine: u16, other: &EventIdentity, there: u16) -> bool {
        let engine = self.engines.get(usize::from(engine));
        let Some((mine, theirs)) = engine.zip(other.engines.get(usize::from(there))) else {
            return false;
        };
        let volatile = &self.volatile_files() | &other.volatile_files();
        mine.launch.same_program(&theirs.launch)
            && mine.options == theirs.options
            && self.contents(mine, &volatile) == other.contents(theirs, &volatile)
    }

    /// The files of an engine that do not change by nature.
    fn contents(&self, engine: &EventEngine, volatile: &BTreeSet<&str>) -> Vec<&FileIdentity> {
        let own = engine
            .files
            .iter()
            .filter_map(|place| self.files.get(*place));
        own.filter(|file| !volatile.contains(file.name.as_str()))
            .collect()
    }

    /// The names of the engines that are other builds than under `stored`.
    pub fn replaced_since(&self, stored: &EventIdentity) -> Vec<String> {
        let engines = (0..).zip(&self.engines);
        let other = engines.filter(|(place, _)| !self.same_engine(*place, stored, *place));
        other.map(|(_, engine)| engine.name.clone()).collect()
    }

    /// Leaves out of this identity what that of the store leaves out: files that were seen to
    /// change when the engines were started.
    pub fn leave_out_volatile_files_of(&mut self, stored: &EventIdentity) {
        let volatile = stored.volatile_files();
        let known = self.files.iter_mut();
        for file in known.filter(|file| volatile.contains(file.name.as_str())) {
            file.sha256 = None;
        }
    }

    /// The names of the files that change by nature, and say nothing of an event.
    pub fn volatile_files(&self) -> BTreeSet<&str> {
        let files = self.files.iter();
        let volatile = files.filter(|file| file.sha256.is_none());
        volatile.map(|file| file.name.as_str()).collect()
    }

    /// The same without the files of these names.
    fn without_files(&self, names: &BTreeSet<&str>) -> EventIdentity {
        let stays = |file: &&FileIdentity| !names.contains(file.name.as_str());
        let place = |place: &usize| {
            self.files.get(*place).filter(stays)?;
            Some(self.files.iter().take(*place).filter(stays).count())
        };
        let mut other = self.clone();
        other.files.retain(|file| stays(&file));
        for engine in &mut other.engines {
            engine.files = engine.files.iter().filter_map(place).collect();
        }
        other
    }

    /// In what `now` differs from this identity. Files that one of them takes for volatile do not count.
    pub fn differences(&self, now: &EventIdentity) -> Vec<Difference> {
        let volatile = &self.volatile_files() | &now.volatile_files();
        let (stored, now) = (self.without_files(&volatile), now.without_files(&volatile));
        let mut differences = difference::differences(&stored, &now);
        let names = stored.engines.iter().map(|engine| engine.name.clone());
        let names: Vec<String> = names.collect();
        // An engine more says all that its places in stages say.
        differences.retain(|difference| {
            let now = difference.now.as_ref().and_then(serde_json::Value::as_u64);
            !difference.path.contains(".entrants.named[") || now < Some(names.len() as u64)
        });
        let all = differences.iter_mut();
        all.for_each(|difference| difference.name_engine(&names));
        differences
    }
}

#[cfg(test)]
mod tests;
