//! A game in the form in which cutechess-cli writes it to its PGN file.

use super::standing::words;
use crate::chess::{FenDialect, Position};
use crate::event::{PlayedGame, Seat};
use crate::front::common::game_text::{
    Tag, WrittenGames, clock_tags, moves, opening_of, roster, termination, times, wrapped, written,
};
use crate::front::common::reason;
use crate::front::common::settings::{CommandLine, Variant};
use crate::front::common::values::{clock, fixed};
use crate::referee::{FaultKind, MoveRecord};
use crate::schedule::Plan;
use crate::uci::ScoreStyle;

/// What is the same in all games of an event.
pub(in crate::front) struct CutechessPgn {
    pub(in crate::front) line: CommandLine,
    /// The names of the engines as they are printed.
    pub(in crate::front) names: Vec<String>,
    pub(in crate::front) plan: Plan,
}

impl CutechessPgn {
    /// The tags of the roster, then the others sorted by name.
    fn tags(&self, game: &PlayedGame) -> Vec<Tag> {
        let record = &game.record;
        let name = |seat: Seat| self.names[usize::from(seat.engine)].as_str();
        let names = game.seats.map(name);
        let round = self.plan.round_of(game.id).unwrap_or(game.id.pair.0 + 1);
        let mut tags = Vec::from(roster(game, &self.line.settings.pgn, round, names));
        let is_chess960 = self.line.settings.variant == Variant::Chess960;
        let mut others = Vec::new();
        if is_chess960 || record.start != Position::standard() {
            others.push(("FEN", record.start.fen(FenDialect::XFen)));
            others.push(("SetUp", "1".to_owned()));
        }
        if is_chess960 {
            others.push(("Variant", "fischerandom".to_owned()));
        }
        if !self.line.settings.pgn.min {
            others.extend(self.particulars(game));
            others.retain(|(_, value)| !value.is_empty());
            others.sort_by_key(|(name, _)| *name);
        }
        tags.extend(others);
        tags
    }

    fn particulars(&self, game: &PlayedGame) -> Vec<Tag> {
        let record = &game.record;
        let termination = match reason::fault(game) {
            Some(FaultKind::FlagFall) => "time forfeit",
            Some(kind) if reason::has_stalled(kind) => "stalled connection",
            _ => termination(game, ""),
        };
        let mut tags = Vec::from(times(game, "%Y-%m-%dT%H:%M:%S.%3f %Z"));
        tags.push(("PlyCount", record.plies().to_string()));
        tags.push(("Termination", termination.to_owned()));
        let is_standard =
            self.line.settings.variant == Variant::Standard && record.start == Position::standard();
        if let Some(opening) = opening_of(record).filter(|_| is_standard) {
            let parts = opening.name.split_once(": ");
            let (name, variation) = parts.unwrap_or((opening.name, ""));
            tags.extend([
                ("ECO", opening.eco.to_owned()),
                ("Opening", name.to_owned()),
                ("Variation", variation.to_owned()),
            ]);
        }
        let limit = |seat: Seat| &self.line.engines[usize::from(seat.engine)].limit;
        let limits = game.seats.map(limit);
        // They are the same apart from their margins.
        let mut other = limits[0].clone();
        other.tc.timemargin = limits[1].tc.timemargin;
        let clocks = limits.map(|limit| clock(&limit.tc, 6, "inf"));
        tags.extend(clock_tags(other == *limits[1], clocks));
        tags
    }

    fn moves(&self, game: &PlayedGame) -> String {
        let record = &game.record;
        let why = words(game);
        if record.plies() == 0 {
            return format!("{{{why}}} {}", record.outcome.result());
        }
        wrapped(&moves(record, 1, |position, played, thought, is_last| {
            let mut comment = match thought {
                // A move with lines comes from the engine's own book.
                Some(thought) if thought.lines.is_empty() => evaluation(thought),
                _ => "book".to_owned(),
            };
            if is_last {
                let comma = if comment.is_empty() { "" } else { ", " };
                comment += &format!("{comma}{why}");
            }
            let san = position.san(played).to_string();
            if self.line.settings.pgn.min || comment.is_empty() {
                san
            } else {
                format!("{san} {{{comment}}}")
            }
        }))
    }
}

impl WrittenGames for CutechessPgn {
    fn text(&self, game: &PlayedGame) -> String {
        let mut tags = self.tags(game);
        for (_, value) in tags.iter_mut().filter(|(_, value)| value.is_empty()) {
            "?".clone_into(value);
        }
        written(&tags, &self.moves(game))
    }

    fn final_position(&self, game: &PlayedGame) -> String {
        game.record.board().position().fen(FenDialect::XFen) + "\n"
    }

    fn in_order(&self) -> Option<u64> {
        Some(u64::from(self.plan.games_per_pair()))
    }
}

/// Score, depth and time of a move.
fn evaluation(played: &MoveRecord) -> String {
    let thinking = &played.thinking;
    let milliseconds = i64::try_from(played.elapsed().as_millis()).unwrap_or(i64::MAX);
    let depth = thinking.depth.filter(|depth| *depth > 0);
    let mut text = match (depth, thinking.score) {
        (Some(depth), Some(value)) => format!("{}/{depth} ", value.text(ScoreStyle::Runner)),
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
