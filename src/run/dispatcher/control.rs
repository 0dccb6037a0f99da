//! The commands that a run takes while it plays: pause, continue, more or fewer games at once, stop.

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

use crate::event::GameName;
use crate::host::cpus;
use crate::platform::lock;
use crate::run::control::{
    ControlReply, ControlRequest, PendingRequest, RunStatus, RunningPair, StopWhen,
};
use crate::run::signals::Stop;
use crate::store::{Reader, Store, StoreError};
use crate::text::{count, printable};

use super::{Dispatcher, EndReason, NewBeginning};

/// The exit code of a run that was told to finish its pairs: that of SIGUSR1, which does the same.
const FINISHED_PAIRS: u8 = 138;

/// The exit code of a run that was told to stop at once: that of SIGTERM.
const STOPPED: u8 = 143;

impl Dispatcher<'_> {
    pub(super) fn answer(&mut self, asked: PendingRequest) {
        tracing::info!(request = ?asked.request, "the run is told");
        let reply = match asked.request {
            ControlRequest::Pause => self.pause(),
            ControlRequest::Resume => self.resume(),
            ControlRequest::Concurrency { games } => self.set_concurrency(games),
            ControlRequest::Stop { when } => self.stop_when(when),
            ControlRequest::Status => Ok(String::new()),
        };
        let (done, words) = match reply {
            Ok(words) => (true, words),
            Err(words) => (false, words),
        };
        if done && !words.is_empty() {
            self.listeners.say(&words);
        }
        let status = (asked.request == ControlRequest::Status).then(|| self.status());
        // Whoever asked may have gone.
        let _gone = asked.reply.send(ControlReply {
            done,
            words,
            status,
        });
        self.hand_out();
    }

    /// The pairs that no lane has begun are the next ones again.
    fn put_back(&mut self) {
        for job in self.take_back().into_iter().rev() {
            self.supply.work.put_back(job);
        }
    }

    /// Changes what is wanted from now on; it is written down before anybody hears that it is done.
    fn instruct(&mut self, change: impl FnOnce(&mut Instructions)) -> Result<(), String> {
        let mut instructions = self.state.instructions;
        change(&mut instructions);
        let kept = instructions.keep(self.store);
        kept.map_err(|error| error.to_string())?;
        self.state.instructions = instructions;
        Ok(())
    }

    /// Says what an earlier run of this event was told, and this one does.
    pub(super) fn repeat_instructions(&mut self) {
        let told = self.state.instructions;
        let folder = self.store.folder().display().to_string();
        let resume = format!("`arbiter960 control {} resume`", printable(&folder));
        if told.paused {
            self.listeners
                .say(&format!("The event is paused: {resume} goes on with it."));
        }
        if told.stops_after_round {
            self.listeners.say(&format!(
                "The run ends after this round, as it was told; {resume} takes that back."
            ));
        }
        if let Some(games) = told.concurrency {
            let games = count(games.get(), "game");
            self.listeners.say(&format!(
                "{games} at once, as the event was told by `control`."
            ));
        }
    }

    fn check_playing(&self) -> Result<(), String> {
        let is_playing = self.state.phase.is_playing().then_some(());
        is_playing.ok_or_else(|| "the run is coming to its end already".to_owned())
    }

    fn pause(&mut self) -> Result<String, String> {
        self.check_playing()?;
        if self.state.instructions.paused {
            return Err("the event is paused already".to_owned());
        }
        self.instruct(|told| told.paused = true)?;
        self.put_back();
        Ok(match self.state.ledger.running() {
            0 => "Paused.".to_owned(),
            1 => "Paused: the running pair is finished, and no other begins.".to_owned(),
            pairs => {
                format!("Paused: the {pairs} running pairs are finished, and no other begins.")
            }
        })
    }

    fn resume(&mut self) -> Result<String, String> {
        let wanted = self.state.instructions;
        if !wanted.paused && !wanted.stops_after_round {
            return Err("the event is not paused".to_owned());
        }
        self.instruct(|told| (told.paused, told.stops_after_round) = (false, false))?;
        Ok("The event goes on.".to_owned())
    }

    /// Fewer games take effect when pairs end; more than there are lanes take a new beginning.
    fn set_concurrency(&mut self, games: NonZeroUsize) -> Result<String, String> {
        self.check_playing()?;
        let said = |told: &mut Instructions| told.concurrency = Some(games);
        if games.get() <= self.state.lanes {
            self.instruct(said)?;
            self.put_back();
            let games = count(games.get(), "game");
            return Ok(format!("{games} at once from now on."));
        }
        if let Some(each) = self.tournament.cpus_per_lane {
            let usable = cpus::usable().map_err(|error| error.to_string())?;
            cpus::share(&usable, games.get(), each.get()).map_err(|error| error.to_string())?;
        }
        self.instruct(said)?;
        self.raise(Stop::FinishPairs, EndReason::Again(NewBeginning::SameFile));
        Ok(format!(
            "The running pairs will be finished, and then the event goes on with {} at once.",
            count(games.get(), "game")
        ))
    }

    fn stop_when(&mut self, when: StopWhen) -> Result<String, String> {
        match when {
            StopWhen::AfterPairs => {
                self.forget_the_end_after_the_round();
                self.raise(Stop::FinishPairs, EndReason::Signal(FINISHED_PAIRS));
                Ok("The running pairs will be finished, and then the run ends.".to_owned())
            }
            StopWhen::AfterRound if self.tournament.rounds().is_none() => Err(
                "this event is not played in rounds: `stop` finishes the running pairs".to_owned(),
            ),
            StopWhen::AfterRound => {
                self.check_playing()?;
                self.instruct(|told| told.stops_after_round = true)?;
                Ok("The round will be finished, and then the run ends.".to_owned())
            }
            StopWhen::Now => {
                self.forget_the_end_after_the_round();
                self.raise(Stop::VoidGames, EndReason::Signal(STOPPED));
                Ok("The run stops; the next one goes on with the games in progress, or plays short ones again.".to_owned())
            }
        }
    }

    /// The run ends for good: the next one does not end after its round.
    fn forget_the_end_after_the_round(&mut self) {
        if self.state.instructions.stops_after_round
            && let Err(words) = self.instruct(|told| told.stops_after_round = false)
        {
            self.listeners.say(&words);
        }
    }

    /// All pairs of the round are with the lanes or finished: whether the run ends here.
    pub(super) fn ends_after_round(&mut self, open: u64) -> bool {
        if !self.state.instructions.stops_after_round {
            return false;
        }
        if open == 0 && self.state.phase.is_playing() {
            self.forget_the_end_after_the_round();
            self.end(EndReason::Signal(FINISHED_PAIRS));
        }
        true
    }

    fn status(&self) -> RunStatus {
        let name = |seat| self.tournament.participant_name(seat);
        let openings = &self.tournament.openings;
        let running = self.state.ledger.played_now().map(|(job, game, since)| {
            let [white, black] = job.spec.seats(game);
            RunningPair {
                round: GameName::new(job.game(game), job.spec.place).into(),
                white: name(white),
                black: name(black),
                number: openings.number(job.spec.opening).map(|number| number.0),
                since_ms: since.0,
            }
        });
        let remote = lock(&self.remote);
        RunStatus {
            paused: self.state.instructions.paused,
            waits: self.state.phase.waits().cloned(),
            waiting: self.state.ledger.waiting(),
            overdue: self.state.overdue.clone(),
            concurrency: self.state.most_pairs(),
            running: running.collect(),
            farm: remote.waits.clone(),
            workers: remote.workers.clone(),
        }
    }
}

