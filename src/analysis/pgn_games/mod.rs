//! Games out of PGN files by anyone: read in parts by several threads, entered in the
//! file's order.
//!
//! | file | what |
//! |---|---|
//! | `part` | the games of a part of a file |

mod part;

use std::collections::HashMap;
use std::io::{self, Read};

use twox_hash::XxHash3_64;

use super::collection::{CollectedGame, CollectionSource, Collector, MOST_PLAYERS, SourceKind};
use crate::pgn::{RawGame, read_in_parallel};
use crate::stats::duplicates::ComparedGame;
use crate::stats::games::GameRow;

use part::{PartGames, TaggedGame};

/// Why a file cannot be used at all.
#[derive(Debug, thiserror::Error)]
pub enum PgnGamesError {
    /// It cannot be read.
    #[error("cannot read: {0}")]
    Unreadable(#[from] io::Error),
    /// There is no game in it.
    #[error("no game")]
    Empty,
    /// More players than a table of games can number.
    #[error("{0} players; statistics take at most {MOST_PLAYERS}: give them fewer of the games")]
    TooManyPlayers(usize),
}

/// One file while it is read.
struct PgnFile {
    source: CollectionSource,
    /// Games from the same start with the same engines, by start: for a name that plays itself, which copy has White
    /// next.
    turns: HashMap<(u32, u16), bool>,
    /// Added to the numbers of the tag `Pair`.
    first_pair: u32,
    unpaired: Vec<UnpairedGame>,
    /// Number of games with the same incomplete name and record.
    vague: HashMap<u64, u64>,
}

impl PgnFile {
    /// Counts what was not taken from a part.
    fn count_left_out(&mut self, part: &mut PartGames, games_before: u64) {
        self.source.unfinished += part.unfinished;
        self.source.unreadable += part.unreadable;
        if let (None, Some(error)) = (&self.source.first_unreadable, &mut part.first_unreadable) {
            error.place.game += games_before;
            self.source.first_unreadable = Some(error.to_string());
        }
    }

    /// The name of a game; equal incomplete names are made different.
    fn name_of(&mut self, game: &TaggedGame) -> u64 {
        if !game.is_vague {
            return game.name;
        }
        let key = game.name ^ game.record.rotate_left(7);
        let nth = self.vague.entry(key).or_default();
        *nth += 1;
        game.name.wrapping_add(*nth)
    }

    /// The pair by the tag `Pair`; a game without it is remembered by its round.
    fn pair_of(
        &mut self,
        index: usize,
        game: &TaggedGame,
        start: u32,
        [white, black]: [u16; 2],
    ) -> Option<u32> {
        if let Some(pair) = game.pair {
            return Some(self.first_pair.saturating_add(pair.saturating_sub(1)));
        }
        let (one, other) = (white.min(black), white.max(black));
        let key = u64::from(start) << 32 | u64::from(one) << 16 | u64::from(other);
        self.unpaired.extend(game.round.map(|round| UnpairedGame {
            index,
            meeting: XxHash3_64::oneshot_with_seed(round, &key.to_le_bytes()),
            ascending: white < black,
        }));
        None
    }
}

/// A game that no tag puts into a pair.
struct UnpairedGame {
    /// A hash of start, engines and round.
    meeting: u64,
    index: usize,
    ascending: bool,
}

impl Collector {
    /// Adds the games of a PGN file. Without `replay` only the tags are read: faster, but copies are not found and
    /// illegal games count.
    ///
    /// # Errors
    /// The file cannot be read, has no game, or too many players. Errors in single games are counted in the source.
    pub fn add_pgn(
        &mut self,
        path: &str,
        input: impl Read,
        replay: bool,
    ) -> Result<(), PgnGamesError> {
        let mut file = PgnFile {
            source: CollectionSource::new(path, SourceKind::Pgn),
            turns: HashMap::new(),
            first_pair: self.next_pair,
            unpaired: Vec::new(),
            vague: HashMap::new(),
        };
        let first = self.rows.len();
        let read = |game: Result<RawGame<'_>, _>, part: &mut PartGames| part.read(game, replay);
        read_in_parallel(input, read, |part, games_before| {
            self.add_part(&mut file, part, games_before);
        })?;
        file.source.games = (self.rows.len() - first) as u64;
        let source = &file.source;
        if source.games + source.repeated + source.unfinished + source.unreadable == 0 {
            return Err(PgnGamesError::Empty);
        }
        let players = self.engines.texts.len();
        if players > MOST_PLAYERS {
            return Err(PgnGamesError::TooManyPlayers(players));
        }
        self.pair_by_round(file.unpaired);
        self.found.sources.push(file.source);
        Ok(())
    }

