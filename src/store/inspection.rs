//! Checks all stored games: during the run by a thread of low priority, and before the end completely, by all
//! processors.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use super::EVENT_FILE;
use super::error::{InFile, StoreError};
use super::reader::{InspectedRow, Reader, read_for_inspection};
use crate::chess::{Color, FenDialect, Move};
use crate::event::PlayedGame;
use crate::hash::moves_hash;
use crate::platform::lock;
use crate::platform::machine::give_way;
use crate::referee::{DrawnBy, FaultKind, GameRecord, Outcome, Termination, WonBy};
use crate::schedule::{Opening, Openings, PairSpec, Plan, Shard};
use crate::text::count;
use crate::uci::Score;

/// Number of games that are read at once.
const GAMES_A_PART: u64 = 128;

/// Maximum number of games that are named; the others are counted.
const MAX_NAMED_GAMES: usize = 10;

/// Interval between progress messages.
const MAX_BUSY_WAIT: Duration = Duration::from_secs(1);

/// The inspection of an event's stored games; ends early when it is dropped.
#[derive(Debug)]
pub struct Inspection(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    folder: PathBuf,
    expected: Expectation,
    /// Number of games to check: those that are stored at the beginning.
    games: u64,
    /// The first game that no thread has taken yet.
    next: AtomicU64,
    /// The result is no longer needed.
    cancelled: AtomicBool,
    state: Mutex<InspectionState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct InspectionState {
    inspected: u64,
    index: bool,
    failure: Option<StoreError>,
}

impl Inspection {
    /// Starts to check the games that are stored in this folder. `failed` is called with the first difference, on
    /// another thread.
    ///
    /// # Errors
    /// The store cannot be read, or the system refuses a thread.
    pub fn begin(
        folder: &Path,
        expected: Expectation,
        failed: impl Fn(StoreError) + Send + 'static,
    ) -> Result<Inspection, StoreError> {
        let shared = Arc::new(Shared {
            folder: folder.to_path_buf(),
            expected,
            games: Reader::open(folder)?.last_place()?,
            next: AtomicU64::new(0),
            cancelled: AtomicBool::new(false),
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let own = Arc::clone(&shared);
        let work = move || {
            // Engines are being timed.
            give_way(19);
            own.work(true);
            let failure = lock(&own.state).failure.clone();
            failure.into_iter().for_each(failed);
        };
        let begun = Builder::new().name("inspection".to_owned()).spawn(work);
        begun.at(folder)?;
        Ok(Inspection(shared))
    }

    /// Waits until the check is complete, but not longer than `limit`; returns whether it is complete.
    ///
    /// # Errors
    /// Stored games are wrong, or cannot be read.
    pub fn wait(&self, limit: Duration) -> Result<bool, StoreError> {
        let shared = &self.0;
        let waiting = |state: &mut InspectionState| !shared.is_over(state);
        let state = lock(&shared.state);
        let waited = shared.changed.wait_timeout_while(state, limit, waiting);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        match &state.failure {
            Some(failure) => Err(failure.clone()),
            None => Ok(shared.is_over(&state)),
        }
    }

    /// Checks the remaining games with all processors, and reports progress if that takes long.
    ///
    /// # Errors
    /// Stored games are wrong, or cannot be read.
    pub fn finish(&self, mut say: impl FnMut(&str)) -> Result<(), StoreError> {
        if self.wait(Duration::ZERO)? {
            return Ok(());
        }
        let helpers = thread::available_parallelism().map_or(1, |processors| processors.get());
        thread::scope(|scope| {
            for _ in 0..helpers {
                // If the system refuses threads, the one of low priority does all of it.
                let help = || self.0.work(false);
                let _slower = Builder::new().spawn_scoped(scope, help);
            }
            let begun = Instant::now();
            while !self.wait(MAX_BUSY_WAIT)? {
                let inspected = lock(&self.0.state).inspected;
                if begun.elapsed() >= MAX_BUSY_WAIT {
                    say(&format!(
                        "checking the stored games against plan and rules: {inspected} of {}",
                        self.0.games
                    ));
                }
            }
            Ok(())
        })
    }
}

impl Drop for Inspection {
    fn drop(&mut self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }
}

impl Shared {
    fn is_over(&self, state: &InspectionState) -> bool {
        state.failure.is_some() || (state.index && state.inspected == self.games)
    }

    /// Takes one part after the other until none is left. The first worker also checks the index.
    fn work(&self, first: bool) {
        let worked = Reader::open(&self.folder).and_then(|reader| {
            if first {
                reader.check_index()?;
                lock(&self.state).index = true;
                self.changed.notify_all();
            }
            self.inspect_parts(&reader)
        });
        if let Err(error) = worked {
            lock(&self.state).failure.get_or_insert(error);
            self.changed.notify_all();
        }
    }

    fn inspect_parts(&self, reader: &Reader) -> Result<(), StoreError> {
        loop {
            let after = self.next.fetch_add(GAMES_A_PART, Ordering::Relaxed);
            let stopped =
                self.cancelled.load(Ordering::Relaxed) || lock(&self.state).failure.is_some();
            if after >= self.games || stopped {
                return Ok(());
            }
            let until = (after + GAMES_A_PART).min(self.games);
            self.inspect(reader, after, until)?;
            lock(&self.state).inspected += until - after;
            self.changed.notify_all();
        }
    }

    fn inspect(&self, reader: &Reader, after: u64, until: u64) -> Result<(), StoreError> {
        let rows = read_for_inspection(reader, [after, until])?;
        let mut wrong = Vec::new();
        let mut last = after;
        for row in &rows {
            reader.follows(last, row.sequence)?;
            last = row.sequence;
            if let Err(what) = self.expected.check(row) {
                wrong.push(format!("game {}: {what}", row.id));
            }
        }
        reader.reaches(last, until)?;
        if wrong.is_empty() {
            return Ok(());
        }
        let more = wrong.len().saturating_sub(MAX_NAMED_GAMES);
        wrong.truncate(MAX_NAMED_GAMES);
        Err(StoreError::Contradicted {
            file: self.folder.join(EVENT_FILE),
            games: wrong,
            more,
        })
    }
}

/// The requirements for the games of an event.
#[derive(Debug)]
pub struct Expectation {
    /// The pairings.
    pub plan: Plan,
    /// The start positions.
    pub openings: std::sync::Arc<Openings>,
    /// The pairs of the plan that may occur, if not all.
    pub shard: Option<Shard>,
}

impl Expectation {
    /// Checks a game.
    ///
    /// # Errors
    /// The first difference.
    pub(super) fn check(&self, row: &InspectedRow) -> Result<(), String> {
        let game = row.game.as_ref().map_err(Clone::clone)?;
        self.check_plan(game)?;
        check_row(row, &game.record)?;
        check_end(&game.record)
    }

    fn check_plan(&self, game: &PlayedGame) -> Result<(), String> {
        let pair = game.id.pair;
        if let Some(shard) = self.shard.filter(|shard| !shard.holds(pair)) {
            return Err(format!("shard {shard} does not have its pair"));
        }
        let spec = self.plan.pair(pair).ok_or("the plan has no such pair")?;
        check_pair(game, &spec, &self.openings.get(spec.opening))
    }
}

/// Checks a game of this pair that is not stored yet.
///
/// # Errors
/// The first difference.
pub(crate) fn check_played(
    game: &PlayedGame,
    spec: &PairSpec,
    opening: &Opening,
) -> Result<(), String> {
    check_pair(game, spec, opening)?;
    if game.record.outcome.is_void() {
        Ok(())
    } else {
        check_end(&game.record)
    }
}

fn check_pair(game: &PlayedGame, spec: &PairSpec, opening: &Opening) -> Result<(), String> {
    let (nth, record) = (game.id.game, &game.record);
    if nth >= spec.games {
        return Err(format!("its pair has {}", count(spec.games, "game")));
    }
    let found = [
        (game.seats == spec.seats(nth), "other engines or colours"),
        (game.cycle == spec.cycle, "another cycle"),
        (game.number == opening.number, "another start number"),
        (record.start == opening.start, "another start position"),
        (record.opening == opening.moves, "other moves of the book"),
    ];
    match found.iter().find(|(fits, _)| !fits) {
        None => Ok(()),
        Some((_, what)) => Err(format!("it has {what} than the plan")),
    }
}

/// Checks the columns that repeat what follows from the moves.
fn check_row(row: &InspectedRow, record: &GameRecord) -> Result<(), String> {
    let plies = record.plies();
    if row.plies as usize != plies {
        return Err(format!("it has {plies} half-moves, not {}", row.plies));
    }
    let start = record.start.fen(FenDialect::XFen);
    let hash = moves_hash(&start, record.all_moves().map(Move::bits));
    if hash != row.moves_hash {
        return Err("its moves are not those that were played: their hash does not fit".to_owned());
    }
    if record.outcome.termination().to_string() != row.termination {
        let termination = &row.termination;
        return Err(format!(
            "its termination '{termination}' does not fit its end"
        ));
    }
    Ok(())
}

/// Checks the end: it is the board's verdict if there is one, otherwise a reason that does not depend on the board.
fn check_end(record: &GameRecord) -> Result<(), String> {
    let game = record.board();
    let outcome = &record.outcome;
    let fits = match game.ending() {
        Some(ending) => *outcome == Outcome::from(ending),
        None => match *outcome {
            Outcome::Won { by, how } => won_off_the_board(record, by, how),
            Outcome::Drawn(how) => drawn_off_the_board(record, how),
            Outcome::Uneven(_) | Outcome::Void(_) => false,
        },
    };
    if fits {
        return Ok(());
    }
    let board = game.ending().map(|ending| ending.to_string());
    let (result, board) = (outcome.result(), board.as_deref().unwrap_or("no end"));
    Err(format!(
        "it is stored as {result} ({outcome}), and on the board there is {board}"
    ))
}

fn won_off_the_board(record: &GameRecord, by: Color, how: WonBy) -> bool {
    match how {
        WonBy::Checkmate => false,
        WonBy::Forfeit(kind) => has_fault(record, Some(!by), kind),
        // The loser's own score must show it.
        WonBy::ScoreAdjudication => match last_score(record, !by) {
            Some(Score::Centipawns(centipawns)) => centipawns <= 0,
            Some(Score::Mate(moves)) => moves <= 0,
            None => false,
        },
        WonBy::Resignation | WonBy::TablebaseAdjudication => true,
        // That is a decision in addition to the game, never the end of one.
        WonBy::ArbiterRuling | WonBy::ArbiterForfeit => false,
    }
}

fn drawn_off_the_board(record: &GameRecord, how: DrawnBy) -> bool {
    match how {
        DrawnBy::ForfeitAgainstNoMate(kind) => has_fault(record, None, kind),
        DrawnBy::ArbiterRuling => false,
        how => Outcome::Drawn(how).termination() == Termination::Adjudication,
    }
}

fn has_fault(record: &GameRecord, side: Option<Color>, kind: FaultKind) -> bool {
    let mut faults = record.faults.iter();
    faults.any(|fault| fault.kind == kind && side.is_none_or(|side| fault.side == side))
}

fn last_score(record: &GameRecord, side: Color) -> Option<Score> {
    let before = usize::from(side != record.first_mover());
    let mut own = record.moves.iter().skip(before).step_by(2);
    own.next_back()?.thinking.score
}
