//! Any number of threads and any cuts yield the same games.

use proptest::prelude::*;

use super::*;

/// Number in the file, line and text of every game; a text that is not a game has no number.
type Games = Vec<(u64, u64, String)>;

fn parallel(text: &[u8], threads: usize, bytes: usize) -> Games {
    let mut games = Vec::new();
    let each = |game: Result<RawGame<'_>, PgnError>, part: &mut Games| {
        part.push(match game {
            Ok(game) => {
                let text = String::from_utf8_lossy(game.text()).into_owned();
                (game.number(), game.line(), text)
            }
            Err(error) => (0, error.place.line, error.to_string()),
        });
    };
    let number = |before| {
        move |(number, line, text)| match number {
            0 => (0, line, String::new()),
            _ => (before + number, line, text),
        }
    };
    let take = |part: Games, before: u64| games.extend(part.into_iter().map(number(before)));
    read_with(text, threads, bytes, each, take).expect("memory can be read");
    games
}

/// Games that contain everything that could make a cut go wrong.
fn text(line_end: &str) -> String {
    let game = |n: u32| match n % 5 {
        0 => format!("[Event \"{n}\"]\n\n1. e4 {{ a\n\n[Event \"in a comment\"]\n }} *\n\n"),
        1 => format!("[Event \"{n}\"]\n\n[Site \"after a gap\"]\n\n1. d4 *\n\n"),
        2 => "Dear all,\n\n".to_owned(),
        3 => format!("[Event \"{n}\"]\n[White \"x\"]\n\n"),
        _ => format!("[White \"{n}\"]\n[Black \"y\"]\n\n1. Nf3 {{[%emt 1]}} 1-0\n\n\n"),
    };
    let text: String = (0..40).map(game).collect();
    text.replace('\n', line_end)
}

#[test]
fn neither_threads_nor_cuts_matter() {
    for line_end in ["\n", "\r\n"] {
        let text = text(line_end);
        let expected = parallel(text.as_bytes(), 1, 0);
        assert!(expected.len() > 20);
        for bytes in (16..600).step_by(7) {
            let found = parallel(text.as_bytes(), 3, bytes);
            assert_eq!(found, expected, "with parts of {bytes}");
        }
    }
}

#[test]
fn cuts_between_plain_games_hold() {
    let text = "[Event \"x\"]\n[White \"a\"]\n\n1. e4 e5 1-0\n\n".repeat(50);
    let mut reader = PgnReader::with_buffer(text.as_bytes(), 100);
    let mut parts = 0;
    while let Some(mut part) = reader.next_part(100) {
        part.read(|game| assert!(game.is_ok()));
        assert!(part.is_read() && part.games() > 0);
        parts += 1;
    }
    assert!(parts > 10);
}

#[test]
fn an_open_comment_at_a_cut_ends_the_parts() {
    let open = "[Event \"x\"]\n\n1. e4 { open\n\n[Event \"y\"]\n} e5 *\n\n";
    let text = open.repeat(20);
    assert_eq!(
        parallel(text.as_bytes(), 2, 64),
        parallel(text.as_bytes(), 1, 0)
    );
    assert_eq!(parallel(text.as_bytes(), 2, 64).len(), 20);
}

#[test]
fn an_input_that_fails_is_an_error_after_what_came_before() {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("unplugged"))
        }
    }
    let text = "[Event \"x\"]\n\n1. e4 *\n\n".repeat(30);
    for threads in [1, 2] {
        let mut games = 0;
        let count = |_: Result<RawGame<'_>, PgnError>, n: &mut u64| *n += 1;
        let input = io::Read::chain(text.as_bytes(), Broken);
        let result = read_with(input, threads, 100, count, |n, _| games += n);
        assert!(result.is_err());
        assert!(games > 20, "{games}");
    }
}

/// Pieces of games, and text that only looks like games.
fn scraps() -> impl Strategy<Value = String> {
    let scrap = prop::sample::select(vec![
        "[Event \"x\"]\n",
        "[White \"a\"]\n",
        "[FEN",
        "\n",
        "\r\n",
        "\n\n[",
        "1. e4 e5 ",
        "1-0\n",
        "* ",
        "{",
        "}",
        "(",
        ";",
        "%",
        "\u{feff}",
        "hello ",
    ]);
    prop::collection::vec(scrap, 0..120).prop_map(|scraps| scraps.concat())
}

proptest! {
    #[test]
    fn of_any_text_the_same_games_are_read(text in scraps(), bytes in 16_usize..300) {
        let expected = parallel(text.as_bytes(), 1, 0);
        prop_assert_eq!(parallel(text.as_bytes(), 2, bytes), expected);
    }
}
