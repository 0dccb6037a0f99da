//! Warnings about the moves and scores of engines, printed while they play; callers count them.

use std::collections::HashMap;
use std::sync::mpsc::Receiver;

use super::scores::missing_score;
use super::variations::{VariationChecks, is_uci_move};
use crate::chess::Color;
use crate::event::{GameId, PlayedGame};
use crate::front::common::reason;
use crate::front::common::settings::{EngineSettings, Settings};
use crate::referee::EndedSearch;
use crate::run::searches::FollowedSearch;

/// Warnings that wait to be printed, and the data that they are made from.
pub(crate) struct Complaints {
    searches: Receiver<FollowedSearch>,
    names: Vec<String>,
    variations: VariationChecks,
    /// The last search of each running game, with the index of the engine that made it.
    last: HashMap<GameId, (u16, Box<EndedSearch>)>,
    waiting: HashMap<GameId, String>,
    /// With `-recover` fastchess asks an engine that does not answer once more.
    asks_again: bool,
}

impl Complaints {
    /// The warnings about these searches.
    pub(crate) fn new(
        searches: Receiver<FollowedSearch>,
        settings: &Settings,
        engines: &[EngineSettings],
    ) -> Complaints {
        let (dialect, fen) = settings.variant.dialects();
        Complaints {
            searches,
            names: engines.iter().map(|engine| engine.name.clone()).collect(),
            variations: VariationChecks {
                dialect,
                fen,
                checks_mates: settings.check_mate_pvs,
                separator: match settings.unwritten.test_env {
                    true => " :: ",
                    false => "\n",
                },
            },
            last: HashMap::new(),
            waiting: HashMap::new(),
            asks_again: settings.recover,
        }
    }

    /// Takes in the searches that have ended since the last call.
    pub(crate) fn look(&mut self) {
        while let Ok(FollowedSearch {
            game,
            seats,
            search,
        }) = self.searches.try_recv()
        {
            let engine = seats[search.side.index()].engine;
            let name = &self.names[usize::from(engine)];
            let mut text = missing_score(&search, name).unwrap_or_default();
            text += &self.variations.warnings(&search, name);
            if let Some((other, before)) = self.last.get(&game) {
                let names = [self.names[usize::from(*other)].as_str(), name];
                let both = self.variations.both_mate([before, &search], names);
                text += &both.unwrap_or_default();
            }
            if !text.is_empty() {
                *self.waiting.entry(game).or_default() += &text;
            }
            self.last.insert(game, (engine, search));
        }
    }

    /// Games with warnings that wait to be printed.
    pub(crate) fn games(&self) -> Vec<GameId> {
        let mut games: Vec<GameId> = self.waiting.keys().copied().collect();
        games.sort();
        games
    }

    /// The waiting warnings of a game.
    pub(crate) fn take(&mut self, game: GameId) -> String {
        self.waiting.remove(&game).unwrap_or_default()
    }

    /// The last warnings of a game that is over.
    pub(crate) fn end(&mut self, game: &PlayedGame) -> String {
        self.look();
        self.last.remove(&game.id);
        self.take(game.id) + &self.of_record(game)
    }

    /// The warnings about an illegal move or a missing answer.
    fn of_record(&self, game: &PlayedGame) -> String {
        let name = |color: Color| &self.names[usize::from(game.seat(color).engine)];
        let mut text = String::new();
        if let Some(fault) = game.record.deciding_fault()
            && reason::fault(game).is_some_and(reason::is_stall)
        {
            let warning = format!("Warning; Engine {} is not responsive\n", name(fault.side));
            text += &warning.repeat(1 + usize::from(self.asks_again));
        }
        if let Some(wrong) = reason::illegal_move(game)
            && let Some(fault) = game.record.deciding_fault()
        {
            let name = name(fault.side);
            if !is_uci_move(wrong) {
                text += &format!(
                    "Warning; Move does not match uci move format, lowercase and 4/5 chars. Move \
                     {wrong} played by {name}\n"
                );
            }
            text += &format!("Warning; Illegal move {wrong} played by {name}\n");
        }
        text
    }
}
