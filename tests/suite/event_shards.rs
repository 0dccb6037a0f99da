//! Shards of an event, played apart, are merged to what one machine would have played.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use arbiter960::chess::random::Random;
use rustix::process::{Pid, Signal, kill_process};

use super::robust_support::{BOUND, Run, assert_files_whole, begun, games_by_round, six_and_nine};
use super::support::{Event, arbiter960, assert_has, program, script, words};
use super::surfaces_agree::told_alike;

const SHARDS: [&str; 3] = ["1/3", "2/3", "3/3"];

fn event(name: &str) -> Event {
    let rest = "event.concurrency = 2\npositions.numbers = [\"0-9\"]";
    six_and_nine(name, 30, rest)
}

/// The folder of a shard.
fn folder(event: &Event, shard: &str) -> PathBuf {
    let own = event.results();
    let name = own.file_name().unwrap().to_str().unwrap();
    let (index, count) = shard.split_once('/').unwrap();
    own.with_file_name(format!("{name}-shard-{index}-of-{count}"))
}

fn merging(event: &Event, shards: &[&str], more: &[&str]) -> Command {
    let mut command = arbiter960();
    command.arg("merge").arg(event.results());
    command.args(shards.iter().map(|shard| folder(event, shard)));
    command.args(more);
    command
}

fn merge(event: &Event, shards: &[&str]) -> Output {
    merging(event, shards, &[]).output().unwrap()
}

/// Merges without an error; returns the output.
pub fn merge_well(event: &Event, shards: &[&str]) -> String {
    let output = merge(event, shards);
    assert!(output.status.success(), "{}", words(&output));
    String::from_utf8(output.stderr).unwrap()
}

fn play_shards(event: &Event, shards: &[&str]) {
    for shard in shards {
        event.run_well(&["--quiet", "--shard", shard]);
    }
}

fn assert_refused(output: &Output, code: i32, why: &str) {
    let said = words(output);
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(said.contains(why), "{why:?} is not in: {said}");
}

#[test]
fn shards_that_are_merged_are_the_event_of_one_machine_whatever_the_order() {
    let whole = event("shards");
    whole.run_well(&["--quiet"]);
    let parts = event("shards");
    play_shards(&parts, &SHARDS);
    // One of three is not named, and one is named twice.
    let said = merge_well(&parts, &["3/3", "1/3", "3/3"]);
    assert_has(
        &said,
        ["14 games of 3 shards", "6 games were found more than once"],
    );
    assert_has(&said, ["6 games of shard 2/3, which was not named"]);
    assert_eq!(games_by_round(&parts).len(), 14);
    assert_files_whole(&parts);
    told_alike(&parts, None);
    let said = merge_well(&parts, &["2/3", "1/3", "3/3"]);
    assert!(!said.contains("missing"), "{said}");
    assert_eq!(games_by_round(&parts), games_by_round(&whole));
    assert_files_whole(&parts);
    assert_eq!(told_alike(&parts, None), told_alike(&whole, None));
    let before = fs::read(parts.results().join("event.db")).unwrap();
    let said = merge_well(&parts, &SHARDS);
    assert_has(&said, ["has all 20 games of 3 shards already"]);
    assert_eq!(fs::read(parts.results().join("event.db")).unwrap(), before);
    // It is an event as any other: nothing is left to play.
    let output = parts.run_well(&[]);
    assert!(output.contains("nothing was left to play"), "{output}");
}

#[test]
fn what_no_shard_has_is_played_after_the_merge() {
    let whole = event("gaps");
    whole.run_well(&["--quiet"]);
    let parts = event("gaps");
    play_shards(&parts, &["1/3", "3/3"]);
    merge_well(&parts, &["1/3", "3/3"]);
    parts.run_well(&["--quiet"]);
    assert_eq!(games_by_round(&parts), games_by_round(&whole));
    assert_files_whole(&parts);
    // What was played here would be lost.
    let said = "6 games that none of these shards has";
    assert_refused(&merge(&parts, &["1/3", "3/3"]), 2, said);
    assert_eq!(games_by_round(&parts), games_by_round(&whole));
}

#[test]
fn shards_and_merges_that_are_killed_lose_and_double_nothing() {
    let whole = event("killed");
    let begun = Instant::now();
    whole.run_well(&["--quiet"]);
    let longest = u64::try_from(begun.elapsed().as_micros()).unwrap();
    let parts = event("killed");
    let mut random = Random::new(0x5a4d);
    let mut kill_after = |command: Command, longest: u64| {
        let mut run = Run::spawn(command, &parts);
        run.ends_within(Duration::from_micros(random.below(longest)));
        // It may just have ended.
        let _ = kill_process(Pid::from_child(&run.child), Signal::KILL);
        run.child.wait().unwrap();
        assert!(run.is_gone_within(BOUND), "{:?}", run.survivors());
    };
    for shard in SHARDS {
        for _ in 0..3 {
            kill_after(parts.command(&["--quiet", "--shard", shard]), longest / 2);
        }
    }
    play_shards(&parts, &SHARDS);
    let begun = Instant::now();
    merge_well(&parts, &SHARDS[1..]);
    let longest = u64::try_from(begun.elapsed().as_micros()).unwrap();
    for _ in 0..8 {
        kill_after(merging(&parts, &SHARDS, &[]), longest);
    }
    merge_well(&parts, &SHARDS);
    assert_eq!(games_by_round(&parts), games_by_round(&whole));
    assert_files_whole(&parts);
}

