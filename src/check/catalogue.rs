//! Every check: number, level, the dialogue that makes it, and what it asks for in one line.
//!
//! Numbers are stable: a check that is removed leaves a gap, and a new one gets a new number.

use std::fmt;

use super::bench::Bench;
use super::trouble::CheckOutcome;
use super::{
    castling, ending, introductions, limits, options, readiness, reports, rules, stopping,
};

/// How much a failure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// The protocol requires it plainly, or no tournament can be played without it.
    Required,
    /// The protocol requires it, but engines that lack it can still be played with.
    Recommended,
    /// Good to know; neither right nor wrong by the protocol.
    Informational,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Level::Required => "required",
            Level::Recommended => "recommended",
            Level::Informational => "informational",
        })
    }
}

/// What a group of checks is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CheckSection {
    /// From the start of the process to `uciok`.
    Handshake,
    /// What it declares, and what it takes.
    Options,
    /// `isready`, `ucinewgame`, and what it should not mind.
    Readiness,
    /// Obedience to what `go` asks for.
    Limits,
    /// `stop`, `infinite`, `ponderhit`.
    Stopping,
    /// `info` lines.
    Reports,
    /// The rules of chess.
    Rules,
    /// Castling as in Chess960, start positions, FEN dialects.
    Chess960,
    /// `quit` and the end of the input.
    End,
}

impl fmt::Display for CheckSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            CheckSection::Handshake => "handshake",
            CheckSection::Options => "options",
            CheckSection::Readiness => "readiness",
            CheckSection::Limits => "limits",
            CheckSection::Stopping => "stopping",
            CheckSection::Reports => "reports",
            CheckSection::Rules => "rules",
            CheckSection::Chess960 => "chess960",
            CheckSection::End => "end",
        })
    }
}

/// A check in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Definition {
    /// Which one.
    pub check: Check,
    /// Its stable number, `C101`.
    pub id: &'static str,
    /// What it belongs to.
    pub section: CheckSection,
    /// How much its failure counts.
    pub level: Level,
    /// What it asks of the engine.
    pub asks: &'static str,
    /// Whether it looks at what the engine said of itself when it was first met.
    pub(super) of_introduction: bool,
}

