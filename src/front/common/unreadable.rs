//! Lines of a book from which no game can begin: what the other programs print when such a line is dealt.

use super::starts::GameStarts;
use crate::config::Tournament;
use crate::event::{GameId, PairId};

/// The lines of fastchess at the first game that begins from such a line: it plays no other.
#[derive(Debug)]
pub(crate) struct Unreadable {
    /// The pair of that game.
    pub(crate) pair: PairId,
    line: String,
}

impl Unreadable {
    /// The first of the event, if it has one.
    pub(crate) fn first_of(tournament: &Tournament) -> Option<Unreadable> {
        if tournament.unreadable.is_empty() {
            return None;
        }
        let plan = tournament.plan().ok()?;
        plan.iter().find_map(|(pair, spec)| {
            let line = tournament.unreadable.get(&spec.opening)?.clone();
            Some(Unreadable { pair, line })
        })
    }

    /// What is printed; `before` games were played before this event.
    pub(crate) fn lines(&self, tournament: &Tournament, before: u64) -> String {
        let reason = format!(
            "Failed to set position from opening book, invalid FEN or EPD: {}",
            escaped(&self.line)
        );
        let mut text = String::new();
        if let Ok(plan) = tournament.plan() {
            let mut starts = GameStarts::new(plan);
            let id = GameId {
                pair: self.pair,
                game: 0,
            };
            if let Some(seats) = starts.announce(id) {
                let engines = seats.map(|seat| &tournament.engines[usize::from(seat.engine)]);
                text += &starts.line(id, before, engines.map(|engine| engine.name.as_str()));
            }
        }
        text + &format!("{reason}\nError while creating match: {reason}\n")
    }
}

/// The warnings of cutechess-cli, which plays from the usual start instead.
pub(crate) fn warnings(line: &str) -> [String; 2] {
    let fields: Vec<&str> = line.split_ascii_whitespace().take(4).collect();
    [
        format!("Invalid FEN string: {} 0 1", fields.join(" ")),
        "The opening suite is incompatible with the current chess variant".to_owned(),
    ]
}

/// The text with every byte that is no printable ASCII as its number.
fn escaped(text: &str) -> String {
    let escaped = text.bytes().map(|byte| match byte {
        b' '..=b'~' => char::from(byte).to_string(),
        other => format!("\\x{other:02x}"),
    });
    escaped.collect()
}
