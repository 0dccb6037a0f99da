//! A flag has fallen: the referee waits as long as it can still learn who is to blame. In virtual time.

use std::time::Duration;

use arbiter960::chess::Color;
use arbiter960::internal::referee::*;

use super::referee_virtual::{MS, STANDARD, Table, clock, forfeit, ms, settings, waited};
use super::support::assert_has;

/// White has a second, and the host is watched.
fn table(host_faults: HostFaults) -> Table {
    let mut game = settings(STANDARD, clock("1"));
    game.adjudication.host_faults = host_faults;
    Table::watched(game)
}

impl Table {
    fn testify(&mut self, seen: &HostEvidence) {
        self.referee.testify(seen, ms(self.now));
    }

    /// The words about White's loss on time without an answer, which is its engine's fault, and about its evidence.
    fn engines_fault(self) -> (String, String) {
        let fault = self.white_lost(FaultKind::FlagFall).faults.swap_remove(0);
        let evidence = fault.evidence.expect("evidence");
        let judged = (evidence.verdict, evidence.answered);
        assert_eq!(judged, (Blame::Engine, false));
        (fault.detail, evidence.to_string())
    }

    /// The evidence of the one fault of a game that White has lost on time.
    fn lost(self) -> FlagEvidence {
        let record = self.white_lost(FaultKind::FlagFall);
        assert_eq!(record.faults.len(), 1);
        record.faults[0].evidence.expect("evidence")
    }
}

