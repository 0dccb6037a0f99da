//! What the referee keeps of each side.

use std::time::Duration;

use crate::chess::{Color, Move, Position};
use crate::clock::{Clock, Limits, Stamp};
use crate::referee::search::{Dialog, Outbox, SearchState};
use crate::referee::{Breaches, NodeDraw, PlayerSettings, Pondered, Remarks};
use crate::text::count;
use crate::uci::{
    FoundLines, GoLimits, InfoLine, Thinking, VARIANT_OPTION, position_command, set_option,
};

/// One side of a game: its clock, what it is doing, what is to be sent to it, what it said.
#[derive(Debug, Default)]
pub(super) struct Player {
    pub(super) clock: Clock,
    pub(super) margin: Duration,
    /// Whether it searches on the opponent's time.
    pub(super) ponders: bool,
    limits: Limits,
    node_draw: Option<NodeDraw>,
    /// `position fen … moves …`, growing with the game.
    position: String,
    has_moves: bool,
    /// What is to be sent next.
    pub(super) outbox: Outbox,
    /// What it is doing, and what it owes.
    pub(super) dialog: Dialog,
    /// How its process has ended, or that it has closed its output.
    pub(super) gone: Option<String>,
    pub(super) breaches: Breaches,
    /// The limit of the search that runs.
    pub(super) nodes_limit: Option<u64>,
    remarks: Remarks,
    /// Every line with a score of the search that runs, where somebody follows them.
    pub(super) scored_lines: Option<Vec<String>>,
    /// Whether any `info` was said in it.
    pub(super) said_more: bool,
    /// The lines of the search that runs that the event wants to be kept.
    pub(super) found_lines: FoundLines,
    progress: SearchProgress,
    /// The first search of the game that ran on past its limit.
    pub(super) limit_ignored: Option<String>,
    /// The last move it made, in its own words.
    pub(super) answered: String,
    /// How the search on the opponent's time ended that came before the one that runs.
    pub(super) pondered: Option<Pondered>,
    /// When its last search was asked for.
    pub(super) since: Stamp,
    /// It has reported soon after `go`, and did not fail to do so in a search on the opponent's
    /// time: such a report shows that its search has begun.
    pub(super) reports_at_once: bool,
    /// It did fail to.
    pub(super) ponders_silently: bool,
}

/// A report that comes within this time of `go` comes at once.
const AT_ONCE: Duration = Duration::from_millis(100);

/// A search of more nodes than this multiple of its limit is stopped. Engines look at their limit every few thousand
/// nodes, so fewer than the second number are forgiven whatever the limit is.
const FAR_BEYOND: u64 = 10;
const FORGIVEN_NODES: u64 = 1 << 16;

/// How far a search has come according to the engine: this shows that it makes progress.
#[derive(Debug, Default)]
struct SearchProgress {
    nodes: u64,
    depth: u32,
    /// It runs on past its limit, and was told to stop.
    beyond: bool,
}

/// The side that gets `go`, and when.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn<'a> {
    /// The side that is asked.
    pub(super) mover: Color,
    pub(super) opponent: &'a Clock,
    /// Half-moves on the board of the position to search.
    pub(super) plies: u32,
    /// What of its clock is gone since the turn began, and not yet charged.
    pub(super) spent: Duration,
}

impl Player {
    pub(super) fn new(settings: &PlayerSettings, start: &Position) -> Player {
        Player {
            clock: Clock::new(&settings.limits.time, settings.limits.first_increment),
            margin: settings.margin,
            ponders: settings.ponder,
            limits: settings.limits.clone(),
            node_draw: settings.node_draw.clone(),
            position: position_command(start, settings.fen),
            ..Player::default()
        }
    }

    /// Whether it has nothing to do before the game can go on.
    pub(super) fn is_ready(&self) -> bool {
        self.dialog.search == SearchState::Idle && self.outbox.is_empty()
    }

