//! The engines of one lane: started when they are first needed, kept between
//! games, ended when they misbehave.

use std::path::PathBuf;
use std::sync::Arc;

use tokio::task::JoinSet;

use crate::config::{EngineSpec, Launch, Tournament};
use crate::engine::originals::Originals;
use crate::engine::start::{Engine, EngineStartError};
use crate::engine::surroundings::Surroundings;
use crate::event::Seat;
use crate::event::identity::Restart;
use crate::referee::{Compatibility, FaultKind};

/// How many engines a lane keeps alive, the two that play included. An idle engine
/// costs no time but may hold a large hash table; the one not used for longest goes first.
pub(crate) const MAX_ENGINES_PER_LANE: usize = 6;

/// The engines that wait in a lane, the one used last at the end.
#[derive(Debug, Default)]
pub(crate) struct EnginePool(Vec<(Seat, Engine)>);

impl EnginePool {
    /// The engine of a participant: one that waits, or a new one.
    ///
    /// # Errors
    /// It cannot be started, or is another program by now.
    pub(crate) async fn take(
        &mut self,
        seat: Seat,
        tournament: &Tournament,
        originals: &Arc<Originals>,
        around: &Surroundings,
    ) -> Result<Engine, EngineStartError> {
        if let Some(found) = self.0.iter().position(|(other, _)| *other == seat) {
            let (_, mut engine) = self.0.remove(found);
            if !engine.process.has_ended() {
                return Ok(engine);
            }
            // It owed nobody an answer: a game is not lost by that.
            originals.ended_by_itself(seat.engine, &engine.files);
            let exit = engine.process.end_and_describe().await;
            let name = &tournament.engine(seat).name;
            tracing::warn!(name, exit, "an engine ended between two games");
        }
        let program = program(originals, seat).await?;
        // Both that play may be new.
        while self.0.len() > MAX_ENGINES_PER_LANE - 2 {
            let (_, oldest) = self.0.remove(0);
            oldest.process.shut_down().await;
        }
        let mut spec = tournament.engine(seat).clone();
        if let (Some(program), Launch::Program { path, .. }) = (&program, &mut spec.launch) {
            path.clone_from(program);
        }
        let files = originals.marks(seat.engine);
        let started = Engine::start(&spec, around).await;
        // Another program may have been put in its place before it was started.
        let replaced = match (&spec.launch, self::program(originals, seat).await) {
            (_, Err(error)) => error,
            (Launch::Program { path, .. }, Ok(Some(_))) if program.is_none() => {
                EngineStartError::replaced(path)
            }
            _ => return started.map(|engine| Engine { files, ..engine }),
        };
        if let Ok(engine) = started {
            engine.process.shut_down().await;
        }
        Err(replaced)
    }

    /// Takes an engine back after a game in which it made no fault. It must be idle.
    pub(crate) async fn put_back(&mut self, seat: Seat, engine: Engine, spec: &EngineSpec) {
        if spec.restart == Restart::Always || !engine.process.output.is_open() {
            engine.process.shut_down().await;
            return;
        }
        self.0.push((seat, engine));
    }

    /// Ends all engines, all at the same time.
    pub(crate) async fn empty(&mut self) {
        let mut endings = JoinSet::new();
        for (_, engine) in self.0.drain(..) {
            endings.spawn(engine.process.shut_down());
        }
        endings.join_all().await;
    }
}

/// The program to start, if another lies in its place by now.
async fn program(
    originals: &Arc<Originals>,
    seat: Seat,
) -> Result<Option<PathBuf>, EngineStartError> {
    match originals.program_meanwhile(seat.engine).await {
        Ok(program) => program.map_err(|path| EngineStartError::replaced(&path)),
        Err(error) => Err(EngineStartError::Host(format!(
            "its files cannot be read: {error}"
        ))),
    }
}

/// Whether an engine can be trusted with another game after this fault.
pub(crate) fn survives(kind: FaultKind, restart: Restart, way: Compatibility) -> bool {
    restart == Restart::Never && way.survives(kind)
}
