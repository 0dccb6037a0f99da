//! The lines of cutechess-cli, printed by a listener to facts. Results go to the standard output, warnings to the
//! standard error.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use super::standing::CutechessStandings;
use super::tally::words;
use crate::event::{GameId, PlayedGame, Seat};
use crate::front::common::output::{FactLines, Told};
use crate::front::common::starts::GameStarts;
use crate::front::common::{reason, unreadable};
use crate::run::signals::Stopper;

/// Numbers of games after which something is printed, and whether a breakdown ends the run.
#[derive(Debug, Clone, Copy)]
pub(in crate::front) struct Habits {
    pub(in crate::front) ratings: u64,
    pub(in crate::front) outcomes: u64,
    pub(in crate::front) recovers: bool,
}

/// The warnings that are printed when an engine is started: cutechess-cli starts both engines when others have played before.
#[derive(Debug, Clone, Default)]
pub(in crate::front) struct StartWarnings {
    pub(in crate::front) texts: Vec<String>,
    /// It is started for each game.
    pub(in crate::front) restarts: bool,
}

/// The state from which the lines are made.
pub(in crate::front) struct CutechessLines {
    standing: CutechessStandings,
    habits: Habits,
    /// The names that the engines give themselves.
    said: Vec<String>,
    starts: GameStarts,
    warnings: Vec<StartWarnings>,
    /// The engines of the game that began last.
    playing: BTreeSet<u16>,
    finished: u64,
    silent: bool,
    stopper: Stopper,
    told: Arc<Mutex<Told>>,
}

impl CutechessLines {
    /// The lines of an event in which nothing has been played.
    pub(in crate::front) fn new(
        standing: CutechessStandings,
        habits: Habits,
        said: Vec<String>,
        starts: GameStarts,
        warnings: Vec<StartWarnings>,
        (stopper, told): (Stopper, Arc<Mutex<Told>>),
    ) -> CutechessLines {
        CutechessLines {
            standing,
            habits,
            said,
            starts,
            warnings,
            playing: BTreeSet::new(),
            finished: 0,
            silent: false,
            stopper,
            told,
        }
    }

    fn count(&mut self, game: &PlayedGame) {
        self.standing.count(game);
        self.finished += 1;
    }

    fn meet(&mut self, seats: [Seat; 2]) {
        for engine in seats.map(|seat| seat.engine) {
            let said = self.said.get(usize::from(engine));
            let said = said.map(String::as_str).unwrap_or_default();
            self.standing.meet(engine, said);
        }
    }

    fn versus(&self, seats: [Seat; 2]) -> String {
        let [white, black] = seats.map(|seat| self.standing.name(seat.engine));
        format!("{white} vs {black}")
    }

    fn begin(&mut self, id: GameId) -> String {
        if self.silent {
            return String::new();
        }
        let seats = self.starts.announce(id);
        seats
            .map(|seats| self.started(id, seats))
            .unwrap_or_default()
    }

    fn started(&mut self, id: GameId, seats: [Seat; 2]) -> String {
        self.meet(seats);
        let engines = BTreeSet::from(seats.map(|seat| seat.engine));
        let is_other = self.playing != engines;
        self.playing = engines;
        for seat in seats {
            let warnings = &self.warnings[usize::from(seat.engine)];
            if is_other || warnings.restarts {
                warnings
                    .texts
                    .iter()
                    .for_each(|text| crate::text::tell(text));
            }
        }
        if id.game == 0
            && let Some(line) = self.starts.unreadable(id)
        {
            for words in unreadable::warnings(line) {
                crate::text::tell(&format!("Warning: {words}"));
            }
        }
        let number = self.starts.number(id);
        let games = self.starts.games().max(self.standing.games_of_knockout());
        format!(
            "Started game {number} of {games} ({})\n",
            self.versus(seats)
        )
    }

    fn game(&mut self, game: &PlayedGame) -> String {
        let mut text = self.begin(game.id);
        // Who meets in a knockout is known when the game is over.
        if let Some(seats) = self.starts.announce_as(game.id, game.seats) {
            text += &self.started(game.id, seats);
        }
        text += &format!(
            "Finished game {} ({}): {} {{{}}}\n",
            self.starts.number(game.id),
            self.versus(game.seats),
            game.record.outcome.result(),
            words(game)
        );
        self.count(game);
        text += &self.standing.score().unwrap_or_default();
        if self.is_interval() {
            text += &self.standing.ranking();
        }
        if self.is_time_of_outcomes() {
            text += &self.standing.outcomes();
        }
        let breakdown = reason::fault(game).is_some_and(reason::is_breakdown);
        let broken = breakdown && !self.habits.recovers;
        let is_decided = self.standing.verdict().is_some();
        if broken || is_decided {
            self.silent = true;
        }
        if is_decided {
            // The run may have no such test.
            self.stopper.void_games();
            self.told
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .decided = true;
        }
        let next = self.starts.over(game.id);
        text + &next.map(|next| self.begin(next)).unwrap_or_default()
    }

    fn is_interval(&self) -> bool {
        self.habits.ratings > 0 && self.finished.is_multiple_of(self.habits.ratings)
    }

    fn is_time_of_outcomes(&self) -> bool {
        self.habits.outcomes > 0 && self.finished.is_multiple_of(self.habits.outcomes)
    }

    /// What is printed when everything is over, except the very last line.
    fn last(&self) -> String {
        let mut text = String::new();
        if !self.is_interval() || self.finished == 0 {
            text += &self.standing.ranking();
        }
        if !self.is_time_of_outcomes() || self.finished == 0 {
            text += &self.standing.outcomes();
        }
        text
    }
}

impl FactLines for CutechessLines {
    fn starts(&mut self) -> &mut GameStarts {
        &mut self.starts
    }

    fn is_silent(&self) -> bool {
        self.silent
    }

    fn start(&mut self, id: GameId) -> String {
        self.begin(id)
    }

    fn finish_game(&mut self, game: &PlayedGame) -> String {
        self.game(game)
    }

    fn recall(&mut self, game: &PlayedGame) {
        self.starts.recall(game.id);
        self.meet(game.seats);
        self.count(game);
    }

    fn end(&mut self) -> String {
        let broken = self.silent;
        self.told
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .broken_off |= broken;
        self.last()
    }
}
