//! The data of a page that is made from a PGN file. A file contains less than a store; what it does not contain is left
//! out, and the page reports that.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::Path;

use crate::analysis::{Collection, EventStatistics, Verdict};
use crate::chess::Color;
use crate::chess::start::number_of;
use crate::event::{GameId, PairId, Seat};
use crate::pgn::{self, PgnGame, PgnReader, RawGame, planned_id};
use crate::stats::counts::GameScore;
use crate::stats::games::{GameFlags, GameRow};
use crate::text::printable;
use crate::tournament::{CountedGame, GameEvidence, Participant, Roster, Scoreboard};

use super::facts::{EventFacts, GamesSource, MAX_GAMES, NOT_SAID, course, fit};
use super::games::{ListedGame, Packer, PlayedMoves, Timing};

/// A game of the file with its moves.
struct ReadGame {
    listed: ListedGame,
    /// Its pair and place from the tags, if they have them.
    key: Option<GameId>,
    game: PgnGame,
    event: String,
}

impl EventFacts {
    /// Reads a PGN file whose games are collected, with their places. A page that is shared by `events` carries the
    /// corresponding part of the games.
    ///
    /// # Errors
    /// The file cannot be read, or has changed since its games were collected.
    pub(crate) fn of_pgn(
        path: &Path,
        collection: &Collection,
        statistics: EventStatistics,
        events: usize,
    ) -> io::Result<EventFacts> {
        let participants = participants(collection);
        let seat = |engine: u16| participants[usize::from(engine)].seat;
        let finished = |(place, row): (u64, GameRow)| CountedGame {
            id: id(&row, place),
            seats: [row.white, row.black].map(seat),
            scores: [row.result, row.result.reversed()],
            evidence: (!row.flags.intersects(GameFlags::REPLAY)).then(|| GameEvidence {
                start: row.start.into(),
                copy_key: None,
            }),
        };
        let finished: Vec<CountedGame> = (0..).zip(collection.table.rows()).map(finished).collect();
        let mut board = Scoreboard::new(&participants);
        finished.iter().for_each(|game| board.add_counted(*game));
        let games = carried(path, collection, &finished, events)?;
        let roster = Roster {
            event: event_name(&games, path),
            variant: collection.starts.variant(),
            participants,
            ..Roster::default()
        };
        let (moves, timing) = packed(&games, &roster);
        let course = course(&finished, &roster, &statistics);
        let mut reasons = BTreeMap::new();
        for game in &games {
            *reasons.entry(game.listed.reason.clone()).or_default() += 1;
        }
        Ok(EventFacts {
            source: GamesSource::Pgn,
            path: path.to_path_buf(),
            flag_falls: None,
            roster,
            verdict: Verdict::of_games(&statistics),
            board,
            statistics,
            variations: None,
            timing,
            all_games: finished.len() as u64,
            games: games.into_iter().map(|game| game.listed).collect(),
            reasons,
            course,
            moves,
        })
    }
}

/// The engines of a file; an engine that plays itself has several copies.
fn participants(collection: &Collection) -> Vec<Participant> {
    let copies = if collection.self_play { 2 } else { 1 };
    let seat = |place: u16| Seat {
        engine: place / copies,
        copy: (place % copies) as u8,
    };
    let names = (0..).zip(collection.table.engines());
    let participant = |(place, name): (u16, &String)| Participant {
        seat: seat(place),
        name: name.clone(),
    };
    names.map(participant).collect()
}

/// The pair that the statistics have assigned; a game without a pair gets a single one after all others.
fn id(row: &GameRow, place: u64) -> GameId {
    let single = u64::from(u32::MAX) + place;
    GameId {
        pair: PairId(row.pair.map_or(single, u64::from)),
        game: u8::from(row.white > row.black),
    }
}

