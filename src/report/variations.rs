//! Errors in principal variations, compared to the rules and to the engine's own score.
//!
//! No check is made while games are played: the last variation of every move is in the store, and is checked
//! afterwards.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::chess::{Ending, Game, UciDialect, UciMoveError};
use crate::event::{PlayedGame, Seat};
use crate::referee::Thinking;
use crate::store::{CUT_VARIATION, Reader, StoreError};
use crate::text::printable;
use crate::tournament::Roster;
use crate::uci::Score;

/// The variations of one participant.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(crate) struct EngineVariations {
    /// The participant's name.
    pub name: String,
    /// Moves with a variation.
    pub variations: u64,
    /// Illegal moves, past the end, short of mate, wrong mate.
    pub flaws: [u64; 4],
    /// The first flaw.
    pub first: Option<FlawExample>,
}

/// A flaw, and its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct FlawExample {
    /// The game, as the PGN `Round`.
    pub game: String,
    /// The ply of the move, from 1.
    pub ply: usize,
    /// The kind of flaw.
    pub kind: FlawKind,
    /// In words, with a quote of the engine's output.
    pub detail: String,
}

impl EngineVariations {
    /// Variations with a flaw.
    pub(crate) fn flawed(&self) -> u64 {
        self.flaws.iter().sum()
    }
}

/// The result for an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Variations {
    /// Games checked: the first ones of the event, or all.
    pub games: u64,
    /// The participants whose variations were seen, in the order of the event file.
    pub engines: Vec<EngineVariations>,
}

impl Variations {
    /// Checks the first `most` finished games of an event.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) fn of_event(
        reader: &Reader,
        roster: &Roster,
        most: u64,
    ) -> Result<Variations, StoreError> {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let (mut games, mut engines) = (0, BTreeMap::new());
        for stored in reader.games().take(most) {
            check(&stored?.game, roster, &mut engines);
            games += 1;
        }
        let engines = engines.into_values().collect();
        Ok(Variations { games, engines })
    }

    /// Checks one game.
    pub(crate) fn of_game(game: &PlayedGame, roster: &Roster) -> Variations {
        let mut engines = BTreeMap::new();
        check(game, roster, &mut engines);
        let engines = engines.into_values().collect();
        Variations { games: 1, engines }
    }
}

/// Adds the variations of a game.
fn check(game: &PlayedGame, roster: &Roster, engines: &mut BTreeMap<Seat, EngineVariations>) {
    let record = &game.record;
    let mut board = Game::with_moves(record.start.clone(), record.opening.iter().copied());
    for played in &record.moves {
        if !played.thinking.pv.is_empty() {
            let seat = game.seat(board.position().side_to_move());
            let engine = engines.entry(seat).or_insert_with(|| EngineVariations {
                name: roster.name(seat),
                ..EngineVariations::default()
            });
            engine.variations += 1;
            let dialect = roster.variant.uci_dialect();
            if let Some((kind, detail)) = lint(&board, &played.thinking, dialect) {
                engine.flaws[kind as usize] += 1;
                engine.first.get_or_insert_with(|| FlawExample {
                    game: roster.games.name(game.id).into(),
                    ply: board.moves().len() + 1,
                    kind,
                    detail,
                });
            }
        }
        board.play(played.chess_move);
    }
}

crate::chess::worded! {
    /// The errors that a variation can have.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub(crate) enum FlawKind,
    /// What a variation with it is.
    words: &'static str {
        /// A move that is not legal, or no move at all.
        IllegalMove = "with an illegal move",
        /// Moves after mate, stalemate or a draw by the rules that the referee applies.
        PastTheEnd = "past the end of the game",
        /// Mate was announced, and the variation ends before it.
        ShortOfMate = "mate line too short",
        /// Mate was announced, and the variation has another length, or does not end in mate.
        WrongMate = "mate in another number of moves",
    }
}

/// What is wrong with a variation; `E` says how a game is over.
pub(crate) enum WrongVariation<E> {
    /// This move is not legal.
    Illegal(usize, UciMoveError),
    /// The game is over before this move.
    PastTheEnd(usize, E),
    /// The announced mate takes this many half-moves; whether the variation ends in mate.
    Mate(i64, bool),
}

