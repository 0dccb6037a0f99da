//! Thinking on the opponent's time, in virtual time: every way in which `ponderhit`, `stop` and the
//! engine's words can meet.

use std::time::Duration;

use arbiter960::chess::Color;
use arbiter960::internal::referee::*;

use super::referee_virtual::{STANDARD, Table, clock, forfeit, ms, settings};

/// How a game of the table ends.
#[derive(Clone, Copy)]
enum End {
    /// It continues.
    Open,
    /// White loses by this.
    White(FaultKind),
    /// Black does.
    Black(FaultKind),
}

/// A case: what it is, what happens, `bestmove` lines of White that do not count, and the end.
///
/// * `W bestmove e2e4`: White's engine says this, now;
/// * `W closed`: it closes its output;
/// * `> W go ponder`: this is sent to White now, by the first words of its lines, and nothing else
///   to White; `> W` nothing;
/// * `+250`: this number of milliseconds passes;
/// * `W clock 950`: milliseconds on White's clock after its last move;
/// * `W hit`, `W miss`, `W fresh`: how White's last move came about.
type Case = (&'static str, &'static [&'static str], u32, End);

const HIT: &str = "W bestmove e2e4 ponder e7e5";

/// White's search has begun, by its own account.
const BEGUN: &str = "W info depth 1 score cp 5";

const RACES: &[Case] = &[
    (
        "a hit: the clock starts with ponderhit, and the search is the one that ran",
        &[
            HIT,
            "> W go ponder",
            "+300",
            "B bestmove e7e5",
            "> W ponderhit",
            "+250",
            "W bestmove g1f3",
            "W clock 1050",
            "W hit",
        ],
        0,
        End::Open,
    ),
    (
        "a miss: the clock runs from stop on, and what ends the old search is nobody's move",
        &[
            HIT,
            "> W go ponder",
            BEGUN,
            "+300",
            "B bestmove c7c5",
            "> W stop",
            "+20",
            "W bestmove g1f3",
            "> W isready position go",
            "W readyok",
            "+180",
            "W bestmove d2d4",
            "W clock 1100",
            "W miss",
        ],
        0,
        End::Open,
    ),
    (
        "what is said of a search that was told to stop is nobody's",
        &[
            HIT,
            "> W go ponder",
            BEGUN,
            "B bestmove c7c5",
            "> W stop",
            "W info depth 1 score cp 0",
            "> W",
            "W bestmove g1f3",
            "> W isready position go",
            "W info depth 1 score cp 0",
            "W bestmove h2h3",
            "W readyok",
            "W bestmove d2d4",
            "W miss",
        ],
        1,
        End::Open,
    ),
    (
        "the engine answers before the hit, and is asked anew",
        &[
            HIT,
            "> W go ponder",
            "+100",
            "W bestmove g1f3 ponder b8c6",
            "> W",
            "+100",
            "B bestmove e7e5",
            "> W position go",
            "W bestmove d2d4",
            "W fresh",
        ],
        1,
        End::Open,
    ),
    (
        "its early answer is read after the opponent's move, and before ponderhit is written",
        &[
            HIT,
            "> W go ponder",
            "B bestmove e7e5",
            "W bestmove g1f3",
            "> W position go",
            "W bestmove d2d4",
            "W fresh",
        ],
        1,
        End::Open,
    ),
    (
        "its early answer crosses ponderhit, and is the move",
        &[
            HIT,
            "> W go ponder",
            "B bestmove e7e5",
            "> W ponderhit",
            "W bestmove g1f3",
            "W hit",
        ],
        0,
        End::Open,
    ),
    (
        "its early answer is read before stop is written: nothing is to be stopped",
        &[
            HIT,
            "> W go ponder",
            "B bestmove c7c5",
            "W bestmove g1f3",
            "> W position go",
            "W bestmove d2d4",
            "W fresh",
        ],
        1,
        End::Open,
    ),
    (
        "its search reports after the other move has come: only now is it told to stop, on its clock",
        &[
            BEGUN,
            HIT,
            "> W go ponder",
            "B bestmove c7c5",
            "> W",
            "+30",
            BEGUN,
            "> W stop",
            "+20",
            "W bestmove g1f3",
            "> W isready position go",
            "W readyok",
            "+80",
            "W bestmove d2d4",
            "W clock 1170",
            "W miss",
        ],
        0,
        End::Open,
    ),
    (
        "its search reports after the expected move has come: ponderhit is said then, and once",
        &[
            BEGUN,
            HIT,
            "> W go ponder",
            "B bestmove e7e5",
            "> W",
            "+30",
            BEGUN,
            "> W ponderhit",
            "+1000",
            "tick",
            "> W",
            "W bestmove g1f3",
            "W clock 270",
            "W hit",
        ],
        0,
        End::Open,
    ),
    (
        "it answers before it is told that the expected move has come, and is asked for what is left",
        &[
            BEGUN,
            HIT,
            "> W go ponder",
            "B bestmove e7e5",
            "> W",
            "+30",
            "W bestmove g1f3",
            "> W position go",
            "+20",
            "W bestmove d2d4",
            "W clock 1250",
            "W fresh",
        ],
        1,
        End::Open,
    ),
    (
        "who is silent for a quarter of its clock when it ponders is not waited for again",
        &[
            BEGUN,
            HIT,
            "> W go ponder",
            "B bestmove c7c5",
            "> W",
            "+299",
            "tick",
            "> W",
            "+1",
            "tick",
            "> W stop",
            "W bestmove g1f3",
            "> W isready position go",
            "W readyok",
            "W bestmove d2d4 ponder e7e6",
            "W clock 1000",
            "> W go ponder",
            "B bestmove d7d6",
            "> W stop",
        ],
        0,
        End::Open,
    ),
    (
        "its early answer crosses stop: readyok shows that stop was read",
        &[
            HIT,
            "> W go ponder",
            BEGUN,
            "B bestmove c7c5",
            "> W stop",
            "W bestmove g1f3",
            "> W isready position go",
            "W readyok",
            "W bestmove d2d4",
        ],
        0,
        End::Open,
    ),
    (
        "it answers stop twice",
        &[
            HIT,
            "> W go ponder",
            BEGUN,
            "B bestmove c7c5",
            "> W stop",
            "W bestmove g1f3",
            "W bestmove g1f3",
            "> W isready position go",
            "W readyok",
            "W bestmove d2d4",
        ],
        1,
        End::Open,
    ),
    (
        "it answers stop with the move that it made before, as some do that have no other yet",
        &[
            HIT,
            "> W go ponder",
            BEGUN,
            "B bestmove c7c5",
            "> W stop",
            "W bestmove e2e4",
            "> W isready position go",
            "W readyok",
            "W bestmove d2d4",
        ],
        0,
        End::Open,
    ),
    (
        "it never answers stop",
        &[
            HIT,
            "> W go ponder",
            BEGUN,
            "B bestmove c7c5",
            "> W stop",
            "+1201",
            "tick",
        ],
        0,
        End::White(FaultKind::FlagFall),
    ),
    (
        "it never says readyok after stop",
        &[
            HIT,
            "> W go ponder",
            BEGUN,
            "B bestmove c7c5",
            "> W stop",
            "W bestmove g1f3",
            "> W isready position go",
            "W bestmove d2d4",
            "+1201",
            "tick",
        ],
        1,
        End::White(FaultKind::FlagFall),
    ),
    (
        "ponderhit and stop are said once, whatever comes of it",
        &[
            HIT,
            "> W go ponder",
            "B bestmove e7e5",
            "> W ponderhit",
            "+400",
            "tick",
            "> W",
            BEGUN,
            "+400",
            "tick",
            "> W",
            "W bestmove g1f3 ponder d7d6",
            "> W go ponder",
            "B bestmove b8c6",
            "> W stop",
            "+400",
            "tick",
            "> W",
        ],
        0,
        End::Open,
    ),
    (
        "it never answers the hit",
        &[
            HIT,
            "> W go ponder",
            "B bestmove e7e5",
            "> W ponderhit",
            "+1201",
            "tick",
        ],
        0,
        End::White(FaultKind::FlagFall),
    ),
    (
        "it answers the hit in time by the clock that began with ponderhit",
        &[
            HIT,
            "> W go ponder",
            "+1000",
            "B bestmove e7e5",
            "> W ponderhit",
            "+1200",
            "W bestmove g1f3",
            "W clock 100",
        ],
        0,
        End::Open,
    ),
    (
        "it says its move twice, the second time when it ponders, and ponders on",
        &[
            HIT,
            "> W go ponder",
            HIT,
            "> W",
            "B bestmove e7e5",
            "> W ponderhit",
            "W bestmove g1f3",
            "W hit",
        ],
        1,
        End::Open,
    ),
    (
        "it says its move three times: the third is taken for an early answer",
        &[
            HIT,
            "> W go ponder",
            HIT,
            HIT,
            "B bestmove e7e5",
            "> W position go",
            "W bestmove g1f3",
            "W fresh",
        ],
        2,
        End::Open,
    ),
    (
        "it says the move of a hit twice",
        &[
            HIT,
            "> W go ponder",
            "B bestmove e7e5",
            "> W ponderhit",
            "W bestmove g1f3",
            "W bestmove g1f3",
            "> W",
            "B bestmove b8c6",
            "> W position go",
        ],
        1,
        End::Open,
    ),
    (
        "it crashes while it ponders, and loses at its turn",
        &[HIT, "> W go ponder", "W closed", "open", "B bestmove e7e5"],
        0,
        End::White(FaultKind::Crash),
    ),
    (
        "it crashes while it ponders, and its opponent oversteps the time",
        &[HIT, "> W go ponder", "W closed", "+1101", "tick"],
        0,
        End::Black(FaultKind::FlagFall),
    ),
    (
        "it crashes after ponderhit",
        &[
            HIT,
            "> W go ponder",
            "B bestmove e7e5",
            "> W ponderhit",
            "W closed",
        ],
        0,
        End::White(FaultKind::Crash),
    ),
    (
        "it crashes after stop",
        &[
            HIT,
            "> W go ponder",
            BEGUN,
            "B bestmove c7c5",
            "> W stop",
            "W closed",
        ],
        0,
        End::White(FaultKind::Crash),
    ),
    (
        "its opponent oversteps the time while it ponders",
        &[HIT, "> W go ponder", "+1101", "W info depth 9 score cp 1"],
        0,
        End::Black(FaultKind::FlagFall),
    ),
    (
        "its opponent makes an illegal move while it ponders",
        &[HIT, "> W go ponder", "B bestmove e7e4"],
        0,
        End::Black(FaultKind::IllegalMove),
    ),
    (
        "a reply that is no move is not pondered on",
        &[
            "W bestmove e2e4 ponder e7e4",
            "> W",
            "B bestmove e7e5",
            "> W position go",
        ],
        0,
        End::Open,
    ),
    (
        "no reply is named",
        &[
            "W bestmove e2e4",
            "> W",
            "B bestmove e7e5",
            "> W position go",
            "W bestmove g1f3",
            "W fresh",
        ],
        0,
        End::Open,
    ),
    (
        "both ponder, one hits and one misses",
        &[
            HIT,
            "> W go ponder",
            "> B position go",
            "B bestmove e7e5 ponder g1f3",
            "> W ponderhit",
            "> B go ponder",
            "B info depth 1 score cp 5",
            "W bestmove d2d4 ponder e5d4",
            "W hit",
            "> B stop",
            "> W go ponder",
            "B bestmove b8c6",
            "> B isready position go",
            "B readyok",
            "B bestmove e5d4",
            "> W ponderhit",
        ],
        0,
        End::Open,
    ),
];

fn both_ponder() -> GameSettings {
    let mut game = settings(STANDARD, clock("1+0.1"));
    game.players
        .iter_mut()
        .for_each(|player| player.ponder = true);
    game
}

/// The words that say what the lines of one write are.
fn summary(text: &str) -> String {
    let word = |line: &str| match line {
        line if line.starts_with("go ponder") => "go ponder".to_owned(),
        line => line.split(' ').next().unwrap_or_default().to_owned(),
    };
    let words = text.lines().map(word).collect::<Vec<_>>().join(" ");
    words.replace("position go ponder", "go ponder")
}

/// A game, and what was sent to each side and not looked at.
struct Race {
    table: Table,
    sent: [Vec<String>; 2],
}

impl Race {
    fn new() -> Race {
        let mut table = Table::begun(both_ponder());
        table.sent();
        Race {
            table,
            sent: Default::default(),
        }
    }

    fn step(&mut self, step: &str) {
        let (word, rest) = step.split_once(' ').unwrap_or((step, ""));
        let side = |word: &str| match word {
            "W" => Color::White,
            _ => Color::Black,
        };
        match word {
            ">" => {
                for (side, text) in self.table.sent() {
                    self.sent[side.index()].push(summary(&text));
                }
                let (to, words) = rest.split_once(' ').unwrap_or((rest, ""));
                let sent = std::mem::take(&mut self.sent[side(to).index()]);
                assert_eq!(sent.join(" | "), words, "{step}");
            }
            "tick" => self.table.referee.tick(ms(self.table.now)),
            "open" => assert!(!self.table.referee.is_over()),
            "W" | "B" => self.engine(side(word), rest),
            _ => self.table.now += step[1..].parse::<u64>().unwrap(),
        }
    }

    fn engine(&mut self, side: Color, what: &str) {
        let referee = &mut self.table.referee;
        let last = referee.moves().last();
        match what.split_once(' ').unwrap_or((what, "")) {
            ("closed", _) => referee.ended(side, None, ms(self.table.now)),
            ("clock", left) => {
                let left = Duration::from_millis(left.parse().unwrap());
                assert_eq!(last.unwrap().clock, Some(left), "{what}");
            }
            ("hit", _) => assert_eq!(last.unwrap().pondered, Some(Pondered::Hit)),
            ("miss", _) => assert_eq!(last.unwrap().pondered, Some(Pondered::Miss)),
            ("fresh", _) => assert_eq!(last.unwrap().pondered, None),
            _ => {
                // As the driver does: waiting lines are written before any engine thinks, unless they were there
                // already.
                if referee.due().is_none_or(|(due, _)| due != side) {
                    for (to, text) in self.table.sent() {
                        self.sent[to.index()].push(summary(&text));
                    }
                }
                self.table.says(side, what);
            }
        }
    }
}

#[test]
fn every_race_of_pondering() {
    for (what, steps, unasked, end) in RACES {
        let mut race = Race::new();
        for step in *steps {
            race.step(step);
        }
        let mut referee = race.table.referee;
        let expected = match end {
            End::Open => Outcome::Void(VoidReason::Interrupted),
            End::White(kind) => forfeit(Color::Black, *kind),
            End::Black(kind) => forfeit(Color::White, *kind),
        };
        if matches!(end, End::Open) {
            assert!(!referee.is_over(), "{what}");
            referee.interrupt(VoidReason::Interrupted);
        }
        let record = referee.finish().unwrap();
        assert_eq!(record.outcome, expected, "{what}");
        assert_eq!(record.breaches[0].unasked_bestmoves, *unasked, "{what}");
    }
}

#[test]
fn go_ponder_has_the_expected_reply_and_the_clocks_as_they_are() {
    let mut table = Table::begun(both_ponder());
    table.moves(300, "e2e4 ponder e7e5");
    let start = "position startpos";
    let limits = "wtime 900 btime 1100 winc 100 binc 100\n";
    let asked = format!("{start} moves e2e4\ngo {limits}");
    let ponders = format!("{start} moves e2e4 e7e5\ngo ponder {limits}");
    assert_eq!(
        table.sent(),
        [(Color::Black, asked), (Color::White, ponders)]
    );
    table.now += 200;
    table.says(Color::White, "info depth 3 score cp 20");
    table.says(Color::Black, "bestmove c7c5");
    table.sent();
    table.now += 20;
    table.says(Color::White, "bestmove g1f3");
    // The time that it needed to stop was taken from its own clock.
    let asked =
        format!("isready\n{start} moves e2e4 c7c5\ngo wtime 880 btime 1000 winc 100 binc 100\n");
    assert_eq!(table.sent(), [(Color::White, asked)]);
}

#[test]
fn what_a_pondering_engine_says_is_kept_only_if_its_search_goes_on() {
    for (reply, expected) in [("e7e5", 31), ("c7c5", 9)] {
        let mut table = Table::begun(both_ponder());
        table.moves(1, "e2e4 ponder e7e5");
        table.sent();
        table.says(Color::White, "info depth 9 score cp 31 nodes 5");
        table.says(Color::Black, &format!("bestmove {reply}"));
        table.sent();
        if reply == "c7c5" {
            table.says(Color::White, "bestmove g1f3");
            table.sent();
            table.says(Color::White, "readyok");
            table.says(Color::White, "info depth 2 score cp 9 nodes 2");
        }
        table.says(Color::White, "bestmove g1f3");
        table.referee.interrupt(VoidReason::Interrupted);
        let said = &table.record().moves[2].thinking;
        let expected = arbiter960::uci::Score::Centipawns(expected);
        assert_eq!(said.score, Some(expected), "after {reply}");
    }
}

#[test]
fn a_fixed_time_for_each_move_is_pondered_with_too() {
    let mut game = both_ponder();
    for player in &mut game.players {
        player.limits.time = arbiter960::clock::TimeLimit::MoveTime(Duration::from_millis(500));
    }
    let mut table = Table::begun(game);
    table.moves(100, "e2e4 ponder e7e5");
    let sent = table.sent();
    assert!(sent[1].1.ends_with("go ponder movetime 500\n"), "{sent:?}");
    table.says(Color::Black, "bestmove e7e5");
    assert_eq!(table.sent(), [(Color::White, "ponderhit\n".to_owned())]);
    table.now += 501;
    table.referee.tick(ms(table.now));
    let expected = forfeit(Color::Black, FaultKind::FlagFall);
    assert_eq!(table.record().outcome, expected);
}

#[test]
fn a_game_that_ends_while_an_engine_ponders_leaves_it_idle() {
    // By a move, by the length, by an interruption; and before `go ponder` was written.
    let endings: [fn(&mut Table); 3] = [
        |table| table.says(Color::Black, "bestmove e7e5"),
        |table| table.referee.interrupt(VoidReason::Interrupted),
        |table| table.referee.ended(Color::Black, None, ms(1)),
    ];
    for end in endings {
        for written in [true, false] {
            let mut game = both_ponder();
            game.adjudication.max_moves = Some(1);
            let mut table = Table::begun(game);
            table.moves(1, "e2e4 ponder e7e5");
            if written {
                table.sent();
            } else {
                table.referee.transmit(ms(table.now)).unwrap();
            }
            end(&mut table);
            assert!(table.referee.finish().is_some());
            table.referee.wind_up();
            let stop = |(side, text): &(Color, String)| *side == Color::White && text == "stop\n";
            assert_eq!(table.sent().iter().any(stop), written);
            assert_eq!(table.referee.owes(Color::White), written);
            table.says(Color::White, "info depth 3 score cp 1");
            if written {
                assert!(!table.referee.is_idle(Color::White));
                table.says(Color::White, "bestmove g1f3 ponder b8c6");
            }
            assert!(table.referee.is_idle(Color::White));
        }
    }
}

#[test]
fn a_miss_that_a_game_ends_with_is_heard_out() {
    let mut table = Table::begun(both_ponder());
    table.moves(1, "e2e4 ponder e7e5");
    table.sent();
    table.says(Color::White, "info depth 3 score cp 20");
    table.says(Color::Black, "bestmove c7c5");
    table.sent();
    table.referee.interrupt(VoidReason::Interrupted);
    assert!(table.referee.finish().is_some());
    table.referee.wind_up();
    assert_eq!(table.sent(), [], "it was told to stop already");
    assert!(table.referee.owes(Color::White));
    table.referee.stop_now();
    assert_eq!(table.sent(), []);
    table.says(Color::White, "bestmove g1f3");
    assert!(table.referee.is_idle(Color::White));
}

#[test]
fn a_search_that_has_not_begun_when_the_game_ends_is_told_to_stop_when_it_has_or_later() {
    for reports in [true, false] {
        let mut table = Table::begun(both_ponder());
        table.sent();
        table.says(Color::White, "info depth 3 score cp 20");
        table.moves(1, "e2e4 ponder e7e5");
        table.sent();
        table.referee.interrupt(VoidReason::Interrupted);
        assert!(table.referee.finish().is_some());
        table.referee.wind_up();
        let stop = |side| (side, "stop\n".to_owned());
        let sent = table.sent();
        assert_eq!(sent, [stop(Color::Black)], "White would forget it");
        match reports {
            true => table.says(Color::White, "info depth 1 score cp 20"),
            false => table.referee.stop_now(),
        }
        assert_eq!(table.sent(), [(Color::White, "stop\n".to_owned())]);
        table.referee.stop_now();
        assert_eq!(table.sent(), [], "once");
        table.says(Color::White, "bestmove g1f3");
        assert!(table.referee.is_idle(Color::White));
    }
}

#[test]
fn a_runner_that_stood_still_changes_nothing_for_who_ponders() {
    let mut table = Table::begun(both_ponder());
    table.moves(1, "e2e4 ponder e7e5");
    table.sent();
    let deadline = table.referee.deadline();
    table
        .referee
        .stood_still(Duration::from_secs(60), ms(table.now));
    assert_eq!(table.referee.deadline(), deadline, "Black's clock goes on");
    table.says(Color::Black, "bestmove e7e5");
    assert_eq!(table.sent(), [(Color::White, "ponderhit\n".to_owned())]);
}

#[test]
fn who_ponders_is_neither_stopped_nor_watched_for_it() {
    let mut game = both_ponder();
    game.idle_cpu.policy = IdlePolicy::Freeze;
    let mut table = Table::begun(game);
    table.moves(1, "e2e4 ponder e7e5");
    // The driver asks before anything is written.
    assert!(table.referee.due().is_some());
    assert!(!table.referee.is_idling(Color::White) && !table.referee.is_to_freeze(Color::White));
    table.sent();
    assert!(!table.referee.is_idling(Color::White));
    // Black has named no reply: it has nothing to do.
    table.says(Color::Black, "bestmove e7e5");
    assert!(table.referee.is_to_freeze(Color::Black));
}
