//! A game in the form in which fastchess writes it to its PGN file.

use std::time::Duration;

use crate::chess::{Color, FenDialect, Move, Position, UciDialect};
use crate::event::PlayedGame;
use crate::front::common::number::{fixed, general};
use crate::front::common::settings::{EngineLimits, EngineSettings, Notation, Pgn, Variant};
use crate::front::common::values::{hours, moment, score};
use crate::front::common::{openings, reason};
use crate::referee::{FaultKind, MoveRecord, Outcome, Termination, Thinking, WonBy};

/// Maximum number of characters of a line of moves.
const LINE: usize = 80;

/// What is the same in all games of an event.
#[derive(Debug, Clone)]
pub(crate) struct FastchessPgn {
    pub(crate) options: Pgn,
    pub(crate) variant: Variant,
    pub(crate) engines: Vec<EngineSettings>,
    /// Name and author of each engine, as the engine reports them; empty if it was not asked.
    pub(crate) identities: Vec<(String, String)>,
    /// Number of pairs that were played before this event.
    pub(crate) before: u64,
}

impl FastchessPgn {
    /// The text of a game.
    pub(crate) fn text(&self, game: &PlayedGame) -> String {
        let mut text = self.tags(game);
        text.push('\n');
        self.moves(game, &mut text);
        text += "\n\n";
        text
    }

    fn engine(&self, game: &PlayedGame, color: Color) -> &EngineSettings {
        &self.engines[usize::from(game.seat(color).engine)]
    }

    fn tags(&self, game: &PlayedGame) -> String {
        let mut text = String::new();
        let mut tag = |name: &str, value: &str| {
            if !value.is_empty() {
                text += &format!("[{name} \"{value}\"]\n");
            }
        };
        let options = &self.options;
        let record = &game.record;
        tag("Event", &options.event_name);
        tag("Site", &options.site);
        tag("Date", &moment(game.started, "%Y.%m.%d"));
        tag("Round", &(game.id.pair.0 + 1 + self.before).to_string());
        tag("White", &self.engine(game, Color::White).name);
        tag("Black", &self.engine(game, Color::Black).name);
        tag("Result", record.outcome.result());
        if !options.min {
            for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
                let engine = usize::from(game.seat(color).engine);
                let known = self.identities.get(engine).cloned().unwrap_or_default();
                tag(&format!("Engine{name}Name"), &known.0);
                tag(&format!("Engine{name}Author"), &known.1);
            }
        }
        let is_chess960 = self.variant == Variant::Chess960;
        if is_chess960 || record.start != Position::standard() {
            tag("SetUp", "1");
            tag("FEN", &self.fen(&record.start));
        }
        if is_chess960 {
            tag("Variant", "Chess960");
        }
        if options.min {
            return text;
        }
        let took = Duration::from_millis((game.ended.0 - game.started.0).max(0).cast_unsigned());
        tag("GameDuration", &hours(took));
        tag(
            "GameStartTime",
            &moment(game.started, "%Y-%m-%dT%H:%M:%S %z"),
        );
        tag("GameEndTime", &moment(game.ended, "%Y-%m-%dT%H:%M:%S %z"));
        let illegal = usize::from(reason::illegal_move(game).is_some());
        tag("PlyCount", &(record.plies() + illegal).to_string());
        tag("Termination", termination(&record.outcome));
        let clocks = Color::ALL.map(|color| &self.engine(game, color).limit.tc);
        match clocks[0] == clocks[1] {
            true => tag("TimeControl", &clock(clocks[0])),
            false => {
                tag("WhiteTimeControl", &clock(clocks[0]));
                tag("BlackTimeControl", &clock(clocks[1]));
            }
        }
        if let Some(opening) = openings::of_game(record).filter(|_| !is_chess960) {
            tag("ECO", opening.eco);
            tag("Opening", opening.name);
        }
        text
    }

    /// A position as FEN; in Chess960 the castling rights name the files of the rooks.
    fn fen(&self, position: &Position) -> String {
        position.fen(match self.variant {
            Variant::Chess960 => FenDialect::Shredder,
            Variant::Standard => FenDialect::XFen,
        })
    }

    fn moves(&self, game: &PlayedGame, out: &mut String) {
        let record = &game.record;
        let mut line = 0;
        let mut append = |text: &str| {
            if line > 0 && line + text.len() + 1 > LINE {
                out.push('\n');
                line = 0;
            }
            if line > 0 {
                out.push(' ');
                line += 1;
            }
            out.push_str(text);
            line += text.len();
        };
        let why = match reason::illegal_move(game) {
            Some(wrong) => format!("{}: {wrong}", reason::text(game, &self.engines)),
            None => reason::text(game, &self.engines),
        };
        if record.plies() == 0 && reason::illegal_move(game).is_some() {
            append(&format!("{{{why}}}"));
        }
        let mut position = record.start.clone();
        let last = record.plies();
        for (ply, (played, thought)) in (1..).zip(record.all_records()) {
            let number = position.fullmove_number();
            let head = match (position.side_to_move(), ply) {
                (Color::White, _) => format!("{number}. "),
                (Color::Black, 1) => format!("{number}... "),
                (Color::Black, _) => String::new(),
            };
            let why = if ply == last { why.as_str() } else { "" };
            let comment = self.comment(thought, why);
            let notation = self.notation(&position, played);
            append(&format!("{head}{notation}{comment}"));
            position.play(played);
        }
        append(record.outcome.result());
    }

    fn notation(&self, position: &Position, played: Move) -> String {
        let dialect = match self.variant {
            Variant::Chess960 => UciDialect::Chess960,
            Variant::Standard => UciDialect::Standard,
        };
        match self.options.notation {
            Notation::San => position.san(played).to_string(),
            Notation::Lan => long(position, played),
            Notation::Uci => position.uci(played, dialect).to_string(),
        }
    }

    fn comment(&self, thought: Option<&MoveRecord>, why: &str) -> String {
        let options = &self.options;
        if options.min {
            return String::new();
        }
        let Some(played) = thought else {
            return " {book}".to_owned();
        };
        // Without a score, nothing else of the engine's report is used.
        let nothing = Thinking::default();
        let thinking = match played.thinking.score {
            Some(_) => &played.thinking,
            None => &nothing,
        };
        let elapsed = played.elapsed().as_millis();
        let seconds = |milliseconds: i128| {
            let text = fixed(milliseconds as f64 / 1000.0, 3);
            format!("{text}s")
        };
        let score = thinking.score.map(score).unwrap_or_default();
        let depth = thinking.depth.unwrap_or(0);
        let elapsed = i128::try_from(elapsed).unwrap_or(0);
        let left = played.clock.map_or(0, |left| left.as_millis());
        let reported = i128::from(thinking.time_ms.unwrap_or(0));
        let left = i128::try_from(left).unwrap_or(0);
        let parts = [
            (options.track_timeleft, "tl", seconds(left)),
            (
                options.track_latency,
                "latency",
                seconds(elapsed - reported),
            ),
            (options.track_nodes, "n", whole(thinking.nodes)),
            (options.track_seldepth, "sd", whole(thinking.seldepth)),
            (options.track_nps, "nps", whole(thinking.nps)),
            (options.track_hashfull, "hashfull", whole(thinking.hashfull)),
            (options.track_tbhits, "tbhits", whole(thinking.tbhits)),
            (options.track_pv, "pv", format!("\"{}\"", thinking.pv)),
        ];
        let mut text = format!(" {{{score}/{depth} {}", seconds(elapsed));
        for (_, name, value) in parts.iter().filter(|(asked, ..)| *asked) {
            text += &format!(", {name}={value}");
        }
        for part in [lines(&played.lines), why.to_owned()] {
            if !part.is_empty() {
                text += &format!(", {part}");
            }
        }
        text + "}"
    }

    /// The last position, as a line of EPD.
    pub(crate) fn final_position(&self, game: &PlayedGame) -> String {
        let fen = self.fen(game.record.board().position());
        let fields: Vec<&str> = fen.split(' ').collect();
        let (position, counters) = fields.split_at(4.min(fields.len()));
        let [halfmoves, number] = [0, 1].map(|place| counters.get(place).copied().unwrap_or("0"));
        format!("{} hmvc {halfmoves}; fmvn {number};\n", position.join(" "))
    }
}

