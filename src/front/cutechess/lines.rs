//! The lines of cutechess-cli, printed by a listener to facts, and those of `-debug`: what runner and engines say to each other.
//! Results go to the standard output, warnings to the standard error.

use std::collections::BTreeSet;
use std::io;

use super::standing::{CutechessStandings, words};
use crate::engine::uci_log::{Speaker, SpokenLine, SpokenLines};
use crate::event::{GameId, PlayedGame, Seat};
use crate::front::common::output::{FactLines, GameStarts, SharedOutcome, print};
use crate::front::common::reason;
use crate::platform::lock;
use crate::run::signals::Stopper;
use crate::text::tell;

/// The state from which the lines are made.
pub(in crate::front) struct CutechessLines {
    standing: CutechessStandings,
    /// The names of the engines.
    names: Vec<String>,
    starts: GameStarts,
    /// The warnings that are printed when an engine is started.
    warnings: Vec<Vec<String>>,
    /// The engines of the game that began last.
    playing: BTreeSet<u16>,
    finished: u64,
    stopper: Stopper,
    outcome: SharedOutcome,
}

impl CutechessLines {
    /// The lines of an event in which nothing has been played.
    pub(in crate::front) fn new(
        standing: CutechessStandings,
        names: Vec<String>,
        starts: GameStarts,
        warnings: Vec<Vec<String>>,
        (stopper, outcome): (Stopper, SharedOutcome),
    ) -> CutechessLines {
        CutechessLines {
            standing,
            names,
            starts,
            warnings,
            playing: BTreeSet::new(),
            finished: 0,
            stopper,
            outcome,
        }
    }

    fn count(&mut self, game: &PlayedGame) {
        self.standing.count(game);
        self.finished += 1;
    }

    fn name_engines(&mut self, seats: [Seat; 2]) {
        for engine in seats.map(|seat| seat.engine) {
            let name = &self.names[usize::from(engine)];
            self.standing.set_name(engine, name);
        }
    }

    fn versus(&self, seats: [Seat; 2]) -> String {
        let [white, black] = seats.map(|seat| self.standing.name(seat.engine));
        format!("{white} vs {black}")
    }

    fn started(&mut self, id: GameId, seats: [Seat; 2]) -> String {
        self.name_engines(seats);
        let engines = BTreeSet::from(seats.map(|seat| seat.engine));
        let is_other = self.playing != engines;
        self.playing = engines;
        for seat in seats {
            let engine = usize::from(seat.engine);
            // cutechess-cli starts both engines when others have played before.
            if is_other || self.standing.engines[engine].restart {
                self.warnings[engine].iter().for_each(|text| tell(text));
            }
        }
        if id.game == 0
            && let Some(line) = self.starts.unreadable(id)
        {
            // cutechess-cli plays from the usual start instead.
            let fields: Vec<&str> = line.split_ascii_whitespace().take(4).collect();
            let counters = if fields.len() == 4 { " 0 1" } else { "" };
            tell(&format!(
                "Warning: Invalid FEN string: {}{counters}",
                fields.join(" ")
            ));
            tell("Warning: The opening suite is incompatible with the current chess variant");
        }
        let number = self.starts.number(id);
        let games = self.starts.games().max(self.standing.games_of_knockout());
        format!(
            "Started game {number} of {games} ({})\n",
            self.versus(seats)
        )
    }

    /// Whether the ranking, and whether the reasons for the ends of games are printed after this number of games.
    fn is_due(&self) -> [bool; 2] {
        let intervals = [
            self.standing.settings.ratinginterval,
            self.standing.own.outcomes,
        ];
        intervals.map(|interval| {
            let interval = u64::from(interval.unsigned_abs());
            interval > 0 && self.finished.is_multiple_of(interval)
        })
    }
}

impl FactLines for CutechessLines {
    fn starts(&mut self) -> &mut GameStarts {
        &mut self.starts
    }

    fn start(&mut self, id: GameId) -> String {
        match self.starts.announce(id) {
            Some(seats) if !self.starts.silent => self.started(id, seats),
            _ => String::new(),
        }
    }

    fn finish_game(&mut self, game: &PlayedGame) -> String {
        let mut text = self.start(game.id);
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
        let [ranks, gives_reasons] = self.is_due();
        if ranks {
            text += &self.standing.ranking();
        }
        if gives_reasons {
            text += &self.standing.outcomes();
        }
        let breakdown = reason::fault(game).is_some_and(reason::is_breakdown);
        let broken = breakdown && !self.standing.settings.recover;
        let is_decided = self.standing.verdict().is_some();
        if broken || is_decided {
            self.starts.silent = true;
        }
        if is_decided {
            // The run may have no such test.
            self.stopper.void_games();
            lock(&self.outcome).decided = true;
        }
        let next = self.starts.over(game.id);
        text + &next.map(|next| self.start(next)).unwrap_or_default()
    }

    fn recall(&mut self, game: &PlayedGame) {
        self.starts.stored.insert(game.id);
        self.name_engines(game.seats);
        self.count(game);
    }

    /// What is printed when everything is over, except the very last line.
    fn end(&mut self) -> String {
        lock(&self.outcome).broken_off |= self.starts.silent;
        let is_printed = self.is_due().map(|is_due| is_due && self.finished > 0);
        let mut text = String::new();
        if !is_printed[0] {
            text += &self.standing.ranking();
        }
        if !is_printed[1] {
            text += &self.standing.outcomes();
        }
        let is_decided = lock(&self.outcome).decided;
        if is_decided && self.finished == self.starts.games() {
            // cutechess-cli ends once after its last game, and once because the test is decided.
            text += &format!("Finished match\n{text}");
        }
        text
    }
}

/// Prints these lines, each as a whole.
#[derive(Debug)]
pub(in crate::front) struct DebugLines;

impl SpokenLines for DebugLines {
    /// `25 >A(0): isready`: milliseconds since the run began, and the number of the engine's process.
    /// Empty lines and what an engine writes on its standard error are not printed.
    fn line(&mut self, line: &SpokenLine) -> io::Result<()> {
        let sign = match line.speaker {
            Speaker::Runner => '>',
            Speaker::Engine => '<',
            Speaker::Stderr => return Ok(()),
        };
        let (milliseconds, text) = (line.at.0 / 1_000_000, line.text());
        let (name, process) = (&line.process.engine, line.process.number);
        if text.is_empty() {
            return Ok(());
        }
        let line = format!("{milliseconds} {sign}{name}({process}): {text}\n");
        print(&line).map_err(io::Error::other)
    }

    fn lost(&mut self, words: &str) {
        tell(&format!("Warning: -debug: {words}"));
    }
}
