//! The command line of cutechess-cli, its lines and its files.
//!
//! | file | what |
//! |---|---|
//! | `words` | words to options |
//! | `qt` | numbers and time controls as it reads them |
//! | `engines` | the keys of `-engine`, and `engines.json` |
//! | `values` | the value of each option |
//! | `options` | the command line as a whole |
//! | `rating` | the numbers about an engine's results |
//! | `tally` | what is counted for an engine |
//! | `formats` | the columns of the table |
//! | `standing` | the standings of the engines |
//! | `debug` | the lines of `-debug` |
//! | `lines` | what is printed, game by game |
//! | `pgn` | games in its PGN |

mod debug;
mod engines;
mod formats;
mod lines;
mod options;
mod pgn;
mod qt;
mod rating;
mod standing;
mod tally;
mod values;
mod words;

use super::common::number::general;
use super::common::settings::EngineSettings;

pub(super) use debug::DebugLines;
pub(super) use engines::entry;
pub(super) use lines::CutechessLines;
pub(super) use options::read;
pub(super) use pgn::CutechessPgn;
pub(super) use standing::CutechessStandings;

/// The clock of an engine: `10+0.1`, `40/60`, `hg60`, `0.5/move`, `inf`.
fn clock(engine: &EngineSettings) -> String {
    let tc = &engine.limit.tc;
    let seconds = |milliseconds: i64| general(milliseconds as f64 / 1000.0, 6);
    if tc.fixed_time > 0 {
        return format!("{}/move", seconds(tc.fixed_time));
    }
    if tc.time == 0 {
        return "inf".to_owned();
    }
    let mut text = String::new();
    if tc.is_hourglass {
        text += "hg";
    }
    if tc.moves > 0 {
        text += &format!("{}/", tc.moves);
    }
    text += &seconds(tc.time);
    if tc.increment > 0 {
        text += &format!("+{}", seconds(tc.increment));
    }
    text
}
