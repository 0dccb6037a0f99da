//! Writing and reading PGN: games written per second, tags read, and moves replayed with full
//! legality, on one core and by `verify` on all.
//!
//! `cargo bench --bench pgn -- [FILE.pgn…]`; without files the package's own 96 games are
//! written with comments and read back. Every text is repeated to about 64 MB. `-- write FILE` writes that text, for
//! measuring other programs.

use std::path::Path;
use std::time::{Duration, Instant};

use arbiter960::chess::start::Variant;
use arbiter960::chess::{Color, Position, UciDialect};
use arbiter960::clock::Stamp;
use arbiter960::internal::event::{GameId, PairId, PlayedGame, Seat, UnixMillis};
use arbiter960::internal::referee::{Breaches, GameRecord, MoveRecord, Outcome, Thinking, WonBy};
use arbiter960::pgn::{EngineTags, EventTags, PgnReader, write_game};
use arbiter960::uci::Score;
use arbiter960::verify::{Options, verify};

/// How long a text is read.
const BYTES: usize = 64 << 20;
/// Rounds of each measurement; the median counts.
const ROUNDS: usize = 5;
/// Plies of each game that is written.
const PLIES: usize = 80;

fn main() {
    let files: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let games = recorded_games();
    if let [word, file] = &files[..]
        && word == "write"
    {
        let text = repeated(&written(&games));
        std::fs::write(file, text).unwrap_or_else(|error| panic!("{file}: {error}"));
        return;
    }
    measure_writing(&games);
    if files.is_empty() {
        measure_reading("own games", &written(&games));
    }
    for file in &files {
        let text = std::fs::read(file).unwrap_or_else(|error| panic!("{file}: {error}"));
        let name = Path::new(file)
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        measure_reading(&name, &text);
    }
}

fn measure_writing(games: &[PlayedGame]) {
    let event = event();
    let mut out = String::new();
    let mut bytes = 0;
    let repeats = 20;
    let time = median(|| {
        bytes = 0;
        for game in games.iter().cycle().take(games.len() * repeats) {
            out.clear();
            write_game(&mut out, &event, game);
            bytes += out.len();
        }
    });
    let count = (games.len() * repeats) as f64;
    let plies: usize = games.iter().map(|game| game.record.plies()).sum();
    println!(
        "write: {:.0} games/s of {:.1} plies, {:.0} MB/s",
        count / time.as_secs_f64(),
        plies as f64 / games.len() as f64,
        megabytes(bytes) / time.as_secs_f64()
    );
}

fn measure_reading(name: &str, text: &[u8]) {
    let text = repeated(text);
    let (mut games, mut moves) = (0u64, 0u64);
    let tags = median(|| games = read_tags(&text));
    let replayed = median(|| moves = replay(&text));
    let verified = median(|| assert_eq!(verify_all(&text), moves));
    let speed = |time: Duration| megabytes(text.len()) / time.as_secs_f64();
    println!(
        "{name}: {:.0} MB, {games} games, {moves} moves",
        megabytes(text.len())
    );
    println!(
        "  tags: {:.0} MB/s, {:.0} games/s",
        speed(tags),
        games as f64 / tags.as_secs_f64()
    );
    let rate = |what: &str, time: Duration| {
        let moves = moves as f64 / time.as_secs_f64() / 1e6;
        println!(
            "  {what}: {:.0} MB/s, {moves:.2} million moves/s",
            speed(time)
        );
    };
    rate("replay, one core", replayed);
    rate("verify, all cores", verified);
}

fn repeated(text: &[u8]) -> Vec<u8> {
    text.repeat((BYTES / text.len()).max(1))
}

/// Results and names of all games, as statistics need them.
fn read_tags(text: &[u8]) -> u64 {
    let mut reader = PgnReader::new(text);
    let mut games = 0;
    while let Some(game) = reader.next_game() {
        let game = game.expect("a game");
        let known = ["White", "Black", "Result", "FEN"].map(|name| game.tag(name).is_some());
        games += u64::from(known[0]);
    }
    games
}

fn replay(text: &[u8]) -> u64 {
    let mut reader = PgnReader::new(text);
    let mut moves = 0;
    while let Some(game) = reader.next_game() {
        let mut replay = game.expect("a game").replay().expect("a start position");
        replay.finish().expect("legal moves");
        moves += u64::from(replay.plies());
    }
    moves
}

/// What `arbiter960 verify` does; nothing is wrong with these games.
fn verify_all(text: &[u8]) -> u64 {
    let summary = verify(text, Options::default(), |_| {}).expect("memory can be read");
    summary.moves
}

fn median(mut action: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let begun = Instant::now();
            action();
            begun.elapsed()
        })
        .collect();
    times.sort();
    times[ROUNDS / 2]
}

fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}

fn written(games: &[PlayedGame]) -> Vec<u8> {
    let mut out = String::new();
    games
        .iter()
        .for_each(|game| write_game(&mut out, &event(), game));
    out.into_bytes()
}

fn event() -> EventTags {
    let engine = |name: &str| EngineTags {
        name: name.to_owned(),
        version: Some(format!("{name} 1.0")),
        options: vec![
            ("Threads".to_owned(), "1".to_owned()),
            ("Hash".to_owned(), "16".to_owned()),
        ],
        time_control: "10+0.1".to_owned(),
    };
    let engines = vec![engine("White"), engine("Black")];
    EventTags::new("Benchmark", "?", Variant::Chess960, engines)
}

/// The recorded games, each cut after 80 plies.
fn recorded_games() -> Vec<PlayedGame> {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/games/games-96.jsonl"
    );
    let text = std::fs::read_to_string(file).expect("the test data belong to the package");
    (0..)
        .zip(text.lines())
        .map(|(number, line)| recorded_game(number, line))
        .collect()
}

fn recorded_game(number: u64, line: &str) -> PlayedGame {
    let fields: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
    let start = Position::from_fen(fields["fen"].as_str().expect("a FEN")).expect("legal");
    let mut position = start.clone();
    let mut moves = Vec::new();
    for uci in fields["uci"].as_array().expect("moves").iter().take(PLIES) {
        let uci = uci.as_str().expect("a move");
        let chess_move = position
            .parse_uci(uci, UciDialect::Chess960)
            .expect("a legal move");
        position.play(chess_move);
        moves.push(move_record(moves.len() as u64, chess_move));
    }
    let how = WonBy::ScoreAdjudication;
    PlayedGame {
        id: GameId {
            pair: PairId(number / 2),
            game: (number % 2) as u8,
        },
        cycle: 0,
        number: None,
        seats: [Seat { engine: 0, copy: 0 }, Seat { engine: 1, copy: 0 }],
        started: UnixMillis(1_606_148_307_275),
        ended: UnixMillis(1_606_148_400_000),
        record: GameRecord {
            start,
            opening: Vec::new(),
            moves,
            outcome: Outcome::Won {
                by: Color::White,
                how,
            },
            faults: Vec::new(),
            breaches: [Breaches::default(); 2],
            dialogue: None,
        },
    }
}

fn move_record(ply: u64, chess_move: arbiter960::chess::Move) -> MoveRecord {
    let sent = Stamp(ply * 1_000_000_000);
    MoveRecord {
        received: sent + Duration::from_millis(100 + ply),
        clock: Some(Duration::from_millis(600_000 - 10 * ply)),
        thinking: Thinking {
            score: Some(Score::Centipawns(ply as i32 * 7 - 300)),
            depth: Some(18),
            seldepth: Some(24),
            nodes: Some(1_234_567 + ply),
            ..Thinking::default()
        },
        ..MoveRecord::new(chess_move, sent)
    }
}
