//! Events in stages, level encounters that are played off, and limits by colour and by round.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use super::config_files::Shelf;
use super::event_rounds::{engines, told, undisturbed_and_killed, undisturbed_and_killed_times};
use super::support::{
    Event, arbiter960, assert_has, json, list, members, sparring, table, tool, words,
};

/// Two leagues, a Swiss of those between, a final tree with a last game of unequal terms.
fn season() -> String {
    format!(
        "event.seed = 5\nevent.concurrency = 2\npositions.sample = 40\nadjudication.max_moves = 30\n\
         [[stage]]\nname = \"Leagues\"\nformat = \"round-robin\"\ngroups = 2\nseeding = \"lot\"\n\
         [[stage]]\nname = \"Between\"\nformat = \"swiss\"\nswiss = {{ rounds = 2 }}\n\
         from = [{{ stage = \"Leagues\", places = [2, 3] }}]\n\
         [[stage]]\nname = \"Final\"\nformat = \"knockout\"\n\
         from = [{{ stage = \"Leagues\", places = [1] }}, {{ stage = \"Between\", places = [1, 2] }}]\n\
         knockout = {{ extra_pairs = 1, round_pairs = [1, 2], ends_when_decided = true }}\n\
         playoff = [{{ armageddon = true, time = {{ white = {{ nodes = 90 }}, black = {{ nodes = 60 }} }} }}]\n\
         {}",
        engines(8)
    )
}

fn names_of(stage: &Value) -> BTreeSet<String> {
    let names = members(&stage["standings"], "name");
    names
        .iter()
        .map(|name| name.as_str().unwrap().to_owned())
        .collect()
}

/// The engines at these places of a stage.
fn at(stage: &Value, places: &[usize]) -> BTreeSet<String> {
    let name = |place: &usize| stage["standings"][place - 1]["name"].as_str().unwrap();
    places.iter().map(|place| name(place).to_owned()).collect()
}

#[test]
fn a_season_is_the_same_whatever_kills_it_and_comes_back_from_its_games() {
    let [event, _] = undisturbed_and_killed("season", &season(), 25);
    let standings = event.parsed("standings.json");
    let stages = list(&standings["stages"]);
    let names = Vec::from_iter(stages.iter().map(|one| one["name"].as_str().unwrap()));
    assert_eq!(
        names.join("; "),
        "Leagues, group 1; Leagues, group 2; Between; Final"
    );
    let [one, two, between, last] = [0, 1, 2, 3].map(|nth| &stages[nth]);
    assert_eq!(names_of(between), &at(one, &[2, 3]) | &at(two, &[2, 3]));
    let winners = &at(one, &[1]) | &at(two, &[1]);
    assert_eq!(names_of(last), &winners | &at(between, &[1, 2]));
    // The winner of the event is that of its last stage, and who came furthest stands first.
    let first = standings["standings"][0]["name"].as_str().unwrap();
    assert_eq!(at(last, &[1]), BTreeSet::from([first.to_owned()]));
    let claims = members(&standings["verdict"]["claims"], "words");
    let won = format!("{first} won");
    assert!(
        claims
            .iter()
            .any(|words| words.as_str().unwrap().starts_with(&won))
    );
    assert_has(&event.ask(&["status"]), names);
    let title = "<h3 class=\"span\">Between</h3>";
    assert!(
        event.read("report.html").contains(title),
        "no stage in the report"
    );
    let before = told(&event);
    event.rebuilt();
    event.run_well(&["--quiet"]);
    assert_eq!(told(&event), before);
}

/// An event file of configs/seasons under limits in nodes, so that it has one course; bids are parts of a time.
fn in_nodes(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut of_event = false;
    for line in text.lines().filter(|line| !line.starts_with("bids = ")) {
        let mut line = line.replace("white = \"bid\"", "white = \"lot\"");
        line = line.replace("max_moves = 100", "max_moves = 14");
        while let Some(start) = line.find("control = \"") {
            let value = start + "control = \"".len();
            let end = value + line[value..].find('"').unwrap() + 1;
            line.replace_range(start..end, "nodes = 12");
        }
        // The name of the event comes from elsewhere.
        of_event = line == "[event]" || of_event && !line.starts_with('[');
        match line.as_str() {
            "[event]" => {}
            key if of_event && key.starts_with("name") => {}
            key if of_event && key.contains(" = ") => lines.push(format!("event.{key}")),
            _ => lines.push(line),
        }
    }
    lines.join("\n")
}

const SEASONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/seasons");

/// An event file of configs/seasons is rehearsed and killed on the way, more often by `super::study`.
fn rehearse(name: &str) {
    let text = fs::read_to_string(format!("{SEASONS}/{name}.toml")).unwrap();
    let text = in_nodes(&text);
    let kills = if super::study::is_large() { 60 } else { 20 };
    let [event, _] = undisturbed_and_killed_times(name, &text, kills);
    let report = event.read("report.html");
    // Games packed by gzip in base 64 may have these letters.
    let mut words = report.split(['"', '<', '>']);
    let is_number = words.all(|word| word.starts_with("H4sI") || !word.contains("NaN"));
    assert!(is_number, "{name}");
    let is_divided = event.results().join("next-season.toml").exists();
    assert_eq!(is_divided, name == "divisions");
    if is_divided {
        let said = event.ask(&["status"]);
        let first = said.lines().next().unwrap();
        let divisions = text.matches("[[stage]]").count();
        assert!(first.starts_with("Winners: "), "{first}");
        assert_eq!(first.matches(": ").count(), 1 + divisions, "{first}");
        let next = event.read("next-season.toml");
        let shelf = Shelf::new();
        let is_of_stage = |line: &&str| line.starts_with("engines = ");
        let (old, new) = (text.lines(), next.lines().filter(is_of_stage));
        let lines = old.filter(is_of_stage).zip(new);
        assert_eq!(lines.clone().count(), divisions);
        let file = lines.fold(text.clone(), |file, (old, new)| file.replace(old, new));
        assert_ne!(file, text);
        shelf.accept(&format!("event.name = \"next\"\n{file}"));
    }
}

macro_rules! seasons {
    ($($test:ident $name:literal),*) => {
        $(#[test]
        fn $test() {
            rehearse($name);
        })*

        #[test]
        fn every_season_that_comes_along_is_rehearsed() {
            let files = fs::read_dir(SEASONS).unwrap();
            let files = files.map(|file| file.unwrap().file_name().into_string().unwrap());
            let known = [$(concat!($name, ".toml").to_owned()),*];
            assert_eq!(files.collect::<BTreeSet<_>>(), BTreeSet::from(known));
        }
    };
}

seasons! {
    divisions_are_the_same_whatever_kills_them "divisions",
    freestyle_is_the_same_whatever_kills_it "freestyle",
    mainz_is_the_same_whatever_kills_it "mainz",
    sections_are_the_same_whatever_kills_them "sections",
    tcecs_cup_is_the_same_whatever_kills_it "tcec-cup",
    tcecs_season_is_the_same_whatever_kills_it "tcec-frc"
}

#[test]
fn a_level_final_ends_in_an_armageddon_game_whose_terms_are_told() {
    let twin = |name: &str| sparring(name, "options = { Strength = 5 }");
    // Equal engines that do the same whenever they are asked the same: every pair is level.
    let text = format!(
        "event.format = \"knockout\"\ntime.nodes = 50\npositions.sample = 10\n\
         adjudication.max_moves = 8\n[knockout]\nextra_pairs = 0\ntie_break = \"lot\"\n\
         [[playoff]]\npairs = 2\ntime = {{ nodes = 40 }}\n\
         [[playoff]]\narmageddon = true\nwhite = \"lower-seed\"\n\
         time = {{ white = {{ nodes = 80 }}, black = {{ nodes = 20 }} }}\n{}{}",
        twin("Alpha"),
        twin("Beta")
    );
    let event = Event::new("armageddon", &text);
    let plan = event.run_well(&["--dry-run"]);
    let told = "while level: 2 pairs at nodes=40; then an armageddon game at White nodes=80, Black nodes=20";
    assert!(plan.contains(told), "{plan}");
    event.run_well(&["--quiet"]);
    let board = &event.parsed("schedule.json")["rounds"][0]["boards"][0];
    assert_eq!(list(&board["pairs"]).len(), 4);
    assert_eq!(board["decided_by"], "armageddon");
    let last = &board["pairs"][3];
    assert_eq!(last["white_first"], "Beta", "the lower seed has White");
    let white = list(&last["white_points"]);
    assert_eq!(white.iter().filter(|points| !points.is_null()).count(), 1);
    let winner = if white[0] == 1.0 { "Beta" } else { "Alpha" };
    assert_eq!(board["winner"], winner);
    let pgn = event.read("games.pgn");
    let games: Vec<&str> = pgn.split("[Event ").skip(1).collect();
    let of = |round: &str| {
        let tag = format!("[Round \"{round}\"]");
        *games.iter().find(|game| game.contains(&tag)).unwrap()
    };
    assert!(of("1.1.2").contains("[TimeControl \"nodes=50\"]"));
    assert!(of("1.1.6").contains("[TimeControl \"nodes=40\"]"));
    let limits = [
        "[WhiteTimeControl \"nodes=80\"]",
        "[BlackTimeControl \"nodes=20\"]",
    ];
    assert_has(of("1.1.7"), limits);
    assert_has(of("1.1.7"), ["[Armageddon \"a draw counts for Black\"]"]);
    assert_eq!(pgn.matches("[Armageddon").count(), 1);
    let told = "Beta had White nodes=80, Alpha Black nodes=20; a draw counts for Black";
    let status = event.ask(&["status"]);
    assert!(status.contains(told), "{status}");
    assert!(event.read("report.html").contains(told));
}

