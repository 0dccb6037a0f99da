//! The options of `match`: the event they make, and the messages about wrong ones.

use std::path::Path;

use arbiter960::internal::config::{MatchOptions, Overrides, Tournament, match_event, parse_match};
use arbiter960::internal::schedule::Format;
use arbiter960::stats::sprt::Model;

use super::config_files::{FOLDER, Shelf};
use super::support::table;

fn words(words: &str) -> Vec<String> {
    words.split(' ').map(str::to_owned).collect()
}

fn key(name: &'static str, value: &str) -> (&'static str, String) {
    (name, value.to_owned())
}

fn two(time: &str) -> MatchOptions {
    MatchOptions {
        engines: vec![words("one"), words("cmd=two name=Two")],
        keys: vec![key("tc", time)],
        ..MatchOptions::default()
    }
}

fn made(options: &MatchOptions) -> Result<Tournament, String> {
    let event = match_event(options).map_err(|error| error.to_string())?;
    let origin = Path::new(FOLDER).join("match");
    let read = parse_match(&event, &origin, Overrides::default(), &Shelf::new());
    let (tournament, _) = read.map_err(|errors| errors.to_string())?;
    // The event file that it prints is the same event.
    let (mut again, _) = Shelf::new().accept(&event.to_toml());
    again.source.clone_from(&tournament.source);
    assert_eq!(again, tournament);
    Ok(tournament)
}

#[test]
fn a_test_line_needs_no_file() {
    let options = MatchOptions {
        engines: vec![
            ["one", "option.Style=\"a\" \\ b", "tc=5+0.05"]
                .map(str::to_owned)
                .to_vec(),
            words("cmd=one option.Ponder=false option.Hash=16 margin=50 args=--uci"),
        ],
        each: words("option.Hash=64 option.Threads=2 restart=true"),
        keys: vec![
            key("tc", "1:30+1"),
            key("max-moves", "200"),
            key("seed", "9"),
        ],
        positions: Some("718,0-9,24".to_owned()),
        draw: words("movenumber=40 movecount=8 score=10"),
        resign: words("moves=4 score=600 twosided=false"),
        sprt: words("elo0=-5 elo1=0 alpha=0.1 beta=0.2 model=logistic max_pairs=50"),
        ..MatchOptions::default()
    };
    insta::assert_snapshot!(match_event(&options).unwrap().to_toml());
    let event = made(&options).unwrap();
    assert_eq!((event.name.as_str(), event.seed), ("one vs one-2", 9));
    let [first, second] = &event.engines[..] else {
        panic!("two engines");
    };
    let limits = [first, second].map(|engine| engine.limits.to_string());
    assert_eq!(limits, ["5+0.05", "90+1"]);
    assert_eq!(first.options[2].1, "\"a\" \\ b");
    assert_eq!(second.options.len(), 3);
    let terms = event.sprt.unwrap().terms;
    assert_eq!((terms.elo0, terms.alpha, terms.beta), (-5.0, 0.1, 0.2));
    assert_eq!(terms.model, Model::Logistic);
    let rules = event.adjudication;
    assert_eq!(rules.draw.unwrap().from_move, 40);
    assert!(!rules.resign.unwrap().both_engines);
    assert_eq!(rules.max_moves, Some(200));
    assert_eq!((event.format, event.openings.len()), (Format::Match, 12));
}

#[test]
fn positions_of_every_kind() {
    for (positions, count) in [
        ("all", 960),
        ("sample:50", 50),
        ("518", 1),
        ("718,0-9,24", 12),
    ] {
        let mut options = two("10+0.1");
        options.positions = Some(positions.to_owned());
        assert_eq!(made(&options).unwrap().openings.len(), count);
    }
    assert_eq!(made(&two("10+0.1")).unwrap().openings.len(), 960);
    let mut options = two("10+0.1");
    options.sprt = words("0,5");
    assert_eq!(made(&options).unwrap().sprt.unwrap().terms.elo1, 5.0);
}

#[test]
fn what_is_wrong_is_shown_in_the_command_line() {
    let mut options = two("10x0.1");
    options.engines.push(words("stokfish margin=x"));
    options.keys.push(key("pairs", "0"));
    options.draw = words("moves=8");
    insta::assert_snapshot!(made(&options).unwrap_err());
}

#[test]
fn words_that_nobody_knows() {
    for [option, value, message] in table(
        "engine | a node=5 | `node=5`: --engine has no key `node`; did you mean `nodes`?
         engine | a b | `b` is not KEY=VALUE: an --engine has one command; its arguments are arg=VALUE
         engine | name=x | an --engine needs a command: cmd=PATH, a bare path, or builtin=sparring
         each | cmd=x | `cmd=x`: --each has no key `cmd`
         each | Hash | `Hash` is not KEY=VALUE, as in --each option.Hash=64
         draw | move=8 score=10 | `move=8`: --draw has no key `move`; did you mean `moves`?
         sprt | 5 | `5` is not KEY=VALUE, as in --sprt elo0=0 elo1=5",
    ) {
        let mut options = two("10+0.1");
        let value = words(&value);
        match option.as_str() {
            "engine" => options.engines.push(value),
            "each" => options.each = value,
            "draw" => options.draw = value,
            _ => options.sprt = value,
        }
        assert_eq!(made(&options).unwrap_err(), message);
    }
}
