//! One position, one game: everything that both can say of it.

use std::collections::HashMap;
use std::fmt;

use anyhow::{Context, ensure};
use arbiter960_chess::random::Random;
use arbiter960_chess::{Color, Ending, FenDialect, Game, Move, Position, UciDialect};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

use crate::games;

/// What was compared.
#[derive(Debug, Default)]
pub struct Tally {
    /// Positions, the start and the end of each game included.
    pub positions: u64,
    games: u64,
    moves: u64,
    castlings: u64,
    en_passant: u64,
    endings: HashMap<String, u64>,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} positions of {} games, {} moves ({} castlings, {} en passant)",
            self.positions, self.games, self.moves, self.castlings, self.en_passant
        )?;
        let mut endings: Vec<_> = self.endings.iter().collect();
        endings.sort();
        for (ending, count) in endings {
            write!(f, "\n{count:>9} {ending}")?;
        }
        Ok(())
    }
}

/// Castling is over early, so most games are cut short after this number of half-moves.
const OPENING: usize = 40;

/// Plays a random game on both boards; one in ten to its end (of either variant).
pub fn game(seed: u64, tally: &mut Tally) -> anyhow::Result<()> {
    let mut random = Random::new(seed);
    let longest = if (seed / 2).is_multiple_of(10) {
        usize::MAX
    } else {
        OPENING
    };
    let mut own = Game::new(games::start(seed, &mut random)?);
    let mut other: Chess = read(own.start())?;
    let mut seen: HashMap<u64, u32> = HashMap::new();
    loop {
        let hash: Zobrist64 = other.zobrist_hash(EnPassantMode::Legal);
        let times = seen.entry(hash.0).or_default();
        *times += 1;
        let place = || format!("seed {seed}, {}", own.position().fen(FenDialect::Shredder));
        let moves = position(own.position(), &other, tally).with_context(place)?;
        let ending = own.ending();
        ensure!(
            ending == other_ending(&other, *times),
            "{}: {ending:?}, but shakmaty says {:?}",
            place(),
            other_ending(&other, *times)
        );
        if ending.is_some() || own.moves().len() == longest {
            let name = ending.map_or("cut short".to_owned(), |ending| ending.to_string());
            *tally.endings.entry(name).or_default() += 1;
            tally.games += 1;
            return Ok(());
        }
        let chosen = games::choose(own.position(), &own.position().legal_moves(), &mut random);
        other.play_unchecked(moves[&chosen]);
        own.play(chosen);
    }
}

fn read(position: &Position) -> anyhow::Result<Chess> {
    let fen: Fen = position.fen(FenDialect::Shredder).parse()?;
    Ok(fen.into_position(CastlingMode::Chess960)?)
}

/// Compares a position that both reached move by move; which move is which.
fn position(
    own: &Position,
    other: &Chess,
    tally: &mut Tally,
) -> anyhow::Result<HashMap<Move, shakmaty::Move>> {
    tally.positions += 1;
    let fen = Fen::from_position(other, EnPassantMode::Legal).to_string();
    let own_fen = own.fen(FenDialect::XFen);
    ensure!(
        own_fen == fen,
        "the X-FEN is {own_fen}, but shakmaty's {fen}"
    );
    ensure!(read(own)? == *other, "shakmaty reads another position");
    ensure!(own.in_check() == other.is_check(), "check");
    let moves: HashMap<String, shakmaty::Move> = other
        .legal_moves()
        .into_iter()
        .map(|mv| {
            (
                UciMove::from_move(mv, CastlingMode::Chess960).to_string(),
                mv,
            )
        })
        .collect();
    let own_moves = own.legal_moves();
    ensure!(
        own_moves.len() == moves.len(),
        "{} moves, but {}",
        own_moves.len(),
        moves.len()
    );
    let mut pairs = HashMap::new();
    for &mv in &own_moves {
        let uci = own.uci(mv, UciDialect::Chess960).to_string();
        let same = *moves
            .get(&uci)
            .with_context(|| format!("{uci} is not legal"))?;
        let (san, other_san) = (
            own.san(mv).to_string(),
            SanPlus::from_move(other.clone(), same).to_string(),
        );
        ensure!(san == other_san, "{uci} is {san}, but {other_san}");
        tally.moves += 1;
        tally.castlings += u64::from(same.is_castle());
        tally.en_passant += u64::from(same.is_en_passant());
        pairs.insert(mv, same);
    }
    Ok(pairs)
}

/// The reason for which shakmaty's board ends the game, if the position has occurred `times` times. If several apply,
/// the order is the arbiter's: the board, then claims.
fn other_ending(other: &Chess, times: u32) -> Option<Ending> {
    let winner = match other.turn() {
        shakmaty::Color::White => Color::Black,
        shakmaty::Color::Black => Color::White,
    };
    [
        (other.is_checkmate(), Ending::Checkmate { winner }),
        (other.is_stalemate(), Ending::Stalemate),
        (other.is_insufficient_material(), Ending::DeadPosition),
        (times >= 3, Ending::ThreefoldRepetition),
        (other.halfmoves() >= 100, Ending::FiftyMoves),
    ]
    .into_iter()
    .find_map(|(applies, ending)| applies.then_some(ending))
}
