//! All errors of an event file are printed at once, each with its place and what to do.

use super::config_files::Shelf;
use super::support::{assert_has, table};

#[test]
fn many_errors_at_once() {
    let text = r#"
[event]
name = "a/b"
seeed = 7
variant = "ches960"
format = "swiss"
pairs = 0
concurrency = "two"
heroes = ["Tow"]

[positions]
all = true
sample = 5

[time]
control = "40/5400+30:18x0"
nodes = 0
margin_ms = -1

[[engine]]
name = "One"
command = "one"
nice = 50
options = { Hash = 16, hash = 32, Threads = [1], UCI_Chess960 = true }

[[engine]]
name = "One"
command = "stokfish"
directory = "nowhere"
fen = "x-fen"
restart = "sometimes"

[[engine]]
builtin = "sparing"
args = ["--x"]
copies = 3

[adjudication]
draw = { moves = 8 }
tablebases = ["../tables"]
flag_fall = "draw"

[sprt]
elo0 = 5
elo1 = 0
alpha = 0.5

[tournament]
rounds = 7
"#;
    insta::assert_snapshot!(Shelf::new().refuse(text));
}

const REST: &str = r#"
[time]
nodes = 1000
[[engine]]
command = "one"
[[engine]]
command = "two"
"#;

#[test]
fn every_bad_line_of_a_book() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let book = format!(
        "# a book\n{start}\nrnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\n{start}\n\
         4k3/8/8/8/8/8/8/8 w - - 0 1\n  7k/5Q2/6K1/8/8/8/8/8 b - - 0 1  \n"
    );
    let shelf = Shelf::new().file("/events/book.epd", &book);
    let text = format!("[event]\nname = \"x\"\nsed = 1\n[positions]\nfile = \"book.epd\"{REST}");
    insta::assert_snapshot!(shelf.refuse(&text));
}

#[test]
fn every_bad_game_of_a_book() {
    let mate = "1. f3 e5 2. g4 Qh4# 0-1";
    let book = format!("[Event \"a\"]\n\n1. e4 e4 *\n\n[Event \"b\"]\n\n{mate}\n\n1. d4 *\n");
    let shelf = Shelf::new().file("/events/book.pgn", &book);
    let text = format!("[event]\nname = \"x\"\n[positions]\nfile = \"book.pgn\"{REST}");
    insta::assert_snapshot!(shelf.refuse(&text));
}

#[test]
fn what_is_not_toml_does_not_hide_the_rest() {
    let text =
        "[event]\nname = \"x\"\npairs = \nconcurency = 2\n[positions]\nall = yes\nsamle = 3\n";
    insta::assert_snapshot!(Shelf::new().refuse(text));
}

#[test]
fn an_empty_file() {
    insta::assert_snapshot!(Shelf::new().refuse(""));
}

fn refuse(event: &str, rest: &str) -> String {
    let text = format!("[event]\nname = \"x\"\n{event}\n[positions]\nall = true\n{rest}");
    Shelf::new().refuse(&text)
}

const ENGINES: &str = "[[engine]]\ncommand = \"one\"\n[[engine]]\ncommand = \"two\"\n";

/// At the table that lacks it, or where such a table could be added: not at another line.
#[test]
fn no_time_control() {
    insta::assert_snapshot!(refuse("", ENGINES));
    let time = format!("[time]\nmargin_ms = 5\n{ENGINES}");
    insta::assert_snapshot!(refuse("", &time));
    let own = format!("{ENGINES}time.nodes = 9\n");
    insta::assert_snapshot!(refuse("", &own));
}

#[test]
fn engines_against_the_format() {
    let three = format!("{REST}\n[[engine]]\ncommand = \"three\"\n");
    let nine = "[time]\nnodes = 9";
    let again = format!("{REST}\n[[engine]]\ncommand = \"one\"");
    let alone = REST.replace("[[engine]]\ncommand = \"two\"", "");
    for [event, rest, message] in table(
        "| NINE\\n[[engine]]\\ncommand = 'one' | nobody to play
         | NINE\\n | there is no [[engine]]
         format = 'match' | THREE | a match is between two, and 3 take part
         format = 'gauntlet'\\nheroes = ['oen'] | THREE | did you mean \"one\"?
         format = 'gauntlet'\\nheroes = [] | THREE | at least one hero
         format = 'gauntlet'\\nheroes = ['one', 'two', 'three'] | THREE | nobody is left
         heroes = ['one'] | TWO | those of a gauntlet
         | THREE\\n[sprt]\\nelo0 = 0 | an SPRT is between two
         | THREE\\n[sprt]\\nagainst = 'others' | two heroes of a gauntlet
         format = 'gauntlet'\\nheroes = ['one', 'two'] | THREE\\n[sprt]\\nagainst = 'others'\\nmodel = 'logistic' | \
         is of normalised Elo and pairs
         | AGAIN | two engines are named \"one\"
         | ALONE | copies = 2",
    ) {
        let rest = rest.replace("NINE", nine).replace("THREE", &three).replace("TWO", REST);
        let rest = rest.replace("AGAIN", &again).replace("ALONE", &alone);
        let said = refuse(&event, &rest);
        assert_has(&said, [&message]);
        let has_place = said.contains("event.toml:") || rest.starts_with('[');
        assert!(has_place, "no place:\n{said}");
    }
}

