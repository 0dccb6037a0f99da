//! What the writer writes, the reader reads back, and `verify` finds true.

use std::time::Duration;

use arbiter960::chess::start::{self, Variant};
use arbiter960::chess::{Color, Move, Position, UciDialect};
use arbiter960::clock::Stamp;
use arbiter960::internal::event::{GameId, PairId, PlayedGame, Seat, UnixMillis};
use arbiter960::internal::referee::{
    Breaches, DrawnBy, Fault, FaultKind, GameRecord, MoveRecord, Outcome, Thinking, WonBy,
};
use arbiter960::internal::text::is_harmful;
use arbiter960::pgn::{Annotations, EngineTags, EventTags, PgnReader, Step, write_game};
use arbiter960::uci::Score;
use arbiter960::verify::{Options, verify};
use proptest::prelude::*;

use super::sample_games::finished;
use super::support::{assert_has, assert_lacks};
use super::{data, study};

fn engine(name: &str) -> EngineTags {
    EngineTags {
        name: name.to_owned(),
        version: Some(format!("{name} 1.0")),
        options: vec![("Hash".to_owned(), "16".to_owned())],
        time_control: "10+0.1".to_owned(),
    }
}

fn event(white: &str, black: &str) -> EventTags {
    let engines = vec![engine(white), engine(black)];
    EventTags::new("Round trip", "?", Variant::Chess960, engines)
}

/// A move with everything a comment can have.
fn played(ply: u64, chess_move: Move) -> MoveRecord {
    let sent = Stamp(ply * 1_000_000_000);
    MoveRecord {
        received: sent + Duration::from_millis(100 + ply),
        taken: Duration::from_millis(10 * (ply % 3)),
        clock: Some(Duration::from_millis(600_000 - 10 * ply)),
        thinking: Thinking {
            score: Some(Score::Centipawns(ply as i32 * 7 - 300)),
            depth: Some(18),
            seldepth: Some(24),
            nodes: Some(123_456),
            ..Thinking::default()
        },
        interruptions: vec![Duration::from_millis(750 * ply); (ply % 7 / 5) as usize],
        ..MoveRecord::new(chess_move, sent)
    }
}

/// A game of the first pair, White being engine 0; the first `opening` moves are the book's.
fn game(start: Position, moves: &[Move], opening: usize, outcome: Outcome) -> PlayedGame {
    let number = start::number_of(Variant::Chess960, &start);
    let engine_moves = (0..).zip(&moves[opening..]);
    let (pair, game) = (PairId(16), 1);
    let id = GameId { pair, game };
    PlayedGame {
        id,
        cycle: 0,
        number,
        seats: [Seat { engine: 0, copy: 0 }, Seat { engine: 1, copy: 0 }],
        started: UnixMillis(1_606_148_307_275),
        ended: UnixMillis(1_606_148_400_000),
        record: GameRecord {
            start,
            opening: moves[..opening].to_vec(),
            moves: engine_moves.map(|(ply, &mv)| played(ply, mv)).collect(),
            outcome,
            faults: Vec::new(),
            breaches: [Breaches::default(); 2],
            dialogue: None,
        },
    }
}

/// The 96 games of the test data.
fn recorded_games() -> Vec<PlayedGame> {
    let games = data("games/games-96.jsonl");
    games.lines().map(recorded_game).collect()
}

