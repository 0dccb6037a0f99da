//! Standard output and standard error as terminals.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustix::termios::tcgetwinsize;
use signal_hook::consts::SIGCONT;

use crate::platform::Stream;

/// Current number of columns and rows; `None` if the stream is not a terminal, or does not report them.
pub(crate) fn size(stream: Stream) -> Option<[usize; 2]> {
    let size = match stream {
        Stream::Out => tcgetwinsize(io::stdout()),
        Stream::Error => tcgetwinsize(io::stderr()),
    };
    let size = size.ok().map(|size| [size.ws_col, size.ws_row]);
    size.map(|size| size.map(usize::from))
}

/// The stream as a separate file. A write through the standard library would hold its lock while it waits.
///
/// # Errors
/// The stream does not exist.
pub(crate) fn own(stream: Stream) -> io::Result<File> {
    Ok(File::from(match stream {
        Stream::Out => io::stdout().as_fd().try_clone_to_owned()?,
        Stream::Error => io::stderr().as_fd().try_clone_to_owned()?,
    }))
}

/// Sets the flag whenever the program is continued after a stop (Ctrl-Z).
///
/// # Errors
/// The system refuses a handler.
pub(crate) fn tell_when_resumed(resumed: &Arc<AtomicBool>) -> io::Result<()> {
    signal_hook::flag::register(SIGCONT, Arc::clone(resumed)).map(drop)
}

/// Nothing to do: terminals support colours and UTF-8.
pub(crate) fn prepare() {}

/// Nothing to do, as nothing was changed.
pub(crate) fn leave() {}

/// A path as a shell takes it for one word.
pub(crate) fn shell_word(path: &str) -> String {
    let plain = |char: char| char.is_alphanumeric() || "/._-+=:@%,".contains(char);
    if path.chars().all(plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::shell_word;

    #[test]
    fn a_path_with_a_blank_is_one_word() {
        assert_eq!(shell_word("results/first-1"), "results/first-1");
        assert_eq!(shell_word("results/A vs B"), "'results/A vs B'");
        assert_eq!(shell_word("it's"), r"'it'\''s'");
    }
}