// What the operator wants of an event. It is kept with the event, so that neither another beginning of the run nor a
// crash forgets it.

/// The key in the table `event`.
const INSTRUCTIONS_KEY: &str = "instructions";

/// The last commands to `control` that still apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Instructions {
    /// No pair is handed out for now.
    pub paused: bool,
    /// No round follows the one that is played.
    pub stops_after_round: bool,
    /// So many games at once; without it as many as the event file says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<NonZeroUsize>,
}

impl Instructions {
    /// Those of an event; none where nothing was said.
    ///
    /// # Errors
    /// The store cannot be read, or does not hold what this program writes there.
    pub(crate) fn read(reader: &Reader) -> Result<Instructions, StoreError> {
        Ok(reader.json_value(INSTRUCTIONS_KEY)?.unwrap_or_default())
    }

    /// Writes them down.
    ///
    /// # Errors
    /// What the disk says.
    pub(crate) fn keep(&self, store: &Store) -> Result<(), StoreError> {
        store.set_event(&[(INSTRUCTIONS_KEY, &serde_json::json!(self).to_string())])
    }

    /// So many pairs may be played at once where there are this number of lanes.
    pub(crate) fn most_pairs(&self, lanes: usize) -> usize {
        self.concurrency
            .map_or(lanes, |games| games.get().min(lanes))
    }
}
