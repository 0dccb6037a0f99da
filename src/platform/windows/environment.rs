//! What programs need of the environment in order to run at all.

/// Where programs, the system and room for temporary files are; what the processors are.
pub(crate) const REQUIRED_VARIABLES: &[&str] = &[
    "PATH",
    "PATHEXT",
    "SystemRoot",
    "SystemDrive",
    "windir",
    "ComSpec",
    "TEMP",
    "TMP",
    "NUMBER_OF_PROCESSORS",
    "PROCESSOR_ARCHITECTURE",
    "ProgramFiles",
    "ProgramData",
    "LANG",
    "TZ",
];

/// The beginning of others: the language in detail.
pub(crate) const REQUIRED_PREFIX: &str = "LC_";

/// Who the user is, and where the user's folders are.
pub(crate) const USER_VARIABLES: &[&str] = &[
    "USERPROFILE",
    "USERNAME",
    "HOMEDRIVE",
    "HOMEPATH",
    "APPDATA",
    "LOCALAPPDATA",
];

pub(crate) const FOLDERS: &[&str] = &["PATH"];

/// Folders that are the system's: asked for only where a sandbox can be had.
pub(crate) const SYSTEM_FOLDERS: &[&str] = &[];

/// Where the user's files that no event holds are, as a variable and a folder in its value; the first that is set.
pub(crate) const STATE: &[(&str, &str)] = &[("LOCALAPPDATA", "")];

/// Whether two variables are the same: Windows has `Path` and `PATH` for one.
pub(crate) fn is_same_name(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}