#[test]
fn a_late_move_is_judged_at_once() {
    for (wait, verdict) in [(0, Blame::Engine), (29, Blame::Engine), (30, Blame::Host)] {
        let mut table = table(HostFaults::Count);
        table.says(Color::White, "info depth 3 time 990 score cp 1");
        table.now = 1_030;
        table.says(Color::White, "bestmove e2e4");
        assert!(!table.referee.is_over(), "without evidence nothing is said");
        assert_eq!(table.referee.awaits_testimony(), Some(true));
        // looked at a little later, which changes nothing
        table.now = 1_040;
        table.testify(&waited(wait * MS));
        let evidence = table.lost();
        let judged = (evidence.verdict, evidence.answered);
        assert_eq!(judged, (verdict, true), "{wait}");
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

/// It sleeps when its flag has fallen: nobody keeps it.
fn asleep(milliseconds: u32) -> HostEvidence {
    HostEvidence {
        standing: ThreadState::Asleep,
        ..waited(milliseconds * MS)
    }
}

#[test]
fn by_fides_rule_silence_is_a_loss_on_time_that_a_bare_king_does_not_win() {
    let mut game = settings("7k/8/8/8/8/8/4P3/4K3 w - - 0 1", clock("1"));
    game.adjudication.flag_fall = FlagFallRule::Fide;
    let mut table = Table::watched(game);
    table.tick_at(1_001);
    listen_until(&mut table, 10_000, &asleep(0));
    let drawn = DrawnBy::ForfeitAgainstNoMate(FaultKind::FlagFall);
    assert_eq!(table.record().outcome, Outcome::Drawn(drawn));
}

/// Also by the engine's own waits: what came before its flag has fallen is over.
#[test]
fn an_engine_that_sleeps_when_its_flag_falls_is_asked_when_that_is_decided_and_was_kept_by_nobody()
{
    for rule in [HostFaults::Count, HostFaults::Replay, HostFaults::Deduct] {
        let mut table = table(rule);
        table.tick_at(1_001);
        assert_eq!(table.referee.awaits_testimony(), Some(false));
        table.testify(&asleep(500));
        assert_eq!(table.sent(), [], "nothing prompts it before it is decided");
        assert_eq!(table.referee.deadline(), Some(ms(1_002)));
        table.tick_at(1_002);
        table.testify(&asleep(500));
        assert_eq!(table.sent(), [(Color::White, "isready\n".to_owned())]);
        listen_until(&mut table, 10_000, &asleep(500));
        assert!((2_000..2_100).contains(&table.now), "{}", table.now);
        let (detail, evidence) = table.engines_fault();
        assert_has(&detail, ["no readyok since its flag fell"]);
        assert_has(&evidence, ["asleep when its flag fell"]);
    }
}

#[test]
fn what_comes_after_it_was_asked_is_named_as_what_it_is() {
    for rule in [HostFaults::Count, HostFaults::Replay, HostFaults::Deduct] {
        let lost = |unfinished: &str, says: &[&str]| {
            let mut table = table(rule);
            table.tick_at(1_001);
            table.referee.unfinished_line(unfinished);
            table.testify(&asleep(500));
            table.tick_at(1_002);
            table.testify(&asleep(500));
            table.now = 1_003;
            says.iter().for_each(|line| table.says(Color::White, line));
            listen_until(&mut table, 10_000, &asleep(500));
            table.engines_fault().0
        };
        let prompted = lost("", &["readyok", "bestmove e2e4"]);
        assert_has(&prompted, ["moved only when asked again"]);
        let unended = lost("bestmove e2e4", &[]);
        assert_has(&unended, ["a line without an end"]);
        let ready = lost("", &["readyok"]);
        assert!(ready.starts_with("no move after") && !ready.contains("asked"));
    }
}

/// How late it is is how late its move comes, where it comes soon.
#[test]
fn an_engine_that_computes_for_too_long_has_lost_by_what_its_move_is_late() {
    let mut table = table(HostFaults::Count);
    table.tick_at(1_001);
    listen_until(&mut table, 1_500, &waited(Duration::ZERO));
    assert!(!table.referee.is_over(), "its move is to come");
    table.now = 1_500;
    table.says(Color::White, "bestmove e2e4");
    table.testify(&waited(Duration::ZERO));
    let evidence = table.lost();
    assert_eq!((evidence.verdict, evidence.answered), (Blame::Engine, true));
    assert_eq!(evidence.late.as_millis(), 499);
}

#[test]
fn the_late_move_of_an_engine_that_waited_is_listened_for() {
    let mut table = table(HostFaults::Count);
    table.tick_at(1_001);
    table.testify(&waited(20 * MS));
    table.tick_at(1_002);
    table.testify(&waited(20 * MS));
    assert!(!table.referee.is_over());
    let next_look = table.referee.deadline().expect("listening");
    let expected = ms(1_019)..ms(1_021);
    assert!(expected.contains(&next_look), "{next_look:?}");
    table.now = 1_010;
    table.says(Color::Black, "bestmove e7e5");
    table.says(Color::White, "info depth 4 score cp 1");
    assert_eq!(table.referee.awaits_testimony(), Some(false));
    table.testify(&waited(20 * MS));
    table.says(Color::White, "bestmove e2e4");
    table.testify(&waited(20 * MS));
    let evidence = table.lost();
    assert_eq!((evidence.verdict, evidence.answered), (Blame::Host, true));
    assert_eq!(evidence.late.as_millis(), 9);
}

#[test]
fn an_engine_that_is_never_run_again_ends_the_game_within_the_time_of_a_stall() {
    for (wait, verdict) in [(0, Blame::Undecided), (1, Blame::Host)] {
        let mut table = table(HostFaults::Count);
        table.tick_at(1_001);
        while !table.referee.is_over() {
            let now = u32::try_from(table.now).unwrap();
            let mut seen = waited(wait * now * MS);
            seen.pending = (1 - wait) * now * MS;
            table.testify(&seen);
            table.now += 50;
            assert!(table.now < 70_000, "it never ends");
        }
        let evidence = table.lost();
        assert_eq!(evidence.verdict, verdict);
        assert!((60_000..60_100).contains(&evidence.late.as_millis()));
    }
}

#[test]
fn an_engine_that_ends_meanwhile_has_crashed() {
    for rule in [HostFaults::Count, HostFaults::Replay, HostFaults::Deduct] {
        let mut table = table(rule);
        table.tick_at(1_001);
        table.testify(&waited(500 * MS));
        let exit = Some(Exit::Status(3));
        table.referee.ended(Color::White, exit, ms(1_002));
        let record = table.white_lost(FaultKind::Crash);
        assert_eq!(record.faults[0].detail, "the process exited with status 3");
    }
}

/// What one side does wrong never hides the other's fault.
#[test]
fn two_engines_that_fail_in_preparation_have_one_judge() {
    #[derive(Clone, Copy, PartialEq)]
    enum Does {
        Answers,
        Crashes,
        Hangs,
    }
    use Does::{Answers, Crashes, Hangs};
    let all = [Answers, Crashes, Hangs];
    for (white, black, white_first) in all
        .into_iter()
        .flat_map(|white| all.map(|black| (white, black)))
        .flat_map(|(white, black)| [true, false].map(|first| (white, black, first)))
    {
        let mut table = Table::new(settings(STANDARD, clock("1")));
        table.sent();
        let mut sides = [(Color::White, white), (Color::Black, black)];
        if !white_first {
            sides.reverse();
        }
        for (at, (side, does)) in (1..).zip(sides) {
            table.now = at;
            match does {
                Answers => table.says(side, "readyok"),
                Crashes => table.referee.ended(side, Some(Exit::Signal(11)), ms(at)),
                Hangs => {}
            }
        }
        table.tick_at(30_001);
        if (white, black) == (Answers, Answers) {
            assert!(!table.referee.is_over() && table.referee.due().is_some());
            continue;
        }
        let record = table.record();
        let kind = |does| match does {
            Crashes => FaultKind::Crash,
            Answers | Hangs => FaultKind::NotReady,
        };
        let outcome = match white {
            Answers => forfeit(Color::White, kind(black)),
            _ => forfeit(Color::Black, kind(white)),
        };
        assert_eq!(record.outcome, outcome);
        let stored = record.faults.iter().map(|fault| (fault.side, fault.kind));
        let expected = [(Color::White, white), (Color::Black, black)].into_iter();
        let expected = expected.filter(|(_, does)| *does != Answers);
        let expected = expected.map(|(side, does)| (side, kind(does)));
        assert!(stored.eq(expected), "the faults of both are kept");
    }
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
            table.testify(&waited(wait * MS));
            let record = table.record();
            assert_eq!(record.outcome.is_void(), void && host, "{rule:?} {wait}");
            assert_eq!(record.faults.len(), 1, "the evidence is kept");
            if let Outcome::Void(VoidReason::HostFault(why)) = record.outcome {
                let said = "white lost on time: the host's fault";
                assert!(why.starts_with(said), "{why}");
            }
        }
    }
}

