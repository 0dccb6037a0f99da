//! All that is said of one game, as data.

use serde::Serialize;

use crate::chess::{Color, FenDialect, Game, UciDialect};
use crate::referee::{
    Dialogue, Exit, Fault, FaultKind, GameRecord, MoveRecord, Outcome, Request, Spoken,
};
use crate::report::variations::{EngineVariations, Variations};
use crate::sink::ruling_sentence;
use crate::store::StoreError;
use crate::uci::Score;

use super::evaluations::Judgement;
use super::files::{EventFiles, GameSource, is_fixed};

/// The version of the JSON; fields may be added without a new number.
const SCHEMA: u32 = 1;

/// How many of the last moves are shown.
const LAST_MOVES: usize = 8;

/// Why a game ended as it did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// The version of this layout.
    pub schema: u32,
    /// The event's name.
    pub event: String,
    /// The game, as the PGN `Round`.
    pub game: String,
    /// White's and Black's names.
    pub players: [String; 2],
    /// White's and Black's limits, as the PGN tag `TimeControl` has them.
    pub limits: [String; 2],
    /// The PGN result; `*` if the game is void.
    pub result: &'static str,
    /// How it ended, in words.
    pub outcome: String,
    /// The stable word for that.
    pub reason: &'static str,
    /// Who lost it; `None` for a draw or a void game.
    pub loser: Option<&'static str>,
    /// Half-moves on the board, the book's included.
    pub plies: usize,
    /// How often the game was voided for a fault and played again.
    pub replays: u32,
    /// The fault, if there was one.
    pub fault: Option<EngineEvidence>,
    /// What the evaluations say of a game that was lost on the board.
    pub judgement: Option<Judgement>,
    /// The moves that matter: the last ones, or those around the drop.
    pub moves: Vec<PlayedMove>,
    /// The last lines before a fault.
    pub dialogue: Vec<Line>,
    /// The search to look at again.
    pub reproduction: Option<Reproduction>,
    /// Variations of this game that cannot be true, by engine.
    pub variations: Vec<EngineVariations>,
    /// What became of engines of this game that were disqualified.
    pub disqualified: Vec<String>,
}

/// The evidence of a fault.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EngineEvidence {
    /// `white` or `black`.
    pub side: &'static str,
    /// The engine's name.
    pub engine: String,
    /// The kind of fault.
    pub kind: FaultKind,
    /// Half-moves on the board when it happened.
    pub ply: u32,
    /// When the referee saw it, nanoseconds on the run's clock.
    pub at_ns: u64,
    /// Since the `go` that it did not answer, seconds.
    pub seconds: Option<f64>,
    /// What the engine did, quoted.
    pub detail: String,
    /// How its process ended, in words.
    pub exit: Option<String>,
    /// The end of its stderr.
    pub stderr: Option<String>,
}

/// One move of the game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayedMove {
    /// From 1, the book's moves counted.
    pub ply: usize,
    /// `white` or `black`.
    pub side: &'static str,
    /// `12. Nf3` or `12... d5`.
    pub san: String,
    /// As it was sent.
    pub uci: String,
    /// The time charged.
    pub seconds: f64,
    /// What remained on the clock.
    pub clock_seconds: Option<f64>,
    /// The evaluation from White's view: pawns, or `#` and the moves to mate.
    pub evaluation: Option<String>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Selective depth in plies.
    pub seldepth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// The engine's own time, milliseconds.
    pub time_ms: Option<u64>,
}

/// One line of the dialogue.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// Since the fault, seconds; negative before it.
    pub seconds: f64,
    /// `white` or `black`.
    pub side: &'static str,
    /// Whether the engine said it; else it was told.
    pub from_engine: bool,
    /// The line, or its beginning.
    pub text: String,
    /// The length of the whole line in bytes.
    pub length: usize,
}

/// The search to look at again.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reproduction {
    /// Whose search.
    pub engine: String,
    /// `white` or `black`.
    pub side: &'static str,
    /// The ply of the move that it chose, or should have chosen.
    pub ply: usize,
    /// Place among the engines' moves, from 0.
    #[serde(skip)]
    pub index: usize,
    /// `position fen … moves …`
    pub position: String,
    /// `go …`
    pub go: String,
    /// The position in X-FEN.
    pub fen: String,
    /// The move that was played, as it was sent.
    pub played: Option<String>,
    /// The nodes that it took.
    pub nodes: Option<u64>,
    /// Whether nothing but nodes and depth bounds the search.
    pub fixed: bool,
}

