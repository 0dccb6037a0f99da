//! Games of a farm that are interrupted go on where their worker's disk is, and are replayed anywhere else.

use std::fs;

use arbiter960::chess::random::Random;
use arbiter960::internal::referee::GameRecord;
use rustix::process::Signal;

use super::farm_support::{Server, end_both, on_one_server};
use super::robust_interruptions::{
    CLOCKED, assert_stored_clocks, diary, end, stored, wait_for_moves,
};
use super::robust_support::{Run, assert_files_whole, fake_engine, games_by_round};
use super::study;
use super::support::Event;

/// Two pairs of two long games.
fn pairs() -> Event {
    let fake = fake_engine();
    let words = ["diary=2", "ignore-term"];
    let engine =
        |name| format!("[[engine]]\nname = {name:?}\ncommand = {fake:?}\nargs = {words:?}\n");
    let (one, two) = (engine("One"), engine("Two"));
    let rules = "adjudication = { max_moves = 100, host_faults = \"count\" }";
    let starts = "event.concurrency = 2\npositions.numbers = [\"0-1\"]";
    Event::new("farm", &format!("{starts}\n{rules}\n{CLOCKED}\n{one}{two}"))
}

fn coordinator(server: &Server, farm: &Event, lease: &str) -> Run {
    let mut command = farm.command(&["--quiet", "--lease", lease]);
    server.reach(&mut command, "coordinator");
    Run::spawn(command, farm)
}

fn interruptions(farm: &Event) -> usize {
    let games = stored(farm);
    games.iter().flat_map(GameRecord::interruptions).count()
}

#[test]
fn a_worker_that_comes_back_within_its_lease_goes_on_at_the_move() {
    let whole = pairs();
    Run::start(&whole, &["--quiet"]).ends(0);
    let expected = games_by_round(&whole);
    let kills = study::size(5);
    on_one_server(|server| {
        let farm = pairs();
        let mut coordinator = coordinator(&server, &farm, "3600");
        let mut one = server.worker(&farm, "one");
        let spool = farm.folder().join("one/spool");
        one.until(|| {
            let files = fs::read_dir(&spool).into_iter().flatten().flatten();
            let kinds = files.filter_map(|file| Some(file.path().extension()?.to_owned()));
            kinds.filter(|kind| kind == "begun").count() == 2
        });
        let mut random = Random::new(study::seed(0x55_fa43));
        let mut killed = 0;
        // One that has nothing to play would take what is another's.
        let mut other = None;
        while killed < kills && wait_for_moves(&farm, &mut coordinator, random.below(160) as usize)
        {
            end(&mut one, Signal::KILL);
            killed += 1;
            other.get_or_insert_with(|| server.worker(&farm, "two"));
            one = server.worker(&farm, "one");
        }
        end_both(&mut coordinator, &mut one);
        assert_eq!(games_by_round(&farm), expected);
        assert_files_whole(&farm);
        assert_stored_clocks(&farm);
        assert!(interruptions(&farm) > 0, "{killed} kills");
        // What was thought on when the worker was killed is asked again, in both lanes, and nothing else.
        let plies: usize = stored(&farm).iter().map(|game| game.moves.len()).sum();
        let (asked, most) = (diary(&farm).len(), plies + 2 * killed as usize);
        assert!(asked <= most, "{asked} of {most}, {killed} kills");
        assert!(farm.read("games.pgn").contains("\n[Resumed \""));
        let book = farm.ask(&["decide", "list"]);
        assert!(book.contains("was interrupted at move"), "{book}");
        assert!(!farm.read("workers.jsonl").contains("\"thrown_away\":true"));
        if let Some(mut other) = other {
            end(&mut other, Signal::TERM);
        }
    });
}

#[test]
fn a_pair_whose_worker_does_not_come_back_is_replayed() {
    let whole = pairs();
    Run::start(&whole, &["--quiet"]).ends(0);
    on_one_server(|server| {
        let farm = pairs();
        let mut coordinator = coordinator(&server, &farm, "3");
        let mut one = server.worker(&farm, "one");
        let has_moved = wait_for_moves(&farm, &mut coordinator, 60);
        assert!(has_moved, "{}", one.words());
        end(&mut one, Signal::KILL);
        let mut two = server.worker(&farm, "two");
        let has_moved = wait_for_moves(&farm, &mut coordinator, 20);
        assert!(has_moved, "{}", two.words());
        end_both(&mut coordinator, &mut two);
        assert_eq!(games_by_round(&farm), games_by_round(&whole));
        assert_files_whole(&farm);
        assert_eq!(interruptions(&farm), 0);
        let record = farm.read("workers.jsonl");
        assert!(!record.contains("\"worker\":\"one\""), "{record}");
    });
}
