//! `arbiter960 doctor`: is this machine fit to time engines?

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::cli::exit;
use crate::cli::mistakes::{at_least_one, seconds};
use crate::config::{EngineSpec, Overrides, RealFiles, lone_engine, parse_match};
use crate::doctor::{Findings, Planned, Rate, Speeds, control, examine, usual_lanes};
use crate::platform::capabilities::{Capability, has};
use crate::text::{
    Table, count, duration, duration_of_seconds, labelled, paragraph, printable, write_json,
};

/// Measure what this machine costs engines, and say which time controls it can hold.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 doctor
  arbiter960 doctor --concurrency 4 --threads 2
  arbiter960 doctor --engine stockfish
  arbiter960 doctor --engine cmd=./my-engine option.Threads=2 option.Hash=64 --concurrency 8
  arbiter960 doctor --json | jq .advice

The built-in engine plays at the planned concurrency; run it on a machine that is otherwise as it \
will be during the event. --engine searches with 1 to N engines at once and says how many games \
leave each as fast as alone. docs/sandbox.md says what the sandbox's lines mean.")]
pub(crate) struct DoctorArguments {
    /// Games at once; by default as many as there are processors for
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    concurrency: Option<NonZeroUsize>,

    /// Threads of an engine; by default those of --engine, or 1
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    threads: Option<NonZeroUsize>,

    /// Measure this engine's nodes per second with one game at once, two, and so on, with and without
    /// cpus_per_lane, and recommend a concurrency; the words are those of `match --engine`
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    engine: Vec<String>,

    /// How long to measure; the searches of --engine last a fifth of it each
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds)]
    seconds: Duration,

    /// The folder of all events, whose disk is looked at
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// The built-in engine cannot be started, or the output cannot be written.
pub(crate) fn run(arguments: &DoctorArguments, out: &mut dyn Write) -> Result<u8> {
    let built_in = ["builtin=sparring", "name=the built-in engine"].map(str::to_owned);
    let built_in = engine(&built_in)?;
    let asked = &arguments.engine;
    let engine = (!asked.is_empty()).then(|| engine(asked)).transpose()?;
    let threads = arguments.threads.map(NonZeroUsize::get);
    let threads = threads.or_else(|| engine.as_ref()?.threads()).unwrap_or(1);
    let planned = Planned {
        lanes: match arguments.concurrency {
            Some(lanes) => lanes.get(),
            None => usual_lanes(threads)?,
        },
        threads,
    };
    let (time, results) = (arguments.seconds, &arguments.results);
    let findings = examine(planned, time, results, &built_in, engine.as_ref())?;
    if arguments.json {
        write_json(out, &findings)?;
        return Ok(exit::DONE);
    }
    for part in [verdict, plan, latency, host, sandbox, advice] {
        write!(out, "{}", part(&findings))?;
    }
    if let Some(speeds) = &findings.speeds {
        write!(out, "{}", speed(speeds))?;
    }
    for warning in &findings.warnings {
        write!(out, "{}", paragraph(&format!("warning: {warning}"), 0))?;
    }
    Ok(exit::DONE)
}

/// The engine that these words name.
fn engine(words: &[String]) -> Result<EngineSpec> {
    let event = lone_engine(words)?;
    let folder = std::env::current_dir().context("there is no working directory")?;
    let origin = folder.join("doctor (from the command line)");
    let overrides = Overrides {
        drawn: Some(1),
        ..Overrides::default()
    };
    let (tournament, _warnings) = parse_match(&event, &origin, overrides, &RealFiles)?;
    let engine = tournament.engines.into_iter().next();
    engine.context("an event without an engine")
}

/// Whether this machine is fit, in one sentence.
fn verdict(findings: &Findings) -> String {
    let lanes = findings.speeds.as_ref().map(|speeds| speeds.concurrency);
    let games = count(lanes.unwrap_or(findings.planned.lanes), "game");
    let control = control(findings.advice.smallest_increment_ms);
    let margin = findings.advice.margin_ms;
    let words = match &findings.obstacle {
        None => format!(
            "Fit to time games: {games} at once, at {control} or slower, with margin_ms = {margin}."
        ),
        Some(why) => format!(
            "Not fit to time games as it is: {why} As it is, no control faster than {control} holds."
        ),
    };
    paragraph(&words, 0) + "\n"
}

fn plan(findings: &Findings) -> String {
    let Planned { lanes, threads } = findings.planned;
    let (games, threads) = (count(lanes, "game"), count(threads, "thread"));
    let processors = count(findings.host.processors, "processor");
    let cores = count(findings.host.cores, "core");
    let planned = format!("{games} × {threads} on {processors} ({cores})");
    let time = duration_of_seconds(findings.seconds);
    let measured = format!("{time} with the built-in engine");
    line("planned", &planned) + &line("measured", &measured) + "\n"
}

fn latency(findings: &Findings) -> String {
    let latency = &findings.latency;
    let rows = [
        ("go → bestmove, answered at once", Some(latency.round_trip)),
        ("runner wakes late", Some(latency.wake_up)),
        ("engine kept waiting in 20 ms", latency.kept_waiting),
    ];
    let heads = ["milliseconds", "count", "p50", "p99", "p99.9", "max"];
    let mut table = Table::new(&heads, &[0]);
    for (what, distribution) in rows {
        let Some(found) = distribution else {
            let mut row = vec![format!("{what} (not counted by this kernel)")];
            row.resize(heads.len(), "-".to_owned());
            table.rows.push(row);
            continue;
        };
        let quantiles = [found.p50_us, found.p99_us, found.p999_us, found.max_us];
        let quantiles = quantiles.map(|micros| format!("{:.3}", micros as f64 / 1e3));
        let row = [what.to_owned(), found.count.to_string()];
        table.rows.push(row.into_iter().chain(quantiles).collect());
    }
    table.text() + "\n"
}