impl Explanation {
    /// Of a game of an event.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn new(files: &EventFiles, source: &GameSource) -> Result<Explanation, StoreError> {
        let case = Case::new(files, source);
        let (game, record) = (&source.game, &source.game.record);
        let outcome = &record.outcome;
        let fault = record.faults.first();
        let loser = loser(outcome);
        let judgement = match fault {
            None => loser.map(|loser| Judgement::of(record, loser)),
            Some(_) => None,
        };
        let reproduction = case.reproduction(fault, loser, judgement.as_ref());
        let variations = Variations::of_game(game, &files.roster, case.dialect).engines;
        Ok(Explanation {
            schema: SCHEMA,
            event: files.roster.event.clone(),
            game: game.id.round(),
            players: Color::ALL.map(|side| case.name(side)),
            limits: files
                .players(source)
                .map(|player| player.limits.to_string()),
            result: outcome.result(),
            outcome: outcome.to_string(),
            reason: outcome.reason(),
            loser: loser.map(word),
            plies: record.plies(),
            replays: source.replays,
            fault: fault.map(|fault| case.evidence(fault)),
            judgement,
            moves: case.moves_around(reproduction.as_ref()),
            dialogue: case.lines(fault),
            reproduction,
            variations: variations
                .into_iter()
                .filter(|engine| engine.flawed() > 0)
                .collect(),
            disqualified: case.disqualified(),
        })
    }
}

/// Who lost, if anybody did.
fn loser(outcome: &Outcome) -> Option<Color> {
    match outcome {
        Outcome::Won { by, .. } => Some(!*by),
        _ => None,
    }
}

fn word(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The game, and what is needed again and again to speak of it.
struct Case<'a> {
    files: &'a EventFiles,
    source: &'a GameSource,
    record: &'a GameRecord,
    dialect: UciDialect,
    /// With all moves on the board.
    board: Game,
}

