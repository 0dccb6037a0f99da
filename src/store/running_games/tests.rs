use super::*;
use crate::chess::{Position, UciDialect};
use crate::clock::Stamp;
use crate::event::{PairId, Seat};
use crate::referee::{GameRecord, Outcome, VoidReason};

const MOVES: [&str; 6] = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"];

fn begun() -> PlayedGame {
    PlayedGame {
        id: GameId {
            pair: PairId(16),
            game: 1,
        },
        cycle: 0,
        number: None,
        seats: [0, 1].map(|engine| Seat { engine, copy: 0 }),
        started: UnixMillis(1_000),
        ended: UnixMillis(1_000),
        record: GameRecord {
            start: Position::standard(),
            opening: Vec::new(),
            moves: Vec::new(),
            outcome: Outcome::Void(VoidReason::Interrupted),
            faults: Vec::new(),
            breaches: Default::default(),
            dialogue: None,
        },
    }
}

fn moves() -> Vec<MoveRecord> {
    let mut position = Position::standard();
    let record = |(nth, text): (u64, &str)| {
        let chess_move = position.parse_uci(text, UciDialect::Chess960).unwrap();
        position.play(chess_move);
        MoveRecord {
            received: Stamp(nth * 1_000 + 7),
            clock: Some(Duration::from_micros(60_000_000 - nth)),
            ..MoveRecord::new(chess_move, Stamp(nth * 1_000))
        }
    };
    (0..).zip(MOVES).map(record).collect()
}

/// A folder with the file of a game of all these moves, and its bytes.
fn written() -> (tempfile::TempDir, RunningGameFiles, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let files = RunningGameFiles::of_event(folder.path());
    let mut file = files.begin(3, &begun()).unwrap();
    assert_eq!(files.recorded(begun().id), None, "no move was made");
    for (at, played) in (2_000..).zip(moves()) {
        let breaches = Default::default();
        file.write(UnixMillis(at), &[played], breaches).unwrap();
        file.sync()().unwrap();
    }
    let mut bytes = fs::read(files.path(begun().id)).unwrap();
    assert_eq!(bytes.len(), ROOM);
    bytes.truncate(bytes.iter().rposition(|byte| *byte != 0).unwrap() + 1);
    (folder, files, bytes)
}

/// What is read is the beginning of what was played; how many moves of it.
fn assert_beginning(recorded: Option<&RecordedGame>) -> usize {
    let Some(recorded) = recorded else {
        return 0;
    };
    let read = &recorded.game.record.moves;
    assert_eq!(*read, moves()[..read.len()]);
    assert_eq!((recorded.identity, recorded.game.id), (3, begun().id));
    read.len()
}

#[test]
fn a_file_that_is_cut_anywhere_has_every_whole_line_and_can_be_continued() {
    let (_folder, files, bytes) = written();
    let path = files.path(begun().id);
    let is_end = |at: usize| bytes.get(at) == Some(&b'\n');
    let cuts =
        (0..=bytes.len()).filter(|at| at % 23 == 0 || is_end(*at) || *at > 0 && is_end(at - 1));
    for length in cuts {
        fs::write(&path, &bytes[..length]).unwrap();
        let whole = bytes[..length].iter().filter(|byte| **byte == b'\n');
        let recorded = files.recorded(begun().id);
        let read = assert_beginning(recorded.as_ref());
        assert_eq!(read, whole.count().saturating_sub(1));
        let Some(recorded) = recorded else {
            continue;
        };
        let away = UnixMillis(recorded.game.ended.0 + 750);
        let mut file = files.go_on(&recorded, away).unwrap();
        for played in &moves()[read..] {
            let breaches = Default::default();
            file.write(away, std::slice::from_ref(played), breaches)
                .unwrap();
        }
        let again = files.recorded(begun().id).unwrap();
        let mut expected = moves();
        expected[read - 1].interruptions = vec![Duration::from_millis(750)];
        assert_eq!(again.game.record.moves, expected);
        assert_eq!(files.all(), [again]);
    }
}

#[test]
fn what_follows_an_altered_byte_does_not_count() {
    let (_folder, files, bytes) = written();
    let path = files.path(begun().id);
    let ends: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] == b'\n').collect();
    for at in 0..bytes.len() {
        let mut altered = bytes.clone();
        altered[at] ^= 1 << (at % 8);
        fs::write(&path, altered).unwrap();
        let whole = ends.iter().filter(|end| **end < at).count();
        let read = assert_beginning(files.recorded(begun().id).as_ref());
        assert!(read <= whole.saturating_sub(1), "byte {at}");
    }
    // Lines that are whole, and of another place.
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    fs::write(&path, [lines[0], lines[1], lines[3], lines[2]].concat()).unwrap();
    assert_eq!(assert_beginning(files.recorded(begun().id).as_ref()), 1);
}
