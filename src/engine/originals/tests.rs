use std::fs;

use super::*;

impl Original {
    fn new(path: &Path, exposed: bool, is_program: bool, digest: &str) -> Original {
        Original {
            path: path.to_owned(),
            exposed,
            seen: files::known(path).ok(),
            sha256: digest.to_owned(),
            is_program,
            opened: None,
            content: None,
        }
    }
}

#[test]
fn a_file_is_replaced_when_its_content_is_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("engine");
    fs::write(&path, "one").unwrap();
    let original = Original::new(&path, true, false, &sha256(&path).unwrap());
    assert!(!original.is_replaced());
    fs::remove_file(&path).unwrap();
    assert!(!original.is_replaced(), "gone is another matter");
    assert!(original.is_gone());
    fs::write(&path, "one").unwrap();
    assert!(!original.is_replaced(), "the same again");
    fs::write(&path, "two").unwrap();
    assert!(original.is_replaced());
}

#[test]
fn what_is_no_file_any_more_or_endless_is_replaced_and_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("engine");
    fs::write(&path, "").unwrap();
    let empty = Original::new(&path, true, false, &sha256(&path).unwrap());
    fs::remove_file(&path).unwrap();
    files::link(Path::new("/dev/zero"), &path).unwrap();
    assert!(empty.is_replaced(), "endless, and of length 0 as before");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(empty.is_replaced(), "a folder");
    fs::remove_dir(&path).unwrap();
    let sparse = fs::File::create(&path).unwrap();
    sparse.set_len(1 << 42).unwrap();
    assert!(empty.is_replaced(), "4 TiB of nothing");
}

fn originals(path: &Path, exposed: bool) -> Originals {
    Originals {
        files: vec![vec![Original {
            is_program: true,
            ..Original::new(path, exposed, false, &sha256(path).unwrap())
        }]],
        builds: None,
        copies: Mutex::default(),
        suspects: Mutex::default(),
    }
}

#[test]
fn a_program_is_started_as_it_was_when_the_run_began() {
    let folder = tempfile::tempdir().unwrap();
    let (path, new) = (folder.path().join("engine"), folder.path().join("new"));
    fs::write(&path, "one").unwrap();
    let originals = originals(&path, true).keeping_in(folder.path());
    assert_eq!(originals.program(0), Ok(None));
    fs::write(&new, "two").unwrap();
    fs::rename(&new, &path).unwrap();
    let copy = originals.program(0).unwrap().expect("a copy");
    assert_eq!(fs::read(&copy).unwrap(), b"one");
    assert_eq!(copy.file_name(), path.file_name());
    // A copy that somebody touches is written again.
    fs::write(&copy, "three").unwrap();
    assert_eq!(originals.program(0), Ok(Some(copy.clone())));
    assert_eq!(fs::read(&copy).unwrap(), b"one");
    fs::write(&path, "one").unwrap();
    assert_eq!(originals.program(0), Ok(None), "the same again");
}

#[test]
fn a_program_that_is_gone_is_started_as_it_was_whoever_has_deleted_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("engine");
    fs::write(&path, "one").unwrap();
    let originals = originals(&path, true).keeping_in(folder.path());
    let before = originals.marks(0);
    fs::remove_file(&path).unwrap();
    assert_eq!(originals.gone(0).next(), Some(path.as_path()));
    let copy = originals.program(0).unwrap().expect("a copy");
    assert_eq!(fs::read(&copy).unwrap(), b"one");
    originals.ended_by_itself(0, &before);
    assert_eq!(originals.program(0), Ok(Some(copy)), "by its own doing");
}

#[test]
fn a_program_that_is_written_over_is_started_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("engine");
    for length in [1 << 10, (1 << 20) + 1] {
        fs::write(&path, vec![b'1'; length]).unwrap();
        let originals = originals(&path, true).keeping_in(folder.path());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        fs::write(&path, vec![b'2'; length]).unwrap();
        for _ in 0..2 {
            let copy = originals.program(0).unwrap().expect("a copy");
            assert_eq!(fs::read(&copy).unwrap(), vec![b'1'; length]);
            fs::remove_dir_all(folder.path().join(BUILDS)).unwrap();
        }
    }
}

#[test]
fn a_program_for_which_there_is_no_room_is_not_started_as_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("engine");
    fs::write(&path, vec![b'1'; 2 << 20]).unwrap();
    let program = File::open(&path).unwrap();
    let mut room = 3 << 20;
    assert!(kept_content(&program, folder.path(), &mut room).is_some());
    assert!(kept_content(&program, folder.path(), &mut room).is_none());
    let mut unkept = originals(&path, true).keeping_in(folder.path());
    unkept.files[0][0].content = None;
    fs::write(&path, vec![b'2'; 2 << 20]).unwrap();
    assert_eq!(unkept.program(0), Err(path.clone()));
}

#[test]
fn who_changes_its_files_and_ends_has_done_it_itself() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("engine");
    fs::write(&path, "one").unwrap();
    let (open, walled) = (originals(&path, true), originals(&path, false));
    let before = [open.marks(0), walled.marks(0)];
    open.ended_by_itself(0, &before[0]);
    assert_eq!(open.blame(0), StartBlame::None, "it only ended");
    fs::remove_file(&path).unwrap();
    assert_eq!(open.blame(0), StartBlame::Possible, "somebody has");
    open.ended_by_itself(0, &before[0]);
    walled.ended_by_itself(0, &before[1]);
    assert_eq!(open.blame(0), StartBlame::Certain);
    assert_eq!(walled.blame(0), StartBlame::None, "it could not");
}

#[test]
fn a_sandbox_protects_what_does_not_lie_where_it_lets_write() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("own").join("engine");
    let outside = folder.path().join("engine");
    fs::create_dir(inside.parent().unwrap()).unwrap();
    let shut = Confinement {
        sandbox: Sandbox::Required,
        writable: vec![folder.path().join("own")],
        ..Confinement::default()
    };
    assert!(is_exposed(&outside, &Confinement::default()));
    assert!(is_exposed(&inside, &shut) && !is_exposed(&outside, &shut));
    let thrown_away = Confinement {
        unkept: shut.writable.first().cloned(),
        ..shut
    };
    assert!(!is_exposed(&inside, &thrown_away));
}
