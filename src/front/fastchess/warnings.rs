//! The warnings of fastchess about the scores, variations and moves of engines, printed while they play; callers count them.

use std::collections::HashMap;
use std::sync::mpsc::Receiver;

use crate::chess::{Ending, FenDialect, Game, Position, UciDialect};
use crate::event::{GameId, PlayedGame};
use crate::front::common::reason::{self, color_name};
use crate::front::common::settings::{EngineSettings, Settings};
use crate::referee::EndedSearch;
use crate::report::variations::{WrongVariation, wrong_variation};
use crate::run::live_updates::FollowedSearch;
use crate::uci::{InfoLine, Score};

/// Warnings that wait to be printed, and the data that they are made from.
pub(in crate::front) struct SearchWarnings {
    searches: Receiver<FollowedSearch>,
    names: Vec<String>,
    form: WarningFormat,
    /// The last search of each running game, with the index of the engine that made it.
    last: HashMap<GameId, (u16, Box<EndedSearch>)>,
    waiting: HashMap<GameId, String>,
    /// With `-recover` fastchess asks an engine that does not answer once more.
    asks_again: bool,
}

impl SearchWarnings {
    /// The warnings about these searches.
    pub(in crate::front) fn new(
        searches: Receiver<FollowedSearch>,
        settings: &Settings,
        engines: &[EngineSettings],
    ) -> SearchWarnings {
        let (dialect, fen) = settings.variant.dialects();
        let is_one_line = settings.unwritten.test_env;
        SearchWarnings {
            searches,
            names: engines.iter().map(|engine| engine.name.clone()).collect(),
            form: WarningFormat {
                dialect,
                fen,
                checks_mates: settings.check_mate_pvs,
                separator: if is_one_line { " :: " } else { "\n" },
            },
            last: HashMap::new(),
            waiting: HashMap::new(),
            asks_again: settings.recover,
        }
    }

    /// Takes in the searches that have ended since the last call.
    pub(super) fn look(&mut self) {
        while let Ok(ended) = self.searches.try_recv() {
            let (game, search) = (ended.game, ended.search);
            let engine = ended.seats[search.side.index()].engine;
            let name = &self.names[usize::from(engine)];
            let mut text = missing_score(&search, name).unwrap_or_default();
            text += &self.form.about(&search, name);
            if let Some((other, before)) = self.last.get(&game) {
                let names = [self.names[usize::from(*other)].as_str(), name];
                let both = self.form.both_mate([before, &search], names);
                text += &both.unwrap_or_default();
            }
            if !text.is_empty() {
                *self.waiting.entry(game).or_default() += &text;
            }
            self.last.insert(game, (engine, search));
        }
    }

    /// The waiting warnings of the games that are shown, in the order of their numbers.
    pub(super) fn take_shown(&mut self, is_shown: impl Fn(GameId) -> bool) -> String {
        let mut games: Vec<GameId> = self.waiting.keys().copied().collect();
        games.retain(|game| is_shown(*game));
        games.sort();
        let texts = games.iter().filter_map(|game| self.waiting.remove(game));
        texts.collect()
    }

    /// The last warnings of a game that is over.
    pub(super) fn end(&mut self, game: &PlayedGame) -> String {
        self.look();
        self.last.remove(&game.id);
        let mut text = self.waiting.remove(&game.id).unwrap_or_default();
        let Some(fault) = game.record.deciding_fault() else {
            return text;
        };
        let name = &self.names[usize::from(game.seat(fault.side).engine)];
        if reason::fault(game).is_some_and(reason::has_stalled) {
            let warning = format!("Warning; Engine {name} is not responsive\n");
            text += &warning.repeat(1 + usize::from(self.asks_again));
        }
        if let Some(wrong) = reason::illegal_move(game) {
            if !is_uci_move(wrong) {
                let words =
                    "Warning; Move does not match uci move format, lowercase and 4/5 chars. Move";
                text += &format!("{words} {wrong} played by {name}\n");
            }
            text += &format!("Warning; Illegal move {wrong} played by {name}\n");
        }
        text
    }
}

