//! Moves of workers are computed again here, where only nodes or depth bound the searches: the same engine makes the
//! same move after the same nodes on every machine. Which move is drawn with the coordinator's key, so no worker
//! knows it; one game at a time is looked at, so it costs one processor of this machine at most.

use std::collections::BTreeSet;
use std::fs::File;
use std::future::pending;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::chess::Color;
use crate::clock::TimeLimit;
use crate::config::{EngineSpec, Tournament};
use crate::event::PlayedGame;
use crate::host::features::Features;
use crate::platform::files::append_among_strangers;
use crate::referee::{MoveRecord, Request};
use crate::run::farm::messages::ResultMessage;
use crate::run::game::PlannedGame;
use crate::run::replay::{Questions, ReplayReply};
use crate::run::signals::Stop;
use crate::run::variant;
use crate::schedule::PairSpec;
use crate::stats::sources::{Draw, at_least_by_chance};
use crate::text::{printable, tell};
use crate::tournament::{RECOMPUTED_FILE, Recomputed, RecomputedGame, recomputed_words};

use super::{RunningCoordinator, write_down};

/// A worker plays no more where chance alone, among the games that were looked at, does it less often.
const LEVEL: f64 = 1e-4;

/// Maximum wait at the end for a game that is still being computed again.
const LAST: Duration = Duration::from_secs(5);

/// What is computed again, and what came of it.
#[derive(Debug)]
pub(super) struct Recomputing {
    record: File,
    all: Recomputed,
    running: Option<oneshot::Receiver<Answer>>,
    /// Engines that do not compute the same twice, or that do not play here.
    left_out: BTreeSet<u16>,
}

/// What came of one game.
#[derive(Debug)]
pub(super) struct Answer {
    game: RecomputedGame,
    engine: u16,
    /// Why it says nothing.
    useless: Option<String>,
}

impl Recomputing {
    pub(super) fn begin(folder: &Path) -> io::Result<Recomputing> {
        Ok(Recomputing {
            record: append_among_strangers(&folder.join(RECOMPUTED_FILE))?,
            all: Recomputed::read(folder)?,
            running: None,
            left_out: BTreeSet::new(),
        })
    }

    /// What came of the game that is looked at; waits for ever where none is.
    pub(super) async fn next(&mut self) -> Option<Answer> {
        let Some(running) = &mut self.running else {
            return pending().await;
        };
        let answer = running.await.ok();
        self.running = None;
        answer
    }
}

impl RunningCoordinator {
    /// Begins to look at a game of a pair that is stored, unless another is looked at.
    pub(super) fn recompute(&mut self, result: &ResultMessage) {
        if self.recomputing.running.is_some() || *self.stop.borrow() > Stop::No {
            return;
        }
        let Some(known) = self.outstanding.get(&result.pair) else {
            return;
        };
        let drawn = self.tickets.draw("draw", &self.event, result.pair) as usize;
        let finished: Vec<&PlayedGame> = result.finished().collect();
        let Some(game) = finished.get(drawn % finished.len().max(1)) else {
            return;
        };
        let (tournament, left_out) = (&self.start.tournament, &self.recomputing.left_out);
        let fits = |color: Color| {
            let seat = game.seats[color.index()];
            !left_out.contains(&seat.engine) && is_repeatable(tournament.engine(seat))
        };
        let mut mover = game.record.first_mover();
        let places = (0..game.record.moves.len()).filter(|_| {
            let fits = fits(mover);
            mover = !mover;
            fits
        });
        let places: Vec<usize> = places.collect();
        let Some(last) = places.get(drawn / 2 % places.len().max(1)) else {
            return;
        };
        let question = Recomputation {
            tournament: Arc::clone(tournament),
            game: (*game).clone(),
            spec: known.job.spec,
            last: *last,
            worker: result.worker.clone(),
        };
        let folder = self.start.folder.clone();
        let (answer, answered) = oneshot::channel();
        let thread = thread::Builder::new().name("recompute".to_owned());
        // Nobody listens after the end of the run.
        let spawned = thread.spawn(move || drop(answer.send(question.answer(&folder))));
        if let Err(error) = spawned {
            return tracing::warn!(%error, "no thread to compute moves again");
        }
        self.recomputing.running = Some(answered);
    }

    /// A game was looked at.
    pub(super) fn recomputed(&mut self, answer: Answer) {
        let game = answer.game;
        if let Some(why) = answer.useless {
            let name = printable(&game.engine).into_owned();
            tell(&format!(
                "moves of \"{name}\" are not recomputed: {}",
                printable(&why)
            ));
            self.recomputing.left_out.insert(answer.engine);
            return;
        }
        write_down(&game, &self.recomputing.record, "what was computed again");
        self.recomputing.all.add(&game);
        let [moves, differing] = &mut self.known(&game.worker).status.recomputed;
        *moves += game.moves;
        *differing += game.differing;
        if let Some(difference) = &game.difference {
            let worker = &game.worker;
            tracing::error!(
                worker,
                difference,
                "a move of a worker comes out otherwise here"
            );
            tell(&format!(
                "warning: worker {worker}: {}",
                printable(difference)
            ));
            self.judge_differences(worker);
        }
    }

    /// A worker whose games differ more often than those of the others plays no more. Where they differ on all,
    /// it is the engine: it keeps something from game to game.
    fn judge_differences(&mut self, worker: &str) {
        let games = &self.recomputing.all.games;
        let [own, own_differing] = games.get(worker).copied().unwrap_or_default();
        let sum = |place: usize| games.values().map(|of_one| of_one[place]).sum::<u64>();
        let games = Draw {
            drawn: own,
            marked: sum(1),
            all: sum(0),
        };
        let p = at_least_by_chance(own_differing, [games]);
        if p < LEVEL {
            let why = format!(
                "in {own_differing} of its {own} games that were recomputed a move differs, elsewhere in {} of {} \
                 (p = {p:.1e})",
                sum(1) - own_differing,
                sum(0) - own
            );
            self.quarantine(worker, &why);
        }
    }

