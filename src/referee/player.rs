//! What the referee keeps of each side.

use std::time::Duration;

use crate::chess::{Color, Position};
use crate::clock::{Clock, Limits};
use crate::referee::{Breaches, NodeDraw, PlayerSettings, Remarks, Thinking};
use crate::uci::{Command, GoLimits, InfoLine, SearchReport, VARIANT_OPTION};

/// One side of a game: its clock, what is to be sent to it, what it said.
#[derive(Debug)]
pub(super) struct Player {
    pub(super) clock: Clock,
    pub(super) margin: Duration,
    limits: Limits,
    node_draw: Option<NodeDraw>,
    /// `position fen … moves …`, growing with the game.
    position: String,
    has_moves: bool,
    /// What is to be sent next; whole lines.
    pub(super) outbox: String,
    /// Answered `isready`.
    pub(super) ready: bool,
    /// Closed its output.
    pub(super) closed: bool,
    pub(super) breaches: Breaches,
    /// The limit of the search that runs.
    pub(super) nodes_limit: Option<u64>,
    remarks: Remarks,
    progress: Progress,
    /// The last move it made, in its own words.
    answered: String,
}

/// How far a search has come, by its own account: what counts as a sign of life.
#[derive(Debug, Default)]
struct Progress {
    nodes: u64,
    depth: u32,
}

impl Player {
    pub(super) fn new(settings: &PlayerSettings, start: &Position) -> Player {
        Player {
            clock: Clock::new(&settings.limits.time, settings.limits.first_increment),
            margin: settings.margin,
            limits: settings.limits.clone(),
            node_draw: settings.node_draw.clone(),
            position: format!("position fen {}", start.fen(settings.fen)),
            has_moves: false,
            outbox: String::new(),
            ready: false,
            closed: false,
            breaches: Breaches::default(),
            nodes_limit: None,
            remarks: Remarks::default(),
            progress: Progress::default(),
            answered: String::new(),
        }
    }

    /// Keeps the words of a move that counts.
    pub(super) fn answer(&mut self, text: &str) {
        self.answered.clear();
        self.answered.push_str(text);
    }

    /// Whether these are the words of the last move again; true once a move.
    pub(super) fn echoes(&mut self, text: &str) -> bool {
        !text.is_empty() && std::mem::take(&mut self.answered) == text
    }

    /// Asks for a new game, and whether the engine has cleared its tables: that
    /// time is not on the clock. The variant, if it is to be chosen, comes first.
    pub(super) fn prepare(&mut self, variant: Option<&str>) {
        if variant.is_some() {
            let (name, value) = (VARIANT_OPTION, variant);
            Command::SetOption { name, value }.write_to(&mut self.outbox);
        }
        Command::UciNewGame.write_to(&mut self.outbox);
        Command::IsReady.write_to(&mut self.outbox);
    }

    /// Adds a move to the position that will be sent.
    pub(super) fn append_move(&mut self, text: &str) {
        self.position
            .push_str(if self.has_moves { " " } else { " moves " });
        self.position.push_str(text);
        self.has_moves = true;
    }

    /// Puts `position` and `go` into the outbox. `plies`: half-moves on the board.
    pub(super) fn ask(&mut self, mover: Color, opponent: &Clock, plies: u32) {
        self.remarks.clear();
        self.progress = Progress::default();
        let drawn = self.node_draw.as_ref().map(|draw| (draw.0)(plies));
        self.nodes_limit = drawn.or(self.limits.nodes);
        self.outbox.push_str(&self.position);
        self.outbox.push('\n');
        let limits = self.go_limits(mover, opponent);
        Command::Go(&limits).write_to(&mut self.outbox);
    }

    /// Both clocks where this side has one; an opponent without a clock is shown
    /// with this side's time, since engines expect to see two.
    fn go_limits(&self, mover: Color, opponent: &Clock) -> GoLimits {
        let own = (self.clock.remaining(), self.clock.increment());
        let other = match own.0 {
            Some(_) if opponent.remaining().is_some() => {
                (opponent.remaining(), opponent.increment())
            }
            _ => own,
        };
        let (white, black) = match mover {
            Color::White => (own, other),
            Color::Black => (other, own),
        };
        let timed = self.clock.remaining().is_some();
        GoLimits {
            wtime: white.0,
            btime: black.0,
            winc: white.1,
            binc: black.1,
            movestogo: self.clock.moves_to_go(),
            movetime: if timed { None } else { self.clock.allowed() },
            nodes: self.nodes_limit,
            depth: self.limits.depth,
            infinite: false,
        }
    }

    /// Takes an `info` line; whether it shows that the search goes on.
    pub(super) fn note(&mut self, info: InfoLine<'_>) -> bool {
        // Only a search without a clock needs a sign of life.
        self.remarks.note(info) && self.clock.allowed().is_none() && self.progress(&info.parse())
    }

    /// A search lives while its nodes or its depth grow within what it was asked
    /// for: an engine that repeats itself, or that runs on past its limit, does
    /// not buy time with words.
    fn progress(&mut self, report: &SearchReport<'_>) -> bool {
        let most_nodes = self
            .nodes_limit
            .map_or(u64::MAX, |limit| limit.saturating_mul(16).max(1 << 20));
        let most_depth = self.limits.depth.unwrap_or(u32::MAX);
        let nodes = report.nodes.unwrap_or(0);
        let depth = report.depth.unwrap_or(0);
        let grows = nodes > self.progress.nodes || depth > self.progress.depth;
        self.progress.nodes = self.progress.nodes.max(nodes);
        self.progress.depth = self.progress.depth.max(depth);
        grows && self.progress.nodes <= most_nodes && self.progress.depth <= most_depth
    }

    /// What the engine said of the search that has just ended.
    pub(super) fn thinking(&self) -> Thinking {
        self.remarks.thinking()
    }
}
