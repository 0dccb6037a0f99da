//! A report for programs.

use serde_json::{Value, json};

use super::catalogue::{CATALOGUE, Definition, Level};
use super::causes::causes;
use super::report::{CheckReport, CheckResult, EngineReport};

/// The version of this format; fields may be added without a new number.
const SCHEMA: u32 = 1;

/// Every check with its level and explanation.
pub(crate) fn list() -> Value {
    let checks = CATALOGUE.iter().map(definition);
    json!({ "schema": SCHEMA, "checks": checks.collect::<Vec<_>>() })
}

/// All that is known of an engine.
pub(crate) fn report(report: &EngineReport) -> Value {
    let checks: Vec<Value> = report.checks.iter().map(check).collect();
    json!({
        "schema": SCHEMA,
        "command": report.command,
        "name": report.name,
        "author": report.author,
        "started": !report.unstartable,
        "sound": report.is_sound(),
        "passed": report.passed(),
        "skipped": report.skipped(),
        "undecided": report.undecided().count(),
        "causes": causes(report).iter().map(|cause| json!({
            "cause": cause.words,
            "checks": cause.ids(),
        })).collect::<Vec<_>>(),
        "failed": {
            "required": report.failures(Level::Required),
            "recommended": report.failures(Level::Recommended),
            "informational": report.failures(Level::Informational),
        },
        "checks": checks,
    })
}

fn definition(definition: &Definition) -> Value {
    json!({
        "id": definition.id,
        "section": definition.section.to_string(),
        "level": definition.level.to_string(),
        "asks": definition.asks,
    })
}

fn check(report: &CheckReport) -> Value {
    let (verdict, words) = match &report.verdict {
        CheckResult::Passed(measured) => ("passed", measured),
        CheckResult::Failed(reason) => ("failed", reason),
        CheckResult::Undecided(reason) => ("undecided", reason),
        CheckResult::Skipped(reason) => ("skipped", reason),
    };
    let mut value = definition(report.definition());
    value["verdict"] = json!(verdict);
    value["words"] = json!(words);
    value["seconds"] = json!(report.took.as_secs_f64());
    if matches!(verdict, "failed" | "undecided") {
        value["dialogue"] = json!(report.dialogue.lines().collect::<Vec<_>>());
    }
    value
}
