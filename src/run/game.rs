//! What is planned: a pair that is given out to be played, each of its games until it is a fact, and
//! its moves on their way to the disk.

use std::io;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::task::{JoinHandle, spawn_blocking};

use crate::chess::{CastlingRule, Color, Position, StartNumber};
use crate::clock::Stamp;
use crate::config::Tournament;
use crate::event::{GameId, PairId, PlayedGame, Seat, UnixMillis};
use crate::referee::{
    GameRecord, GameSettings, NodeDraw, Outcome, PlayerSettings, Referee, VoidReason,
};
use crate::schedule::{JitterKey, PairSpec, jittered};
use crate::store::{RecordedGame, RunningGameFile, RunningGameFiles};
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

// A lane's moves on their way to the disk, where its games may go on after an interruption.
//
// **Invariant: no clock runs while a lane waits for the disk.** A move is with the system, which keeps it when this
// process is killed, after its stamp and before its opponent learns of it. While the opponent thinks another thread
// puts it on the disk; the opponent's answer has its stamp, and does not count before. So a power cut takes at most
// the last move.

/// Where an event keeps its running games, and the hash of the identity under which they are played.
#[derive(Debug, Clone)]
pub(crate) struct RunningGamesOfRun {
    pub files: RunningGameFiles,
    pub identity: u64,
}

/// The moves of the game of one lane.
#[derive(Debug)]
pub(crate) struct DurableMoves {
    kept: RunningGamesOfRun,
    game: Option<OpenGame>,
}

#[derive(Debug)]
struct OpenGame {
    id: GameId,
    file: RunningGameFile,
    /// How many of its moves were written.
    written: usize,
    /// The disk is to be asked for the last of them.
    is_due: bool,
    /// The disk has the last of them when this ends.
    sync: Option<JoinHandle<io::Result<()>>>,
}

impl DurableMoves {
    pub(crate) fn new(kept: RunningGamesOfRun) -> DurableMoves {
        DurableMoves { kept, game: None }
    }

    /// The referee of a game that begins, or goes on where an earlier run was interrupted; and when it began.
    pub(crate) fn referee(
        &mut self,
        planned: &PlannedGame,
        tournament: &Tournament,
        now: Stamp,
    ) -> (Referee, UnixMillis) {
        self.game = None;
        let started = UnixMillis::now();
        let begin = || Referee::new(planned.settings.clone(), now);
        let kept = &self.kept;
        let limits = planned.settings.players.each_ref();
        if !tournament.resumes(limits.map(|player| &player.limits)) {
            return (begin(), started);
        }
        let recorded = kept.files.recorded(planned.id);
        let recorded = recorded.filter(|recorded| recorded.identity == kept.identity);
        if let Some((recorded, referee)) =
            recorded.and_then(|recorded| resumed(recorded, planned, started, now))
        {
            let file = kept.files.go_on(&recorded, started);
            let written = referee.moves().len();
            self.game = open(planned.id, file, written);
            return (referee, recorded.game.started);
        }
        let (start, opening) = (&planned.settings.start, &planned.settings.opening);
        let record = GameRecord::unplayed(start.clone(), opening.clone());
        let game = planned.clone().finished(started, record);
        self.game = open(planned.id, kept.files.begin(kept.identity, &game), 0);
        (begin(), started)
    }

    /// Writes the moves that were made; those before must be on the disk. To be called where no clock runs.
    pub(crate) async fn keep(&mut self, referee: &Referee) {
        let Some(game) = &mut self.game else {
            return;
        };
        let new = &referee.moves()[game.written.min(referee.moves().len())..];
        if new.is_empty() {
            return;
        }
        let kept = game.settle().await.and_then(|()| {
            let at = UnixMillis::now();
            game.file.write(at, new, referee.breaches())
        });
        game.written += new.len();
        game.is_due = true;
        if let Err(error) = kept {
            self.give_up(&error);
        }
    }

    /// What was written goes to the disk, on another thread. To be called when the clock of the next move runs: the
    /// thread may take this processor at once.
    pub(crate) fn sync(&mut self) {
        if let Some(game) = self.game.as_mut().filter(|game| game.is_due) {
            game.is_due = false;
            game.sync = Some(spawn_blocking(game.file.sync()));
        }
    }

    /// The game is over in this run; whether it goes on in another.
    pub(crate) async fn over(&mut self, outcome: &Outcome) -> bool {
        self.sync();
        let Some(game) = &mut self.game else {
            return false;
        };
        let settled = game.settle().await;
        let is_interrupted = *outcome == Outcome::Void(VoidReason::Interrupted);
        let goes_on = is_interrupted && game.written > 0;
        if let Err(error) = settled {
            self.give_up(&error);
            return false;
        }
        if let Some(game) = self.game.take()
            && outcome.is_void()
            && !goes_on
        {
            self.kept.files.remove(game.id);
        }
        goes_on
    }

    /// The disk does not take the moves: the game is played all the same, and replayed if it is interrupted.
    fn give_up(&mut self, error: &io::Error) {
        if let Some(game) = self.game.take() {
            tracing::error!(game = %game.id, %error, "the moves of a game cannot be kept; it is played on");
            self.kept.files.remove(game.id);
        }
    }
}

impl OpenGame {
    /// What was written is on the disk.
    async fn settle(&mut self) -> io::Result<()> {
        match self.sync.take() {
            Some(sync) => sync.await.map_err(io::Error::other)?,
            None => Ok(()),
        }
    }
}

fn open(id: GameId, file: io::Result<RunningGameFile>, written: usize) -> Option<OpenGame> {
    match file {
        Ok(file) => Some(OpenGame {
            id,
            file,
            written,
            is_due: false,
            sync: None,
        }),
        Err(error) => {
            tracing::error!(game = %id, %error, "the moves of a game cannot be kept; it is played all the same");
            None
        }
    }
}

/// The referee behind the recorded moves, if they are those of the planned game.
fn resumed(
    recorded: RecordedGame,
    planned: &PlannedGame,
    started: UnixMillis,
    now: Stamp,
) -> Option<(RecordedGame, Referee)> {
    if recorded.game.seats != planned.seats {
        return None;
    }
    let (settings, record) = (planned.settings.clone(), recorded.game.record.clone());
    let referee = Referee::resumed(settings, record, recorded.away(started), now)?;
    Some((recorded, referee))
}