#[test]
fn self_play_is_one_engine_in_a_match() {
    let alone = "[time]\nnodes = 9\n[[engine]]\ncommand = \"one\"\ncopies = 2\n";
    let jitter = alone.replace("nodes = 9", "depth = 9\nnodes_jitter = 0.1");
    for (event, rest, message) in [
        ("format = \"round-robin\"", alone, "plays a match"),
        (
            "",
            &format!("{alone}[[engine]]\ncommand = \"two\""),
            "cannot play itself among others",
        ),
        ("", &format!("{alone}[sprt]\nelo1 = 3"), "nothing to test"),
        ("", &jitter, "and \"one\" has none"),
    ] {
        assert_has(&refuse(event, rest), [message]);
    }
}

#[test]
fn commands_are_looked_for_where_the_contract_says() {
    let shelf = Shelf::new()
        .program("/events/mine", "")
        .file("/events/bin/plain", "")
        .program("/engines/other", "");
    let with = |command: &str| {
        let rest = REST.replace("\"one\"", &format!("\"{command}\""));
        let event = "[event]\nname = \"x\"\n[positions]\nall = true";
        shelf.parse(&(event.to_owned() + &rest))
    };
    for command in ["./mine", "../engines/other", "/engines/other", "one"] {
        assert!(with(command).is_ok(), "{command}");
    }
    for (command, message) in [
        ("mine", "\"./mine\""),
        ("bin/plain", "chmod +x"),
        ("bin/none", "there is no program `bin/none`"),
        ("./bin", "is a folder"),
        ("one --uci", "args = ["),
    ] {
        let said = with(command).unwrap_err().to_string();
        assert!(said.contains(message), "{message}:\n{said}");
    }
}

/// Everything that [adaptive] needs is checked before the first game.
#[test]
fn an_adaptive_event_needs_a_question_a_budget_and_games_that_differ() {
    let refuse = |positions: &str, rest: &str| {
        let text = format!("event.name = \"x\"\npositions.{positions}\n{rest}");
        Shelf::new().refuse(&text)
    };
    let engines = "[[engine]]\ncommand = \"one\"\n[[engine]]\ncommand = \"two\"\n";
    let clock = format!("time.control = \"1+0.1\"\n{engines}");
    let cases = [
        ("all = true", "CLOCK[adaptive]\nmin_pairs = 1\nhours = 3\n"),
        (
            "numbers = [0, 518]",
            "CLOCK[adaptive]\nboundary = 1\ntop = 3\nmax_pairs = 4\n",
        ),
        (
            "numbers = [518]",
            "CLOCK[adaptive]\nboundary = \"top\"\nmax_pairs = 9\n[sprt]\n",
        ),
        (
            "numbers = [0, 518]",
            "DEPTH[adaptive]\nboundary = \"media\"\nmax_pairs = 9\n",
        ),
        (
            "sample = 4",
            "DFRC[adaptive]\nboundary = \"mean\"\nmax_pairs = 99\n",
        ),
    ];
    let cases = cases.map(|(positions, rest)| {
        let rest = rest.replace("DFRC", "event.variant = \"dfrc\"\nCLOCK");
        let rest = rest.replace("DEPTH", &format!("time.depth = 3\n{engines}"));
        refuse(positions, &rest.replace("CLOCK", &clock))
    });
    insta::assert_snapshot!(cases.join("\n\n"));
}

/// A format that is no word is wrong once: what belongs to it is not wrong too.
#[test]
fn a_misspelled_format_is_the_only_error() {
    let swiss = "[swiss]\nrounds = 1\n[[round]]\nstarts = \"2026-12-05T14:00:00+01:00\"\n\
                 [standings]\ntie_breaks = [\"buchholz\"]";
    let knockout = "[knockout]\nthird_place = true";
    for (format, heroes, tables) in [
        ("swis", "", swiss),
        ("schweizer", "", swiss),
        ("knock-out", "", knockout),
        ("cup", "", knockout),
        ("gauntlett", "heroes = [\"one\"]\n", ""),
        ("simultan", "heroes = [\"one\"]\n", ""),
        ("league", "", ""),
    ] {
        let event = format!("format = \"{format}\"\n{heroes}");
        let refused = refuse(&event, &format!("{tables}\n{REST}"));
        let errors = refused.matches("error:").count();
        assert_eq!(errors, 1, "{format}: {refused}");
        let named = format!("`format` cannot be \"{format}\"");
        assert!(refused.contains(&named), "{refused}");
    }
}