fn recorded_game(line: &str) -> PlayedGame {
    let fields: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
    let text = |key: &str| fields[key].as_str().expect("a text");
    let start = Position::from_fen(text("fen")).expect("a start position");
    let mut position = start.clone();
    let mut moves = Vec::new();
    for uci in fields["uci"].as_array().expect("moves") {
        let uci = uci.as_str().expect("a move");
        let chess_move = position.parse_uci(uci, UciDialect::Chess960);
        moves.push(chess_move.expect("a legal move"));
        position.play(*moves.last().expect("just pushed"));
    }
    let how = WonBy::Checkmate;
    let [white, black] = Color::ALL.map(|by| Outcome::Won { by, how });
    let outcome = match (text("result"), text("reason")) {
        ("1-0", _) => white,
        ("0-1", _) => black,
        (_, "threefold") => Outcome::Drawn(DrawnBy::ThreefoldRepetition),
        (_, "fifty moves") => Outcome::Drawn(DrawnBy::FiftyMoves),
        (_, "insufficient material") => Outcome::Drawn(DrawnBy::DeadPosition),
        other => panic!("unknown ending {other:?}"),
    };
    game(start, &moves, 4.min(moves.len()), outcome)
}

fn written(event: &EventTags, games: &[PlayedGame]) -> String {
    let mut text = String::new();
    for game in games {
        write_game(&mut text, event, game);
    }
    text
}

/// Start position and moves of every game of a text.
fn read_back(text: &str) -> Vec<(Position, Vec<Move>)> {
    let mut reader = PgnReader::new(text.as_bytes());
    let mut games = Vec::new();
    while let Some(game) = reader.next_game() {
        let mut replay = game.expect("a game").replay().expect("a start position");
        replay.finish().expect("legal moves");
        let start = replay.start().position.clone();
        games.push((start, replay.game().moves().to_vec()));
    }
    games
}

#[test]
fn recorded_games_come_back_move_for_move() {
    let games = recorded_games();
    let text = written(&event("ethereal", "fairy"), &games);
    let is_short = |line: &str| line.len() < 80 || line.starts_with('[');
    assert!(text.lines().all(is_short));
    let records = games.into_iter().map(|game| game.record);
    let expected = records.map(|record| (record.start.clone(), record.all_moves().collect()));
    assert_eq!(read_back(&text), expected.collect::<Vec<_>>());
}

#[test]
fn recorded_games_are_true() {
    let text = written(&event("ethereal", "fairy"), &recorded_games());
    let mut findings = Vec::new();
    let summary = verify(text.as_bytes(), Options::default(), |finding| {
        findings.push(finding.to_string())
    });
    assert_eq!(findings, [""; 0]);
    assert_eq!(summary.expect("a text can be read").games, 96);
}

#[test]
fn scores_and_clocks_come_back() {
    let game = recorded_games().swap_remove(0);
    let text = written(&event("a", "b"), std::slice::from_ref(&game));
    let mut reader = PgnReader::new(text.as_bytes());
    let read = reader.next_game().expect("a game").expect("readable");
    let mut replay = read.replay().expect("FEN");
    let mut comments = Vec::new();
    while let Some(step) = replay.next_step() {
        if let Step::Comment(comment) = step.expect("legal") {
            comments.push(Annotations::parse(comment));
        }
    }
    let (book, rest) = comments.split_at(game.record.opening.len());
    assert!(
        book.iter()
            .all(|comment| *comment == Annotations::default())
    );
    for (ply, (comment, played)) in (0..).zip(rest.iter().zip(&game.record.moves)) {
        // From White's side.
        let sign = if ply % 2 == 0 { 1 } else { -1 };
        let score = Score::Centipawns(sign * (ply * 7 - 300));
        assert_eq!(comment.evaluation, Some(score), "ply {ply}");
        assert_eq!(comment.clock, played.clock, "ply {ply}");
        assert_eq!(comment.charged, Some(played.charged()), "ply {ply}");
        let elapsed = Some(played.elapsed()).filter(|_| !played.taken.is_zero());
        assert_eq!(comment.elapsed, elapsed, "ply {ply}");
        assert_eq!(comment.depth, Some(18));
    }
}