#[test]
fn a_run_that_stops_while_it_listens_voids_the_game_only_if_the_host_could_be_excused() {
    let mut excusable = table(HostFaults::Void);
    excusable.tick_at(1_001);
    excusable.testify(&waited(20 * MS));
    excusable.referee.interrupt(VoidReason::Interrupted);
    let record = excusable.record();
    assert_eq!(record.outcome, Outcome::Void(VoidReason::Interrupted));
    assert_eq!(record.faults, []);

    let mut table = table(HostFaults::Count);
    table.tick_at(1_001);
    table.testify(&waited(20 * MS));
    table.referee.interrupt(VoidReason::Interrupted);
    assert_eq!(table.lost().verdict, Blame::Host, "as far as it was heard");
}

#[test]
fn whatever_the_opponent_does_while_it_listens_the_fallen_flag_has_lost() {
    for rule in [HostFaults::Count, HostFaults::Replay] {
        let mut table = table(rule);
        table.tick_at(1_001);
        table.testify(&waited(20 * MS));
        let (ended, at) = ("ended for 300 MiB".to_owned(), ms(1_005));
        let kind = FaultKind::MemoryLimit;
        table.referee.fault(Color::Black, kind, ended, at);
        table.referee.ended(Color::Black, None, at);
        assert!(!table.referee.is_over(), "it is still heard out");
        table.now = 1_060;
        table.says(Color::White, "bestmove e2e4");
        table.testify(&waited(20 * MS));
        let record = table.white_lost(FaultKind::FlagFall);
        let verdict = record.faults[0].evidence.expect("evidence").verdict;
        assert_eq!((verdict, record.faults.len()), (Blame::Engine, 2));
    }
}

#[test]
fn what_was_seen_of_a_move_stays_with_it() {
    let mut table = table(HostFaults::Count);
    assert_eq!(table.referee.due(), None, "the go was written");
    table.moves(300, "e2e4");
    let due = table.referee.due();
    assert_eq!(due, Some((Color::Black, Some(Duration::from_secs(1)))));
    let seen = waited(7 * MS).host;
    table.referee.observed(Box::new(seen));
    assert_eq!(table.stopped().moves[0].host.as_deref(), Some(&seen));
}
