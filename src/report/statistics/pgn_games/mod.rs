//! Games out of PGN files by anyone.
//!
//! | file | what |
//! |---|---|
//! | `moves` | the moves, the book and the evaluations |
//! | `start` | the position a game is counted for |
//! | `sides` | who played |
//! | `rounds` | pairs of games that no tag couples |

mod moves;
mod rounds;
mod sides;
mod start;

use std::collections::HashMap;
use std::io::Read;

use crate::pgn::{PgnError, PgnErrorKind, RawGame, Reader};
use crate::stats::games::{GameFlags, GameRow, WhiteResult};
use crate::stats::surrogate::Witness;

use super::collection::{CollectedGame, Collector, Source, SourceKind, hash_of};
use moves::replayed;
use rounds::LooseGame;

/// Why a file cannot be used at all.
#[derive(Debug, thiserror::Error)]
pub enum PgnGamesError {
    /// It cannot be read.
    #[error("{0}")]
    Unreadable(PgnError),
    /// There is no game in it.
    #[error("no game")]
    Empty,
}

/// One file while it is read.
struct PgnFile {
    source: Source,
    /// Starts by what the tags say of them, so that each is worked out once.
    starts: HashMap<String, u32>,
    /// Games from the same start with the same engines, by start: whose turn
    /// with White it is where a name plays itself.
    turns: HashMap<(u32, u16), bool>,
    /// Added to the numbers of the tag `Pair`.
    first_pair: u32,
    loose: Vec<LooseGame>,
}

impl Collector {
    /// Takes in the games of a PGN file. Without `replay` nothing but tags is
    /// looked at: faster, but copies stay unseen and illegal games count.
    ///
    /// # Errors
    /// The file cannot be read, or has no game. What is wrong with single
    /// games is counted in the source.
    pub fn add_pgn(
        &mut self,
        path: &str,
        input: impl Read,
        replay: bool,
    ) -> Result<(), PgnGamesError> {
        let mut file = PgnFile {
            source: Source::new(path, SourceKind::Pgn),
            starts: HashMap::new(),
            turns: HashMap::new(),
            first_pair: self.next_pair(),
            loose: Vec::new(),
        };
        let first = self.games();
        let mut reader = Reader::new(input);
        let mut key = String::new();
        while let Some(game) = reader.next_game() {
            match game.and_then(|game| self.add_game(&mut file, &game, replay, &mut key)) {
                Ok(()) => {}
                Err(error) if matches!(error.kind, PgnErrorKind::Io(_)) => {
                    return Err(PgnGamesError::Unreadable(error));
                }
                Err(error) => file.source.reject(&error),
            }
        }
        file.source.games = (self.games() - first) as u64;
        if file.source.games + file.source.unfinished + file.source.unreadable == 0 {
            return Err(PgnGamesError::Empty);
        }
        self.pair_by_round(file.loose);
        self.sources.push(file.source);
        Ok(())
    }

    fn add_game(
        &mut self,
        file: &mut PgnFile,
        game: &RawGame<'_>,
        replay: bool,
        key: &mut String,
    ) -> Result<(), PgnError> {
        let points = game.result().and_then(|result| result.white_half_points());
        let Some(result) = points.and_then(|points| WhiteResult::ALL.get(usize::from(points)))
        else {
            file.source.unfinished += 1;
            return Ok(());
        };
        let replayed = replay.then(|| replayed(game)).transpose()?;
        let start = self.pgn_start(file, game, replayed.as_ref(), key)?;
        let (engines, self_play) = self.opponents(file, game, start);
        let pair = game
            .tag("Pair")
            .and_then(|pair| pair.trim().parse::<u32>().ok());
        let pair = pair.map(|pair| file.first_pair.saturating_add(pair.saturating_sub(1)));
        if pair.is_none() {
            file.loosen(self.games(), game, start, engines);
        }
        let row = GameRow {
            white: engines[0],
            black: engines[1],
            start,
            pair,
            result: *result,
            flags: game
                .tag("Termination")
                .map_or_else(GameFlags::default, |tag| flags(&tag)),
        };
        // Identities matter for copies alone, which only moves show.
        let identity = |side| {
            if replay {
                self.side_identity(game, side)
            } else {
                0
            }
        };
        let identities = ["White", "Black"].map(identity);
        let limits = self.limits(game.tag("TimeControl").as_deref().unwrap_or("?"));
        self.add(&CollectedGame {
            row,
            identities,
            self_play,
            limits,
            // A file does not say whether limits were jittered, or how many
            // threads searched: no copy can be called a replay.
            random: true,
            hash: replayed.as_ref().map(|replayed| hash_of(&replayed.moves)),
            moves: replayed.as_ref().map(|replayed| &replayed.moves[..]),
            witness: replayed
                .as_ref()
                .map_or(Witness::Missing, |replayed| replayed.witness),
        });
        Ok(())
    }
}

