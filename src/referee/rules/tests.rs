use super::*;
use crate::chess::Color;
use crate::tablebase::{Dtz, Wdl};

#[test]
fn a_share_above_the_limit_counts_and_a_moment_does_not() {
    let rule = IdleRule::default();
    let exceeded = |watched, cpu| {
        rule.is_exceeded(IdleTimes {
            watched: Duration::from_millis(watched),
            cpu: Duration::from_millis(cpu),
        })
    };
    assert!(exceeded(1000, 201));
    assert!(!exceeded(1000, 200), "the share itself is allowed");
    assert!(!exceeded(100, 100), "so much is allowed in any game");
    assert!(exceeded(100, 101));
    assert!(!exceeded(0, 0));
}

/// Tables that know one value.
#[derive(Debug)]
struct Known(Wdl, Option<Dtz>);

impl Tablebase for Known {
    fn wdl(&self, _: &Position) -> Option<Wdl> {
        Some(self.0)
    }

    fn dtz(&self, _: &Position) -> Option<Dtz> {
        self.1
    }

    fn men(&self) -> u32 {
        7
    }

    fn troubles(&self) -> Vec<String> {
        Vec::new()
    }
}

fn judged(
    (wdl, dtz): (Wdl, Option<i32>),
    clock: u32,
    results: TablebaseResults,
    fifty_moves: bool,
) -> Option<Outcome> {
    let fen = format!("8/8/8/8/8/8/1k6/3K2R1 b - - {clock} 90");
    let rule = TablebaseRule {
        tables: OpenTables(Some(Arc::new(Known(wdl, dtz.map(Dtz))))),
        men: 3,
        results,
        fifty_moves,
        zeroing: false,
    };
    rule.judge(&Position::from_fen(&fen).unwrap())
}

const DRAWN: Option<Outcome> = Some(Outcome::Drawn(DrawnBy::TablebaseAdjudication));
const WON: Option<Outcome> = Some(Outcome::Won {
    by: Color::White,
    how: WonBy::TablebaseAdjudication,
});

#[test]
fn the_fifty_moves_count_from_what_has_been_played() {
    let judged = |wdl, dtz, clock| judged((wdl, dtz), clock, TablebaseResults::All, true);
    assert_eq!(judged(Wdl::Loss, None, 0), WON);
    assert_eq!(judged(Wdl::Loss, None, 1), None, "no distance");
    assert_eq!(judged(Wdl::Loss, Some(-20), 79), WON);
    assert_eq!(
        judged(Wdl::Loss, Some(-20), 80),
        None,
        "it may be one short"
    );
    assert_eq!(judged(Wdl::Loss, Some(-20), 81), DRAWN);
    assert_eq!(judged(Wdl::BlessedLoss, None, 0), DRAWN);
    assert_eq!(judged(Wdl::Draw, None, 99), DRAWN);
}

#[test]
fn without_the_fifty_moves_every_win_is_one() {
    let judged = |wdl, clock| judged((wdl, None), clock, TablebaseResults::All, false);
    assert_eq!(judged(Wdl::BlessedLoss, 99), WON);
    assert_eq!(judged(Wdl::Loss, 99), WON);
    assert_eq!(judged(Wdl::Draw, 0), DRAWN);
}

/// A rule whose tables call every position of three men a draw.
fn all_drawn(zeroing: bool) -> TablebaseRule {
    TablebaseRule {
        tables: OpenTables(Some(Arc::new(Known(Wdl::Draw, None)))),
        men: 3,
        results: TablebaseResults::All,
        fifty_moves: true,
        zeroing,
    }
}

#[test]
fn what_is_not_asked_for_is_played_on() {
    let draws = |wdl| judged((wdl, None), 0, TablebaseResults::Draws, true);
    assert_eq!((draws(Wdl::Loss), draws(Wdl::Draw)), (None, DRAWN));
    let wins = |wdl| judged((wdl, None), 0, TablebaseResults::Wins, true);
    assert_eq!((wins(Wdl::Loss), wins(Wdl::Draw)), (WON, None));
    let four = Position::from_fen("8/8/8/8/8/8/1k6/2RK2R1 b - - 0 90").unwrap();
    let rule = all_drawn(false);
    assert_eq!(rule.judge(&four), None);
}

#[test]
fn only_after_a_capture_or_a_pawn_move_where_that_is_asked_for() {
    let rule = all_drawn(true);
    let judged = |clock: u32| {
        let fen = format!("8/8/8/8/8/8/1k6/3K2R1 b - - {clock} 90");
        rule.judge(&Position::from_fen(&fen).unwrap())
    };
    assert_eq!((judged(0), judged(1)), (DRAWN, None));
}