/// How lines are checked, and how a warning is written.
struct WarningFormat {
    /// How moves are written.
    dialect: UciDialect,
    /// How start positions are written.
    fen: FenDialect,
    /// Whether a variation that announces mate must end with it.
    checks_mates: bool,
    /// The text between the parts of a warning.
    separator: &'static str,
}

impl WarningFormat {
    /// The warnings about a search, as whole lines; `name` is the name of the engine.
    fn about(&self, search: &EndedSearch, name: &str) -> String {
        let mut game = Game::with_moves(search.start.clone(), search.moves.iter().copied());
        let mut text = String::new();
        for line in &search.lines {
            if let Some(wrong) = self.wrong_line(&mut game, line) {
                text += &self.block(search, &format!("Warning; {wrong} from {name}"), line);
            }
        }
        if let Some(line) = self.unfollowed(search) {
            let wrong = "Bestmove does not match beginning of last PV";
            let words = format!("Warning; {wrong} - move {} from {name}", search.answer);
            text += &self.block(search, &words, line);
        }
        text
    }

    /// The warning if the last two searches both announce a win, or both a loss, for their own side: the search before,
    /// and this one.
    fn both_mate(
        &self,
        [before, search]: [&EndedSearch; 2],
        [their_name, name]: [&str; 2],
    ) -> Option<String> {
        let follows = before.moves.len() + 1 == search.moves.len();
        let [their_line, line] = [before, search].map(last_scored);
        let [theirs, own] = [their_line?, line?].map(mate);
        let (theirs, own) = (theirs?, own?);
        if !follows || !search.is_legal || theirs.signum() * own.signum() <= 0 {
            return None;
        }
        let words = format!(
            "Warning; Sign mismatch in mate scores {theirs} and {own} from {their_name} ({}) and {name} ({})",
            color_name(before.side),
            color_name(search.side)
        );
        let infos = format!("Infos; info {} ; info {}", their_line?, line?);
        let moves = format!("{} {}", self.moves(search), search.answer);
        Some(self.join([&words, &infos, &self.start(search), &moves]))
    }

    /// The fault of a variation, in words.
    fn wrong_line(&self, game: &mut Game, line: &str) -> Option<String> {
        let report = InfoLine::new(line).parse();
        let words = report.pv.split_ascii_whitespace();
        let moves: Vec<&str> = words.take_while(|word| is_uci_move(word)).collect();
        let mate = match report.score {
            Some(Score::Mate(mate)) if self.checks_mates && report.bound.is_none() => Some(mate),
            _ => None,
        };
        if moves.is_empty() {
            return None;
        }
        Some(
            match wrong_variation(game, &moves, (self.dialect, mate), end)? {
                WrongVariation::PastTheEnd(at, end) => {
                    format!("PV continues after {end} - move {}", moves[at])
                }
                WrongVariation::Illegal(at, _) => format!("Illegal PV move - move {}", moves[at]),
                WrongVariation::Mate(plies, _) if (moves.len() as i64) < plies => {
                    "Incomplete mating PV -".to_owned()
                }
                WrongVariation::Mate(plies, _) if moves.len() as i64 > plies => {
                    "Too long mating PV -".to_owned()
                }
                WrongVariation::Mate(..) => "Mating PV does not end with checkmate -".to_owned(),
            },
        )
    }

