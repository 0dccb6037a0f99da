//! An explanation for people, in 100 columns. Commands to be copied are on separate lines, however long they are.
//! Output of an engine is shown without its control characters.

use std::time::Duration;

use crate::report::variations::{Variations, variation_lines};
use crate::text::{
    CellValue, ColumnUnit, Table, columns, count, duration, page_width, paragraph, printable,
};

use super::explanation::{DialogueLine, EngineEvidence, Explanation, PlayedMove, Reproduction};

/// The beginning of a long `position` that is shown: up to the first rank or two.
const KEPT_OF_POSITION: usize = 45;

/// All sections that are not empty.
pub(crate) fn explanation_text(explanation: &Explanation) -> String {
    let search = explanation.reproduction.as_ref();
    let sections = [
        paragraphs(&explanation.summary),
        heading(explanation),
        explanation.fault.as_ref().map_or(String::new(), fault),
        match &explanation.moves[..] {
            [] => String::new(),
            moves => Table::from_columns(&PlayedMove::FOR_PEOPLE, moves).text(),
        },
        dialogue(&explanation.dialogue),
        stderr(explanation.fault.as_ref()),
        variations(explanation),
        search.map_or(String::new(), reproduction),
    ];
    let spoken = sections.into_iter().filter(|section| !section.is_empty());
    spoken.collect::<Vec<_>>().join("\n")
}

fn paragraphs(lines: &[String]) -> String {
    lines.iter().map(|line| paragraph(line, 0)).collect()
}

fn heading(explanation: &Explanation) -> String {
    let [white, black] = &explanation.players;
    let (game, event) = (&explanation.game, &explanation.event);
    let (result, outcome) = (explanation.result, &explanation.outcome);
    let words = format!("{game} of {event}: {white} - {black} {result}, {outcome}");
    let mut text = paragraph(&printable(&words), 0);
    let [white, black] = &explanation.limits;
    let limits = if white == black {
        white.clone()
    } else {
        format!("{white} against {black}")
    };
    let moves = count(explanation.length, "move");
    text += &format!("{moves}, limits {}\n", printable(&limits));
    if explanation.replays > 0 {
        let times = count(explanation.replays, "time");
        text += &format!("Voided for a fault and played again {times} before.\n");
    }
    text + &paragraphs(&explanation.disqualified)
}

fn fault(fault: &EngineEvidence) -> String {
    let (kind, engine, side) = (fault.kind, printable(&fault.engine), fault.side);
    let mut text = format!(
        "Fault: {kind} by {engine} ({side}) at move {}\n",
        fault.move_number
    );
    text += &paragraph(&printable(&fault.detail), 2);
    for evidence in fault.evidence.iter().chain(&fault.seen) {
        text += &paragraph(evidence, 2);
    }
    if let Some(seconds) = fault.seconds {
        let after = duration(Duration::from_secs_f64(seconds));
        text += &format!("  {after} after the last `go`\n");
    }
    if let Some(exit) = &fault.exit {
        text += &format!("  the process {exit}\n");
    }
    text
}

/// Of what may be missing in every row; the column stays.
fn or_dash(value: Option<CellValue>) -> CellValue {
    value.unwrap_or_else(|| CellValue::Text("-".to_owned()))
}

fn depths(played: &PlayedMove) -> Option<String> {
    let depth = played.depth?;
    let selective = played.seldepth.map(|selective| format!("/{selective}"));
    Some(format!("{depth}{}", selective.unwrap_or_default()))
}

columns! {
    PlayedMove {
        SAN: "", "move", ColumnUnit::Text, |row| CellValue::Text(row.san.clone());
        SECONDS: "", "time/s", ColumnUnit::Number(3), |row| CellValue::Real(row.seconds);
        CLOCK: "", "clock/s", ColumnUnit::Number(3), |row| or_dash(row.clock_seconds.map(CellValue::Real));
        EVALUATION: "", "eval", ColumnUnit::Count, |row| or_dash(row.evaluation.clone().map(CellValue::Text));
        DEPTH: "", "depth", ColumnUnit::Count, |row| or_dash(depths(row).map(CellValue::Text));
        NODES: "", "nodes", ColumnUnit::Count, |row| or_dash(row.nodes.map(CellValue::Whole));
        OWN_TIME: "", "own time/ms", ColumnUnit::Count, |row| or_dash(row.time_ms.map(CellValue::Whole));
        PONDER: "", "ponder", ColumnUnit::Count, |row| row.pondered.map_or(CellValue::Missing("-"), |word| CellValue::Text(word.to_owned()));
    }
    FOR_PEOPLE[8]: SAN SECONDS CLOCK EVALUATION DEPTH NODES OWN_TIME PONDER;
}

fn dialogue(lines: &[DialogueLine]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let mut text = "The last lines (seconds before the fault; > told, < said):\n".to_owned();
    for line in lines {
        let mark = if line.from_engine { '<' } else { '>' };
        let start = format!("{:>12.6} {:<5} {mark} ", line.seconds, line.side);
        let is_cut = line.length > line.text.len();
        text += &(cut(&(start + &printable(&line.text)), is_cut) + "\n");
    }
    text
}

/// A line that fits the page; an ellipsis marks the omitted part: of `position` the middle, of all others the end.
fn cut(line: &str, is_cut: bool) -> String {
    let length = line.chars().count();
    if length <= page_width() && !is_cut {
        return line.to_owned();
    }
    if line.contains("> position") && !is_cut {
        let first: String = line.chars().take(KEPT_OF_POSITION).collect();
        let rest = page_width() - KEPT_OF_POSITION - 1;
        let last: String = line.chars().skip(length - rest).collect();
        return format!("{first}…{last}");
    }
    let start: String = line.chars().take(page_width() - 1).collect();
    format!("{start}…")
}

fn stderr(fault: Option<&EngineEvidence>) -> String {
    let Some(stderr) = fault.and_then(|fault| fault.stderr.as_ref()) else {
        return String::new();
    };
    let lines: Vec<&str> = stderr.lines().collect();
    let last = lines[lines.len().saturating_sub(20)..].iter();
    let shown = last.map(|line| cut(&format!("  | {}", printable(line)), false) + "\n");
    format!("The end of its stderr:\n{}", shown.collect::<String>())
}

fn variations(explanation: &Explanation) -> String {
    let variations = Variations {
        games: 1,
        engines: explanation.variations.clone(),
    };
    paragraphs(&variation_lines(&variations, 1, 0))
}

fn reproduction(search: &Reproduction) -> String {
    let engine = printable(&search.engine);
    let (side, at) = (search.side, &search.move_name);
    let (position, go, fen) = (&search.position, &search.go, &search.fen);
    let lines = format!("  {position}\n  {go}\n  FEN {fen}\n");
    let mut text = format!("To see {engine} ({side}) at {at} again:\n{lines}");
    if let Some(played) = &search.played {
        let nodes = search.nodes.map_or(String::new(), |nodes| {
            format!(" after {}", count(nodes, "node"))
        });
        text += &format!("It played {played}{nodes}.\n");
    }
    text
}
