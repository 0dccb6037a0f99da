//! Pieces placed alternately; transcendental chess before its games: the exchange on the first turn, and tempi that were
//! given. Each choice by evaluations of what can follow it.

use std::time::{Duration, Instant};

use super::StoredStart;
use super::judge::Judge;
use crate::chess::random::Random;
use crate::chess::{
    Color, File, Move, PieceKind, Position, PositionBuilder, Rank, Square, UciDialect, Variant,
};
use crate::engine::start::ReplyDeadline;
use crate::event::OpeningSystem;
use crate::schedule::{Opening, Placing};

/// The first turn of either side: each may exchange two pieces of its back rank instead of moving, unless both
/// bishops came to one colour, if `may` allows it. Otherwise it makes the move that its engine finds best.
pub(super) async fn first_turns(
    players: &mut [&mut Judge; 2],
    start: &Position,
    may: [bool; 2],
    random: &mut Random,
) -> Option<StoredStart> {
    let mut position = start.clone();
    let mut turns = Vec::new();
    for player in Color::ALL {
        if !may[player.index()..].contains(&true) {
            // Nothing but moves is left, and those are the game's.
            break;
        }
        let judge = &mut *players[player.index()];
        let (next, text) = turn(judge, &position, may[player.index()], random).await?;
        turns.push(text);
        position = next;
    }
    let opening = Opening::new(Variant::Transcendental, position, Vec::new()).ok()?;
    Some(StoredStart::new(opening, turns))
}

/// One turn: the engine's own move, or an exchange that it likes better, if it may.
async fn turn(
    judge: &mut Judge,
    position: &Position,
    may_exchange: bool,
    random: &mut Random,
) -> Option<(Position, String)> {
    let player = position.side_to_move();
    let third = judge.left() / 3;
    let own = judge.judge(position, third).await;
    let moved = own.and_then(|own| {
        let chosen = position.parse_uci(&own.best, UciDialect::Standard).ok()?;
        Some(after(position, chosen))
    });
    let mut choices: Vec<(Position, String)> = moved.into_iter().collect();
    if may_exchange {
        let exchanged = exchanges(position, player).into_iter();
        choices.extend(exchanged.filter_map(|(next, text)| Some((next.play_null()?, text))));
    }
    if choices.is_empty() {
        let moves = position.legal_moves().into_iter();
        choices.extend(moves.map(|mv| after(position, mv)));
    }
    let time = judge.left();
    let of_choice = |choice: usize, _: &mut Random| Some(choices[choice].0.clone());
    let chosen = best(judge, player, choices.len(), time, random, of_choice).await?;
    Some(choices.swap_remove(chosen))
}

/// The position after a move, and the move's text.
fn after(position: &Position, mv: Move) -> (Position, String) {
    (position.after(mv), position.san(mv).to_string())
}

/// The tempi that a side was given: with each, before the game, it moves a pawn without a capture, or
/// exchanges two pieces, which it may do once. Also returns whether it has exchanged.
pub(super) async fn tempi(
    judge: &mut Judge,
    start: &Position,
    player: Color,
    count: u32,
    turns: &mut Vec<String>,
    random: &mut Random,
) -> Option<(Position, bool)> {
    let mut position = start.clone();
    let mut has_exchanged = false;
    for left in (1..=count).rev() {
        let mut choices = pawn_moves(&position, player);
        if !has_exchanged {
            choices.extend(exchanges(&position, player));
        }
        let time = judge.left() / (left + 1);
        let of_choice = |choice: usize, _: &mut Random| Some(choices[choice].0.clone());
        let chosen = best(judge, player, choices.len(), time, random, of_choice).await?;
        let (next, text) = choices.swap_remove(chosen);
        has_exchanged |= text.contains('/');
        turns.push(format!("{}: {text}", judge.name));
        position = next;
    }
    Some((position, has_exchanged))
}

/// The position after each exchange of two pieces of a side's back rank, with the same side to move, and its
/// text, `b1/e1`.
fn exchanges(position: &Position, player: Color) -> Vec<(Position, String)> {
    let squares = File::ALL.map(|file| Square::new(file, Rank::back(player)));
    let mut found = Vec::new();
    for (place, &one) in squares.iter().enumerate() {
        for &other in &squares[place + 1..] {
            let [here, there] = [one, other].map(|square| position.piece_at(square));
            let (Some(here), Some(there)) = (here, there) else {
                continue;
            };
            if here.kind == there.kind || here.color != player || there.color != player {
                continue;
            }
            let bishop = [here.kind, there.kind].contains(&PieceKind::Bishop);
            if bishop && one.is_dark() != other.is_dark() {
                continue;
            }
            let builder = PositionBuilder::from(position).put(here, other);
            if let Ok(exchanged) = builder.put(there, one).build() {
                found.push((exchanged, format!("{one}/{other}")));
            }
        }
    }
    found
}

