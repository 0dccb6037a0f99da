//! Game after game of `games.pgn` into a new store.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::{Duration, Instant};

use super::{Draft, inspection};
use crate::event::{GameId, Place, UnixMillis};
use crate::pgn::{EventTags, GameResult, PgnError, PgnErrorKind, PgnReader, RawGame};
use crate::platform::files::open_of_strangers;
use crate::run::continuation::{Continued, Growth};
use crate::run::error::RunError;
use crate::schedule::{Chosen, PairSpec, Plan};
use crate::sink::{RecoveredGame, SinkError, event_tags, pgn_key, recovered};
use crate::text::tell;

/// Time between two reports of progress.
const REMINDER: Duration = Duration::from_secs(1);

/// What was found in the file.
#[derive(Debug, Default)]
pub(crate) struct RebuiltGames {
    pub(crate) games: u64,
    /// When the first of them began.
    pub(super) first: Option<UnixMillis>,
    /// Games that do not fit and are left out, each with its place and what is wrong with it.
    pub(crate) left_out: Vec<String>,
    /// A game at the end of the file that is not whole, as after a power cut.
    pub(crate) torn: Option<String>,
    /// What the arbiter has ruled on games, which are taken as they were played.
    pub(crate) rulings: Vec<String>,
}

/// Why a game was not taken.
enum RefusedGame {
    /// Something is wrong with the game.
    Game(String),
    /// The arbiter had it played again; with the ruling.
    Superseded(String),
    /// Something is wrong with the machine.
    Run(RunError),
}

impl<E: Into<RunError>> From<E> for RefusedGame {
    fn from(error: E) -> RefusedGame {
        RefusedGame::Run(error.into())
    }
}

/// What a game is held against.
struct ExpectedGames {
    plan: Plan,
    continued: Option<Continued>,
    tags: EventTags,
    /// The places of the file's pairs, in an event in rounds.
    places: BTreeMap<u64, Place>,
    /// Games that have been taken.
    known: HashSet<GameId>,
}

impl Draft {
    /// Takes all games of this file into the store, which is empty.
    pub(super) fn take_games(&mut self, path: &Path) -> Result<RebuiltGames, RunError> {
        let failed = |source: io::Error| SinkError::File {
            file: path.to_path_buf(),
            source,
        };
        let reader = self.session.reader()?;
        let in_rounds = self.session.tournament.rounds().is_some();
        let (length, torn_tag) = without_torn_tag(path).map_err(failed)?;
        let places = in_rounds.then(|| places_in(path, length)).transpose();
        let mut expected = ExpectedGames {
            plan: inspection::plan(&self.session.tournament)?,
            continued: inspection::continued(&self.session.tournament, &reader)?,
            places: places.map_err(failed)?.unwrap_or_default(),
            tags: event_tags(&reader, reader.revision()?)?,
            known: HashSet::new(),
        };
        let mut taken = RebuiltGames::default();
        let mut file = PgnReader::new(open_of_strangers(path).map_err(failed)?.take(length));
        let mut told = Instant::now();
        // The last game that was refused: it may be the torn end of the file.
        let mut refused: Option<String> = None;
        while let Some(game) = file.next_game() {
            taken.left_out.extend(refused.take());
            match self.take_raw(game, &mut expected) {
                Ok((started, ruling)) => {
                    taken.rulings.extend(ruling);
                    taken.first = taken.first.min(Some(started)).or(Some(started));
                    taken.games += 1;
                }
                Err(RefusedGame::Game(words)) => refused = Some(words),
                Err(RefusedGame::Superseded(ruling)) => taken.rulings.push(ruling),
                Err(RefusedGame::Run(error)) => return Err(error),
            }
            if told.elapsed() >= REMINDER {
                told = Instant::now();
                tell(&format!("reading games.pgn: {} games", taken.games));
            }
        }
        self.settle()?;
        match ends_with_a_game(path, length).map_err(failed)? {
            true => taken.left_out.extend(refused),
            false => taken.torn = refused,
        }
        taken.torn = taken.torn.or(torn_tag);
        Ok(taken)
    }

    /// Takes one game: when it began, and what the arbiter has ruled on it.
    fn take_raw(
        &mut self,
        game: Result<RawGame<'_>, PgnError>,
        expected: &mut ExpectedGames,
    ) -> Result<(UnixMillis, Option<String>), RefusedGame> {
        let raw = match game {
            Ok(raw) => raw,
            Err(PgnError {
                kind: PgnErrorKind::Io(error),
                ..
            }) => {
                return Err(RefusedGame::Run(io::Error::other(error).into()));
            }
            Err(error) => return Err(RefusedGame::Game(error.to_string())),
        };
        let round = raw.tag("Round").unwrap_or_default();
        let wrong = |what: &str| {
            RefusedGame::Game(format!(
                "game {} of the file (Round {round}, from line {}): {what}",
                raw.number(),
                raw.line()
            ))
        };
        if let (Some(words), Some("*")) = (raw.tag("Ruling"), raw.tag("Result").as_deref())
            && raw.tag("RuledResult").is_none()
        {
            let ruling = format!("{round}: played again ({words})");
            return Err(RefusedGame::Superseded(ruling));
        }
        let id = pgn_key(&raw).ok_or_else(|| wrong("its tags Pair and Round name no game"))?;
        self.grow(expected, id)?;
        let plan = &expected.plan;
        let planned = Some(id.pair).filter(|pair| pair.0 < plan.len());
        let spec = planned.and_then(|pair| plan.pair(pair)).ok_or_else(|| {
            wrong(match expected.continued {
                None => "the plan has no such pair",
                Some(_) => "the results before it do not lead to such a pair",
            })
        })?;
        if id.game >= spec.games {
            return Err(wrong("its pair has one game"));
        }
        if expected.known.contains(&id) {
            return Err(wrong("it stands in the file twice"));
        }
        let opening = self.session.tournament.openings.get(spec.opening);
        let game = recovered(&raw, id, spec, opening, &expected.tags);
        let RecoveredGame { game, ruling } = game.map_err(|what| wrong(&what))?;
        let ruling = ruling.map(|words| format!("{round}: {words}"));
        let started = game.started;
        expected.known.insert(id);
        self.take(game)?;
        Ok((started, ruling))
    }