    /// The last variation, if its first move is not the move that was made.
    fn unfollowed<'a>(&self, search: &'a EndedSearch) -> Option<&'a str> {
        let mut lines = search.lines.iter().rev();
        let line = lines.find(|line| is_first(line))?;
        let report = InfoLine::new(line).parse();
        let first = report.pv.split_ascii_whitespace().next();
        let differs = first.is_some_and(|first| is_uci_move(first) && first != search.answer);
        (search.is_legal && report.bound.is_none() && differs).then_some(line.as_str())
    }

    fn block(&self, search: &EndedSearch, words: &str, line: &str) -> String {
        let info = format!("Info; info {line}");
        self.join([words, &info, &self.start(search), &self.moves(search)])
    }

    fn join(&self, parts: [&str; 4]) -> String {
        format!("{}\n", parts.join(self.separator))
    }

    fn start(&self, search: &EndedSearch) -> String {
        if self.fen == FenDialect::XFen && search.start == Position::standard() {
            return "Position; startpos".to_owned();
        }
        format!("Position; fen {}", search.start.fen(self.fen))
    }

    fn moves(&self, search: &EndedSearch) -> String {
        let moves = search.moves.iter().copied();
        let words = search.start.uci_line(moves, self.dialect);
        format!("Moves; {}", words.join(" "))
    }
}

/// How the game is over by fastchess's rules for a variation: insufficient material never ends it.
fn end(game: &Game) -> Option<&'static str> {
    let mated = matches!(game.automatic_ending(), Some(Ending::Checkmate { .. }));
    match game.automatic_ending() {
        Some(Ending::DeadPosition) => None,
        _ if mated => Some("checkmate"),
        _ if game.position().halfmove_clock() >= 100 => Some("fifty-move rule"),
        _ if game.repetitions() >= 3 => Some("threefold repetition"),
        Some(Ending::Stalemate) => Some("stalemate"),
        _ => None,
    }
}

/// Whether a text has the form of a move.
fn is_uci_move(text: &str) -> bool {
    let [
        b'a'..=b'h',
        b'1'..=b'8',
        b'a'..=b'h',
        b'1'..=b'8',
        rest @ ..,
    ] = text.as_bytes()
    else {
        return false;
    };
    matches!(rest, [] | [b'n' | b'b' | b'r' | b'q'])
}

// The scores of a search as fastchess reads them.

/// The warning about a search without a readable score; `name` is the name of the engine.
fn missing_score(search: &EndedSearch, name: &str) -> Option<String> {
    let Some(line) = last_scored(search) else {
        let words = "Warning; No info line available to extract score from engine";
        return search.said_more.then(|| format!("{words} {name}\n"));
    };
    let trouble = unreadable(line)?;
    Some(format!(
        "Warning; Could not extract score from engine {name}: {trouble}\n"
    ))
}

/// Why the score of a line cannot be read. A readable score comes before the moves, with its kind and its value.
fn unreadable(line: &str) -> Option<String> {
    let mut words = line.split(' ').take_while(|word| *word != "pv");
    if !words.any(|word| word == "score") {
        return Some("Element 'score' not found".to_owned());
    }
    let (Some(kind), Some(value)) = (words.next(), words.next()) else {
        return Some("Element 'score' has no type or value".to_owned());
    };
    if !matches!(kind, "cp" | "mate") {
        return Some(format!("Unexpected score type: info {line}"));
    }
    let is_number = value.parse::<i64>().is_ok();
    (!is_number).then(|| format!("Invalid score value: {value}"))
}

/// Whether a line is the first of several variations, or the only one.
fn is_first(line: &str) -> bool {
    InfoLine::new(line).is_first()
}

/// The last scored line of the first variation: exact scores are preferred to bounds.
fn last_scored(search: &EndedSearch) -> Option<&str> {
    let mut lines = search.lines.iter().rev().filter(|line| is_first(line));
    let last = lines.clone().next();
    let exact = lines.find(|line| InfoLine::new(line).parse().bound.is_none());
    exact.or(last).map(String::as_str)
}

/// The number of moves to the mate that a line announces; negative if the engine is mated.
fn mate(line: &str) -> Option<i32> {
    match InfoLine::new(line).parse().score {
        Some(Score::Mate(moves)) => Some(moves),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
