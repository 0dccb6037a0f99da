//! A game that another machine has played: against the plan, the rules, its own clocks and the time that
//! it took. Nobody who altered one of them by accident gets it into the store.

use std::time::Duration;

use super::messages::ResultMessage;
use crate::analysis::first_verdict;
use crate::chess::Color;
use crate::clock::Clock;
use crate::config::Tournament;
use crate::event::PlayedGame;
use crate::event::identity::EventIdentity;
use crate::referee::{Adjudication, DrawnBy, GameRecord, Outcome, WonBy};
use crate::run::game::PlannedGame;
use crate::run::job::Job;
use crate::store::check_played;

/// By how much the two clocks of a machine may differ in a game.
const CLOCKS: Duration = Duration::from_secs(5);

/// What is wrong with a result.
///
/// # Errors
/// The first thing that is.
pub(super) fn examine(
    result: &ResultMessage,
    job: &Job,
    tournament: &Tournament,
    identity: &EventIdentity,
) -> Result<(), String> {
    let engines = identity.engines.iter();
    let programs = engines.map(|engine| engine.launch.sha256().map(str::to_owned));
    if !programs.eq(result.engines.iter().cloned()) {
        return Err("it was played with other engines".to_owned());
    }
    let mut finished = [false; 2];
    for game in &result.games {
        let place = usize::from(game.id.game);
        if game.id.pair != job.pair || place > 1 || game.id.game >= job.spec.games {
            return Err(format!(
                "it has game {}, which is none of its pair",
                game.id
            ));
        }
        if !job.missing[place] {
            return Err(format!("nobody has asked for game {}", game.id));
        }
        if finished[place] {
            return Err(format!("game {} goes on after its end", game.id));
        }
        finished[place] = !game.record.outcome.is_void();
        let wrong = |what: String| format!("game {}: {what}", game.id);
        let opening = tournament.openings.get(job.spec.opening);
        check_played(game, &job.spec, &opening).map_err(wrong)?;
        check_end(&game.record, &tournament.adjudication).map_err(wrong)?;
        check_nodes(game, job, tournament).map_err(wrong)?;
        check_clocks(game, tournament).map_err(wrong)?;
    }
    Ok(())
}

/// Whether the event has a rule that ends a game as this one has ended off the board, and the tables, if they ended it,
/// say so.
fn can_end_so(record: &GameRecord, rules: &Adjudication) -> bool {
    match record.outcome {
        Outcome::Drawn(DrawnBy::LengthAdjudication) => rules
            .max_moves
            .is_some_and(|most| record.plies() >= 2 * most as usize),
        Outcome::Drawn(DrawnBy::ScoreAdjudication) => rules.draw.is_some(),
        Outcome::Won {
            how: WonBy::ScoreAdjudication,
            ..
        } => rules.resign.is_some(),
        Outcome::Drawn(DrawnBy::TablebaseAdjudication)
        | Outcome::Won {
            how: WonBy::TablebaseAdjudication,
            ..
        } => {
            let rule = rules.tablebase.as_ref();
            let judged = rule.and_then(|rule| rule.judge(record.board().position()));
            // Tables that this machine lacks end nothing: a worker's word for them is not taken.
            judged.as_ref() == Some(&record.outcome)
        }
        _ => true,
    }
}

/// The rules of the event, given the scores of the record as the referee was given them, end the game where and as
/// it has ended.
fn check_end(record: &GameRecord, rules: &Adjudication) -> Result<(), String> {
    if !can_end_so(record, rules) {
        return Err("the rules of the event do not end a game so".to_owned());
    }
    let by_table = |outcome: &Outcome| {
        matches!(
            outcome,
            Outcome::Drawn(DrawnBy::TablebaseAdjudication)
                | Outcome::Won {
                    how: WonBy::TablebaseAdjudication,
                    ..
                }
        )
    };
    let by_scores = |outcome: &Outcome| {
        matches!(
            outcome,
            Outcome::Drawn(DrawnBy::ScoreAdjudication | DrawnBy::LengthAdjudication)
                | Outcome::Won {
                    how: WonBy::ScoreAdjudication,
                    ..
                }
        )
    };
    match first_verdict(rules, record) {
        Some((after, verdict)) => {
            let same = record.outcome == verdict || by_table(&record.outcome);
            match after == record.moves.len() && same {
                true => Ok(()),
                false => Err(format!(
                    "the rules of the event end it otherwise: {} after move {after} of the engines",
                    verdict.reason()
                )),
            }
        }
        None if by_scores(&record.outcome) => {
            Err("its scores do not end it so by the rules of the event".to_owned())
        }
        None => Ok(()),
    }
}