/// Plays the variation in the present position of `game`, which stays as it is. `end` says whether a game is over, `mate` is an
/// announcement that has to hold.
pub(crate) fn wrong_variation<E>(
    game: &mut Game,
    words: &[&str],
    (dialect, mate): (UciDialect, Option<i32>),
    end: impl Fn(&Game) -> Option<E>,
) -> Option<WrongVariation<E>> {
    let before = game.moves().len();
    let mut played = words.iter().enumerate();
    let wrong = played.find_map(|(at, word)| match end(game) {
        Some(end) => Some(WrongVariation::PastTheEnd(at, end)),
        None => game
            .play_uci(word, dialect)
            .err()
            .map(|error| WrongVariation::Illegal(at, error)),
    });
    let wrong = wrong.or_else(|| {
        // A mate in N by the engine takes 2N − 1 plies, a mate in N against it 2N.
        let announced = match i64::from(mate?) {
            moves @ 1.. => 2 * moves - 1,
            moves => -2 * moves,
        };
        let is_mate = matches!(game.automatic_ending(), Some(Ending::Checkmate { .. }));
        let holds = is_mate && words.len() as i64 == announced;
        (!holds).then_some(WrongVariation::Mate(announced, is_mate))
    });
    while game.moves().len() > before {
        game.pop();
    }
    wrong
}

/// The first error of the variation of a search in the present position of `game`: its kind, and the same in words with a
/// quote of the engine's output. It is compared to the score only if the score is exact.
fn lint(game: &Game, thinking: &Thinking, dialect: UciDialect) -> Option<(FlawKind, String)> {
    let words: Vec<&str> = thinking.pv.split_whitespace().collect();
    if words.is_empty() {
        return None;
    }
    // The store has not kept what follows this word: the end is unknown.
    let kept = words.iter().position(|word| *word == CUT_VARIATION);
    let mate = match (thinking.score, thinking.bound, kept) {
        (Some(Score::Mate(moves)), None, None) => Some(moves),
        _ => None,
    };
    let kept = &words[..kept.unwrap_or(words.len())];
    let before = game.moves().len();
    // A search in a position whose game is over is not its engine's fault.
    let end = |game: &Game| game.ending().filter(|_| game.moves().len() > before);
    Some(
        match wrong_variation(&mut game.clone(), kept, (dialect, mate), end)? {
            WrongVariation::Illegal(at, error) => (
                FlawKind::IllegalMove,
                format!("at ply {} of it, {error}", at + 1),
            ),
            WrongVariation::PastTheEnd(at, ending) => {
                let (left, word) = (words.len() - at, words[at]);
                let ply = at + 1;
                let detail =
                    format!("goes on for {left} plies after {ending}: {word:?} is ply {ply}");
                (FlawKind::PastTheEnd, detail)
            }
            WrongVariation::Mate(announced, is_mate) => {
                let (plies, moves) = (kept.len() as i64, mate.unwrap_or(0));
                let is_short = !is_mate && plies < announced;
                let kind = if is_short {
                    FlawKind::ShortOfMate
                } else {
                    FlawKind::WrongMate
                };
                let end = if is_mate { "mate" } else { "no mate" };
                let detail = format!(
                    "mate {moves} means {announced} plies; the variation has {plies} and ends in {end}"
                );
                (kind, detail)
            }
        },
    )
}

/// Variations of an engine in a hundred that may be wrong: fewer are not worth reporting at the end of each run.
pub(crate) const RARE: u64 = 1;

/// Two lines for every engine of whose variations more than `percent` in a hundred are wrong: the counts, and the first
/// example. `of_games` are all games of the event.
pub(crate) fn variation_lines(variations: &Variations, of_games: u64, percent: u64) -> Vec<String> {
    let flawed = variations.engines.iter();
    let flawed = flawed.filter(|engine| 100 * engine.flawed() > percent * engine.variations);
    let mut lines: Vec<String> = flawed.flat_map(engine_lines).collect();
    if !lines.is_empty() && variations.games < of_games {
        let games = variations.games;
        lines.push(format!(
            "  These are the first {games} of {of_games} games; `stats --moves` looks at all."
        ));
    }
    lines
}

fn engine_lines(engine: &EngineVariations) -> Vec<String> {
    let counts = FlawKind::ALL.into_iter().zip(engine.flaws);
    let named = counts.filter(|(_, count)| *count > 0);
    let named = named.map(|(kind, count)| format!("{count} {}", kind.words()));
    let named: Vec<String> = named.collect();
    let (name, named) = (printable(&engine.name), named.join(", "));
    let (flawed, all) = (engine.flawed(), engine.variations);
    let first = engine.first.as_ref().map(
        |FlawExample {
             game, ply, detail, ..
         }| { format!("  the first in {game}, ply {ply}: {}", printable(detail)) },
    );
    let line = format!("{name}: {flawed} of {all} PVs are wrong: {named}");
    std::iter::once(line).chain(first).collect()
}

