//! A move: is it legal, is it in time, and what follows; and the recorded moves of a game that goes on.

use std::fmt::Write as _;
use std::time::Duration;

use crate::chess::{Color, Move};
use crate::clock::Stamp;
use crate::referee::{
    Breaches, FaultKind, GameRecord, GameSettings, MoveRecord, Outcome, ScoredMove, WonBy,
};
use crate::uci::RESIGNS;

use super::{DeferredAnswer, GamePhase, PendingMove, Referee};

impl Referee {
    /// The move of the side whose clock runs, and the reply that it expects.
    pub(super) fn best_move(&mut self, side: Color, text: &str, reply: Option<&str>, at: Stamp) {
        self.echo = None;
        let owned = || DeferredAnswer::Move(text.to_owned(), reply.map(str::to_owned));
        if self.defer_for_evidence(at, owned) {
            return;
        }
        if let Some(fallen) = &mut self.fallen {
            fallen.answered.get_or_insert(at);
        } else if !self.hold_until_ready(side, text, reply, at) {
            self.take_answer(side, text, reply, at);
        }
    }

    /// The same, once it counts.
    pub(super) fn take_answer(&mut self, side: Color, text: &str, reply: Option<&str>, at: Stamp) {
        let GamePhase::Running(turn) = self.phase else {
            return;
        };
        if text == RESIGNS && self.settings.players[side.index()].translated {
            let (by, how) = (!side, WonBy::Resignation);
            self.outcome = Some(Outcome::Won { by, how });
            return;
        }
        let (position, settings) = (self.game.position(), &self.settings);
        let way = settings.compatibility;
        let parsed = way.parse_move(position, text, settings.dialect);
        self.search_ended(side, text, parsed.is_ok());
        match parsed {
            Ok(chess_move) => {
                text.clone_into(&mut self.players[side.index()].answered);
                if self.accept(side, chess_move, turn, at) {
                    self.next_turn(side, reply, at);
                }
            }
            Err(error) => {
                let detail = format!("bestmove {}: {error}", quoted(text));
                self.fault(side, FaultKind::IllegalMove, detail, at);
            }
        }
    }

    /// Plays a legal move if it is in time. Returns whether the game continues.
    fn accept(&mut self, side: Color, chess_move: Move, turn: PendingMove, at: Stamp) -> bool {
        let charged = at.saturating_since(turn.sent).saturating_sub(turn.taken);
        if !self.charge(side, charged) {
            self.out_of_time(turn, at);
            if let Some(fallen) = &mut self.fallen {
                fallen.answered = Some(at);
            }
            return false;
        }
        let player = &mut self.players[side.index()];
        let played = MoveRecord {
            received: at,
            taken: turn.taken,
            clock: player.clock.remaining(),
            nodes_limit: player.nodes_limit,
            thinking: player.thinking(),
            host: self.seen.take(),
            pondered: player.pondered,
            lines: player.found_lines.take(),
            ..MoveRecord::new(chess_move, turn.sent)
        };
        self.make(played);
        self.outcome.is_none()
    }

    /// Takes the time of a move off its side's clock; whether it is in time.
    pub(super) fn charge(&mut self, side: Color, charged: Duration) -> bool {
        let [player, opponent] = side.own_and_other(&mut self.players);
        let is_in_time = player.clock.charge(charged, player.margin).is_ok();
        if is_in_time {
            opponent.clock.receive(&player.clock, charged);
        }
        is_in_time
    }

    /// A move is made: on the board, in the record, and in the counts of the rules that end a game.
    fn make(&mut self, played: MoveRecord) {
        let chess_move = played.chess_move;
        self.moves.push(played);
        self.play(chess_move);
        self.outcome = self.verdict();
    }

    /// Plays a move on the board and in the text that both engines will be sent.
    pub(super) fn play(&mut self, chess_move: Move) {
        self.text.clear();
        let text = self.game.position().uci(chess_move, self.settings.dialect);
        // Writing to a String cannot fail.
        let _ = write!(self.text, "{text}");
        let players = self.players.iter_mut();
        players.for_each(|player| player.append_move(&self.text));
        self.game.play(chess_move);
    }

    /// How the last move has ended the game: on the board, or by adjudication.
    fn verdict(&mut self) -> Option<Outcome> {
        if let Some(ending) = self.game.ending() {
            return Some(Outcome::from(ending));
        }
        let tables = self.settings.adjudication.tablebase.as_ref();
        if let Some(outcome) = tables.and_then(|rule| rule.judge(self.game.position())) {
            return Some(outcome);
        }
        let thinking = &self.moves.last()?.thinking;
        self.adjudicator
            .judge(&ScoredMove::last(&self.game, thinking))
    }

    /// The opponent of the side that has moved gets `go`; the side may ponder on its reply.
    fn next_turn(&mut self, moved: Color, reply: Option<&str>, at: Stamp) {
        let mover = self.side_to_move();
        if self.players[mover.index()].gone.is_some() {
            return self.fail(self.crashes(), at);
        }
        self.ask(at);
        if let Some(text) = reply {
            self.let_ponder(moved, text);
        }
    }
}

/// What an engine said, short and without control characters.
fn quoted(text: &str) -> String {
    let shown: String = text.chars().take(40).collect();
    format!("{shown:?}")
}

// A game that was interrupted goes on behind its recorded moves.

impl Referee {
    /// The game of this record, which was interrupted for so long, behind its last move: clocks, counts and positions
    /// are those that its moves leave, made as they were made then. Both engines are new. If the last move has ended
    /// the game, it is over. `None` if the record cannot be that of a game under these settings.
    pub fn resumed(
        settings: GameSettings,
        record: GameRecord,
        away: Duration,
        now: Stamp,
    ) -> Option<Referee> {
        if record.start != settings.start || record.opening != settings.opening {
            return None;
        }
        let mut referee = Referee::new(settings, now);
        for played in record.moves {
            let side = referee.side_to_move();
            let is_possible = referee.outcome.is_none()
                && referee.position().is_legal(played.chess_move)
                && referee.charge(side, played.charged())
                && referee.clock(side) == played.clock;
            if !is_possible {
                return None;
            }
            let (idle, received) = (played.idle, played.received);
            referee.make(played);
            if let Some(idle) = idle {
                referee.idled(idle, received);
            }
        }
        for (player, breaches) in referee.players.iter_mut().zip(record.breaches) {
            player.breaches = breaches;
        }
        if referee.outcome.is_none() {
            referee.moves.last_mut()?.interruptions.push(away);
        }
        Some(referee)
    }

    /// Breaches of the protocol so far that lost nothing.
    pub(crate) fn breaches(&self) -> [Breaches; 2] {
        self.players.each_ref().map(|player| player.breaches)
    }
}
