//! One game with its files, and what is found in them to explain it.

use std::time::Duration;

use crate::chess::{Color, FenDialect, Game, UciDialect};
use crate::event::GameRuling;
use crate::referee::{
    Fault, FaultKind, FlagEvidence, GameRecord, MoveRecord, PlayerSettings, Pondered, Request,
    Spoken, ThreadState,
};
use crate::report::variations::Variations;
use crate::store::StoreError;
use crate::text::{duration, printable};
use crate::tournament::ruling_sentence;
use crate::uci::ScoreStyle;

use super::evaluations::{Judgement, is_judged, loser, move_name, numbered};
use super::explanation::{
    DialogueLine, EngineEvidence, Explanation, PlayedMove, Reproduction, summary,
};
use super::list::{EventFiles, GameSource};

/// The version of the JSON; fields may be added without a new number.
const SCHEMA: u32 = 1;

/// How many of the last moves are shown.
const LAST_MOVES: usize = 8;

/// The game, and data about it that several parts use.
pub(super) struct Case<'a> {
    files: &'a EventFiles,
    source: &'a GameSource,
    record: &'a GameRecord,
    dialect: UciDialect,
    /// The limits of each side.
    players: [PlayerSettings; 2],
    /// With all moves on the board.
    board: Game,
}

impl<'a> Case<'a> {
    fn new(files: &'a EventFiles, source: &'a GameSource) -> Result<Case<'a>, StoreError> {
        let record = &source.game.record;
        Ok(Case {
            files,
            source,
            record,
            dialect: files.roster.variant.uci_dialect(),
            players: files.players(source)?,
            board: record.board(),
        })
    }

    fn name(&self, side: Color) -> String {
        self.files.roster.name(self.source.game.seat(side))
    }

    /// The last `go` that was sent to the engine.
    fn last_go(&self, side: Color) -> Option<&Spoken> {
        let lines = self.source.dialogue.as_ref()?.lines.iter().rev();
        let mut told = lines.filter(|line| line.side == side && !line.from_engine);
        told.find(|line| line.text.split(' ').next() == Some("go"))
    }

    fn evidence(&self, fault: &Fault) -> EngineEvidence {
        let asked = self.last_go(fault.side);
        let dialogue = self.source.dialogue.as_ref();
        let remains = dialogue.map(|dialogue| &dialogue.remains);
        let exit = remains.and_then(|remains| remains.exit);
        let stderr = remains.map(|remains| remains.stderr.clone());
        EngineEvidence {
            seen: fault.evidence.as_ref().and_then(seen_words),
            side: fault.side,
            engine: self.name(fault.side),
            kind: fault.kind,
            ply: fault.ply,
            move_number: self.board.position().fullmove_number(),
            at_ns: fault.at.0,
            seconds: asked.map(|go| fault.at.saturating_since(go.at).as_secs_f64()),
            detail: fault.detail.clone(),
            evidence: fault.evidence.map(|evidence| evidence.to_string()),
            exit: exit.map(|exit| exit.to_string()),
            stderr: stderr.filter(|text| !text.is_empty()),
        }
    }

    fn lines(&self, fault: Option<&Fault>) -> Vec<DialogueLine> {
        let lines = self.source.dialogue.iter().flat_map(|all| &all.lines);
        let last = lines.clone().last().map(|line| line.at);
        let moment = fault.map(|fault| fault.at).or(last).unwrap_or_default();
        let line = |line: &Spoken| DialogueLine {
            seconds: (line.at.0 as f64 - moment.0 as f64) / 1e9,
            side: line.side,
            from_engine: line.from_engine,
            text: line.text.clone(),
            length: line.length,
        };
        lines.map(line).collect()
    }

    /// The search that was not answered; of a game lost on the board, that of the move that cost
    /// most.
    fn reproduction(
        &self,
        fault: Option<&Fault>,
        loser: Option<Color>,
        judgement: Option<&Judgement>,
    ) -> Option<Reproduction> {
        let Some(fault) = fault else {
            let loser = loser?;
            let costly = judgement.and_then(|judgement| judgement.index);
            let last = || {
                let is_first = self.record.first_mover() == loser;
                let own = |index: &usize| index.is_multiple_of(2) == is_first;
                (0..self.record.moves.len()).rev().find(own)
            };
            return Some(self.search(costly.or_else(last)?));
        };
        let thinks = self.board.position().side_to_move() == fault.side;
        let asked = self.last_go(fault.side);
        // Without a dialogue (files of version 1) only the record is used.
        let asked_at_all = asked.is_some() || self.source.dialogue.is_none();
        let before = [FaultKind::NotReady, FaultKind::StartFailure].contains(&fault.kind);
        let is_known = thinks && asked_at_all && !before;
        let mut search = is_known.then(|| self.search(self.record.moves.len()))?;
        if let Some(go) = asked.filter(|go| !go.is_cut()) {
            search.go.clone_from(&go.text);
        }
        Some(search)
    }

    fn search(&self, index: usize) -> Reproduction {
        let Request { position, go, .. } = self.record.request(&self.players, self.dialect, index);
        let before = self.record.opening.len() + index;
        let here = &self.board.positions()[before];
        let side = here.side_to_move();
        let played = self.record.moves.get(index);
        Reproduction {
            engine: self.name(side),
            side,
            ply: before + 1,
            move_name: self.name_of_move(before + 1),
            index,
            position,
            go,
            fen: here.fen(FenDialect::XFen),
            played: played.map(|played| here.uci(played.chess_move, self.dialect).to_string()),
            nodes: played.and_then(|played| played.thinking.nodes),
            fixed: self.players[side.index()].limits.is_fixed(),
        }
    }

    /// `12. Nf3`; of a move that was not made, `move 12`.
    fn name_of_move(&self, ply: usize) -> String {
        if ply <= self.board.moves().len() {
            move_name(&self.board, ply)
        } else {
            format!("move {}", self.board.position().fullmove_number())
        }
    }

    /// How many moves were made, as people count them: a move of each side is one.
    fn moves(&self) -> u32 {
        let second = self.board.start().side_to_move() == Color::Black;
        (self.record.plies() as u32 + u32::from(second)).div_ceil(2)
    }

    /// The last moves up to the fault, or those around the search that matters.
    fn moves_around(&self, search: Option<&Reproduction>) -> Vec<PlayedMove> {
        let count = self.record.moves.len();
        let middle = search.map_or(count, |search| search.index);
        let end = (middle + LAST_MOVES / 2).min(count);
        let start = end.saturating_sub(LAST_MOVES);
        let shown = self.record.moves[start..end].iter();
        let shown = (start..).zip(shown);
        shown.map(|(at, played)| self.played(at, played)).collect()
    }

    fn played(&self, index: usize, played: &MoveRecord) -> PlayedMove {
        let before = self.record.opening.len() + index;
        let here = &self.board.positions()[before];
        let side = here.side_to_move();
        let thinking = &played.thinking;
        let score = thinking.score.map(|score| score.of_white(side));
        PlayedMove {
            ply: before + 1,
            side,
            san: numbered(here, played.chess_move),
            uci: here.uci(played.chess_move, self.dialect).to_string(),
            seconds: played.charged().as_secs_f64(),
            clock_seconds: played.clock.map(|clock| clock.as_secs_f64()),
            evaluation: score.map(|score| score.text(ScoreStyle::People)),
            depth: thinking.depth,
            seldepth: thinking.seldepth,
            nodes: thinking.nodes,
            time_ms: thinking.time_ms,
            pondered: played.pondered.map(Pondered::word),
        }
    }

    fn disqualified(&self) -> Vec<String> {
        let rulings = self.files.fault_counts.rulings().into_iter();
        let own = rulings.filter_map(|ruling| {
            let is_of = |side: &Color| self.source.game.seat(*side).engine == ruling.engine;
            let side = Color::ALL.into_iter().find(is_of)?;
            Some(ruling_sentence(&self.name(side), &ruling))
        });
        own.collect()
    }
}

