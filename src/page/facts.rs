//! The data that the page of an event reads from its store: every result once, and the moves of as many games as the
//! page carries.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use crate::analysis::{Collector, EventStatistics, Verdict};
use crate::event::Seat;
use crate::report::variations::Variations;
use crate::report::verdict::{FirstLines, first_lines};
use crate::store::{FlagFalls, Reader, ResultRow, StoreError};
use crate::tournament::{Builds, CopyKeys, CountedGame, EventState, Roster, Scoreboard};

use super::games::{ListedGame, Packer, PlayedMoves, Timing};

/// Maximum number of half-moves of the games that a page carries, which keeps it below 2 MB: about 1,500 games of 133.
const MAX_PLIES: u64 = 200_000;

/// Maximum number of games that a page lists.
pub(super) const MAX_GAMES: usize = 2500;

/// Number of points of a curve over the course of an event.
const MAX_POINTS: u64 = 240;

/// One moment of the event's course.
pub(super) struct CurvePoint {
    /// Complete pairs so far.
    pub pairs: u64,
    /// The first engine's Elo and the ends of its always-valid interval.
    pub elo: Option<[f64; 3]>,
    /// White's Elo and the ends of its always-valid interval, over pairs of games with colours swapped.
    pub white: Option<[f64; 3]>,
    /// The log-likelihood ratio of the sequential test.
    pub ratio: Option<f64>,
}

/// The source of the games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GamesSource {
    /// The store of an event.
    Store,
    /// A PGN file.
    Pgn,
}

/// Used in [`EventFacts::reasons`] for the ends of games that a PGN file does not explain.
pub(super) const NOT_SAID: &str = "not said";

/// All data of the page of one event.
pub(crate) struct EventFacts {
    pub(super) source: GamesSource,
    /// The event's folder, or the PGN file, as the reader gave it.
    pub(super) path: PathBuf,
    pub(crate) roster: Roster,
    pub(super) board: Scoreboard,
    /// The statements that the data allow.
    pub(crate) verdict: Verdict,
    pub(super) statistics: EventStatistics,
    pub(super) variations: Option<Variations>,
    /// Not known for a PGN file.
    pub(super) flag_falls: Option<FlagFalls>,
    pub(super) timing: Timing,
    /// The games that the page carries, in the order of the plan.
    pub(super) games: Vec<ListedGame>,
    /// Number of games of the event.
    pub(super) all_games: u64,
    /// The ways in which games ended, by stable word; for a PGN file, of the games that the page carries.
    pub(super) reasons: BTreeMap<Cow<'static, str>, u64>,
    pub(super) course: Vec<CurvePoint>,
    /// The moves, packed.
    pub(super) moves: String,
}

/// The games that a page carries; there is room for some thousands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Carried {
    /// None.
    None,
    /// For a page shared by this number of events: those with a fault, then the first to finish.
    SharedBy(usize),
    /// The last to finish.
    Latest,
}

impl EventFacts {
    /// The same for an event that nobody plays, whose store is locked all the same.
    pub(crate) fn of_a_finished_run(self) -> EventFacts {
        EventFacts {
            statistics: self.statistics.of_a_finished_run(),
            ..self
        }
    }

    /// Reads an event with its statistics, for a page that carries these games.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) fn analysed(reader: &Reader, carries: Carried) -> Result<EventFacts, StoreError> {
        let mut collector = Collector::new(false);
        collector.add_store(reader)?;
        let statistics = EventStatistics::new(&collector.finish());
        EventFacts::read(reader, statistics, None, carries)
    }

    /// Reads an event, for a page that carries these games.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) fn read(
        reader: &Reader,
        statistics: EventStatistics,
        variations: Option<Variations>,
        carries: Carried,
    ) -> Result<EventFacts, StoreError> {
        let state = EventState::read(reader)?;
        let verdict = Verdict::of_event(&state, Some(&statistics));
        let (roster, board) = (state.roster().clone(), state.board().clone());
        let results = reader.results().collect::<Result<Vec<_>, _>>()?;
        let mut reasons = BTreeMap::new();
        for result in &results {
            let reason = Cow::Borrowed(result.outcome.reason());
            *reasons.entry(reason).or_default() += 1;
        }
        let copy_keys = CopyKeys::new(&Builds::read(reader)?);
        let finished = results.iter();
        let finished = finished.filter_map(|result| CountedGame::of_result(result, &copy_keys));
        let mut finished: Vec<CountedGame> = finished.collect();
        if statistics.sprt.is_none() {
            finished.sort_by_key(|game| game.id);
        }
        let course = course(&finished, &roster, &statistics);
        let all_games = results.len() as u64;
        let carried = carried(results, carries);
        let games = listed(reader, (&roster, &board), &statistics, &carried)?;
        let mut packer = Packer::new(games.iter());
        for listed in &games {
            if let Some(stored) = reader.game(listed.id)? {
                packer.add(listed, &roster, &PlayedMoves::new(&stored.game.record));
            }
        }
        let (moves, timing) = packer.finish();
        Ok(EventFacts {
            source: GamesSource::Store,
            path: reader.folder().to_path_buf(),
            flag_falls: Some(reader.flag_falls()?),
            roster,
            board,
            verdict,
            statistics,
            variations,
            timing,
            games,
            all_games,
            reasons,
            course,
            moves,
        })
    }

    /// The first lines; none of an event that is still played.
    pub(crate) fn said(&self, is_played: bool) -> FirstLines {
        if is_played && !self.verdict.is_final {
            return FirstLines::default();
        }
        first_lines(&self.verdict)
    }

    /// The event's folder, or the file, in a form that can be copied into a command.
    pub(super) fn path(&self) -> String {
        let path = self.path.display().to_string();
        let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,".contains(c);
        if path.chars().all(plain) {
            path
        } else {
            format!("'{}'", path.replace('\'', r"'\''"))
        }
    }

    /// A command about this event.
    pub(super) fn command(&self, command: &str, options: &str) -> String {
        let command = format!("arbiter960 {command} {} {options}", self.path());
        command.trim_end().to_owned()
    }

    /// A command about an event; for a PGN file, which has no event, the command that makes this page.
    pub(super) fn command_of_event(&self, command: &str, options: &str) -> String {
        match self.source {
            GamesSource::Store => self.command(command, options),
            GamesSource::Pgn => self.command("report", ""),
        }
    }
}