#[cfg(test)]
mod tests {
    use crate::chess::Position;
    use crate::uci::Bound;

    use super::*;

    fn found(fen: &str, pv: &str, score: Option<Score>) -> Option<FlawKind> {
        let game = Game::new(Position::from_fen(fen).unwrap());
        let thinking = Thinking {
            score,
            pv: pv.to_owned(),
            ..Thinking::default()
        };
        lint(&game, &thinking, UciDialect::Standard).map(|(kind, _)| kind)
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const FOOL: &str = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
    const BARE: &str = "8/8/8/8/8/2k5/1p6/K7 w - - 0 1";

    #[test]
    fn sound_variations_have_no_flaw() {
        assert_eq!(found(START, "e2e4 e7e5 g1f3", None), None);
        assert_eq!(found(START, "", Some(Score::Mate(3))), None);
        assert_eq!(found(FOOL, "d8h4", Some(Score::Mate(1))), None);
        assert_eq!(
            found(START, "f2f3 e7e5 g2g4 d8h4", Some(Score::Mate(-2))),
            None
        );
    }

    #[test]
    fn illegal_moves_and_moves_after_the_end() {
        assert_eq!(found(START, "e2e4 e2e4", None), Some(FlawKind::IllegalMove));
        assert_eq!(found(START, "e2e4 zzzz", None), Some(FlawKind::IllegalMove));
        assert_eq!(found(FOOL, "d8h4 e1f2", None), Some(FlawKind::PastTheEnd));
        assert_eq!(
            found(BARE, "a1b1 c3b3", Some(Score::Mate(-9))),
            Some(FlawKind::ShortOfMate)
        );
        // After the pawn is taken neither side can mate.
        let taken = "8/8/8/8/8/1k6/1p6/1K6 b - - 0 1";
        assert_eq!(
            found(taken, "b3c3 b1a2 b2b1q a2b1 c3d3", None),
            Some(FlawKind::PastTheEnd)
        );
    }

    #[test]
    fn moves_after_the_third_repetition() {
        let dance = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        assert_eq!(found(START, dance, None), None);
        let further = format!("{dance} e2e4");
        assert_eq!(found(START, &further, None), Some(FlawKind::PastTheEnd));
    }

    #[test]
    fn mates_that_do_not_hold() {
        assert_eq!(
            found(FOOL, "d8h4", Some(Score::Mate(2))),
            Some(FlawKind::WrongMate)
        );
        assert_eq!(
            found(FOOL, "d8h4", Some(Score::Mate(-1))),
            Some(FlawKind::WrongMate)
        );
        assert_eq!(
            found(FOOL, "d8e7", Some(Score::Mate(1))),
            Some(FlawKind::WrongMate)
        );
        assert_eq!(
            found(FOOL, "d8e7", Some(Score::Mate(5))),
            Some(FlawKind::ShortOfMate)
        );
        assert_eq!(
            found(FOOL, "d8e7", Some(Score::Mate(0))),
            Some(FlawKind::WrongMate)
        );
    }

    #[test]
    fn a_bound_promises_no_mate() {
        let game = Game::new(Position::from_fen(FOOL).unwrap());
        let thinking = Thinking {
            score: Some(Score::Mate(4)),
            bound: Some(Bound::Lower),
            pv: "d8e7".to_owned(),
            ..Thinking::default()
        };
        assert_eq!(lint(&game, &thinking, UciDialect::Standard), None);
    }

    #[test]
    fn at_the_end_of_a_run_one_in_a_hundred_is_no_news() {
        let lines = |flawed, percent| {
            let engine = EngineVariations {
                name: "A".to_owned(),
                variations: 200,
                flaws: [0, 0, flawed, 0],
                first: None,
            };
            let variations = Variations {
                games: 4,
                engines: vec![engine],
            };
            variation_lines(&variations, 4, percent)
        };
        assert!(lines(2, RARE).is_empty());
        let said = "A: 3 of 200 PVs are wrong: 3 mate line too short";
        assert_eq!(lines(3, RARE), [said]);
        assert_eq!(lines(1, 0).len(), 1);
        assert!(lines(0, 0).is_empty());
    }
}