/// Every move had the limit of nodes that the event sets, or draws for it.
fn check_nodes(game: &PlayedGame, job: &Job, tournament: &Tournament) -> Result<(), String> {
    let record = &game.record;
    let players = PlannedGame::new(tournament, game.id, job.spec)
        .settings(tournament)
        .players;
    let mut mover = record.first_mover();
    for (played, ply) in record.moves.iter().zip(record.opening.len()..) {
        let player = &players[mover.index()];
        let ply = u32::try_from(ply).unwrap_or(u32::MAX);
        let drawn = player.node_draw.as_ref().map(|draw| (draw.0)(ply));
        if played.nodes_limit != drawn.or(player.limits.nodes) {
            return Err(format!(
                "half-move {} was not played with the event's limit of nodes",
                ply + 1
            ));
        }
        mover = !mover;
    }
    Ok(())
}

/// Every move was in time, and the clocks are what they must be after it.
fn check_clocks(game: &PlayedGame, tournament: &Tournament) -> Result<(), String> {
    let record = &game.record;
    let specs = game.seats.map(|seat| tournament.engine(seat));
    let mut clocks = specs.map(|spec| Clock::new(&spec.limits.time, spec.limits.first_increment));
    let deducts = tournament.adjudication.deducts();
    let mut mover: Color = record.first_mover();
    let mut before = record.moves.first().map(|first| first.sent);
    for (nth, played) in (1..).zip(&record.moves) {
        let wrong = |what: &str| Err(format!("move {nth} of the engines: {what}"));
        if before.is_some_and(|before| played.sent < before) || played.received < played.sent {
            return wrong("it was made before the one before it");
        }
        before = Some(played.received);
        let side = mover.index();
        let [clock, opponent] = mover.own_and_other(&mut clocks);
        if !played.taken.is_zero() && (!deducts || played.taken > played.elapsed()) {
            return wrong("time was taken off that must be charged");
        }
        if clock.charge(played.charged(), specs[side].margin).is_err() {
            return wrong("its flag had fallen");
        }
        opponent.receive(clock, played.charged());
        if clock.remaining() != played.clock {
            return wrong("the clock after it is not what it must be");
        }
        mover = !mover;
    }
    let (first, last) = (record.moves.first(), record.moves.last());
    let thought = first
        .zip(last)
        .map(|(first, last)| last.received.saturating_since(first.sent));
    let took = u64::try_from(game.ended.0.saturating_sub(game.started.0)).unwrap_or(0);
    let took = Duration::from_millis(took);
    match thought.is_some_and(|thought| thought > took + CLOCKS) {
        true => Err("its moves took longer than the game".to_owned()),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::chess::Position;
    use crate::referee::{TablebaseResults, TablebaseRule, TablebaseTerms};
    use crate::tablebase::{Dtz, Tablebase, Wdl};

    /// Tables in which the side to move has lost.
    #[derive(Debug)]
    struct Lost;

    impl Tablebase for Lost {
        fn wdl(&self, _: &Position) -> Option<Wdl> {
            Some(Wdl::Loss)
        }

        fn dtz(&self, _: &Position) -> Option<Dtz> {
            Some(Dtz(-20))
        }

        fn men(&self) -> u32 {
            3
        }

        fn troubles(&self) -> Vec<String> {
            Vec::new()
        }
    }

    #[test]
    fn a_result_by_tables_is_asked_of_the_tables() {
        let by = |winner| Outcome::Won {
            by: winner,
            how: WonBy::TablebaseAdjudication,
        };
        let terms = TablebaseTerms {
            men: 3,
            results: TablebaseResults::All,
            fifty_moves: true,
            zeroing: false,
        };
        let rules = Adjudication {
            tablebase: Some(TablebaseRule {
                tables: Arc::new(Lost),
                terms,
            }),
            ..Adjudication::default()
        };
        let ends = |fen: &str, outcome| {
            let record = GameRecord {
                start: Position::from_fen(fen).unwrap(),
                opening: Vec::new(),
                moves: Vec::new(),
                outcome,
                faults: Vec::new(),
                breaches: Default::default(),
                dialogue: None,
            };
            check_end(&record, &rules).is_ok()
        };
        let rook = "8/8/8/8/8/8/1k6/3K2R1 b - - 0 90";
        assert!(ends(rook, by(Color::White)));
        assert!(!ends(rook, by(Color::Black)));
        assert!(!ends(rook, Outcome::Drawn(DrawnBy::TablebaseAdjudication)));
        let all = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
        assert!(!ends(all, by(Color::White)), "tables of 32 men");
    }
}
