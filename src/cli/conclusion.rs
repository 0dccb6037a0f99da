//! Messages before and after an event is played.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Mutex, OnceLock};

use anyhow::Result;

use crate::analysis::{Collector, EventKind, EventStatistics, Verdict};
use crate::chess::{Color, FenDialect, start};
use crate::clock::{Limits, TimeLimit};
use crate::config::Tournament;
use crate::event::{GameId, GameName, PairId};
use crate::platform::lock;
use crate::platform::terminal::shell_word;
use crate::report::course::course_lines;
use crate::report::statistics::first_starts;
use crate::report::tables::{crosstable, results};
use crate::report::variations::{RARE, Variations, variation_lines};
use crate::report::verdict::first_text;
use crate::run::{EndReason, RunEnding};
use crate::schedule::{Following, Format, History, PairSpec, Plan};
use crate::sink::SinkError;
use crate::store::{Reader, StoreError};
use crate::text::{about, count, paragraph, printable, tell};
use crate::tournament::{EventState, game_names};

use super::plan::longest;
use super::verify::tell_table_troubles;

/// What is known at an event's end, computed once for all who need it.
#[derive(Debug, Default)]
pub(crate) struct EventEnd {
    /// Locked while the statistics are computed.
    pub(crate) computing: Mutex<()>,
    pub(crate) statistics: OnceLock<EventStatistics>,
    pub(crate) variations: OnceLock<Variations>,
}

/// Start positions in the table at the end of a run.
const SHOWN_STARTS: usize = 8;

/// Games whose variations are looked at when a run ends: some seconds' worth.
pub(crate) const MAX_LINTED_GAMES: u64 = 1000;

/// Moves of each side in a long game.
const MOVES_OF_A_SIDE: u32 = 70;

/// Pairs of the plan that are printed if not all are asked for.
const SHOWN_PAIRS: usize = 10;

/// Prints the plan (its first pairs, or all) for `--dry-run`.
///
/// # Errors
/// The output cannot be written, or no plan exists.
pub(crate) fn plan(tournament: &Tournament, all: bool, out: &mut dyn Write) -> Result<()> {
    let mut plan = tournament.plan()?;
    let later = foreseen(tournament, &mut plan);
    let name = printable(&tournament.name);
    let pairs = tournament.pairs_here(plan.len());
    let first = pairs * u64::from(plan.games_per_pair());
    let games = later.clone().unwrap_or(first..=first);
    let counted = match &later {
        Some(games) if games.start() < games.end() => {
            format!("{} to {} games", games.start(), games.end())
        }
        Some(games) => count(*games.end(), "game"),
        None => format!("{}, {}", count(pairs, "pair"), count(first, "game")),
    };
    let unknown = tournament.public_draw.as_ref();
    let unknown = unknown.filter(|public| public.announced.is_none());
    let seed = match unknown {
        Some(_) => "and half of the seed is not announced yet".to_owned(),
        None => format!("seed {}", tournament.seed),
    };
    writeln!(out, "{name}: {counted}, {seed}")?;
    course(tournament, *games.end(), out)?;
    if let Some(public) = unknown {
        let source = printable(&public.source);
        let words = "Positions and pairs are not known before `public_seed`";
        return Ok(writeln!(out, "{words}: {source}.")?);
    }
    if let Some(adaptive) = tournament.adaptive {
        let (label, most) = (adaptive.terms.label(), count(adaptive.max_pairs, "pair"));
        writeln!(out, "adaptive: {label}; at most {most}. The first:")?;
    }
    if later.is_some() {
        let known = format!("{}, {}", count(pairs, "pair"), count(first, "game"));
        let what = match tournament.format {
            Format::Stages(_) => "What is known of the first stage",
            _ => "The first round",
        };
        writeln!(out, "{what} ({known}); the results decide what follows.")?;
    }
    let here = |pair| tournament.shard.is_none_or(|shard| shard.holds(pair));
    let shown = if all { usize::MAX } else { SHOWN_PAIRS };
    let mut planned = plan.iter().filter(|(pair, _)| here(*pair));
    for (pair, spec) in planned.by_ref().take(shown) {
        writeln!(out, "{}", planned_pair(tournament, pair, &spec))?;
    }
    match planned.count() as u64 {
        0 => {}
        more => writeln!(out, "and {} more: --dry-run --all", count(more, "pair"))?,
    }
    Ok(())
}

