//! Standard output and standard error as consoles.

use std::fs::File;
use std::io;
use std::os::windows::io::AsHandle;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use console::Term;
use winapi_util::console::Console;

use super::system;
use crate::platform::Stream;

/// Current number of columns and rows; `None` if the stream is not a console.
pub(crate) fn size(stream: Stream) -> Option<[usize; 2]> {
    let term = match stream {
        Stream::Out => Term::stdout(),
        Stream::Error => Term::stderr(),
    };
    let (rows, columns) = term.size_checked()?;
    Some([columns, rows].map(usize::from))
}

/// The stream as a separate file. A write through the standard library would hold its lock while it waits.
///
/// # Errors
/// The stream does not exist.
pub(crate) fn own(stream: Stream) -> io::Result<File> {
    Ok(File::from(match stream {
        Stream::Out => io::stdout().as_handle().try_clone_to_owned()?,
        Stream::Error => io::stderr().as_handle().try_clone_to_owned()?,
    }))
}

/// Does nothing: Windows does not stop and continue programs.
///
/// # Errors
/// Never.
pub(crate) fn tell_when_resumed(_resumed: &Arc<AtomicBool>) -> io::Result<()> {
    Ok(())
}

/// The code page of UTF-8.
const UTF_8: u32 = 65001;

/// The code page that the console had; 0: none, or it is the same.
static CODE_PAGE: AtomicU32 = AtomicU32::new(0);

/// Enables colours, movements of the cursor, and UTF-8. Other streams need no preparation.
pub(crate) fn prepare() {
    for console in [Console::stdout(), Console::stderr()] {
        let _none = console.map(|mut console| console.set_virtual_terminal_processing(true));
    }
    let before = system::code_page();
    if before != UTF_8 && system::set_code_page(UTF_8) {
        CODE_PAGE.store(before, Ordering::Relaxed);
    }
}

/// Gives the console its code page back: older programs in the same window expect it.
pub(crate) fn leave() {
    match CODE_PAGE.swap(0, Ordering::Relaxed) {
        0 => {}
        before => _ = system::set_code_page(before),
    }
}

/// A path as `cmd` and PowerShell take it for one word; no path of Windows has a quotation mark.
pub(crate) fn shell_word(path: &str) -> String {
    let plain = |char: char| char.is_alphanumeric() || r"\/._-+=:".contains(char);
    if path.chars().all(plain) {
        path.to_owned()
    } else {
        format!("\"{path}\"")
    }
}
