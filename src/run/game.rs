//! From the plan to the settings of one game, and from its record to a fact.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::chess::{CastlingRule, Color, Variant};
use crate::config::{EngineSpec, Tournament};
use crate::event::{GameId, PlayedGame, Seat, UnixMillis};
use crate::referee::{GameRecord, GameSettings, NodeDraw, PlayerSettings};
use crate::schedule::{JitterKey, Opening, PairSpec, jittered};
use crate::uci::chess480_variant;

/// One game of the plan, before it is played.
#[derive(Debug, Clone)]
pub(crate) struct PlannedGame {
    /// The key.
    pub id: GameId,
    /// The pair it belongs to.
    pub spec: PairSpec,
    /// White and Black, by [`Color::index`](crate::chess::Color::index).
    pub seats: [Seat; 2],
    /// Where it begins.
    pub opening: Opening,
    /// Whether what the host does to a side is excused, by [`Color::index`](crate::chess::Color::index).
    pub excused: [bool; 2],
}

impl PlannedGame {
    /// Game `id` of the pair `spec`.
    pub(crate) fn new(tournament: &Tournament, id: GameId, spec: PairSpec) -> PlannedGame {
        let seats = spec.seats(id.game);
        let opening = tournament.openings.get(spec.opening);
        PlannedGame {
            id,
            spec,
            seats,
            opening,
            excused: [true; 2],
        }
    }

    /// The same, where nothing is excused to these engines any more.
    pub(crate) fn unless_excused(self, unexcused: &BTreeSet<u16>) -> PlannedGame {
        let excused = self.seats.map(|seat| !unexcused.contains(&seat.engine));
        PlannedGame { excused, ..self }
    }

    /// What the referee needs to know.
    pub(crate) fn settings(&self, tournament: &Tournament) -> GameSettings {
        let given = tournament.openings.time_given(self.spec.opening);
        let player = |color: Color| {
            let seat = self.seats[color.index()];
            let settings = self.player(tournament.engine(seat), tournament.seed);
            settings.after_giving(given[color.index()])
        };
        GameSettings {
            start: self.opening.start.clone(),
            opening: self.opening.moves.clone(),
            dialect: tournament.variant.uci_dialect(),
            variant: self.uci_variant(tournament.variant),
            players: Color::ALL.map(player),
            timeouts: tournament.timeouts,
            adjudication: tournament.adjudication.clone(),
            excused: self.excused,
            idle_cpu: tournament.faults.idle_cpu,
            kept_lines: tournament.kept_lines.clone(),
        }
    }

    /// The value of `UCI_Variant`, which openings of Chess480 were checked to have.
    fn uci_variant(&self, variant: Variant) -> Option<String> {
        let from_file = variant.castling_rule() == CastlingRule::Chess480;
        from_file.then(|| chess480_variant(&self.opening.start))?
    }

    /// The fact that the game is over.
    pub(crate) fn finished(self, started: UnixMillis, record: GameRecord) -> PlayedGame {
        PlayedGame {
            id: self.id,
            cycle: self.spec.cycle,
            number: self.opening.number,
            seats: self.seats,
            started,
            ended: UnixMillis::now(),
            record,
        }
    }

    fn player(&self, engine: &EngineSpec, seed: u64) -> PlayerSettings {
        PlayerSettings {
            limits: engine.limits.clone(),
            margin: engine.margin,
            fen: engine.fen,
            ponder: engine.ponder,
            node_draw: self.node_draw(engine, seed),
        }
    }

    /// The limit of each move depends only on the event's seed and the move's
    /// place in the plan, so a repeated game gets the same limits.
    fn node_draw(&self, engine: &EngineSpec, seed: u64) -> Option<NodeDraw> {
        let nodes = engine.limits.nodes?;
        let jitter = engine.nodes_jitter.filter(|jitter| *jitter > 0.0)?;
        let start = JitterKey::start_of(&self.opening.start);
        let game = self.id;
        let draw = move |ply| {
            jittered(
                nodes,
                jitter,
                &JitterKey {
                    seed,
                    start,
                    game,
                    ply,
                },
            )
        };
        Some(NodeDraw(Arc::new(draw)))
    }
}