    fn add_part(&mut self, file: &mut PgnFile, mut part: PartGames, games_before: u64) {
        file.count_left_out(&mut part, games_before);
        // Converts numbers of the part to numbers of the collection, each looked up once.
        let mut engines = vec![None; part.texts.texts.len()];
        let mut limits = vec![None; part.texts.texts.len()];
        let starts = part.starts.iter();
        let starts: Vec<u32> = starts.map(|start| self.start_of(start)).collect();
        for game in &part.games {
            let name = file.name_of(game);
            if self.repeats(&mut file.source, name, game.record) {
                continue;
            }
            let text = |place: u32| &part.texts.texts[place as usize];
            let start = starts[game.start as usize];
            let engine = |collector: &mut Self, place: u32| {
                *engines[place as usize].get_or_insert_with(|| collector.engine(text(place)))
            };
            let sides = self.opponents(file, game, start, text, engine);
            let limits = &mut limits[game.limits as usize];
            let limits = *limits.get_or_insert_with(|| self.limits.place(text(game.limits)));
            let identities = game.identities;
            let mut identity = |place| self.identities.place(text(place));
            let [white, black] = identities.map_or([0; 2], |both| both.map(&mut identity));
            let pair = file.pair_of(self.rows.len(), game, start, sides);
            if self.places {
                self.found.places.push(game.number + games_before);
            }
            let replayed = game.replayed.as_ref();
            // For a game without moves, the moves are unknown.
            let known = replayed.filter(|replayed| !replayed.moves.is_empty());
            let hash = known.map(|known| known.record);
            self.add(&CollectedGame {
                row: GameRow {
                    white: sides[0],
                    black: sides[1],
                    start,
                    pair,
                    result: game.result,
                    flags: game.flags,
                },
                compared: ComparedGame {
                    start,
                    white,
                    black,
                    pair,
                    limits,
                    // A file does not say whether limits were jittered, or how many threads searched: so a copy cannot
                    // be called a replay.
                    random: true,
                    moves: hash,
                },
                self_play: game.players[0] == game.players[1],
                record: hash.unwrap_or(name.rotate_left(32) ^ game.record),
                moves: replayed.map(|replayed| &replayed.moves[..]),
            });
        }
    }

    /// The engines of White and Black. For a name that plays itself, its two copies are distinguished.
    fn opponents<'a>(
        &mut self,
        file: &mut PgnFile,
        game: &TaggedGame,
        start: u32,
        text: impl Fn(u32) -> &'a String,
        mut engine: impl FnMut(&mut Self, u32) -> u16,
    ) -> [u16; 2] {
        let [white, black] = game.players;
        if white != black {
            return [engine(self, white), engine(self, black)];
        }
        let [first, second] = [1, 2].map(|copy| self.engine(&format!("{} #{copy}", text(white))));
        let second_is_white = game.second_copy_is_white.unwrap_or_else(|| {
            let turn = file.turns.entry((start, first)).or_insert(true);
            *turn = !*turn;
            *turn
        });
        if second_is_white {
            [second, first]
        } else {
            [first, second]
        }
    }

    /// Two games of one round with the same start and the colours swapped are a pair. The remaining games are paired in
    /// order, once all games are known.
    fn pair_by_round(&mut self, mut unpaired: Vec<UnpairedGame>) {
        unpaired.sort_unstable_by_key(|game| (game.meeting, game.index));
        let mut pairs = Vec::new();
        for games in unpaired.chunk_by(|a, b| a.meeting == b.meeting) {
            match games {
                [one, two] if one.ascending != two.ascending => pairs.push([one.index, two.index]),
                _ => {}
            }
        }
        // Numbered in the order of the file.
        pairs.sort_unstable();
        pairs.into_iter().for_each(|pair| self.join(pair));
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
