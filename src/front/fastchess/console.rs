//! The lines of fastchess: started, finished, blocks, verdict.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::blocks::ResultBlocks;
use super::complaints::Complaints;
use super::counts::EncounterCounts;
use super::log_file::LogFile;
use super::saved::{self, Kept};
use crate::event::{GameId, PlayedGame, Seat};
use crate::front::common::output::{FactLines, Told};
use crate::front::common::reason;
use crate::front::common::settings::{EngineSettings, Level, Output, Settings, Stats};
use crate::front::common::starts::GameStarts;
use crate::referee::FaultKind;
use crate::run::signals::Stopper;

/// The state from which the lines are made.
pub(crate) struct Console {
    run: Beginning,
    counts: EncounterCounts,
    /// Number of games that were played before this event, and in it.
    before: u64,
    finished: u64,
    /// Nothing more is printed: the test is decided, or a fault has ended the run.
    silent: bool,
    timeouts: BTreeMap<u16, u64>,
    breakdowns: BTreeMap<u16, u64>,
}

/// What is known before the first game of a run.
pub(crate) struct Beginning {
    /// The settings, and the engines.
    pub(crate) settings: Settings,
    pub(crate) engines: Vec<EngineSettings>,
    /// The blocks of this event.
    pub(crate) blocks: ResultBlocks,
    /// The games that begin.
    pub(crate) starts: GameStarts,
    /// The earlier results, from a `config.json`.
    pub(crate) stats: BTreeMap<String, Stats>,
    /// Warnings about options of engines.
    pub(crate) warnings: Vec<Vec<String>>,
    /// Warnings about moves and scores.
    pub(crate) complaints: Complaints,
    /// The log, to which warnings are written as well.
    pub(crate) log: LogFile,
    /// Ends the run early.
    pub(crate) stopper: Stopper,
    /// The folder of the store.
    pub(crate) store: String,
    /// Receives what the end of the run has to print.
    pub(crate) told: Arc<Mutex<Told>>,
}

impl Console {
    /// The lines of an event in which nothing has been played yet.
    pub(crate) fn new(run: Beginning) -> Console {
        let mut counts = EncounterCounts::default();
        let mut before = 0;
        for (first, second) in pairs_of(&run.engines) {
            if let Some(stats) = run.stats.get(&versus(&run.engines, [first, second])) {
                before += stats.games().max(0).cast_unsigned();
                counts.insert([first, second], *stats);
            }
        }
        Console {
            counts,
            before,
            finished: before,
            silent: false,
            timeouts: BTreeMap::new(),
            breakdowns: BTreeMap::new(),
            run,
        }
    }

    /// The results so far, for `config.json`.
    fn stats(&self) -> Vec<(String, Stats)> {
        let pairs = pairs_of(&self.run.engines).into_iter();
        let row = |(first, second)| {
            let name = versus(&self.run.engines, [first, second]);
            (name, self.counts.between(first, second))
        };
        pairs.map(row).collect()
    }

    /// Number of games of the whole event.
    fn total(&self) -> u64 {
        self.before + self.run.starts.games()
    }

    /// The number of a game, from 1.
    fn number(&self, id: GameId) -> u64 {
        self.before + self.run.starts.number(id)
    }

    fn name(&self, seat: Seat) -> &str {
        &self.run.engines[usize::from(seat.engine)].name
    }

    fn versus_colours(&self, [white, black]: [Seat; 2]) -> String {
        format!("{} vs {}", self.name(white), self.name(black))
    }

    /// The lines printed when a game begins; empty on later calls.
    fn begin(&mut self, id: GameId) -> String {
        if self.silent {
            return String::new();
        }
        let Some(seats) = self.run.starts.announce(id) else {
            return String::new();
        };
        let (number, total) = (self.number(id), self.total());
        let [white, black] = seats.map(|seat| self.name(seat));
        let words = format!("Game {number} between {white} and {black} starting");
        self.run.log.note(Level::Trace, &words);
        let mut text = format!(
            "Started game {number} of {total} ({})\n",
            self.versus_colours(seats)
        );
        for seat in seats {
            for warning in &self.run.warnings[usize::from(seat.engine)] {
                text += &format!("{warning}\n");
            }
        }
        text
    }

