//! `arbiter960 doctor`: is this machine fit to time engines?

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

use crate::cli::exit;
use crate::cli::mistakes::{at_least_one, seconds};
use crate::config::{EngineSpec, Overrides, RealFiles, lone_engine, parse_match};
use crate::doctor::{Distribution, Findings, Planned, Rate, Speeds, control, examine, usual_lanes};
use crate::platform::capabilities::{Capability, has};
use crate::text::{count, labelled, paragraph, printable};

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
pub(crate) fn run(arguments: &DoctorArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let engine = engine(&arguments.engine)?;
    let threads = arguments.threads.map(NonZeroUsize::get);
    let threads = threads.or_else(|| engine.as_ref()?.threads()).unwrap_or(1);
    let planned = Planned {
        lanes: match arguments.concurrency {
            Some(lanes) => lanes.get(),
            None => usual_lanes(threads)?,
        },
        threads,
    };
    let findings = examine(
        planned,
        arguments.seconds,
        &arguments.results,
        engine.as_ref(),
    )?;
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&findings)?)?;
    } else {
        verdict(&findings, out)?;
        plan(&findings, out)?;
        latency(&findings, out)?;
        host(&findings, out)?;
        sandbox(&findings, out)?;
        advice(&findings, out)?;
        if let Some(speeds) = &findings.speeds {
            speed(speeds, out)?;
        }
        warnings(&findings, out)?;
    }
    Ok(exit::DONE)
}

/// The engine that the words of `--engine` name, if any.
fn engine(words: &[String]) -> anyhow::Result<Option<EngineSpec>> {
    if words.is_empty() {
        return Ok(None);
    }
    let event = lone_engine(words)?;
    let folder = std::env::current_dir().context("there is no working directory")?;
    let origin = folder.join("doctor (from the command line)");
    let overrides = Overrides {
        drawn: Some(1),
        ..Overrides::default()
    };
    let (tournament, _warnings) = parse_match(&event, &origin, overrides, &RealFiles)?;
    Ok(tournament.engines.into_iter().next())
}

/// The answer: fit or not, at which time control, with how many games at once.
fn verdict(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let lanes = findings.speeds.as_ref().map(|speeds| speeds.concurrency);
    let games = count(lanes.unwrap_or(findings.planned.lanes) as u64, "game");
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
    writeln!(out, "{}", paragraph(&words, 0))
}

fn plan(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let Planned { lanes, threads } = findings.planned;
    let (processors, cores) = (findings.host.processors, findings.host.cores);
    let words = format!(
        "{} × {} on {} ({})",
        count(lanes as u64, "game"),
        count(threads as u64, "thread"),
        count(processors as u64, "processor"),
        count(cores as u64, "core"),
    );
    line(out, "planned", &words)?;
    let words = format!("{:.1} s with the built-in engine", findings.seconds);
    line(out, "measured", &words)?;
    writeln!(out)
}

fn latency(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let latency = &findings.latency;
    writeln!(
        out,
        "{:<34}{:>8}{:>9}{:>9}{:>9}{:>9}",
        "milliseconds", "count", "p50", "p99", "p99.9", "max"
    )?;
    row(out, "go → bestmove, answered at once", &latency.round_trip)?;
    row(out, "runner wakes late", &latency.wake_up)?;
    match &latency.kept_waiting {
        Some(waits) => row(out, "engine kept waiting in 20 ms", waits)?,
        None => writeln!(
            out,
            "engine kept waiting in 20 ms      (this kernel does not count it)"
        )?,
    }
    writeln!(out)
}

fn row(out: &mut dyn Write, what: &str, distribution: &Distribution) -> io::Result<()> {
    let &Distribution {
        count,
        p50_us,
        p99_us,
        p999_us,
        max_us,
    } = distribution;
    write!(out, "{what:<34}{count:>8}")?;
    for micros in [p50_us, p99_us, p999_us, max_us] {
        write!(out, "{:>9.3}", micros as f64 / 1e3)?;
    }
    writeln!(out)
}

fn host(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let host = &findings.host;
    let told = |text: &Option<String>| text.clone().unwrap_or_else(|| "unknown".to_owned());
    let percent = |part: Option<f64>| part.map_or("unknown".to_owned(), |p| format!("{p:.1} %"));
    let smt = host
        .smt
        .map_or("unknown", |on| if on { "on" } else { "off" });
    let (clock, governor) = (told(&host.clock_source), told(&host.governor));
    let words = format!(
        "{clock}, read in {} ns; frequency governor {governor}; SMT {smt}",
        host.clock_reading_ns
    );
    line(out, "clock", &words)?;
    let words = format!(
        "stolen {}; somebody waited for a processor {} of the time",
        percent(host.steal_percent),
        percent(host.pressure_percent)
    );
    line(out, "host", &words)?;
    let disk = &findings.disk;
    let free = disk.free.map_or("unknown".to_owned(), |free| {
        format!("{:.1} GiB free", free as f64 / f64::from(1 << 30))
    });
    let durable = disk
        .durable_write
        .map_or("cannot be written".to_owned(), |writes| {
            let [typical, longest] =
                [writes.p50_us, writes.max_us].map(|micros| micros as f64 / 1e3);
            format!("saved after {typical:.1} ms, at most {longest:.1} ms")
        });
    line(out, "disk", &format!("{free}; a write is {durable}"))?;
    line(out, "", &printable(&disk.folder.display().to_string()))
}