#[test]
fn the_tags_are_those_of_the_contract() {
    let start = start::position(Variant::Chess960, start::StartNumber(0)).expect("start 0");
    let (by, how) = (Color::White, WonBy::Forfeit(FaultKind::IllegalMove));
    let mut game = game(start, &[], 0, Outcome::Won { by, how });
    game.record.faults.push(Fault {
        side: Color::Black,
        kind: FaultKind::IllegalMove,
        ply: 0,
        at: Stamp(0),
        detail: "bestmove {e1g1}\n is no move".to_owned(),
        stderr: None,
        evidence: None,
    });
    insta::assert_snapshot!(written(&event("White \"W\"", "Black\\"), &[game]));
}

#[test]
fn self_play_names_the_copies_and_odds_both_clocks() {
    let drawn = Outcome::Drawn(DrawnBy::LengthAdjudication);
    let mut game = game(Position::standard(), &[], 0, drawn);
    let mut event = event("one", "two");
    event.variant = Variant::Standard;
    event.engines[1].time_control = "1+0.01".to_owned();
    let odds = written(&event, std::slice::from_ref(&game));
    assert_has(
        &odds,
        ["[WhiteTimeControl \"10+0.1\"]\n[BlackTimeControl \"1+0.01\"]\n"],
    );
    assert_lacks(&odds, ["[FEN ", "[Variant "]);
    game.seats = [Seat { engine: 0, copy: 1 }, Seat { engine: 0, copy: 0 }];
    let copies = written(&event, &[game]);
    let tags = [
        "[WhiteCopy \"2\"]\n",
        "[BlackCopy \"1\"]\n",
        "[TimeControl \"10+0.1\"]\n",
    ];
    assert_has(&copies, tags);
}

#[test]
fn the_variant_tag_is_there_only_where_readers_need_it() {
    let start = start::position(Variant::Chess960, start::StartNumber(7)).expect("start 7");
    let game = game(start, &[], 0, Outcome::Drawn(DrawnBy::LengthAdjudication));
    let tag = |variant, variant_tag: Option<&str>| {
        let mut tags = event("a", "b");
        tags.variant = variant;
        tags.variant_tag = variant_tag.map(str::to_owned);
        let text = written(&tags, std::slice::from_ref(&game));
        let mut reader = PgnReader::new(text.as_bytes());
        let game = reader.next_game().expect("a game").expect("readable");
        let value = |name| game.tag(name).map(|value| value.into_owned());
        (value("Variant"), value("StartVariant"))
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(tag(Variant::Dfrc, None), (some("Chess960"), some("dfrc")));
    let wanted = Some("fischerandom");
    let named = (some("fischerandom"), some("chess960"));
    assert_eq!(tag(Variant::Chess960, wanted), named);
    assert_eq!(tag(Variant::Chess480, wanted).0, some("Chess480"));
    assert_eq!(tag(Variant::Shuffle, None), (None, some("shuffle")));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(study::cases(64)))]

    #[test]
    fn any_name_and_any_game_come_back(
        name in "\\PC{0,20}[\"\\\\]?\\PC{0,20}",
        seed: u64,
    ) {
        let game = finished(seed % 1000, (seed % 2) as u8, seed, 40);
        let mut event = event(&name, &name);
        event.engines.resize(64, engine(&name));
        let text = written(&event, std::slice::from_ref(&game));
        let mut reader = PgnReader::new(text.as_bytes());
        {
            let read = reader.next_game().expect("a game").expect("readable");
            // Characters that nobody sees are left out.
            let seen: String = name.chars().filter(|&sign| !is_harmful(sign)).collect();
            let expected = if seen.is_empty() { "?" } else { seen.as_str() };
            let white = read.tag("White").map(|name| name.into_owned());
            prop_assert_eq!(white.as_deref(), Some(expected));
            prop_assert_eq!(read.result().map(|result| result.as_str()), Some(game.record.outcome.result()));
            let mut replay = read.replay().expect("a start position");
            replay.finish().expect("legal moves");
            prop_assert_eq!(replay.game().moves(), game.record.all_moves().collect::<Vec<_>>());
        }
        prop_assert!(reader.next_game().is_none());
        prop_assert_eq!(&text, &written(&event, &[game]));
    }
}
