//! 960 games of 80 plies that end by themselves, by threefold repetition, so
//! that every runner plays the same games to the same end.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use arbiter960::chess::random::Random;
use arbiter960::chess::{Ending, Game, Move, StartNumber, UciDialect, Variant, start};

/// Half-moves of every game.
pub(crate) const PLIES: usize = 80;

/// Random moves before the pieces begin to shuffle to and fro.
const RANDOM_PLIES: usize = PLIES - 8;

/// Writes a line a start: its pieces as in a FEN, then the moves.
pub(crate) fn write(file: &Path) {
    let mut random = Random::new(960);
    let mut text = String::new();
    for number in 0..960 {
        let start = start::position(Variant::Chess960, StartNumber(number)).expect("0-959");
        let game = loop {
            if let Some(game) = random_game(Game::new(start.clone()), &mut random) {
                break game;
            }
        };
        let fen = start.fen(arbiter960::chess::FenDialect::Shredder);
        text.push_str(fen.split(' ').next().expect("a FEN has fields"));
        let mut position = start;
        for chess_move in game.moves() {
            let _ = write!(text, " {}", position.uci(*chess_move, UciDialect::Chess960));
            position.play(*chess_move);
        }
        text.push('\n');
    }
    fs::write(file, text).expect("the script can be written");
}

fn random_game(mut game: Game, random: &mut Random) -> Option<Game> {
    for _ in 0..RANDOM_PLIES {
        let moves = game.position().legal_moves();
        let index = random.below(moves.len() as u64) as usize;
        game.play(moves[index]);
        if game.ending().is_some() {
            return None;
        }
    }
    shuffle(game)
}

/// Both sides move a piece out and back, twice: the third time is the end.
fn shuffle(mut game: Game) -> Option<Game> {
    let first = there_and_back(&game)?;
    game.play(first[0]);
    let second = there_and_back(&game)?;
    let cycle = [second[0], first[1], second[1]];
    for chess_move in cycle.into_iter().chain([first[0]]).chain(cycle) {
        if game.ending().is_some() || !game.position().is_legal(chess_move) {
            return None;
        }
        game.play(chess_move);
    }
    let ended = game.ending() == Some(Ending::ThreefoldRepetition);
    (ended && game.moves().len() == PLIES).then_some(game)
}

/// A quiet move of a piece that can be taken back.
fn there_and_back(game: &Game) -> Option<[Move; 2]> {
    use arbiter960::chess::PieceKind::{Bishop, Knight, Queen};
    let position = game.position();
    let quiet = |candidate: &&Move| {
        let kind = position.piece_at(candidate.from()).map(|piece| piece.kind);
        matches!(kind, Some(Knight | Bishop | Queen)) && !position.is_capture(**candidate)
    };
    let legal = position.legal_moves();
    let out = legal.iter().find(quiet)?;
    let mut after = position.clone();
    after.play(*out);
    let back = after.play_null()?.legal_moves();
    let back = back
        .iter()
        .find(|back| back.from() == out.to() && back.to() == out.from())?;
    Some([*out, *back])
}