impl Source {
    fn reject(&mut self, error: &PgnError) {
        self.unreadable += 1;
        if self.first_unreadable.is_none() {
            self.first_unreadable = Some(error.to_string());
        }
    }
}

/// What `Termination` says, in the words of several programs.
fn flags(termination: &str) -> GameFlags {
    match termination.trim() {
        "adjudication" => GameFlags::ADJUDICATED,
        "time forfeit" | "rules infraction" | "abandoned" | "illegal move"
        | "stalled connection" | "disconnect" | "disconnection" | "timeout" | "forfeit" => {
            GameFlags::FORFEIT
        }
        _ => GameFlags::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collect(text: &str, replay: bool) -> super::super::Collection {
        let mut collector = Collector::new(replay);
        collector
            .add_pgn("x.pgn", text.as_bytes(), replay)
            .expect("games");
        collector.finish()
    }

    fn game(white: &str, black: &str, more: &str, moves: &str, result: &str) -> String {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n{more}[Result \"{result}\"]\n\n{moves} {result}\n\n"
        )
    }

    #[test]
    fn games_are_paired_by_tag_by_round_and_in_order() {
        let tagged = |w, b| game(w, b, "[Pair \"4\"]\n", "1. e4", "1-0");
        let rounds =
            |w, b, round: &str| game(w, b, &format!("[Round \"{round}\"]\n"), "1. d4", "1/2-1/2");
        let text = [
            rounds("A", "B", "9"),
            rounds("A", "B", "2.1"),
            tagged("A", "B"),
            rounds("B", "A", "2.2"),
            tagged("B", "A"),
            rounds("B", "A", "1"),
        ];
        let table = collect(&text.concat(), false).table;
        let pairs: Vec<u32> = table.rows().filter_map(|row| row.pair).collect();
        assert_eq!(table.pairing().pairs.len(), 3);
        assert_eq!(
            (pairs[0], pairs[1], pairs[2]),
            (pairs[5], pairs[3], pairs[4])
        );
    }

    #[test]
    fn what_does_not_count_is_counted() {
        let illegal = game("A", "B", "", "1. e4 e4", "1-0");
        let text = illegal.clone()
            + &game("A", "B", "", "1. e4", "*")
            + &game("A", "B", "", "1. e4", "0-1");
        let source = &collect(&text, true).sources[0];
        assert_eq!(
            (source.games, source.unfinished, source.unreadable),
            (1, 1, 1)
        );
        assert!(
            source
                .first_unreadable
                .as_deref()
                .is_some_and(|what| what.contains("e4"))
        );
        assert_eq!(collect(&text, false).sources[0].games, 2);
    }

    #[test]
    fn a_name_against_itself_is_two_copies() {
        let text = game("A", "A", "", "1. e4", "1-0").repeat(2);
        let collection = collect(&text, true);
        assert!(collection.self_play);
        assert_eq!(collection.table.engines(), ["A #1", "A #2"]);
        assert_eq!(collection.table.pairing().pairs.len(), 1);
        assert_eq!(collection.duplicates.coincidences, 1);
    }

    #[test]
    fn a_book_makes_a_start_of_its_own() {
        let text = game("A", "B", "", "1. e4 {book} e5 {book} 2. Nf3", "1-0")
            + &game("B", "A", "", "1. d4 {book} d5", "1-0")
            + &game("A", "B", "", "1. d4 d5", "1-0");
        let collection = collect(&text, true);
        let starts: Vec<u32> = collection.table.rows().map(|row| row.start).collect();
        assert_eq!(starts[2], 518);
        assert!(starts[0] != starts[1] && collection.starts.label(starts[0]).contains("4p3/4P3"));
    }
}
