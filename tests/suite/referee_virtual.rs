//! The referee in virtual time: two scripted engines, no processes, no clock.

use std::sync::Arc;
use std::time::Duration;

use arbiter960::chess::{Color, FenDialect, Position, UciDialect};
use arbiter960::clock::{Limits, Stamp, TimeLimit};
use arbiter960::internal::referee::*;
use arbiter960::uci::{Bound, Score};

use super::support::assert_has;

const MILLISECOND: u64 = 1_000_000;

pub fn ms(milliseconds: u64) -> Stamp {
    Stamp(milliseconds * MILLISECOND)
}

pub fn clock(control: &str) -> Limits {
    Limits {
        time: TimeLimit::Clock(control.parse().unwrap()),
        ..Limits::default()
    }
}

pub fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

fn depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

pub fn settings(fen: &str, limits: Limits) -> GameSettings {
    let player = PlayerSettings {
        limits,
        margin: Duration::ZERO,
        fen: FenDialect::Shredder,
        ponder: false,
        translated: false,
        node_draw: None,
    };
    GameSettings {
        start: Position::from_fen(fen).unwrap(),
        opening: Vec::new(),
        dialect: UciDialect::Chess960,
        variant: None,
        players: [player.clone(), player],
        timeouts: Timeouts::default(),
        adjudication: Adjudication::default(),
        compatibility: Compatibility::default(),
        excused: [true; 2],
        idle_cpu: IdleRule::default(),
        kept_lines: Default::default(),
    }
}

pub const STANDARD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

pub const MS: Duration = Duration::from_millis(1);

/// The host was watched from the start, and the engine's one thread has waited for so long.
pub fn waited(wait: Duration) -> HostEvidence {
    let engine = EngineTimes {
        wait,
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
        standing: ThreadState::Runnable,
        ..HostEvidence::default()
    }
}

/// A game under way, its clock in milliseconds.
pub struct Table {
    pub referee: Referee,
    pub now: u64,
}

impl Table {
    pub fn new(settings: GameSettings) -> Table {
        Table {
            referee: Referee::new(settings, ms(0)),
            now: 0,
        }
    }

    /// Both engines are ready.
    pub fn begun(settings: GameSettings) -> Table {
        let mut table = Table::new(settings);
        table.sent();
        table.says(Color::White, "readyok");
        table.says(Color::Black, "readyok");
        table
    }

    /// The same with a host that is watched, and the first search asked for.
    pub fn watched(settings: GameSettings) -> Table {
        let mut table = Table::begun(settings);
        table.referee = table.referee.watched();
        table.sent();
        table
    }

    /// Everything the referee sends now.
    pub fn sent(&mut self) -> Vec<(Color, String)> {
        let mut sent = Vec::new();
        while let Some((side, text)) = self.referee.transmit(ms(self.now)) {
            sent.push((side, text.to_owned()));
        }
        sent
    }

    /// What is sent now, to one engine, ends like this.
    #[track_caller]
    fn asks(&mut self, end: &str) {
        let sent = self.sent();
        assert!(sent.len() == 1 && sent[0].1.ends_with(end), "{sent:?}");
    }

    pub fn says(&mut self, side: Color, line: &str) {
        self.referee.line(side, line, ms(self.now));
    }

    /// The side to move is asked, thinks for this time, and moves.
    pub fn moves(&mut self, milliseconds: u64, text: &str) {
        self.sent();
        self.now += milliseconds;
        self.says(self.referee.side_to_move(), &format!("bestmove {text}"));
    }

    /// The runner wakes up now, and nobody looked since the deadline.
    fn stood_still(&mut self) {
        let due = self.referee.deadline().expect("something is waited for");
        let still = ms(self.now).saturating_since(due);
        self.referee.stood_still(still, ms(self.now));
    }

    /// The runner looks at the clock at this millisecond.
    pub fn tick_at(&mut self, now: u64) {
        self.now = now;
        self.referee.tick(ms(now));
    }

    pub fn record(mut self) -> GameRecord {
        self.referee.finish().expect("the game is over")
    }

    /// The record of a game that is interrupted now.
    pub fn stopped(mut self) -> GameRecord {
        self.referee.interrupt(VoidReason::Interrupted);
        self.record()
    }

