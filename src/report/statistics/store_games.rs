//! Games out of the store of an event.

use std::collections::HashMap;

use serde_json::Value;

use crate::chess::Color;
use crate::chess::StartNumber;
use crate::chess::start::Variant;
use crate::event::{PairId, Seat};
use crate::referee::{Outcome, Termination};
use crate::sink::Roster;
use crate::stats::conduct::Conduct;
use crate::stats::games::{GameFlags, GameRow, WhiteResult};
use crate::stats::sprt::{Hypotheses, Model};
use crate::stats::surrogate::Witness;
use crate::store::{Reader, StoreError, StoredGame, Tally};

use super::collection::{CollectedGame, Collector, Source, SourceKind};
use super::witness::{WitnessSearch, reversed};

/// From so many games on a second connection reads half of them.
const WORTH_A_THREAD: u64 = 50_000;

/// Beyond every place in the order of finishing.
const LAST: u64 = i64::MAX as u64;

/// What a seat of the event is in the collection.
#[derive(Clone, Copy)]
struct Player {
    engine: u16,
    identity: u32,
    limits: u32,
    random: bool,
}

/// What all games of one event share.
struct EventGames {
    variant: Variant,
    /// By engine and copy.
    players: Vec<Vec<Player>>,
    first_pair: u32,
    /// Starts without a number, by the game's sequence number.
    named_starts: HashMap<u64, u32>,
    /// Whose games do not count.
    conduct: Conduct,
}

impl Collector {
    /// Takes in all finished games of an event.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn add_store(&mut self, reader: &Reader) -> Result<(), StoreError> {
        let roster = Roster::read(reader)?;
        let identity = reader.identity()?.map(|accepted| accepted.identity);
        let identity = identity.unwrap_or_default();
        let path = reader.folder().display().to_string();
        let mut source = Source::new(&path, SourceKind::Store);
        source.voided = roster.voided_games;
        source.running = reader.is_running();
        source.adaptive = roster.adaptive.clone();
        let mut event = EventGames {
            variant: roster.variant.parse().unwrap_or(Variant::Chess960),
            players: self.players(&roster, &identity),
            first_pair: self.next_pair(),
            named_starts: HashMap::new(),
            conduct: reader.conduct()?,
        };
        self.test = test(&identity["sprt"]);
        if self.reads_moves() {
            event.named_starts = self.named_starts(reader)?;
            for stored in reader.games() {
                source.games += u64::from(self.add_stored(&event, &stored?));
            }
        } else {
            source.games = self.add_results(&mut event, reader)?;
        }
        source.annulled = annulled_games(reader, &event.conduct)?;
        self.sources.push(source);
        Ok(())
    }

    fn players(&mut self, roster: &Roster, identity: &Value) -> Vec<Vec<Player>> {
        let mut players: Vec<Vec<Player>> = Vec::new();
        for participant in &roster.participants {
            let engine = &identity["engines"][usize::from(participant.seat.engine)];
            let limits = engine["limits"].as_str().unwrap_or_default();
            let program = format!("{} {}", engine["launch"], engine["options"]);
            let jitter = engine["nodes_jitter"].as_f64().unwrap_or(0.0);
            let player = Player {
                engine: self.engine(&participant.name),
                identity: self.identity(&program),
                limits: self.limits(&limits_text(limits, jitter)),
                random: has_randomness(limits, jitter, &engine["options"]),
            };
            // The roster has engines and copies in order, without a gap.
            let engine = usize::from(participant.seat.engine);
            players.resize_with(players.len().max(engine + 1), Vec::new);
            players[engine].push(player);
        }
        players
    }

    fn named_starts(&mut self, reader: &Reader) -> Result<HashMap<u64, u32>, StoreError> {
        let starts = reader.unnumbered_starts()?.into_iter();
        Ok(starts
            .map(|(sequence, name)| (sequence, self.starts.named(&name)))
            .collect())
    }

    /// Reads all results.
    fn add_results(&mut self, event: &mut EventGames, reader: &Reader) -> Result<u64, StoreError> {
        let before = self.games();
        let parts = tallies(reader)?;
        // The names of starts without a number take a second look at all games.
        let all_numbered = parts.iter().flatten().all(|tally| tally.number.is_some());
        if !all_numbered {
            event.named_starts = self.named_starts(reader)?;
        }
        for tally in parts.iter().flatten() {
            self.add_tally(event, tally);
        }
        Ok((self.games() - before) as u64)
    }

    fn add_tally(&mut self, event: &EventGames, tally: &Tally) {
        if event.conduct.annuls(tally.seats) {
            return;
        }
        let start = self.start_key(event, tally.number, tally.sequence);
        let game = event.game(start, tally.pair, tally.seats, &tally.outcome);
        self.add(&CollectedGame {
            hash: Some(tally.moves_hash),
            ..game
        });
    }

    fn start_key(&mut self, event: &EventGames, number: Option<StartNumber>, sequence: u64) -> u32 {
        match number {
            Some(number) => self.starts.numbered(event.variant, number),
            None => event
                .named_starts
                .get(&sequence)
                .copied()
                .unwrap_or_default(),
        }
    }

    /// As [`Self::add_tally`], with the moves; whether the game counts.
    fn add_stored(&mut self, event: &EventGames, stored: &StoredGame) -> bool {
        let (game, record) = (&stored.game, &stored.game.record);
        if event.conduct.annuls(game.seats) {
            return false;
        }
        let start = self.start_key(event, game.number, stored.sequence);
        let moves: Vec<u16> = record.all_moves().map(|m| m.bits()).collect();
        let mut search = WitnessSearch::default();
        for (ply, played) in (record.opening.len() as u32 + 1..).zip(&record.moves) {
            let white = record.start.side_to_move() == Color::White;
            if let Some(score) = played.thinking.score {
                let own = white == (ply % 2 == 1);
                search.see(ply, if own { score } else { reversed(score) });
            }
        }
        let collected = event.game(start, game.id.pair, game.seats, &record.outcome);
        self.add(&CollectedGame {
            hash: Some(super::collection::hash_of(&moves)),
            moves: Some(&moves),
            witness: search.witness(moves.len() as u32),
            ..collected
        });
        true
    }
}

