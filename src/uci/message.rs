//! One line from an engine.

use super::declaration::{NoOption, OptionDeclaration};
use super::info::InfoLine;
use super::token::Tokens;

/// Which of the two `id` lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdField {
    /// `id name`
    Name,
    /// `id author`
    Author,
}

/// What an engine said in one line.
#[derive(Clone, Debug, PartialEq)]
pub enum Message<'a> {
    /// `id name …` or `id author …`
    Id {
        /// name or author
        field: IdField,
        /// the text, trimmed
        value: &'a str,
    },
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `option name …`
    Option(OptionDeclaration),
    /// `info …`, not read yet
    Info(InfoLine<'a>),
    /// `bestmove …`
    BestMove {
        /// the move as the engine wrote it; empty where it is missing
        text: &'a str,
        /// the move it would ponder on
        ponder: Option<&'a str>,
    },
    /// A banner, a prompt, an error, anything else: no meaning for the protocol.
    Other,
}

impl<'a> Message<'a> {
    /// Reads a line. Words in front of a known one are skipped, as the protocol asks, if what
    /// follows makes sense; a banner that merely mentions a keyword stays [`Message::Other`].
    ///
    /// ```
    /// use arbiter960::uci::Message;
    /// let sent = Message::parse("bestmove e2e4 ponder e7e5 ");
    /// assert_eq!(sent, Message::BestMove { text: "e2e4", ponder: Some("e7e5") });
    /// ```
    pub fn parse(line: &'a str) -> Message<'a> {
        // A declaration without a type has none further on in the line either.
        let mut declares = true;
        Self::first(line, |word, tokens, leading| match word {
            "uciok" if tokens.peek().is_none() => Some(Message::UciOk),
            "option" if declares => {
                let option = OptionDeclaration::parse(tokens.rest());
                declares = !matches!(option, Err(NoOption::NoType));
                option.ok().map(Message::Option)
            }
            "id" => identity(tokens),
            _ => Self::in_game(word, tokens, leading),
        })
    }

    /// The same for what matters in a game: `info`, `bestmove` and `readyok`. All else is
    /// [`Message::Other`]. Nothing is allocated, and the time is linear in the line's length.
    pub fn parse_in_game(line: &'a str) -> Message<'a> {
        Self::first(line, Self::in_game)
    }

    /// What the first word that makes sense makes of the line.
    fn first(
        line: &'a str,
        mut read: impl FnMut(&str, Tokens<'a>, bool) -> Option<Message<'a>>,
    ) -> Message<'a> {
        // Trimmed once: else every look at the rest of the line would walk over the blanks at
        // its end.
        let mut tokens = Tokens::new(line.trim_ascii());
        let mut leading = true;
        while let Some(word) = tokens.next() {
            if let Some(message) = read(word, tokens, leading) {
                return message;
            }
            leading = false;
        }
        Message::Other
    }

    fn in_game(word: &str, tokens: Tokens<'a>, leading: bool) -> Option<Message<'a>> {
        match word {
            "info" => Some(Message::Info(InfoLine::new(tokens.rest()))),
            "bestmove" => best_move(tokens, leading),
            "readyok" if tokens.peek().is_none() => Some(Message::ReadyOk),
            _ => None,
        }
    }
}

fn identity(mut tokens: Tokens<'_>) -> Option<Message<'_>> {
    let field = match tokens.next()? {
        "name" => IdField::Name,
        "author" => IdField::Author,
        _ => return None,
    };
    Some(Message::Id {
        field,
        value: tokens.rest(),
    })
}

/// At the beginning of a line `bestmove` always counts, whatever follows it: an engine that
/// says so has ended its search. After other words it must be followed by a move, since a
/// sentence may contain the word.
fn best_move(mut tokens: Tokens<'_>, leading: bool) -> Option<Message<'_>> {
    let text = tokens.next().unwrap_or("");
    if !leading && !looks_like_move(text) {
        return None;
    }
    let ponder = tokens
        .find(|word| *word == "ponder")
        .and_then(|_| tokens.next());
    Some(Message::BestMove { text, ponder })
}

/// Two squares and perhaps a promotion, or one of the two ways to say "none".
fn looks_like_move(text: &str) -> bool {
    let bytes = text.as_bytes();
    let square = |at: usize| {
        matches!(bytes.get(at), Some(b'a'..=b'h')) && matches!(bytes.get(at + 1), Some(b'1'..=b'8'))
    };
    matches!(text, "0000" | "(none)") || (bytes.len() <= 5 && square(0) && square(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn best(text: &'static str, ponder: Option<&'static str>) -> Message<'static> {
        Message::BestMove { text, ponder }
    }

    #[test]
    fn bestmove_in_every_shape() {
        let cases = [
            ("bestmove g1f3 ", best("g1f3", None)),
            ("bestmove\tg1f3\tponder\tg8f6", best("g1f3", Some("g8f6"))),
            ("bestmove (none)", best("(none)", None)),
            ("bestmove f1g1,g1f1", best("f1g1,g1f1", None)),
            ("bestmove", best("", None)),
            ("bestmove e2e4 ponder", best("e2e4", None)),
            ("#[Chess] 0w> bestmove e7e8q", best("e7e8q", None)),
            ("no bestmove because of an error", Message::Other),
            ("BESTMOVE e2e4", Message::Other),
        ];
        for (line, expected) in cases {
            assert_eq!(Message::parse(line), expected, "{line:?}");
        }
    }

    #[test]
    fn handshake_words() {
        assert_eq!(Message::parse("uciok\t"), Message::UciOk);
        assert_eq!(Message::parse("#[Chess] 0w>readyok"), Message::Other);
        assert_eq!(Message::parse("> readyok"), Message::ReadyOk);
        assert_eq!(Message::parse("send uciok when done"), Message::Other);
        let name = Message::Id {
            field: IdField::Name,
            value: "Sjaak II 1.4.1 (x86_64)",
        };
        assert_eq!(Message::parse("id name Sjaak II 1.4.1 (x86_64)"), name);
        assert_eq!(Message::parse("id"), Message::Other);
        assert_eq!(Message::parse("No such option: Foo"), Message::Other);
    }

    #[test]
    fn an_info_string_that_mentions_a_move_is_info() {
        assert!(matches!(
            Message::parse("info string bestmove e2e4"),
            Message::Info(_)
        ));
    }

    #[test]
    fn a_long_line_costs_no_more_than_its_length() {
        // Each is read anew from every one of its words, if it is read badly.
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
                let begun = std::time::Instant::now();
                std::hint::black_box((Message::parse(&line), Message::parse_in_game(&line)));
                let taken = begun.elapsed();
                assert!(taken.as_millis() < 500, "{song:?}: {taken:?}");
            }
        }
    }

    #[test]
    fn in_a_game_declarations_mean_nothing() {
        assert_eq!(
            Message::parse_in_game("option name A type check"),
            Message::Other
        );
        assert_eq!(Message::parse_in_game("id name A"), Message::Other);
        assert_eq!(Message::parse_in_game("uciok"), Message::Other);
        assert_eq!(Message::parse_in_game("> readyok"), Message::ReadyOk);
        let answer = Message::parse_in_game("id bestmove e2e4 ponder e7e5");
        assert_eq!(answer, best("e2e4", Some("e7e5")));
    }

    proptest! {
        #[test]
        fn nothing_panics(line in "(option|info|bestmove|id|score|cp|mate|name|type|spin|default|var|-?[0-9]{1,30}|[ \t]|\\PC){0,40}") {
            if let Message::Info(info) = Message::parse(&line) {
                info.parse();
            }
        }
    }
}
