//! A lane's end of the way: what to tell of its game, and when.

use std::time::Duration;

use crate::chess::Color;
use crate::clock::Stamp;
use crate::event::GameId;
use crate::event::live::{Glimpse, Live, RunningGame};
use crate::host::epoch::Epoch;
use crate::referee::{Outcome, Referee};
use crate::run::game::PlannedGame;

use super::Glimpses;

/// What an engine thinks is told no more often than this; nor is a whole game tried more often.
const PAUSE: Duration = Duration::from_millis(100);

/// Tells what passes in the game of one lane.
#[derive(Debug)]
pub(crate) struct Reporter {
    glimpses: Glimpses,
    epoch: Epoch,
    lane: usize,
    game: Option<PlannedGame>,
    /// Whom all of the game so far was told, and how many half-moves that were.
    told: Option<(u32, usize)>,
    /// A game that was told of, and not yet its end.
    open: Option<(GameId, Outcome)>,
    /// When something was told the last time.
    last: Stamp,
    /// After a glimpse that found no room: before this there is none for a whole game either.
    patient_until: Stamp,
}

impl Reporter {
    /// The reporter of this lane.
    pub(crate) fn new(glimpses: Glimpses, epoch: Epoch, lane: usize) -> Reporter {
        Reporter {
            glimpses,
            epoch,
            lane,
            game: None,
            told: None,
            open: None,
            last: Stamp(0),
            patient_until: Stamp(0),
        }
    }

    /// A game is about to begin.
    pub(crate) fn begin(&mut self, game: &PlannedGame) {
        self.told = None;
        self.game = Some(game.clone());
    }

    /// What has changed on the board, if anything. To be called between an answer and the next
    /// `go`, where no clock runs.
    pub(crate) fn board(&mut self, referee: &Referee) {
        let Some(audience) = self.glimpses.audience() else {
            return;
        };
        match self.told.filter(|(to, _)| *to == audience) {
            Some((_, plies)) if plies == referee.plies() => {}
            Some((_, plies)) if plies + 1 == referee.plies() => self.moved(referee, audience),
            _ if referee.has_begun() && !referee.is_over() => self.whole_game(referee, audience),
            _ => {}
        }
    }

    /// What an engine said while its clock runs, if there was time enough since the last glimpse.
    pub(crate) fn thinking(&mut self, referee: &Referee, side: Color, now: Stamp) {
        let told = self.told.map(|(to, _)| to);
        if told.is_none() || told != self.glimpses.audience() {
            return;
        }
        let searches = referee.side_to_move() == side && referee.clock_runs_since().is_some();
        if !searches || now.saturating_since(self.last) < PAUSE {
            return;
        }
        let thinking = Box::new(referee.thinking(side));
        if thinking.score.is_some() {
            self.tell(Live::Thinking { side, thinking }, now);
        }
    }

    /// The game is over.
    pub(crate) fn over(&mut self, outcome: &Outcome) {
        let told = self.told.take();
        let game = self.game.take();
        if let Some(game) = game.filter(|_| told.is_some()) {
            self.open = Some((game.id, outcome.clone()));
            self.rest();
        }
    }

    /// Tells of an end that was not told yet: it may have found no room, and nothing else may
    /// follow for a while.
    pub(crate) fn rest(&mut self) {
        let now = self.epoch.now();
        if let Some((game, outcome)) = &self.open
            && self.send(*game, Live::Over(outcome.clone()), now)
        {
            self.open = None;
        }
    }

    fn moved(&mut self, referee: &Referee, audience: u32) {
        let Some(played) = referee.moves().last() else {
            return;
        };
        let live = Live::Moved {
            ply: referee.plies(),
            chess_move: played.chess_move,
            clock: played.clock,
            thinking: Box::new(played.thinking.clone()),
        };
        if self.tell(live, played.received) {
            self.told = Some((audience, referee.plies()));
        }
    }

    fn whole_game(&mut self, referee: &Referee, audience: u32) {
        let now = self.epoch.now();
        let Some(planned) = self.game.as_ref().filter(|_| now >= self.patient_until) else {
            return;
        };
        let since = referee.clock_runs_since().unwrap_or(now);
        let game = RunningGame {
            id: planned.id,
            seats: planned.seats,
            number: planned.opening.number,
            start: planned.opening.start.clone(),
            position: referee.position().clone(),
            moves: referee.all_moves().to_vec(),
            book: planned.opening.moves.len(),
            clocks: Color::ALL.map(|side| referee.clock(side)),
            since: self.epoch.instant(since).into_std(),
            thinking: Color::ALL.map(|side| referee.said_last(side)),
        };
        if self.tell(Live::Game(Box::new(game)), now) {
            self.told = Some((audience, referee.plies()));
            // The end of the game before is told by that.
            self.open = None;
        }
    }