    /// The record of a game that White has lost by this.
    #[track_caller]
    pub fn white_lost(self, kind: FaultKind) -> GameRecord {
        let record = self.record();
        assert_eq!(record.outcome, forfeit(Color::Black, kind));
        record
    }
}

pub fn forfeit(by: Color, kind: FaultKind) -> Outcome {
    Outcome::Won {
        by,
        how: WonBy::Forfeit(kind),
    }
}

#[test]
fn a_game_begins_with_ucinewgame_and_the_first_go_waits_for_both() {
    let mut table = Table::new(settings(STANDARD, clock("1+0.1")));
    let prepare = "ucinewgame\nisready\n".to_owned();
    assert_eq!(table.sent(), Color::ALL.map(|side| (side, prepare.clone())));
    table.says(Color::Black, "readyok");
    assert_eq!(table.sent(), []);
    table.says(Color::White, "readyok");
    let go = "position startpos\n\
              go wtime 1100 btime 1100 winc 100 binc 100\n";
    assert_eq!(table.sent(), [(Color::White, go.to_owned())]);
}

#[test]
fn the_clock_runs_from_the_stamp_of_the_write_and_the_increment_is_added() {
    let mut table = Table::begun(settings(STANDARD, clock("1+0.1")));
    table.now = 500; // nobody's time: the go was not written yet
    table.moves(300, "e2e4");
    table.asks("moves e2e4\ngo wtime 900 btime 1100 winc 100 binc 100\n");
}

#[test]
fn a_flag_falls_by_the_stamp_one_millisecond_over_and_not_on_the_margin() {
    for (thought, falls) in [(1_100, false), (1_150, false), (1_151, true)] {
        let mut game = settings(STANDARD, clock("1+0.1"));
        game.players[0].margin = Duration::from_millis(50);
        let mut table = Table::begun(game);
        table.moves(thought, "e2e4");
        assert_eq!(table.referee.is_over(), falls, "after {thought} ms");
        if falls {
            assert_eq!(table.white_lost(FaultKind::FlagFall).moves.len(), 0);
        }
    }
}

#[test]
fn an_engine_that_chatters_loses_on_time_at_its_first_line_after_the_deadline() {
    let mut table = Table::begun(settings(STANDARD, clock("1")));
    table.sent();
    for at in (0..=1_000).step_by(10) {
        table.now = at;
        table.says(Color::White, "info depth 1 nodes 5 score cp 1");
    }
    assert!(!table.referee.is_over());
    table.now = 1_001;
    // Even a line of the opponent shows that the time is over.
    table.says(Color::Black, "info string still here");
    table.white_lost(FaultKind::FlagFall);
}

#[test]
fn readyok_around_each_move_is_on_no_clock_and_who_does_not_say_it_has_lost() {
    let mut game = settings(STANDARD, clock("1+0.1"));
    game.timeouts.each_move = Some(Duration::from_millis(50));
    let mut table = Table::begun(game);
    for (text, thought, left) in [("e2e4", 300, [1_100, 1_100]), ("e7e5", 200, [900, 1_100])] {
        let side = table.referee.side_to_move();
        assert_eq!(table.sent(), [(side, "isready\n".to_owned())]);
        table.now += 40;
        table.says(side, "readyok");
        let [white, black] = left;
        // An engine that thinks when it reads the position does so on its clock.
        let go = format!("\ngo wtime {white} btime {black} winc 100 binc 100\n");
        let asked = table.sent();
        assert!(asked[0].1.starts_with("position startpos") && asked[0].1.ends_with(&go));
        assert_eq!(asked.len(), 1);
        table.now += thought;
        table.says(side, &format!("bestmove {text}"));
        assert_eq!(table.sent(), [(side, "isready\n".to_owned())]);
        let plies = table.referee.plies();
        table.now += 50;
        table.says(side, "readyok");
        assert_eq!(table.referee.plies(), plies + 1);
    }
    table.sent();
    table.says(Color::White, "readyok");
    table.sent();
    table.says(Color::White, "bestmove g1f3");
    table.sent();
    table.tick_at(table.now + 51);
    assert_eq!(table.white_lost(FaultKind::NotReady).moves.len(), 2);
}

