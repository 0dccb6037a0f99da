//! How large the long studies are, and which cases they try: kills at random moments, cuts, flipped bits,
//! compared positions and command lines, simulations; of the events that cost most, which kinds are played.
//!
//! `cargo test` makes each of them small and always the same. `ARBITER960_STUDY=50` makes all of them fifty times as
//! large; `ARBITER960_STUDY_SEED=7` has those whose claim holds for every case try other cases. `.ci/nightly`
//! sets both, and prints the seed.

/// This number of cases in `cargo test`, and the multiple of it that was asked for.
pub(crate) fn size(small: u64) -> u64 {
    small * times()
}

/// The same for a property test.
pub(crate) fn cases(small: u32) -> u32 {
    u32::try_from(size(u64::from(small))).expect("a number of cases")
}

/// Whether more was asked for than `cargo test` does.
pub(crate) fn is_large() -> bool {
    times() > 1
}

/// Where the random numbers of a study begin: the study's own seed, mixed with the one that was asked for.
pub(crate) fn seed(own: u64) -> u64 {
    let asked = asked("ARBITER960_STUDY_SEED").unwrap_or(0);
    eprintln!("ARBITER960_STUDY={} ARBITER960_STUDY_SEED={asked}", times());
    own.wrapping_add(asked.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// This number of the cases, other ones with each seed; all of them where more was asked for than `cargo test` does.
pub(crate) fn part<T>(cases: impl IntoIterator<Item = T>, number: usize) -> Vec<T> {
    let mut cases: Vec<T> = cases.into_iter().collect();
    if !is_large() {
        let first = asked("ARBITER960_STUDY_SEED").unwrap_or(0) % cases.len() as u64;
        cases.rotate_left(usize::try_from(first).expect("a place in a list"));
        cases.truncate(number);
    }
    cases
}

fn times() -> u64 {
    asked("ARBITER960_STUDY").map_or(1, |times| times.max(1))
}

fn asked(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is no whole number: {text}")),
    )
}
