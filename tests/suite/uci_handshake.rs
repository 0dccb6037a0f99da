//! The handshake with what real engines declare, and with what they might.

use arbiter960::uci::{
    Handshake, HandshakeError, HandshakeStep, OptionError, Phase, Ready, Wishes,
};

use super::support::assert_lacks;
use super::uci_transcripts::received;

type Outcome = Result<Box<Ready>, Vec<HandshakeError>>;

fn wishes(options: &[(&str, &str)], chess960: bool) -> Wishes {
    let owned = options
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Wishes {
        options: owned.collect(),
        chess960,
        ..Wishes::default()
    }
}

/// Feeds lines until the engine is ready or refused; what was sent after `uci`, and the end.
fn shake(lines: &str, wishes: Wishes) -> (Vec<String>, Outcome) {
    let mut handshake = Handshake::new(wishes);
    let mut out = String::new();
    handshake.start(&mut out);
    assert_eq!(out, "uci\n");
    out.clear();
    let sent = |out: &str| out.lines().map(str::to_owned).collect::<Vec<_>>();
    for line in lines.lines() {
        match handshake.line(line, &mut out) {
            Ok(HandshakeStep::Ready(ready)) => return (sent(&out), Ok(ready)),
            Ok(_) => {}
            Err(problems) => return (sent(&out), Err(problems)),
        }
    }
    panic!("neither ready nor refused: {:?}", handshake.phase());
}

fn settings(file: &str, chess960: bool) -> Vec<String> {
    let (sent, outcome) = shake(&received(file), wishes(&[], chess960));
    outcome.expect("no wishes, no problems");
    let prefix = "setoption name ";
    let set = sent.iter().filter_map(|line| line.strip_prefix(prefix));
    set.map(str::to_owned).collect()
}

#[test]
fn defaults_of_the_runner_for_real_engines() {
    let threads = "Threads value 1";
    let ponder = "Ponder value false";
    let book = "OwnBook value false";
    let on = "UCI_Chess960 value true";
    assert_eq!(settings("stockfish.txt", true), [threads, ponder, on]);
    assert_eq!(settings("fairy.txt", true), [threads, ponder, on]);
    assert_eq!(settings("glaurung.txt", true), [threads, ponder, book, on]);
    let off = "UCI_Chess960 value false";
    assert_eq!(settings("sjaakii.txt", false), [ponder, off]);
    assert_eq!(settings("chessidle.txt", true), [threads, on]);
    assert_eq!(settings("toga2.txt", false), [ponder, book]);
}

#[test]
fn an_engine_without_chess960_is_refused_only_where_it_is_needed() {
    for file in ["toga2.txt", "gnuchess.txt", "sunfish.txt", "timecat.txt"] {
        let (sent, outcome) = shake(&received(file), wishes(&[], true));
        assert_eq!(outcome.unwrap_err(), [HandshakeError::NoChess960], "{file}");
        assert!(sent.is_empty(), "{file}: {sent:?}");
        let (_, without) = shake(&received(file), wishes(&[], false));
        assert!(without.is_ok(), "{file}");
    }
}

#[test]
fn threads_come_before_hash_and_the_users_word_counts() {
    let wanted = [
        ("EvalFile", "my net.nnue"),
        ("hash", "64"),
        ("Clear Hash", ""),
        ("threads", "2"),
    ];
    let (sent, outcome) = shake(&received("stockfish.txt"), wishes(&wanted, false));
    let expected = [
        "setoption name Threads value 2",
        "setoption name Hash value 64",
        "setoption name Ponder value false",
        "setoption name EvalFile value my net.nnue",
        "setoption name Clear Hash",
        "setoption name UCI_Chess960 value false",
        "isready",
    ];
    assert_eq!(sent, expected);
    let ready = outcome.unwrap();
    assert_eq!(ready.identity.name, "Stockfish 15.1");
    assert_eq!(ready.sent[4], ("Clear Hash".to_owned(), None));
    assert!(ready.warnings.is_empty());
}

#[test]
fn everything_wrong_is_reported_together_and_nothing_is_sent() {
    let wanted = [
        ("Hsah", "64"),
        ("Threads", "0"),
        ("BookFile", "ok.bin"),
        ("OwnBook", "maybe"),
    ];
    let (sent, outcome) = shake(
        "option name Hash type spin default 1 min 1 max 9\n\
         option name Threads type spin default 1 min 1 max 4\n\
         option name BookFile type string default <empty>\n\
         option name OwnBook type check default true\nuciok",
        wishes(&wanted, true),
    );
    let problems = outcome.unwrap_err();
    assert!(sent.is_empty(), "{sent:?}");
    assert_eq!(problems.len(), 4, "{problems:?}");
    let (name, nearest) = ("Hsah".to_owned(), Some("Hash".to_owned()));
    let unknown = OptionError::Unknown { name, nearest };
    assert!(problems.contains(&HandshakeError::Option(unknown)));
    assert!(problems.contains(&HandshakeError::NoChess960));
}

#[test]
fn a_default_that_an_engine_refuses_is_not_set() {
    let (sent, outcome) = shake(
        "option name OwnBook type combo default none var none var big\n\
         option name Threads type spin default 2 min 2 max 4\nuciok\nreadyok",
        wishes(&[], false),
    );
    assert_lacks(&sent.join("\n"), ["setoption"]);
    assert_eq!(outcome.unwrap().warnings.len(), 2);
}