#[test]
fn an_engine_that_ends_before_its_readyok_has_lost_with_its_move_unplayed() {
    let mut game = settings(STANDARD, nodes(5));
    game.timeouts.each_move = Some(Duration::from_millis(50));
    let mut table = Table::begun(game);
    table.sent();
    table.says(Color::White, "readyok");
    table.moves(1, "e2e4");
    table.sent();
    table.referee.ended(Color::White, None, ms(table.now));
    assert_eq!(table.white_lost(FaultKind::Crash).moves.len(), 0);
}

#[test]
fn a_search_without_a_clock_stalls_unless_it_makes_progress() {
    let mut table = Table::begun(settings(STANDARD, nodes(1_000_000)));
    table.sent();
    for step in 1..=4 {
        table.now = step * 50_000;
        let progress = format!("info depth {step} nodes {} score cp 0", step * 100);
        table.says(Color::White, &progress);
        assert!(!table.referee.is_over(), "progress at {} s", step * 50);
    }
    for step in 1..=5 {
        table.now = 200_000 + step * 10_000;
        table.says(Color::White, "info depth 4 nodes 400 score cp 0");
    }
    table.now = 260_001;
    table.says(Color::White, "info depth 4 nodes 400 score cp 0");
    table.white_lost(FaultKind::Stall);
}

#[test]
fn a_runner_that_stood_still_gives_a_time_out_anew_and_leaves_a_clock_alone() {
    let mut table = Table::begun(settings(STANDARD, nodes(1_000_000)));
    table.sent();
    // Longer than the hour that invented progress would buy.
    table.now = 5_000_000;
    table.stood_still();
    table.says(Color::White, "info depth 5 nodes 500 score cp 0");
    table.says(Color::White, "bestmove e2e4");
    assert_eq!(table.referee.moves().len(), 1);
    table.sent();
    table.tick_at(table.now + 60_000);
    assert!(!table.referee.is_over());
    table.referee.tick(ms(table.now + 1));
    assert!(table.referee.is_over(), "a stall is one all the same");

    let mut table = Table::begun(settings(STANDARD, clock("1")));
    table.sent();
    table.now = 5_000;
    table.stood_still();
    table.says(Color::White, "bestmove e2e4");
    table.white_lost(FaultKind::FlagFall);

    let mut table = Table::new(settings(STANDARD, clock("1")));
    table.sent();
    table.now = 500_000;
    table.stood_still();
    table.says(Color::White, "readyok");
    table.says(Color::Black, "readyok");
    assert!(!table.referee.is_over() && table.referee.due().is_some());
}

#[test]
fn a_runner_that_stands_still_again_and_again_does_not_make_a_search_endless() {
    let mut table = Table::begun(settings(STANDARD, nodes(1)));
    table.sent();
    let mut standstills = 0;
    while !table.referee.is_over() {
        standstills += 1;
        assert!(standstills < 1_000, "the search never ends");
        // Lines without progress, and 25 ms too late each time.
        table.now = table.referee.deadline().unwrap().0 / MILLISECOND + 25;
        table.stood_still();
        table.says(Color::White, "option name x type spin");
    }
    assert!(table.now <= 60 * 60_000 + 61 * 26, "{}", table.now);
}

#[test]
fn who_owes_an_answer_when_the_game_is_over_is_stopped_and_heard_out() {
    let mut table = Table::begun(settings(STANDARD, clock("1")));
    table.sent();
    // Black is ended for its memory while White thinks.
    let (kind, why) = (FaultKind::MemoryLimit, String::new());
    table.referee.fault(Color::Black, kind, why, ms(1));
    assert!(table.referee.finish().is_some());
    assert!(!table.referee.is_idle(Color::White) && table.referee.owes(Color::White));
    table.referee.wind_up();
    assert_eq!(table.sent(), [(Color::White, "stop\n".to_owned())]);
    assert_eq!(table.referee.search(Color::White), SearchState::Stopping);
    table.says(Color::White, "info depth 3 score cp 1");
    assert!(!table.referee.is_idle(Color::White));
    table.says(Color::White, "bestmove e2e4");
    assert!(table.referee.is_idle(Color::White));
    assert_eq!(table.referee.moves().len(), 0, "nobody's move");
}

