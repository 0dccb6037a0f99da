//! The verdicts, case by case, and their words.

use super::*;

const MS: Duration = Duration::from_millis(1);

/// Watched for the whole second that the move took, and no thread waited.
fn quiet() -> HostEvidence {
    let host = Observation {
        watched: 1000 * MS,
        wakeup: Some(Duration::ZERO),
        lane_wait: Some(Duration::ZERO),
        engine: Some(EngineTimes {
            complete: true,
            ..EngineTimes::default()
        }),
        ..Observation::default()
    };
    HostEvidence {
        host,
        standing: ThreadState::Runnable,
        ..HostEvidence::default()
    }
}

/// Evidence in which the engine's threads waited: all together, then the one that answers, in milliseconds.
fn waited(wait: u32, answerer_wait: u32) -> HostEvidence {
    let mut seen = quiet();
    seen.answerer_wait = Some(answerer_wait * MS);
    seen.host.engine = Some(EngineTimes {
        wait: wait * MS,
        complete: true,
        ..EngineTimes::default()
    });
    seen
}

fn with(change: impl FnOnce(&mut HostEvidence)) -> HostEvidence {
    let mut seen = quiet();
    change(&mut seen);
    seen
}

#[test]
fn verdicts() {
    use Blame::{Engine, Host, Undecided};
    let unwatched = HostEvidence::default();
    let gone = |wait| {
        let mut seen = waited(wait, wait);
        seen.host.engine = seen.host.engine.map(|engine| EngineTimes {
            complete: false,
            ..engine
        });
        seen
    };
    let stopped = |standing| with(|seen| seen.standing = standing);
    let still = |ms| with(|seen| seen.host.suspended = ms * MS);
    let pending = |ms| with(|seen| seen.pending = ms * MS);
    let helper = |longest, answerer| {
        let mut seen = waited(longest, longest);
        seen.answerer_wait = Some(answerer * MS);
        seen
    };
    let unknown = |longest| {
        let mut seen = waited(longest, longest);
        seen.answerer_wait = None;
        seen
    };
    let busy = |seen| HostEvidence {
        busiest: 501 * MS,
        ..seen
    };
    let asleep = |seen| HostEvidence {
        standing: ThreadState::Asleep,
        ..seen
    };
    let wakeup = |ms| {
        with(|seen| {
            seen.host.wakeup = Some(ms * MS);
            seen.host.lane_wait = Some(ms * MS);
        })
    };
    // late by this number of milliseconds of a second, did it move, what was seen
    let table = [
        ("idle host, late move", 5, true, quiet(), Engine),
        ("idle host, no move", 1, false, quiet(), Engine),
        ("nothing is known", 5, true, unwatched, Undecided),
        (
            "nothing is known, no move",
            500,
            false,
            unwatched,
            Undecided,
        ),
        (
            "waited longer than it was late",
            5,
            true,
            waited(6, 6),
            Host,
        ),
        (
            "waited just as long: it had its time and no more",
            5,
            true,
            waited(5, 5),
            Host,
        ),
        ("waited less", 5, true, waited(4, 4), Engine),
        (
            "several threads, together longer",
            5,
            true,
            waited(8, 4),
            Undecided,
        ),
        ("several threads, one longer", 5, true, waited(30, 6), Host),
        (
            "a helper waited longer, not the thread that answers",
            5,
            true,
            helper(30, 1),
            Undecided,
        ),
        (
            "nobody can tell which thread has answered",
            5,
            true,
            unknown(30),
            Undecided,
        ),
        (
            "waited longer and has not moved yet: so far",
            5,
            false,
            waited(6, 6),
            Host,
        ),
        (
            "has not moved for longer than it waited",
            7,
            false,
            waited(6, 6),
            Engine,
        ),
        ("our own latency", 5, true, wakeup(6), Host),
        ("our own latency, smaller", 5, true, wakeup(4), Engine),
        (
            "our own latency says nothing of no move",
            5,
            false,
            wakeup(6),
            Undecided,
        ),
        (
            "we waited for its chatter, not at the end",
            5,
            true,
            with(|seen| {
                seen.host.lane_wait = Some(40 * MS);
            }),
            Undecided,
        ),
        (
            "both together",
            5,
            true,
            {
                let mut seen = waited(3, 3);
                seen.host.wakeup = Some(3 * MS);
                seen.host.lane_wait = Some(3 * MS);
                seen
            },
            Host,
        ),
        (
            "the dark part could hide it",
            5,
            true,
            with(|seen| {
                seen.host.watched = 994 * MS;
            }),
            Undecided,
        ),
        (
            "the dark part is too small",
            5,
            true,
            with(|seen| {
                seen.host.watched = 996 * MS;
            }),
            Engine,
        ),
        (
            "a thread ended: what it waited is unknown",
            5,
            true,
            gone(0),
            Undecided,
        ),
        ("a thread ended, another waited", 5, true, gone(6), Host),
        ("runnable, perhaps waiting", 5, false, pending(6), Undecided),
        (
            "runnable, but for its last tick accounted for",
            5,
            false,
            pending(4),
            Engine,
        ),
        (
            "stopped by a signal",
            500,
            false,
            stopped(ThreadState::Stopped),
            Undecided,
        ),
        (
            "waits for a disk",
            500,
            false,
            stopped(ThreadState::Blocked),
            Undecided,
        ),
        (
            "stopped, and moved when it went on",
            500,
            true,
            stopped(ThreadState::Stopped),
            Engine,
        ),
        (
            "the machine slept for less than it is late, and it has not moved",
            500,
            false,
            still(499),
            Engine,
        ),
        (
            "the machine slept for longer, and it has not moved: so far",
            500,
            false,
            still(501),
            Host,
        ),
        (
            "it slept for less, and it moved",
            500,
            true,
            still(499),
            Engine,
        ),
        (
            "it slept for all that it was late",
            500,
            true,
            still(500),
            Host,
        ),
        (
            "it slept for a part, and the engine waited for the rest",
            500,
            true,
            {
                let mut seen = waited(101, 101);
                seen.host.suspended = 400 * MS;
                seen
            },
            Host,
        ),
        (
            "pressure alone proves nothing",
            5,
            true,
            with(|seen| {
                seen.host.pressure = Some(900 * MS);
            }),
            Engine,
        ),
        (
            "it waited for nobody while it was on a processor",
            500,
            true,
            busy(waited(600, 600)),
            Engine,
        ),
        (
            "the same, and not all of its threads are known",
            500,
            true,
            busy(gone(600)),
            Engine,
        ),
        (
            "asleep when its flag had fallen: nobody kept it",
            5,
            false,
            asleep(waited(30, 30)),
            Engine,
        ),
        (
            "asleep because it had answered",
            5,
            true,
            asleep(waited(30, 30)),
            Host,
        ),
    ];
    for (name, late, answered, seen, expected) in table {
        let evidence = FlagEvidence::judge(1000 * MS, late * MS, answered, seen);
        assert_eq!(evidence.verdict, expected, "{name}");
    }
}