/// The processor's time of an engine in its move, what it did when its flag fell, and its own clock.
fn seen_words(evidence: &FlagEvidence) -> Option<String> {
    let times = evidence.seen.host.engine.as_ref();
    let used = times.map(|times| {
        let [used, waited] = [times.cpu, times.wait].map(duration);
        let state = match evidence.seen.standing {
            ThreadState::Asleep => "asleep",
            ThreadState::Runnable => "ready to run",
            ThreadState::Blocked => "waiting for a disk",
            ThreadState::Stopped => "stopped",
        };
        format!("it used {used} of processors, waited {waited} for one, and was {state} at the end")
    });
    let late = evidence.seen.host.wakeup.filter(|late| !late.is_zero());
    let late = late.map(|late| format!("arbiter960 itself saw it {} late", duration(late)));
    let own = evidence.reported_ms.map(|own| {
        let own = duration(Duration::from_millis(own));
        format!("the last time that it reported was {own}")
    });
    let seen: Vec<String> = used.into_iter().chain(late).chain(own).collect();
    let of = duration(evidence.elapsed);
    (!seen.is_empty()).then(|| format!("In {of}: {}.", seen.join("; ")))
}

impl Explanation {
    /// For a game of an event.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) fn new(files: &EventFiles, source: &GameSource) -> Result<Explanation, StoreError> {
        let case = Case::new(files, source)?;
        let (game, record) = (&source.game, &source.game.record);
        let outcome = &record.outcome;
        let fault = record.faults.first();
        let loser = loser(outcome);
        let judged = loser.filter(|_| fault.is_none() && is_judged(outcome));
        let judgement = judged.map(|loser| Judgement::new(&case.board, record, loser));
        let reproduction = case.reproduction(fault, loser, judgement.as_ref());
        let mut variations = Variations::of_game(game, &files.roster).engines;
        variations.retain(|engine| engine.flawed() > 0);
        let mut explanation = Explanation {
            schema: SCHEMA,
            summary: Vec::new(),
            event: files.roster.event.clone(),
            game: files.roster.games.name(game.id),
            players: Color::ALL.map(|side| case.name(side)),
            limits: case.players.clone().map(|player| player.limits.to_string()),
            result: outcome.result(),
            outcome: outcome.to_string(),
            reason: outcome.reason(),
            loser,
            plies: record.plies(),
            length: case.moves(),
            replays: source.replays,
            fault: fault.map(|fault| case.evidence(fault)),
            judgement,
            moves: case.moves_around(reproduction.as_ref()),
            dialogue: case.lines(fault),
            reproduction,
            variations,
            disqualified: case.disqualified(),
        };
        explanation.summary = summary(&explanation);
        let interruptions = record.interruptions().map(|(due, away)| {
            let away = duration(away);
            format!("The game was interrupted at move {due}; it went on there after {away}, with engines started anew.")
        });
        explanation.summary.extend(interruptions);
        let decisions = files.reader.decisions();
        if let GameRuling::Ruled { by, outcome } =
            decisions.ruling(game.id, decisions.playing(game.id))
            && outcome == record.outcome
            && let Some(played) = files.reader.played_outcome(game.id)?
        {
            let words = format!("By {}. It was played: {played}.", by.words());
            explanation.summary.push(printable(&words).into_owned());
        }
        Ok(explanation)
    }
}
