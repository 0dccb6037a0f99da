//! One attempt at a game: its engines are taken from the stable, and play or do not come up.

use crate::chess::Color;
use crate::event::{FinishedGame, Seat};
use crate::referee::{GameRecord, Outcome, Referee, VoidReason};
use crate::run::driver::Watch;
use crate::run::engine::{Engine, StartError};
use crate::run::game::{PlannedGame, unix_now};
use crate::run::{absence, driver};

use super::retirement::shut_down;
use super::{Lane, Shared};

impl Lane {
    /// Plays the game to its end, whatever that is.
    pub(super) async fn play_game(&mut self, planned: PlannedGame) -> FinishedGame {
        let settings = planned.settings(&self.shared.tournament);
        let white = self.take(planned.seats[0]).await;
        let black = self.take(planned.seats[1]).await;
        let started = unix_now();
        let mut referee = Referee::new(settings, self.shared.epoch.now()).watched();
        let record = match (white, black) {
            (Ok(white), Ok(black)) => self.conduct(&mut referee, [white, black], &planned).await,
            (white, black) => {
                self.not_started(&mut referee, [white, black], &planned)
                    .await
            }
        };
        planned.finished(started, record)
    }

    async fn take(&mut self, seat: Seat) -> Result<Engine, StartError> {
        let Shared {
            tournament,
            originals,
            rules,
            around,
            stop,
            ..
        } = &mut self.shared;
        tokio::select! {
            biased;
            () = driver::stopped(stop) => Err(StartError::Interrupted),
            taken = self.stable.take(seat, tournament, originals, rules, around) => taken,
        }
    }

    /// Plays the game, then keeps or ends each engine as it has deserved.
    async fn conduct(
        &mut self,
        referee: &mut Referee,
        mut engines: [Engine; 2],
        planned: &PlannedGame,
    ) -> GameRecord {
        let [white, black] = &mut engines;
        let pipes = [&mut white.process, &mut black.process];
        self.witness.meet([pipes[0].id(), pipes[1].id()]);
        self.listener.forget();
        let (epoch, stop) = (self.shared.epoch, &mut self.shared.stop);
        let mut watch = Watch {
            witness: &mut self.witness,
            listener: &mut self.listener,
        };
        let mut record = driver::play(referee, pipes, epoch, stop, &mut watch).await;
        let blames_host = matches!(record.outcome, Outcome::Void(VoidReason::HostFault(_)));
        if blames_host || !record.faults.is_empty() {
            record.dialogue = Some(Box::new(self.listener.dialogue()));
        }
        if record.outcome.is_void() {
            shut_down(engines).await;
            return record;
        }
        for (engine, side) in engines.into_iter().zip(Color::ALL) {
            self.retire(engine, side, planned.seats[side.index()], &mut record)
                .await;
        }
        record
    }

    /// An engine that does not come up any more loses. If neither does, or the
    /// system would not even run it, the host is to blame and nobody loses.
    async fn not_started(
        &mut self,
        referee: &mut Referee,
        engines: [Result<Engine, StartError>; 2],
        planned: &PlannedGame,
    ) -> GameRecord {
        let mut failures = Vec::new();
        for (engine, side) in engines.into_iter().zip(Color::ALL) {
            let seat = planned.seats[side.index()];
            match engine {
                Ok(engine) => {
                    let spec = self.shared.tournament.engine(seat);
                    self.stable.put_back(seat, engine, spec).await;
                }
                Err(error) => failures.push((side, error)),
            }
        }
        absence::judge(referee, &failures, self.shared.epoch.now());
        referee
            .finish()
            .unwrap_or_else(|| unreachable!("a fault or an interruption ends a game"))
    }
}
