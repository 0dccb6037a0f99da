//! Checks all stored games: during the run by a thread of low priority, and before the end completely, by all
//! processors.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use super::error::{InFile, StoreError};
use super::inspect::Expectation;
use super::open::EVENT_FILE;
use super::reader::{Reader, read_for_inspection};
use crate::platform::machine::give_way;

/// Number of games that are read at once.
const A_PART: u64 = 128;

/// Maximum number of games that are named; the others are counted.
const NAMED: usize = 10;

/// Interval between progress messages.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

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
            let failure = own.lock().failure.clone();
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
        let waited = shared
            .changed
            .wait_timeout_while(shared.lock(), limit, waiting);
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
            while !self.wait(LONGEST_WAIT)? {
                let inspected = self.0.lock().inspected;
                if begun.elapsed() >= LONGEST_WAIT {
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
    fn lock(&self) -> MutexGuard<'_, InspectionState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self, state: &InspectionState) -> bool {
        state.failure.is_some() || (state.index && state.inspected == self.games)
    }

    /// Takes one part after the other until none is left. The first worker also checks the index.
    fn work(&self, first: bool) {
        let worked = Reader::open(&self.folder).and_then(|reader| {
            if first {
                reader.check_index()?;
                self.lock().index = true;
                self.changed.notify_all();
            }
            self.inspect_parts(&reader)
        });
        if let Err(error) = worked {
            self.lock().failure.get_or_insert(error);
            self.changed.notify_all();
        }
    }

    fn inspect_parts(&self, reader: &Reader) -> Result<(), StoreError> {
        loop {
            let after = self.next.fetch_add(A_PART, Ordering::Relaxed);
            let stopped = self.cancelled.load(Ordering::Relaxed) || self.lock().failure.is_some();
            if after >= self.games || stopped {
                return Ok(());
            }
            let until = (after + A_PART).min(self.games);
            self.inspect(reader, after, until)?;
            self.lock().inspected += until - after;
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
        let more = wrong.len().saturating_sub(NAMED);
        wrong.truncate(NAMED);
        Err(StoreError::Contradicted {
            file: self.folder.join(EVENT_FILE),
            games: wrong,
            more,
        })
    }
}