#[test]
fn an_open_readyok_is_heard_out_and_one_too_many_makes_unfit() {
    let mut table = Table::new(settings(STANDARD, clock("1")));
    table.sent();
    table.says(Color::Black, "readyok");
    table.referee.ended(Color::Black, None, ms(1));
    assert!(!table.referee.is_over(), "White keeps its time to answer");
    table.referee.interrupt(VoidReason::Interrupted);
    assert!(table.referee.finish().is_some());
    table.referee.wind_up();
    assert_eq!(table.sent(), [], "nothing to stop");
    assert!(table.referee.owes(Color::White) && !table.referee.owes(Color::Black));
    table.says(Color::White, "readyok");
    assert!(table.referee.is_idle(Color::White));
    assert!(!table.referee.is_idle(Color::Black), "it has ended");
    // Nobody would know what the next one answers.
    table.says(Color::White, "readyok");
    assert!(!table.referee.is_idle(Color::White) && !table.referee.owes(Color::White));
}

#[test]
fn invented_progress_buys_an_hour_and_no_more() {
    let mut table = Table::begun(settings(STANDARD, nodes(1)));
    table.sent();
    let mut told = 0;
    while !table.referee.is_over() {
        told += 1;
        assert!(told < 100_000, "the search never ends");
        table.now = told * 30_000;
        let progress = format!("info depth 1 nodes {told} score cp 0");
        table.says(Color::White, &progress);
    }
    table.white_lost(FaultKind::Stall);
}

#[test]
fn what_is_not_a_legal_move_loses_and_is_quoted() {
    for text in [
        "e2e5", "e7e5", "0000", "(none)", "e1g1", "E2E4", "", "e2e4q", "\u{fffd}",
    ] {
        let mut table = Table::begun(settings(STANDARD, clock("1")));
        table.moves(1, text);
        let record = table.white_lost(FaultKind::IllegalMove);
        assert_has(&record.faults[0].detail, [format!("{text:?}")]);
    }
}

#[test]
fn a_translated_engine_that_resigns_loses_without_a_fault() {
    let mut game = settings(STANDARD, clock("1"));
    game.players[0].translated = true;
    let mut table = Table::begun(game);
    table.moves(1, "resign");
    let record = table.record();
    let (by, how) = (Color::Black, WonBy::Resignation);
    assert_eq!(record.outcome, Outcome::Won { by, how });
    assert!(record.faults.is_empty(), "{:?}", record.faults);
}

#[test]
fn castling_is_king_takes_rook() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R w HA - 0 1";
    let mut table = Table::begun(settings(fen, clock("1")));
    table.moves(1, "e1h1");
    assert!(!table.referee.is_over());
    let mut refused = Table::begun(settings(fen, clock("1")));
    refused.moves(1, "e1g1");
    refused.white_lost(FaultKind::IllegalMove);
}

#[test]
fn a_bestmove_nobody_asked_for_is_counted_and_never_played() {
    let mut table = Table::begun(settings(STANDARD, clock("1")));
    table.moves(1, "e2e4");
    table.sent();
    table.says(Color::White, "bestmove d2d4");
    table.moves(1, "e7e5");
    table.moves(1, "f2f4");
    let record = table.stopped();
    assert_eq!(record.moves.len(), 3);
    assert_eq!(record.breaches[0].unasked_bestmoves, 1);
}

#[test]
fn an_answer_said_twice_is_no_answer_to_the_next_search() {
    let mut table = Table::begun(settings(STANDARD, clock("1")));
    table.moves(1, "e2e4");
    table.moves(1, "e7e5");
    table.sent();
    table.says(Color::White, "bestmove e2e4");
    assert!(!table.referee.is_over(), "an echo");
    table.says(Color::White, "bestmove e2e4");
    let record = table.white_lost(FaultKind::IllegalMove);
    assert_eq!(record.breaches[0].unasked_bestmoves, 1);
}

