//! The machine, as far as the standard library describes it.

use std::io;
use std::thread::available_parallelism;
use std::time::Duration;

use crate::platform::Fact;

/// A text of the kernel; `None` if the system does not offer it.
pub(crate) fn text(fact: Fact) -> Option<String> {
    match fact {
        Fact::Processors => Some(format!("flags : {}\n", instruction_sets().join(" "))),
        _ => None,
    }
}

/// Instruction sets, by their names in Linux.
#[cfg(target_arch = "x86_64")]
fn instruction_sets() -> Vec<&'static str> {
    macro_rules! those_of {
        ($($ours:literal $theirs:tt),*) => {
            [$((std::is_x86_feature_detected!($theirs), $ours)),*]
        };
    }
    let known = those_of!(
        "ssse3" "ssse3", "sse4_1" "sse4.1", "sse4_2" "sse4.2", "popcnt" "popcnt", "avx" "avx", "avx2" "avx2",
        "bmi1" "bmi1", "bmi2" "bmi2", "fma" "fma", "avx512f" "avx512f", "avx512bw" "avx512bw",
        "avx512vl" "avx512vl", "avx512_vnni" "avx512vnni"
    );
    let found = known.into_iter().filter(|(there, _)| *there);
    found.map(|(_, name)| name).collect()
}

/// Instruction sets, by their names in Linux.
#[cfg(target_arch = "aarch64")]
fn instruction_sets() -> Vec<&'static str> {
    let dot_product = std::arch::is_aarch64_feature_detected!("dotprod");
    let known = [(true, "asimd"), (dot_product, "asimddp")];
    let found = known.into_iter().filter(|(there, _)| *there);
    found.map(|(_, name)| name).collect()
}

/// Instruction sets: no names are known.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn instruction_sets() -> Vec<&'static str> {
    Vec::new()
}

/// The numbers of the processors that this process may use.
///
/// # Errors
/// The system does not say.
pub(crate) fn processors() -> io::Result<Vec<u16>> {
    let count = u16::try_from(available_parallelism()?.get()).unwrap_or(u16::MAX);
    Ok((0..count).collect())
}

/// It is not known which processors share a core.
pub(crate) fn core_of(_processor: u16) -> [Option<u16>; 2] {
    [None, None]
}

/// There is no limit below the machine's memory.
pub(crate) fn memory_limit() -> Option<u64> {
    None
}

/// This system offers no two clocks whose difference shows a suspension.
pub(crate) fn clocks() -> [Duration; 3] {
    [Duration::ZERO; 3]
}
