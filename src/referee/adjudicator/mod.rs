//! Ends a game by score or by length, as the event file asks.
//!
//! There are four ways of counting, [`School`]. They differ in details: what starts a count again, what counts of the
//! book, which engine's score is checked first.

use crate::chess::{CastlingSide, Color, Game, Position};
use crate::referee::{
    Adjudication, DrawRule, DrawnBy, Outcome, ResignRule, School, Thinking, WonBy,
};
use crate::uci::Score;

/// What is counted of one game by the rules of `[adjudication]`.
#[derive(Debug, Clone)]
pub struct Adjudicator {
    limits: Adjudication,
    counts: MoveCounts,
}

/// The counters of all schools; each uses some of them.
#[derive(Debug, Clone, Default)]
struct MoveCounts {
    /// Half-moves in a row with a score near zero, and far from zero.
    level: u32,
    decided: u32,
    /// Moves in a row in which this side saw itself lost, or winning.
    lost: [u32; 2],
    winning: [u32; 2],
    /// Half-moves by engines.
    plies: u32,
}

impl Adjudicator {
    /// Nothing counted yet.
    pub fn new(rules: &Adjudication) -> Adjudicator {
        Adjudicator {
            limits: rules.clone(),
            counts: MoveCounts::default(),
        }
    }

    /// The result of a game before an engine has moved: fastchess gives a draw where the rule wants no level moves.
    pub(in crate::referee) fn before_the_first_move(
        rules: &Adjudication,
        position: &Position,
    ) -> Option<Outcome> {
        let rule = rules.draw.filter(|_| rules.school == School::Fastchess)?;
        let complete = position.fullmove_number().saturating_sub(1);
        (rule.moves == 0 && complete >= rule.from_move).then(drawn)
    }

    /// Takes the next move by an engine. Returns the result if it ends the game. Book moves are not passed in, nor a
    /// move after which the board has ended the game.
    pub fn judge(&mut self, played: &ScoredMove) -> Option<Outcome> {
        let (counts, limits) = (&mut self.counts, &self.limits);
        match limits.school {
            School::Arbiter960 => counts.own(limits, played),
            School::Fastchess => counts.fastchess(limits, played),
            School::Cutechess | School::Tcec => counts.cutechess(limits, played),
        }
    }

    /// Half-moves in a row that are level, and moves in a row in which each side saw itself lost; `None` where another
    /// school counts.
    pub(crate) fn counted(&self) -> Option<(u32, [u32; 2])> {
        let is_own = self.limits.school == School::Arbiter960;
        is_own.then_some((self.counts.level, self.counts.lost))
    }
}

fn won(by: Color) -> Outcome {
    Outcome::Won {
        by,
        how: WonBy::ScoreAdjudication,
    }
}

fn drawn() -> Outcome {
    Outcome::Drawn(DrawnBy::ScoreAdjudication)
}

/// A draw, if the game has reached the largest number of half-moves.
fn too_long(limits: &Adjudication, plies: u32) -> Option<Outcome> {
    let most = limits.max_moves.map(|most| most.saturating_mul(2));
    let reached = most.is_some_and(|most| plies >= most);
    reached.then_some(Outcome::Drawn(DrawnBy::LengthAdjudication))
}

/// A move by an engine, with the score that it gave with it and the place of the move in the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoredMove {
    /// Who made it.
    pub mover: Color,
    /// The last score that is not a bound, from the mover's view.
    pub score: Option<Score>,
    /// If no such score came, the last bound.
    pub bound: Option<Score>,
    /// The depth of that search in plies; 0 if the engine gave none.
    pub depth: u32,
    /// The position's full move number after the move, which the start position's counter begins.
    pub fullmove_number: u32,
    /// Half-moves on the board, including the book's and this one.
    pub plies: u32,
    /// Whether it was a move by a pawn or a capture.
    pub irreversible: bool,
    /// Whether it was the move of a rook with which its king could have castled.
    pub moves_castling_rook: bool,
}

