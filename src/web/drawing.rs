//! A board without a script: SVG of the position, evaluation bars, clocks.

use std::time::{Duration, Instant};

use maud::{Markup, html};

use super::board::{GameBoard, end_words, white};
use crate::chess::{Color, Position, Square};
use crate::sink::clock_text;
use crate::text::printable;
use crate::uci::Score;

impl GameBoard {
    /// An engine's evaluation of the game as a bar: the white part is White's share, by a logistic curve.
    fn bar(&self, side: Color) -> Markup {
        let score = white(self.said[side.index()].thinking.score, side);
        let share = match score {
            None => 0.5,
            Some(Score::Mate(moves)) => f64::from(u8::from(moves >= 0)),
            Some(Score::Centipawns(value)) => 1.0 / (1.0 + (-f64::from(value) / 270.0).exp()),
        };
        let height = (360.0 * share).round();
        html! {
            svg.bar viewBox="0 0 10 360" preserveAspectRatio="none" aria-hidden="true" {
                rect.of-black width="10" height="360" {}
                rect.of-white width="10" y=(360.0 - height) height=(height) {}
            }
        }
    }

    /// The board at this moment, for a page without a script.
    pub(super) fn drawing(&self, lane: usize, now: Instant) -> Markup {
        let clocks = self.clocks(now);
        let mover = self.game.position.side_to_move();
        let player = |side: Color| {
            let turns = self.end.is_none() && mover == side;
            let clock = clocks[side.index()].map(clock_words);
            let said = &self.said[side.index()];
            html! {
                p class=(format!("player {side}{}", if turns { " turn" } else { "" })) {
                    span.name { (printable(&self.names[side.index()])) }
                    span.score { (score_words(white(said.thinking.score, side))) }
                    span.clock { (clock.unwrap_or_default()) }
                }
                @if side == Color::White { p.pv { (said.variation.join(" ")) } }
            }
        };
        let black_pv = self.said[Color::Black.index()].variation.join(" ");
        html! {
            section.game data-lane=(lane) aria-label=(format!("Game {}", self.name)) {
                h3 { span.round { "Game " (self.name) } @if let Some(number) = self.game.number { " " span.number { "start " (number) } } }
                p.pv { (black_pv) }
                (player(Color::Black))
                div.field {
                    (self.bar(Color::White))
                    svg.board viewBox="0 0 360 360" role="img" aria-label=(format!("Board after {} half-moves", self.plies())) {
                        use href="#squares" {}
                        @for square in self.last.into_iter().flatten() { rect.last x=(left(square)) y=(top(square)) width="45" height="45" {} }
                        (pieces(&self.game.position))
                    }
                    (self.bar(Color::Black))
                }
                (player(Color::White))
                p.end { @if let Some((outcome, _)) = &self.end { (end_words(outcome)) } }
                p.moves { (self.moves.iter().rev().take(12).rev().cloned().collect::<Vec<_>>().join(" ")) }
            }
        }
    }
}

/// Distance of a square from the left edge of the board, in pixels.
fn left(square: Square) -> usize {
    45 * square.file().index()
}

fn top(square: Square) -> usize {
    45 * (7 - square.rank().index())
}

fn score_words(score: Option<Score>) -> String {
    match score {
        Some(Score::Centipawns(value)) => {
            format!("{:+.2}", f64::from(value) / 100.0).replace('-', "−")
        }
        Some(Score::Mate(moves)) if moves < 0 => format!("−#{}", -moves),
        Some(Score::Mate(moves)) => format!("#{moves}"),
        None => String::new(),
    }
}

fn clock_words(left: Duration) -> String {
    match left.as_secs() {
        seconds @ 0..20 => format!("0:{seconds:02}.{}", left.subsec_millis() / 100),
        _ => clock_text(left),
    }
}

fn pieces(position: &Position) -> Markup {
    html! {
        @for square in Square::all() {
            @if let Some(piece) = position.piece_at(square) {
                @let class = if piece.color == Color::White { "piece w" } else { "piece b" };
                use class=(class) href=(format!("#piece-{}", piece.kind.letter())) x=(left(square)) y=(top(square)) width="45" height="45" {}
            }
        }
    }
}