#[test]
fn a_protocol_is_one_of_two_and_belongs_to_a_program() {
    let engine = |keys: &str| refuse("", &format!("[time]\nnodes = 9\n[[engine]]\n{keys}\n"));
    let said = engine("command = \"one\"\nprotocol = \"winboard\"");
    assert!(said.contains("possible are uci, xboard"), "{said}");
    let said = engine("builtin = \"sparring\"\nprotocol = \"xboard\"");
    assert_has(&said, ["`protocol` does not go with `builtin`"]);
}

/// The message about a path that is missing: where it was looked for, and relative to what.
#[test]
fn an_absolute_path_is_relative_to_nothing() {
    let engines = "[[engine]]\ncommand = \"two\"\n";
    let refuse = |positions: &str, rest: &str| {
        let start = "[event]\nname = \"x\"\n[positions]\n";
        let time = "[time]\nnodes = 9\n";
        Shelf::new().refuse(&format!("{start}{positions}\n{time}{engines}{rest}"))
    };
    for folder in ["/nowhere", "/events/nowhere", "nowhere"] {
        let engine = |line: &str| format!("[[engine]]\nname = \"one\"\n{line}\n");
        let one = engine("command = \"one\"");
        let read = format!("sandbox = true\nsandbox_read = [\"{folder}/net\"]\n");
        let tables = format!("[adjudication]\ntablebases = \"{folder}\"\n");
        let cases = [
            refuse(
                "all = true",
                &engine(&format!("command = \"{folder}/one\"")),
            ),
            refuse("all = true", &format!("{one}directory = \"{folder}\"\n")),
            refuse("all = true", &(one.clone() + &read)),
            refuse(&format!("file = \"{folder}/book.epd\""), &one),
            refuse(&format!("file = \"{folder}/book.bin\""), &one),
            refuse("all = true", &(one.clone() + &tables)),
        ];
        for said in cases {
            let place = said.find("looked for /").expect(&said);
            let line = said[place..].lines().next().unwrap_or_default();
            let is_relative = line.ends_with(": the path is relative to the event file");
            assert_eq!(is_relative, folder == "nowhere", "{said}");
        }
    }
}

/// The limit of one encounter is none of an event of many encounters.
#[test]
fn a_round_robin_may_have_more_pairs_than_one_encounter() {
    let three = format!("{REST}\n[[engine]]\ncommand = \"three\"\n");
    let text = |format: &str| {
        let event = format!("[event]\nname = \"x\"\nformat = \"{format}\"\npairs = 25000");
        format!("{event}\n[positions]\nall = true\n{three}")
    };
    Shelf::new().accept(&text("round-robin"));
    let said = Shelf::new().refuse(&text("knockout"));
    assert!(said.contains("at most 10000 pairs"), "{said}");
}

/// What is missing without a key or a table that the file probably has under a wrong name.
#[test]
fn what_a_misspelt_name_means_is_not_missing_as_well() {
    // The file in words: what stands for the usual table, each of which is on a line of its own.
    let usual = [
        ("EVENT", "[event]\nname = \"x\""),
        ("POSITIONS", "[positions]\nall = true"),
        ("TIME", "[time]\nnodes = 9"),
        ("ONE", "[[engine]]\ncommand = \"one\""),
        ("TWO", "[[engine]]\ncommand = \"two\""),
    ];
    let titles = |[file]: [String; 1]| {
        let file = file.replace(", ", "\n");
        let file = usual
            .iter()
            .fold(file, |file, (word, table)| file.replace(word, table));
        let said = Shelf::new().refuse(&file);
        let titles = said.lines().filter(|line| line.starts_with("error"));
        titles.map(str::to_owned).collect::<Vec<String>>()
    };
    for titles in table(
        "EVENT, POSITIONS, [time], nodez = 9, ONE, TWO
         EVENT, POSITIONS, [time], tc = '1+1', ONE, TWO
         EVENT, POSITIONS, [tiem], nodes = 9, ONE, TWO
         [evnt], name = 'x', POSITIONS, TIME, ONE, TWO
         [event], naem = 'x', POSITIONS, TIME, ONE, TWO
         EVENT, [position], all = true, TIME, ONE, TWO
         EVENT, POSITIONS, TIME, ONE, [[engine]], comand = 'two'
         EVENT, POSITIONS, TIME, [[enigne]], command = 'one'
         EVENT, POSITIONS, ONE, time = { nodes = 9 }, TWO, time = { node = 9 }
         EVENT, format = 'swiss', POSITIONS, [swis], rounds = 1, TIME, ONE, TWO
         EVENT, format = 'swiss', POSITIONS, [swiss], round = 1, TIME, ONE, TWO",
    )
    .into_iter()
    .map(&titles)
    {
        assert_eq!(titles.len(), 1, "{titles:?}");
    }
    // Another key, and the same one in another engine, do not stand for what is missing.
    for titles in table(
        "EVENT, POSITIONS, [time], scael = 9, ONE, TWO
         EVENT, POSITIONS, [time], nonsense = 9, ONE, TWO
         EVENT, POSITIONS, TIME, [[engine]], name = 'a', [[engine]], comand = 'two'",
    )
    .into_iter()
    .map(&titles)
    {
        assert_eq!(titles.len(), 2, "{titles:?}");
    }
}
