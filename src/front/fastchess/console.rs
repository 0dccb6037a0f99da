//! The lines of fastchess: started, finished, blocks, verdict.

use std::collections::BTreeMap;

use super::blocks::ResultBlocks;
use super::log_file::LogFile;
use super::saved;
use super::warnings::SearchWarnings;
use crate::event::{GameId, PlayedGame, Seat};
use crate::front::common::counts::{EncounterCounts, Stats};
use crate::front::common::output::{FactLines, GameStarts, SharedOutcome};
use crate::front::common::reason;
use crate::front::common::settings::{CommandLine, EngineSettings, Output};
use crate::platform::lock;
use crate::referee::FaultKind;
use crate::run::signals::Stopper;

/// The state from which the lines are made.
pub(in crate::front) struct Console {
    run: Beginning,
    counts: EncounterCounts,
    /// Number of games that were played before this event, and in it.
    before: u64,
    finished: u64,
    /// Timeouts and breakdowns of the engines that had some.
    failures: BTreeMap<u16, [u64; 2]>,
}

/// What is known before the first game of a run.
pub(in crate::front) struct Beginning {
    /// The settings, the engines, and the earlier results from a `config.json`.
    pub(in crate::front) line: CommandLine,
    /// The blocks of this event.
    pub(in crate::front) blocks: ResultBlocks,
    /// The games that begin.
    pub(in crate::front) starts: GameStarts,
    /// Warnings about options of engines.
    pub(in crate::front) of_options: Vec<Vec<String>>,
    /// Warnings about moves and scores.
    pub(in crate::front) warnings: SearchWarnings,
    /// The log, to which warnings are written as well.
    pub(in crate::front) log: LogFile,
    /// Ends the run early.
    pub(in crate::front) stopper: Stopper,
    /// The folder of the store.
    pub(in crate::front) store: String,
    /// Receives what the end of the run has to print.
    pub(in crate::front) outcome: SharedOutcome,
}

impl Console {
    /// The lines of an event in which nothing has been played yet.
    pub(in crate::front) fn new(run: Beginning) -> Console {
        let mut counts = EncounterCounts::default();
        let mut before = 0;
        for (engines, names) in encounters(&run.line.engines) {
            if let Some(stats) = run.line.stats.get(&names) {
                before += stats.games();
                counts.results.insert(engines, *stats);
            }
        }
        Console {
            counts,
            before,
            finished: before,
            failures: BTreeMap::new(),
            run,
        }
    }

    /// The results so far, for `config.json`.
    fn stats(&self) -> Vec<(String, Stats)> {
        let stats = encounters(&self.run.line.engines)
            .map(|(engines, names)| (names, self.counts.between(engines)));
        stats.collect()
    }

    /// The number of a game, from 1.
    fn number(&self, id: GameId) -> u64 {
        self.before + self.run.starts.number(id)
    }

    fn name(&self, seat: Seat) -> &str {
        &self.run.line.engines[usize::from(seat.engine)].name
    }

    /// The lines printed when a game begins; empty on later calls.
    fn begin(&mut self, id: GameId) -> String {
        let seats = self.run.starts.announce(id);
        let Some(seats) = seats.filter(|_| !self.run.starts.silent) else {
            return String::new();
        };
        let [white, black] = seats.map(|seat| self.name(seat));
        let mut text = self.run.starts.line(id, self.before, [white, black]);
        for seat in seats {
            for warning in &self.run.of_options[usize::from(seat.engine)] {
                text += &format!("{warning}\n");
            }
        }
        text
    }

    /// The lines of a game that is over.
    fn game(&mut self, game: &PlayedGame) -> String {
        let (id, number) = (game.id, self.number(game.id));
        let mut text = self.begin(id) + &self.run.warnings.end(game);
        let kind = reason::fault(game);
        let breakdown = kind.filter(|kind| reason::is_breakdown(*kind));
        if breakdown.is_some() && !self.run.line.settings.recover {
            text += &format!(
                "Game {number} stalled / disconnected and no recover option set for engine, \
                 stopping tournament.\n"
            );
        }
        text += &std::mem::take(&mut lock(&self.run.outcome).checksum);
        let [white, black] = game.seats.map(|seat| self.name(seat));
        text += &format!(
            "Finished game {number} ({white} vs {black}): {} {{{}}}\n",
            game.record.outcome.result(),
            reason::text(game, &self.run.line.engines)
        );
        self.count(game, kind);
        text += &self.results(game);
        self.finished += 1;
        if breakdown.is_some() && !self.run.line.settings.recover {
            self.run.starts.silent = true;
            lock(&self.run.outcome).broken_off = true;
        }
        let next = self.run.starts.over(id);
        text + &next.map(|next| self.begin(next)).unwrap_or_default()
    }

    fn score(&mut self, game: &PlayedGame) {
        if let Some(white) = game.record.outcome.white_score() {
            let in_pairs = self.run.line.settings.report_penta;
            self.counts.add(game.id, game.seats, white, in_pairs);
        }
    }