    /// Makes the plan longer by what the results say, until it has this game's pair or they say no more.
    fn grow(&mut self, expected: &mut ExpectedGames, id: GameId) -> Result<(), RunError> {
        if expected.continued.is_none() {
            return Ok(());
        }
        while id.pair.0 >= expected.plan.len() {
            self.settle()?;
            let mut work = self.session.work()?;
            let withdrawn = work.withdrawn().clone();
            let open = work.by_ref().count() as u64;
            let Some(continued) = &mut expected.continued else {
                break;
            };
            let (next, places) = (expected.plan.len(), &expected.places);
            let pick = |chosen| picked(chosen, next, places);
            let plan = &mut expected.plan;
            let grown = continued.extend(plan, open, &withdrawn, &self.session.store, pick)?;
            if grown != Growth::Grown {
                break;
            }
            let reader = self.session.reader()?;
            expected.tags = event_tags(&reader, reader.revision()?)?;
        }
        Ok(())
    }
}

/// The places of the pairs of an event in rounds, by their numbers from 0, as the games' tags say.
fn places_in(path: &Path, length: u64) -> io::Result<BTreeMap<u64, Place>> {
    let mut places = BTreeMap::new();
    let mut file = PgnReader::new(open_of_strangers(path)?.take(length));
    while let Some(game) = file.next_game() {
        // A tag that cannot be read is reported later, when the game is taken.
        let place = |raw: RawGame<'_>| {
            let round = raw.tag("Round")?.into_owned();
            let mut numbers = round.split('.').map(|number| number.parse::<u16>().ok());
            let [round, board, nth] = [numbers.next()??, numbers.next()??, numbers.next()??];
            let pair = nth.div_ceil(2);
            Some((pgn_key(&raw)?.pair.0, Place { round, board, pair }))
        };
        places.extend(game.ok().and_then(place));
    }
    Ok(places)
}

/// Of pairs that could get the next numbers those that got them: all, if the file does not say
/// otherwise, or else the one that has the first of these numbers. A pair of which the file has no game
/// may be any that it does not name.
fn picked(chosen: Chosen, next: u64, places: &BTreeMap<u64, Place>) -> Option<Chosen> {
    let fits = |(number, pair): (u64, &PairSpec)| {
        let known = places.get(&number);
        known.is_none_or(|place| pair.place == Some(*place))
    };
    if (next..).zip(&chosen.pairs).all(fits) {
        return Some(chosen);
    }
    let is_named = |place: Option<Place>| places.values().any(|named| Some(*named) == place);
    let mut pairs = chosen.pairs.into_iter();
    let first = match places.get(&next) {
        Some(place) => pairs.find(|pair| pair.place == Some(*place)),
        None => pairs.find(|pair| !is_named(pair.place)),
    };
    Some(Chosen {
        pairs: vec![first?],
        byes: chosen.byes,
    })
}

/// The length of the file without a last line that is the beginning of a tag, and that line, quoted: a
/// reader would take it for a part of the game before, which is whole.
fn without_torn_tag(path: &Path) -> io::Result<(u64, Option<String>)> {
    const LONGEST: u64 = 4096;
    let length = fs::metadata(path)?.len();
    let end = last_bytes(path, length, LONGEST)?;
    let last = end.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    if !last.starts_with(b"[") {
        return Ok((length, None));
    }
    let words = format!(
        "`{}` is the beginning of a tag",
        String::from_utf8_lossy(last)
    );
    Ok((length - last.len() as u64, Some(words)))
}

/// As many of the first `length` bytes of a file as this, from their end.
fn last_bytes(path: &Path, length: u64, most: u64) -> io::Result<Vec<u8>> {
    let mut file = open_of_strangers(path)?;
    file.seek(SeekFrom::Start(length.saturating_sub(most)))?;
    let mut end = Vec::new();
    file.take(length.min(most)).read_to_end(&mut end)?;
    Ok(end)
}

/// Whether the file, up to this length, ends as it does after a whole game.
fn ends_with_a_game(path: &Path, length: u64) -> io::Result<bool> {
    const LONGEST: u64 = 64;
    let end = last_bytes(path, length, LONGEST)?;
    let last = end.trim_ascii_end().rsplit(u8::is_ascii_whitespace).next();
    let result = last.and_then(GameResult::parse);
    Ok(end.ends_with(b"\n") && result.is_some())
}