/// One pair of the plan on a line: its place, its position, and who plays its games.
fn planned_pair(tournament: &Tournament, pair: PairId, spec: &PairSpec) -> String {
    let position = position(tournament, spec.opening);
    let named = |seat| printable(&tournament.participant_name(seat)).into_owned();
    let number = pair.0 + 1;
    let place = match spec.place {
        Some(place) => format!("round {} board {} pair {number}", place.round, place.board),
        None => format!("pair {number} cycle {}", spec.cycle + 1),
    };
    let games = (0..spec.games).map(|game| {
        let seats = spec.seats(game);
        let name = GameName::new(GameId { pair, game }, spec.place);
        let [white, black] = Color::ALL.map(|color| named(seats[color.index()]));
        format!(" {name} {white} - {black}")
    });
    let games: Vec<String> = games.collect();
    format!("{place} position {position}:{}", games.join(","))
}

/// The start of a pair, in words.
fn position(tournament: &Tournament, opening: u32) -> String {
    let making = tournament.making;
    let opening = tournament.openings.get(opening);
    match opening.number {
        _ if making.is_some_and(|making| making.system.places()) => {
            "made by the players".to_owned()
        }
        Some(number) if opening.moves.is_empty() => {
            match start::white_and_black(tournament.variant, number) {
                // Where White's array and Black's are numbered apart, both of theirs too.
                Some((white, black)) => format!("{number} ({white}/{black})"),
                None => number.to_string(),
            }
        }
        _ => opening.game().position().fen(FenDialect::XFen),
    }
}

/// How long so many games take at most, by their clocks.
fn time_words(tournament: &Tournament, games: u64) -> String {
    let limits = tournament.all_limits();
    let side = |limits: &Limits| match &limits.time {
        TimeLimit::Clock(control) => Some(longest(control, MOVES_OF_A_SIDE)),
        TimeLimit::MoveTime(time) => Some(*time * MOVES_OF_A_SIDE),
        TimeLimit::None => None,
    };
    let sides: Option<Vec<_>> = limits.iter().map(side).collect();
    let Some(sides) = sides else {
        return "not known before the first games: there is an engine without a clock".to_owned();
    };
    let longest = sides.into_iter().max().unwrap_or_default();
    let at_once = tournament.concurrency.get() as f64;
    let time = about(2.0 * longest.as_secs_f64() * games as f64 / at_once);
    format!("about {time} of play at most, if no side makes more than {MOVES_OF_A_SIDE} moves")
}

/// Appends what is known of an event in rounds before its first game; returns the games of all rounds if results
/// decide who plays them.
fn foreseen(tournament: &Tournament, plan: &mut Plan) -> Option<RangeInclusive<u64>> {
    let rounds = tournament.rounds()?;
    let mut history = History::default();
    while let Ok(Following::Chosen(chosen)) = rounds.next(&history) {
        plan.append(&chosen.pairs);
        history.choose(&chosen);
    }
    let is_open = rounds.results_decide();
    is_open.then(|| rounds.games_before_results())
}

/// How long the event lasts, and what is not the same in all games.
fn course(tournament: &Tournament, games: u64, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "time: {}", time_words(tournament, games))?;
    let engines = &tournament.engines;
    let differ = engines.windows(2).any(|two| two[0].limits != two[1].limits);
    for engine in engines.iter().filter(|_| differ) {
        writeln!(out, "engine {}: {}", printable(&engine.name), engine.limits)?;
    }
    let mut lines = course_lines(tournament).into_iter();
    lines.try_for_each(|line| writeln!(out, "{line}"))
}