    /// At the end: waits for the game that is being computed again, and reports the totals.
    pub(super) async fn finish_recomputing(&mut self) {
        if self.recomputing.running.is_some()
            && let Ok(Some(answer)) = timeout(LAST, self.recomputing.next()).await
        {
            self.recomputed(answer);
        }
        if let Some(counts) = self.recomputing.all.counts() {
            tell(&recomputed_words(counts));
        }
    }
}

/// Whether the searches of an engine are bounded by nodes or depth alone, and this machine can play it.
pub(super) fn is_repeatable(spec: &EngineSpec) -> bool {
    let limits = &spec.limits;
    limits.time == TimeLimit::None
        && (limits.nodes.is_some() || limits.depth.is_some())
        && !spec.ponder
        && Features::of_this_machine(&[])
            .missing(&spec.needs)
            .is_empty()
}

/// The moves of one engine in a game, up to one of them.
struct Recomputation {
    tournament: Arc<Tournament>,
    game: PlayedGame,
    spec: PairSpec,
    /// The place of the last among the engines' moves.
    last: usize,
    worker: String,
}

impl Recomputation {
    fn mover(&self) -> Color {
        let first = self.game.record.first_mover();
        match self.last.is_multiple_of(2) {
            true => first,
            false => !first,
        }
    }

    /// The places of the moves that are asked for: its tables are then what they were.
    fn places(&self) -> impl Iterator<Item = usize> + Clone {
        (self.last % 2..=self.last).step_by(2)
    }

    fn answer(self, folder: &Path) -> Answer {
        let seat = self.game.seats[self.mover().index()];
        let asked = self.compare(folder);
        let ((moves, difference), useless) = match asked {
            Ok(compared) => (compared, None),
            Err(why) => ((0, None), Some(why)),
        };
        Answer {
            game: RecomputedGame {
                pair: self.game.id.pair.0 + 1,
                game: self.game.id.game + 1,
                engine: self.tournament.engine(seat).name.clone(),
                worker: self.worker,
                moves,
                differing: u64::from(difference.is_some()),
                difference,
            },
            engine: seat.engine,
            useless,
        }
    }

    /// How many moves were compared, and in what the first differs that does. Asks once; where something differs, once
    /// more: an engine that differs from itself says nothing of a worker.
    fn compare(&self, folder: &Path) -> Result<(u64, Option<String>), String> {
        let replies = self.ask(folder)?;
        let (moves, difference) = self.compared(&replies);
        if difference.is_some() {
            let again = self.ask(folder)?;
            if !replies.iter().map(moves_of).eq(again.iter().map(moves_of)) {
                return Err("it does not compute the same twice".to_owned());
            }
        }
        Ok((moves, difference))
    }

    fn ask(&self, folder: &Path) -> Result<Vec<ReplayReply>, String> {
        let tournament = &self.tournament;
        let planned = PlannedGame::new(tournament, self.game.id, self.spec);
        let settings = planned.settings(tournament);
        let record = &self.game.record;
        let dialect = tournament.variant.uci_dialect();
        let stall = tournament.timeouts.stall;
        let searches = self.places().map(|place| {
            let took = record.moves.get(place).map(MoveRecord::elapsed);
            let limit = stall.max(4 * took.unwrap_or_default());
            (record.request(&settings.players, dialect, place), limit)
        });
        let searches: Vec<(Request, Duration)> = searches.collect();
        let rules = variant::rules(tournament.variant, folder);
        let replies = Questions {
            spec: tournament.engine(self.game.seats[self.mover().index()]),
            rules: &rules.map_err(|error| error.to_string())?,
            variant: settings.variant,
            timeouts: tournament.timeouts,
            searches,
        }
        .ask();
        let replies = replies.map_err(|error| error.to_string())?;
        match replies.iter().all(|reply| moves_of(reply).is_some()) {
            true => Ok(replies),
            false => Err("it gives no answer here".to_owned()),
        }
    }

    /// Up to the first move that differs.
    fn compared(&self, replies: &[ReplayReply]) -> (u64, Option<String>) {
        let record = &self.game.record;
        let board = record.board();
        let dialect = self.tournament.variant.uci_dialect();
        let mut moves = 0;
        for (place, reply) in self.places().zip(replies) {
            moves += 1;
            let played = &record.moves[place];
            let here = &board.positions()[record.opening.len() + place];
            let before = (
                here.uci(played.chess_move, dialect).to_string(),
                played.thinking.nodes,
            );
            let now = moves_of(reply).unwrap_or_default();
            if (before.0.as_str(), before.1) != now {
                let ply = record.opening.len() + place + 1;
                let difference = format!(
                    "game {}, half-move {ply} was {}, and is {} when it is recomputed",
                    self.game.id,
                    said(&before.0, before.1),
                    said(now.0, now.1)
                );
                return (moves, Some(difference));
            }
        }
        (moves, None)
    }
}

/// The move and the nodes after which it was made.
fn moves_of(reply: &ReplayReply) -> Option<(&str, Option<u64>)> {
    match reply {
        ReplayReply::Move { text, thinking, .. } => Some((text, thinking.nodes)),
        _ => None,
    }
}

fn said(text: &str, nodes: Option<u64>) -> String {
    match nodes {
        Some(nodes) => format!("{text} after {nodes} nodes"),
        None => text.to_owned(),
    }
}