#[test]
fn limits_by_colour_hold_in_self_play_too() {
    let text = "event.seed = 5\npositions.sample = 4\nadjudication.max_moves = 10\n\
                time.white = { nodes = 60 }\ntime.black = { nodes = 30 }\n\
                [[engine]]\nname = \"Twin\"\nbuiltin = \"sparring\"\ncopies = 2\n";
    let event = Event::new("odds", text);
    event.run_well(&["--quiet"]);
    let pgn = event.read("games.pgn");
    let games = pgn.matches("[Event ").count();
    for tag in [
        "[WhiteTimeControl \"nodes=60\"]",
        "[BlackTimeControl \"nodes=30\"]",
    ] {
        assert_eq!(pgn.matches(tag).count(), games, "{tag}");
    }
    let stats = event.ask(&["stats", "--details"]);
    assert_has(&stats, ["nodes=60", "nodes=30"]);
}

#[test]
fn what_cannot_be_a_season_is_refused_with_its_line() {
    // ROBIN and CUP are the lines of a stage in that format.
    for [rules, said] in table(
        "[[stage]]\\nROBIN\\n[[stage]]\\nCUP | a stage needs two engines or more
         [[stage]]\\nROBIN\\npromotes = 1 | no stage comes before this one
         [[stage]]\\nROBIN\\nrelegates = 1 | no stage comes after this one
         [[stage]]\\nCUP\\nfrom = [{ stage = 'B', places = [1] }]\\n[[stage]]\\nname = 'B'\\nROBIN\\nengines = ['E01', 'E02'] | \
         stand before it in the file
         [[stage]]\\nROBIN\\nplayoff = [{ pairs = 1 }] | this is about a knockout
         [[stage]]\\nname = 'A'\\nROBIN\\n[[stage]]\\nCUP\\nfrom = [{ stage = 'B', places = [1] }] | \
         no earlier stage is called \"B\"
         [[stage]]\\nname = 'A'\\nROBIN\\ngroups = 4 | have too few engines for a game
         [[stage]]\\nname = 'A'\\nROBIN\\n[[stage]]\\nCUP\\nfrom = [{ stage = 'A', places = [1, 5] }] | there are 4 places
         [[stage]]\\nname = 'A'\\nROBIN\\n[[stage]]\\nCUP\\nengines = ['E01']\\nfrom = [{ stage = 'A', places = [1, 2] }] | \
         an engine could come here twice
         event.format = 'swiss'\\n[[stage]]\\nROBIN | each [[stage]] has its own
         [[stage]]\\nformat = 'gauntlet' | a stage is not played in this format
         [[stage]]\\nformat = 'swiss' | `swiss` is missing
         [[stage]]\\nCUP\\nknockout = { seeds = ['E01'] } | the seeds of a stage are its entrants
         [[stage]]\\nCUP\\ncarries_points = true | only a round-robin counts games
         event.format = 'swiss'\\nswiss.rounds = 2\\n[[playoff]]\\npairs = 2 | [[playoff]] is about level encounters of a tree
         event.CUP\\n[[playoff]]\\narmageddon = true\\n[[playoff]]\\npairs = 1 | no step follows an armageddon game
         event.CUP\\n[[playoff]]\\narmageddon = true\\nwhite = 'bid'\\nbids = { E01 = 50 } | no bid of E02, E03, E04
         event.CUP\\n[[playoff]]\\narmageddon = true\\npairs = 3 | an armageddon game is one game
         time.white = { nodes = 5 } | limits of its own
         [[stage]]\\nCUP\\ntie_breaks = ['wins'] | do not follow from points
         [[stage]]\\nROBIN\\ntie_breaks = ['fewer-faults'] | faults count for the whole event
         [[stage]]\\nname = 'A'\\nCUP\\n[[stage]]\\nROBIN\\nfrom = [{ stage = 'A', places = [2, 3] }] | \
         places 3 and 4 are shared",
    ) {
        let is_of_b = rules.contains("'B'");
        let rules = rules.replace("ROBIN", "format = \"round-robin\"");
        let rules = rules.replace("CUP", "format = \"knockout\"");
        let rules = format!("event.name = \"x\"\n{rules}");
        let first = "positions.sample = 10\n";
        let text = format!("{first}{rules}\n{}", engines(4));
        let refused = Shelf::new().refuse(&text);
        assert_has(&refused, [&said, "-->"]);
        // What follows from a name that nothing has is not said again.
        let is_alone = refused.matches("error: ").count() == 1;
        assert!(is_alone || !is_of_b, "{refused}");
    }
}