impl<'a> Case<'a> {
    fn new(files: &'a EventFiles, source: &'a GameSource) -> Case<'a> {
        let record = &source.game.record;
        let mut board = Game::new(record.start.clone());
        record.all_moves().for_each(|played| board.play(played));
        Case {
            files,
            source,
            record,
            dialect: files.variant.uci_dialect(),
            board,
        }
    }

    fn name(&self, side: Color) -> String {
        self.files.roster.name(self.source.game.seat(side))
    }

    fn dialogue(&self) -> Option<&Dialogue> {
        self.source.dialogue.as_ref()
    }

    /// The last line of this kind that the engine was told.
    fn last_told(&self, side: Color, word: &str) -> Option<&Spoken> {
        let lines = self.dialogue()?.lines.iter().rev();
        let mut told = lines.filter(|line| line.side == side && !line.from_engine);
        told.find(|line| line.text.split(' ').next() == Some(word))
    }

    fn evidence(&self, fault: &Fault) -> EngineEvidence {
        let asked = self.last_told(fault.side, "go");
        let remains = self.dialogue().map(|dialogue| &dialogue.remains);
        let stderr = remains.map(|remains| remains.stderr.clone());
        EngineEvidence {
            side: word(fault.side),
            engine: self.name(fault.side),
            kind: fault.kind,
            ply: fault.ply,
            at_ns: fault.at.0,
            seconds: asked.map(|go| fault.at.saturating_since(go.at).as_secs_f64()),
            detail: fault.detail.clone(),
            exit: remains.and_then(|remains| remains.exit).map(exit_words),
            stderr: stderr.filter(|text| !text.is_empty()),
        }
    }

    fn lines(&self, fault: Option<&Fault>) -> Vec<Line> {
        let Some(dialogue) = self.dialogue() else {
            return Vec::new();
        };
        let last = dialogue.lines.last().map(|line| line.at);
        let moment = fault.map(|fault| fault.at).or(last).unwrap_or_default();
        let line = |line: &Spoken| Line {
            seconds: (line.at.0 as f64 - moment.0 as f64) / 1e9,
            side: word(line.side),
            from_engine: line.from_engine,
            text: line.text.clone(),
            length: line.length,
        };
        dialogue.lines.iter().map(line).collect()
    }

    /// The search that was not answered; of a game lost on the board, the one before
    /// the largest drop.
    fn reproduction(
        &self,
        fault: Option<&Fault>,
        loser: Option<Color>,
        judgement: Option<&Judgement>,
    ) -> Option<Reproduction> {
        match fault {
            Some(fault) => {
                let thinks = self.board.position().side_to_move() == fault.side;
                let asked = self.last_told(fault.side, "go");
                // Without a dialogue, in files of version 1, the record alone must say it.
                let asked_at_all = asked.is_some() || self.dialogue().is_none();
                let before = [FaultKind::NotReady, FaultKind::StartFailure].contains(&fault.kind);
                let mut search = (thinks && asked_at_all && !before)
                    .then(|| self.search(self.record.moves.len()))?;
                if let Some(go) = asked.filter(|go| !go.is_cut()) {
                    search.go.clone_from(&go.text);
                }
                Some(search)
            }
            None => {
                let dropped = judgement.and_then(|judgement| judgement.drop);
                let last = || {
                    let first = self.record.first_mover();
                    let own = |index: &usize| index.is_multiple_of(2) == (Some(first) == loser);
                    (0..self.record.moves.len()).rev().find(own)
                };
                loser?;
                Some(self.search(dropped.map(|[before, _]| before.index).or_else(last)?))
            }
        }
    }

    fn search(&self, index: usize) -> Reproduction {
        let players = self.files.players(self.source);
        let Request { position, go, .. } = self.record.request(&players, self.dialect, index);
        let before = self.record.opening.len() + index;
        let here = &self.board.positions()[before];
        let side = here.side_to_move();
        let played = self.record.moves.get(index);
        Reproduction {
            engine: self.name(side),
            side: word(side),
            ply: before + 1,
            index,
            position,
            go,
            fen: here.fen(FenDialect::XFen),
            played: played.map(|played| here.uci(played.chess_move, self.dialect).to_string()),
            nodes: played.and_then(|played| played.thinking.nodes),
            fixed: is_fixed(&players[side.index()].limits),
        }
    }

    /// The last moves up to the fault, or those around the search to look at.
    fn moves_around(&self, search: Option<&Reproduction>) -> Vec<PlayedMove> {
        let count = self.record.moves.len();
        let middle = search.map_or(count, |search| search.index);
        let end = (middle + LAST_MOVES / 2).min(count);
        let start = end.saturating_sub(LAST_MOVES);
        let shown = self.record.moves.iter().enumerate();
        let shown = shown.skip(start).take(end - start);
        shown
            .map(|(index, played)| self.played(index, played))
            .collect()
    }

    fn played(&self, index: usize, played: &MoveRecord) -> PlayedMove {
        let before = self.record.opening.len() + index;
        let here = &self.board.positions()[before];
        let side = here.side_to_move();
        let dots = if side == Color::White { "." } else { "..." };
        let (number, san) = (here.fullmove_number(), here.san(played.chess_move));
        let thinking = &played.thinking;
        PlayedMove {
            ply: before + 1,
            side: word(side),
            san: format!("{number}{dots} {san}"),
            uci: here.uci(played.chess_move, self.dialect).to_string(),
            seconds: played.elapsed().as_secs_f64(),
            clock_seconds: played.clock.map(|clock| clock.as_secs_f64()),
            evaluation: thinking.score.map(|score| evaluation(score, side)),
            depth: thinking.depth,
            seldepth: thinking.seldepth,
            nodes: thinking.nodes,
            time_ms: thinking.time_ms,
        }
    }

    fn disqualified(&self) -> Vec<String> {
        let engines = self.source.game.seats.map(|seat| seat.engine);
        let rulings = self.files.conduct.rulings().into_iter();
        let own = rulings.filter(|ruling| engines.contains(&ruling.engine));
        own.map(|ruling| {
            let named = Color::ALL.into_iter();
            let side = named
                .filter(|side| self.source.game.seat(*side).engine == ruling.engine)
                .map(|side| self.name(side))
                .next();
            ruling_sentence(&side.unwrap_or_default(), &ruling)
        })
        .collect()
    }
}

/// `+0.31`, `#-4`: from White's view.
fn evaluation(score: Score, side: Color) -> String {
    let sign = if side == Color::White { 1 } else { -1 };
    match score {
        Score::Centipawns(value) => {
            let value = i64::from(sign) * i64::from(value);
            format!("{:+.2}", value as f64 / 100.0)
        }
        Score::Mate(moves) => format!("#{:+}", i64::from(sign) * i64::from(moves)),
    }
}

fn exit_words(exit: Exit) -> String {
    match exit {
        Exit::Status(code) => format!("exited with status {code}"),
        Exit::Signal(signal) => format!("ended by signal {signal}"),
        Exit::Ended => "ran on, and was ended by the runner".to_owned(),
    }
}
