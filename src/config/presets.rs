//! Rules of adjudication by the name under which they are known.

use crate::referee::{Adjudication, DrawRule, ResignRule, School};

/// A known set of rules for draws and wins by score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Preset {
    /// TCEC's draw rule since season 21: from move 35 on, both engines within ±0.15 over 10
    /// half-moves; no win by score (<https://wiki.chessdom.org/Rules>).
    Tcec,
    /// What Fishtest's worker asks of fastchess for its tests (`-resign movecount=3 score=600 -draw
    /// movenumber=34 movecount=8 score=20`).
    Fishtest,
    /// For rating lists such as CCRL, which publish no numbers for this: cutechess's way, with both engines agreed and
    /// limits so wide that a wrong result is very rare.
    Ccrl,
    /// No rule by score.
    None,
}

impl Preset {
    /// Every preset, by its word in the event file.
    pub(crate) const WORDS: [(&'static str, Preset); 4] = [
        ("tcec", Preset::Tcec),
        ("fishtest", Preset::Fishtest),
        ("ccrl", Preset::Ccrl),
        ("none", Preset::None),
    ];

    /// Its rules by score; the other rules are the defaults of an event.
    pub(crate) fn rules(self) -> Adjudication {
        let draw = |from_move, moves, centipawns| {
            Some(DrawRule {
                from_move,
                moves,
                centipawns,
            })
        };
        let resign = |moves, centipawns, both_engines| {
            Some(ResignRule {
                moves,
                centipawns,
                both_engines,
            })
        };
        let (school, draw, resign) = match self {
            Preset::Tcec => (School::Tcec, draw(35, 5, 15), None),
            Preset::Fishtest => (School::Fastchess, draw(34, 8, 20), resign(3, 600, false)),
            Preset::Ccrl => (School::Cutechess, draw(40, 10, 10), resign(5, 1000, true)),
            Preset::None => (School::default(), None, None),
        };
        Adjudication {
            school,
            draw,
            resign,
            ..Adjudication::default()
        }
    }
}
