//! Recorded dialogues of real engines (`>` sent, `<` received), read through the line buffer.

use std::fs;
use std::path::PathBuf;

use arbiter960::uci::{InfoKind, InfoLine, LineBuffer, Message, OptionSet, Score, Thinking};

use super::support::{processor_time, table};

/// What one side of a recorded dialogue means.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Dialogue {
    pub name: String,
    pub options: OptionSet,
    pub uciok: usize,
    pub readyok: usize,
    pub best_moves: Vec<String>,
    /// depth and score of the last report of the first line before each best move
    pub verdicts: Vec<Option<(u32, Score)>>,
    /// the last nodes and milliseconds reported before each best move
    pub totals: Vec<(Option<u64>, Option<u64>)>,
}

/// What an engine sent, with the line ends of the file.
pub fn received(file: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/uci-transcripts");
    let text = fs::read_to_string(folder.join(file)).expect("recorded dialogue");
    text.split_inclusive('\n')
        .filter_map(|line| line.strip_prefix("< "))
        .collect()
}

fn read(bytes: &[u8], chunk: usize) -> Dialogue {
    let mut dialogue = Dialogue::default();
    let (mut buffer, mut principal, mut totals) = (LineBuffer::new(), String::new(), String::new());
    for part in bytes.chunks(chunk) {
        buffer.push(part);
        while let Some(line) = buffer.next_line() {
            match Message::parse(line.text) {
                Message::Info(info) => match info.kind() {
                    InfoKind::Principal => principal = info.text().to_owned(),
                    InfoKind::Totals | InfoKind::Bound => totals = info.text().to_owned(),
                    InfoKind::Secondary | InfoKind::Other => {}
                },
                message => dialogue.take(message, &mut principal, &mut totals),
            }
        }
    }
    dialogue
}

impl Dialogue {
    fn take(&mut self, message: Message<'_>, principal: &mut String, totals: &mut String) {
        match message {
            Message::Name(name) => self.name = name.to_owned(),
            Message::UciOk => self.uciok += 1,
            Message::ReadyOk => self.readyok += 1,
            Message::Option(option) => self.options.insert(option),
            Message::BestMove { text, .. } => {
                let mut report: Thinking = InfoLine::new(principal).parse();
                self.verdicts.push(report.depth.zip(report.score));
                report.update_totals(&InfoLine::new(totals).parse());
                self.totals.push((report.nodes, report.time_ms));
                self.best_moves.push(text.to_owned());
                principal.clear();
                totals.clear();
            }
            _ => {}
        }
    }
}

/// File, name, number of options, best moves.
const ENGINES: &str = "
chessidle.txt        | Chessidle 1.3.0            | 5  | c2c4 h2h4 (none)
ethereal.txt         | Ethereal 12.00             | 10 | b2b3 b2b3 b2b3 e1e8
fairy.txt            | Fairy-Stockfish 11.1 LB 64 | 25 | e2e3 b2b3 (none) e1e8
glaurung.txt         | Glaurung 2.2               | 58 | d1e3 b2b3 (none) e1e8
gnuchess.txt         | GNU Chess 6.2.7            | 20 | g1f3 g1f3 a1a1 e1e8
sf19-asm.txt         | Stockfish 19 Lite ASM.JS   | 13 | c2c4 b2b3 (none) e1e8
sf19-lite-single.txt | Stockfish 19 Lite WASM     | 13 | d1e3 f2f4 (none) e1e8
sf19-single.txt      | Stockfish 19 WASM          | 13 | b2b4 h2h4 (none) e1e8
sjaakii.txt          | Sjaak II 1.4.1 (x86_64)    | 4  | c2c4 b2b3 e1e8
stockfish.txt        | Stockfish 15.1             | 21 | c2c4 h2h4 (none) e1e8
sunfish.txt          | sunfish 2026               | 8  | f2f4 f1c4 (none) e1e8
timecat.txt          | Timecat v1.53.0            | 5  | e2e4 b1c3 e1e8
toga2.txt            | Toga II 3.0                | 33 | d2d4 g1f3 a1a1 e1e8
";

pub fn engines() -> Vec<[String; 4]> {
    table(ENGINES)
}

#[test]
fn every_dialogue_is_understood() {
    for [file, name, options, best_moves] in engines() {
        let dialogue = read(received(&file).as_bytes(), 4096);
        assert_eq!((dialogue.uciok, dialogue.readyok), (1, 3), "{file}");
        assert_eq!(dialogue.name, name, "{file}");
        assert_eq!(dialogue.options.len().to_string(), options, "{file}");
        assert_eq!(dialogue.best_moves.join(" "), best_moves, "{file}");
    }
}

#[test]
fn the_last_report_before_a_move_is_kept() {
    let verdict = |file: &str| read(received(file).as_bytes(), 4096).verdicts;
    let glaurung = [
        Some((8, Score::Centipawns(39))),
        Some((8, Score::Centipawns(11))),
        None,
        Some((4, Score::Mate(1))),
    ];
    assert_eq!(verdict("glaurung.txt"), glaurung);
    let sjaak = [8, 8, 2].into_iter().zip([4, 2, 15999]);
    let sjaak = sjaak.map(|(depth, cp)| Some((depth, Score::Centipawns(cp))));
    assert_eq!(verdict("sjaakii.txt"), sjaak.collect::<Vec<_>>());
}

#[test]
fn totals_after_the_last_score_are_kept() {
    let first = |file: &str| read(received(file).as_bytes(), 4096).totals[0];
    assert_eq!(first("gnuchess.txt"), (Some(470_000), Some(301)));
    assert_eq!(first("glaurung.txt"), (Some(33_785), Some(344)));
    assert_eq!(first("stockfish.txt"), (Some(170_258), Some(301)));
}

#[test]
fn neither_chunks_nor_line_ends_matter() {
    for [file, ..] in engines() {
        let text = received(&file);
        let whole = read(text.as_bytes(), usize::MAX);
        assert_eq!(read(text.as_bytes(), 7), whole, "{file}");
        let other = text.replace('\n', "\r\n");
        assert_eq!(read(other.as_bytes(), 11), whole, "{file}");
    }
}

/// A bad reader would read each of these again from every one of its words.
#[test]
fn a_long_line_costs_no_more_than_its_length() {
    let songs = [
        "option name ",
        "option name type spin ",
        "option ",
        "option name x type ",
        "id ",
        "bestmove ",
        "x bestmove ",
    ];
    for song in songs {
        for blanks in [0, 60_000] {
            let line = song.repeat(120_000 / song.len()) + &" ".repeat(blanks);
            let taken = processor_time(|| {
                std::hint::black_box((Message::parse(&line), Message::parse_in_game(&line)));
            });
            assert!(taken.as_millis() < 500, "{song:?}: {taken:?}");
        }
    }
}
