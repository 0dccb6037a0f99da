//! The same engine under fastchess, where the environment says where it is.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::event::PLIES;

/// What fastchess charged beyond the engine's own time, nanoseconds; it writes whole milliseconds,
/// and the engine's own time as the number of nodes. Nothing without `FASTCHESS`.
pub(crate) fn taxes(folder: &Path, lanes: usize, games: usize) -> Vec<i64> {
    let Some(program) = std::env::var_os("FASTCHESS") else {
        return Vec::new();
    };
    let engine = std::env::current_exe().expect("this program");
    let file = folder.join("fastchess.pgn");
    // It may be from an earlier round.
    let _absent = fs::remove_file(&file);
    let mut command = Command::new(program);
    for name in ["A", "B"] {
        command
            .arg("-engine")
            .arg(format!("cmd={}", engine.display()))
            .args(["args=engine quiet", &format!("name={name}")]);
    }
    // Without a book it plays no Chess960.
    let book = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1\n";
    fs::write(folder.join("book.epd"), book).expect("a book can be written");
    let rounds = games / 2;
    let rest = format!(
        "-each tc=60+1 proto=uci -variant fischerandom \
         -openings file=book.epd format=epd -rounds {rounds} -games 2 -repeat \
         -concurrency {lanes} -maxmoves {} -pgnout file=fastchess.pgn nodes=true \
         -config outname=fastchess.json",
        PLIES / 2
    );
    command
        .args(rest.split_whitespace())
        .current_dir(folder)
        .stdout(Stdio::null());
    let status = command.status().expect("fastchess starts");
    assert!(status.success(), "fastchess: {status}");
    charged(&fs::read_to_string(file).expect("it has written games"))
}

/// From comments like `{+0.00/1 0.020s, n=20000153}`.
fn charged(games: &str) -> Vec<i64> {
    let text = games.replace('\n', " ");
    let comments = text.split('{').skip(1);
    let comments = comments.filter_map(|rest| rest.split('}').next());
    let tax = |comment: &str| {
        let mut words = comment.split([' ', ',']);
        let seconds = words.find_map(|word| word.strip_suffix('s')?.parse::<f64>().ok())?;
        let nodes = comment.split("n=").nth(1)?;
        let worked: i64 = nodes.split([' ', ',']).next()?.parse().ok()?;
        Some((seconds * 1e9).round() as i64 - worked)
    };
    comments.filter_map(tax).collect()
}
