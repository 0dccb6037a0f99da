//! A checked tournament: the contents of an event file, complete and without errors.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::chess::{FenDialect, start::Variant};
use crate::clock::{Clock, Limits};
use crate::event::identity::{
    AdaptiveTerms, Protocol, PublicDraw, Restart, SprtTerms, repeats_itself, threads,
};
use crate::event::{
    AfterInterruption, Colours, FaultRules, OpeningRules, PairId, PairTerms, Place, PositionDraw,
    RoundTime, Seat, Series, SwappedGames,
};
use crate::platform::orders::Confinement;
use crate::referee::{Adjudication, Compatibility, Timeouts};
use crate::schedule::{Format, GameLimits, Openings, Plan, PlanError, PlanSettings, Rounds, Shard};
use crate::stats::standings::TieBreak;
use crate::uci::KeptLines;

/// An event, ready to be played.
#[derive(Debug, Clone, PartialEq)]
pub struct Tournament {
    /// The name, and the folder below the results.
    pub name: String,
    /// The PGN `Site`.
    pub site: String,
    /// Decides every random choice.
    pub seed: u64,
    /// The seed is not given: it was drawn for this event.
    pub seed_drawn: bool,
    /// The parts the seed was made of, if a part of it is announced in public.
    pub public_draw: Option<PublicDraw>,
    /// The variant of chess.
    pub variant: Variant,
    /// Who meets whom.
    pub format: Format,
    /// Who has which colour, if every pair takes the next position.
    pub colours: Colours,
    /// How many games two engines play before the next two meet, if the file has it.
    pub series: Option<Series>,
    /// Games of a pair, if the file says it.
    pub pair_games: Option<u8>,
    /// Pairs per position and encounter; in an adaptive event, before the first choice.
    /// With an SPRT, cycles go on until its decision.
    pub cycles: u32,
    /// The number of games after which the event ends, whatever the positions.
    pub games: Option<u64>,
    /// Games at once.
    pub concurrency: NonZeroUsize,
    /// How many processors each lane has for itself; `None`: the system places engines.
    pub cpus_per_lane: Option<NonZeroUsize>,
    /// How long a lane rests between two games.
    pub pause: Option<Duration>,
    /// What becomes of a game that a run has left behind, if the file says it.
    pub interrupted: Option<AfterInterruption>,
    /// The positions.
    pub openings: Arc<Openings>,
    /// How the players of a pair make its start, if they do; until then `openings` has placeholders.
    pub making: Option<OpeningRules>,
    /// Whether each round or encounter has separate positions.
    pub draw: PositionDraw,
    /// When rounds begin, the first round first.
    pub round_times: Vec<RoundTime>,
    /// The text of what cannot be read in the book, by the opening that replaces it.
    pub unreadable: BTreeMap<u32, String>,
    /// Where the positions come from, in words.
    pub positions_label: String,
    /// The engines, in the order of the file.
    pub engines: Vec<EngineSpec>,
    /// The limits of White and Black in every game, if they are not those of the engines.
    pub limits_by_colour: Option<[Limits; 2]>,
    /// The same for the first rounds.
    pub round_limits: Vec<Option<[Limits; 2]>>,
    /// When games with swapped colours are played, where no stage says it.
    pub swapped_games: SwappedGames,
    /// How long to wait where no chess clock runs.
    pub timeouts: Timeouts,
    /// When the referee ends a game.
    pub adjudication: Adjudication,
    /// Whose way is followed where programs differ.
    pub compatibility: Compatibility,
    /// What a fault costs.
    pub faults: FaultRules,
    /// Which lines of engines are kept with their moves.
    pub kept_lines: KeptLines,
    /// Whether another build of an engine may continue the event.
    pub replacements: bool,
    /// What orders engines with equal points; if empty, those that are usual for the format.
    pub tie_breaks: Vec<TieBreak>,
    /// The stop rule, if there is one.
    pub sprt: Option<SprtSettings>,
    /// Which positions get the pairs after the first ones, if that depends on results.
    pub adaptive: Option<AdaptiveSettings>,
    /// The event file.
    pub source: PathBuf,
    /// The text of the event file when it was checked.
    pub text: String,
    /// The part of the plan that is played here, if others play the rest elsewhere.
    pub shard: Option<Shard>,
    /// The first pair that is not played, nor those after it, if the plan is not played to its end.
    pub end: Option<PairId>,
    /// Every file that the book or an engine names, each once.
    pub files: Vec<NamedFile>,
}

