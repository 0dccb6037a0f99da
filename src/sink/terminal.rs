//! Standard error as a terminal: the bar, below it the results, and the running games, one line for each lane: the players,
//! the start number, clocks, evaluations. A drawing is one write, and never overwrites what others have written.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use textwrap::core::display_width;

use crate::chess::{Color, UciDialect};
use crate::event::live::{GameChange, LiveUpdate, RunningGame, RunningGames};
use crate::platform::{Stream, terminal};
use crate::text::{clock, count, fitted, printable};
use crate::tournament::Roster;
use crate::uci::ScoreStyle;

use super::has_rested;

/// Minimum time between two drawings.
const REDRAW_INTERVAL: Duration = Duration::from_millis(250);

/// Columns of the bar.
const BAR_COLUMNS: u64 = 24;

/// The bar and the lines below it.
pub(super) struct Screen {
    /// Not through the standard library: its lock would be held by a write that waits.
    out: File,
    /// The program was stopped (Ctrl-Z) and has continued: others have written below the last drawing.
    resumed: Arc<AtomicBool>,
    planned: Option<u64>,
    /// The last drawing.
    lines: Vec<String>,
    drawn: Option<Instant>,
    games: LaneGames,
}

impl Screen {
    /// For an event with this number of games.
    ///
    /// # Errors
    /// There is no standard error.
    pub(super) fn new(planned: Option<u64>) -> io::Result<Screen> {
        let resumed = Arc::<AtomicBool>::default();
        if let Err(error) = terminal::tell_when_resumed(&resumed) {
            tracing::warn!(%error, "the display will not notice when a stopped run goes on");
        }
        Ok(Screen {
            out: terminal::own(Stream::Error)?,
            resumed,
            planned,
            lines: Vec::new(),
            drawn: None,
            games: LaneGames::default(),
        })
    }

    /// An update of the running games.
    pub(super) fn hear(&mut self, update: &LiveUpdate) {
        self.games.hear(update);
    }

    /// The lines of the lanes, half of the terminal's at most.
    pub(super) fn lanes(&self, roster: &Roster) -> Vec<String> {
        let [width, height] = size();
        lane_lines(&self.games, roster, Instant::now(), [width, height / 2])
    }

    /// Whether it is time for another drawing.
    pub(super) fn is_due(&self) -> bool {
        has_rested(self.drawn, REDRAW_INTERVAL)
    }

    /// Draws the bar with its text, and these lines.
    pub(super) fn show(&mut self, games: u64, text: &str, lines: Vec<String>) {
        let filled = match self.planned {
            Some(planned @ 1..) => (BAR_COLUMNS * games / planned).min(BAR_COLUMNS),
            _ => 0,
        };
        let [full, empty] = [filled, BAR_COLUMNS - filled].map(|columns| columns as usize);
        let bar = format!("{}{} {text}", "█".repeat(full), "░".repeat(empty));
        let [width, _] = size();
        let lines = std::iter::once(bar).chain(lines);
        let lines = lines.map(|line| fit(&line, width)).collect();
        self.draw("", lines);
        self.drawn = Some(Instant::now());
    }

    /// Words above the bar.
    pub(super) fn say(&mut self, words: &str) {
        self.draw(&fitted(words), self.lines.clone());
    }

    /// Words that stay, and these lines in the place of the last drawing.
    fn draw(&mut self, words: &str, lines: Vec<String>) {
        let drawn = words.lines().chain(lines.iter().map(String::as_str));
        let text: String = drawn.flat_map(|line| [line, "\n"]).collect();
        let before = std::mem::replace(&mut self.lines, lines).len();
        // The program can be stopped at any moment; so this is checked last of all.
        let text = if self.resumed.swap(false, Ordering::Relaxed) || before == 0 {
            text
        } else {
            format!("\x1b[{before}A\x1b[J{text}")
        };
        // A closed terminal is noticed elsewhere.
        let _unseen = self.out.write_all(text.as_bytes());
    }
}

/// A terminal that does not say how large it is.
const USUAL: [usize; 2] = [80, 24];

/// The present columns and rows of the terminal: somebody may have changed its size.
pub(super) fn size() -> [usize; 2] {
    let size = terminal::size(Stream::Error);
    size.filter(|size| !size.contains(&0)).unwrap_or(USUAL)
}

/// From this width on, depth, move number and last move are shown, too.
const WIDE: usize = 104;

/// Columns in addition to the names: the game, the number, and a mark, a clock and a score a side.
const NARROW_COLUMNS: usize = 12 + 2 * 19;

/// And if there is room: two depths, the move's number, the move.
const WIDE_COLUMNS: usize = NARROW_COLUMNS + 2 * 4 + 7 + 7;

/// The widest and the narrowest column of names.
const NAMES: [usize; 2] = [6, 24];