/// With a clock or without: an engine that searches far more than it was asked to is told to stop, once, and its
/// move counts.
#[test]
fn a_search_that_runs_on_past_its_limit_is_told_to_stop() {
    let timed = |limits: Limits| Limits {
        time: clock("60").time,
        ..limits
    };
    let unclocked = nodes(20_000);
    let cases = [
        (unclocked.clone(), "nodes 200000", "nodes 200001"),
        (timed(unclocked), "nodes 200000", "nodes 200001"),
        (nodes(100), "nodes 65536", "nodes 65537"),
        (depth(5), "depth 5", "depth 6"),
        (timed(depth(5)), "depth 5", "depth 6"),
    ];
    for (limits, within, beyond) in cases {
        let mut table = Table::begun(settings(STANDARD, limits));
        table.sent();
        table.says(Color::White, &format!("info {within} score cp 1 pv e2e4"));
        assert_eq!(table.sent(), [], "{within}");
        for _ in 0..2 {
            table.says(Color::White, &format!("info {beyond} score cp 1 pv e2e4"));
        }
        let stop = (Color::White, "stop\n".to_owned());
        assert_eq!(table.sent(), [stop], "{beyond}");
        table.moves(1, "e2e4");
        assert_eq!(table.referee.moves().len(), 1);
    }
}

/// White thinks without a clock, and says the move again that it made before, which is illegal now.
fn repeated() -> Table {
    let mut table = Table::begun(settings(STANDARD, nodes(5)));
    table.moves(1, "e2e4");
    table.moves(1, "e7e5");
    table.sent();
    table.says(Color::White, "bestmove e2e4");
    assert_eq!(table.sent(), [(Color::White, "isready\n".to_owned())]);
    table
}

#[test]
fn an_engine_that_has_nothing_to_say_but_its_last_move_loses_by_an_illegal_move() {
    let mut table = repeated();
    let said = table.now;
    table.now += 10;
    table.says(Color::White, "readyok");
    assert_eq!(table.sent(), [(Color::White, "stop\n".to_owned())]);
    assert_eq!(table.referee.deadline(), Some(ms(table.now + 1_000)));
    table.tick_at(table.now + 1_000);
    let record = table.white_lost(FaultKind::IllegalMove);
    let fault = &record.faults[0];
    assert_has(&fault.detail, ["e2e4", "said nothing else"]);
    assert_eq!(fault.at, ms(said));
}

#[test]
fn on_a_clock_it_is_an_illegal_move_too_if_the_time_is_over_first() {
    let mut table = Table::begun(settings(STANDARD, clock("1")));
    table.moves(900, "e2e4");
    table.moves(1, "e7e5");
    table.sent();
    table.says(Color::White, "bestmove e2e4");
    table.sent();
    table.says(Color::White, "readyok");
    table.tick_at(table.now + 101);
    table.white_lost(FaultKind::IllegalMove);
}

#[test]
fn a_search_that_goes_on_is_left_alone_by_a_move_that_was_said_twice() {
    // Its search is seen by a report, or by its answer, before `readyok` or after `stop`.
    for (report, ready) in [(true, false), (false, false), (false, true)] {
        let mut table = repeated();
        if report {
            table.says(Color::White, "info depth 4 score cp 5 nodes 4");
        }
        if report || ready {
            table.says(Color::White, "readyok");
        }
        assert_eq!(table.sent().len(), usize::from(ready), "stop");
        table.tick_at(table.now + 900);
        table.says(Color::White, "bestmove g1f3");
        assert_eq!(table.referee.plies(), 3);
        table.moves(1, "b8c6");
        table.tick_at(table.now + 5_000);
        assert!(!table.referee.is_over());
        assert_eq!(table.stopped().breaches[0].unasked_bestmoves, 1);
    }
}

#[test]
fn the_word_bestmove_in_a_sentence_is_no_move() {
    let mut table = Table::begun(settings(STANDARD, clock("1")));
    table.sent();
    table.says(Color::White, "depth 1: bestmove e2e4 so far");
    table.says(Color::White, "not readyok");
    assert_eq!(table.referee.plies(), 0);
    table.says(Color::White, "bestmove d2d4");
    let record = table.stopped();
    assert_eq!(record.moves.len(), 1);
    assert_eq!(record.breaches[0], Breaches::default());
}

