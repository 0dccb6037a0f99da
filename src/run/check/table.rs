//! Which dialogue belongs to which check: a table, and exhaustive, so that no check can be
//! listed and not made.

use super::bench::Bench;
use super::trouble::Outcome;
use super::{
    castling, ending, introductions, limits, options, readiness, reports, rules, stopping,
};
use crate::audit::check::Check;
use crate::audit::check::shape::Shape;

/// Whether a check looks at what the engine said of itself when it was first met.
pub(super) fn is_of_introduction(check: Check) -> bool {
    matches!(
        check,
        Check::UciOk
            | Check::Identity
            | Check::Order
            | Check::SilentStart
            | Check::Declarations
            | Check::Defaults
            | Check::Chess960
    )
}

/// Makes a check.
pub(super) async fn perform(check: Check, bench: &Bench) -> Outcome {
    match check {
        Check::UciOk => introductions::uci_ok(bench),
        Check::Identity => introductions::identity(bench),
        Check::Order => introductions::order(bench),
        Check::SilentStart => introductions::silent_start(bench),
        Check::Declarations => options::declarations(bench),
        Check::Defaults => options::defaults(bench),
        Check::Chess960 => castling::chess960(bench),
        Check::TwoInstances => introductions::two_instances(bench).await,
        Check::CarriageReturns => introductions::carriage_returns(bench).await,
        Check::WhiteSpace => introductions::white_space(bench).await,
        Check::SetDefaults => options::set_defaults(bench).await,
        Check::UnknownOption => options::unknown_option(bench).await,
        Check::Ready => readiness::ready(bench).await,
        Check::ReadyThinking => readiness::ready_thinking(bench).await,
        Check::NewGame => readiness::new_game(bench).await,
        Check::UnknownCommand => readiness::unknown_command(bench).await,
        Check::LeadingWords => readiness::leading_words(bench).await,
        Check::Garbage => readiness::garbage(bench).await,
        Check::BadPosition => readiness::bad_position(bench).await,
        Check::Depth => limits::depth(bench).await,
        Check::MoveTime => limits::move_time(bench).await,
        Check::Clock => limits::clock(bench).await,
        Check::ShortClock => limits::short_clock(bench).await,
        Check::LastMove => limits::last_move(bench).await,
        Check::Nodes => limits::nodes(bench).await,
        Check::SearchMoves => limits::search_moves(bench).await,
        Check::Mate => limits::mate(bench).await,
        Check::UsesTime => limits::uses_time(bench).await,
        Check::Repeatable => limits::repeatable(bench).await,
        Check::Forgets => limits::forgets(bench).await,
        Check::NotDeeper => limits::not_deeper(bench).await,
        Check::Infinite => stopping::infinite(bench).await,
        Check::Stop => stopping::stop(bench).await,
        Check::StopLatency => stopping::stop_latency(bench).await,
        Check::OneBestMove => stopping::one_best_move(bench).await,
        Check::IdleStop => stopping::idle_stop(bench).await,
        Check::PatientMate => stopping::patient_mate(bench).await,
        Check::Ponder => stopping::ponder(bench).await,
        Check::PonderStop => stopping::ponder_stop(bench).await,
        Check::InfoLines => reports::info_lines(bench).await,
        Check::InfoOrder => reports::info_order(bench).await,
        Check::ScoreSide => reports::score_side(bench).await,
        Check::PvLegal => reports::pv_legal(bench).await,
        Check::PvFirst => reports::pv_first(bench).await,
        Check::MateScores => reports::mate_scores(bench).await,
        Check::PonderMove => reports::ponder_move(bench).await,
        Check::Legality => rules::legality(bench).await,
        Check::EnPassant => rules::en_passant(bench).await,
        Check::PinnedEnPassant => rules::pinned_en_passant(bench).await,
        Check::Promotion => rules::promotion(bench).await,
        Check::PromotedPiece => rules::promoted_piece(bench).await,
        Check::Underpromotion => rules::underpromotion(bench).await,
        Check::Castling => rules::castling(bench).await,
        Check::LongGame => rules::long(bench).await,
        Check::Repetition => rules::repetition(bench).await,
        Check::Checkmate => rules::checkmate(bench).await,
        Check::Stalemate => rules::stalemate(bench).await,
        Check::Starts => castling::starts(bench).await,
        Check::KingStays => castling::shape(bench, Shape::KingStays).await,
        Check::RookStays => castling::shape(bench, Shape::RookStays).await,
        Check::BothSwap => castling::shape(bench, Shape::BothSwap).await,
        Check::BothMove => castling::shape(bench, Shape::BothMove).await,
        Check::Castled => castling::castled(bench).await,
        Check::NoRight => castling::no_right(bench).await,
        Check::InnerRook => castling::inner_rook(bench).await,
        Check::XFen => castling::x_fen(bench).await,
        Check::InnerRookXFen => castling::inner_rook_x_fen(bench).await,
        Check::StandardStart => castling::standard_start(bench).await,
        Check::Quit => ending::quit(bench).await,
        Check::QuitThinking => ending::quit_thinking(bench).await,
        Check::ExitStatus => ending::exit_status(bench).await,
        Check::EndOfFile => ending::end_of_file(bench).await,
        Check::EndOfFileThinking => ending::end_of_file_thinking(bench).await,
        Check::NothingLeft => ending::nothing_left(bench).await,
    }
}
