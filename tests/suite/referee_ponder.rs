//! Thinking on the opponent's time, in virtual time: every way in which `ponderhit`, `stop` and the
//! engine's words can meet.

use std::time::Duration;

use arbiter960::chess::Color;
use arbiter960::internal::referee::*;

use super::referee_virtual::{STANDARD, Table, clock, ms, settings};
use super::support::on_one_line;

/// White names a reply with its move.
const HIT: &str = "W bestmove e2e4 ponder e7e5";

/// White's search has begun, by its own account.
const BEGUN: &str = "W info depth 1 score cp 5";

fn both_ponder() -> GameSettings {
    let mut game = settings(STANDARD, clock("1+0.1"));
    for player in &mut game.players {
        player.ponder = true;
    }
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

    /// A step of a race:
    ///
    /// * `W bestmove e2e4`: White's engine says this, now;
    /// * `W closed`: it closes its output;
    /// * `> W go ponder`: this is sent to White now, by the first words of its lines, and nothing else
    ///   to White; `> W` nothing;
    /// * `+250`: this number of milliseconds passes;
    /// * `W clock 950`: milliseconds on White's clock after its last move;
    /// * `W hit`, `W miss`, `W fresh`: how White's last move came about;
    /// * [`HIT`], [`BEGUN`]: what White's engine says there.
    fn step(&mut self, step: &str) {
        let step = match step {
            "HIT" => HIT,
            "BEGUN" => BEGUN,
            other => other,
        };
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
    let file = super::data("ponder-races.txt");
    let races: Vec<&str> = file.split("\n\n").skip(1).collect();
    assert_eq!(races.len(), 31);
    for text in races {
        let (what, rest) = text.split_once('\n').unwrap();
        let (steps, end) = rest.split_once("  unasked ").unwrap();
        let (unasked, end) = end.trim_end().split_once(", ").unwrap();
        let mut race = Race::new();
        for step in on_one_line(steps).split("; ") {
            race.step(step);
        }
        let mut referee = race.table.referee;
        assert_eq!(referee.is_over(), end != "open", "{what}");
        if end == "open" {
            referee.interrupt(VoidReason::Interrupted);
        }
        let record = referee.finish().unwrap();
        let outcome = format!("{} {}", record.outcome.result(), record.outcome.reason());
        let expected = end.replace("open", "* interrupted");
        assert_eq!(outcome, expected, "{what}");
        let counted = record.breaches[0].unasked_bestmoves;
        assert_eq!(counted.to_string(), unasked, "{what}");
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
    let both = [(Color::Black, asked), (Color::White, ponders)];
    assert_eq!(table.sent(), both);
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
        let said = &table.stopped().moves[2].thinking;
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
    table.tick_at(table.now + 501);
    table.white_lost(FaultKind::FlagFall);
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
    let now = ms(table.now);
    table.referee.stood_still(Duration::from_secs(60), now);
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
