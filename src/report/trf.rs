//! An event as FIDE's tournament report file, for the programs of arbiters and federations (Handbook C.04, annex 2: TRF16).
//!
//! The format has one game of two players in a round, so every game is a round of its own: the games of an encounter follow
//! each other, and a bye is one for every game of it. In an event that is not played in rounds, each game stands in the
//! first round in which both engines are free.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::event::identity::{EventIdentity, FormatWord};
use crate::event::{GameId, Seat, UnixMillis};
use crate::referee::Outcome;
use crate::store::{Reader, StoreError};
use crate::tournament::{Contest, EventState, Scoreboard, SignedGame, signs};

/// Why an event does not fit into the format.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TrfError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The columns have no room for it, or the results do not give the points of the table.
    #[error("{0}")]
    Unfit(String),
}

/// The places of White and Black, and the game as each of them has it.
type GameOfBoth = ([usize; 2], [SignedGame; 2]);

/// The rounds of the file; in each what every participant played, if anything.
type FileRounds = Vec<Vec<Option<SignedGame>>>;

/// The text of the file.
///
/// # Errors
/// The store cannot be read, or the event does not fit into the format.
pub(crate) fn trf(reader: &Reader) -> Result<String, TrfError> {
    let identity = reader.begun()?.identity;
    let state = EventState::read(reader)?;
    let board = state.board();
    check(&state)?;
    let rounds = match board.round_games() {
        Some(rounds) => rounds.iter().flat_map(|own| game_by_game(own)).collect(),
        None => in_free_rounds(board.participants().len(), &games_of(reader, board)?),
    };
    let (mut days, mut last) = (BTreeMap::new(), None);
    for game in reader.games() {
        let game = game?.game;
        days.insert(game.id, day(game.started));
        last = last.max(Some(day(game.ended)));
    }
    let order = starting_order(&identity, board);
    let mut lines = tournament_lines(&state, &identity, days.values().min().copied().zip(last));
    lines.push(round_days(&rounds, &days));
    lines.push(format!("XXR {}", planned_rounds(board.contest(), &rounds)));
    lines.extend(player_lines(board, &order, &rounds)?);
    Ok(lines.into_iter().map(|line| line + "\r\n").collect())
}

/// Whether the event fits into the columns of the format.
fn check(state: &EventState) -> Result<(), TrfError> {
    let board = state.board();
    let players = board.participants();
    let standings = board.standings();
    let beyond = standings.iter().find(|row| row.points() > 99.5);
    let why = if state.roster().is_self_play() {
        "one engine plays itself: FIDE's report is about different players".to_owned()
    } else if players.len() > 9999 {
        let players = players.len();
        format!("FIDE's report has room for 9999 players, and there are {players}")
    } else if let Some(row) = beyond {
        let (name, points) = (&players[usize::from(row.engine)].name, row.points());
        format!("{name} has {points} points: FIDE's report has room for 99.5")
    } else {
        return Ok(());
    };
    Err(TrfError::Unfit(why))
}

/// A round of the event as rounds of the file.
fn game_by_game(round: &[Vec<SignedGame>]) -> FileRounds {
    let games = round.iter().map(Vec::len).max().unwrap_or(0);
    let nth = |game: usize| round.iter().map(|own| own.get(game).copied()).collect();
    (0..games).map(nth).collect()
}

/// The games that count, by places of White and Black, in the order of the plan, and those that are won without play.
fn games_of(reader: &Reader, board: &Scoreboard) -> Result<Vec<GameOfBoth>, TrfError> {
    let mut games = BTreeMap::new();
    let mut take = |id, seats: [Seat; 2], outcome: &Outcome, is_played| {
        let scores = outcome.scores();
        games.extend(scores.map(|scores| (id, (seats, signs(scores, is_played)))));
    };
    for result in reader.results() {
        let result = result?;
        take(result.id, result.seats, &result.outcome, true);
    }
    for award in reader.awards()? {
        take(award.id, award.seats, &award.outcome, false);
    }
    games.retain(|_, (seats, _)| !board.fault_counts().annuls(*seats));
    let counted = games.into_iter().map(|(id, (seats, signs))| {
        let places = seats.map(|seat| board.place_of(seat.engine));
        (places, Some(id), signs)
    });
    let walkovers = board.fault_counts().walkovers();
    let walkovers = walkovers.flat_map(|(winner, loser, games)| {
        let places = [winner, loser].map(|engine| board.place_of(engine));
        (0..games).map(move |_| (places, None, ['+', '-']))
    });
    let all = counted.chain(walkovers).filter_map(|(places, id, signs)| {
        let places = [places[0]?, places[1]?];
        Some((places, SignedGame::both(id, places, signs)))
    });
    Ok(all.collect())
}

fn in_free_rounds(count: usize, games: &[GameOfBoth]) -> FileRounds {
    let mut rounds: FileRounds = Vec::new();
    for ([one, other], both) in games {
        let is_free =
            |round: &Vec<Option<SignedGame>>| round[*one].is_none() && round[*other].is_none();
        let at = rounds.iter().position(is_free).unwrap_or(rounds.len());
        if at == rounds.len() {
            rounds.push(vec![None; count]);
        }
        [rounds[at][*one], rounds[at][*other]] = both.map(Some);
    }
    rounds
}