fn host(findings: &Findings) -> String {
    let host = &findings.host;
    let told = |text: &Option<String>| text.clone().unwrap_or_else(|| "unknown".to_owned());
    let percent = |part: Option<f64>| told(&part.map(|part| format!("{part:.1} %")));
    let smt = told(&host.smt.map(|on| if on { "on" } else { "off" }.to_owned()));
    let (source, governor) = (told(&host.clock_source), told(&host.governor));
    let reading = duration(Duration::from_nanos(host.clock_reading_ns));
    let clock = format!("{source}, read in {reading}; frequency governor {governor}; SMT {smt}");
    let [stolen, waited] = [host.steal_percent, host.pressure_percent].map(percent);
    let waits = format!("stolen {stolen}; somebody waited for a processor {waited} of the time");
    let disk = &findings.disk;
    let free = disk.free.map(|free| free as f64 / f64::from(1 << 30));
    let free = told(&free.map(|free| format!("{free:.1} GiB free")));
    let durable = disk.durable_write.map(|writes| {
        let times = [writes.p50_us, writes.max_us].map(Duration::from_micros);
        let [typical, longest] = times.map(duration);
        format!("saved after {typical}, at most {longest}")
    });
    let durable = durable.unwrap_or_else(|| "cannot be written".to_owned());
    line("clock", &clock)
        + &line("host", &waits)
        + &line("disk", &format!("{free}; a write is {durable}"))
        + &line("", &printable(&disk.folder.display().to_string()))
}

/// What an engine in a sandbox is kept from here, and what it is not.
fn sandbox(findings: &Findings) -> String {
    let Some(enforced) = &findings.sandbox else {
        return line("sandbox", "not available");
    };
    let whole = "engines are stopped and ended as one";
    let cgroups = match &findings.cgroups {
        // A system that has none says so among what it lacks.
        None if enforced.nothing => None,
        None => Some("cgroups: none that this user may make".to_owned()),
        Some(limits) if limits.is_empty() => {
            Some(format!("cgroups: {whole}; no limits are handed on"))
        }
        Some(limits) => Some(format!("cgroups: {whole}; limits: {}", limits.join(", "))),
    };
    let sampled = has(Capability::MemoryLimit)
        .then(|| "memory and processes: counted four times a second".to_owned());
    let gaps = enforced.gaps();
    let gaps = gaps.iter().map(|gap| format!("not held off: {gap}"));
    let walls = enforced.walls().into_iter();
    let lines = walls.chain(cgroups).chain(sampled).chain(gaps);
    let labels = std::iter::once("sandbox").chain(std::iter::repeat(""));
    let lines = labels.zip(lines);
    lines.map(|(label, text)| line(label, &text)).collect()
}

fn advice(findings: &Findings) -> String {
    let margin = findings.advice.margin_ms;
    let increment = findings.advice.smallest_increment_ms as f64 / 1e3;
    let control = control(findings.advice.smallest_increment_ms);
    let basis = match findings.latency.fewest() {
        1000.. => "In 999 of 1000 moves".to_owned(),
        few => {
            let moves = count(few, "move");
            format!("In the worst of {moves} (more are measured with --seconds 60)")
        }
    };
    let words = format!(
        "{basis} the machine cost an engine at most {}: margin_ms = {margin}. \
         Increments of {increment} s and more lose less than a tenth of it to the machine in \
         99 of 100 moves: the fastest time control to hold here is about {control}.",
        duration(Duration::from_millis(margin))
    );
    format!("\n{}", paragraph(&words, 0))
}

fn speed(speeds: &Speeds) -> String {
    let (engine, cpus) = (printable(&speeds.engine), speeds.threads);
    let (threads, time) = (count(cpus, "thread"), duration_of_seconds(speeds.seconds));
    let words = format!(
        "{engine} with {threads}: nodes a second of each engine in searches of {time}, placed by the system \
         and with cpus_per_lane = {cpus}; the mean, and mean and slowest in parts of one alone"
    );
    let alone = speeds.rows.first().map_or(f64::NAN, |row| row.free.mean);
    let percent = |speed: f64| format!("{:.0} %", 100.0 * speed / alone);
    let cells = |rate: Option<Rate>| match rate {
        Some(rate) => [
            format!("{:.0}", rate.mean),
            percent(rate.mean),
            percent(rate.slowest),
        ],
        None => ["-"; 3].map(str::to_owned),
    };
    let heads = [
        "games", "placed", "mean", "slowest", "own cpus", "mean", "slowest",
    ];
    let mut table = Table::new(&heads, &[]);
    for row in &speeds.rows {
        let speeds = cells(Some(row.free)).into_iter().chain(cells(row.own_cpus));
        let row = std::iter::once(row.games.to_string()).chain(speeds);
        table.rows.push(row.collect());
    }
    let advice = paragraph(&recommendation(speeds), 0);
    format!("\n{}\n{}\n{advice}", paragraph(&words, 0), table.text())
}

fn recommendation(speeds: &Speeds) -> String {
    let (games, threads) = (speeds.concurrency, speeds.threads);
    let mut keys = format!("concurrency = {games}");
    if speeds.own_cpus {
        keys += &format!(" and cpus_per_lane = {threads}");
    }
    match games {
        1 if speeds.rows.len() > 1 => {
            format!("More than one game at once slows the engine by more than 5 %: {keys}.")
        }
        1 => format!("There is room for one game at once: {keys}."),
        games => format!(
            "Up to {} at once leave each engine within 5 % of its speed alone: {keys}.",
            count(games, "game")
        ),
    }
}

fn line(label: &str, text: &str) -> String {
    labelled(label, 11, text)
}
