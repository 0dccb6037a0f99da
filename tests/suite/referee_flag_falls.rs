//! A flag has fallen: the referee waits as long as it can still learn who is to blame. In virtual time.

use std::time::Duration;

use arbiter960::chess::Color;
use arbiter960::internal::referee::*;

use super::referee_virtual::{STANDARD, Table, clock, forfeit, ms, settings};

const MS: Duration = Duration::from_millis(1);

/// White has a second, and the host is watched.
fn table(host_faults: HostFaults) -> Table {
    let mut game = settings(STANDARD, clock("1"));
    game.adjudication.host_faults = host_faults;
    watched(game)
}

fn watched(game: GameSettings) -> Table {
    let mut table = Table::begun(game);
    table.referee = table.referee.watched();
    table.sent();
    table
}

/// Watched from the start, and the engine's one thread waited this number of milliseconds.
fn waited(milliseconds: u32) -> HostEvidence {
    let wait = milliseconds * MS;
    let engine = EngineTimes {
        wait,
        longest_wait: wait,
        complete: true,
        ..EngineTimes::default()
    };
    let host = Observation {
        watched: Duration::from_secs(60),
        wakeup: Some(Duration::ZERO),
        lane_wait: Some(Duration::ZERO),
        engine: Some(engine),
        ..Observation::default()
    };
    HostEvidence {
        host,
        answerer_wait: Some(wait),
        ..HostEvidence::default()
    }
}

impl Table {
    fn tick_at(&mut self, now: u64) {
        self.now = now;
        self.referee.tick(ms(now));
    }

    fn testify(&mut self, seen: &HostEvidence) {
        self.referee.testify(seen, ms(self.now));
    }

    /// The evidence of the one fault of a game that White has lost on time.
    fn lost(self) -> FlagEvidence {
        let record = self.record();
        assert_eq!(record.outcome, forfeit(Color::Black, FaultKind::FlagFall));
        assert_eq!(record.faults.len(), 1);
        record.faults[0].evidence.expect("evidence")
    }
}

#[test]
fn a_late_move_is_judged_at_once() {
    for (wait, verdict) in [(0, Blame::Engine), (29, Blame::Engine), (31, Blame::Host)] {
        let mut table = table(HostFaults::Count);
        table.says(Color::White, "info depth 3 time 990 score cp 1");
        table.now = 1_030;
        table.says(Color::White, "bestmove e2e4");
        assert!(!table.referee.is_over(), "without evidence nothing is said");
        assert_eq!(table.referee.awaits_testimony(), Some(true));
        // looked at a little later, which changes nothing
        table.now = 1_040;
        table.testify(&waited(wait));
        let evidence = table.lost();
        assert_eq!(
            (evidence.verdict, evidence.answered),
            (verdict, true),
            "{wait}"
        );
        assert_eq!(evidence.elapsed, 1_030 * MS);
        assert_eq!(evidence.late.as_millis(), 29, "all but a microsecond of 30");
        assert_eq!(evidence.reported_ms, Some(990));
    }
}

/// Passes evidence of the host as often as the referee wants it, at most until `most` milliseconds have passed.
fn listen_until(table: &mut Table, most: u64, seen: &HostEvidence) {
    while !table.referee.is_over() && table.now < most {
        table.testify(seen);
        table.sent();
        if let Some(next) = table.referee.deadline() {
            // the next whole millisecond
            table.now = next.0.div_ceil(1_000_000).max(table.now + 1);
        }
    }
}

#[test]
fn by_fides_rule_silence_does_not_win_for_a_bare_king() {
    let mut game = settings("7k/8/8/8/8/8/4P3/4K3 w - - 0 1", clock("1"));
    game.adjudication.flag_fall = FlagFallRule::Fide;
    let mut table = watched(game);
    table.tick_at(1_001);
    listen_until(&mut table, 10_000, &waited(0));
    let drawn = DrawnBy::ForfeitAgainstNoMate(FaultKind::Stall);
    assert_eq!(table.record().outcome, Outcome::Drawn(drawn));
}

/// As in fastchess and cutechess-cli: its connection stalls.
#[test]
fn an_engine_that_answers_nothing_when_its_flag_has_fallen_has_stalled() {
    let mut table = table(HostFaults::Count);
    table.tick_at(1_001);
    assert_eq!(table.referee.awaits_testimony(), Some(false));
    assert_eq!(table.sent(), [(Color::White, "isready\n".to_owned())]);
    listen_until(&mut table, 10_000, &waited(0));
    assert!((2_000..2_100).contains(&table.now), "{}", table.now);
    let record = table.record();
    assert_eq!(record.outcome, forfeit(Color::Black, FaultKind::Stall));
    let fault = &record.faults[0];
    assert!(
        fault.detail.contains("no readyok since its flag fell"),
        "{}",
        fault.detail
    );
    let evidence = fault.evidence.expect("evidence");
    assert_eq!(
        (evidence.verdict, evidence.answered),
        (Blame::Engine, false)
    );
}

/// How late it is is how late its move comes, not when the referee has stopped listening.
#[test]
fn a_sound_engine_that_is_late_has_lost_on_time_by_what_its_move_is_late() {
    let mut table = table(HostFaults::Count);
    table.tick_at(1_001);
    table.sent();
    table.says(Color::White, "readyok");
    listen_until(&mut table, 3_000, &waited(0));
    assert!(
        !table.referee.is_over(),
        "it is sound, and its move is to come"
    );
    table.now = 3_358;
    table.says(Color::White, "bestmove e2e4");
    table.testify(&waited(0));
    let evidence = table.lost();
    assert_eq!((evidence.verdict, evidence.answered), (Blame::Engine, true));
    assert_eq!(evidence.late.as_millis(), 2_357);
}

