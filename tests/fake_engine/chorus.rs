//! Words of an engine that is not to move, and work that outlasts its turn.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::dialogue::write_raw;
use crate::outlaw;

/// Whether it is the opponent's turn.
static IDLE: AtomicBool = AtomicBool::new(false);

/// From the first call on a thread writes these lines without end while it is the opponent's
/// turn: `options` is one long line that looks like many declarations, `short` many short ones.
pub(crate) fn sing(what: &str) {
    static SINGER: OnceLock<()> = OnceLock::new();
    let song = match what {
        "options" => declarations(),
        "short" => "x\n".repeat(32 * 1024),
        other => panic!("no such song: {other}"),
    };
    SINGER.get_or_init(|| {
        thread::spawn(move || {
            loop {
                match IDLE.load(Ordering::Relaxed) {
                    true => write_raw(song.as_bytes()),
                    false => thread::yield_now(),
                }
            }
        });
    });
}

/// How many of them there are: so many have a hundredth of a processor that a hundred others want, too.
const BURNERS: usize = 4;

/// From the first call on some keep processors busy: a `thread` each while it is the opponent's
/// turn, or a `child` all the time.
pub(crate) fn burn(how: &str) {
    static BURNING: OnceLock<()> = OnceLock::new();
    BURNING.get_or_init(|| (0..BURNERS).for_each(|_| burner(how)));
}

fn burner(how: &str) {
    match how {
        "child" => outlaw::start_hog().expect("a child"),
        "thread" => {
            thread::spawn(|| {
                loop {
                    match IDLE.load(Ordering::Relaxed) {
                        true => std::hint::black_box(()),
                        false => thread::yield_now(),
                    }
                }
            });
        }
        other => panic!("no such way to burn: {other}"),
    }
}

/// Whether it is the opponent's turn from now on.
pub(crate) fn idle(idle: bool) {
    IDLE.store(idle, Ordering::Relaxed);
}

/// A line as long as a line may be, each word of which could begin a declaration.
pub(crate) fn declarations() -> String {
    let mut line = "option name ".repeat(64 * 1024 / 12);
    line.push('\n');
    line
}
