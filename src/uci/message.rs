//! One line from an engine.

use super::declaration::{NoOption, OptionDeclaration};
use super::info::InfoLine;
use super::line::Tokens;

/// The "move" of an engine that resigns. UCI has none; the translator of XBoard's protocol gives this one.
pub(crate) const RESIGNS: &str = "resign";

/// What an engine said in one line.
#[derive(Clone, Debug, PartialEq)]
pub enum Message<'a> {
    /// `id name …`, trimmed
    Name(&'a str),
    /// `id author …`, trimmed
    Author(&'a str),
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
    /// What counts in a game counts at the beginning of a line alone.
    ///
    /// ```
    /// use arbiter960::uci::Message;
    /// let sent = Message::parse("bestmove e2e4 ponder e7e5 ");
    /// assert_eq!(sent, Message::BestMove { text: "e2e4", ponder: Some("e7e5") });
    /// assert_eq!(Message::parse("depth 1: bestmove e2e4 so far"), Message::Other);
    /// ```
    pub fn parse(line: &'a str) -> Message<'a> {
        match Self::parse_in_game(line) {
            Message::Other => Self::declaration(line),
            message => message,
        }
    }

    /// The same for what matters in a game: `info`, `bestmove` and `readyok`. All else is
    /// [`Message::Other`]. Nothing is allocated, and the time is linear in the line's length.
    pub fn parse_in_game(line: &'a str) -> Message<'a> {
        let mut tokens = Tokens::new(line.trim_ascii());
        match tokens.next() {
            Some("info") => Message::Info(InfoLine::new(tokens.rest())),
            Some("bestmove") => best_move(tokens),
            Some("readyok") if tokens.peek().is_none() => Message::ReadyOk,
            _ => Message::Other,
        }
    }

    /// What the first word that makes sense makes of a line of the handshake.
    fn declaration(line: &'a str) -> Message<'a> {
        // Trimmed once: else every look at the rest of the line would walk over the blanks at
        // its end.
        let mut tokens = Tokens::new(line.trim_ascii());
        // If a declaration has no type, none follows later in the line either.
        let mut declares = true;
        while let Some(word) = tokens.next() {
            let message = match word {
                "uciok" if tokens.peek().is_none() => Some(Message::UciOk),
                "option" if declares => {
                    let option = OptionDeclaration::parse(tokens.rest());
                    declares = !matches!(option, Err(NoOption::NoType));
                    option.ok().map(Message::Option)
                }
                "id" => identity(tokens),
                _ => None,
            };
            if let Some(message) = message {
                return message;
            }
        }
        Message::Other
    }
}

fn identity(mut tokens: Tokens<'_>) -> Option<Message<'_>> {
    match tokens.next()? {
        "name" => Some(Message::Name(tokens.rest())),
        "author" => Some(Message::Author(tokens.rest())),
        _ => None,
    }
}

/// Whatever follows `bestmove`: an engine that sends it has ended its search.
fn best_move(mut tokens: Tokens<'_>) -> Message<'_> {
    let text = tokens.next().unwrap_or("");
    let ponder = tokens
        .find(|word| *word == "ponder")
        .and_then(|_| tokens.next());
    Message::BestMove { text, ponder }
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
            ("  bestmove e7e8q", best("e7e8q", None)),
            ("#[Chess] 0w> bestmove e7e8q", Message::Other),
            ("depth 1: bestmove e2e4 so far", Message::Other),
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
        assert_eq!(Message::parse("> readyok"), Message::Other);
        assert_eq!(Message::parse("> uciok"), Message::UciOk);
        assert_eq!(Message::parse("send uciok when done"), Message::Other);
        let name = Message::Name("Sjaak II 1.4.1 (x86_64)");
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
    fn in_a_game_declarations_mean_nothing() {
        assert_eq!(
            Message::parse_in_game("option name A type check"),
            Message::Other
        );
        assert_eq!(Message::parse_in_game("id name A"), Message::Other);
        assert_eq!(Message::parse_in_game("uciok"), Message::Other);
        assert_eq!(Message::parse_in_game("> readyok"), Message::Other);
        let sentence = Message::parse_in_game("id bestmove e2e4 ponder e7e5");
        assert_eq!(sentence, Message::Other);
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
