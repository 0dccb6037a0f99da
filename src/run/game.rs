//! What is planned: a pair that is given out to be played, and each of its games until it is a fact.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::chess::{CastlingRule, Color, Position, StartNumber};
use crate::config::Tournament;
use crate::event::{GameId, PairId, PlayedGame, Seat, UnixMillis};
use crate::referee::{GameRecord, GameSettings, NodeDraw, Outcome, PlayerSettings, VoidReason};
use crate::schedule::{JitterKey, PairSpec, jittered};
use crate::uci::chess480_variant;

/// A pair to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Its number in the plan.
    pub pair: PairId,
    /// Who plays what.
    pub spec: PairSpec,
    /// Which of its games are missing, by [`GameId::game`].
    pub missing: [bool; 2],
    /// How often each of its games was voided because of a fault.
    pub replayed: [u32; 2],
    /// Its next game goes on where an earlier run was interrupted: it is played to its end, whoever is out meanwhile.
    #[serde(default)]
    pub goes_on: bool,
}

impl Job {
    /// The key of one of its games.
    pub fn game(&self, game: u8) -> GameId {
        GameId {
            pair: self.pair,
            game,
        }
    }

    /// A game of it is over, which counts or does not.
    pub(crate) fn played(&mut self, game: GameId, outcome: &Outcome) {
        let place = usize::from(game.game);
        match outcome {
            Outcome::Void(VoidReason::FaultReplayed) => self.replayed[place] += 1,
            Outcome::Void(_) => {}
            _ => self.missing[place] = false,
        }
    }

    /// What a lane gets of it at once: one game of two that do not follow each other.
    pub(crate) fn first_part(mut self) -> Job {
        self.missing[1] &= !(self.missing[0] && self.spec.section().is_some());
        self
    }

    /// Whether its second game is left, which does not follow the first at once.
    pub(crate) fn is_half_played(&self) -> bool {
        !self.missing[0] && self.spec.section().is_some()
    }

    /// How many games are to be played.
    pub fn games(&self) -> u64 {
        self.missing.iter().filter(|missing| **missing).count() as u64
    }
}

/// One game of the plan, before it is played.
#[derive(Debug, Clone)]
pub(crate) struct PlannedGame {
    /// The key.
    pub id: GameId,
    /// How often its players had met on this opening before.
    cycle: u32,
    /// The number of its start, if it has one.
    pub number: Option<StartNumber>,
    /// White and Black, by [`Color::index`](crate::chess::Color::index).
    pub seats: [Seat; 2],
    /// All that the referee needs to know.
    pub settings: GameSettings,
}

impl PlannedGame {
    /// Game `id` of the pair `spec`.
    pub(crate) fn new(tournament: &Tournament, id: GameId, spec: PairSpec) -> PlannedGame {
        let seats = spec.seats(id.game);
        let opening = tournament.openings.get(spec.opening);
        let given = tournament.openings.time_given(spec.opening);
        let variant = tournament.variant;
        let limits = tournament.limits(spec.terms(), seats);
        let player = |color: Color| {
            let engine = tournament.engine(seats[color.index()]);
            let limits = limits[color.index()].clone();
            let jitter = limits.nodes.zip(engine.nodes_jitter);
            let node_draw = node_draw(jitter, &opening.start, id, tournament.seed);
            let player = PlayerSettings {
                limits,
                margin: engine.margin,
                fen: engine.fen,
                ponder: engine.ponder,
                translated: engine.launch.is_translated(),
                node_draw,
            };
            player.after_giving(given[color.index()])
        };
        let players = Color::ALL.map(player);
        // Openings of Chess480 were checked to have a value of `UCI_Variant`.
        let from_file = variant.castling_rule() == CastlingRule::Chess480;
        let settings = GameSettings {
            variant: from_file
                .then(|| chess480_variant(&opening.start))
                .flatten(),
            start: opening.start,
            opening: opening.moves,
            dialect: variant.uci_dialect(),
            players,
            timeouts: tournament.timeouts,
            adjudication: tournament.adjudication_at(spec.place),
            compatibility: tournament.compatibility,
            excused: [true; 2],
            idle_cpu: tournament.faults.idle_cpu,
            kept_lines: tournament.kept_lines.clone(),
        };
        PlannedGame {
            id,
            cycle: spec.cycle,
            number: opening.number,
            seats,
            settings,
        }
    }

    /// The fact that the game is over.
    pub(crate) fn finished(self, started: UnixMillis, record: GameRecord) -> PlayedGame {
        PlayedGame {
            id: self.id,
            cycle: self.cycle,
            number: self.number,
            seats: self.seats,
            started,
            ended: UnixMillis::now(),
            record,
        }
    }
}

/// The limit of each move depends only on the event's seed and the move's place in the plan, so a repeated game gets
/// the same limits.
fn node_draw(
    jitter: Option<(u64, f64)>,
    start: &Position,
    game: GameId,
    seed: u64,
) -> Option<NodeDraw> {
    let (nodes, jitter) = jitter.filter(|(_, jitter)| *jitter > 0.0)?;
    let start = JitterKey::start_of(start);
    let draw = move |ply| {
        let key = JitterKey {
            seed,
            start,
            game,
            ply,
        };
        jittered(nodes, jitter, &key)
    };
    Some(NodeDraw(Arc::new(draw)))
}