    /// The lines of a game that is over.
    fn game(&mut self, game: &PlayedGame) -> String {
        let (id, number) = (game.id, self.number(game.id));
        let mut text = self.begin(id) + &self.run.complaints.end(game);
        let kind = reason::fault(game);
        let breakdown = kind.filter(|kind| reason::is_breakdown(*kind));
        if breakdown.is_some() && !self.run.settings.recover {
            text += &format!(
                "Game {number} stalled / disconnected and no recover option set for engine, \
                 stopping tournament.\n"
            );
        }
        self.tell(|told| text += &std::mem::take(&mut told.checksum));
        text += &format!(
            "Finished game {number} ({}): {} {{{}}}\n",
            self.versus_colours(game.seats),
            game.record.outcome.result(),
            reason::text(game, &self.run.engines)
        );
        self.count(game, kind);
        text += &self.results(game);
        self.finished += 1;
        if breakdown.is_some() && !self.run.settings.recover {
            self.silent = true;
            self.tell(|told| told.broken_off = true);
        }
        let next = self.run.starts.over(id);
        text + &next.map(|next| self.begin(next)).unwrap_or_default()
    }

    fn count(&mut self, game: &PlayedGame, kind: Option<FaultKind>) {
        if let Some(white) = game.record.outcome.white_score() {
            self.counts
                .add(game.id, game.seats, white, self.run.settings.report_penta);
        }
        let loser = game.record.deciding_fault().map(|fault| fault.side);
        let (Some(kind), Some(loser)) = (kind, loser) else {
            return;
        };
        let engine = game.seat(loser).engine;
        match kind {
            FaultKind::FlagFall => *self.timeouts.entry(engine).or_default() += 1,
            kind if reason::is_breakdown(kind) => *self.breakdowns.entry(engine).or_default() += 1,
            _ => {}
        }
    }

    /// Scores, blocks and verdict after a game that is counted.
    fn results(&mut self, game: &PlayedGame) -> String {
        let engines = {
            let [white, black] = game.seats.map(|seat| seat.engine);
            [white.min(black), white.max(black)]
        };
        let settings = &self.run.settings;
        let (pair, played) = (game.id.pair, self.finished + 1);
        let is_last = played == self.total();
        let every = |interval: i32, count: u64| {
            u64::try_from(interval)
                .is_ok_and(|interval| interval > 0 && count.is_multiple_of(interval))
        };
        let mut text = String::new();
        if every(settings.scoreinterval, played) || is_last {
            text += &self.run.blocks.score(&self.counts, engines);
        }
        let count = match settings.report_penta {
            true => pair.0 + 1 + self.before / 2,
            false => played,
        };
        let due = every(settings.ratinginterval, count) && self.counts.is_complete(pair);
        if due || is_last {
            text += &self.run.blocks.interval(&self.counts, engines);
        }
        if let Some(verdict) = self.run.blocks.verdict(&self.counts) {
            text += &self.run.blocks.score(&self.counts, engines);
            text += &self.run.blocks.interval(&self.counts, engines);
            text += &format!("{verdict}\n");
            self.silent = true;
            self.tell(|told| told.decided = true);
            // The run may have no such test, or may not know the games before it.
            self.run.stopper.void_games();
        }
        text
    }

    /// Writes warnings into the log. Where the first warning ends the run, nothing is printed after it.
    fn heed(&mut self, mut text: String) -> String {
        if self.run.settings.unwritten.strict
            && let Some(end) = end_of_warning(&text)
        {
            text.truncate(end);
            self.silent = true;
            self.run.stopper.void_games();
            self.tell(|told| told.broken_off = true);
        }
        self.run.log.printed(&text);
        text
    }

