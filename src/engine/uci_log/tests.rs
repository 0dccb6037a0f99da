use std::fs;

use super::*;

#[test]
fn lines_are_whole_and_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let out = Box::new(LogFolder::new(folder.path()));
    let (uci_log, writer) = UciLog::begin(out, Epoch::begin()).unwrap();
    let [mut runner, mut engine, mut stderr] = uci_log.engine_logs("lane-1", "../A b");
    runner.note(b"uci\nisready\n");
    engine.note(b"id name \x1b[2J");
    stderr.note(b"oh\n");
    engine.note(b"x\r\nunended");
    drop((uci_log, runner, engine, stderr));
    writer.join().unwrap();
    let file = folder.path().join(FOLDER).join("lane-1-.._A_b.uci");
    let text = fs::read_to_string(file).unwrap();
    let said: Vec<&str> = text
        .lines()
        .map(|line| line.split_once(' ').unwrap().1)
        .collect();
    let expected = [
        "> uci",
        "> isready",
        "! oh",
        r"< id name \u{1b}[2Jx",
        "< unended",
    ];
    assert_eq!(said, expected);
}

#[test]
fn a_line_is_not_continued_by_the_next_process_of_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let out = Box::new(LogFolder::new(folder.path()));
    let (uci_log, writer) = UciLog::begin(out, Epoch::begin()).unwrap();
    let [_, mut first, _] = uci_log.engine_logs("lane-1", "A");
    first.note(b"info dep");
    drop(first);
    let [_, mut second, _] = uci_log.engine_logs("lane-1", "A");
    second.note(b"uciok\n");
    drop((uci_log, second));
    writer.join().unwrap();
    let text = fs::read_to_string(folder.path().join(FOLDER).join("lane-1-A.uci")).unwrap();
    let said: Vec<&str> = text
        .lines()
        .map(|line| line.split_once(' ').unwrap().1)
        .collect();
    assert_eq!(said, ["< info dep", "< uciok"]);
}

#[test]
fn what_the_disk_cannot_take_is_dropped_and_counted() {
    let (sender, _receiver) = channel();
    let uci_log = UciLog {
        sender,
        waiting: Arc::default(),
        dropped: Arc::default(),
        processes: Arc::default(),
        epoch: Epoch::begin(),
    };
    let [_, mut engine_log, _] = uci_log.engine_logs("lane-1", "A");
    let half = vec![b'x'; MAX_PENDING_BYTES / 2 - LINE_OVERHEAD_BYTES];
    (0..3).for_each(|_| engine_log.note(&half));
    assert_eq!(uci_log.waiting.load(Ordering::Relaxed), MAX_PENDING_BYTES);
    let dropped = uci_log.dropped.load(Ordering::Relaxed);
    assert_eq!(dropped, half.len() as u64);
}
