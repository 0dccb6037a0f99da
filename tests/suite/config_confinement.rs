//! What engines are held to, in the event file and in `match`.

use std::path::PathBuf;

use arbiter960::internal::config::{Confinement, MatchOptions, Sandbox, match_event};
use arbiter960::internal::platform::{Capability, has};

use super::config_files::Shelf;
use super::platforms::can;
use super::support::{assert_has, table};

/// An event of two engines; these lines are in the first one's table.
fn text(event: &str, lines: &str) -> String {
    format!(
        "[event]\nname = \"x\"\n{event}\n[positions]\nall = true\n[time]\ndepth = 1\n\
         [[engine]]\ncommand = \"one\"\n{lines}\n[[engine]]\ncommand = \"two\"\n"
    )
}

/// What is refused has this message.
fn assert_refused(event: &str, lines: &str, message: &str) {
    assert_has(&shelf().refuse(&text(event, lines)), [message]);
}

fn shelf() -> Shelf {
    Shelf::new()
        .file("/events/home/net.nnue", "")
        .file("/tables/syzygy/KQvK.rtbw", "")
        .file("/events/book.bin", "")
}

fn accept(lines: &str) -> Confinement {
    let (event, warnings) = shelf().accept(&text("", lines));
    assert_eq!(warnings, "");
    assert_eq!(event.engines[1].confinement, Confinement::default());
    event.engines[0].confinement.clone()
}

#[test]
fn every_limit_is_read() {
    if !can(Capability::MemoryLimit) {
        return;
    }
    let lines = "nice = 5\ncpus = [2, 3]\nmemory_mib = 512\nprocesses = 8\nfile_size_mib = 64";
    let expected = Confinement {
        nice: Some(5),
        cpus: vec![2, 3],
        memory_mib: Some(512),
        processes: Some(8),
        file_size_mib: Some(64),
        ..Confinement::default()
    };
    assert_eq!(accept(lines), expected);
    assert_eq!(accept("sandbox = false"), Confinement::default());
    assert_eq!(accept("sandbox = true\ndisk_mib = 9").disk_mib, Some(9));
    assert_refused(
        "",
        "disk_mib = 9",
        "`disk_mib` says nothing without a sandbox",
    );
}

#[test]
fn what_is_not_kept_is_the_folder_of_the_engine_alone() {
    if !can(Capability::Sandbox) {
        return;
    }
    let lines = "directory = \"home\"\nsandbox = true\nsandbox_write = [\"/tables\"]\n";
    let kept = accept(lines);
    assert_eq!((kept.unkept.clone(), kept.kept().count()), (None, 2));
    let unkept = accept(&format!("{lines}sandbox_keep = false"));
    assert_eq!(unkept.unkept, Some(PathBuf::from("/events/home")));
    assert_eq!(unkept.kept().collect::<Vec<_>>(), ["/tables"]);
    assert_eq!(unkept.writable, kept.writable);
    let said = "`sandbox_keep` says nothing without a sandbox";
    assert_refused("", "sandbox_keep = false", said);
}

/// What this system cannot do is an error of the line that asks for it, not of a game.
#[test]
fn a_limit_that_this_system_has_not_is_refused_in_the_file() {
    for (event, lines, capability) in [
        ("", "cpus = [0]", Capability::Processors),
        ("cpus_per_lane = 1", "", Capability::Processors),
        ("", "memory_mib = 100", Capability::MemoryLimit),
        ("", "processes = 5", Capability::MemoryLimit),
        ("", "file_size_mib = 5", Capability::FileSize),
    ] {
        accept_with(capability, &text(event, lines));
    }
}

/// The event file is accepted where the system can do that, and else refused for it.
fn accept_with(capability: Capability, file: &str) {
    match has(capability) {
        true => drop(shelf().accept(file)),
        false => assert_has(&shelf().refuse(file), ["this system cannot do that"]),
    }
}

#[test]
fn clocks_without_the_hosts_share_are_refused_where_the_kernel_does_not_show_it() {
    let rule = "[adjudication]\nhost_faults = \"deduct\"\n";
    let file = format!("{}\n{rule}", text("", ""));
    accept_with(Capability::WaitEvidence, &file);
}