#[test]
fn a_move_that_ends_the_game_counts_when_it_is_read() {
    // Mate, and a position in which nobody can mate.
    let endings = [
        ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7g7", true),
        ("7k/8/8/8/8/8/6p1/7K w - - 0 1", "h1g2", false),
    ];
    for (fen, last, wins) in endings {
        let mut game = settings(fen, nodes(5));
        game.timeouts.each_move = Some(Duration::from_millis(50));
        let mut table = Table::begun(game);
        table.sent();
        table.says(Color::White, "readyok");
        table.moves(1, last);
        table.referee.ended(Color::White, None, ms(table.now));
        let record = table.record();
        assert_eq!(record.moves.len(), 1);
        assert_eq!(record.faults, []);
        let result = if wins { "1-0" } else { "1/2-1/2" };
        assert_eq!(record.outcome.result(), result, "{:?}", record.outcome);
    }
}

#[test]
fn the_move_of_an_engine_that_then_dies_counts_and_it_loses_at_its_next_turn() {
    let mut table = Table::begun(settings(STANDARD, clock("1")));
    table.moves(1, "e2e4");
    table.referee.ended(Color::White, None, ms(table.now));
    assert!(!table.referee.is_over());
    table.moves(1, "e7e5");
    assert_eq!(table.white_lost(FaultKind::Crash).moves.len(), 2);
}

#[test]
fn mate_by_an_engine_that_dies_at_once_is_mate() {
    let fen = "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1";
    let mut table = Table::begun(settings(fen, clock("1")));
    table.moves(1, "f7g7");
    table.referee.ended(Color::White, None, ms(table.now));
    let (by, how) = (Color::White, WonBy::Checkmate);
    assert_eq!(table.record().outcome, Outcome::Won { by, how });
}

#[test]
fn who_is_not_ready_loses_and_of_two_the_side_to_move() {
    let mut one = Table::new(settings(STANDARD, clock("1")));
    one.sent();
    one.says(Color::Black, "readyok");
    one.referee.tick(ms(30_001));
    one.white_lost(FaultKind::NotReady);
    let mut neither = Table::new(settings(STANDARD, clock("1")));
    neither.sent();
    neither.referee.tick(ms(30_000));
    assert!(!neither.referee.is_over());
    neither.referee.tick(ms(30_001));
    neither.white_lost(FaultKind::NotReady);
}

#[test]
fn a_move_keeps_what_its_last_lines_said() {
    let mut table = Table::begun(settings(STANDARD, clock("1")));
    table.sent();
    for line in [
        "info depth 7 seldepth 9 multipv 1 score cp 20 nodes 70 pv e2e4 e7e5",
        "info depth 8 multipv 2 score cp 5 nodes 80 pv d2d4",
        "info depth 8 seldepth 11 score cp 31 lowerbound wdl 100 850 50 nodes 90 hashfull 3 \
         tbhits 1 time 12 nps 7500 pv e2e4 e7e5 g1f3",
        "info nodes 123 time 15",
    ] {
        table.says(Color::White, line);
    }
    table.moves(20, "e2e4");
    let record = table.stopped();
    // A bound is of a search that has not ended; what was searched was searched.
    let expected = Thinking {
        score: Some(Score::Centipawns(20)),
        bound: None,
        wdl: None,
        depth: Some(7),
        seldepth: Some(9),
        nodes: Some(123),
        nps: Some(7500),
        hashfull: Some(3),
        tbhits: Some(1),
        time_ms: Some(15),
        pv: "e2e4 e7e5".to_owned(),
    };
    assert_eq!(record.moves[0].thinking, expected);
    assert_eq!(record.moves[0].elapsed(), Duration::from_millis(20));
    assert_eq!(record.moves[0].clock, Some(Duration::from_millis(980)));
}

#[test]
fn a_bound_stands_where_an_engine_says_nothing_else() {
    let mut table = Table::begun(settings(STANDARD, clock("1")));
    table.sent();
    let bound = "info depth 8 score cp 31 lowerbound nodes 90 pv e2e4 e7e5";
    table.says(Color::White, bound);
    table.moves(20, "e2e4");
    let said = &table.stopped().moves[0].thinking;
    let score = Some(Score::Centipawns(31));
    assert_eq!((said.score, said.bound), (score, Some(Bound::Lower)));
    assert_eq!(said.depth, Some(8));
}

/// Knights go out and home; each move with this `info`. After how many half-moves it is over.
fn shuffled(adjudication: Adjudication, info: &str) -> (usize, Outcome) {
    let mut game = settings(STANDARD, clock("10"));
    game.adjudication = adjudication;
    let mut table = Table::begun(game);
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle() {
        table.sent();
        table.says(table.referee.side_to_move(), info);
        table.moves(1, text);
        if table.referee.is_over() {
            break;
        }
    }
    let record = table.record();
    (record.moves.len(), record.outcome)
}

