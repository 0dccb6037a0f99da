//! The pairs of a lane, one after the other: from the source to its player, and what came of
//! them back to the source.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

use crate::config::Tournament;
use crate::event::{PlayedGame, Seat, UnixMillis};
use crate::referee::{Fault, FaultKind, GameRecord, HostFaults};
use crate::run::driver;
use crate::run::game::{Job, PlannedGame};
use crate::run::signals::Stop;
use crate::run::source::{Disqualifications, Report, WorkSource, reported};

/// How long is waited, in seconds, before a game is played again for a flag that fell by the host's
/// fault: what keeps a machine busy at night is over after a while. On one that cannot hold the time
/// control an event still comes to its end. Where the plan grows by results, all wait for this game: it is played
/// again, with the longest wait, until the run gives up the host.
const REPLAY_WAITS_SECONDS: [u64; 5] = [1, 5, 25, 120, 300];

/// So many games of a lane, those of two pairs, may be finished and not durable: before it begins
/// another it waits. A slow disk holds the lanes back, so that what follows from games, such as the
/// end of a test, comes no later than that.
const MAX_UNSTORED_GAMES: usize = 4;

/// A lane that has nothing to play for this time ends its engines: they hold memory, and some
/// work while they should wait.
const ENGINE_IDLE_TIMEOUT: Duration = Duration::from_secs(2);

/// Plays games; the lane with its engines, or a fake.
pub(super) trait GamePlayer {
    /// Plays a game to its end, whatever that is; `None` if it goes on in another run.
    async fn play(&mut self, game: PlannedGame) -> Option<PlayedGame>;

    /// There is nothing to play for now, or any more.
    async fn rest(&mut self);
}

/// A lane as its source sees it.
pub(super) struct LanePairs<P> {
    pub(super) lane: usize,
    pub(super) tournament: Arc<Tournament>,
    pub(super) source: Arc<dyn WorkSource>,
    pub(super) stop: watch::Receiver<Stop>,
    pub(super) disqualified: watch::Receiver<Disqualifications>,
    pub(super) player: P,
    /// Whether a game was played here, behind which the event may have a pause.
    pub(super) has_played: bool,
    /// Told when the games of this lane are durable, the oldest first.
    pub(super) unstored: VecDeque<oneshot::Receiver<()>>,
}

impl<P: GamePlayer> LanePairs<P> {
    /// Plays all that the source gives.
    pub(super) async fn run(mut self) {
        while let Some(job) = self.next_job().await {
            let (pair, lane) = (job.pair, self.lane);
            self.source.report(Report::Begun { pair, lane });
            if !self.is_cancelled(&job) {
                self.play_pair(&job).await;
            }
            self.source.report(Report::Done(pair));
        }
        self.player.rest().await;
    }

    /// The next pair. Engines that wait for it too long are ended.
    async fn next_job(&mut self) -> Option<Job> {
        let source = Arc::clone(&self.source);
        let mut next = source.next();
        if let Ok(job) = timeout(ENGINE_IDLE_TIMEOUT, &mut next).await {
            return job;
        }
        self.player.rest().await;
        next.await
    }

    /// Whether an engine of this pair is disqualified, by games that are stored, and no game of it goes on.
    fn is_cancelled(&self, job: &Job) -> bool {
        let disqualified = self.disqualified.borrow();
        let mut out = disqualified.out.iter();
        !job.goes_on && out.any(|engine| job.spec.concerns(*engine))
    }

    /// Whether this engine is disqualified, by games that are stored.
    fn is_out(&self, engine: Option<u16>) -> bool {
        engine.is_some_and(|engine| self.disqualified.borrow().out.contains(&engine))
    }

    /// The games of a pair that are missing, one after the other.
    async fn play_pair(&mut self, job: &Job) {
        for game in [0, 1] {
            if job.missing[usize::from(game)] && !self.play_until_it_counts(job, game).await {
                return;
            }
        }
    }