/// The game of each lane: the running one, or the last one until the next begins, so that no line vanishes between two
/// games.
#[derive(Debug, Default)]
struct LaneGames {
    running: RunningGames,
    /// With the time of its end, at which its clocks stop.
    over: BTreeMap<usize, (RunningGame, Instant)>,
}

impl LaneGames {
    /// An update of the running games.
    fn hear(&mut self, update: &LiveUpdate) {
        let at = match update {
            LiveUpdate::Lane(of_lane) => match of_lane.change {
                GameChange::Game(_) | GameChange::Over(_) => of_lane.at,
                // No game begins or ends.
                _ => {
                    self.running.update(update);
                    return;
                }
            },
            LiveUpdate::Now { .. } => Instant::now(),
        };
        let before = self.running.clone();
        self.running.update(update);
        for (lane, game) in before.iter() {
            if self.running.in_lane(lane).is_none() {
                self.over.insert(lane, (game.clone(), at));
            }
        }
        self.over
            .retain(|lane, _| self.running.in_lane(*lane).is_none());
    }

    /// The games in the order of their lanes, each with the moment at which it is shown.
    fn shown(&self, now: Instant) -> Vec<(&RunningGame, Instant)> {
        let running = self.running.iter().map(|(lane, game)| (lane, (game, now)));
        let over = self.over.iter();
        let over = over.map(|(lane, (game, at))| (*lane, (game, *at)));
        let all: BTreeMap<usize, _> = running.chain(over).collect();
        all.into_values().collect()
    }
}

/// The lines of these games: at most this number of lines, each at most `width` columns wide.
fn lane_lines(
    games: &LaneGames,
    roster: &Roster,
    now: Instant,
    [width, most]: [usize; 2],
) -> Vec<String> {
    let columns = if width >= WIDE {
        WIDE_COLUMNS
    } else {
        NARROW_COLUMNS
    };
    let [least, largest] = NAMES;
    let room = (width.saturating_sub(columns) / 2).clamp(least, largest);
    let games = games.shown(now);
    let names = games.iter().flat_map(|(game, _)| game.seats);
    let longest = names.map(|seat| display_width(&printable(&roster.name(seat))));
    let names = room.min(longest.max().unwrap_or(0));
    let hidden = games.len().saturating_sub(most);
    // The line that reports the hidden games takes the space of one game.
    let shown = most.saturating_sub(usize::from(hidden > 0));
    let line = |&(game, at): &(&RunningGame, Instant)| {
        fit(&lane_line(game, roster, at, names, width >= WIDE), width)
    };
    let mut lines: Vec<String> = games.iter().take(shown).map(line).collect();
    if hidden > 0 && most > 0 {
        let hidden = games.len() - shown;
        lines.push(fit(&format!("… and {}", count(hidden, "more game")), width));
    }
    lines
}

/// ` 17.1 #518 ▸Stockfish 0:59  +0.35   Ethereal 1:00  -0.12`
fn lane_line(
    game: &RunningGame,
    roster: &Roster,
    now: Instant,
    names: usize,
    wide: bool,
) -> String {
    let number = game.number.map(|number| format!("#{number}"));
    let (name, number) = (roster.games.name(game.id), number.unwrap_or_default());
    let mut line = format!("{name:>6} {number:<4}");
    for side in Color::ALL {
        let to_move = game.position.side_to_move() == side;
        let mark = if to_move { '▸' } else { ' ' };
        let name = printable(&roster.name(game.seats[side.index()])).into_owned();
        // From the engine's own point of view.
        let thinking = &game.thinking[side.index()];
        let score = thinking.score.map(|score| score.bounded());
        let score = score.map(|score| score.text(ScoreStyle::People));
        let left = game.clock(side, now).map(clock).unwrap_or_default();
        let (name, score) = (padded(&name, names), score.unwrap_or_default());
        line += &format!(" {mark}{name} {left:>7} {score:>7}");
        if wide {
            let depth = thinking.depth.map(|depth| format!("d{depth}"));
            line += &format!(" {:<3}", depth.unwrap_or_default());
        }
    }
    if wide {
        let number = game.position.fullmove_number();
        let mut moves = game.start.uci_line(game.all_moves(), UciDialect::Chess960);
        line += &format!("  {number:>3}. {}", moves.pop().unwrap_or_default());
    }
    line
}

/// The text in exactly this number of columns.
fn padded(text: &str, columns: usize) -> String {
    let mut text = fit(text, columns);
    let missing = columns.saturating_sub(display_width(&text));
    text.extend(std::iter::repeat_n(' ', missing));
    text
}