/// The games of a page that is shared by `events`, in the order of the file.
fn carried(
    path: &Path,
    collection: &Collection,
    finished: &[CountedGame],
    events: usize,
) -> io::Result<Vec<ReadGame>> {
    let rows: Vec<GameRow> = collection.table.rows().collect();
    // Those with a fault are taken first, then the others in the order of the file.
    let mut wanted: Vec<usize> = (0..rows.len()).collect();
    wanted.sort_by_key(|place| !rows[*place].flags.intersects(GameFlags::FORFEIT));
    wanted.truncate(MAX_GAMES / events);
    wanted.sort_unstable();
    let mut games = Vec::new();
    let mut file = PgnReader::new(pgn::open(path)?);
    let mut next = wanted.into_iter().peekable();
    while let Some(place) = next.peek().copied() {
        let Some(raw) = file.next_game() else {
            return Err(io::Error::other("it has changed while it was read"));
        };
        // Games that cannot be read are counted by the statistics.
        let Some(raw) = raw.ok() else { continue };
        if raw.number() != collection.places[place] {
            continue;
        }
        next.next();
        let game = read(&raw, &rows[place], &finished[place], collection);
        games.push(game.map_err(io::Error::other)?);
    }
    // Games without a fault are left out first, from the end of the file.
    games.sort_by_key(|game| (game.listed.fault.is_none(), game.listed.sequence));
    fit(&mut games, events, |game| game.listed.plies);
    games.sort_by_key(|game| game.listed.sequence);
    name_by_tags(&mut games);
    Ok(games)
}

/// One game with its moves, or what is wrong with it.
fn read(
    raw: &RawGame<'_>,
    row: &GameRow,
    finished: &CountedGame,
    collection: &Collection,
) -> Result<ReadGame, String> {
    let game = PgnGame::read(raw).map_err(|error| error.to_string())?;
    let (token, loser) = match row.result {
        GameScore::Win => ("1-0", Some(Color::Black)),
        GameScore::Draw => ("1/2-1/2", None),
        GameScore::Loss => ("0-1", Some(Color::White)),
    };
    let (reason, ending, fault) = match &game.ending {
        _ if raw.tag("Ruling").is_some() => {
            ("arbiter-ruling".into(), "arbiter ruling".into(), None)
        }
        Ok((outcome, _)) if outcome.white_score() == Some(row.result) => {
            // Of a draw only who is to move can be at fault.
            let side = loser.unwrap_or(game.to_move);
            (outcome.reason().into(), outcome.to_string(), Some(side))
        }
        Ok((outcome, _)) => {
            let words = format!("{token}, though the board says: {outcome}");
            ("not what the board says".into(), words, None)
        }
        Err(_) => {
            let word = raw.tag("Termination");
            let word = word.map(|tag| printable(tag.trim()).to_ascii_lowercase());
            let word = word.filter(|word| !word.is_empty() && word != "normal");
            let reason: Cow<'static, str> = word.map_or(NOT_SAID.into(), Cow::Owned);
            let ending = match loser {
                Some(side) => format!("{} wins: {reason}", !side),
                None => format!("draw: {reason}"),
            };
            (reason, ending, loser)
        }
    };
    let number = raw.number();
    Ok(ReadGame {
        key: planned_id(raw).filter(|key| raw.tag("Round").as_deref() == Some(&key.to_string())),
        listed: ListedGame {
            sequence: number,
            id: finished.id,
            round: number.to_string(),
            start: Some(row.start),
            // The statistics count a game from the end of its book; the list shows where it began.
            number: number_of(collection.starts.variant(), &game.start),
            seats: finished.seats,
            result: token,
            reason,
            ending,
            plies: game.plies,
            fault: fault.filter(|_| row.flags.intersects(GameFlags::FORFEIT)),
        },
        game,
        event: raw.tag("Event").unwrap_or_default().into_owned(),
    })
}

/// If every game has a unique pair and place in its tags, these become its name.
fn name_by_tags(games: &mut [ReadGame]) {
    let keys: HashSet<_> = games.iter().filter_map(|game| game.key).collect();
    if keys.len() == games.len() {
        for game in games.iter_mut() {
            game.listed.round = game.key.map_or_else(String::new, |key| key.to_string());
        }
    }
}

/// The event of the tags, if all games have the same; otherwise the file's name.
fn event_name(games: &[ReadGame], path: &Path) -> String {
    let mut names: Vec<&str> = games.iter().map(|game| game.event.as_str()).collect();
    names.dedup();
    match names.as_slice() {
        [name] if !matches!(*name, "" | "?") => (*name).to_owned(),
        _ => path.file_name().unwrap_or_default().display().to_string(),
    }
}

fn packed(games: &[ReadGame], roster: &Roster) -> (String, Timing) {
    let listed = games.iter().map(|game| &game.listed);
    let mut packer = Packer::new(listed);
    for game in games {
        let moves = &game.game.moves;
        let played = PlayedMoves {
            start: &game.game.start,
            book: &game.game.book,
            moves,
            // If no move took any time, the file does not contain times.
            is_timed: moves.iter().any(|played| !played.elapsed().is_zero()),
            has_clock: moves.iter().any(|played| played.clock.is_some()),
        };
        packer.add(&game.listed, roster, &played);
    }
    packer.finish()
}