#[test]
fn a_wrong_shard_is_refused_and_nothing_is_made() {
    let parts = event("wrong");
    play_shards(&parts, &["1/3", "2/3", "1/2"]);
    assert_refused(&merge(&parts, &["1/3", "1/2"]), 2, "have the same N");
    // The same pairs, played once more.
    let again = event("wrong");
    play_shards(&again, &["1/3"]);
    let with = |other: PathBuf| {
        let mut command = merging(&parts, &["1/3"], &[]);
        command.arg(other).output().unwrap()
    };
    assert_refused(&with(folder(&again, "1/3")), 2, "was played twice");
    let other = six_and_nine("wrong", 20, "positions.numbers = [\"0-9\"]");
    play_shards(&other, &["3/3"]);
    assert_refused(&with(folder(&other, "3/3")), 2, "are not of one event");
    other.run_well(&["--quiet"]);
    assert_refused(&with(other.results()), 2, "is not the store of a shard");
    assert!(!parts.results().join("event.db").exists());
    // A folder under another shard's name.
    fs::remove_dir_all(folder(&parts, "2/3")).unwrap();
    fs::rename(folder(&parts, "1/3"), folder(&parts, "2/3")).unwrap();
    let output = parts.run(&["--quiet", "--shard", "2/3"]);
    assert_refused(&output, 2, "is that of shard 1/3 and not of shard 2/3");
}

#[test]
fn a_shard_with_a_game_that_is_not_the_plans_is_refused() {
    let parts = event("altered");
    play_shards(&parts, &SHARDS);
    let store = rusqlite::Connection::open(folder(&parts, "2/3").join("event.db")).unwrap();
    let altered = "UPDATE games SET plies = plies + 1 WHERE sequence = 1";
    assert_eq!(store.execute(altered, []), Ok(1));
    drop(store);
    assert_refused(&merge(&parts, &SHARDS), 4, "shard-2-of-3");
    assert!(!parts.results().join("event.db").exists());
}

#[test]
fn merging_needs_no_engines() {
    let engine = |name| format!("[[engine]]\nname = \"{name}\"\ncommand = \"./{name}\"\n");
    let rules = "positions.numbers = [\"0-3\"]\ntime.depth = 1\nadjudication.max_moves = 10\n";
    let text = rules.to_owned() + &engine("One") + &engine("Two");
    let parts = Event::new("engines", &text);
    for name in ["One", "Two"] {
        let text = format!("exec {} sparring", program().display());
        script(&parts.folder().join(name), &text);
    }
    play_shards(&parts, &["1/2", "2/2"]);
    for name in ["One", "Two"] {
        fs::remove_file(parts.folder().join(name)).unwrap();
    }
    merge_well(&parts, &["1/2", "2/2"]);
    assert_eq!(games_by_round(&parts).len(), 8);
    assert_files_whole(&parts);
}

#[test]
fn what_depends_on_all_results_is_judged_after_the_merge_or_refused() {
    let test = six_and_nine("test", 12, "positions.numbers = [\"0-9\"]");
    let sprt = "\n[sprt]\nelo0 = 0\nelo1 = 400\nmax_pairs = 12\n";
    test.rewrite(|text| text + sprt);
    assert_refused(&test.run(&["--shard", "1/2"]), 2, "--judge-after-merge");
    for shard in ["1/2", "2/2"] {
        test.run_well(&["--quiet", "--shard", shard, "--judge-after-merge"]);
    }
    let mut merging = merging(&test, &["1/2", "2/2"], &["--exit-verdict"]);
    let output = merging.output().unwrap();
    let code = output.status.code().unwrap();
    assert!((10..=12).contains(&code), "{}", words(&output));
    assert_eq!(games_by_round(&test).len(), 24);
    let refused = |name: &str, rules: &str, why: &str| {
        let event = six_and_nine(name, 12, &format!("{rules}\npositions.numbers = [\"0-3\"]"));
        assert_refused(&event.run(&["--shard", "1/2"]), 2, why);
        event
    };
    refused("strikes", "faults.strikes = 3", "`strikes` in [faults]");
    let rounds = refused("rounds", "event.format = \"knockout\"", "in rounds");
    rounds.rewrite(|text| text.replace("event.format = \"knockout\"", ""));
    rounds.rewrite(|text| text.replace("event.seed = 0", ""));
    assert_refused(&rounds.run(&["--shard", "1/2"]), 2, "the same seed");
    rounds.run_well(&["--quiet", "--shard", "1/2", "--seed", "7"]);
}

#[test]
fn who_ends_a_whole_job_blames_no_engine() {
    let whole = event("job");
    whole.run_well(&["--quiet"]);
    let ended = event("job");
    for engine_first in [true, false, true] {
        let (mut run, _lines) = begun(&ended);
        let engine = run.find("sparring").expect("an engine is alive");
        let runner = Pid::from_child(&run.child);
        let order = match engine_first {
            true => [engine, runner],
            false => [runner, engine],
        };
        for process in order {
            // The engine may just have been ended by the runner.
            let _ = kill_process(process, Signal::TERM);
        }
        run.ends(143);
    }
    ended.run_well(&["--quiet"]);
    assert_eq!(games_by_round(&ended), games_by_round(&whole));
    assert_files_whole(&ended);
}
