//! All processors read one file; the results arrive in the file's order.

use std::collections::VecDeque;
use std::io::{self, Cursor, Read};
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Builder};

use super::chunk::{Chunk, ChunkEnd, Chunks};
use super::{PgnError, PgnErrorKind, PgnReader, RawGame};

/// Approximate number of bytes that a thread reads at once.
const CHUNK_BYTES: usize = 1 << 20;
/// Number of games after which a single thread hands over its results.
const GAMES: u64 = 1000;

/// Hands the games of a stream to `each`, on as many threads as there are processors, with a value that collects
/// results. The values are given to `take`, one for each part of the file, in the file's order, with the number of
/// games before the part. Memory is needed for a few parts of a megabyte. The games and their line numbers are the same
/// as with [`PgnReader`]; each part counts its games from 1.
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
///     |part, _games_before| names.extend(part),
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
    take: impl FnMut(T, u64),
) -> io::Result<()> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    read_with(input, threads, CHUNK_BYTES, each, take)
}

fn read_with<T: Default + Send>(
    input: impl Read,
    threads: usize,
    chunk_bytes: usize,
    each: impl Fn(Result<RawGame<'_>, PgnError>, &mut T) + Sync,
    mut take: impl FnMut(T, u64),
) -> io::Result<()> {
    if threads == 1 {
        return read_alone(PgnReader::new(input), 0, each, take);
    }
    let mut chunks = Chunks::new(input, chunk_bytes);
    let mut games = 0;
    let mut taken = |part: &mut ReadChunk<T>| {
        take(std::mem::take(&mut part.made), games);
        games += part.end.games;
    };
    let left = match chunks.next_chunk()? {
        None => return Ok(()),
        // Threads would cost more than they save.
        Some(only) if only.at_end => {
            taken(&mut ReadChunk::read(only, &each));
            return Ok(());
        }
        Some(first) => read_chunks(first, &mut chunks, threads, &each, &mut taken)?,
    };
    let Some(left) = left else { return Ok(()) };
    let (pending, input) = (chunks.pending, chunks.input);
    let rest = Cursor::new(left.text)
        .chain(Cursor::new(pending))
        .chain(input);
    read_alone(PgnReader::from_line(rest, left.line), games, each, take)
}

/// A chunk that has been read.
struct ReadChunk<T> {
    made: T,
    chunk: Chunk,
    end: ChunkEnd,
}

impl<T: Default> ReadChunk<T> {
    fn read(chunk: Chunk, each: &impl Fn(Result<RawGame<'_>, PgnError>, &mut T)) -> ReadChunk<T> {
        let mut made = T::default();
        let end = chunk.read(|game| each(game, &mut made));
        ReadChunk { made, chunk, end }
    }
}

/// Text that cannot be read in chunks: a game does not end where it seemed to.
struct Left {
    text: Vec<u8>,
    line: u64,
}

/// Reads chunks until the end, or until the last game of one does not end where it seemed to.
fn read_chunks<T: Default + Send>(
    first: Chunk,
    chunks: &mut Chunks<impl Read>,
    threads: usize,
    each: &(impl Fn(Result<RawGame<'_>, PgnError>, &mut T) + Sync),
    taken: &mut impl FnMut(&mut ReadChunk<T>),
) -> io::Result<Option<Left>> {
    let (jobs, queue) = channel();
    let queue = Mutex::new(queue);
    thread::scope(|scope| {
        let spawn = |_| Builder::new().spawn_scoped(scope, || work(&queue, each));
        if (0..threads).map_while(|thread| spawn(thread).ok()).count() == 0 {
            // The system refuses a thread: one reader reads everything.
            let text = first.text().to_vec();
            return Ok(Some(Left { text, line: 1 }));
        }
        // Moved here so that the threads end with this closure.
        let jobs = jobs;
        let mut waiting = VecDeque::from([hand_to_a_thread(&jobs, first)]);
        let mut failed = None;
        loop {
            while failed.is_none() && waiting.len() < 2 * threads {
                match chunks.next_chunk() {
                    Ok(Some(chunk)) => waiting.push_back(hand_to_a_thread(&jobs, chunk)),
                    Ok(None) => break,
                    Err(error) => failed = Some(error),
                }
            }
            let next = waiting.pop_front().map(|part| part.recv());
            // A missing answer means that its thread has panicked; the scope passes the panic on.
            let Some(Ok(mut part)) = next else {
                return failed.map_or(Ok(None), Err);
            };
            taken(&mut part);
            if let Some(left) = left_of(&part, &mut waiting) {
                return failed.map_or(Ok(Some(left)), Err);
            }
        }
    })
}

/// The data that a thread needs to read a chunk and to answer.
type ChunkJob<T> = (Chunk, Sender<ReadChunk<T>>);

fn hand_to_a_thread<T>(jobs: &Sender<ChunkJob<T>>, chunk: Chunk) -> Receiver<ReadChunk<T>> {
    let (answer, part) = channel();
    // There are threads as long as there are jobs; otherwise the answer will be missing.
    let _ = jobs.send((chunk, answer));
    part
}

fn work<T: Default>(
    queue: &Mutex<Receiver<ChunkJob<T>>>,
    each: &impl Fn(Result<RawGame<'_>, PgnError>, &mut T),
) {
    loop {
        let Ok(job) = queue.lock().map(|queue| queue.recv()) else {
            return;
        };
        let Ok((chunk, answer)) = job else { return };
        // Nobody waits for it if reading was given up.
        let _ = answer.send(ReadChunk::read(chunk, each));
    }
}

/// The text from the game that did not end with its chunk; later chunks were cut in the wrong places.
fn left_of<T>(part: &ReadChunk<T>, waiting: &mut VecDeque<Receiver<ReadChunk<T>>>) -> Option<Left> {
    let rest = part.end.rest.as_ref()?;
    let mut text = part.chunk.after(rest).to_vec();
    for later in waiting.drain(..).filter_map(|later| later.recv().ok()) {
        text.extend_from_slice(later.chunk.text());
    }
    Some(Left {
        text,
        line: rest.line,
    })
}

/// Reads one game after the other; `games` is the number of games before the first.
fn read_alone<T: Default>(
    mut reader: PgnReader<impl Read>,
    games: u64,
    each: impl Fn(Result<RawGame<'_>, PgnError>, &mut T),
    mut take: impl FnMut(T, u64),
) -> io::Result<()> {
    let mut made = T::default();
    loop {
        let more = match reader.next_game() {
            None => false,
            Some(Err(PgnError {
                kind: PgnErrorKind::Io(error),
                ..
            })) => {
                take(made, games);
                return Err(error);
            }
            Some(game) => {
                each(game, &mut made);
                true
            }
        };
        if !more {
            take(made, games);
            return Ok(());
        }
        if reader.games().is_multiple_of(GAMES) {
            take(std::mem::take(&mut made), games);
        }
    }
}

#[cfg(test)]
mod tests;
