//! The runner killed at single system calls of its storage (by strace), and power cut under it (by a
//! forced shutdown of an ext4 file system on a loop device, where root may).
//!
//! The large form (`super::study`) tries every call of every kind, and more power cuts; a few of each otherwise.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::channel;

use rustix::time::{ClockId, clock_gettime};

use super::robust_support::{
    BOUND, Run, assert_files_whole, begun, games, games_by_round, round_of, six_and_nine,
    start_with_json,
};
use super::study;
use super::support::{Event, assert_has, missing};

/// What only the runner calls, not its engines, and only for its files.
const CALLS: &str = "pwrite64 fdatasync fsync ftruncate unlink rename flock";

fn event(name: &str, pairs: u32) -> Event {
    let rest = format!("event.pairs = {pairs}\npositions.numbers = [5]");
    six_and_nine(name, 6, &rest)
}

/// Makes the event longer, as a user does it.
fn lengthen(event: &Event, from: u32, to: u32) {
    let [from, to] = [from, to].map(|pairs| format!("pairs = {pairs}"));
    event.rewrite(|text| {
        assert_has(&text, [&from]);
        text.replace(&from, &to)
    });
}

type Moment = (&'static str, fn(&Event), &'static [&'static str]);

/// The moments of an event in which its store is written, each with what is done before, and what
/// then is run.
const MOMENTS: [Moment; 4] = [
    ("first run", |_| (), &["--quiet"]),
    ("resume", half_played, &["--quiet"]),
    ("a change", shorter, &["--quiet", "--accept-changes"]),
    ("the end", without_pgn, &["--quiet"]),
];

fn half_played(event: &Event) {
    let limited = "pairs = 2\nevent.concurrency = 1";
    event.rewrite(|text| text.replace("pairs = 2", limited));
    // Killed as soon as one game is stored.
    let (mut run, _lines) = begun(event);
    run.child.kill().unwrap();
    run.child.wait().unwrap();
    assert!(run.is_gone_within(BOUND));
    event.rewrite(|text| text.replace(limited, "pairs = 2"));
}

fn shorter(event: &Event) {
    lengthen(event, 2, 1);
    event.run_well(&["--quiet"]);
    lengthen(event, 1, 2);
}

fn without_pgn(event: &Event) {
    event.run_well(&["--quiet"]);
    fs::remove_file(event.results().join("games.pgn")).unwrap();
}

/// Runs the event under strace, which kills it at its nth call; whether it came so far.
fn killed_at(event: &Event, arguments: &[&str], call: &str, nth: u32) -> bool {
    let inner = event.command(arguments);
    let mut command = Command::new("strace");
    let [trace, inject] = [
        format!("trace={call}"),
        format!("inject={call}:signal=KILL:when={nth}"),
    ];
    command.args(["-f", "-qq", "-o", "/dev/null", "-e", &trace, "-e", &inject]);
    command.arg(inner.get_program()).args(inner.get_args());
    let mut run = Run::spawn(command, event);
    let status = run.end(BOUND);
    assert!(run.is_gone_within(BOUND), "{:?}", run.survivors());
    // strace ends as what it traces has ended.
    let killed = status.signal() == Some(9);
    assert!(killed || status.success(), "{status}: {}", run.words());
    killed
}

#[test]
fn killed_at_any_call_of_its_storage_the_event_becomes_what_it_would_have_been() {
    if Command::new("strace").arg("-V").output().is_err() {
        return missing("strace is not there");
    }
    let undisturbed = event("undisturbed", 2);
    undisturbed.run_well(&["--quiet"]);
    let expected = games_by_round(&undisturbed);
    let mut kills = 0;
    for (row, (moment, prepare, arguments)) in MOMENTS.into_iter().enumerate() {
        for (column, call) in CALLS.split(' ').enumerate() {
            // The small form tries each call at every second moment.
            if !study::is_large() && (row + column) % 2 == 1 {
                continue;
            }
            let mut nth = if study::is_large() { 1 } else { 2 };
            loop {
                let event = event("cut", 2);
                prepare(&event);
                let killed = killed_at(&event, arguments, call, nth);
                kills += u32::from(killed);
                // As a user would: the same command again.
                let what = format!("{moment}, {call} {nth}");
                event.run_well(arguments);
                assert_eq!(games_by_round(&event), expected, "{what}");
                assert_files_whole(&event);
                assert_has(&event.ask(&["status"]), ["planned    4 games"]);
                if !killed || !study::is_large() {
                    break;
                }
                nth += 1;
            }
        }
    }
    assert!(kills > 0);
    eprintln!("{kills} kills at system calls, 0 games lost, 0 doubled");
}

/// An ext4 file system in a file, on a loop device.
struct Disk {
    image: PathBuf,
    place: PathBuf,
}

impl Disk {
    fn mount(folder: &Path) -> Option<Disk> {
        let mut disk = Disk {
            image: folder.join("image"),
            place: folder.join("results"),
        };
        fs::create_dir_all(&disk.place).unwrap();
        let image = fs::File::create(&disk.image).unwrap();
        image.set_len(64 << 20).unwrap();
        let made = succeeds(Command::new("mkfs.ext4").arg("-q").arg(&disk.image));
        let ready = made && disk.attach() && succeeds(Command::new("python3").arg("-V"));
        if !ready {
            missing("this user cannot make and mount an ext4 file system");
        }
        ready.then_some(disk)
    }

    /// Mounts a copy of what is on the disk: an engine of another test, with mounts of its own, may still hold the file
    /// system that was cut, and the same disk would be that one again.
    fn attach(&mut self) -> bool {
        let mut next = self.image.clone().into_os_string();
        next.push(".next");
        fs::copy(&self.image, &next).unwrap();
        self.image = next.into();
        let mut mount = Command::new("mount");
        mount.args(["-o", "loop"]).args([&self.image, &self.place]);
        succeeds(&mut mount)
    }

    /// `EXT4_IOC_SHUTDOWN` with `EXT4_GOING_FLAGS_NOLOGFLUSH`: nothing more reaches the disk. The moment
    /// at which it was asked for, by the monotonic clock; `None` where the kernel cannot.
    fn cut(&self) -> Option<u64> {
        let script = "import fcntl,os,struct,sys,time\n\
                      place = os.open(sys.argv[1], os.O_RDONLY)\n\
                      print(time.monotonic_ns())\n\
                      fcntl.ioctl(place, 0x8004587d, struct.pack('I', 2))";
        let mut command = Command::new("python3");
        let command = command.args(["-c", script]).arg(&self.place);
        let output = command.output().ok()?;
        let moment = String::from_utf8(output.stdout).ok()?;
        let is_cut = output.status.success();
        is_cut.then(|| moment.trim().parse().unwrap())
    }

    fn detach(&self) {
        assert!(succeeds(Command::new("umount").arg(&self.place)));
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _gone = Command::new("umount").arg("-l").arg(&self.place).output();
    }
}

/// Nanoseconds of the monotonic clock, the same as Python's `monotonic_ns`.
fn monotonic() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec.cast_unsigned() * 1_000_000_000 + now.tv_nsec.cast_unsigned()
}

fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

#[test]
fn no_reported_game_is_lost_when_the_power_fails() {
    let pairs = 20;
    let undisturbed = event("undisturbed", pairs);
    undisturbed.run_well(&["--quiet"]);
    let expected = games_by_round(&undisturbed);
    let cuts = if study::is_large() { 40 } else { 3 };
    let mut reports = 0;
    for cut in 0..cuts {
        let event = event("power", pairs);
        let Some(mut disk) = Disk::mount(event.folder()) else {
            return;
        };
        let (mut run, lines) = start_with_json(&event);
        let (told, heard) = channel();
        let reader = std::thread::spawn(move || {
            for round in lines.filter_map(|line| round_of(&line)) {
                told.send((monotonic(), round)).unwrap();
            }
        });
        let mut seen: Vec<(u64, String)> = heard.iter().take(1 + cut % 7).collect();
        let Some(moment) = disk.cut() else {
            return missing("this kernel cannot shut an ext4 file system down");
        };
        run.end(BOUND);
        reader.join().unwrap();
        seen.extend(heard);
        // A forced shutdown is not a power cut while it lasts: an fdatasync(2) that it meets may succeed
        // without its bytes being there afterwards. What was reported before it is safe.
        seen.retain(|(reported, _)| *reported < moment);
        assert!(run.is_gone_within(BOUND), "{:?}", run.survivors());
        disk.detach();
        assert!(disk.attach());
        let stored: Vec<String> = games(&event).into_iter().map(|game| game.round).collect();
        let lost = seen.iter().find(|(_, round)| !stored.contains(round));
        assert_eq!(lost, None, "cut {cut}");
        reports += seen.len();
        event.run_well(&["--quiet"]);
        assert_eq!(games_by_round(&event), expected, "cut {cut}");
        assert_files_whole(&event);
        disk.detach();
    }
    eprintln!("{cuts} power cuts, {reports} games reported before them, 0 lost, 0 doubled");
}