/// One engine of the event file.
#[derive(Debug, Clone, PartialEq)]
pub struct EngineSpec {
    /// The name, unlike that of any other engine.
    pub name: String,
    /// How to start it.
    pub launch: Launch,
    /// UCI options and their values, in the order of the file.
    pub options: Vec<(String, String)>,
    /// The dialect in which positions are sent.
    pub fen: FenDialect,
    /// The limits of its searches.
    pub limits: Limits,
    /// Time that may be used beyond the clock without losing.
    pub margin: Duration,
    /// Whether it is started again for every game.
    pub restart: Restart,
    /// Whether an option that it does not have, or not with this value, is left out with a warning.
    pub leaves_out_refused_options: bool,
    /// Whether it plays though it searches far less or more than its limit.
    pub may_miss_its_limit: bool,
    /// Whether it plays Chess960 though it does not declare the option.
    pub plays_chess960_undeclared: bool,
    /// How far the node limit of a move may lie from `limits.nodes`, as a part of it.
    pub nodes_jitter: Option<f64>,
    /// How many participants it is: 2 in self-play, else 1.
    pub copies: u8,
    /// Whether it thinks on its opponent's time.
    pub ponder: bool,
    /// Its limits for processors, memory, files and network.
    pub confinement: Confinement,
    /// The files that make it what it is, except its program: places in the event's list of files.
    pub files: Vec<PathBuf>,
    /// The names of files that the event file lists for it.
    pub listed_files: Vec<String>,
    /// The names of files that it changes itself.
    pub volatile_files: Vec<String>,
}

/// How to start an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Launch {
    /// A program.
    Program {
        /// The command as the event file has it.
        command: String,
        /// The program that was found for it.
        path: PathBuf,
        /// Its arguments.
        args: Vec<String>,
        /// The folder in which it runs.
        directory: PathBuf,
        /// Environment variables that are added.
        env: Vec<(String, String)>,
        /// What it speaks.
        protocol: Protocol,
    },
    /// The engine inside this program.
    Sparring,
}

impl Launch {
    /// Whether a translator stands before it.
    pub(crate) fn is_translated(&self) -> bool {
        matches!(self, Launch::Program { protocol, .. } if *protocol == Protocol::Xboard)
    }
}

/// `[sprt]`: a sequential probability ratio test decides when to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SprtSettings {
    /// What decides it.
    pub terms: SprtTerms,
    /// The end without a decision, in pairs.
    pub max_pairs: u64,
    /// The end without a decision, in time.
    pub max_time: Option<Duration>,
    /// What happens to the games that run when the test is decided.
    pub running: AtDecision,
}

/// What happens to the games that run when a test is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtDecision {
    /// Their pairs are finished, and do not change the decision.
    Finish,
    /// They are void.
    Void,
}

/// `[adaptive]`: after the first pairs on every position, pairs go to positions for which it is uncertain on which side
/// of a boundary they lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdaptiveSettings {
    /// What decides which positions get them.
    pub terms: AdaptiveTerms,
    /// The end, in pairs.
    pub max_pairs: u64,
}

/// A file that belongs to the identity of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFile {
    /// The name as written in the file.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// Its content changes in normal use, and does not belong to the identity.
    pub volatile: bool,
}

impl NamedFile {
    pub(super) fn new(name: &str, path: PathBuf) -> NamedFile {
        NamedFile {
            name: name.to_owned(),
            path,
            volatile: false,
        }
    }
}

/// A game in which both sides have more together for sixty moves each is long.
const LONG_GAME: Duration = Duration::from_secs(300);

impl Tournament {
    /// The participants: every engine once for each of its copies.
    pub fn participants(&self) -> Vec<Seat> {
        let seats = |(engine, spec): (u16, &EngineSpec)| {
            (0..spec.copies).map(move |copy| Seat { engine, copy })
        };
        (0..).zip(&self.engines).flat_map(seats).collect()
    }

    /// Whether one engine plays itself, which measures the first move and nothing else.
    pub fn self_play(&self) -> bool {
        self.engines.iter().any(|engine| engine.copies > 1)
    }

    /// Games of a pair: 2; but 1 if an engine that plays itself would only repeat the first game, because its limit is
    /// fixed and never varies.
    pub fn games_per_pair(&self) -> u8 {
        let repeats = self.self_play() && self.engines.iter().all(EngineSpec::repeats_itself);
        self.pair_games.unwrap_or(if repeats { 1 } else { 2 })
    }

    /// Whether a game under these limits goes on at its move after an interruption. Other programs play it again.
    pub(crate) fn resumes(&self, limits: [&Limits; 2]) -> bool {
        let time = |limits: &Limits| Clock::time_of_sixty_moves(&limits.time);
        let resumes = match self.interrupted {
            Some(after) => after == AfterInterruption::Resume,
            None => limits.into_iter().map(time).sum::<Duration>() > LONG_GAME,
        };
        resumes && self.compatibility == Compatibility::Native
    }

    /// The plan; of an adaptive event, what is played before the first choice.
    ///
    /// # Errors
    /// Never for a tournament that was read from an event file, where all this has been
    /// checked.
    pub fn plan(&self) -> Result<Plan, PlanError> {
        let settings = self.plan_settings();
        match settings.rounds(self.draw) {
            Some(_) => Plan::in_rounds(settings),
            None => Plan::new(settings),
        }
    }

