//! seccomp: system calls that an engine does not need, and that could harm others, fail from here on. Needs no rights
//! and no namespace, and also binds root.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, sock_filter,
};

use super::refusals::{self, OtherWalls, Refusal, When};
use crate::platform::orders::LaunchError;

/// The same calls by the numbers of x32, an older way into the 64-bit kernel, begin here.
const X32: u32 = 0x4000_0000;

/// Refuses the calls listed in [`refusals`] from here on; returns why not, if seccomp is not available and not
/// required. A program for another architecture than this one's (32-bit) is ended at its first system call.
pub(super) fn refuse(required: bool, standing: OtherWalls) -> Result<Option<String>, LaunchError> {
    match apply(standing) {
        Ok(()) => Ok(None),
        Err(error) if required => {
            let why = format!("{error}; sandbox = \"best-effort\" goes without what is missing");
            Err(LaunchError::new(
                "cannot refuse system calls by seccomp",
                why,
            ))
        }
        Err(error) => Ok(Some(error)),
    }
}

/// Installs one filter for each answer; the kernel takes the strictest.
fn apply(standing: OtherWalls) -> Result<(), String> {
    let said = |error: seccompiler::Error| error.to_string();
    let refused = refusals::all(standing);
    let filters = [
        (libc::EPERM, refused),
        // The C library then uses `clone` and `openat`, whose arguments can be checked.
        (
            libc::ENOSYS,
            vec![
                (libc::SYS_clone3, When::Always),
                (libc::SYS_openat2, When::Always),
            ],
        ),
        // Answered with success: some engines give up otherwise.
        (0, refusals::answered(standing)),
    ];
    for (errno, calls) in filters.into_iter().filter(|(_, calls)| !calls.is_empty()) {
        let program = program(errno, calls)?;
        seccompiler::apply_filter(&program).map_err(said)?;
    }
    if cfg!(target_arch = "x86_64") {
        seccompiler::apply_filter(&no_x32()).map_err(said)?;
    }
    Ok(())
}

fn program(errno: i32, calls: Vec<Refusal>) -> Result<BpfProgram, String> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    // A call without a rule is refused with any arguments.
    let (always, sometimes): (Vec<Refusal>, Vec<Refusal>) = calls
        .into_iter()
        .partition(|(_, when)| *when == When::Always);
    rules.extend(always.iter().map(|(call, _)| (*call, Vec::new())));
    for (call, when) in sometimes {
        if !always.contains(&(call, When::Always)) {
            let several = rules.entry(call).or_default();
            several.extend(rule(when).map_err(|error| error.to_string())?);
        }
    }
    let architecture = std::env::consts::ARCH.try_into();
    let architecture =
        architecture.map_err(|error: seccompiler::BackendError| error.to_string())?;
    let answer = SeccompAction::Errno(errno.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, answer, architecture);
    let program: Result<BpfProgram, _> = filter.and_then(TryInto::try_into);
    program.map_err(|error| error.to_string())
}

/// The bits that are set, each as a number.
fn each(bits: u64) -> impl Iterator<Item = u64> {
    (0..32)
        .map(|bit| 1_u64 << bit)
        .filter(move |bit| bits & bit != 0)
}

/// The argument has this bit.
fn has(argument: u8, bit: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    let operator = SeccompCmpOp::MaskedEq(bit);
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, bit)
}

fn rule(when: When) -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let one = |argument, length, operator, value| {
        let condition = SeccompCondition::new(argument, length, operator, value)?;
        SeccompRule::new(vec![condition])
    };
    let rule = |argument, operator, value| one(argument, SeccompCmpArgLen::Dword, operator, value);
    match when {
        When::Always => Ok(Vec::new()),
        When::Not(argument, value) => Ok(vec![rule(argument, SeccompCmpOp::Ne, value)?]),
        When::Is(argument, value) => Ok(vec![rule(argument, SeccompCmpOp::Eq, value)?]),
        When::Address(argument) => Ok(vec![one(
            argument,
            SeccompCmpArgLen::Qword,
            SeccompCmpOp::Ne,
            0,
        )?]),
        When::Any(argument, bits) => each(bits)
            .map(|bit| SeccompRule::new(vec![has(argument, bit)?]))
            .collect(),
        When::Both((first, of_first), (second, of_second)) => each(of_first)
            .flat_map(|one| each(of_second).map(move |other| (one, other)))
            .map(|(one, other)| SeccompRule::new(vec![has(first, one)?, has(second, other)?]))
            .collect(),
    }
}

/// Refuses all system calls by the numbers of x32.
fn no_x32() -> BpfProgram {
    // bpf(4): load the number, which is the first field of the data; compare; return.
    let one = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    vec![
        one(0x20, 0, 0, 0),
        one(0x35, 0, 1, X32),
        one(
            0x06,
            0,
            0,
            libc::SECCOMP_RET_ERRNO | libc::EPERM.unsigned_abs(),
        ),
        one(0x06, 0, 0, libc::SECCOMP_RET_ALLOW),
    ]
}
