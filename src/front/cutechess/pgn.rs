//! A game in the form in which cutechess-cli writes it to its PGN file.

use std::time::Duration;

use super::clock;
use super::tally::words;
use crate::chess::{Color, FenDialect, Position};
use crate::event::PlayedGame;
use crate::front::common::number::fixed;
use crate::front::common::openings;
use crate::front::common::settings::{EngineSettings, Pgn, Variant};
use crate::front::common::values::{hours, moment, score};
use crate::referee::{FaultKind, MoveRecord, Outcome, Termination, WonBy};
use crate::schedule::Plan;

/// A line of moves is shorter than this many characters, except the last.
const LINE: usize = 80;

/// What is the same in all games of an event.
#[derive(Debug)]
pub(in crate::front) struct CutechessPgn {
    pub(in crate::front) options: Pgn,
    pub(in crate::front) variant: Variant,
    pub(in crate::front) engines: Vec<EngineSettings>,
    /// The names of the engines as they are printed.
    pub(in crate::front) names: Vec<String>,
    pub(in crate::front) plan: Plan,
}

impl CutechessPgn {
    /// The text of a game.
    pub(in crate::front) fn text(&self, game: &PlayedGame) -> String {
        let mut text = String::new();
        for (name, value) in self.tags(game) {
            let value = if value.is_empty() { "?" } else { &value };
            text += &format!("[{name} \"{value}\"]\n");
        }
        self.moves(game, &mut text);
        text
    }

    fn of<'a, T>(&self, list: &'a [T], game: &PlayedGame, color: Color) -> Option<&'a T> {
        list.get(usize::from(game.seat(color).engine))
    }

    /// The tags of the roster, then the others sorted by name.
    fn tags(&self, game: &PlayedGame) -> Vec<(&'static str, String)> {
        let record = &game.record;
        let name = |color| self.of(&self.names, game, color).cloned();
        let round = self.plan.round_of(game.id).unwrap_or(game.id.pair.0 + 1);
        let mut tags = vec![
            ("Event", self.options.event_name.clone()),
            ("Site", self.options.site.clone()),
            ("Date", moment(game.started, "%Y.%m.%d")),
            ("Round", round.to_string()),
            ("White", name(Color::White).unwrap_or_default()),
            ("Black", name(Color::Black).unwrap_or_default()),
            ("Result", record.outcome.result().to_owned()),
        ];
        let is_chess960 = self.variant == Variant::Chess960;
        let mut others = Vec::new();
        if is_chess960 || record.start != Position::standard() {
            others.push(("FEN", record.start.fen(FenDialect::XFen)));
            others.push(("SetUp", "1".to_owned()));
        }
        if is_chess960 {
            others.push(("Variant", "fischerandom".to_owned()));
        }
        if !self.options.min {
            others.extend(self.particulars(game));
            others.retain(|(_, value)| !value.is_empty());
            others.sort_by_key(|(name, _)| *name);
        }
        tags.extend(others);
        tags
    }

    fn particulars(&self, game: &PlayedGame) -> Vec<(&'static str, String)> {
        let took = Duration::from_millis((game.ended.0 - game.started.0).max(0).cast_unsigned());
        let stamp = |at| moment(at, "%Y-%m-%dT%H:%M:%S.%3f %Z");
        let mut tags = vec![
            ("GameDuration", hours(took)),
            ("GameStartTime", stamp(game.started)),
            ("GameEndTime", stamp(game.ended)),
            ("PlyCount", game.record.plies().to_string()),
            ("Termination", termination(&game.record.outcome).to_owned()),
        ];
        let record = &game.record;
        let is_standard = self.variant == Variant::Standard && record.start == Position::standard();
        if let Some(opening) = openings::of_game(record).filter(|_| is_standard) {
            let (name, variation) = opening.parts();
            tags.extend(
                [
                    ("ECO", opening.eco),
                    ("Opening", name),
                    ("Variation", variation),
                ]
                .map(|(tag, value)| (tag, value.to_owned())),
            );
        }
        let [white, black] = Color::ALL.map(|color| self.of(&self.engines, game, color));
        if let (Some(white), Some(black)) = (white, black) {
            match is_same_clock(white, black) {
                true => tags.push(("TimeControl", clock(white))),
                false => {
                    tags.push(("WhiteTimeControl", clock(white)));
                    tags.push(("BlackTimeControl", clock(black)));
                }
            }
        }
        tags
    }

    fn moves(&self, game: &PlayedGame, out: &mut String) {
        let record = &game.record;
        let mut line = 0;
        let why = words(game);
        if record.plies() == 0 {
            *out += &format!("\n{{{why}}}");
        }
        let mut position = record.start.clone();
        let mut number = 0;
        let last = record.plies();
        for (ply, (played, thought)) in (1..).zip(record.all_records()) {
            let mut text = match (position.side_to_move(), ply) {
                (Color::White, _) => {
                    number += 1;
                    format!("{number}. ")
                }
                (Color::Black, 1) => {
                    number += 1;
                    format!("{number}... ")
                }
                (Color::Black, _) => String::new(),
            };
            text += &position.san(played).to_string();
            let mut comment = match thought {
                None => "book".to_owned(),
                // This move comes from the engine's own book.
                Some(thought) if !thought.lines.is_empty() => "book".to_owned(),
                Some(thought) => evaluation(thought),
            };
            if ply == last {
                let comma = if comment.is_empty() { "" } else { ", " };
                comment += &format!("{comma}{why}");
            }
            if !self.options.min && !comment.is_empty() {
                text += &format!(" {{{comment}}}");
            }
            line = append(out, line, &text);
            position.play(played);
        }
        let result = record.outcome.result();
        let before = if line + result.len() >= LINE {
            "\n"
        } else {
            " "
        };
        *out += &format!("{before}{result}\n\n");
    }

    /// The last position.
    pub(in crate::front) fn final_position(&self, game: &PlayedGame) -> String {
        game.record.board().position().fen(FenDialect::XFen) + "\n"
    }
}