/// The places of the participants by their starting numbers: seeds, where the event has them.
fn starting_order(identity: &EventIdentity, board: &Scoreboard) -> Vec<usize> {
    let swiss = identity.swiss.as_ref().map(|rules| &rules.seeds);
    let tree = identity.elimination.as_ref().map(|rules| &rules.seeds);
    let seeds = swiss.or(tree).into_iter().flatten();
    let seeded = seeds.filter_map(|engine| board.place_of(*engine));
    let mut known = BTreeSet::new();
    let all = seeded.chain(0..board.participants().len());
    all.filter(|place| known.insert(*place)).collect()
}

fn tournament_lines(
    state: &EventState,
    identity: &EventIdentity,
    days: Option<(Date, Date)>,
) -> Vec<String> {
    let roster = state.roster();
    let variant = roster.variant.name();
    let kind = match identity.format {
        FormatWord::Match => "Match",
        FormatWord::RoundRobin => "Round-Robin",
        FormatWord::Gauntlet => "Gauntlet",
        FormatWord::Knockout => "Knock-Out",
        FormatWord::DoubleElimination => "Double elimination",
        FormatWord::Ladder => "Ladder",
        FormatWord::Swiss => "Swiss System",
        FormatWord::Stages => "Several stages",
    };
    let mut known = BTreeSet::new();
    let engines = identity.engines.iter();
    let limits = engines.map(|engine| engine.limits.to_string());
    let limits: Vec<String> = limits.filter(|own| known.insert(own.clone())).collect();
    let date = |date: Date| date.strftime("%Y/%m/%d").to_string();
    let (first, last) =
        days.map_or_else(Default::default, |(first, last)| (date(first), date(last)));
    [
        ("012", roster.event.clone()),
        ("022", roster.site.replace('?', "")),
        ("042", first),
        ("052", last),
        ("062", roster.participants.len().to_string()),
        ("072", "0".to_owned()),
        ("092", format!("Individual: {kind} ({variant})")),
        ("122", limits.join("; ")),
    ]
    .map(|(number, text)| format!("{number} {}", ascii(&text)).trim_end().to_owned())
    .into()
}

/// The day of every round, under its results.
fn round_days(rounds: &FileRounds, days: &BTreeMap<GameId, Date>) -> String {
    let of_round = |round: &Vec<Option<SignedGame>>| {
        let games = round.iter().flatten().filter_map(|own| own.game);
        let first = games.filter_map(|game| days.get(&game)).min();
        first.map_or_else(String::new, |day| day.strftime("%y/%m/%d").to_string())
    };
    let all = rounds
        .iter()
        .map(|round| format!("  {:>8}", of_round(round)));
    let all: String = all.collect();
    format!("{:<89}{all}", "132").trim_end().to_owned()
}

/// The rounds of the file when all is played.
fn planned_rounds(contest: Option<&Contest>, rounds: &FileRounds) -> usize {
    let left = contest.map_or(0, |contest| {
        let last = u32::from(contest.history().last_round());
        let planned = contest.planned_rounds().unwrap_or(0);
        2 * planned.saturating_sub(last) * contest.planned_pairs(1)
    });
    rounds.len() + left as usize
}

fn player_lines(
    board: &Scoreboard,
    order: &[usize],
    rounds: &FileRounds,
) -> Result<Vec<String>, TrfError> {
    let mut numbers = vec![0; order.len()];
    for (number, place) in (1..).zip(order) {
        numbers[*place] = number;
    }
    let standings = board.standings();
    let mut lines = Vec::new();
    for place in order {
        let mut own = standings.iter();
        let own = own.find(|row| usize::from(row.engine) == *place);
        let (points, rank) = own.map_or((0.0, 0), |row| (row.points(), row.place));
        let games = rounds.iter().map(|round| round[*place]);
        let half_points: u32 = games.clone().flatten().map(SignedGame::half_points).sum();
        let sum = f64::from(half_points) / 2.0;
        let name = &board.participants()[*place].name;
        if (sum - points).abs() > 0.25 {
            return Err(TrfError::Unfit(format!(
                "the games of {name} give {sum} points, and the table has {points}"
            )));
        }
        let name: String = ascii(name).chars().take(33).collect();
        let results: String = games.map(|game| result(game, &numbers)).collect();
        let line = format!(
            "001 {:>4} {:4} {name:<33} {:4} {:3} {:11} {:10} {points:>4.1} {rank:>4}{results}",
            numbers[*place], "", "", "", "", ""
        );
        lines.push(line.trim_end().to_owned());
    }
    Ok(lines)
}

/// Ten characters: the opponent, the colour, the result.
fn result(game: Option<SignedGame>, numbers: &[usize]) -> String {
    let words = |game: SignedGame| match game.against {
        Some((opponent, color)) => {
            let color = ['w', 'b'][color.index()];
            format!("  {:>4} {color} {}", numbers[opponent], game.sign)
        }
        None => format!("  0000 - {}", game.sign),
    };
    game.map_or(" ".repeat(10), words)
}

/// The columns are counted in characters by some readers and in bytes by others.
fn ascii(text: &str) -> String {
    text.replace(|character| !matches!(character, ' '..='~'), "?")
}

fn day(moment: UnixMillis) -> Date {
    let moment = jiff::Timestamp::from_millisecond(moment.0).unwrap_or_default();
    moment.to_zoned(TimeZone::UTC).date()
}