/// Prints the results of an event and names its files. Statistics that were computed for the files are used again.
///
/// # Errors
/// The store cannot be read, or the output cannot be written.
pub(crate) fn write(
    folder: &Path,
    complete: bool,
    end: &EventEnd,
    out: &mut dyn Write,
) -> Result<()> {
    let reader = Reader::open(folder)?;
    if reader.identity()?.is_none() {
        let words = "Stopped before the engines were ready: nothing was played. The same command begins \
                     the event.";
        return Ok(write!(out, "{}", paragraph(words, 0))?);
    }
    let state = EventState::read(&reader)?;
    let (roster, board) = (state.roster(), state.board());
    let statistics = statistics(&reader, end)?;
    let verdict = Verdict::of_event(&state, Some(statistics));
    let place = shell_word(&folder.display().to_string());
    writeln!(out, "{}", first_text(&verdict, &place))?;
    write!(out, "{}", results(&verdict, Some(&state), Some(statistics)))?;
    // The bracket of a tree says who met whom.
    if verdict.kind.is_contest() && verdict.kind != EventKind::Tree {
        let wide =
            "The crosstable is too wide for a terminal: report.html and crosstable.json have it.";
        let wide = (board.participants().len() > 2).then(|| wide.to_owned());
        if let Some(table) = crosstable(board).or(wide) {
            writeln!(out, "\n{table}")?;
        }
    }
    if verdict.kind.asks_starts() {
        write!(out, "\n{}", first_starts(statistics, SHOWN_STARTS))?;
    }
    if let Some(words) = reader.flag_falls()?.words() {
        write!(out, "\n{}", paragraph(&words, 0))?;
    }
    let finished = reader.counts()?.finished;
    let variations = match end.variations.get() {
        Some(variations) => variations.clone(),
        None => Variations::of_event(&reader, roster, MAX_LINTED_GAMES)?,
    };
    for line in variation_lines(&variations, finished, RARE) {
        write!(out, "{}", paragraph(&line, 0))?;
    }
    if complete {
        writeln!(out, "\nThe event is complete: nothing was left to play.")?;
    }
    Ok(files(folder, out)?)
}

/// This many games were voided in this run and are missing; with the reason for the last of them.
///
/// # Errors
/// The store cannot be read.
pub(crate) fn voided(folder: &Path, games: u64) -> Result<String, StoreError> {
    let reader = Reader::open(folder)?;
    let (names, voided) = (game_names(&reader)?, reader.voided()?);
    let games = count(games, "voided game");
    let why = voided.last().map(|last| {
        let (name, outcome) = (names.name(last.game.id), &last.game.record.outcome);
        format!("the last, {name}, {outcome}; ")
    });
    let why = why.unwrap_or_default();
    let why = printable(&why);
    Ok(format!(
        "warning: {games} missing: {why}the same command plays what is missing"
    ))
}

/// The statistics of all stored games, computed once.
pub(super) fn statistics<'a>(
    reader: &Reader,
    end: &'a EventEnd,
) -> Result<&'a EventStatistics, SinkError> {
    let _one = lock(&end.computing);
    if let Some(known) = end.statistics.get() {
        return Ok(known);
    }
    let found = of_store(reader)?.of_a_finished_run();
    Ok(end.statistics.get_or_init(|| found))
}

/// The statistics of all stored games, with what its files need.
///
/// # Errors
/// The store cannot be read.
pub(crate) fn of_store(reader: &Reader) -> Result<EventStatistics, StoreError> {
    let mut collector = Collector::new(false);
    collector.add_store(reader)?;
    // For `positions.csv`.
    Ok(EventStatistics::with_everything(&collector.finish()))
}

fn files(folder: &Path, out: &mut dyn Write) -> io::Result<()> {
    let files = [
        ("games.pgn", "every game, with clocks and evaluations"),
        ("standings.json", "standings and crosstable, for programs"),
        ("positions.csv", "a row for every start number"),
        ("report.html", "all of it to look at, in a browser"),
        ("event.db", "the store: all of it, in SQLite"),
    ];
    writeln!(out)?;
    for (name, what) in files {
        let file = folder.join(name);
        if name != "report.html" || file.exists() {
            let gap = 17 - name.len();
            writeln!(out, "{}{:gap$}{what}", file.display(), "")?;
        }
    }
    Ok(())
}

/// What went wrong in a run: why it gave up, games that are void, tablebases that could not be read.
pub(super) fn tell_troubles(ending: &RunEnding, event: &Tournament, folder: &Path) -> Result<()> {
    if let EndReason::GaveUp(words) = &ending.reason {
        let advice = "every finished game is stored; put it right, and run the same command again";
        tell(&format!("error: {}\n{advice}", printable(words)));
    }
    if ending.voided > 0 && ending.signal().is_none() {
        tell(&voided(folder, ending.voided)?);
    }
    let rule = event.adjudication.tablebase.as_ref();
    if let Some(tables) = rule.and_then(|rule| rule.tables.0.as_ref()) {
        tell_table_troubles(tables.as_ref());
    }
    Ok(())
}
