//! Scores, clocks and depth from a comment.

use std::time::Duration;

use memchr::memchr;

use crate::uci::Score;

/// What a comment says about a move; every part may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Annotations {
    /// `[%eval]`: the score from White's point of view.
    pub evaluation: Option<Score>,
    /// `[%clk]`: what remained on the mover's clock.
    pub clock: Option<Duration>,
    /// `[%emt]`: the time of the move that was charged.
    pub charged: Option<Duration>,
    /// `[%elapsed]`: all of its time, where not all of it was charged.
    pub elapsed: Option<Duration>,
    /// The depth in plies: `d=18/24`, `d=45,`, `+0.31/18 0.5s`, `[%eval 0.31,18]`.
    pub depth: Option<u32>,
}

impl Annotations {
    /// Reads a comment's commands. Unreadable commands are ignored.
    pub fn of(comment: &[u8]) -> Annotations {
        let mut found = Annotations::default();
        let mut rest = comment;
        while let Some(open) = memchr(b'[', rest) {
            rest = &rest[open + 1..];
            let Some(close) = memchr(b']', rest) else {
                break;
            };
            found.take_command(&rest[..close]);
        }
        found.depth = found.depth.or_else(|| depth_word(comment));
        found
    }

    fn take_command(&mut self, command: &[u8]) {
        let Ok(command) = std::str::from_utf8(command) else {
            return;
        };
        let Some((name, value)) = command.split_once(|c: char| c.is_ascii_whitespace()) else {
            return;
        };
        let value = value.trim();
        match name {
            "%eval" => {
                let (score, depth) = value.split_once(',').unwrap_or((value, ""));
                self.evaluation = read_score(score);
                self.depth = self.depth.or(depth.parse().ok());
            }
            "%clk" => self.clock = read_time(value),
            "%emt" => self.charged = read_time(value),
            "%elapsed" => self.elapsed = read_time(value),
            _ => {}
        }
    }
}

/// `0.31`, `-1.2`, `#3`, `#-3`.
fn read_score(text: &str) -> Option<Score> {
    if let Some(moves) = text.strip_prefix('#') {
        return moves.parse().ok().map(Score::Mate);
    }
    let pawns: f64 = text.parse().ok()?;
    let centipawns = (pawns * 100.0).round();
    (centipawns.abs() < 1e9).then_some(Score::Centipawns(centipawns as i32))
}

/// `h:mm:ss`, `mm:ss` or seconds, with decimals.
fn read_time(text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    for part in text.split(':') {
        let value: f64 = part.parse().ok()?;
        seconds = seconds * 60.0 + value;
    }
    Duration::try_from_secs_f64(seconds).ok()
}

fn depth_word(comment: &[u8]) -> Option<u32> {
    let words = comment.split(|byte| byte.is_ascii_whitespace() || *byte == b',');
    words.filter(|word| !word.is_empty()).find_map(depth_of)
}

/// The depth in `d=18/24`, or after the score in `+0.31/18`.
fn depth_of(word: &[u8]) -> Option<u32> {
    let digits = match word.strip_prefix(b"d=") {
        Some(rest) => rest,
        None if matches!(word.first(), Some(b'+' | b'-' | b'0'..=b'9')) => {
            &word[memchr(b'/', word)? + 1..]
        }
        None => return None,
    };
    let length = digits
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    std::str::from_utf8(&digits[..length]).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_comments() {
        let comment = b"[%eval -0.31] [%clk 0:01:09.8] [%emt 0:00:00.312] [%elapsed 0:00:00.4] d=18/24 n=123456";
        let expected = Annotations {
            evaluation: Some(Score::Centipawns(-31)),
            clock: Some(Duration::from_millis(69_800)),
            charged: Some(Duration::from_millis(312)),
            elapsed: Some(Duration::from_millis(400)),
            depth: Some(18),
        };
        assert_eq!(Annotations::of(comment), expected);
    }

    #[test]
    fn comments_of_others() {
        assert_eq!(
            Annotations::of(b"[%eval #-3,12]").evaluation,
            Some(Score::Mate(-3))
        );
        assert_eq!(Annotations::of(b"[%eval #-3,12]").depth, Some(12));
        assert_eq!(Annotations::of(b"-0.71/23 6.157s").depth, Some(23));
        assert_eq!(Annotations::of(b"d=45, sd=65, mt=82942").depth, Some(45));
        assert_eq!(Annotations::of(b"[%clk 9").clock, None);
        assert_eq!(
            Annotations::of(b"[%eval nan] [%clk -1]"),
            Annotations::default()
        );
    }
}