    /// Asks for a new game, and whether the engine has cleared its tables: that
    /// time is not on the clock. The variant, if it is to be chosen, comes first.
    pub(super) fn prepare(&mut self, variant: Option<&str>) {
        let out = &mut self.outbox.text;
        if variant.is_some() {
            set_option(VARIANT_OPTION, variant, out);
        }
        out.push_str("ucinewgame\n");
        self.ask_ready();
    }

    /// Adds a move to the position that will be sent.
    pub(super) fn append_move(&mut self, text: &str) {
        self.position.push_str(self.separator());
        self.position.push_str(text);
        self.has_moves = true;
    }

    fn separator(&self) -> &'static str {
        if self.has_moves { " " } else { " moves " }
    }

    /// Puts `isready` into the outbox.
    pub(super) fn ask_ready(&mut self) {
        self.outbox.text.push_str("isready\n");
        self.outbox.isready = true;
        self.outbox.becomes = SearchState::Preparing;
    }

    /// Puts `isready` before `go`, where another search was told to stop and has ended.
    pub(super) fn ask_ready_before(&mut self) {
        self.outbox.text.insert_str(0, "isready\n");
        (self.outbox.isready, self.outbox.follows_stop) = (true, true);
    }

    /// Puts `isready` into the outbox of an engine that thinks, or seems to.
    pub(super) fn probe(&mut self) {
        self.ask_ready();
        self.outbox.becomes = SearchState::Thinking;
    }

    /// Tells an engine that thinks, or seems to, to make its move.
    pub(super) fn hurry(&mut self) {
        self.stop();
        self.outbox.becomes = SearchState::Thinking;
    }

    /// Puts `position` and `go` into the outbox.
    pub(super) fn ask(&mut self, turn: Turn<'_>) {
        self.begin_search(turn.plies);
        self.outbox.text.push_str(&self.position);
        self.outbox.text.push('\n');
        let limits = self.go_limits(turn);
        limits.write_to(&mut self.outbox.text);
        self.outbox.go = true;
        self.outbox.becomes = SearchState::Thinking;
    }

    /// Puts `position` with the expected reply and `go ponder` into the outbox.
    pub(super) fn ponder(&mut self, turn: Turn<'_>, reply: Move, text: &str) {
        self.begin_search(turn.plies);
        let separator = self.separator();
        let out = &mut self.outbox.text;
        for part in [&self.position, separator, text, "\n"] {
            out.push_str(part);
        }
        let limits = GoLimits {
            ponder: true,
            ..self.go_limits(turn)
        };
        limits.write_to(&mut self.outbox.text);
        self.outbox.go = true;
        self.outbox.becomes = SearchState::Pondering(reply);
        self.pondered = None;
    }

    /// The opponent has made the expected move: the search continues, on this side's clock.
    pub(super) fn hit(&mut self) {
        self.outbox.text.push_str("ponderhit\n");
        self.outbox.becomes = SearchState::Thinking;
        self.pondered = Some(Pondered::Hit);
    }

    /// The opponent has made another move.
    pub(super) fn miss(&mut self) {
        self.stop();
        self.pondered = Some(Pondered::Miss);
    }

    pub(super) fn stop(&mut self) {
        self.outbox.text.push_str("stop\n");
        self.outbox.becomes = SearchState::Stopping;
    }

    /// Whether it ponders, and a report is to be waited for that shows that this search has begun.
    pub(super) fn is_to_begin(&self) -> bool {
        matches!(self.dialog.search, SearchState::Pondering(_))
            && self.remarks.is_empty()
            && self.reports_at_once
            && !self.ponders_silently
    }

    /// `stop` is sent to a search that runs after the game.
    pub(super) fn stop_search(&mut self) {
        if self.dialog.searches() && self.gone.is_none() && self.outbox.is_empty() {
            self.stop();
        }
    }

    fn begin_search(&mut self, plies: u32) {
        self.outbox.clear();
        self.remarks.clear();
        self.found_lines.clear();
        self.said_more = false;
        if let Some(lines) = &mut self.scored_lines {
            lines.clear();
        }
        self.progress = SearchProgress::default();
        let drawn = self.node_draw.as_ref().map(|draw| (draw.0)(plies));
        self.nodes_limit = drawn.or(self.limits.nodes);
    }

    /// Both clocks where this side has one; an opponent without a clock is shown
    /// with this side's time, since engines expect to see two.
    fn go_limits(&self, turn: Turn<'_>) -> GoLimits {
        let left = |time: Option<Duration>| time.map(|time| time.saturating_sub(turn.spent));
        let own = (left(self.clock.remaining()), self.clock.increment());
        let other = match own.0 {
            Some(_) if turn.opponent.remaining().is_some() => {
                (turn.opponent.remaining(), turn.opponent.increment())
            }
            _ => own,
        };
        let (white, black) = match turn.mover {
            Color::White => (own, other),
            Color::Black => (other, own),
        };
        let timed = self.clock.remaining().is_some();
        let movetime = left(self.clock.allowed()).filter(|_| !timed);
        let ends_by_itself = timed || movetime.is_some();
        GoLimits {
            ponder: false,
            wtime: white.0,
            btime: black.0,
            winc: white.1,
            binc: black.1,
            movestogo: self.clock.moves_to_go(),
            movetime,
            nodes: self.nodes_limit,
            depth: self.limits.depth,
            // The engine alone decides when it has searched enough.
            infinite: !ends_by_itself && self.nodes_limit.is_none() && self.limits.depth.is_none(),
        }
    }

    /// Takes an `info` line. Returns whether it shows that the search makes progress.
    pub(super) fn note(&mut self, info: InfoLine<'_>, at: Stamp) -> bool {
        self.said_more = true;
        let first = self.remarks.is_empty();
        if let Some(lines) = &mut self.scored_lines
            && info.has_score()
        {
            lines.push(info.text().to_owned());
        }
        let reports = self.remarks.note(info);
        if reports && first {
            match self.dialog.search {
                SearchState::Pondering(_) => self.ponders_silently = false,
                _ => self.reports_at_once |= at.saturating_since(self.since) <= AT_ONCE,
            }
        }
        // Only a search without a clock needs a sign of life.
        let needs_life = self.clock.allowed().is_none();
        let is_limited = self.nodes_limit.is_some() || self.limits.depth.is_some();
        if !reports || !(needs_life || is_limited) {
            return false;
        }
        let lives = self.progress(&info.parse());
        lives && needs_life
    }

    /// A search lives while its nodes or its depth grow within what it was asked
    /// for: an engine that repeats itself, or that runs on past its limit, does
    /// not buy time with words.
    fn progress(&mut self, report: &Thinking) -> bool {
        let nodes = report.nodes.unwrap_or(0);
        let depth = report.depth.unwrap_or(0);
        let grows = nodes > self.progress.nodes || depth > self.progress.depth;
        self.progress.nodes = self.progress.nodes.max(nodes);
        self.progress.depth = self.progress.depth.max(depth);
        let ignored = self.limit_ignored_now();
        let thinks = self.dialog.search == SearchState::Thinking;
        if let Some(reached) = &ignored
            && thinks
            && !std::mem::replace(&mut self.progress.beyond, true)
        {
            self.limit_ignored.get_or_insert_with(|| {
                format!(
                    "it does not obey its limit: it reported {reached}, searched on, and was told to stop"
                )
            });
            self.hurry();
        }
        grows && ignored.is_none()
    }

    /// What was searched and its limit, where it is beyond that.
    fn limit_ignored_now(&self) -> Option<String> {
        let SearchProgress { nodes, depth, .. } = self.progress;
        let most = |limit: u64| limit.saturating_mul(FAR_BEYOND).max(FORGIVEN_NODES);
        let of_nodes = self.nodes_limit.filter(|limit| nodes > most(*limit));
        let of_depth = self.limits.depth.filter(|limit| depth > *limit);
        let of_nodes = of_nodes.map(|limit| format!("{} of {limit}", count(nodes, "node")));
        of_nodes.or_else(|| of_depth.map(|limit| format!("depth {depth} of {limit}")))
    }

    /// What the engine said of the search that has just ended.
    pub(super) fn thinking(&self) -> Thinking {
        self.remarks.thinking()
    }
}
