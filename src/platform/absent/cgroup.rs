//! Cgroups, which do not exist here.

use std::io;
use std::path::PathBuf;

/// Never made, because [`Cgroups::new`] always fails.
#[derive(Debug, Clone)]
pub(crate) enum Cgroups {}

/// Does not exist on this system.
#[derive(Debug)]
pub(crate) enum Cgroup {}

impl Cgroups {
    /// # Errors
    /// Always.
    pub(crate) fn new() -> io::Result<Cgroups> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "this system has no cgroups",
        ))
    }

    pub(crate) fn controllers(&self) -> Vec<&'static str> {
        match *self {}
    }

    pub(crate) fn engine(
        &self,
        _memory_mib: Option<u32>,
        _tasks: Option<u32>,
    ) -> io::Result<Cgroup> {
        match *self {}
    }
}

impl Cgroup {
    pub(crate) fn entrance(&self) -> PathBuf {
        match *self {}
    }

    pub(crate) fn is_used(&self) -> bool {
        match *self {}
    }

    pub(crate) fn freeze(&self, _frozen: bool) -> bool {
        match *self {}
    }

    pub(crate) fn kill(&self) {
        match *self {}
    }

    pub(crate) fn memory_exceeded(&self) -> Option<u64> {
        match *self {}
    }
}