/// Appends a move to a line of this length, or to the next line; returns the new length of the line.
fn append(out: &mut String, line: usize, text: &str) -> usize {
    match line == 0 || line + text.len() >= LINE {
        true => {
            *out += &format!("\n{text}");
            text.len()
        }
        false => {
            *out += &format!(" {text}");
            line + text.len() + 1
        }
    }
}

/// Score, depth and time of a move.
fn evaluation(played: &MoveRecord) -> String {
    let thinking = &played.thinking;
    let milliseconds = i64::try_from(played.elapsed().as_millis()).unwrap_or(i64::MAX);
    let depth = thinking.depth.filter(|depth| *depth > 0);
    let mut text = match (depth, thinking.score) {
        (Some(depth), Some(value)) => format!("{}/{depth} ", score(value)),
        (Some(depth), None) => format!("/{depth} "),
        (None, _) => String::new(),
    };
    let has_said = thinking.score.is_some()
        || depth.is_some()
        || thinking.nodes.is_some_and(|nodes| nodes > 0)
        || !thinking.pv.is_empty();
    if !has_said && milliseconds < 500 {
        return String::new();
    }
    let decimals = match milliseconds {
        0 => return text + "0s",
        1..100 => 3,
        100..1000 => 2,
        1000..10_000 => 1,
        _ => 0,
    };
    text += &fixed(milliseconds as f64 / 1000.0, decimals);
    text + "s"
}

fn termination(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Won {
            how: WonBy::Forfeit(FaultKind::IllegalMove),
            ..
        } => "illegal move",
        Outcome::Won {
            how: WonBy::Forfeit(FaultKind::Stall | FaultKind::NotReady | FaultKind::IdleCpu),
            ..
        } => "stalled connection",
        outcome => match outcome.termination() {
            Termination::Normal => "",
            Termination::Adjudication => "adjudication",
            Termination::TimeForfeit => "time forfeit",
            Termination::Unterminated => "unterminated",
            _ => "abandoned",
        },
    }
}

/// Whether the limits of two engines are the same, apart from their margins.
fn is_same_clock(one: &EngineSettings, other: &EngineSettings) -> bool {
    let mut one = one.limit.clone();
    one.tc.timemargin = other.limit.tc.timemargin;
    one == other.limit
}