/// All results in order; those of a large event are read by two connections at once.
fn tallies(reader: &Reader) -> Result<[Vec<Tally>; 2], StoreError> {
    let games = reader.counts()?.finished;
    let middle = if games < WORTH_A_THREAD {
        LAST
    } else {
        games / 2
    };
    let read = |reader: &Reader, after, until| {
        let mut tallies = Vec::with_capacity(games.div_ceil(2) as usize);
        reader.tallies(after, until, |tally| tallies.push(tally))?;
        Ok(tallies)
    };
    if middle == LAST {
        return Ok([read(reader, 0, LAST)?, Vec::new()]);
    }
    let second = Reader::open(reader.folder())?;
    std::thread::scope(|scope| {
        let later = scope.spawn(move || read(&second, middle, LAST));
        let earlier = read(reader, 0, middle)?;
        match later.join() {
            Ok(later) => Ok([earlier, later?]),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Finished games that do not count because an engine was disqualified.
fn annulled_games(reader: &Reader, conduct: &Conduct) -> Result<u64, StoreError> {
    let mut annulled = 0;
    if conduct.rulings().iter().any(|ruling| ruling.annulled) {
        for result in reader.results() {
            annulled += u64::from(conduct.annuls(result?.seats));
        }
    }
    Ok(annulled)
}

impl EventGames {
    fn game(
        &self,
        start: u32,
        pair: PairId,
        seats: [Seat; 2],
        outcome: &Outcome,
    ) -> CollectedGame<'static> {
        // The roster has every seat that games name.
        let nobody = Player {
            engine: 0,
            identity: 0,
            limits: 0,
            random: true,
        };
        let player = |seat: Seat| {
            let copies = self.players.get(usize::from(seat.engine))?;
            copies.get(usize::from(seat.copy)).copied()
        };
        let [white, black] = seats.map(|seat| player(seat).unwrap_or(nobody));
        CollectedGame {
            row: GameRow {
                white: white.engine,
                black: black.engine,
                start,
                pair: Some(self.first_pair.saturating_add(pair.0 as u32)),
                result: white_result(outcome),
                flags: flags(outcome.termination()),
            },
            identities: [white.identity, black.identity],
            self_play: seats[0].engine == seats[1].engine,
            // Two limits in one number; a collection has few.
            limits: white.limits << 16 | black.limits,
            random: white.random || black.random,
            hash: None,
            moves: None,
            witness: Witness::Missing,
        }
    }
}

fn white_result(outcome: &Outcome) -> WhiteResult {
    match outcome.white_half_points() {
        Some(0) => WhiteResult::Loss,
        Some(2) => WhiteResult::Win,
        _ => WhiteResult::Draw,
    }
}

fn flags(termination: Termination) -> GameFlags {
    match termination {
        Termination::Normal | Termination::Unterminated => GameFlags::default(),
        Termination::Adjudication => GameFlags::ADJUDICATED,
        Termination::TimeForfeit | Termination::RulesInfraction | Termination::Abandoned => {
            GameFlags::FORFEIT
        }
    }
}

fn limits_text(limits: &str, jitter: f64) -> String {
    if jitter > 0.0 {
        format!("{limits} ± {} %", 100.0 * jitter)
    } else {
        limits.to_owned()
    }
}

/// A clock, jittered limits or several threads make a game an independent draw.
fn has_randomness(limits: &str, jitter: f64, options: &Value) -> bool {
    let fixed = |part: &str| part.starts_with("nodes=") || part.starts_with("depth=");
    let threads = options["Threads"]
        .as_str()
        .and_then(|text| text.parse::<u32>().ok());
    let clock = !limits.split(", ").all(fixed);
    let jittered = jitter > 0.0 && limits.contains("nodes=");
    clock || jittered || threads.is_some_and(|threads| threads > 1)
}

fn test(sprt: &Value) -> Option<Hypotheses> {
    let model: Model = serde_json::from_value(sprt["model"].clone()).ok()?;
    let number = |key: &str| sprt[key].as_f64();
    let (elo0, elo1) = (number("elo0")?, number("elo1")?);
    Hypotheses::new(model, elo0, elo1, number("alpha")?, number("beta")?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_fixed_limits_without_jitter_and_threads_repeat_a_game() {
        let random = |limits, jitter, threads: &str| {
            has_randomness(limits, jitter, &json!({ "Threads": threads }))
        };
        assert!(!random("nodes=5000, depth=9", 0.0, "1"));
        assert!(random("nodes=5000", 0.1, "1"));
        assert!(random("nodes=5000", 0.0, "2"));
        assert!(random("10+0.1", 0.0, "1") && random("0.5/move, depth=8", 0.0, "1"));
        assert!(!random("depth=8", 0.1, "1"), "jitter varies nodes alone");
    }

    #[test]
    fn the_test_of_an_identity_is_read_back() {
        let sprt =
            json!({"elo0": 0.0, "elo1": 5.0, "alpha": 0.05, "beta": 0.1, "model": "logistic"});
        let test = test(&sprt).expect("a possible test");
        assert_eq!((test.elo1(), test.model()), (5.0, Model::Logistic));
        assert!(super::test(&Value::Null).is_none());
    }
}