/// The index of a seat in the list of participants.
pub(super) fn place(roster: &Roster, seat: Seat) -> usize {
    let mut known = roster.participants.iter();
    let place = known.position(|entry| entry.seat == seat);
    place.unwrap_or(usize::MAX)
}

/// The games with the keys of their starts.
fn listed(
    reader: &Reader,
    (roster, board): (&Roster, &Scoreboard),
    statistics: &EventStatistics,
    results: &[ResultRow],
) -> Result<Vec<ListedGame>, StoreError> {
    let mut named = HashMap::new();
    if results.iter().any(|result| result.number.is_none()) {
        let starts = statistics.starts.iter();
        let keys = starts.map(|one| (one.back_rank.as_str(), one.start));
        let keys: HashMap<_, _> = keys.collect();
        let names = reader.unnumbered_starts()?.into_iter();
        named.extend(names.filter_map(|(at, name)| Some((at, *keys.get(name.as_str())?))));
    }
    let game = |result: &ResultRow| {
        let number = result.number.map(|number| number.0);
        ListedGame {
            sequence: result.sequence,
            id: result.id,
            round: roster.games.name(result.id).into(),
            start: number.or_else(|| named.get(&result.sequence).copied()),
            number: result.number,
            seats: result.seats,
            result: result.outcome.result(),
            reason: board.ending(result.seats, result.outcome.reason()),
            ending: board
                .ending(result.seats, result.outcome.to_string())
                .into(),
            plies: result.plies,
            fault: result.fault.map(|(side, _)| side),
        }
    };
    Ok(results.iter().map(game).collect())
}

/// As many games as there is room for, in the order of the plan.
fn carried(mut results: Vec<ResultRow>, carries: Carried) -> Vec<ResultRow> {
    let events = match carries {
        Carried::None => return Vec::new(),
        Carried::SharedBy(events) => {
            results.sort_by_key(|result| (result.fault.is_none(), result.id));
            events
        }
        Carried::Latest => {
            results.sort_by_key(|result| Reverse(result.sequence));
            1
        }
    };
    results.truncate(MAX_GAMES / events);
    fit(&mut results, events, |result| result.plies);
    results.sort_by_key(|result| result.id);
    results
}

/// Leaves games out, from the end, until all half-moves fit on a page that is shared by `events`.
pub(super) fn fit<T>(games: &mut Vec<T>, events: usize, plies: impl Fn(&T) -> u32) {
    let most = MAX_PLIES / events as u64;
    let mut sum = 0;
    let fits = |game: &&T| {
        sum += u64::from(plies(game));
        sum <= most
    };
    let count = games.iter().take_while(fits).count();
    games.truncate(count);
}

/// The course of the event in pairs: in the order of the plan, but that of a test in the order in which it took them.
pub(super) fn course(
    results: &[CountedGame],
    roster: &Roster,
    statistics: &EventStatistics,
) -> Vec<CurvePoint> {
    let test = statistics.sprt.as_ref();
    let mut test = test.map(|test| test.test.anew());
    let mut board = Scoreboard::new(&roster.participants);
    let mut moments = Vec::new();
    let step = (results.len() as u64 / 2).div_ceil(MAX_POINTS).max(1);
    for (place, game) in (1..).zip(results) {
        let evidence = game.evidence.zip(game.white());
        if let Some((test, (evidence, white))) = test.as_mut().zip(evidence) {
            test.result(game.id, game.seats, white, evidence.start);
        }
        let before = board.pairs();
        board.add_counted(*game);
        let played = board.pairs();
        if played > before && (played.is_multiple_of(step) || place == results.len()) {
            moments.push(CurvePoint {
                pairs: played,
                elo: board.match_estimate().map(|estimate| estimate.elo()),
                white: board.white_estimate().map(|estimate| estimate.elo()),
                ratio: test.as_ref().map(|test| test.sprt().status().llr),
            });
        }
    }
    moments
}
