//! What the store costs: games of 80 plies written durably, and read back.
//!
//! The folder is made in the system's folder for temporary files
//! (`TMPDIR`), so the disk measured is that one.

use std::hint::black_box;
use std::path::Path;
use std::sync::mpsc::channel;
use std::time::Duration;

use arbiter960::chess::{Position, StartNumber};
use arbiter960::clock::Stamp;
use arbiter960::internal::event::{GameId, PairId, PlayedGame, Seat, UnixMillis};
use arbiter960::internal::referee::{Breaches, DrawnBy, GameRecord, MoveRecord, Outcome, Thinking};
use arbiter960::internal::store::{Reader, Store, StoreNotice};
use arbiter960::uci::Score;
use measure::measure;

mod measure;

const PLIES: usize = 80;
const GAMES: u64 = 1000;
const RESULTS: u64 = 1_000_000;

/// A game of legal moves, with `info` lines as an engine at ten thousand nodes has them.
fn game(pair: u64, plies: usize) -> PlayedGame {
    let start = Position::standard();
    let mut position = start.clone();
    let moves = (0..plies).map_while(|ply| {
        let legal = position.legal_moves();
        let chess_move = *legal.get((ply * 7 + pair as usize * 13) % legal.len().max(1))?;
        position.play(chess_move);
        let sent = Stamp(1_234_567_890_123 + ply as u64 * 5_000_000);
        Some(MoveRecord {
            received: Stamp(sent.0 + 4_987_654),
            clock: Some(Duration::from_nanos(59_123_456_789)),
            nodes_limit: Some(10_000),
            thinking: thinking(ply),
            ..MoveRecord::new(chess_move, sent)
        })
    });
    let record = GameRecord {
        moves: moves.collect(),
        start,
        opening: Vec::new(),
        outcome: Outcome::Drawn(DrawnBy::ThreefoldRepetition),
        faults: Vec::new(),
        breaches: [Breaches::default(); 2],
        dialogue: None,
    };
    let seat = |engine| Seat { engine, copy: 0 };
    PlayedGame {
        id: GameId {
            pair: PairId(pair / 2),
            game: (pair % 2) as u8,
        },
        cycle: 0,
        number: Some(StartNumber((pair % 960) as u32)),
        seats: [seat(0), seat(1)],
        started: UnixMillis(1_700_000_000_000),
        ended: UnixMillis(1_700_000_001_000),
        record,
    }
}

fn thinking(ply: usize) -> Thinking {
    Thinking {
        score: Some(Score::Centipawns(ply as i32 - 40)),
        wdl: Some([123, 456, 421]),
        depth: Some(11),
        seldepth: Some(17),
        nodes: Some(10_123),
        nps: Some(1_987_654),
        hashfull: Some(123),
        tbhits: Some(0),
        time_ms: Some(5),
        pv: "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1h1 f8e7".to_owned(),
        bound: None,
    }
}

/// Writes these games and returns when the last is durable.
fn write(folder: &Path, games: Vec<PlayedGame>) {
    let (sender, notices) = channel();
    let announce = Box::new(move |notice| {
        if let StoreNotice::Committed(games) = notice {
            // The bench may have seen enough; the store need not know.
            let _seen_enough = sender.send(games.len());
        }
    });
    let store = Store::open(folder, announce).expect("a new event");
    let mut missing = games.len();
    games.into_iter().for_each(|game| store.submit(game));
    while missing > 0 {
        missing -= notices.recv().expect("the writer lives");
    }
    store.close().expect("a whole disk");
}

fn games() -> Vec<PlayedGame> {
    (0..GAMES).map(|pair| game(pair, PLIES)).collect()
}

fn writing() {
    let games = games();
    measure(
        &format!("write {GAMES} games of {PLIES} plies"),
        || {
            (
                tempfile::tempdir().expect("a temporary folder"),
                games.clone(),
            )
        },
        |(folder, games)| {
            write(folder.path(), games);
            folder
        },
    );
}

fn reading() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(folder.path(), games());
    let reader = Reader::open(folder.path()).expect("an event");
    measure(
        &format!("read {GAMES} games of {PLIES} plies, moves checked"),
        || (),
        |()| {
            reader
                .games()
                .filter(|game| black_box(game).is_ok())
                .count()
        },
    );
}

fn results() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for part in 0..RESULTS / 10_000 {
        let pairs = part * 10_000..(part + 1) * 10_000;
        write(folder.path(), pairs.map(|pair| game(pair, 1)).collect());
    }
    let reader = Reader::open(folder.path()).expect("an event");
    measure(
        &format!("read {RESULTS} results"),
        || (),
        |()| {
            reader
                .results()
                .filter(|result| black_box(result).is_ok())
                .count()
        },
    );
}

fn main() {
    writing();
    reading();
    results();
}