    /// Tells of the game; if that fails, all of it is told again later.
    fn tell(&mut self, live: Live, at: Stamp) -> bool {
        let Some(game) = self.game.as_ref().map(|game| game.id) else {
            return false;
        };
        self.last = at;
        let sent = self.send(game, live, at);
        if !sent {
            self.told = None;
            self.patient_until = at + PAUSE;
        }
        sent
    }

    fn send(&self, game: GameId, live: Live, at: Stamp) -> bool {
        self.glimpses.send(Glimpse {
            lane: self.lane,
            game,
            at: self.epoch.instant(at).into_std(),
            live,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::config::{Overrides, Tournament, load};
    use crate::event::PairId;
    use crate::event::live::{RunningGames, Update};
    use crate::referee::{DrawnBy, Outcome};
    use crate::run::glimpses::Delivery;

    type Heard = Arc<Mutex<Vec<Update>>>;

    /// A game in virtual time, and who is told of it.
    struct Table {
        referee: Referee,
        reporter: Reporter,
        now: Stamp,
    }

    impl Table {
        fn new(glimpses: &Glimpses) -> Table {
            let tournament = tournament();
            let plan = tournament.plan().unwrap();
            let id = GameId {
                pair: PairId(0),
                game: 0,
            };
            let planned = PlannedGame::new(&tournament, id, plan.pair(id.pair).unwrap());
            let mut reporter = Reporter::new(glimpses.clone(), Epoch::begin(), 3);
            reporter.begin(&planned);
            let mut referee = Referee::new(planned.settings(&tournament), Stamp(0));
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

        /// What is known at last is what stands on the board.
        fn agrees_with(&self, games: &RunningGames) {
            let game = games.in_lane(3).expect("it was told");
            assert_eq!(game.moves, self.referee.all_moves());
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

    fn listen(glimpses: &Glimpses) -> Heard {
        let heard = Heard::default();
        let own = Arc::clone(&heard);
        let deliver = move |update| {
            own.lock().unwrap().push(update);
            Delivery::Taken
        };
        glimpses.subscribe(Box::new(deliver)).unwrap();
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
            if let Update::Glimpse(glimpse) = update {
                let kind = match glimpse.live {
                    Live::Game(_) => 0,
                    Live::Moved { .. } => 1,
                    Live::Thinking { .. } => 2,
                    Live::Over(_) => 3,
                };
                kinds[kind] += 1;
            }
        }
        kinds
    }

    #[test]
    fn the_board_of_a_listener_follows_the_game() {
        let glimpses = Glimpses::default();
        let heard = listen(&glimpses);
        let mut table = Table::new(&glimpses);
        (0..10).for_each(|_| table.turn());
        table.reporter.board(&table.referee);
        glimpses.close();
        table.agrees_with(&known(&heard));
        assert_eq!(kinds(&heard), [1, 10, 10, 0]);
    }

    #[test]
    fn nothing_is_made_for_nobody_and_who_begins_to_listen_is_told_all_of_it() {
        let glimpses = Glimpses::default();
        let mut table = Table::new(&glimpses);
        (0..5).for_each(|_| table.turn());
        assert_eq!(table.reporter.told, None);
        let heard = listen(&glimpses);
        (0..2).for_each(|_| table.turn());
        table.reporter.board(&table.referee);
        let outcome = Outcome::Drawn(DrawnBy::Stalemate);
        let so_far = {
            glimpses.close();
            known(&heard)
        };
        table.agrees_with(&so_far);
        assert_eq!(kinds(&heard), [1, 2, 2, 0]);
        // Told of the game, though nobody is left to be told of its end.
        table.reporter.over(&outcome);
        assert_eq!((&table.reporter.open, table.reporter.told), (&None, None));
    }

    #[test]
    fn a_game_of_which_glimpses_were_dropped_is_told_again_as_a_whole() {
        let glimpses = Glimpses::default();
        let heard = listen(&glimpses);
        let mut table = Table::new(&glimpses);
        table.turn();
        {
            // Nobody empties the queue meanwhile.
            let _hub = glimpses.0.hub();
            while glimpses.send(Glimpse {
                lane: 0,
                game: GameId {
                    pair: PairId(9),
                    game: 0,
                },
                at: std::time::Instant::now(),
                live: Live::Over(Outcome::Drawn(DrawnBy::Stalemate)),
            }) {}
            (0..3).for_each(|_| table.turn());
            assert_eq!(table.reporter.told, None);
            let outcome = Outcome::Drawn(DrawnBy::Stalemate);
            table.reporter.send(
                GameId {
                    pair: PairId(0),
                    game: 0,
                },
                Live::Over(outcome),
                table.now,
            );
        }
        glimpses.0.round();
        // As if the pause had passed.
        table.reporter.patient_until = Stamp(0);
        table.turn();
        table.reporter.board(&table.referee);
        glimpses.close();
        table.agrees_with(&known(&heard));
        assert!(glimpses.dropped() >= 2);
    }
}