    /// One game, again as often as the event forgives what ended it: an engine's fault, or a
    /// flag that fell by the host's. Every attempt is reported, and only the last can count.
    /// The other game of the pair keeps its result. Nothing is forgiven to an engine that is
    /// disqualified. Returns whether the pair continues: it ends if a player is disqualified before the
    /// game counts.
    async fn play_until_it_counts(&mut self, job: &Job, game: u8) -> bool {
        let id = job.game(game);
        let (mut forgiven, mut excused) = (job.replayed[usize::from(game)], 0);
        loop {
            // As long as the event has it between two games.
            let pause = self.tournament.pause.filter(|_| self.has_played);
            self.wait(pause).await;
            if *self.stop.borrow() >= Stop::VoidGames {
                return false;
            }
            let mut planned = PlannedGame::new(&self.tournament, id, job.spec);
            let is_excused =
                |seat: Seat| !self.disqualified.borrow().unexcused.contains(&seat.engine);
            planned.settings.excused = planned.seats.map(is_excused);
            let Some(mut finished) = self.player.play(planned).await else {
                return false;
            };
            self.has_played = true;
            let at_fault = finished.record.faults.first();
            let at_fault = at_fault.map(|fault| finished.seat(fault.side).engine);
            let again = !self.is_out(at_fault);
            let wait = self
                .replay_wait(excused)
                .filter(|_| again && self.is_replayed(&finished.record));
            let wait = wait.filter(|_| *self.stop.borrow() == Stop::No);
            let faults = &self.tournament.faults;
            let forgive = again && faults.forgive(&mut finished.record, forgiven);
            let why = finished.record.outcome.to_string();
            self.report(finished).await;
            forgiven += u32::from(forgive);
            excused += usize::from(wait.is_some());
            if !forgive && wait.is_none() {
                return true;
            }
            if self.is_out(at_fault) {
                return false;
            }
            if let Some(wait) = wait {
                let wait = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX);
                let until = UnixMillis(UnixMillis::now().0.saturating_add(wait));
                self.source.report(Report::Waits {
                    game: id,
                    until,
                    why,
                });
            }
            let mut stop = self.stop.clone();
            tokio::select! {
                () = self.wait(wait) => {}
                // A run that is to end does not wait.
                Ok(_) = stop.wait_for(|stop| *stop != Stop::No) => {}
            }
        }
    }

    /// Waits for this time, or until games are void.
    async fn wait(&mut self, pause: Option<Duration>) {
        if let Some(pause) = pause {
            let _stopped = timeout(pause, driver::stopped(&mut self.stop)).await;
        }
    }

    /// Reports a game. One with a fault may disqualify, one that is void for an engine's sake may be
    /// the last that is excused: what follows from it is waited for, and that is known when it is stored.
    /// The store may be behind by no more than two pairs; no clock runs while it is waited for.
    async fn report(&mut self, game: PlayedGame) {
        let source = &self.source;
        let record = &game.record;
        let faults = &self.tournament.faults;
        let counts = faults.strikes.is_some() || record.outcome.is_void();
        let counts = counts || faults.stop_after(record);
        let most = if counts && !record.faults.is_empty() {
            0
        } else {
            MAX_UNSTORED_GAMES - 1
        };
        let (report, stored) = reported(game);
        source.report(report);
        self.unstored.push_back(stored);
        while self.unstored.len() > most
            && let Some(stored) = self.unstored.pop_front()
        {
            tokio::select! {
                biased;
                // An error: the store has failed, and the run ends.
                _ = stored => {}
                () = driver::stopped(&mut self.stop) => return,
            }
        }
    }

    /// The wait after this number of replays, if another may follow.
    fn replay_wait(&self, excused: usize) -> Option<Duration> {
        let grows = || self.tournament.adaptive.is_some() || self.tournament.rounds().is_some();
        let longest = || REPLAY_WAITS_SECONDS.last().filter(|_| grows());
        let wait = REPLAY_WAITS_SECONDS.get(excused).or_else(longest);
        wait.copied().map(Duration::from_secs)
    }

    fn is_replayed(&self, record: &GameRecord) -> bool {
        let rule = self.tournament.adjudication.host_faults;
        let wanted = matches!(rule, HostFaults::Replay | HostFaults::Deduct);
        let flag_fell = |fault: &Fault| fault.kind == FaultKind::FlagFall;
        wanted && record.outcome.is_void() && record.faults.iter().any(flag_fell)
    }
}

#[cfg(test)]
mod tests;
