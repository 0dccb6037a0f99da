//! The final table: all rows and a column for every rule that decided; the crosstable by rounds and FIDE's report, read back
//! from their text, against the games and the standings of random events.

use std::collections::BTreeMap;

use arbiter960::chess::random::Random;
use arbiter960::stats::standings::TieBreak;
use serde_json::Value;

use super::study::{seed, size};
use super::support::{Event, sparring_engines, tool};
use super::surfaces_agree::{decide, play_until};

/// White's name, Black's, White's result.
type Games = BTreeMap<(String, String, char), usize>;

/// A player of FIDE's report: number, name, half points, rank; by round the opponent, the colour, the result.
struct Reported {
    number: usize,
    name: String,
    half_points: u32,
    rank: u64,
    rounds: Vec<Option<(usize, char, char)>>,
}

fn half_points(sign: char) -> u32 {
    match sign {
        '1' | '+' | 'U' => 2,
        '=' | 'H' => 1,
        '0' | '-' | 'Z' => 0,
        other => panic!("no result: {other:?}"),
    }
}

/// `5.5` as half points.
fn halves(text: &str) -> u32 {
    (text.trim().parse::<f64>().unwrap() * 2.0) as u32
}

/// Strictly by its columns (FIDE Handbook C.04, annex 2).
fn reported(text: &str) -> Vec<Reported> {
    assert!(text.is_ascii() && text.ends_with("\r\n"));
    let lines = || text.split_terminator("\r\n");
    let value = |number: &str| {
        let mut found = lines().filter_map(|line| line.strip_prefix(number));
        let value = found.next();
        let value = value.unwrap_or_else(|| panic!("no line {number}:\n{text}"));
        assert_eq!(found.next(), None, "{number} twice");
        value.trim().to_owned()
    };
    let players = Vec::from_iter(lines().filter(|line| line.starts_with("001")).map(player));
    assert_eq!(value("062"), players.len().to_string());
    assert_eq!(value("042").len(), "2026/01/31".len());
    assert!(
        ["012", "092", "122"]
            .iter()
            .all(|number| !value(number).is_empty())
    );
    let rounds = players.iter().map(|player| player.rounds.len()).max();
    let rounds = rounds.unwrap();
    assert!(value("XXR").parse::<usize>().unwrap() >= rounds);
    let days = lines().find(|line| line.starts_with("132")).unwrap();
    assert!(days[3..91].trim().is_empty() && days[91..].len() <= 10 * rounds - 2);
    for (at, player) in players.iter().enumerate() {
        assert_eq!(player.number, at + 1);
        let played = player.rounds.iter().flatten();
        let sum: u32 = played.map(|round| half_points(round.2)).sum();
        assert_eq!(sum, player.half_points, "{}", player.name);
        for (round, own) in player.rounds.iter().enumerate() {
            let Some((opponent, color, _)) = own.filter(|own| own.0 > 0) else {
                continue;
            };
            let entry = players[opponent - 1].rounds[round];
            let (back, other, _) = entry.expect("the opponent's entry");
            assert_eq!((back, [color, other].contains(&'w')), (player.number, true));
            assert_ne!(color, other);
        }
    }
    players
}

fn player(line: &str) -> Reported {
    for blank in [3, 8, 13, 47, 52, 56, 68, 79, 84] {
        assert_eq!(&line[blank..=blank], " ", "column {}: {line}", blank + 1);
    }
    assert!(&line[80..84].trim().contains('.'), "{line}");
    let missing = (9 - (line.len() - 89) % 10 + 1) % 10;
    let rounds = line.to_owned() + &" ".repeat(missing);
    let rounds = rounds.as_bytes()[89..].chunks(10).map(|round| {
        let round = std::str::from_utf8(round).unwrap();
        assert!(
            round.starts_with("  ") && &round[6..7] == " " && &round[8..9] == " ",
            "{line}"
        );
        let sign = |at: usize| round.as_bytes()[at] as char;
        let opponent = round[2..6].trim();
        (!opponent.is_empty()).then(|| (opponent.parse().unwrap(), sign(7), sign(9)))
    });
    Reported {
        number: line[4..8].trim().parse().unwrap(),
        name: line[14..47].trim().to_owned(),
        half_points: halves(&line[80..84]),
        rank: line[85..89].trim().parse().unwrap(),
        rounds: rounds.collect(),
    }
}

/// The games that were played, by the report.
fn games_of(players: &[Reported]) -> Games {
    let mut games = Games::new();
    for player in players {
        for (opponent, color, sign) in player.rounds.iter().flatten().copied() {
            if color == 'w' && "1=0".contains(sign) {
                let names = [player, &players[opponent - 1]].map(|player| player.name.clone());
                let [white, black] = names;
                *games.entry((white, black, sign)).or_default() += 1;
            }
        }
    }
    games
}

/// Those of the store.
fn stored(event: &Event) -> Games {
    let text = event.ask(&["export", "--format", "csv"]);
    let mut games = Games::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let sign = match fields[8] {
            "1-0" => '1',
            "0-1" => '0',
            "1/2-1/2" => '=',
            other => panic!("{other}: {line}"),
        };
        let [white, black] = [4, 5].map(|column| fields[column].to_owned());
        *games.entry((white, black, sign)).or_default() += 1;
    }
    games
}

