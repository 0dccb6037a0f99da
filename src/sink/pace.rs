//! How fast games end, and when no end of the event can be predicted from that.

use std::time::Duration;

use super::span;

/// A shorter silence has no meaning.
const SILENCE: Duration = Duration::from_secs(60);

/// After a silence in which this number of games should have ended, the measured pace is no longer valid.
const GAMES: u32 = 5;

/// How fast games end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    /// Between two ends, with all games that are played at once.
    pub(crate) a_game: Duration,
    /// Since the last end.
    pub(crate) silent: Duration,
}

impl Pace {
    /// `no game has ended for 3 min`, if that is too long for any prediction to be credible.
    pub(crate) fn silence(self) -> Option<String> {
        let is_silent = self.silent >= SILENCE.max(self.a_game * GAMES);
        is_silent.then(|| format!("no game has ended for {}", span(self.silent.as_secs_f64())))
    }

    /// Seconds that this number of games takes.
    pub(crate) fn seconds(self, games: f64) -> f64 {
        games * self.a_game.as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silence_counts_when_it_is_long_for_these_games() {
        let silence = |a_game, silent| {
            let [a_game, silent] = [a_game, silent].map(Duration::from_secs);
            Pace { a_game, silent }.silence()
        };
        assert_eq!(silence(2, 59), None);
        let words = Some("no game has ended for 3 min".to_owned());
        assert_eq!(silence(2, 180), words);
        // Long games are silent for long.
        assert_eq!(silence(120, 599), None);
        assert!(silence(120, 600).is_some());
    }
}
