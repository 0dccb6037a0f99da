//! A store made out of `games.pgn` and the event file, where the store is gone: its games and results.
//!
//! **Invariant: whatever ends the work leaves the event unchanged.** The new store is made in a separate
//! folder, inspected as on resume, and gets its name last.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::filling::Draft;
use super::{folder_of, inspection};
use crate::config::Tournament;
use crate::event::identity::EventIdentity;
use crate::event::{ArbiterAct, GameId, Place, PlayedGame, UnixMillis};
use crate::pgn::{
    BIDS, GameResult, PgnErrorKind, PgnGame, PgnReader, RawGame, check_planned, moment, planned_id,
};
use crate::platform::files::open_untrusted;
use crate::platform::orphans;
use crate::run::continuation::{Continued, Growth};
use crate::run::error::{RunError, unfit};
use crate::run::signals::SignalWatch;
use crate::schedule::{Chosen, PairSpec, Plan};
use crate::sink::{PGN_FILE, SinkError};
use crate::store::{EVENT_FILE, EventLock, key_of};
use crate::text::tell;
use crate::tournament::{REBUILT, Rebuilt};

/// Where the new store is made, in the event's folder.
const DRAFT: &str = "event.rebuilding";

/// What came of it.
#[derive(Debug)]
pub(crate) enum Rebuilding {
    /// The store is there again.
    Done {
        /// The event's folder.
        folder: PathBuf,
        /// What was found in `games.pgn`.
        games: RebuiltGames,
    },
    /// A signal with this exit code came first; nothing was changed.
    Stopped(u8),
}

/// What was found in the file.
#[derive(Debug, Default)]
pub(crate) struct RebuiltGames {
    pub(crate) games: u64,
    /// When the first of them began.
    first: Option<UnixMillis>,
    /// Games that do not fit and are left out, each with its place and what is wrong with it.
    pub(crate) left_out: Vec<String>,
    /// A game at the end of the file that is not whole, as after a power cut.
    pub(crate) torn: Option<String>,
    /// What the arbiter has ruled on games, which are taken as they were played.
    pub(crate) rulings: Vec<String>,
}

/// Rebuilds the store of an event. With `leave_out`, games that do not fit are left out.
///
/// # Errors
/// The store is there; there is no `games.pgn`, or games in it are not the event's; an engine cannot
/// take part; a file cannot be read or written. Nothing is changed then.
pub(crate) fn rebuild(
    tournament: Tournament,
    identity: EventIdentity,
    results: &Path,
    leave_out: bool,
    signals: &SignalWatch,
) -> Result<Rebuilding, RunError> {
    let folder = folder_of(&tournament, results);
    if tournament.making.is_some() {
        return Err(RunError::StartsAreMade("`rebuild`"));
    }
    if tournament.seed_drawn {
        let words = "the event file has no seed: one was drawn when the event began, and it was kept in event.db \
                     and written to log/run.log in the event's folder (`seed=N`): give it by --seed N";
        return Err(RunError::Refused(words.to_owned()));
    }
    let has = |file: &Path| fs::metadata(file).is_ok_and(|file| file.len() > 0);
    let (store, games) = (folder.join(EVENT_FILE), folder.join(PGN_FILE));
    if has(&store) {
        return Err(RunError::NotRebuilt(format!(
            "{} is there, and is the truth of this event: `arbiter960 run` goes on with it. If it is \
             damaged, move it to another name first; nothing was changed",
            store.display()
        )));
    }
    if !has(&games) {
        let file = games.display();
        let words = format!("there is no {file} to make the store of, or it is empty");
        return Err(RunError::Refused(words));
    }
    let _lock = EventLock::acquire(&folder)?;
    // No run of it can be alive, and nothing of one that was killed may be.
    orphans::end_and_name(&key_of(&folder));
    let mut draft = Draft::begin(folder.join(DRAFT), tournament, identity)?;
    let remarks = draft.session.take_remarks();
    remarks.iter().for_each(|remark| tell(remark));
    if let Some(code) = draft.session.admit_alone(&folder, signals)? {
        return Ok(Rebuilding::Stopped(code));
    }
    let games = draft.take_games(&games)?;
    if !games.left_out.is_empty() && !leave_out {
        return Err(RunError::NotRebuilt(unfit(&games.left_out)));
    }
    inspection::inspect(draft.session.folder(), &draft.session.tournament)?;
    let rebuilt = Rebuilt {
        at_ms: UnixMillis::now().0,
        games: games.games,
        left_out: games.left_out.len() as u64,
    };
    let created = games.first.unwrap_or_else(UnixMillis::now).0.to_string();
    let facts = [("created", &created[..]), (REBUILT, &rebuilt.text())];
    draft.session.store.set_event(&facts)?;
    draft.put_in_place(&folder)?;
    Ok(Rebuilding::Done { folder, games })
}

