//! seccomp: only the system calls that engines need succeed from here on. Needs no rights
//! and no namespace, and also binds root.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};

use super::refusals::{self, OtherWalls, RefusedCall, When};
use crate::platform::orders::LaunchError;

/// From here on only the calls of [`allowed`] succeed, and not with all arguments; returns why not, if seccomp is not available and not
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
    let answer = |errno: i32| SeccompAction::Errno(errno.unsigned_abs());
    let allowed = refusals::allowed()
        .into_iter()
        .map(|call| (call, When::Always));
    let filters = [
        (
            answer(libc::EPERM),
            SeccompAction::Allow,
            refusals::all(standing),
        ),
        // Answered with success: some engines give up otherwise.
        (
            answer(0),
            SeccompAction::Allow,
            refusals::answered(standing),
        ),
        // Programs and run times know how to do without a call that an older kernel lacks.
        (
            SeccompAction::Allow,
            answer(libc::ENOSYS),
            allowed.collect(),
        ),
    ];
    let filters = filters
        .into_iter()
        .filter(|(_, _, calls)| !calls.is_empty());
    for (these, others, calls) in filters {
        let program = program(these, others, calls)?;
        seccompiler::apply_filter(&program).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// A filter with one answer for these calls, and one for all others.
fn program(
    these: SeccompAction,
    others: SeccompAction,
    calls: Vec<RefusedCall>,
) -> Result<BpfProgram, String> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    // A call without a rule is meant with any arguments.
    let (always, sometimes): (Vec<RefusedCall>, Vec<RefusedCall>) = calls
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
    let filter = SeccompFilter::new(rules, others, these, architecture);
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
