//! Positions shared out over the processor's cores. The split into chunks
//! does not depend on the number of cores, so neither do the sums.

/// Chunks of positions; sums are taken chunk by chunk, in order.
const CHUNKS: usize = 16;

/// Below this much work (counts × nodes) threads cost more than they save.
const WORTH_A_THREAD: usize = 60_000;

/// Calls `task` for consecutive chunks of `items`, on several threads where
/// `work` is large, and returns the results in order.
pub(super) fn in_chunks<T: Send, R: Send>(
    items: &mut [T],
    work: usize,
    task: impl Fn(usize, &mut [T]) -> R + Sync,
) -> Vec<R> {
    let length = items.len().div_ceil(CHUNKS).max(1);
    let chunks = items
        .chunks_mut(length)
        .enumerate()
        .map(|(i, chunk)| (i * length, chunk));
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get().min(8));
    if work < WORTH_A_THREAD || threads < 2 {
        return chunks.map(|(first, chunk)| task(first, chunk)).collect();
    }
    let queue = std::sync::Mutex::new(chunks.enumerate());
    let next = || queue.lock().ok().and_then(|mut queue| queue.next());
    let worker = || {
        let mut done = Vec::new();
        while let Some((index, (first, chunk))) = next() {
            done.push((index, task(first, chunk)));
        }
        done
    };
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        // Where the system gives no threads the work takes longer.
        let spawn = |_| std::thread::Builder::new().spawn_scoped(scope, worker).ok();
        let others: Vec<_> = (1..threads).map_while(spawn).collect();
        let mut results = worker();
        for other in others {
            match other.join() {
                Ok(done) => results.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_with_and_without_threads() {
        for work in [0, usize::MAX] {
            let mut items: Vec<usize> = vec![0; 100];
            let firsts = in_chunks(&mut items, work, |first, chunk| {
                chunk
                    .iter_mut()
                    .enumerate()
                    .for_each(|(i, item)| *item = first + i);
                first
            });
            assert!(firsts.windows(2).all(|two| two[0] < two[1]));
            assert_eq!(items, (0..100).collect::<Vec<_>>());
        }
        assert!(in_chunks(&mut [0_u8; 0], 0, |_, _| ()).is_empty());
    }
}