/// What games are held against.
struct ExpectedGames {
    plan: Plan,
    continued: Option<Continued>,
    /// The places of the file's pairs, in an event in rounds.
    places: BTreeMap<u64, Place>,
    taken: HashSet<GameId>,
}

impl Draft {
    /// Takes all games of this file into the store, which is empty.
    fn take_games(&mut self, path: &Path) -> Result<RebuiltGames, RunError> {
        let failed = |source: io::Error| SinkError::File {
            file: path.to_path_buf(),
            source,
        };
        let tournament = &self.session.tournament;
        let mut places = BTreeMap::new();
        if tournament.rounds().is_some() {
            let bids;
            let names = tournament.engines.iter().map(|engine| &engine.name[..]);
            let file = without_torn_tag(path).map_err(failed)?;
            (places, bids) = places_in(file, &names.collect::<Vec<_>>());
            self.record(bids)?;
        }
        let mut expected = ExpectedGames {
            plan: inspection::plan(tournament)?,
            continued: inspection::continued(tournament, &self.session.reader()?)?,
            places,
            taken: HashSet::new(),
        };
        let mut found = RebuiltGames::default();
        let mut file = PgnReader::new(without_torn_tag(path).map_err(failed)?);
        while let Some(game) = file.next_game() {
            found.left_out.extend(found.torn.take());
            let raw = match game {
                Ok(raw) => raw,
                Err(error) => match error.kind {
                    PgnErrorKind::Io(error) => return Err(io::Error::other(error).into()),
                    _ => {
                        found.left_out.push(error.to_string());
                        continue;
                    }
                },
            };
            if let Err(what) = self.take_game(&raw, &mut expected, &mut found)? {
                let (number, line) = (raw.number(), raw.line());
                let round = raw.tag("Round").unwrap_or_default();
                let words =
                    format!("game {number} of the file (Round {round}, from line {line}): {what}");
                // Only the last game of a file can be torn.
                if is_whole(&raw) {
                    found.left_out.push(words)
                } else {
                    found.torn = Some(words)
                }
            }
        }
        self.settle()?;
        Ok(found)
    }

    /// Takes one game, as it was played, or says what is wrong with it.
    fn take_game(
        &mut self,
        raw: &RawGame<'_>,
        expected: &mut ExpectedGames,
        found: &mut RebuiltGames,
    ) -> Result<Result<(), String>, RunError> {
        let tag = |name: &str| raw.tag(name).unwrap_or_default();
        let round = tag("Round");
        let (result, ruled) = (tag("Result"), raw.tag("RuledResult"));
        let ruling = raw.tag("Ruling");
        if let (Some(words), "*", None) = (&ruling, &*result, &ruled) {
            let words = format!("{round}: played again ({words})");
            found.rulings.push(words);
            return Ok(Ok(()));
        }
        if let Some(id) = planned_id(raw) {
            self.grow(expected, id)?;
        }
        let played = match ruling {
            Some(_) => tag("PlayedResult"),
            None => result.clone(),
        };
        let game = match self.recovered(raw, expected, &played) {
            Ok(game) => game,
            Err(what) => return Ok(Err(what)),
        };
        found.rulings.extend(ruling.map(|words| {
            let now = ruled.unwrap_or(result);
            format!("{round}: {now} instead of {played} ({words})")
        }));
        found.first = found.first.min(Some(game.started)).or(Some(game.started));
        found.games += 1;
        expected.taken.insert(game.id);
        self.take(game).map(Ok)
    }

