//! What the engine declares, and what it takes.

use super::bench::Bench;
use super::introductions::opening;
use super::subject::Subject;
use super::trouble::CheckOutcome;
use crate::check::declarations::{contradictions, malformed};
use crate::chess::UciDialect;
use crate::uci::OptionKind;

pub(super) fn declarations(bench: &Bench) -> CheckOutcome {
    let lines = bench.introduction.lines.iter().map(String::as_str);
    bench.none_of(malformed(lines))?;
    let count = bench.introduction.identity.options.len();
    Ok(format!("{count} options"))
}

pub(super) fn defaults(bench: &Bench) -> CheckOutcome {
    let lines = bench.introduction.lines.iter().map(String::as_str);
    bench.none_of(contradictions(lines))
}

/// Buttons are not pressed: nobody knows what they do. Empty texts are left alone: some
/// engines take `<empty>` for the name of a file, and write it.
pub(super) async fn set_defaults(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    for option in bench.introduction.identity.options.iter() {
        let value = match &option.kind {
            OptionKind::Button => continue,
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } => default.clone(),
            OptionKind::String { default } if default.is_empty() => continue,
            OptionKind::String { default } => default.clone(),
        };
        subject.send(&format!("setoption name {} value {value}", option.name));
    }
    subject.ready().await?;
    subject.answer(&opening(1), "depth 2").await?;
    Ok(String::new())
}

pub(super) async fn unknown_option(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    subject.send("setoption name ArbiterHasNoSuchOption value 960");
    subject.send("setoption name No such option (here) value one two");
    subject.send("setoption name NoSuchButton");
    subject.ready().await?;
    subject.answer(&opening(1), "depth 2").await?;
    Ok(String::new())
}
