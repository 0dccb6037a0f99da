//! A game in the form in which fastchess writes it to its PGN file.

use std::time::Duration;

use crate::chess::{Color, Move, Position};
use crate::event::{PlayedGame, Seat};
use crate::front::common::game_text::{
    Tag, WrittenGames, clock_tags, moves, opening_of, roster, termination, times, wrapped, written,
};
use crate::front::common::reason;
use crate::front::common::settings::{CommandLine, EngineSettings, Notation, Variant};
use crate::front::common::values::{clock, fixed};
use crate::referee::{MoveRecord, Thinking};
use crate::uci::ScoreStyle;

/// What is the same in all games of an event.
pub(in crate::front) struct FastchessPgn {
    pub(in crate::front) line: CommandLine,
    /// Name and author of each engine, as the engine reports them; empty if it was not asked.
    pub(in crate::front) identities: Vec<(String, String)>,
    /// Number of pairs that were played before this event.
    pub(in crate::front) before: u64,
}

impl FastchessPgn {
    fn engine(&self, game: &PlayedGame, color: Color) -> &EngineSettings {
        &self.line.engines[usize::from(game.seat(color).engine)]
    }

    fn tags(&self, game: &PlayedGame) -> Vec<Tag> {
        let options = &self.line.settings.pgn;
        let record = &game.record;
        let names = Color::ALL.map(|color| self.engine(game, color).name.as_str());
        let round = game.id.pair.0 + 1 + self.before;
        let mut tags = Vec::from(roster(game, options, round, names));
        if !options.min {
            let said = |seat: Seat| self.identities[usize::from(seat.engine)].clone();
            let [white, black] = game.seats.map(said);
            tags.extend([
                ("EngineWhiteName", white.0),
                ("EngineWhiteAuthor", white.1),
                ("EngineBlackName", black.0),
                ("EngineBlackAuthor", black.1),
            ]);
        }
        let is_chess960 = self.line.settings.variant == Variant::Chess960;
        if is_chess960 || record.start != Position::standard() {
            tags.push(("SetUp", "1".to_owned()));
            tags.push(("FEN", self.fen(&record.start)));
        }
        if is_chess960 {
            tags.push(("Variant", "Chess960".to_owned()));
        }
        if options.min {
            return tags;
        }
        tags.extend(times(game, "%Y-%m-%dT%H:%M:%S %z"));
        let illegal = usize::from(reason::illegal_move(game).is_some());
        tags.push(("PlyCount", (record.plies() + illegal).to_string()));
        tags.push(("Termination", termination(game, "normal").to_owned()));
        let clocks = Color::ALL.map(|color| &self.engine(game, color).limit.tc);
        tags.extend(clock_tags(
            clocks[0] == clocks[1],
            clocks.map(|tc| clock(tc, 6, "-")),
        ));
        if let Some(opening) = opening_of(record).filter(|_| !is_chess960) {
            tags.push(("ECO", opening.eco.to_owned()));
            tags.push(("Opening", opening.name.to_owned()));
        }
        tags
    }

    /// A position as FEN; in Chess960 the castling rights name the files of the rooks.
    fn fen(&self, position: &Position) -> String {
        position.fen(self.line.settings.variant.dialects().1)
    }

    fn moves(&self, game: &PlayedGame) -> String {
        let record = &game.record;
        let illegal = reason::illegal_move(game);
        let mut why = reason::text(game, &self.line.engines);
        if let Some(wrong) = illegal {
            why += &format!(": {wrong}");
        }
        let mut words = Vec::new();
        if record.plies() == 0 && illegal.is_some() {
            words.push(format!("{{{why}}}"));
        }
        let first = record.start.fullmove_number();
        let played = moves(record, first, |position, played, thought, is_last| {
            let why = if is_last { why.as_str() } else { "" };
            self.notation(position, played) + &self.comment(thought, why)
        });
        words.extend(played);
        wrapped(&words)
    }

    fn notation(&self, position: &Position, played: Move) -> String {
        match self.line.settings.pgn.notation {
            Notation::San => position.san(played).to_string(),
            Notation::Lan => long(position, played),
            Notation::Uci => position
                .uci(played, self.line.settings.variant.dialects().0)
                .to_string(),
        }
    }

    fn comment(&self, thought: Option<&MoveRecord>, why: &str) -> String {
        let options = &self.line.settings.pgn;
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
        let seconds = |milliseconds: f64| fixed(milliseconds / 1000.0, 3) + "s";
        let whole_millis = |time: Duration| time.as_millis() as f64;
        let score = thinking.score.map(|score| score.text(ScoreStyle::Runner));
        let score = score.unwrap_or_default();
        let depth = thinking.depth.unwrap_or(0);
        let elapsed = whole_millis(played.elapsed());
        let left = played.clock.map_or(0.0, whole_millis);
        let latency = elapsed - thinking.time_ms.unwrap_or(0) as f64;
        let parts = [
            (options.track_timeleft, "tl", seconds(left)),
            (options.track_latency, "latency", seconds(latency)),
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
}

impl WrittenGames for FastchessPgn {
    fn text(&self, game: &PlayedGame) -> String {
        let mut tags = self.tags(game);
        tags.retain(|(_, value)| !value.is_empty());
        written(&tags, &self.moves(game))
    }

    fn final_position(&self, game: &PlayedGame) -> String {
        let fen = self.fen(game.record.board().position());
        let fields: Vec<&str> = fen.split(' ').collect();
        let (position, counters) = fields.split_at(4.min(fields.len()));
        let [halfmoves, number] = [0, 1].map(|place| counters.get(place).copied().unwrap_or("0"));
        format!("{} hmvc {halfmoves}; fmvn {number};\n", position.join(" "))
    }

    fn tells_checksum(&self) -> bool {
        self.line.settings.pgn.crc
    }
}

fn whole(said: Option<impl Into<u64>>) -> String {
    said.map_or(0, Into::into).to_string()
}

/// Lines of the engine. A brace would end the comment.
fn lines(lines: &[String]) -> String {
    let part = |line: &String| format!("line=\"{}\"", line.replace('}', ")"));
    lines.iter().map(part).collect::<Vec<_>>().join(", ")
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