#[test]
fn the_late_move_of_an_engine_that_waited_is_listened_for() {
    let mut table = table(HostFaults::Count);
    table.tick_at(1_001);
    table.testify(&waited(20));
    assert!(!table.referee.is_over());
    let next_look = table.referee.deadline().expect("listening");
    assert!(
        next_look > ms(1_019) && next_look < ms(1_021),
        "{next_look:?}"
    );
    table.now = 1_010;
    table.says(Color::Black, "bestmove e7e5");
    table.says(Color::White, "info depth 4 score cp 1");
    assert_eq!(table.referee.awaits_testimony(), Some(false));
    table.testify(&waited(20));
    table.says(Color::White, "bestmove e2e4");
    table.testify(&waited(20));
    let evidence = table.lost();
    assert_eq!((evidence.verdict, evidence.answered), (Blame::Host, true));
    assert_eq!(evidence.late.as_millis(), 9);
}

#[test]
fn a_sound_engine_whose_move_does_not_come_is_listened_to_for_five_seconds() {
    let mut table = table(HostFaults::Count);
    table.tick_at(1_001);
    table.sent();
    table.says(Color::White, "readyok");
    listen_until(&mut table, 10_000, &waited(200));
    let evidence = table.lost();
    assert_eq!(
        (evidence.verdict, evidence.answered),
        (Blame::Engine, false)
    );
    assert!(
        (5_000..5_100).contains(&evidence.late.as_millis()),
        "{evidence:?}"
    );
}

#[test]
fn an_engine_that_is_never_run_is_listened_for_five_seconds_and_nobody_is_to_blame() {
    let mut table = table(HostFaults::Replay);
    table.tick_at(1_001);
    while !table.referee.is_over() {
        let mut seen = waited(0);
        seen.pending = u32::try_from(table.now).unwrap() * MS;
        seen.standing = ThreadState::Runnable;
        table.testify(&seen);
        table.now += 50;
        assert!(table.now < 10_000, "it never ends");
    }
    let evidence = table.lost();
    assert_eq!(evidence.verdict, Blame::Undecided);
    assert!((5_000..5_100).contains(&evidence.late.as_millis()));
}

#[test]
fn an_engine_that_ends_meanwhile_is_not_waited_for() {
    let mut table = table(HostFaults::Count);
    table.tick_at(1_001);
    table.referee.closed(Color::White, ms(1_002));
    assert!(!table.referee.is_over());
    table.testify(&waited(500));
    assert_eq!(table.lost().verdict, Blame::Undecided);
}

#[test]
fn what_the_host_is_to_blame_for_counts_or_not_as_the_event_has_it() {
    for (rule, void) in [
        (HostFaults::Count, false),
        (HostFaults::Void, true),
        (HostFaults::Replay, true),
    ] {
        for (wait, host) in [(500, true), (0, false)] {
            let mut table = table(rule);
            table.now = 1_030;
            table.says(Color::White, "bestmove e2e4");
            table.testify(&waited(wait));
            let record = table.record();
            assert_eq!(record.outcome.is_void(), void && host, "{rule:?} {wait}");
            assert_eq!(record.faults.len(), 1, "the evidence is kept");
            if let Outcome::Void(VoidReason::HostFault(why)) = record.outcome {
                assert!(
                    why.starts_with("white lost on time: the host's fault"),
                    "{why}"
                );
            }
        }
    }
}

#[test]
fn a_run_that_stops_while_it_listens_voids_the_game_only_if_the_host_could_be_excused() {
    let mut excusable = table(HostFaults::Void);
    excusable.tick_at(1_001);
    excusable.testify(&waited(20));
    excusable.referee.interrupt(VoidReason::Interrupted);
    let record = excusable.record();
    assert_eq!(record.outcome, Outcome::Void(VoidReason::Interrupted));
    assert_eq!(record.faults, []);

    let mut table = table(HostFaults::Count);
    table.tick_at(1_001);
    table.testify(&waited(20));
    table.referee.interrupt(VoidReason::Interrupted);
    assert_eq!(
        table.lost().verdict,
        Blame::Undecided,
        "as far as it was heard"
    );
}

#[test]
fn whatever_the_opponent_does_while_it_listens_the_fallen_flag_has_lost() {
    for rule in [HostFaults::Count, HostFaults::Replay] {
        let mut table = table(rule);
        table.tick_at(1_001);
        table.testify(&waited(20));
        let (ended, at) = ("ended for 300 MiB".to_owned(), ms(1_005));
        table
            .referee
            .fault(Color::Black, FaultKind::MemoryLimit, ended, at);
        table.referee.closed(Color::Black, at);
        assert!(!table.referee.is_over(), "it is still heard out");
        table.now = 1_060;
        table.says(Color::White, "bestmove e2e4");
        table.testify(&waited(20));
        assert_eq!(table.lost().verdict, Blame::Engine);
    }
}

#[test]
fn what_was_seen_of_a_move_stays_with_it() {
    let mut table = table(HostFaults::Count);
    assert_eq!(table.referee.due(), None, "the go was written");
    table.moves(300, "e2e4");
    let due = table.referee.due();
    assert_eq!(due, Some((Color::Black, Some(Duration::from_secs(1)))));
    let seen = waited(7).host;
    table.referee.observed(Box::new(seen));
    table.referee.interrupt(VoidReason::Interrupted);
    assert_eq!(table.record().moves[0].host.as_deref(), Some(&seen));
}
