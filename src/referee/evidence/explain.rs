//! Who is to blame for a flag that fell, in words.

use std::fmt;

use super::{Blame, FlagEvidence, ThreadState};
use crate::text::duration;

impl fmt::Display for FlagEvidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.verdict {
            Blame::Engine => "the engine's fault: ",
            Blame::Host => "the host's fault: ",
            Blame::Undecided => "undecided: ",
        })?;
        let atleast = if self.answered { "" } else { "at least " };
        write!(f, "{atleast}{} late, ", duration(self.late))?;
        match (self.seen.standing, self.seen.host.engine) {
            (_, None) => f.write_str("and the host was not watched"),
            (ThreadState::Stopped, _) => f.write_str("stopped by a signal"),
            (ThreadState::Blocked, _) => f.write_str("waiting for a disk"),
            _ if self.slept() => f.write_str("asleep when its flag fell"),
            _ => self.fmt_waits(f),
        }
    }
}

impl FlagEvidence {
    /// `the host cost it 2.5 ms to 7.1 ms`, or one of the two.
    fn fmt_waits(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the host cost it ")?;
        let (least, most) = (duration(self.taken), duration(self.most()));
        match self.verdict {
            Blame::Engine => write!(f, "{most} at most"),
            Blame::Undecided => write!(f, "{least} to {most}"),
            Blame::Host => write!(f, "{least} at least"),
        }?;
        if !self.seen.own.is_zero() {
            write!(
                f,
                ", its own other processes {} at most",
                duration(self.seen.own)
            )?;
        }
        let suspended = self.seen.host.suspended;
        if suspended.is_zero() {
            Ok(())
        } else {
            write!(
                f,
                "; the machine or the runner stood still for {}",
                duration(suspended)
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::HostEvidence;
    use crate::referee::evidence::verdict::tests::{MS, waited};

    #[test]
    fn the_words_say_what_the_host_took() {
        let words = |late, answered, seen| {
            FlagEvidence::judge(1000 * MS, late * MS, answered, seen).to_string()
        };
        let undecided = "undecided: 5 ms late, the host cost it 4 ms to 8 ms";
        assert_eq!(words(5, true, waited(8, 4)), undecided);
        let engine = "the engine's fault: at least 7 ms late, the host cost it 6 ms at most";
        assert_eq!(words(7, false, waited(6, 6)), engine);
        let host = "the host's fault: 5 ms late, the host cost it 6 ms at least";
        assert_eq!(words(5, true, waited(6, 6)), host);
        let mut hogged = waited(6, 6);
        hogged.own = 4 * MS;
        let own = "undecided: 5 ms late, the host cost it 2 ms to 6 ms, its own other \
                   processes 4 ms at most";
        assert_eq!(words(5, true, hogged), own);
        let nothing = "undecided: 5 ms late, and the host was not watched";
        assert_eq!(words(5, true, HostEvidence::default()), nothing);
    }
}
