//! All processors read one file; the results arrive in the file's order. One thread finds where games end, and gives
//! whole games in batches to the others.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::num::NonZero;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Builder};

use super::tag::TagSpan;
use super::{PgnError, PgnErrorKind, PgnReader, RawGame};

/// A batch ends with the game that brings it to this size in bytes, or to this number of games.
const BATCH_BYTES: usize = 1 << 20;
const BATCH_GAMES: usize = 20_000;

/// Hands the games of a stream to `each`, on as many threads as there are processors, with a value that collects
/// results. The values are given to `take`, one for each part of the file, in the file's order. Memory is needed for a
/// few parts of a megabyte. The games, their numbers and their lines are the same as with [`PgnReader`].
///
/// ```
/// use arbiter960::pgn::read_in_parallel;
/// let text = "[White \"a\"]\n\n1. e4 e5 *\n\n[White \"b\"]\n\n1. d4 *\n";
/// let mut names = Vec::new();
/// read_in_parallel(
///     text.as_bytes(),
///     |game, names: &mut Vec<_>| {
///         names.extend(game.ok().and_then(|game| Some(game.tag("White")?.into_owned())));
///     },
///     |part| names.extend(part),
/// )?;
/// assert_eq!(names, ["a", "b"]);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// The input cannot be read; the results before that place have been passed to `take`.
pub fn read_in_parallel<T: Default + Send>(
    input: impl Read,
    each: impl Fn(Result<RawGame<'_>, PgnError>, &mut T) + Sync,
    take: impl FnMut(T),
) -> io::Result<()> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    read_with(input, threads, BATCH_BYTES, each, take)
}

fn read_with<T: Default + Send>(
    input: impl Read,
    threads: usize,
    batch_bytes: usize,
    each: impl Fn(Result<RawGame<'_>, PgnError>, &mut T) + Sync,
    mut take: impl FnMut(T),
) -> io::Result<()> {
    let mut reader = PgnReader::new(input);
    let (first, mut has_more) = Batch::next(&mut reader, batch_bytes);
    let (jobs, queue) = channel();
    let queue = Mutex::new(queue);
    thread::scope(|scope| {
        // Moved here so that the threads end with this closure.
        let jobs = jobs;
        let spawn = |_| Builder::new().spawn_scoped(scope, || work(&queue, &each));
        // For a small file threads would cost more than they save.
        let wanted = if threads > 1 && matches!(has_more, Ok(true)) {
            threads
        } else {
            0
        };
        if (0..wanted).map_while(|thread| spawn(thread).ok()).count() == 0 {
            take(first.read(&each));
            while matches!(has_more, Ok(true)) {
                let batch;
                (batch, has_more) = Batch::next(&mut reader, batch_bytes);
                take(batch.read(&each));
            }
            return has_more.map(drop);
        }
        let mut waiting = VecDeque::from([hand_to_a_thread(&jobs, first)]);
        loop {
            while matches!(has_more, Ok(true)) && waiting.len() < 2 * threads {
                let batch;
                (batch, has_more) = Batch::next(&mut reader, batch_bytes);
                waiting.push_back(hand_to_a_thread(&jobs, batch));
            }
            // A missing answer means that its thread has panicked; the scope passes the panic on.
            let Some(Ok(made)) = waiting.pop_front().map(|part| part.recv()) else {
                return has_more.map(drop);
            };
            take(made);
        }
    })
}

/// The data that a thread needs to read a batch and to answer.
type BatchJob<T> = (Batch, Sender<T>);

fn hand_to_a_thread<T>(jobs: &Sender<BatchJob<T>>, batch: Batch) -> Receiver<T> {
    let (answer, part) = channel();
    // There are threads as long as there are jobs; otherwise the answer will be missing.
    let _ = jobs.send((batch, answer));
    part
}

fn work<T: Default>(
    queue: &Mutex<Receiver<BatchJob<T>>>,
    each: &impl Fn(Result<RawGame<'_>, PgnError>, &mut T),
) {
    loop {
        let Ok(job) = queue.lock().map(|queue| queue.recv()) else {
            return;
        };
        let Ok((batch, answer)) = job else { return };
        // Nobody waits for it if reading was given up.
        let _ = answer.send(batch.read(each));
    }
}

/// Games, or what is wrong with them, in the order of the file.
#[derive(Default)]
struct Batch {
    text: Vec<u8>,
    tags: Vec<TagSpan>,
    unreadable: Vec<usize>,
    games: Vec<Result<BatchGame, PgnError>>,
}

/// A [`RawGame`] whose parts are in a batch.
struct BatchGame {
    text: Range<usize>,
    tags: Range<usize>,
    unreadable: Range<usize>,
    movetext: usize,
    number: u64,
    line: u64,
}

impl Batch {
    /// The next games of about so many bytes; and whether there may be more, or why they cannot be read.
    fn next(reader: &mut PgnReader<impl Read>, bytes: usize) -> (Batch, io::Result<bool>) {
        let mut batch = Batch::default();
        while batch.text.len() < bytes && batch.games.len() < BATCH_GAMES {
            match reader.next_game() {
                None => return (batch, Ok(false)),
                Some(Err(PgnError {
                    kind: PgnErrorKind::Io(error),
                    ..
                })) => return (batch, Err(error)),
                Some(game) => {
                    let game = game.map(|game| batch.copied(&game));
                    batch.games.push(game);
                }
            }
        }
        (batch, Ok(true))
    }

    fn copied(&mut self, game: &RawGame<'_>) -> BatchGame {
        BatchGame {
            text: appended(&mut self.text, game.text),
            tags: appended(&mut self.tags, game.tags),
            unreadable: appended(&mut self.unreadable, game.unreadable),
            movetext: game.movetext,
            number: game.number,
            line: game.line,
        }
    }

    /// Hands out the games.
    fn read<T: Default>(self, each: &impl Fn(Result<RawGame<'_>, PgnError>, &mut T)) -> T {
        let mut made = T::default();
        for game in self.games {
            let game = game.map(|game| RawGame {
                text: &self.text[game.text],
                tags: &self.tags[game.tags],
                unreadable: &self.unreadable[game.unreadable],
                movetext: game.movetext,
                number: game.number,
                line: game.line,
            });
            each(game, &mut made);
        }
        made
    }
}

/// Appends these values; where they are now.
fn appended<T: Clone>(all: &mut Vec<T>, values: &[T]) -> Range<usize> {
    let from = all.len();
    all.extend_from_slice(values);
    from..all.len()
}

#[cfg(test)]
mod tests;