#[test]
fn variants() {
    let declared = |default: &str| {
        format!(
            "option name UCI_Variant type combo default {default} var 3check var chess var mini\n\
             option name VariantPath type string default <empty>\n\
             option name UCI_Chess960 type check default false\nuciok\nreadyok"
        )
    };
    let variant_sent = |default: &str, wanted: &[(&str, &str)]| {
        let (sent, outcome) = shake(&declared(default), wishes(wanted, true));
        outcome.map(|ready| (sent, ready.warnings))
    };
    // left alone where the default is chess, set where it is not
    let chess = variant_sent("chess", &[]).unwrap().0;
    assert_eq!(chess, ["setoption name UCI_Chess960 value true", "isready"]);
    let other = variant_sent("3check", &[]).unwrap().0;
    assert_eq!(other[0], "setoption name UCI_Variant value chess");
    // a variant of the user's own, defined by a file that is named after it
    let own = [
        ("UCI_Variant", "chess480d"),
        ("VariantPath", "variants.ini"),
    ];
    let (sent, warnings) = variant_sent("chess", &own).unwrap();
    let expected = [
        "setoption name VariantPath value variants.ini",
        "setoption name UCI_Variant value chess480d",
    ];
    assert_eq!(sent[..2], expected);
    assert_eq!(warnings.len(), 1);
    assert!(variant_sent("chess", &own[..1]).is_err());
}

#[test]
fn oddities_are_warnings() {
    let (_, outcome) = shake(
        "id name \u{1b}[31mRed\nid author\noption name A type spin default 9 min 1 max 5\nreadyok\n\
         option name UCI_Chess960 type check\nuciok\nuciok\nbestmove e2e4\nreadyok",
        wishes(&[("UCI_Chess960", "false")], true),
    );
    let ready = outcome.unwrap();
    let identity = [&*ready.identity.name, &*ready.identity.author];
    assert_eq!(identity, ["[31mRed", ""]);
    let expected = [
        "option \"A\": its default 9 lies outside of 1 to 5",
        "option \"UCI_Chess960\": the event's variant sets it to true; the given value is ignored",
    ];
    assert_eq!(ready.warnings, expected);
    let sent = ("UCI_Chess960".to_owned(), Some("true".to_owned()));
    assert_eq!(ready.sent, [sent]);
}

#[test]
fn declarations_without_end_fill_no_memory() {
    let mut handshake = Handshake::new(Wishes::default());
    let mut out = String::new();
    let again = "option name X type spin default 9 min 0 max 1";
    let long = format!("type string default {}", "x".repeat(60_000));
    for number in 0..20_000 {
        let new = format!("option name N{number} type spin default 9 min 0 max 1");
        let line = match number % 4 {
            0 => format!("option name L{number} {long}"),
            1 => new,
            _ => again.to_owned(),
        };
        handshake.line(&line, &mut out).unwrap();
    }
    handshake.line("uciok", &mut out).unwrap();
    let Ok(HandshakeStep::Ready(ready)) = handshake.line("readyok", &mut out) else {
        panic!("it is not ready");
    };
    let options = &ready.identity.options;
    let known = |name| options.get(name).is_some();
    assert_eq!(
        ["X", "L0", "N1"].map(known),
        [true; 3],
        "the first are kept"
    );
    let sizes = options.iter().map(|option| format!("{option:?}").len());
    let bytes: usize = sizes.sum();
    assert!(bytes < 3 << 20, "{bytes} bytes of options");
    // one for each option that is kept, not for each line
    let count = ready.warnings.len();
    assert!(count < 40, "{count} warnings");
}

#[test]
fn the_phase_says_which_answer_is_awaited() {
    let mut handshake = Handshake::new(Wishes::default());
    let mut out = String::new();
    assert_eq!(handshake.phase(), Phase::Identifying);
    let step = handshake.line("uciok", &mut out);
    assert_eq!(step, Ok(HandshakeStep::Configured));
    assert_eq!(handshake.phase(), Phase::Preparing);
    assert_eq!(out, "isready\n");
    let step = handshake.line("info string loading", &mut out);
    assert_eq!(step, Ok(HandshakeStep::Waiting));
    let step = handshake.line("readyok", &mut out);
    assert!(matches!(step, Ok(HandshakeStep::Ready(_))));
    assert_eq!(handshake.phase(), Phase::Ready);
}

#[test]
fn a_variant_that_engines_must_know_is_set_or_missed() {
    let told = |option: &str| {
        let mut wishes = wishes(&[], false);
        wishes.variant = Some("moab");
        shake(&format!("{option}\nuciok\nreadyok"), wishes)
    };
    let combo = "option name UCI_Variant type combo default 3check var 3check var chess var Moab";
    assert_eq!(told(combo).0[0], "setoption name UCI_Variant value Moab");
    let other = "option name UCI_Variant type combo default chess var chess";
    for option in ["", other] {
        let problems = told(option).1.unwrap_err();
        assert_eq!(problems, [HandshakeError::NoVariant("moab")]);
    }
}
