//! What an engine is doing, as a value, and which answers it owes.
//!
//! ```text
//!  Idle ──isready──▶ Preparing ──last readyok──▶ Idle
//!  Idle ──go──▶ Thinking ──bestmove──▶ Idle              the only `bestmove` that is a move
//!  Idle ──go ponder──▶ Pondering(move) ──ponderhit──▶ Thinking
//!                          └────stop──▶ Stopping ──bestmove──▶ Idle ──isready, go──▶ Thinking
//! ```
//!
//! After `stop`, `go` is written behind `isready`: output before `readyok` belongs to the search that was stopped, and
//! counts as no move.
//!
//! **Invariant: a line is an answer only to a command that was sent.** Every `isready` and every `go` is counted when
//! it is written, every `readyok` and `bestmove` when it is read. A `bestmove` is a move only from an engine that
//! thinks. An engine is fit for another game only when it is idle: then every command has been answered, and no later
//! line can be taken for an answer that the next game awaits.

use crate::chess::Move;
use crate::uci::{InfoLine, Message};

/// What one engine is doing, by what was written to it and what it has said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SearchState {
    /// Nothing, and it owes no answer.
    #[default]
    Idle,
    /// A new game was announced to it, and `readyok` is awaited.
    Preparing,
    /// It searches for the move that is to be played, and its clock runs.
    Thinking,
    /// It searches on the opponent's time, in case the opponent makes this move.
    Pondering(Move),
    /// `stop` was sent. The `bestmove` that it still owes is not played.
    Stopping,
}

/// What a line means, said by an engine in its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heard<'a> {
    /// The last answer that it owed when it was preparing or stopping: it is idle now.
    Free,
    /// The move of the search that it got `go` for.
    Answer {
        /// In its own words.
        text: &'a str,
        /// The reply that it expects, if it named one.
        ponder: Option<&'a str>,
    },
    /// A report of the search that runs.
    Report(InfoLine<'a>),
    /// A `bestmove` without a `go`.
    Unasked,
    /// The search on the opponent's time has ended before `ponderhit` or `stop`.
    Early,
    /// `readyok` from an engine that thinks.
    Ready,
    /// Of no consequence.
    Nothing,
}

/// Commands that wait to be written, and what they change.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    /// Whole lines.
    pub(super) text: String,
    /// Whether `isready` is among them.
    pub(super) isready: bool,
    /// Whether a search begins with them, which will owe a `bestmove`.
    pub(super) go: bool,
    /// Whether that search follows one that was stopped, behind `isready`.
    pub(super) follows_stop: bool,
    /// What the engine does from then on.
    pub(super) becomes: SearchState,
}

impl Outbox {
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Takes back what was not written.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        (self.isready, self.go, self.follows_stop) = (false, false, false);
    }
}

/// One engine's side of a game's dialogue.
#[derive(Debug, Default)]
pub(super) struct Dialog {
    pub(super) search: SearchState,
    /// How often `readyok` and `bestmove` are owed.
    readyoks: u32,
    bestmoves: u32,
    /// `readyok` without `isready`: from here on it is not known which command the next one answers.
    unasked: u32,
    /// Output before the `readyok` that is owed belongs to a search that was stopped.
    follows_stop: bool,
}

impl Dialog {
    /// Whether it owes nothing, and never answered without a command.
    pub(super) fn is_idle(&self) -> bool {
        self.search == SearchState::Idle && !self.owes() && self.unasked == 0
    }

    /// Whether an answer is to be expected.
    pub(super) fn owes(&self) -> bool {
        self.readyoks + self.bestmoves > 0
    }

    /// Whether a `bestmove` is to come.
    pub(super) fn owes_move(&self) -> bool {
        self.bestmoves > 0
    }

    /// Whether the answer of a stopped search is to come, or a line written before it.
    pub(super) fn is_stopping(&self) -> bool {
        self.search == SearchState::Stopping || self.follows_stop
    }

    /// Whether a search runs that has not got `stop`.
    pub(super) fn searches(&self) -> bool {
        self.bestmoves > 0 && self.search != SearchState::Stopping
    }

    /// What the outbox holds has been written.
    pub(super) fn written(&mut self, outbox: &mut Outbox) {
        self.readyoks += u32::from(std::mem::take(&mut outbox.isready));
        self.bestmoves += u32::from(std::mem::take(&mut outbox.go));
        self.follows_stop |= std::mem::take(&mut outbox.follows_stop);
        self.search = outbox.becomes;
    }

    /// A `bestmove` that was taken for the end of another search is the answer to the current one.
    pub(super) fn concede(&mut self) {
        self.bestmoves = self.bestmoves.saturating_sub(1);
        self.search = SearchState::Idle;
    }

    /// Counts a message.
    pub(super) fn hear<'a>(&mut self, message: Message<'a>) -> Heard<'a> {
        match message {
            Message::ReadyOk => self.ready(),
            Message::BestMove { text, ponder } => self.best_move(text, ponder),
            Message::Info(info) => match self.search {
                SearchState::Thinking | SearchState::Pondering(_) if !self.follows_stop => {
                    Heard::Report(info)
                }
                _ => Heard::Nothing,
            },
            _ => Heard::Nothing,
        }
    }

    fn ready(&mut self) -> Heard<'static> {
        if self.readyoks == 0 {
            self.unasked += 1;
            return Heard::Nothing;
        }
        self.readyoks -= 1;
        self.follows_stop &= self.readyoks > 0;
        match self.search {
            SearchState::Thinking => Heard::Ready,
            _ => self.settle(),
        }
    }

    fn best_move<'a>(&mut self, text: &'a str, ponder: Option<&'a str>) -> Heard<'a> {
        if self.bestmoves == 0 || self.follows_stop {
            return Heard::Unasked;
        }
        self.bestmoves -= 1;
        match self.search {
            SearchState::Thinking => {
                self.search = SearchState::Idle;
                Heard::Answer { text, ponder }
            }
            SearchState::Pondering(_) => {
                self.search = SearchState::Idle;
                Heard::Early
            }
            SearchState::Idle | SearchState::Preparing | SearchState::Stopping => self.settle(),
        }
    }

    fn settle(&mut self) -> Heard<'static> {
        let waits = matches!(self.search, SearchState::Preparing | SearchState::Stopping);
        if !waits || self.owes() {
            return Heard::Nothing;
        }
        self.search = SearchState::Idle;
        Heard::Free
    }
}