    fn tell(&self, tell: impl FnOnce(&mut Told)) {
        tell(&mut self.run.told.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Writes `config.json` each time the autosave interval, in games, has passed.
    fn save(&self) {
        let every = u64::try_from(self.run.settings.autosaveinterval).unwrap_or(0);
        let played = self.finished - self.before;
        if every == 0 || played == 0 || !played.is_multiple_of(every) {
            return;
        }
        let path = std::path::Path::new(&self.run.settings.config_name);
        let kept = Kept {
            store: &self.run.store,
            before: &self.run.stats,
        };
        let stats = self.stats();
        let written = saved::write(
            path,
            &self.run.settings,
            &self.run.engines,
            &stats,
            Some(kept),
        );
        if let Err(error) = written {
            tracing::warn!(%error, "config.json cannot be written");
        }
    }
}

/// The end of the first warning in a text, with its lines about the position.
fn end_of_warning(text: &str) -> Option<usize> {
    let before = text.split_inclusive('\n');
    let before = before.take_while(|line| !line.starts_with("Warning"));
    let end: usize = before.map(str::len).sum();
    let warning = text[end..].split_inclusive('\n').next()?;
    let parts = ["Info", "Position;", "Moves;"];
    let more = text[end + warning.len()..].split_inclusive('\n');
    let more = more.take_while(|line| parts.iter().any(|part| line.starts_with(part)));
    Some(end + warning.len() + more.map(str::len).sum::<usize>())
}

/// Every pair of engines, the one that is named first before the other.
fn pairs_of(engines: &[EngineSettings]) -> Vec<(u16, u16)> {
    let count = u16::try_from(engines.len()).unwrap_or(u16::MAX);
    let pairs = (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second)));
    pairs.collect()
}

fn versus(engines: &[EngineSettings], places: [u16; 2]) -> String {
    let [first, second] = places.map(|place| &engines[usize::from(place)].name);
    format!("{first} vs {second}")
}

impl FactLines for Console {
    fn starts(&mut self) -> &mut GameStarts {
        &mut self.run.starts
    }

    fn is_silent(&self) -> bool {
        self.silent
    }

    fn start(&mut self, id: GameId) -> String {
        let text = self.begin(id);
        self.heed(text)
    }

    fn finish_game(&mut self, game: &PlayedGame) -> String {
        let (number, has_latency) = (self.number(game.id), self.run.settings.show_latency);
        self.run
            .log
            .game(game, number, &self.run.engines, has_latency);
        let text = self.game(game);
        self.heed(text)
    }

    fn recall(&mut self, game: &PlayedGame) {
        let white = game.record.outcome.white_score();
        if let Some(white) = white {
            let is_in_pairs = self.run.settings.report_penta;
            self.counts.add(game.id, game.seats, white, is_in_pairs);
        }
        self.run.starts.recall(game.id);
        self.finished += 1;
    }

    fn meanwhile(&mut self) -> String {
        self.run.complaints.look();
        let mut text = String::new();
        for game in self.run.complaints.games() {
            if !self.silent && self.run.starts.is_announced(game) {
                text += &self.run.complaints.take(game);
            }
        }
        self.heed(text)
    }

    fn written(&mut self) {
        self.save();
    }

    /// Fastchess is ended by the signal of the closed pipe.
    fn unread(&mut self) {
        self.tell(|told| told.unread = true);
        self.run.stopper.void_games();
    }

    fn end(&mut self) -> String {
        let stats = self.stats();
        self.tell(|told| told.stats = stats);
        let engines: BTreeSet<u16> = self
            .timeouts
            .keys()
            .chain(self.breakdowns.keys())
            .copied()
            .collect();
        if self.run.settings.output != Output::Fastchess || engines.is_empty() {
            return String::new();
        }
        let mut text = "\n".to_owned();
        for engine in engines {
            let count = |counts: &BTreeMap<u16, u64>| counts.get(&engine).copied().unwrap_or(0);
            text += &format!(
                "Player: {}\n  Timeouts: {}\n  Crashed: {}\n",
                self.run.engines[usize::from(engine)].name,
                count(&self.timeouts),
                count(&self.breakdowns)
            );
        }
        text += "\n";
        self.run.log.printed(&text);
        text
    }
}