fn whole(said: Option<impl Into<u64>>) -> String {
    said.map_or(0, Into::into).to_string()
}

/// Lines of the engine. A brace would end the comment.
fn lines(lines: &[String]) -> String {
    let parts = lines
        .iter()
        .map(|line| format!("line=\"{}\"", line.replace('}', ")")));
    parts.collect::<Vec<_>>().join(", ")
}

/// The piece, the square it leaves and the square it reaches.
fn long(position: &Position, played: Move) -> String {
    let san = position.san(played).to_string();
    if san.starts_with('O') {
        return san;
    }
    let first = san.chars().next().filter(char::is_ascii_uppercase);
    let letter = first.map(String::from).unwrap_or_default();
    let between = if san.contains('x') { "x" } else { "" };
    let end = san.find(['=', '+', '#']).map_or("", |at| &san[at..]);
    format!("{letter}{}{between}{}{end}", played.from(), played.to())
}

fn termination(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Won {
            how: WonBy::Forfeit(FaultKind::IllegalMove),
            ..
        } => "illegal move",
        outcome => match outcome.termination() {
            Termination::Normal => "normal",
            Termination::Adjudication => "adjudication",
            Termination::TimeForfeit => "time forfeit",
            Termination::Unterminated => "unterminated",
            _ => "abandoned",
        },
    }
}

/// `10+0.1`, `40/60+0.6`, `0.5/move`, `-`.
fn clock(clock: &EngineLimits) -> String {
    let seconds = |milliseconds: i64| milliseconds as f64 / 1000.0;
    if clock.fixed_time > 0 {
        return format!("{}/move", general(seconds(clock.fixed_time), 8));
    }
    let mut text = String::new();
    if clock.moves == 0 && clock.time == 0 && clock.increment == 0 {
        text.push('-');
    }
    if clock.moves > 0 {
        text += &format!("{}/", clock.moves);
    }
    if clock.runs() {
        text += &general(seconds(clock.time), 6);
    }
    if clock.increment > 0 {
        text += &format!("+{}", general(seconds(clock.increment), 6));
    }
    text
}
