//! Castling as in Chess960, start positions, FEN dialects.

use super::bench::Bench;
use super::rules::{answers, traditional_trials};
use super::subject::Subject;
use super::trouble::{CheckOutcome, Trouble, wrong};
use crate::check::probes::{CastlingProbe, castling_probes, inner_rook_probes};
use crate::check::shape::Shape;
use crate::check::trials::{TrialKind, trials};
use crate::chess::start::position;
use crate::chess::{FenDialect, Game, Position, StartNumber, UciDialect, Variant};

/// Times to find a castling that mates, or saves from mate: an engine that castles at all
/// does so in the first; the second is for a busy machine and a weak engine.
const ATTEMPTS: [&str; 3] = ["movetime 50", "movetime 300", "movetime 2000"];

/// Start positions that are asked, evenly spread over the 960.
const STARTS: u32 = 32;

pub(super) fn chess960(bench: &Bench) -> CheckOutcome {
    match bench.introduction.identity.options.get("UCI_Chess960") {
        Some(_) => Ok(String::new()),
        None => wrong("it declares no option UCI_Chess960; --standard leaves this section out"),
    }
}

async fn start(bench: &Bench) -> Result<Subject<'_>, Trouble> {
    bench.needs_option("UCI_Chess960")?;
    Subject::start(bench, UciDialect::Chess960).await
}

pub(super) async fn starts(bench: &Bench) -> CheckOutcome {
    let mut subject = start(bench).await?;
    for number in (0..STARTS).map(|index| index * (960 / STARTS)) {
        let position = position(Variant::Chess960, StartNumber(number));
        let position = position.map_err(|error| Trouble::Wrong(error.to_string()))?;
        subject.send("ucinewgame");
        subject.answer(&Game::new(position), "depth 4").await?;
    }
    Ok(String::new())
}

async fn shape(bench: &Bench, shape: Shape) -> CheckOutcome {
    let mut subject = start(bench).await?;
    let mut count = 0;
    for probe in castling_probes().filter(|probe| Shape::of(probe) == shape) {
        castles(&mut subject, &probe, FenDialect::Shredder, bench).await?;
        count += 1;
    }
    Ok(format!("{count} positions"))
}

pub(super) async fn king_stays(bench: &Bench) -> CheckOutcome {
    shape(bench, Shape::KingStays).await
}

pub(super) async fn rook_stays(bench: &Bench) -> CheckOutcome {
    shape(bench, Shape::RookStays).await
}

pub(super) async fn both_swap(bench: &Bench) -> CheckOutcome {
    shape(bench, Shape::BothSwap).await
}

pub(super) async fn both_move(bench: &Bench) -> CheckOutcome {
    shape(bench, Shape::BothMove).await
}

/// The engine castles where nothing else is good.
pub(super) async fn castles(
    subject: &mut Subject<'_>,
    probe: &CastlingProbe,
    fen: FenDialect,
    bench: &Bench,
) -> Result<(), Trouble> {
    let game = Game::new(probe.position.clone());
    let mut played = String::new();
    for limits in ATTEMPTS {
        subject.send("ucinewgame");
        subject.place(&game, fen);
        let search = subject.go(limits, bench.timeout).await?;
        if subject.legal(&probe.position, &search)? == probe.castling {
            return Ok(());
        }
        played = search.text;
    }
    let right = probe.position.uci(probe.castling, subject.dialect);
    let fen = probe.position.fen(fen);
    wrong(format!(
        "it plays {played} and does not castle ({right}) in {fen}"
    ))
}

pub(super) async fn castled(bench: &Bench) -> CheckOutcome {
    understands(bench, TrialKind::Castled, FenDialect::Shredder).await
}

pub(super) async fn inner_rook(bench: &Bench) -> CheckOutcome {
    inner_rooks(bench, FenDialect::Shredder).await
}

/// That castling in the moves is understood does not show that the rights were read: an engine
/// may obey without looking. So it has to castle by itself, too.
pub(super) async fn x_fen(bench: &Bench) -> CheckOutcome {
    let mut subject = start(bench).await?;
    for probe in castling_probes() {
        castles(&mut subject, &probe, FenDialect::XFen, bench).await?;
    }
    understands(bench, TrialKind::Castled, FenDialect::XFen).await
}

pub(super) async fn inner_rook_x_fen(bench: &Bench) -> CheckOutcome {
    inner_rooks(bench, FenDialect::XFen).await
}

/// By itself and in the moves.
async fn inner_rooks(bench: &Bench, fen: FenDialect) -> CheckOutcome {
    let mut subject = start(bench).await?;
    for probe in inner_rook_probes() {
        castles(&mut subject, &probe, fen, bench).await?;
    }
    understands(bench, TrialKind::InnerRook, fen).await
}

async fn understands(bench: &Bench, kind: TrialKind, fen: FenDialect) -> CheckOutcome {
    let mut subject = start(bench).await?;
    answers(&mut subject, trials(kind), fen, "depth 2", bench).await
}

/// The same positions, where castling would mate, without the right to it.
pub(super) async fn no_right(bench: &Bench) -> CheckOutcome {
    let mut subject = start(bench).await?;
    let mut count = 0;
    for probe in castling_probes() {
        let fen = probe.position.fen(FenDialect::Shredder);
        let fields: Vec<&str> = fen.split(' ').collect();
        let bare = format!("{} {} - - 0 1", fields[0], fields[1]);
        let game = super::limits::game(&bare)?;
        subject.answer(&game, "depth 3").await?;
        count += 1;
    }
    Ok(format!("{count} positions"))
}

/// `startpos` is number 518 of 960: the king takes its rook there too.
pub(super) async fn standard_start(bench: &Bench) -> CheckOutcome {
    let mut subject = start(bench).await?;
    let mut game = Game::new(Position::standard());
    let moves = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1h1 e8h8 f1e1 f8e8 g1f1 g8f8";
    for text in moves.split(' ') {
        let played = game.play_uci(text, UciDialect::Chess960);
        played.map_err(|error| Trouble::Wrong(error.to_string()))?;
        subject.answer(&game, "depth 3").await?;
    }
    answers(
        &mut subject,
        traditional_trials(),
        FenDialect::XFen,
        "depth 2",
        bench,
    )
    .await
}