#[test]
fn the_ratio_that_levels_a_set_is_found_from_events_at_several() {
    let played = |name: &str, white: u32| {
        let text = format!(
            "event.seed = 5\npositions.sample = 24\nadjudication.max_moves = 60\n\
             adjudication.resign = {{ moves = 2, centipawns = 400 }}\n\
             time.white = {{ nodes = {white} }}\ntime.black = {{ nodes = 200 }}\n\
             [[engine]]\nname = \"Twin\"\nbuiltin = \"sparring\"\ncopies = 2\n"
        );
        let event = Event::new(name, &text);
        event.run_well(&["--quiet"]);
        event
    };
    let events = [("less", 50), ("even", 200), ("more", 800)];
    let events = events.map(|(name, white)| played(name, white));
    let folders = events.each_ref().map(|event| event.results());
    let folders = folders.each_ref().map(|folder| folder.to_str().unwrap());
    let ask = |json: &[&str]| tool(&[&["plan", "odds"], json, folders.as_slice()].concat());
    let said = ask(&[]);
    assert_has(&said, ["Level at ", "24 starts"]);
    assert_eq!(said, ask(&[]));
    let found = json(&ask(&["--json"]));
    assert_eq!(members(&found["events"], "ratio"), [0.25, 1.0, 4.0]);
    let [low, high] = [0, 1].map(|end| found["interval"][end].as_f64().unwrap());
    let ratio = found["ratio"].as_f64().unwrap();
    assert!(low < ratio && ratio < high, "{found}");
    // More time wins: a quarter of it is too little, four times too much.
    assert!((0.25..4.0).contains(&ratio), "{found}");
    let one = arbiter960()
        .args(["plan", "odds", folders[0]])
        .output()
        .unwrap();
    assert!(!one.status.success());
    assert_has(&words(&one), ["two ratios or more"]);
}

#[test]
fn what_holds_for_limits_holds_for_those_of_playoffs() {
    let text = |playoff: &str, engine: &str| {
        let twin = |name| sparring(name, engine);
        format!(
            "event.format = \"knockout\"\npositions.sample = 10\ntime.control = \"1+0.01\"\n\
             knockout.extra_pairs = 0\n[[playoff]]\ntime = {{ {playoff} }}\n{}{}",
            twin("Alpha"),
            twin("Beta")
        )
    };
    let pondering = text("nodes = 50", "ponder = true\n");
    let refused = Shelf::new().refuse(&format!("event.name = \"x\"\n{pondering}"));
    assert_has(&refused, ["thinks on its opponent's time"]);
    // Four games of twice 600 seconds, one after the other.
    let event = Event::new("long", &text("control = \"600\"", ""));
    let plan = event.run_well(&["--dry-run"]);
    assert!(plan.contains("about 80 min of play at most"), "{plan}");
}