    /// The rules of an event that is played in rounds.
    pub(crate) fn rounds(&self) -> Option<Rounds> {
        self.plan_settings().rounds(self.draw)
    }

    fn plan_settings(&self) -> PlanSettings {
        let max_pairs = self.sprt.map(|sprt| sprt.max_pairs);
        let max_pairs = max_pairs.or(self.adaptive.map(|adaptive| adaptive.max_pairs));
        let of_games = |games: u64| games / u64::from(self.games_per_pair());
        let max_pairs = max_pairs.or(self.games.map(of_games));
        let is_open = self.sprt.is_some() || self.games.is_some();
        PlanSettings {
            participants: self.participants(),
            format: self.format.clone(),
            openings: Arc::clone(&self.openings),
            cycles: if is_open { u32::MAX } else { self.cycles },
            max_pairs,
            seed: self.seed,
            games_per_pair: self.games_per_pair(),
            in_turn: (self.draw == PositionDraw::Next).then_some(self.colours),
            series: self.series,
            round_limits: self.round_limits.clone(),
        }
    }

    /// The limits of White and Black, who have these seats in a game of a pair with these terms.
    pub(crate) fn limits(&self, terms: Option<PairTerms>, seats: [Seat; 2]) -> [Limits; 2] {
        let others = GameLimits {
            by_colour: self.limits_by_colour.clone(),
            rounds: terms.and_then(|_| self.rounds()),
        };
        let own = || seats.map(|seat| self.engine(seat).limits.clone());
        others.of(terms).unwrap_or_else(own)
    }

    /// When the referee ends a game of a pair with this place.
    pub(crate) fn adjudication_at(&self, place: Option<Place>) -> Adjudication {
        let rounds = place.and_then(|_| self.rounds()).zip(place);
        let own = rounds.as_ref();
        match own.and_then(|(rounds, place)| rounds.adjudication(*place)) {
            Some(own) => self.adjudication.in_stage(own),
            None => self.adjudication.clone(),
        }
    }

    /// Every limit under which a game of the event is played.
    pub(crate) fn all_limits(&self) -> Vec<Limits> {
        let own = self.engines.iter().map(|engine| engine.limits.clone());
        let of_games = (self.limits_by_colour.as_ref(), &self.round_limits[..]);
        own.chain(limits_of_games(&self.format, of_games)).collect()
    }

    /// What a shard plays of the event: its pairs, whatever their results. A sequential test, strikes and an adaptive
    /// choice are judged on the whole event: then these are the pairs played before that.
    pub(crate) fn in_shard(self, shard: Shard) -> Tournament {
        let pairs = self.sprt.map(|sprt| sprt.max_pairs);
        let games = pairs.map(|pairs| pairs * u64::from(self.games_per_pair()));
        Tournament {
            games: games.or(self.games),
            sprt: None,
            adaptive: None,
            faults: FaultRules {
                strikes: None,
                ..self.faults
            },
            shard: Some(shard),
            ..self
        }
    }

    /// How many of this number of first pairs of the plan are played here.
    pub(crate) fn pairs_here(&self, plan: u64) -> u64 {
        self.shard.map_or(plan, |shard| shard.pairs_of(plan))
    }

    /// The name of the folder with its results.
    pub(crate) fn folder_name(&self) -> String {
        match self.shard {
            Some(shard) => shard.folder_name(&self.name),
            None => self.name.clone(),
        }
    }

    /// The engine of a participant.
    pub fn engine(&self, seat: Seat) -> &EngineSpec {
        &self.engines[usize::from(seat.engine)]
    }

    /// The name of a participant.
    pub fn participant_name(&self, seat: Seat) -> String {
        let engine = self.engine(seat);
        seat.name(&engine.name, engine.copies)
    }
}

/// The limits of games that are not those of their engines: of stages and playoffs, by colour, and by round.
pub(super) fn limits_of_games(
    format: &Format,
    (by_colour, rounds): (Option<&[Limits; 2]>, &[Option<[Limits; 2]>]),
) -> Vec<Limits> {
    let mut format = format.clone();
    let mut all: Vec<[Limits; 2]> = Vec::from_iter(by_colour.cloned());
    all.extend(rounds.iter().flatten().cloned());
    all.extend(format.times_mut().0.into_iter().map(|own| own.clone()));
    all.into_iter().flatten().collect()
}

impl EngineSpec {
    /// How many threads it searches with; `None` if its option is not a number.
    pub fn threads(&self) -> Option<usize> {
        let options = self.options.iter();
        threads(options.map(|(name, value)| (name.as_str(), value.as_str())))
    }

    /// Whether a deterministic engine that plays itself would play the same game again.
    pub fn repeats_itself(&self) -> bool {
        repeats_itself(&self.limits, self.nodes_jitter, self.threads())
    }
}