    fn count(&mut self, game: &PlayedGame, kind: Option<FaultKind>) {
        self.score(game);
        let loser = game.record.deciding_fault().map(|fault| fault.side);
        let (Some(kind), Some(loser)) = (kind, loser) else {
            return;
        };
        let cell = match kind {
            FaultKind::FlagFall => 0,
            kind if reason::is_breakdown(kind) => 1,
            _ => return,
        };
        self.failures.entry(game.seat(loser).engine).or_default()[cell] += 1;
    }

    /// Scores, blocks and verdict after a game that is counted.
    fn results(&mut self, game: &PlayedGame) -> String {
        let engines = {
            let [white, black] = game.seats.map(|seat| seat.engine);
            [white.min(black), white.max(black)]
        };
        let settings = &self.run.line.settings;
        let (pair, played) = (game.id.pair, self.finished + 1);
        let is_last = played == self.before + self.run.starts.games();
        let every = |interval: i32, count: u64| {
            u64::try_from(interval)
                .is_ok_and(|interval| interval > 0 && count.is_multiple_of(interval))
        };
        let mut text = String::new();
        if every(settings.scoreinterval, played) || is_last {
            text += &self.run.blocks.score(&self.counts, engines);
        }
        let count = if settings.report_penta {
            pair.0 + 1 + self.before / 2
        } else {
            played
        };
        let is_half = self.counts.halves.contains_key(&pair);
        let due = every(settings.ratinginterval, count) && !is_half;
        if due || is_last {
            text += &self.run.blocks.interval(&self.counts, engines);
        }
        if let Some(verdict) = self.run.blocks.verdict(&self.counts) {
            text += &self.run.blocks.score(&self.counts, engines);
            text += &self.run.blocks.interval(&self.counts, engines);
            text += &format!("{verdict}\n");
            self.run.starts.silent = true;
            lock(&self.run.outcome).decided = true;
            // The run may have no such test, or may not know the games before it.
            self.run.stopper.void_games();
        }
        text
    }

    /// Writes warnings into the log; with `-strict` the first one ends the run, and is the last.
    fn record(&mut self, mut text: String) -> String {
        if self.run.line.settings.unwritten.strict && text.contains("Warning; ") {
            if let Some((second, _)) = text.match_indices("Warning; ").nth(1) {
                text.truncate(second);
            }
            self.run.starts.silent = true;
            self.run.stopper.void_games();
            lock(&self.run.outcome).broken_off = true;
        }
        self.run.log.printed(&text);
        text
    }
}

/// Every two engines, the one that is named first before the other, and both names.
fn encounters(engines: &[EngineSettings]) -> impl Iterator<Item = ([u16; 2], String)> {
    (0..).zip(engines).flat_map(move |(first, one)| {
        let others = (0..).zip(engines).skip(usize::from(first) + 1);
        others.map(move |(second, other)| {
            ([first, second], format!("{} vs {}", one.name, other.name))
        })
    })
}

impl FactLines for Console {
    fn starts(&mut self) -> &mut GameStarts {
        &mut self.run.starts
    }

    fn start(&mut self, id: GameId) -> String {
        let text = self.begin(id);
        self.record(text)
    }

    fn finish_game(&mut self, game: &PlayedGame) -> String {
        let text = self.game(game);
        self.record(text)
    }

    fn recall(&mut self, game: &PlayedGame) {
        self.score(game);
        self.run.starts.stored.insert(game.id);
        self.finished += 1;
    }

    fn meanwhile(&mut self) -> String {
        self.run.warnings.look();
        if self.run.starts.silent {
            return String::new();
        }
        let starts = &self.run.starts;
        let is_shown = |game| starts.announced.contains(&game);
        let text = self.run.warnings.take_shown(is_shown);
        self.record(text)
    }

    /// Writes `config.json` each time the autosave interval, in games, has passed.
    fn written(&mut self) {
        let every = u64::try_from(self.run.line.settings.autosaveinterval).unwrap_or(0);
        let played = self.finished - self.before;
        if every == 0 || played == 0 || !played.is_multiple_of(every) {
            return;
        }
        let written = saved::write(&self.run.line, &self.stats(), Some(&self.run.store));
        if let Err(error) = written {
            tracing::warn!(%error, "config.json cannot be written");
        }
    }

    /// Fastchess is ended by the signal of the closed pipe.
    fn unread(&mut self) {
        lock(&self.run.outcome).unread = true;
        self.run.stopper.void_games();
    }

    fn end(&mut self) -> String {
        lock(&self.run.outcome).stats = self.stats();
        if self.run.line.settings.output != Output::Fastchess || self.failures.is_empty() {
            return String::new();
        }
        let mut text = "\n".to_owned();
        for (engine, [timeouts, breakdowns]) in &self.failures {
            let name = &self.run.line.engines[usize::from(*engine)].name;
            text += &format!("Player: {name}\n  Timeouts: {timeouts}\n  Crashed: {breakdowns}\n");
        }
        text += "\n";
        self.run.log.printed(&text);
        text
    }
}