#[test]
fn it_is_worth_listening_while_the_host_may_be_to_blame() {
    let worth = |late, answered, seen| {
        FlagEvidence::judge(1000 * MS, late * MS, answered, seen).worth_waiting()
    };
    let just_more = Duration::from_nanos(1);
    assert_eq!(worth(1, false, waited(30, 20)), 29 * MS + just_more);
    assert_eq!(worth(30, false, waited(30, 20)), just_more);
    assert_eq!(worth(31, false, waited(30, 20)), Duration::ZERO);
    assert_eq!(worth(1, true, waited(30, 20)), Duration::ZERO);
    assert_eq!(worth(1, false, HostEvidence::default()), Duration::ZERO);
    let still = with(|seen| seen.host.suspended = 20 * MS);
    assert_eq!(worth(1, false, still), 19 * MS + just_more);
    let held = |standing| HostEvidence {
        standing,
        ..waited(30, 20)
    };
    let stopped = held(ThreadState::Stopped);
    assert_eq!(worth(1, false, stopped), 29 * MS + just_more);
    assert_eq!(worth(1, false, held(ThreadState::Asleep)), Duration::ZERO);
}

#[test]
fn what_is_taken_is_what_is_proven() {
    let taken = |seen| FlagEvidence::judge(1000 * MS, 5 * MS, true, seen).taken;
    assert_eq!(taken(waited(30, 20)), 20 * MS);
    let own = HostEvidence {
        own: 15 * MS,
        ..waited(30, 20)
    };
    assert_eq!(
        taken(own),
        5 * MS,
        "the engine may have kept itself waiting"
    );
    let busy = HostEvidence {
        busiest: 990 * MS,
        ..waited(30, 20)
    };
    assert_eq!(
        taken(busy),
        10 * MS,
        "nobody waits while it is on a processor"
    );
    let little = HostEvidence {
        answerer_wait: Some(NOTHING / 2),
        ..waited(30, 20)
    };
    assert_eq!(taken(little), Duration::ZERO);
}

#[test]
fn the_words_say_what_the_host_took() {
    let words = |late, answered, seen| {
        FlagEvidence::judge(1000 * MS, late * MS, answered, seen).to_string()
    };
    let undecided = "undecided: 5 ms late, the host cost it 4 ms to 8 ms";
    assert_eq!(words(5, true, waited(8, 4)), undecided);
    let engine = "the engine's fault: at least 7 ms late, the host cost it 6 ms at most";
    assert_eq!(words(7, false, waited(6, 6)), engine);
    let host = "the host's fault: 5 ms late, the host cost it 6 ms at least";
    assert_eq!(words(5, true, waited(6, 6)), host);
    let mut hogged = waited(6, 6);
    hogged.own = 4 * MS;
    let own = "undecided: 5 ms late, the host cost it 2 ms to 6 ms, its own other \
               processes 4 ms at most";
    assert_eq!(words(5, true, hogged), own);
    let nothing = "undecided: 5 ms late, and the host was not watched";
    assert_eq!(words(5, true, HostEvidence::default()), nothing);
}