impl ScoredMove {
    /// The last move on the board, with what the engine said of its search.
    pub fn last(game: &Game, thinking: &Thinking) -> ScoredMove {
        let position = game.position();
        let exact = thinking.bound.is_none();
        ScoredMove {
            mover: !position.side_to_move(),
            score: thinking.score.filter(|_| exact),
            bound: thinking.score.filter(|_| !exact),
            depth: thinking.depth.unwrap_or(0),
            fullmove_number: position.fullmove_number(),
            plies: u32::try_from(game.moves().len()).unwrap_or(u32::MAX),
            irreversible: position.halfmove_clock() == 0,
            moves_castling_rook: moves_castling_rook(game),
        }
    }

    /// The number of the full move that it belongs to.
    fn move_number(&self) -> u32 {
        match self.mover {
            Color::White => self.fullmove_number,
            Color::Black => self.full_moves(),
        }
    }

    /// Full moves that are complete, by the position's own counter.
    fn full_moves(&self) -> u32 {
        self.fullmove_number.saturating_sub(1)
    }
}

fn moves_castling_rook(game: &Game) -> bool {
    let Some((mv, before)) = game.moves().iter().zip(game.positions()).next_back() else {
        return false;
    };
    let rook = |side| before.castling_rook(before.side_to_move(), side);
    let rooks = [CastlingSide::KingSide, CastlingSide::QueenSide].map(rook);
    rooks.contains(&Some(mv.from()))
}

// The four ways of counting.

impl MoveCounts {
    /// The way of this program: a draw is counted from the move from which it may be given, and a win is given as soon
    /// as its conditions hold, after a move of either side: by the loser's own score, or because the winner has now
    /// agreed.
    ///
    /// A move without a score, or with a bound alone, starts the counts of its side again, and that of
    /// the draw. A mate is never level.
    fn own(&mut self, limits: &Adjudication, played: &ScoredMove) -> Option<Outcome> {
        self.plies += 1;
        let score = played.score.map(value);
        let is_drawn = limits.draw.is_some_and(|rule| {
            let counts = played.move_number() >= rule.from_move;
            self.is_level(&rule, score.filter(|_| counts))
        });
        let winner = limits.resign.and_then(|rule| {
            self.count_sides(&rule, played.mover, score);
            self.winner(&rule, &[played.mover, !played.mover], rule.both_engines)
        });
        let won = winner.map(won).or_else(|| is_drawn.then(drawn));
        won.or_else(|| too_long(limits, self.plies))
    }

    /// The way of fastchess (`DrawTracker`, `ResignTracker`, `MaxMovesTracker` of its
    /// `matchmaking/match`, version 1.8.2).
    ///
    /// Level half-moves are counted from the first move; a pawn move or a capture starts the count again and is counted
    /// itself. A draw is given when the count is long enough and enough full moves are complete, by the counter of the
    /// position. With both engines a win needs decided scores of either sign, one after the other; the loser is the
    /// engine that moved last and reported that it is behind. A bound counts where an engine gave no other score. The
    /// length counts only the engines' moves. `mate 0` is decided, and no loss.
    fn fastchess(&mut self, limits: &Adjudication, played: &ScoredMove) -> Option<Outcome> {
        self.plies += 1;
        let score = match played.score.or(played.bound) {
            Some(Score::Mate(0)) => Some(i64::MAX),
            score => score.map(value),
        };
        let is_drawn = limits.draw.is_some_and(|rule| {
            if played.irreversible {
                self.level = 0;
            }
            self.is_level(&rule, score) && played.full_moves() >= rule.from_move
        });
        let resigns = limits.resign.is_some_and(|rule| {
            if rule.both_engines {
                let limit = u64::from(rule.centipawns);
                let is_decided = score.is_some_and(|score| score.unsigned_abs() >= limit);
                count(&mut self.decided, is_decided);
                return self.decided >= rule.moves.saturating_mul(2);
            }
            self.count_sides(&rule, played.mover, score);
            self.lost.iter().any(|&moves| moves >= rule.moves)
        });
        let is_behind = score.is_some_and(|score| score < 0);
        let won = (resigns && is_behind).then(|| won(!played.mover));
        won.or_else(|| is_drawn.then(drawn))
            .or_else(|| too_long(limits, self.plies))
    }

