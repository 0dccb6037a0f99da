//! The reporter of a lane, and those who listen to it, in virtual time.

use std::sync::{Arc, Mutex};

use super::*;
use crate::config::{Overrides, Tournament, load};
use crate::event::PairId;
use crate::event::live::{LiveUpdate, RunningGames};
use crate::platform::lock;
use crate::referee::{DrawnBy, Outcome};
use crate::run::live_updates::Delivery;

type Heard = Arc<Mutex<Vec<LiveUpdate>>>;

/// A game in virtual time, and its listener.
struct Table {
    referee: Referee,
    reporter: LaneReporter,
    now: Stamp,
}

impl Table {
    fn new(live_updates: &LiveUpdates) -> Table {
        let tournament = tournament();
        let plan = tournament.plan().unwrap();
        let id = GameId {
            pair: PairId(0),
            game: 0,
        };
        let planned = PlannedGame::new(&tournament, id, plan.pair(id.pair).unwrap());
        let mut reporter = LaneReporter::new(live_updates.clone(), Epoch::begin(), 3);
        reporter.begin(&planned);
        let mut referee = Referee::new(planned.settings.clone(), Stamp(0));
        while referee.transmit(Stamp(0)).is_some() {}
        for side in Color::ALL {
            referee.line(side, "readyok", Stamp(0));
        }
        Table {
            referee,
            reporter,
            now: Stamp(0),
        }
    }

    /// The side to move is asked, thinks, and answers.
    fn turn(&mut self) {
        let side = self.referee.side_to_move();
        self.reporter.board(&self.referee);
        while self.referee.transmit(self.now).is_some() {}
        self.now = self.now + Duration::from_secs(1);
        let position = self.referee.position();
        let legal = position.legal_moves();
        let dialect = crate::chess::UciDialect::Chess960;
        let text = position.uci(legal[0], dialect).to_string();
        let said = format!("info depth 9 score cp 31 nodes 7 pv {text}");
        self.referee.line(side, &said, self.now);
        self.reporter.thinking(&self.referee, side, self.now);
        let answer = format!("bestmove {text}");
        self.referee.line(side, &answer, self.now);
    }

    /// The last known position is the one on the board.
    fn agrees_with(&self, games: &RunningGames) {
        let game = games.in_lane(3).expect("it was told");
        // Their times are those of this process's clock, which has not waited.
        let told = game.moves.iter();
        let told = told.map(|played| (played.chess_move, played.clock, &played.thinking));
        let played = self.referee.moves().iter();
        let played = played.map(|played| (played.chess_move, played.clock, &played.thinking));
        assert!(told.eq(played));
        assert_eq!(&game.position, self.referee.position());
        assert_eq!(game.clocks, Color::ALL.map(|side| self.referee.clock(side)));
        assert!(game.thinking.iter().all(|said| said.depth == Some(9)));
    }
}

fn tournament() -> Tournament {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("event.toml");
    let text = "event.name = \"fake\"\npositions.numbers = [518]\ntime.control = \"60+1\"\n\
         [[engine]]\nname = \"A\"\nbuiltin = \"sparring\"\n[[engine]]\nname = \"B\"\nbuiltin = \"sparring\"\n";
    std::fs::write(&file, text).unwrap();
    load(&file, Overrides::default()).unwrap().0
}

fn listen(live_updates: &LiveUpdates) -> Heard {
    let heard = Heard::default();
    let own = Arc::clone(&heard);
    let deliver = move |update| {
        own.lock().unwrap().push(update);
        Delivery::Taken
    };
    live_updates.subscribe(Box::new(deliver)).unwrap();
    heard
}

fn known(heard: &Heard) -> RunningGames {
    let mut games = RunningGames::default();
    for update in heard.lock().unwrap().iter() {
        games.update(update);
    }
    games
}

fn kinds(heard: &Heard) -> [usize; 4] {
    let mut kinds = [0; 4];
    for update in heard.lock().unwrap().iter() {
        if let LiveUpdate::Lane(lane_update) = update {
            let kind = match lane_update.change {
                GameChange::Game(_) => 0,
                GameChange::Moved { .. } => 1,
                GameChange::Thinking { .. } => 2,
                GameChange::Over(_) => 3,
            };
            kinds[kind] += 1;
        }
    }
    kinds
}

#[test]
fn the_board_of_a_listener_follows_the_game() {
    let live_updates = LiveUpdates::default();
    let heard = listen(&live_updates);
    let mut table = Table::new(&live_updates);
    (0..10).for_each(|_| table.turn());
    table.reporter.board(&table.referee);
    live_updates.close();
    table.agrees_with(&known(&heard));
    assert_eq!(kinds(&heard), [1, 10, 10, 0]);
}

#[test]
fn nothing_is_made_for_nobody_and_who_begins_to_listen_is_told_all_of_it() {
    let live_updates = LiveUpdates::default();
    let mut table = Table::new(&live_updates);
    (0..5).for_each(|_| table.turn());
    assert_eq!(table.reporter.told, None);
    let heard = listen(&live_updates);
    (0..2).for_each(|_| table.turn());
    table.reporter.board(&table.referee);
    let outcome = Outcome::Drawn(DrawnBy::Stalemate);
    let so_far = {
        live_updates.close();
        known(&heard)
    };
    table.agrees_with(&so_far);
    assert_eq!(kinds(&heard), [1, 2, 2, 0]);
    // Told of the game, though nobody is left to be told of its end.
    table.reporter.over(&outcome);
    assert_eq!((&table.reporter.open, table.reporter.told), (&None, None));
}

#[test]
fn a_game_of_which_updates_were_dropped_is_told_again_as_a_whole() {
    let live_updates = LiveUpdates::default();
    let heard = listen(&live_updates);
    let mut table = Table::new(&live_updates);
    table.turn();
    {
        // Nobody empties the queue meanwhile.
        let _hub = lock(&live_updates.0.hub);
        while live_updates.send(LaneUpdate {
            lane: 0,
            game: GameId {
                pair: PairId(9),
                game: 0,
            },
            at: std::time::Instant::now(),
            change: GameChange::Over(Outcome::Drawn(DrawnBy::Stalemate)),
        }) {}
        (0..3).for_each(|_| table.turn());
        assert_eq!(table.reporter.told, None);
        let outcome = Outcome::Drawn(DrawnBy::Stalemate);
        table.reporter.send(
            GameId {
                pair: PairId(0),
                game: 0,
            },
            GameChange::Over(outcome),
            table.now,
        );
    }
    live_updates.round();
    // As if the pause had passed.
    table.reporter.patient_until = Stamp(0);
    table.turn();
    table.reporter.board(&table.referee);
    live_updates.close();
    table.agrees_with(&known(&heard));
    assert!(live_updates.dropped() >= 2);
}
