#![doc = include_str!("../README.md")]

//!
//!
//! In reading order:
//!
//! * [`Color`], [`PieceKind`], [`Piece`]; [`File`], [`Rank`], [`Square`]; [`Bitboard`]
//! * `attacks`: what every piece attacks; `castling`: who goes where
//! * [`Move`], [`MoveList`]; `board`: the pieces, and playing a move by copying
//! * `generate`: strictly legal moves; [`perft`] counts them
//! * `zobrist`, [`Position`]: a board with counters and a key
//! * `fen`: [`Position::from_fen`], [`Position::fen`]; [`PositionBuilder`]
//! * `uci_text`, `san`: moves as text
//! * [`random`]: the generator behind every choice that decides a schedule
//! * [`start`]: start positions and variants
//! * [`Game`]: history, repetition, [`Ending`]; `unwinnable`: proofs that a side cannot mate

pub mod attacks;
mod bitboard;
mod board;
mod builder;
mod castling;
mod fen;
mod game;
mod generate;
mod moves;
mod perft;
mod piece;
mod position;
pub mod random;
mod san;
mod square;
pub mod start;
mod text;
mod uci_text;
mod unwinnable;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use builder::PositionBuilder;
pub use castling::{CastlingRule, CastlingSide};
pub use fen::{FenDialect, FenError};
pub use game::{Ending, Game};
pub use moves::{Move, MoveList};
pub use perft::{PerftCase, perft};
pub use piece::{Color, Piece, PieceKind};
pub use position::Position;
pub use san::SanError;
pub use square::{File, ParseSquareError, Rank, Square};
pub use start::{StartNumber, Variant};
pub use text::MoveText;
pub use uci_text::{UciDialect, UciMoveError};
pub use unwinnable::Winnability;