/// The crosstable by rounds as CSV: its points are the sum of its cells, and every place among equal points has a column
/// that says why.
fn check_rounds(event: &Event, standings: &Value, games: usize) {
    let text = event.ask(&["stats", "--by", "round", "--format", "csv"]);
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let heads = lines.next().unwrap();
    let column = |head: &str| heads.iter().position(|own| *own == head);
    let rows: Vec<Vec<&str>> = lines.collect();
    let standings = standings["standings"].as_array().unwrap();
    assert_eq!(rows.len(), standings.len());
    for (at, (row, standing)) in rows.iter().zip(standings).enumerate() {
        assert_eq!(row[1], standing["name"]);
        let cells = heads.iter().zip(row);
        let cells = cells.filter(|(head, _)| head.parse::<u32>().is_ok());
        let of_cell = |cell: &str| {
            let signs = cell.trim_start_matches(|digit: char| digit.is_ascii_digit());
            let sum: u32 = signs
                .chars()
                .filter(|sign| !"wb".contains(*sign))
                .map(half_points)
                .sum();
            // A bye stands for all games of a round.
            if signs.len() == 1 {
                games as u32 * sum
            } else {
                sum
            }
        };
        let sum: u32 = cells.map(|(_, cell)| of_cell(cell)).sum();
        let points = halves(row[column("points").unwrap()]);
        assert_eq!(sum, points, "{row:?}");
        assert_eq!(standing["points"], f64::from(points) / 2.0);
        let Some(decided) = standing["decided_by"].as_str() else {
            continue;
        };
        let mut rules = TieBreak::ALL.iter();
        let head = rules.find(|(name, _)| *name == decided).unwrap().1.head();
        let column = column(head).unwrap_or_else(|| panic!("no column of {decided}: {heads:?}"));
        let places = [rows[at - 1][column], row[column]];
        assert_ne!(places[0], places[1], "{decided} tells them apart");
        let table = event.ask(&["stats"]);
        assert!(table.contains(head), "{decided}:\n{table}");
    }
}

fn any_event(random: &mut Random, kind: u64) -> (Event, usize, bool) {
    let mut below = |count: u64| random.below(count);
    let engines = 5 + below(5) as usize;
    let pairs = 1 + below(2);
    let bye = ["win", "draw", "nothing"][below(3) as usize];
    let rules = match kind {
        0 => format!(
            "event.format = \"swiss\"\npositions.all = true\nswiss.rounds = 3\nswiss.bye = \"{bye}\""
        ),
        1 => {
            "event.format = \"knockout\"\npositions.all = true\nknockout.extra_pairs = 1".to_owned()
        }
        2 => "event.format = \"round-robin\"\npositions.all = true\npositions.draw = \"round\""
            .to_owned(),
        _ => "event.format = \"round-robin\"\npositions.numbers = [518]".to_owned(),
    };
    let pairs = if kind == 2 { 1 } else { pairs };
    let text = format!(
        "event.seed = {}\nevent.concurrency = 2\nadjudication.max_moves = 20\n\
         adjudication.host_faults = \"count\"\nevent.pairs = {pairs}\n{rules}\n{}",
        below(1000),
        sparring_engines(engines)
    );
    (Event::new("event", &text), 2 * pairs as usize, kind < 3)
}

#[test]
fn points_add_up_in_every_form_of_the_final_table() {
    let mut random = Random::new(seed(31));
    for kind in 0..size(4) {
        let (event, games, in_rounds) = any_event(&mut random, kind % 4);
        play_until(&event, 3);
        decide(&event, &["withdraw", "E2"]);
        event.run_well(&["--quiet"]);
        let standings = event.parsed("standings.json");
        let players = reported(&event.ask(&["export", "--format", "trf"]));
        for standing in standings["standings"].as_array().unwrap() {
            let mut players = players.iter();
            let own = players.find(|player| standing["name"] == player.name.as_str());
            let own = own.unwrap();
            assert_eq!(standing["rank"], own.rank);
            assert_eq!(standing["points"], f64::from(own.half_points) / 2.0);
        }
        if standings["progress"]["annulled_games"] == 0 {
            assert_eq!(games_of(&players), stored(&event));
        }
        if in_rounds {
            check_rounds(&event, &standings, games);
        }
    }
}

#[test]
fn a_swiss_of_eighteen_shows_all_rows_on_every_surface() {
    let text = format!(
        "event.format = \"swiss\"\nevent.pairs = 1\nevent.concurrency = 2\nadjudication.max_moves = 6\npositions.all = true\n\
         adjudication.host_faults = \"count\"\nswiss.rounds = 2\n{}",
        sparring_engines(18)
    );
    let event = Event::new("event", &text);
    let printed = event.run_well(&["--quiet"]);
    let pgn = event.results().join("games.pgn");
    let surfaces = [
        printed,
        event.ask(&["stats"]),
        event.ask(&["stats", "--by", "round"]),
        event.ask(&["stats", "--by", "round", "--format", "markdown"]),
        tool(&["stats", pgn.to_str().unwrap()]),
        event.read("report.html"),
    ];
    for text in surfaces {
        for engine in 1..=18 {
            let name = format!("E{engine}");
            let is_in = |line: &str| line.split([' ', '<', '>', '|']).any(|word| word == name);
            assert!(text.lines().any(is_in), "{name} is missing:\n{text}");
        }
        assert!(!text.contains("more line"), "{text}");
    }
}
