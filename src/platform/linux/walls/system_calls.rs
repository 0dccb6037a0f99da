//! seccomp: only the system calls that engines need succeed from here on. Needs no rights
//! and no namespace, and also binds root.

use std::collections::BTreeMap;

use seccompiler::SeccompCmpArgLen::{Dword, Qword};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};
use serde_json::json;

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
    let mut programs = vec![program(answer(libc::EPERM), refusals::all(standing))?];
    let answered = refusals::answered(standing);
    if !answered.is_empty() {
        // Answered with success: some engines give up otherwise.
        programs.push(program(answer(0), answered)?);
    }
    programs.push(allowed()?);
    let mut programs = programs.iter();
    let applied = programs.try_for_each(|program| seccompiler::apply_filter(program));
    applied.map_err(|error| error.to_string())
}

/// Programs and run times know how to do without a call that an older kernel lacks: so are all others answered.
fn allowed() -> Result<BpfProgram, String> {
    let calls = refusals::allowed().map(|name| json!({ "syscall": name }));
    let filter = json!({ "allowed": {
        "mismatch_action": { "errno": libc::ENOSYS },
        "match_action": "allow",
        "filter": Vec::from_iter(calls),
    }});
    let filter = filter.to_string();
    let programs = seccompiler::compile_from_json(filter.as_bytes(), architecture()?);
    let mut programs = programs.map_err(|error| error.to_string())?.into_values();
    programs
        .next()
        .ok_or_else(|| "no filter was made".to_owned())
}

fn architecture() -> Result<TargetArch, String> {
    let architecture = std::env::consts::ARCH.try_into();
    architecture.map_err(|error: BackendError| error.to_string())
}

/// A filter with one answer for these calls, and one for all others.
fn program(these: SeccompAction, calls: Vec<RefusedCall>) -> Result<BpfProgram, String> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    // A call without a rule is meant with any arguments.
    let is_always = |(_, when): &RefusedCall| *when == When::Always;
    let (always, sometimes): (Vec<_>, Vec<_>) = calls.into_iter().partition(is_always);
    rules.extend(always.iter().map(|(call, _)| (*call, Vec::new())));
    for (call, when) in sometimes {
        if !always.contains(&(call, When::Always)) {
            let several = rules.entry(call).or_default();
            several.extend(rules_for(when).map_err(|error| error.to_string())?);
        }
    }
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, these, architecture()?);
    let program: Result<BpfProgram, _> = filter.and_then(TryInto::try_into);
    program.map_err(|error| error.to_string())
}

/// The bits that are set, each as a number.
fn each(bits: u64) -> impl Iterator<Item = u64> {
    let all = (0..32).map(|bit| 1_u64 << bit);
    all.filter(move |bit| bits & bit != 0)
}

/// The rules for a call with these arguments; none: with any.
fn rules_for(when: When) -> Result<Vec<SeccompRule>, BackendError> {
    let condition = SeccompCondition::new;
    let has = |argument, bit| condition(argument, Dword, SeccompCmpOp::MaskedEq(bit), bit);
    let one = |condition: Result<_, _>| Ok(vec![vec![condition?]]);
    let conditions: Result<Vec<Vec<SeccompCondition>>, BackendError> = match when {
        When::Always => Ok(Vec::new()),
        When::Not(argument, value) => one(condition(argument, Dword, SeccompCmpOp::Ne, value)),
        When::Is(argument, value) => one(condition(argument, Dword, SeccompCmpOp::Eq, value)),
        When::Address(argument) => one(condition(argument, Qword, SeccompCmpOp::Ne, 0)),
        When::Any(argument, bits) => each(bits)
            .map(|bit| Ok(vec![has(argument, bit)?]))
            .collect(),
        When::Both((first, of_first), (second, of_second)) => each(of_first)
            .flat_map(|one| each(of_second).map(move |other| (one, other)))
            .map(|(one, other)| Ok(vec![has(first, one)?, has(second, other)?]))
            .collect(),
    };
    conditions?.into_iter().map(SeccompRule::new).collect()
}
