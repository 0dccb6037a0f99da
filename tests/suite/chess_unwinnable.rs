//! "Cannot win" must never be the answer for a position from which a mate can be reached.

use std::collections::HashSet;

use arbiter960::chess::{Color, FenDialect, Move, Position};

use super::random::Random;

/// A position from pieces on squares, if it is legal.
fn place(pieces: &[(char, usize)], side: char) -> Option<Position> {
    let mut board = [['1'; 8]; 8];
    for &(letter, square) in pieces {
        let cell = &mut board[7 - square / 8][square % 8];
        if *cell != '1' {
            return None;
        }
        *cell = letter;
    }
    let ranks: Vec<String> = board.iter().map(with_runs).collect();
    Position::from_fen(&format!("{} {side} - - 0 1", ranks.join("/"))).ok()
}

/// FEN forbids two numbers side by side.
fn with_runs(rank: &[char; 8]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for &letter in rank {
        if letter == '1' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text += &empty.to_string();
            empty = 0;
        }
        text.push(letter);
    }
    if empty > 0 {
        text += &empty.to_string();
    }
    text
}

/// Every placement of four pieces, Black to move, the black king in one octant of the board.
/// Returns how many are mate, after checking that none is called unwinnable for White.
fn mates_among(white: char, black: char) -> usize {
    let octant = [0, 1, 2, 3, 9, 10, 11, 18, 19, 27];
    let mut mates = 0;
    for black_king in octant {
        // Mate needs the kings near each other on the edge, or the pieces around: no shortcut but
        // that White's king is within a knight's reach of Black's.
        for white_king in (0..64).filter(|&square| distance(square, black_king) == 2) {
            for (checker, helper) in (0..64).flat_map(|a| (0..64).map(move |b| (a, b))) {
                if distance(helper, black_king) > 1 {
                    continue;
                }
                let kings = [('K', white_king), ('k', black_king)];
                let pieces = [&kings[..], &[(white, checker), (black, helper)]].concat();
                let Some(position) = place(&pieces, 'b') else {
                    continue;
                };
                if position.in_check() && !position.has_legal_move() {
                    mates += 1;
                    assert!(!position.cannot_win(Color::White));
                }
            }
        }
    }
    mates
}

fn distance(a: usize, b: usize) -> usize {
    (a % 8).abs_diff(b % 8).max((a / 8).abs_diff(b / 8))
}

#[test]
fn material_that_cannot_mate_has_no_mates_and_other_material_has() {
    for (white, black, has_mates) in [
        ('N', 'q', false),
        ('N', 'r', true),
        ('N', 'b', true),
        ('N', 'n', true),
        ('B', 'q', false),
        ('B', 'r', false),
        ('B', 'n', true),
        ('B', 'b', true),
    ] {
        let mates = mates_among(white, black);
        assert_eq!(mates > 0, has_mates, "K{white} v K{black}");
    }
}

/// Every position that can be reached, unless there are too many.
fn reachable(start: &Position, most: usize) -> Option<Vec<Position>> {
    let mut seen = HashSet::from([start.key()]);
    let mut positions = vec![start.clone()];
    let mut next = 0;
    while next < positions.len() {
        let moves: Vec<Move> = positions[next].legal_moves().into_iter().collect();
        for mv in moves {
            let mut position = positions[next].clone();
            position.play(mv);
            if seen.insert(position.key()) {
                positions.push(position);
            }
        }
        if positions.len() > most {
            return None;
        }
        next += 1;
    }
    Some(positions)
}

#[test]
fn no_mate_can_be_reached_from_where_none_is_said_to_be() {
    let mut random = Random(5);
    let (mut proved, mut explored) = (0, 0);
    for _ in 0..4_000 {
        let Some(position) = random_wall(&mut random) else {
            continue;
        };
        let claims = Color::ALL.map(|color| position.cannot_win(color));
        if claims == [false, false] {
            continue;
        }
        proved += 1;
        let Some(positions) = reachable(&position, 10_000) else {
            continue;
        };
        explored += 1;
        let is_mate = |end: &&Position| end.in_check() && !end.has_legal_move();
        for end in positions.iter().filter(is_mate) {
            let winner = !end.side_to_move();
            let [from, to] = [&position, end].map(|position| position.fen(FenDialect::XFen));
            assert!(!claims[winner.index()], "{from} leads to {to}");
        }
    }
    assert!(
        proved > 50 && explored > 50,
        "{proved} proved, {explored} explored"
    );
}

/// Kings and pairs of pawns that block each other, on most files.
fn random_wall(random: &mut Random) -> Option<Position> {
    let mut pieces = vec![('K', random.below(24)), ('k', 40 + random.below(24))];
    for file in 0..8 {
        if random.below(8) > 0 {
            let rank = 3 + (file + random.below(2)) % 2;
            pieces.push(('P', rank * 8 + file));
            pieces.push(('p', rank * 8 + 8 + file));
        }
    }
    place(&pieces, if random.below(2) == 0 { 'w' } else { 'b' })
}