fn sandbox(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let Some(enforced) = &findings.sandbox else {
        return line(out, "sandbox", "not available");
    };
    let cgroups = match &findings.cgroups {
        // A system that has none says so among what it lacks.
        None if enforced.nothing => None,
        None => Some("cgroups: none that this user may make".to_owned()),
        Some(limits) if limits.is_empty() => Some(
            "cgroups: engines are stopped and ended as one; no limits are handed on".to_owned(),
        ),
        Some(limits) => Some(format!(
            "cgroups: engines are stopped and ended as one; limits: {}",
            limits.join(", ")
        )),
    };
    let sampled = has(Capability::MemoryLimit)
        .then(|| "memory and processes: counted four times a second".to_owned());
    let walls = enforced.walls();
    let gaps = enforced.gaps();
    let gaps = gaps.iter().map(|gap| format!("not held off: {gap}"));
    let lines = walls.into_iter().chain(cgroups).chain(sampled).chain(gaps);
    for (index, text) in lines.enumerate() {
        let label = if index == 0 { "sandbox" } else { "" };
        line(out, label, &text)?;
    }
    Ok(())
}

fn advice(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let margin = findings.advice.margin_ms;
    let increment = findings.advice.smallest_increment_ms as f64 / 1e3;
    let control = control(findings.advice.smallest_increment_ms);
    let basis = match findings.latency.fewest() {
        1000.. => "In 999 of 1000 moves".to_owned(),
        few => format!("In the worst of {few} moves (more are measured with --seconds 60)"),
    };
    writeln!(out)?;
    let words = format!(
        "{basis} the machine cost an engine at most {margin} ms: margin_ms = {margin}. \
             Increments of {increment} s and more lose less than a tenth of it to the machine in \
             99 of 100 moves: the fastest time control to hold here is about {control}."
    );
    write!(out, "{}", paragraph(&words, 0))
}

fn speed(speeds: &Speeds, out: &mut dyn Write) -> io::Result<()> {
    let alone = speeds.rows.first().map_or(f64::NAN, |row| row.free.mean);
    let cells = |rate: Option<Rate>| match rate {
        Some(rate) => format!(
            "{:>14}{:>7.0} %{:>7.0} %",
            with_commas(rate.mean),
            100.0 * rate.mean / alone,
            100.0 * rate.slowest / alone
        ),
        None => format!("{:>14}{:>9}{:>9}", "-", "-", "-"),
    };
    let words = format!(
        "{} with {}: nodes a second of each engine in searches of {:.1} s, and the mean and the slowest \
         of them in parts of one alone",
        printable(&speeds.engine),
        count(speeds.threads as u64, "thread"),
        speeds.seconds
    );
    write!(out, "\n{}\n", paragraph(&words, 0))?;
    writeln!(
        out,
        "{:>5}{:>32}{:>32}",
        "games",
        "placed by the system",
        format!("cpus_per_lane = {}", speeds.threads)
    )?;
    for row in &speeds.rows {
        writeln!(
            out,
            "{:>5}{}{}",
            row.games,
            cells(Some(row.free)),
            cells(row.own_cpus)
        )?;
    }
    writeln!(out)?;
    write!(out, "{}", paragraph(&recommendation(speeds), 0))
}

fn recommendation(speeds: &Speeds) -> String {
    let Speeds {
        concurrency,
        threads,
        own_cpus,
        ..
    } = speeds;
    let keys = if *own_cpus {
        format!("concurrency = {concurrency} and cpus_per_lane = {threads}")
    } else {
        format!("concurrency = {concurrency}")
    };
    match concurrency {
        1 if speeds.rows.len() > 1 => {
            format!("More than one game at once slows the engine by more than 5 %: {keys}.")
        }
        1 => format!("There is room for one game at once: {keys}."),
        games => format!(
            "Up to {games} games at once leave each engine within 5 % of its speed alone: {keys}."
        ),
    }
}

fn with_commas(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn warnings(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    for warning in &findings.warnings {
        write!(out, "{}", paragraph(&format!("warning: {warning}"), 0))?;
    }
    Ok(())
}

/// A line of the first table: its subject, and the finding.
fn line(out: &mut dyn Write, label: &str, text: &str) -> io::Result<()> {
    write!(out, "{}", labelled(label, 11, text))
}
