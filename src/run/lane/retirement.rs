//! What becomes of the engines when a game is over: back to the pool, or ended.

use crate::chess::Color;
use crate::config::EngineSpec;
use crate::engine::pool::survives;
use crate::engine::process::exit_of;
use crate::engine::start::Engine;
use crate::event::Seat;
use crate::event::identity::Restart;
use crate::referee::{Compatibility, Dialogue, EngineExit, Exit, FaultKind, GameRecord};

use super::Lane;
use super::supervisor::LaneActivity;

impl Lane {
    /// After a game: an engine without a fault waits for the next one if it is idle. Else it
    /// would say in that game what it owes to this one.
    pub(super) async fn retire(
        &mut self,
        engine: Engine,
        side: Color,
        seat: Seat,
        idle: bool,
        record: &mut GameRecord,
    ) {
        let spec = self.shared.tournament.engine(seat);
        let way = self.shared.tournament.compatibility;
        self.heartbeat
            .set_activity(LaneActivity::Ends(spec.name.clone()));
        let fault = record.faults.iter_mut().find(|fault| fault.side == side);
        match fault {
            Some(fault) if !survives(fault.kind, spec.restart, way) => {
                let remains = self.evict(engine, seat, fault.kind).await;
                if fault.kind == FaultKind::Crash && !remains.stderr.is_empty() {
                    fault.stderr = Some(remains.stderr.clone());
                }
                // If both are at fault, the dialogue is about the one that has lost.
                if record
                    .faults
                    .first()
                    .is_some_and(|first| first.side == side)
                {
                    record.dialogue.get_or_insert_default().remains = remains;
                }
            }
            fault => {
                if fault.is_some() {
                    let dialogue = record.dialogue.get_or_insert_default();
                    dialogue.take_stderr(&engine.process.errors.tail());
                }
                if idle {
                    return self.pool.put_back(seat, engine, spec).await;
                }
                if spec.restart != Restart::Always {
                    tracing::warn!(
                        name = spec.name,
                        "an engine still owed an answer after its game"
                    );
                }
                engine.process.shut_down().await;
            }
        }
    }

    /// Ends an engine after a fault. Returns how it exited, and the end of its stderr.
    async fn evict(&self, mut engine: Engine, seat: Seat, kind: FaultKind) -> EngineExit {
        // One that used more than it may was ended from here.
        let by_itself = engine.process.has_ended() && engine.process.exceeded().is_none();
        // It may live on for a while without its output, and on a busy machine its end comes late.
        if kind == FaultKind::Crash && engine.process.exceeded().is_none() {
            let originals = &self.shared.originals;
            originals.ended_by_itself(seat.engine, &engine.files);
        }
        let status = engine.process.end().await;
        let mut dialogue = Dialogue::default();
        dialogue.take_stderr(&engine.process.errors.tail());
        dialogue.remains.exit = match by_itself {
            true => status.and_then(exit_of),
            false => Some(Exit::Ended),
        };
        dialogue.remains
    }
}

/// Whether an engine is to play another game in the same process, as far as this game shows.
pub(super) fn stays(
    record: &GameRecord,
    side: Color,
    (spec, way): (&EngineSpec, Compatibility),
) -> bool {
    let fault = record.faults.iter().find(|fault| fault.side == side);
    let sound = fault.is_none_or(|fault| survives(fault.kind, spec.restart, way));
    sound && spec.restart != Restart::Always && !record.outcome.is_void()
}

/// Ends both engines at the same time.
pub(super) async fn shut_down(engines: [Engine; 2]) {
    let [white, black] = engines.map(|engine| engine.process.shut_down());
    tokio::join!(white, black);
}
