//! Checks whether every stored game is the one that the plan asks for, and the one that was played. A game is compared
//! with the checksums of its rows, the plan, the hash of its moves, and its end by the rules.

use crate::chess::{Color, FenDialect, Move};
use crate::event::{GameId, PlayedGame};
use crate::hash::moves_hash;
use crate::referee::{DrawnBy, FaultKind, GameRecord, Outcome, Termination, WonBy};
use crate::schedule::{Opening, Openings, PairSpec, Plan, Shard};
use crate::text::count;
use crate::uci::Score;

use super::reader::InspectedRow;

/// The requirements for the games of an event.
#[derive(Debug)]
pub struct Expectation {
    /// The pairings.
    pub plan: Plan,
    /// The start positions.
    pub openings: std::sync::Arc<Openings>,
    /// The pairs of the plan that may occur, if not all.
    pub shard: Option<Shard>,
}

impl Expectation {
    /// Checks a game.
    ///
    /// # Errors
    /// The first difference.
    pub(super) fn check(&self, row: &InspectedRow) -> Result<(), String> {
        let game = row.game.as_ref().map_err(Clone::clone)?;
        self.check_plan(game)?;
        check_row(row, &game.record)?;
        check_end(&game.record)
    }

    fn check_plan(&self, game: &PlayedGame) -> Result<(), String> {
        let GameId { pair, game: nth } = game.id;
        if let Some(shard) = self.shard.filter(|shard| !shard.holds(pair)) {
            return Err(format!("shard {shard} does not have its pair"));
        }
        let spec = self.plan.pair(pair).ok_or("the plan has no such pair")?;
        check_pair(game, nth, &spec, &self.openings.get(spec.opening))
    }
}

/// Checks a game of this pair that is not stored yet.
///
/// # Errors
/// The first difference.
pub(crate) fn check_played(
    game: &PlayedGame,
    spec: &PairSpec,
    opening: &Opening,
) -> Result<(), String> {
    check_pair(game, game.id.game, spec, opening)?;
    match game.record.outcome.is_void() {
        true => Ok(()),
        false => check_end(&game.record),
    }
}

fn check_pair(
    game: &PlayedGame,
    nth: u8,
    spec: &PairSpec,
    opening: &Opening,
) -> Result<(), String> {
    if nth >= spec.games {
        return Err(format!("its pair has {}", count(spec.games, "game")));
    }
    let found = [
        (game.seats == spec.seats(nth), "other engines or colours"),
        (game.cycle == spec.cycle, "another cycle"),
        (game.number == opening.number, "another start number"),
        (game.record.start == opening.start, "another start position"),
        (
            game.record.opening == opening.moves,
            "other moves of the book",
        ),
    ];
    match found.iter().find(|(fits, _)| !fits) {
        None => Ok(()),
        Some((_, what)) => Err(format!("it has {what} than the plan")),
    }
}

/// Checks the columns that repeat what follows from the moves.
fn check_row(row: &InspectedRow, record: &GameRecord) -> Result<(), String> {
    if row.plies as usize != record.plies() {
        return Err(format!(
            "it has {} half-moves, not {}",
            record.plies(),
            row.plies
        ));
    }
    let hash = moves_hash(
        &record.start.fen(FenDialect::XFen),
        record.all_moves().map(Move::bits),
    );
    if hash != row.moves_hash {
        return Err("its moves are not those that were played: their hash does not fit".to_owned());
    }
    if record.outcome.termination().to_string() != row.termination {
        return Err(format!(
            "its termination '{}' does not fit its end",
            row.termination
        ));
    }
    Ok(())
}

/// Checks the end: it is the board's verdict if there is one, otherwise a reason that does not depend on the board.
fn check_end(record: &GameRecord) -> Result<(), String> {
    let game = record.board();
    let outcome = &record.outcome;
    let fits = match game.ending() {
        Some(ending) => *outcome == Outcome::from(ending),
        None => match *outcome {
            Outcome::Won { by, how } => won_off_the_board(record, by, how),
            Outcome::Drawn(how) => drawn_off_the_board(record, how),
            Outcome::Uneven(_) | Outcome::Void(_) => false,
        },
    };
    if fits {
        return Ok(());
    }
    let board = game
        .ending()
        .map_or("no end".to_owned(), |ending| ending.to_string());
    Err(format!(
        "it is stored as {} ({outcome}), and on the board there is {board}",
        outcome.result()
    ))
}

fn won_off_the_board(record: &GameRecord, by: Color, how: WonBy) -> bool {
    match how {
        WonBy::Checkmate => false,
        WonBy::Forfeit(kind) => has_fault(record, Some(!by), kind),
        // The loser's own score must show it.
        WonBy::ScoreAdjudication => match last_score(record, !by) {
            Some(Score::Centipawns(centipawns)) => centipawns <= 0,
            Some(Score::Mate(moves)) => moves <= 0,
            None => false,
        },
        WonBy::Resignation | WonBy::TablebaseAdjudication => true,
        // That is a decision in addition to the game, never the end of one.
        WonBy::ArbiterRuling | WonBy::ArbiterForfeit => false,
    }
}

fn drawn_off_the_board(record: &GameRecord, how: DrawnBy) -> bool {
    match how {
        DrawnBy::ForfeitAgainstNoMate(kind) => has_fault(record, None, kind),
        DrawnBy::ArbiterRuling => false,
        how => Outcome::Drawn(how).termination() == Termination::Adjudication,
    }
}

fn has_fault(record: &GameRecord, side: Option<Color>, kind: FaultKind) -> bool {
    let mut faults = record.faults.iter();
    faults.any(|fault| fault.kind == kind && side.is_none_or(|side| fault.side == side))
}

fn last_score(record: &GameRecord, side: Color) -> Option<Score> {
    let first = record.first_mover();
    let moves = record.moves.iter().enumerate();
    let own = |nth: &usize| (nth.is_multiple_of(2)) == (side == first);
    let mut scores = moves
        .filter(|(nth, _)| own(nth))
        .map(|(_, played)| played.thinking.score);
    scores.next_back().flatten()
}