/// The text, cut where it is wider than that.
fn fit(text: &str, columns: usize) -> String {
    let mut cut = String::new();
    let mut width = 0;
    for character in text.chars() {
        width += display_width(character.encode_utf8(&mut [0; 4]));
        if width > columns {
            break;
        }
        cut.push(character);
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Position, StartNumber, Variant};
    use crate::event::live::LaneUpdate;
    use crate::event::{GameId, PairId, Seat, UnixMillis};
    use crate::referee::{DrawnBy, Outcome, Thinking};
    use crate::tournament::Participant;
    use crate::uci::Score;

    fn roster() -> Roster {
        let names = ["Stockfish \u{1b}[2J 17.1 with a long name", "棋"];
        let participants = (0..).zip(names).map(|(engine, name)| Participant {
            seat: Seat { engine, copy: 0 },
            name: name.to_owned(),
        });
        Roster {
            event: String::new(),
            site: String::new(),
            variant: Variant::Chess960,
            format: None,
            participants: participants.collect(),
            voided_games: 0,
            decided_by_host: 0,
            host_faults: Default::default(),
            adaptive: None,
            decisions: Default::default(),
            games: Default::default(),
            rebuilt: None,
        }
    }

    fn games(count: usize, since: Instant) -> LaneGames {
        let mut games = LaneGames::default();
        for lane in 0..count {
            let id = GameId {
                pair: PairId(lane as u64 + 999),
                game: 1,
            };
            let said = Thinking {
                score: Some(Score::Centipawns(-123_456)),
                depth: Some(63),
                ..Thinking::default()
            };
            let running = RunningGame {
                id,
                seats: [0, 1].map(|engine| Seat { engine, copy: 0 }),
                number: Some(StartNumber(518)),
                started: UnixMillis(0),
                start: Position::standard(),
                position: Position::standard(),
                opening: Vec::new(),
                moves: Vec::new(),
                clocks: [Some(Duration::from_secs(36_000)), None],
                since,
                thinking: [said, Thinking::default()],
            };
            games.hear(&lane_update(
                lane,
                since,
                GameChange::Game(Box::new(running)),
            ));
        }
        games
    }

    fn lane_update(lane: usize, at: Instant, change: GameChange) -> LiveUpdate {
        let game = GameId {
            pair: PairId(lane as u64 + 999),
            game: 1,
        };
        LiveUpdate::Lane(Arc::new(LaneUpdate {
            lane,
            game,
            at,
            change,
        }))
    }

    #[test]
    fn a_line_stays_until_the_next_game_of_its_lane() {
        let begun = Instant::now();
        let later = |seconds| begun + Duration::from_secs(seconds);
        let mut games = games(2, begun);
        let shown = |games: &LaneGames, at| lane_lines(games, &roster(), at, [103, 9]);
        let over = GameChange::Over(Outcome::Drawn(DrawnBy::Stalemate));
        games.hear(&lane_update(0, later(4000), over));
        let lines = shown(&games, later(5000));
        assert_eq!(lines.len(), 2);
        // 36,000 s less 4,000 where the game is over, less 5,000 where it runs.
        assert!(lines[0].contains("8:53:20"), "{lines:?}");
        assert!(lines[1].contains("8:36:40"), "{lines:?}");
        // What was lost on the way says the same.
        let (now, lost) = (Arc::default(), 1);
        games.hear(&LiveUpdate::Now { games: now, lost });
        assert_eq!(shown(&games, later(6000)).len(), 2);
        let next = self::games(1, later(6000));
        let running = next.running.in_lane(0).unwrap().clone();
        games.hear(&lane_update(
            0,
            later(6000),
            GameChange::Game(Box::new(running)),
        ));
        let lines = shown(&games, later(6000));
        assert!(lines[0].contains("10:00:00"), "{lines:?}");
        assert_eq!(lines.len(), 2);
    }

    #[test]
    fn lines_keep_to_the_width_and_the_height_of_the_terminal() {
        let now = Instant::now();
        let games = games(9, now);
        for width in [0, 20, 80, 103, 104, 200] {
            for most in [0, 1, 4, 9, 20] {
                let lines = lane_lines(&games, &roster(), now, [width, most]);
                assert_eq!(lines.len(), most.min(9));
                let widest = lines.iter().map(|line| display_width(line)).max();
                assert!(widest.unwrap_or(0) <= width, "{lines:#?}");
                if width >= 80 && most >= 9 {
                    let told = ["1000.2 #518 ▸Stockfish", " 10:00:00 -300.00", "棋"];
                    assert!(told.iter().all(|part| lines[0].contains(part)), "{lines:?}");
                    assert_eq!(lines[0].contains("d63"), width >= 104);
                }
                if (1..9).contains(&most) && width >= 80 {
                    let left = format!("… and {} more games", 10 - most);
                    assert_eq!(lines.last(), Some(&left));
                }
            }
        }
    }
}