#[test]
fn a_sandbox_opens_what_the_event_file_names() {
    if !can(Capability::Sandbox) {
        return;
    }
    let lines = "sandbox = true\ndirectory = \"home\"\nsandbox_read = [\"book.bin\"]\n\
                 options = { EvalFile = \"net.nnue\", SyzygyPath = \"/tables/syzygy:/nowhere\" }";
    let confinement = accept(lines);
    assert_eq!(confinement.sandbox, Sandbox::Required);
    assert_eq!(confinement.writable, [PathBuf::from("/events/home")]);
    let readable = [
        "/events/book.bin",
        "/events/home/net.nnue",
        "/tables/syzygy",
    ];
    assert_eq!(confinement.readable, readable.map(PathBuf::from));
    let effort = accept("sandbox = \"best-effort\"\nsandbox_write = [\"home\"]");
    assert_eq!(effort.sandbox, Sandbox::BestEffort);
    assert_eq!(effort.writable, [PathBuf::from("/events/home")]);
    assert_eq!(effort.readable, Vec::<PathBuf>::new());
}

#[test]
fn what_makes_no_sense_is_said_with_its_line() {
    for [lines, message] in table(
        r#"nice = 20 | must be -20 to 19
         cpus = [] | names no processor
         cpus = [1, 1] | names processor 1 twice
         cpus = [-1] | must be 0 to 1023
         memory_mib = 0 | must be 1 to
         processes = 'many' | must be a whole number
         sandbox = 'tight' | true, false, "strict" or "best-effort"
         sandbox = 1 | must be true or false
         sandbox_read = ['home'] | says nothing without a sandbox
         sandbox = true\nsandbox_write = ['gone'] | no such file or folder
         sandbox = true\ndirectory = '.' | the event file lies in it
         sandbox = true\ndirectory = '..' | the event file lies in it
         sandbx = true | did you mean `sandbox`?"#,
    ) {
        let said = shelf().refuse(&text("", &lines));
        assert_has(&said, [&message, "event.toml:", "^"]);
    }
}

#[test]
fn processors_for_lanes_or_for_engines() {
    if !can(Capability::Processors) {
        return;
    }
    let (event, _) = shelf().accept(&text("cpus_per_lane = 2", ""));
    assert_eq!(event.cpus_per_lane.map(|count| count.get()), Some(2));
    let said = shelf().refuse(&text("cpus_per_lane = 2", "cpus = [0]"));
    assert_has(&said, ["exclude each other", "leave one"]);
    assert_refused("cpus_per_lane = 0", "", "must be 1 to 1024");
}

#[test]
fn match_has_the_same_words() {
    if !can(Capability::MemoryLimit) {
        return;
    }
    let of_words = |words: &str| {
        let words = words.split(' ').map(str::to_owned).collect();
        let options = MatchOptions {
            engines: vec![words, vec!["two".to_owned()]],
            positions: Some("518".to_owned()),
            ..MatchOptions::default()
        };
        match_event(&options).unwrap().to_toml()
    };
    let text = of_words(
        "one nice=5 cpus=2,3 memory=512 processes=8 file_size=64 disk=7 sandbox=true read=book.bin write=home",
    );
    let (event, _) = shelf().accept(&format!("time.depth = 1\n{text}"));
    let expected = Confinement {
        nice: Some(5),
        cpus: vec![2, 3],
        memory_mib: Some(512),
        processes: Some(8),
        file_size_mib: Some(64),
        disk_mib: Some(7),
        sandbox: Sandbox::Required,
        readable: vec!["/events/book.bin".into()],
        writable: vec!["/events/home".into()],
        ..Confinement::default()
    };
    assert_eq!(event.engines[0].confinement, expected);
    let wrong = shelf().refuse(&format!("time.depth = 1\n{}", of_words("one cpus=a")));
    assert!(wrong.contains("`cpus` must be a whole number"), "{wrong}");
    let effort = of_words("one sandbox=best-effort");
    assert!(effort.contains("sandbox = \"best-effort\""), "{effort}");
}

#[test]
fn limits_are_no_part_of_what_an_event_is() {
    if !can(Capability::MemoryLimit) {
        return;
    }
    let shelf = shelf();
    let identity = |lines: &str| {
        // Nothing of it is on the disk: sparring needs nothing there.
        let text = text("", lines).replace("command = \"one\"", "builtin = \"sparring\"");
        let text = text.replace("command = \"two\"", "name = \"B\"\nbuiltin = \"sparring\"");
        shelf.accept(&text).0.identity().unwrap()
    };
    let limited = identity("nice = 1\nmemory_mib = 64\nsandbox = true");
    assert_eq!(identity(""), limited);
}
