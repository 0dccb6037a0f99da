//! Landlock (Linux 5.13 and later): which files the engine may read and write, no TCP, no signals to processes outside.
//! The rules bind the process and everything it starts, permanently.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, RestrictionStatus,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
    path_beneath_rules,
};

use crate::platform::orders::{Confinement, LaunchError, Sandbox};

/// The version that a sandbox needs (Linux 6.2): with older ones, files that may not be written can still be truncated.
const NEEDED_LANDLOCK: ABI = ABI::V3;

/// The newest version whose features are used.
const WANTED: ABI = ABI::V9;

/// What every program may read and run: programs and libraries of the system, and what the kernel reports to everybody
/// about the machine.
const SYSTEM: [&str; 17] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/dev/random",
    "/dev/urandom",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/self",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
];

/// What every program may write.
const DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];

pub(super) fn system() -> impl Iterator<Item = PathBuf> {
    SYSTEM.iter().chain(&DEVICES).map(PathBuf::from)
}

/// Restricts this process; returns the version of Landlock, or 0 if the kernel lacks Landlock and a sandbox is not
/// required.
pub(super) fn enforce(allowed: &Confinement) -> Result<u32, LaunchError> {
    let status = rules(allowed).map_err(|error| refusal(&error))?;
    match status.landlock {
        LandlockStatus::Available {
            effective_abi,
            kernel_abi,
        } => Ok(kernel_abi
            .and_then(|version| u32::try_from(version).ok())
            .unwrap_or(effective_abi as u32)),
        _ if allowed.sandbox >= Sandbox::Required => Err(refusal(&"the kernel has no Landlock")),
        _ => Ok(0),
    }
}

fn refusal(error: &dyn Display) -> LaunchError {
    let why = format!(
        "{error}; it takes Landlock {} (Linux 6.2), enabled at boot. sandbox = \"best-effort\" goes \
         without what is missing, false without a sandbox",
        NEEDED_LANDLOCK as u32
    );
    LaunchError::new(
        "cannot make the sandbox that `sandbox = true` asks for",
        why,
    )
}

fn rules(allowed: &Confinement) -> Result<RestrictionStatus, RulesetError> {
    let mut rules = Ruleset::default();
    if allowed.sandbox >= Sandbox::Required {
        rules = rules
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(NEEDED_LANDLOCK))?;
    }
    let rules = rules
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(WANTED))?
        .handle_access(AccessNet::from_all(WANTED))?
        .scope(Scope::from_all(WANTED))?
        .create()?;
    let rules = allow(rules, &SYSTEM, false)?;
    let rules = allow(rules, &DEVICES, true)?;
    let rules = allow(rules, &allowed.readable, false)?;
    allow(rules, &allowed.writable, true)?.restrict_self()
}

/// Allows access to these paths, as far as they exist, and to everything below them.
fn allow(
    rules: RulesetCreated,
    paths: &[impl AsRef<Path>],
    writable: bool,
) -> Result<RulesetCreated, RulesetError> {
    let access = if writable {
        AccessFs::from_all(WANTED)
    } else {
        AccessFs::from_read(WANTED)
    };
    rules.add_rules(path_beneath_rules(paths, access))
}
