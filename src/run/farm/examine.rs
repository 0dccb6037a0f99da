//! A game that another machine has played: against the plan, the rules, its own clocks and the time that
//! it took. Nobody who altered one of them by accident gets it into the store.

use std::time::Duration;

use super::messages::{ResultMessage, programs};
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
    if programs(identity) != result.engines {
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

/// The rules of the event, given the tables and the scores of the record as the referee was given them, end the game
/// where and as it has ended. Tables that this machine lacks end nothing: a worker's word for them is not taken.
fn check_end(record: &GameRecord, rules: &Adjudication) -> Result<(), String> {
    match first_verdict(rules, record) {
        Some((after, verdict)) if after != record.moves.len() || record.outcome != verdict => {
            Err(format!(
                "the rules of the event end it otherwise: {} after move {after} of the engines",
                verdict.reason()
            ))
        }
        None if is_adjudicated(&record.outcome) => {
            Err("the rules of the event do not end it so".to_owned())
        }
        _ => Ok(()),
    }
}

/// Whether scores, length or tables have ended the game.
fn is_adjudicated(outcome: &Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Drawn(
            DrawnBy::ScoreAdjudication
                | DrawnBy::LengthAdjudication
                | DrawnBy::TablebaseAdjudication
        ) | Outcome::Won {
            how: WonBy::ScoreAdjudication | WonBy::TablebaseAdjudication,
            ..
        }
    )
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
    use crate::chess::{Game, Position, UciDialect};
    use crate::clock::Stamp;
    use crate::referee::{MoveRecord, TablebaseResults, TablebaseRule, TablebaseTerms};
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

    /// A rook against a bare king, after these moves.
    fn ending(moves: &[&str], outcome: Outcome) -> GameRecord {
        let start = Position::from_fen("8/8/8/8/8/8/1k6/3K2R1 w - - 0 90").unwrap();
        let mut game = Game::of(start.clone(), []);
        let moves = moves.iter().map(|text| {
            let chess_move = game
                .position()
                .parse_uci(text, UciDialect::Chess960)
                .unwrap();
            game.play(chess_move);
            MoveRecord::new(chess_move, Stamp(0))
        });
        GameRecord {
            moves: moves.collect(),
            start,
            opening: Vec::new(),
            outcome,
            faults: Vec::new(),
            breaches: Default::default(),
            dialogue: None,
        }
    }

    #[test]
    fn tables_end_a_game_where_they_can_and_as_they_say() {
        let by = |winner| Outcome::Won {
            by: winner,
            how: WonBy::TablebaseAdjudication,
        };
        let drawn = Outcome::Drawn(DrawnBy::TablebaseAdjudication);
        let rules = |men, zeroing| Adjudication {
            tablebase: Some(TablebaseRule {
                tables: Arc::new(Lost),
                terms: TablebaseTerms {
                    men,
                    results: TablebaseResults::All,
                    fifty_moves: true,
                    zeroing,
                },
            }),
            ..Adjudication::default()
        };
        let ends = |moves: &[&str], outcome: &Outcome, rules: &Adjudication| {
            check_end(&ending(moves, outcome.clone()), rules)
        };
        let usual = rules(3, false);
        assert_eq!(ends(&["g1g7"], &by(Color::White), &usual), Ok(()));
        let otherwise = "the rules of the event end it otherwise: tablebase-adjudication after move 1 of the engines";
        for outcome in [
            by(Color::Black),
            drawn.clone(),
            Outcome::Drawn(DrawnBy::ThreefoldRepetition),
        ] {
            assert_eq!(ends(&["g1g7"], &outcome, &usual), Err(otherwise.to_owned()));
        }
        // It went on after its end, whatever it came to.
        let longer = ["g1g7", "b2b3", "g7g8"];
        for outcome in [by(Color::White), by(Color::Black), drawn] {
            assert_eq!(ends(&longer, &outcome, &usual), Err(otherwise.to_owned()));
        }
        // Tables of fewer men say nothing, and end nothing.
        let fewer = rules(2, false);
        assert_eq!(
            ends(
                &longer,
                &Outcome::Drawn(DrawnBy::ThreefoldRepetition),
                &fewer
            ),
            Ok(())
        );
        assert!(ends(&longer, &by(Color::White), &fewer).is_err());
        // After captures and moves of pawns alone: at the start, and after none of these moves.
        assert_eq!(ends(&[], &by(Color::Black), &rules(3, true)), Ok(()));
        assert!(ends(&["g1g7"], &by(Color::White), &rules(3, true)).is_err());
        assert!(ends(&[], &by(Color::Black), &usual).is_err());
    }
}
