//! What programs need of the environment in order to run at all.

/// Where programs and libraries are, the language, the time zone.
pub(crate) const REQUIRED_VARIABLES: &[&str] =
    &["PATH", "LD_LIBRARY_PATH", "LANG", "LANGUAGE", "TZ"];

/// The beginning of others: the language in detail.
pub(crate) const REQUIRED_PREFIX: &str = "LC_";

/// Who the user is, and where the user's folder is.
pub(crate) const USER_VARIABLES: &[&str] = &["HOME", "USER", "LOGNAME"];

pub(crate) const FOLDERS: &[&str] = &["PATH", "LD_LIBRARY_PATH"];

/// Folders that are the system's.
pub(crate) const SYSTEM_FOLDERS: &[&str] = &["/usr", "/bin", "/sbin", "/lib"];

/// Where the user's files that no event holds are, as a variable and a folder in its value; the first that is set.
pub(crate) const STATE: &[(&str, &str)] = &[("XDG_STATE_HOME", ""), ("HOME", ".local/state")];

/// Whether two variables are the same.
pub(crate) fn is_same_name(one: &str, other: &str) -> bool {
    one == other
}
