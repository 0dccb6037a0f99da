//! All processors read one file; the results arrive in the file's order.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Builder};

use super::reader::Part;
use super::{PgnError, PgnErrorKind, PgnReader, RawGame};

/// Approximate number of bytes that a thread reads at once.
const PART_BYTES: usize = 1 << 20;
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
    read_with(input, threads, PART_BYTES, each, take)
}

fn read_with<T: Default + Send>(
    input: impl Read,
    threads: usize,
    part_bytes: usize,
    each: impl Fn(Result<RawGame<'_>, PgnError>, &mut T) + Sync,
    mut take: impl FnMut(T, u64),
) -> io::Result<()> {
    let mut reader = PgnReader::with_buffer(input, part_bytes);
    let games = if threads > 1 {
        read_parts(&mut reader, threads, part_bytes, &each, &mut take)
    } else {
        0
    };
    let mut made = T::default();
    let end = loop {
        match reader.next_game() {
            None => break Ok(()),
            Some(Err(PgnError {
                kind: PgnErrorKind::Io(error),
                ..
            })) => break Err(error),
            Some(game) => each(game, &mut made),
        }
        if reader.games().is_multiple_of(GAMES) {
            take(std::mem::take(&mut made), games);
        }
    };
    take(made, games);
    end
}

/// Reads parts until the end, or until the last game of one does not end where it seemed to; the number of games.
fn read_parts<T: Default + Send>(
    reader: &mut PgnReader<impl Read>,
    threads: usize,
    part_bytes: usize,
    each: &(impl Fn(Result<RawGame<'_>, PgnError>, &mut T) + Sync),
    take: &mut impl FnMut(T, u64),
) -> u64 {
    let mut games = 0;
    let Some(first) = reader.next_part(part_bytes) else {
        return games;
    };
    let (jobs, queue) = channel();
    let queue = Mutex::new(queue);
    thread::scope(|scope| {
        // Moved here so that the threads end with this closure.
        let jobs = jobs;
        let spawn = |_| Builder::new().spawn_scoped(scope, || work(&queue, each));
        // For a small file threads would cost more than they save.
        let wanted = if first.is_last() { 0 } else { threads };
        if (0..wanted).map_while(|thread| spawn(thread).ok()).count() == 0 {
            reader.take_back(&first, std::iter::empty());
            return games;
        }
        let mut waiting = VecDeque::from([hand_to_a_thread(&jobs, first)]);
        loop {
            while waiting.len() < 2 * threads
                && let Some(part) = reader.next_part(part_bytes)
            {
                waiting.push_back(hand_to_a_thread(&jobs, part));
            }
            // A missing answer means that its thread has panicked; the scope passes the panic on.
            let Some(Ok((part, made))) = waiting.pop_front().map(|part| part.recv()) else {
                return games;
            };
            take(made, games);
            games += part.games();
            if !part.is_read() {
                let later = waiting.into_iter().filter_map(|later| later.recv().ok());
                reader.take_back(&part, later.map(|(part, _)| part));
                return games;
            }
        }
    })
}

/// The data that a thread needs to read a part and to answer.
type PartJob<T> = (Part, Sender<(Part, T)>);

fn hand_to_a_thread<T>(jobs: &Sender<PartJob<T>>, part: Part) -> Receiver<(Part, T)> {
    let (answer, read) = channel();
    // There are threads as long as there are jobs; otherwise the answer will be missing.
    let _ = jobs.send((part, answer));
    read
}

fn work<T: Default>(
    queue: &Mutex<Receiver<PartJob<T>>>,
    each: &impl Fn(Result<RawGame<'_>, PgnError>, &mut T),
) {
    loop {
        let Ok(job) = queue.lock().map(|queue| queue.recv()) else {
            return;
        };
        let Ok((mut part, answer)) = job else { return };
        let mut made = T::default();
        part.read(|game| each(game, &mut made));
        // Nobody waits for it if reading was given up.
        let _ = answer.send((part, made));
    }
}

#[cfg(test)]
mod tests;