    /// The game as the store had it, if it is the one that the plan has under this key and ended with this result.
    fn recovered(
        &self,
        raw: &RawGame<'_>,
        expected: &ExpectedGames,
        result: &str,
    ) -> Result<PlayedGame, String> {
        let id = planned_id(raw).ok_or("its tags Pair and Round name no game")?;
        let planned = Some(id.pair).filter(|pair| pair.0 < expected.plan.len());
        let spec = planned.and_then(|pair| expected.plan.pair(pair));
        let spec = spec.ok_or_else(|| match expected.continued {
            None => "the plan has no such pair".to_owned(),
            Some(_) => "the results before it do not lead to such a pair".to_owned(),
        })?;
        if id.game >= spec.games {
            return Err("its pair has one game".to_owned());
        }
        if expected.taken.contains(&id) {
            return Err("it stands in the file twice".to_owned());
        }
        let opening = self.session.tournament.openings.get(spec.opening);
        let seats = spec.seats(id.game);
        let engines = &self.session.identity.engines;
        let limits = self.session.tournament.limits(spec.terms(), seats);
        check_planned(raw, &opening.start, seats, engines, &limits)
            .map_err(|what| format!("it has {what}"))?;
        let game = PgnGame::read(raw).map_err(|error| error.to_string())?;
        if game.book != opening.moves {
            return Err("it has other moves of the book than the plan".to_owned());
        }
        if game.result.map(GameResult::as_str) != raw.tag("Result").as_deref() {
            return Err("its tag Result is not the result after its moves".to_owned());
        }
        let record = game.into_record()?;
        if record.outcome.pgn_result() != result {
            let ending = &record.outcome;
            return Err(format!("its result is {result}, and its end: {ending}"));
        }
        Ok(PlayedGame {
            id,
            cycle: spec.cycle,
            number: opening.number,
            seats,
            started: moment(raw, "GameStartTime")?,
            ended: moment(raw, "GameEndTime")?,
            record,
        })
    }

    /// Makes the plan longer by what the results say, until it has this game's pair or they say no more.
    fn grow(&mut self, expected: &mut ExpectedGames, id: GameId) -> Result<(), RunError> {
        while id.pair.0 >= expected.plan.len() {
            let Some(continued) = &mut expected.continued else {
                break;
            };
            self.settle()?;
            let mut work = self.session.work()?;
            let withdrawn = work.withdrawn().clone();
            let open = work.by_ref().map(|job| job.pair).collect();
            let open = (open, work.half_played());
            let (next, places) = (expected.plan.len(), &expected.places);
            let pick = |chosen| picked(chosen, next, places);
            let plan = &mut expected.plan;
            let decisions = self.session.reader()?.decisions().len();
            let (store, after_all) = (&self.session.store, UnixMillis(i64::MAX));
            let grown =
                continued.extend(plan, open, (&withdrawn, decisions), store, pick, after_all)?;
            if grown != Growth::Grown {
                break;
            }
        }
        Ok(())
    }
}

/// The places of the pairs of an event in rounds, by their numbers from 0, and the bids of these engines for armageddon
/// games, as the games' tags say.
fn places_in(file: impl Read, engines: &[&str]) -> (BTreeMap<u64, Place>, Vec<ArbiterAct>) {
    let (mut places, mut bids) = (BTreeMap::new(), Vec::new());
    let mut file = PgnReader::new(file);
    while let Some(game) = file.next_game() {
        // A tag that cannot be read is reported later, when the game is taken.
        let place = |raw: &RawGame<'_>| {
            let round = raw.tag("Round")?.into_owned();
            let mut numbers = round.split('.').map(|number| number.parse::<u16>().ok());
            let [round, board, nth] = [numbers.next()??, numbers.next()??, numbers.next()??];
            let pair = nth.div_ceil(2);
            Some((planned_id(raw)?.pair.0, Place { round, board, pair }))
        };
        let Ok(raw) = game else { continue };
        let Some((number, place)) = place(&raw) else {
            continue;
        };
        places.insert(number, place);
        for (bid, player) in BIDS.into_iter().zip(["White", "Black"]) {
            let act = || {
                let player = raw.tag(player)?;
                let engine = engines.iter().position(|name| *name == player)?;
                Some(ArbiterAct::Bid {
                    engine: u16::try_from(engine).ok()?,
                    round: place.round,
                    board: place.board,
                    percent: raw.tag(bid)?.parse().ok()?,
                })
            };
            bids.extend(act().filter(|act| !bids.contains(act)));
        }
    }
    (places, bids)
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
        ..chosen
    })
}

/// The file without a last line that is the beginning of a tag: a reader would take it for a part of the game
/// before, which is whole.
fn without_torn_tag(path: &Path) -> io::Result<impl Read + use<>> {
    const MAX_TAG_BYTES: u64 = 4096;
    let mut file = open_untrusted(path)?;
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(MAX_TAG_BYTES)))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    let last = end.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let torn = if last.starts_with(b"[") {
        last.len()
    } else {
        0
    };
    file.seek(SeekFrom::Start(0))?;
    Ok(file.take(length - torn as u64))
}

/// Whether the text of a game ends with its result.
fn is_whole(raw: &RawGame<'_>) -> bool {
    let text = raw.text().trim_ascii_end();
    let last = text.rsplit(u8::is_ascii_whitespace).next();
    last.and_then(GameResult::parse).is_some()
}