/// Makes the list, and what makes each check, from one line each: so no check can be listed and
/// not made. `hears` looks at what the engine said of itself when it was first started; `asks`
/// starts separate processes.
macro_rules! catalogue {
    ($($section:ident { $($id:literal $check:ident $level:ident $way:ident $module:ident::$function:ident $asks:literal)* })*) => {
        /// One check.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Check {
            $($(#[doc = $asks] $check,)*)*
        }

        /// All checks in their order.
        pub(crate) const CATALOGUE: &[Definition] = &[
            $($(Definition {
                check: Check::$check,
                id: $id,
                section: CheckSection::$section,
                level: Level::$level,
                asks: $asks,
                of_introduction: catalogue!(@$way is heard),
            },)*)*
        ];

        impl Check {
            /// Makes it.
            pub(super) async fn perform(self, bench: &Bench) -> CheckOutcome {
                match self {
                    $($(Check::$check => catalogue!(@$way $module::$function(bench)),)*)*
                }
            }
        }
    };
    (@hears is heard) => { true };
    (@asks is heard) => { false };
    (@hears $module:ident::$function:ident($bench:ident)) => { $module::$function($bench) };
    (@asks $module:ident::$function:ident($bench:ident)) => { $module::$function($bench).await };
}

catalogue! {
    Handshake {
        "C101" UciOk Required hears introductions::uci_ok
            "`uci` is answered by `uciok` in time"
        "C102" Identity Required hears introductions::identity
            "gives its name and its author, once each, before `uciok`"
        "C103" Order Recommended hears introductions::order
            "`id` lines come first, then options, then `uciok`, then nothing"
        "C104" SilentStart Informational hears introductions::silent_start
            "says nothing before it is asked"
        "C105" TwoInstances Required asks introductions::two_instances
            "two of it run side by side"
        "C106" CarriageReturns Recommended asks introductions::carriage_returns
            "reads lines that end in CR LF"
        "C107" WhiteSpace Recommended asks introductions::white_space
            "reads commands with more blanks and tabs than needed"
    }
    Options {
        "C201" Declarations Required hears options::declarations
            "every `option` line is well-formed, and no name comes twice"
        "C202" Defaults Required hears options::defaults
            "defaults lie within their ranges or among their choices"
        "C203" SetDefaults Required asks options::set_defaults
            "takes every option at its own default and still plays"
        "C204" UnknownOption Required asks options::unknown_option
            "ignores an option that it does not have, also one with blanks"
    }
    Readiness {
        "C301" Ready Required asks readiness::ready
            "`isready` is answered, at once and after every other command"
        "C302" ReadyThinking Required asks readiness::ready_thinking
            "`isready` is answered during a search, which goes on"
        "C303" NewGame Required asks readiness::new_game
            "`ucinewgame` leaves it ready, also many times over"
        "C304" UnknownCommand Required asks readiness::unknown_command
            "ignores commands that do not exist"
        "C305" LeadingWords Informational asks readiness::leading_words
            "finds the command behind words it does not know"
        "C306" Garbage Recommended asks readiness::garbage
            "survives empty lines, half commands, odd bytes and a line of 100 kB"
        "C307" BadPosition Informational asks readiness::bad_position
            "survives a bad FEN and an illegal move in `position`"
    }
    Limits {
        "C401" Depth Required asks limits::depth
            "`go depth` ends by itself"
        "C402" MoveTime Required asks limits::move_time
            "`go movetime 300` is answered within 800 ms"
        "C403" Clock Required asks limits::clock
            "answers within a clock of one second, with White and with Black"
        "C404" ShortClock Recommended asks limits::short_clock
            "answers within a clock of 100 ms"
        "C405" LastMove Required asks limits::last_move
            "`movestogo 1` does not make it overstep its clock"
        "C406" Nodes Recommended asks limits::nodes
            "`go nodes 20000` ends by itself, with 30000 nodes at most"
        "C407" SearchMoves Recommended asks limits::search_moves
            "`go searchmoves` is answered with one of these moves"
        "C408" Mate Recommended asks limits::mate
            "`go mate 1` finds the mate and ends by itself"
        "C409" UsesTime Informational asks limits::uses_time
            "uses at least half of a `movetime` of 300 ms"
        "C410" Repeatable Informational asks limits::repeatable
            "plays the same move with the same nodes in a new process"
        "C411" Forgets Informational asks limits::forgets
            "`ucinewgame` makes it search as a new process does"
        "C412" NotDeeper Recommended asks limits::not_deeper
            "`go depth` does not search deeper than asked"
    }
    Stopping {
        "C501" Infinite Required asks stopping::infinite
            "`go infinite` does not end before `stop`"
        "C502" Stop Required asks stopping::stop
            "`stop` is answered with a legal move"
        "C503" StopLatency Recommended asks stopping::stop_latency
            "answers `stop` within 100 ms, the slowest of five"
        "C504" OneBestMove Required asks stopping::one_best_move
            "answers a search once: nothing more after `stop` or `isready`"
        "C505" IdleStop Required asks stopping::idle_stop
            "`stop` without a search is harmless"
        "C506" PatientMate Recommended asks stopping::patient_mate
            "`go infinite` waits for `stop` although it sees a mate"
        "C507" Ponder Required asks stopping::ponder
            "`go ponder` does not end before `ponderhit`, and ends after it"
        "C508" PonderStop Required asks stopping::ponder_stop
            "`stop` ends `go ponder`"
    }
    Reports {
        "C601" InfoLines Recommended asks reports::info_lines
            "`info` lines are well-formed and have depth, nodes and a score"
        "C602" InfoOrder Recommended asks reports::info_order
            "depth, nodes and time never go back during a search"
        "C603" ScoreSide Required asks reports::score_side
            "the score is from its own side, with White and with Black"
        "C604" PvLegal Recommended asks reports::pv_legal
            "every move of every PV is legal"
        "C605" PvFirst Recommended asks reports::pv_first
            "the last PV begins with the move that it plays"
        "C606" MateScores Recommended asks reports::mate_scores
            "mate scores are in moves, have the right sign, and hold"
        "C607" PonderMove Recommended asks reports::ponder_move
            "the move after `ponder` is legal"
        "C608" AnswerWords Recommended asks reports::answer_words
            "says `bestmove` and `readyok` at the beginning of a line only"
    }
    Rules {
        "C701" Legality Required asks rules::legality
            "answers a spread of sixty positions with legal moves"
        "C702" EnPassant Required asks rules::en_passant
            "captures en passant where nothing else is legal"
        "C703" PinnedEnPassant Required asks rules::pinned_en_passant
            "knows that a pinned pawn may not capture en passant"
        "C704" Promotion Required asks rules::promotion
            "writes a promotion with a small letter, `e7e8q`"
        "C705" PromotedPiece Required asks rules::promoted_piece
            "understands promotion to each of the four pieces"
        "C706" Underpromotion Recommended asks rules::underpromotion
            "promotes to a knight where only that mates"
        "C707" Castling Required asks rules::castling
            "castles and understands castling as `e1g1` without UCI_Chess960"
        "C708" LongGame Required asks rules::long
            "plays on after 600 plies in `position … moves`"
        "C709" Repetition Required asks rules::repetition
            "plays on in a game in which a draw could be claimed"
        "C710" Checkmate Recommended asks rules::checkmate
            "answers `go` where it has been mated, with `(none)` or `0000`"
        "C711" Stalemate Recommended asks rules::stalemate
            "answers `go` in stalemate, with `(none)` or `0000`"
    }
    Chess960 {
        "C801" Chess960 Required hears castling::chess960
            "declares UCI_Chess960"
        "C802" Starts Required asks castling::starts
            "answers 32 start positions with legal moves"
        "C803" KingStays Required asks castling::king_stays
            "castles where the king stays and only castling is good"
        "C804" RookStays Required asks castling::rook_stays
            "castles where the rook stays and only castling is good"
        "C805" BothSwap Required asks castling::both_swap
            "castles where they change places and only castling is good"
        "C806" BothMove Required asks castling::both_move
            "castles where both go elsewhere and only castling is good"
        "C807" Castled Required asks castling::castled
            "understands castling in `position … moves` from every file"
        "C808" NoRight Required asks castling::no_right
            "does not castle without the right"
        "C809" InnerRook Required asks castling::inner_rook
            "castles with the inner of two rooks, in Shredder-FEN"
        "C810" XFen Recommended asks castling::x_fen
            "understands X-FEN (`KQkq`) from every file"
        "C811" InnerRookXFen Recommended asks castling::inner_rook_x_fen
            "understands X-FEN's letter for an inner rook"
        "C812" StandardStart Required asks castling::standard_start
            "takes its own rook also from the traditional start"
    }
    End {
        "C901" Quit Required asks ending::quit
            "ends on `quit`"
        "C902" QuitThinking Required asks ending::quit_thinking
            "ends on `quit` during a search"
        "C903" ExitStatus Recommended asks ending::exit_status
            "ends with exit status 0"
        "C904" EndOfFile Recommended asks ending::end_of_file
            "ends when its input closes"
        "C905" EndOfFileThinking Recommended asks ending::end_of_file_thinking
            "ends when its input closes during a search"
        "C906" NothingLeft Required asks ending::nothing_left
            "leaves no process behind"
    }
}

impl Check {
    /// Its entry in the catalogue.
    pub(crate) fn definition(self) -> &'static Definition {
        // Every variant is made together with its entry.
        &CATALOGUE[self as usize]
    }

    /// The check of this number; case does not count.
    pub(crate) fn from_id(id: &str) -> Option<Check> {
        let named = |definition: &&Definition| definition.id.eq_ignore_ascii_case(id);
        CATALOGUE
            .iter()
            .find(named)
            .map(|definition| definition.check)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn numbers_are_unique_and_in_order() {
        let ids: Vec<&str> = CATALOGUE.iter().map(|definition| definition.id).collect();
        let sorted: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(sorted.into_iter().collect::<Vec<_>>(), ids);
    }

    #[test]
    fn every_check_finds_its_own_entry() {
        for definition in CATALOGUE {
            assert_eq!(definition.check.definition(), definition);
            let number = definition.id.to_lowercase();
            assert_eq!(Check::from_id(&number), Some(definition.check));
        }
        assert_eq!(Check::from_id("C999"), None);
    }

    #[test]
    fn the_first_digit_is_the_section() {
        for definition in CATALOGUE {
            let digit = (definition.section as usize + 1).to_string();
            assert_eq!(definition.id[1..2], digit, "{}", definition.id);
        }
    }
}