    /// The way of cutechess-cli (`GameAdjudicator` and `ChessGame::onMoveMade`, version 1.5.1).
    ///
    /// As fastchess's for draws, except that the move number is half of the half-moves on the board, the book's moves
    /// included; the counter of the start position is ignored. A resignation is checked only after the loser's own move;
    /// with both engines the winner's own count must be as long. A move without a depth starts all counts of its side
    /// again. The length of a game includes its book moves. Without a number of moves nobody resigns.
    ///
    /// Three things are not copied, because with them a score that nobody gave would end games: cutechess takes a
    /// missing score for a won one, `mate 0` for an even one, and a bound for an exact score where the word for it comes
    /// at the end of `score`.
    ///
    /// And the way of TCEC, as the fork of cutechess has it that TCEC's tournaments are played with
    /// (`-tcecadj`; <https://github.com/coolchess123/tceccutechess>), with three differences. What starts the count of a
    /// draw again is not counted itself, and no draw is given on it. The move of a rook with which its king could have
    /// castled starts it again, too (`WesternBoard::vMakeMove`). A win needs both engines, each over its own last moves,
    /// and is given after the move of either.
    fn cutechess(&mut self, limits: &Adjudication, played: &ScoredMove) -> Option<Outcome> {
        let is_tcec = limits.school == School::Tcec;
        let restarts = played.irreversible || (is_tcec && played.moves_castling_rook);
        let mover = played.mover;
        if restarts || played.depth == 0 {
            self.level = 0;
        }
        if played.depth == 0 {
            (self.lost[mover.index()], self.winning[mover.index()]) = (0, 0);
            return None;
        }
        // `mate 0` says that no move is possible, so it is not a score of a move.
        let score = played.score.filter(|score| *score != Score::Mate(0));
        let score = score.map(value);
        let is_drawn = limits.draw.is_some_and(|rule| {
            let counts = !(is_tcec && restarts);
            counts && self.is_level(&rule, score) && played.plies / 2 >= rule.from_move
        });
        let winner = limits.resign.and_then(|rule| {
            self.count_sides(&rule, mover, score);
            if is_tcec {
                return self.winner(&rule, &[mover, !mover], true);
            }
            let winner = self.winner(&rule, &[mover], rule.both_engines);
            winner.filter(|_| rule.moves > 0)
        });
        let drawn = is_drawn.then(drawn).or_else(|| winner.map(won));
        drawn.or_else(|| too_long(limits, played.plies))
    }

    /// Counts a score near zero; whether there are enough of them. A mate never is near.
    fn is_level(&mut self, rule: &DrawRule, score: Option<i64>) -> bool {
        let limit = u64::from(rule.centipawns);
        let is_near = score.is_some_and(|score| score.unsigned_abs() <= limit);
        count(&mut self.level, is_near);
        self.level >= rule.moves.saturating_mul(2)
    }

    /// Counts how this side sees itself: lost or winning by the limit or more.
    fn count_sides(&mut self, rule: &ResignRule, side: Color, score: Option<i64>) {
        let (limit, side) = (i64::from(rule.centipawns), side.index());
        let is_lost = score.is_some_and(|score| score <= -limit);
        let is_winning = score.is_some_and(|score| score >= limit);
        count(&mut self.lost[side], is_lost);
        count(&mut self.winning[side], is_winning);
    }

    /// The opponent of the first of these sides that saw itself lost for long enough, if the opponent agrees where it
    /// must.
    fn winner(&self, rule: &ResignRule, sides: &[Color], must_agree: bool) -> Option<Color> {
        let loses = |side: &&Color| {
            let agreed = !must_agree || self.winning[(!**side).index()] >= rule.moves;
            self.lost[side.index()] >= rule.moves && agreed
        };
        sides.iter().find(loses).map(|loser| !*loser)
    }
}

/// A score on one scale, on which every mate is more than any limit. `mate 0` comes from the side that is mated.
fn value(score: Score) -> i64 {
    match score {
        Score::Centipawns(points) => points.into(),
        Score::Mate(1..) => i64::MAX,
        Score::Mate(_) => i64::MIN,
    }
}

/// One more, or none again.
fn count(counter: &mut u32, goes_on: bool) {
    *counter = if goes_on {
        counter.saturating_add(1)
    } else {
        0
    };
}

#[cfg(test)]
mod tests;