#[test]
fn every_school_ends_a_game_by_what_the_engines_said_last() {
    let rules = |school| Adjudication {
        school,
        draw: Some(DrawRule {
            from_move: 2,
            moves: 2,
            centipawns: 10,
        }),
        ..Adjudication::default()
    };
    let schools = [
        (School::Arbiter960, 6),
        (School::Fastchess, 4),
        (School::Cutechess, 4),
        (School::Tcec, 4),
    ];
    for (school, plies) in schools {
        let level = "info depth 4 score cp 5 nodes 10 pv g1f3";
        let (after, outcome) = shuffled(rules(school), level);
        assert_eq!(outcome, Outcome::Drawn(DrawnBy::ScoreAdjudication));
        assert_eq!(outcome.termination(), Termination::Adjudication);
        assert_eq!(after, plies, "{school:?}");
        // No usable score, one above the limit, or a mate: the board ends the game.
        for said in [
            "info string cp 0",
            "info depth 4 score cp 11",
            "info depth 4 score mate 3",
            "info depth 4 multipv 2 score cp 0",
        ] {
            let (after, outcome) = shuffled(rules(school), said);
            assert_eq!(outcome, Outcome::Drawn(DrawnBy::ThreefoldRepetition));
            assert_eq!(after, 8, "{school:?}: {said}");
        }
    }
}

#[test]
fn drawn_node_limits_are_sent_and_stored() {
    let mut game = settings(STANDARD, nodes(1000));
    game.players[1].node_draw = Some(NodeDraw(Arc::new(|ply| 1_000 + u64::from(ply))));
    let mut table = Table::begun(game);
    table.asks("go nodes 1000\n");
    table.moves(1, "e2e4");
    table.asks("go nodes 1001\n");
    table.moves(1, "e7e5");
    let moves = table.stopped().moves.into_iter();
    assert!(
        moves
            .map(|played| played.nodes_limit)
            .eq([Some(1000), Some(1001)])
    );
}

#[test]
fn the_books_moves_count_for_repetition() {
    let fen = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w HAha - 0 1";
    let mut game = settings(fen, clock("1"));
    let mut position = game.start.clone();
    for text in [
        "h1g1", "h8g8", "g1h1", "g8h8", "h1g1", "h8g8", "g1h1", "g8h8",
    ] {
        let chess_move = position.parse_uci(text, UciDialect::Chess960).unwrap();
        position.play(chess_move);
        game.opening.push(chess_move);
    }
    let mut table = Table::begun(game);
    // Castling rights differ in the first position.
    assert!(!table.referee.is_over());
    table.moves(1, "h1g1");
    // One colour's rook had not moved yet.
    assert!(!table.referee.is_over());
    table.moves(1, "h8g8");
    let drawn = Outcome::Drawn(DrawnBy::ThreefoldRepetition);
    assert_eq!(table.record().outcome, drawn);
}

#[test]
fn a_flag_against_a_bare_king_is_a_loss_or_by_fides_rule_a_draw() {
    let kind = FaultKind::FlagFall;
    let drawn = Outcome::Drawn(DrawnBy::ForfeitAgainstNoMate(kind));
    let lost = forfeit(Color::Black, kind);
    for (rule, expected) in [(FlagFallRule::Loss, lost), (FlagFallRule::Fide, drawn)] {
        let mut game = settings("7k/8/8/8/8/8/4P3/4K3 w - - 0 1", clock("1"));
        game.adjudication.flag_fall = rule;
        let mut table = Table::begun(game);
        table.sent();
        table.referee.tick(ms(1_001));
        assert_eq!(table.record().outcome, expected);
    }
}

#[test]
fn each_engine_has_its_own_time() {
    let mut game = settings(STANDARD, clock("10+1"));
    game.players[1].limits = clock("1");
    let mut table = Table::begun(game);
    table.asks("go wtime 11000 btime 1000 winc 1000 binc 0\n");
    table.moves(2_000, "e2e4");
    table.asks("go wtime 10000 btime 1000 winc 1000 binc 0\n");
}