/// The position after each move of a pawn of one side that takes nothing, with White to move, and its text.
fn pawn_moves(position: &Position, player: Color) -> Vec<(Position, String)> {
    let moving = if position.side_to_move() == player {
        Some(position.clone())
    } else {
        position.play_null()
    };
    let Some(moving) = moving else {
        return Vec::new();
    };
    let pawns = moving.pieces(player, PieceKind::Pawn);
    let moves = moving.legal_moves_from(pawns);
    let quiet = moves.into_iter().filter(|&mv| !moving.is_capture(mv));
    let with_white_to_move = |mv| {
        let (next, text) = after(&moving, mv);
        let next = PositionBuilder::from(&next).side_to_move(Color::White);
        Some((next.counters(0, 1).build().ok()?, text))
    };
    quiet.filter_map(with_white_to_move).collect()
}

// Pieces placed alternately.

/// A start that White and Black make alternately. A player divides its remaining time evenly among its
/// remaining turns.
pub(super) async fn place(
    players: &mut [&mut Judge; 2],
    system: OpeningSystem,
    random: &mut Random,
) -> Option<StoredStart> {
    let mut placing = Placing::new(system)?;
    let mut turns = Vec::new();
    while let Some(player) = placing.turn() {
        let choices = placing.choices();
        let judge = &mut *players[player.index()];
        let time = judge.left() / placing.turns_left();
        let finished = |choice: usize, random: &mut Random| {
            let opening = placing.after(choices[choice]).completed(random)?;
            Some(opening.start)
        };
        let chosen = best(judge, player, choices.len(), time, random, finished).await?;
        turns.push(match player {
            Color::White => choices[chosen].to_string(),
            Color::Black => format!("({})", choices[chosen]),
        });
        placing = placing.after(choices[chosen]);
    }
    Some(StoredStart::new(placing.completed(random)?, turns))
}

/// The longest search of one position, and the shortest.
const MAX_SEARCH_TIME: Duration = Duration::from_millis(50);
const MIN_SEARCH_TIME: Duration = Duration::from_millis(1);

/// The place of the choice that `player` likes best, within this part of its time. `position` gives a position
/// that can come of the choice at this place, each time another where there are several. The choices are
/// looked at in an order that is drawn, again and again, until the time is used; what counts of each is the
/// mean. Where none was looked at, it is drawn.
async fn best(
    judge: &mut Judge,
    player: Color,
    choices: usize,
    time: Duration,
    random: &mut Random,
    mut position: impl FnMut(usize, &mut Random) -> Option<Position>,
) -> Option<usize> {
    let mut order: Vec<usize> = (0..choices).collect();
    random.shuffle(&mut order);
    let drawn = order.first().copied();
    if choices < 2 {
        return drawn;
    }
    let each = (time / (2 * choices as u32)).clamp(MIN_SEARCH_TIME, MAX_SEARCH_TIME);
    let until = judge.left().saturating_sub(time);
    // What the host takes is not on its clock; this is the end of waiting for it.
    let latest = Instant::now() + time * ReplyDeadline::MAX_EXTENSION;
    let mut sums = vec![(0_i64, 0_i64); choices];
    'looking: loop {
        let mut judged_any = false;
        for &choice in &order {
            let Some(position) = position(choice, random) else {
                continue;
            };
            if let Some(judged) = judge.judge(&position, each).await {
                let (sum, count) = &mut sums[choice];
                *sum += i64::from(match player {
                    Color::White => judged.white,
                    Color::Black => -judged.white,
                });
                *count += 1;
                judged_any = true;
            }
            if judge.left() <= until || Instant::now() > latest {
                break 'looking;
            }
        }
        if !judged_any {
            break;
        }
    }
    let looked_at = order.iter().filter(|&&choice| sums[choice].1 > 0);
    // In hundredths of a centipawn, so that means differ where sums do.
    let mean = |choice: &&usize| 100 * sums[**choice].0 / sums[**choice].1;
    looked_at.max_by_key(mean).copied().or(drawn)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";

    #[test]
    fn exchanges_keep_bishops_on_both_colours() {
        let start = Position::from_fen(START).unwrap();
        let found = exchanges(&start, Color::White);
        // 28 pairs, without rook and rook, knight and knight, bishop and bishop, and without those of a bishop
        // with a piece on the other colour.
        let texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts.len(), 28 - 3 - 6, "{texts:?}");
        assert!(
            texts.contains(&"a1/c1") && !texts.contains(&"b1/c1"),
            "{texts:?}"
        );
        let (next, _) = found.iter().find(|(_, text)| text == "d1/e1").unwrap();
        assert_eq!(
            next.to_string(),
            "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1"
        );
    }

    #[test]
    fn tempi_are_quiet_moves_of_pawns_and_white_begins() {
        let start = Position::from_fen(START).unwrap();
        for player in Color::ALL {
            let found = pawn_moves(&start, player);
            assert_eq!(found.len(), 16);
            assert!(
                found
                    .iter()
                    .all(|(next, _)| next.side_to_move() == Color::White)
            );
        }
        let (after_e5, _) = pawn_moves(&start, Color::Black)
            .into_iter()
            .find(|(_, text)| text == "e5")
            .unwrap();
        let fen = "bbqnnrkr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
        assert_eq!(after_e5.to_string(), fen);
    }
}
