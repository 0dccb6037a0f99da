//! `arbiter960 doctor`: is this machine fit to time engines?

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use crate::cli::exit;
use crate::doctor::{Distribution, Findings, Planned, examine, usual_lanes};
use crate::text::{page_width, printable, wrap};

/// Measure what this machine costs engines, and say which time controls it can hold.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 doctor
  arbiter960 doctor --concurrency 4 --threads 2
  arbiter960 doctor --json | jq .advice

The built-in engine plays at the planned concurrency; run it on a machine that is otherwise as it
will be during the event. docs/sandbox.md says what the sandbox's lines mean.")]
pub(crate) struct DoctorArguments {
    /// Games at once; by default as many as there are processors for
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,

    /// Threads of an engine
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,

    /// How long to measure
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds)]
    seconds: Duration,

    /// The folder of all events, whose disk is looked at
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text
        .parse::<f64>()
        .ok()
        .filter(|seconds| (0.1..=3600.0).contains(seconds));
    let seconds = seconds.ok_or("a number of seconds from 0.1 to 3600")?;
    Ok(Duration::from_secs_f64(seconds))
}

/// Runs the command.
///
/// # Errors
/// The built-in engine cannot be started, or the output cannot be written.
pub(crate) fn run(arguments: &DoctorArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let threads = arguments.threads.get();
    let planned = Planned {
        lanes: match arguments.concurrency {
            Some(lanes) => lanes.get(),
            None => usual_lanes(threads)?,
        },
        threads,
    };
    let findings = examine(planned, arguments.seconds, &arguments.results)?;
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&findings)?)?;
    } else {
        plan(&findings, out)?;
        latency(&findings, out)?;
        host(&findings, out)?;
        sandbox(&findings, out)?;
        advice(&findings, out)?;
    }
    Ok(exit::DONE)
}

fn plan(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let Planned { lanes, threads } = findings.planned;
    let (processors, cores) = (findings.host.processors, findings.host.cores);
    writeln!(
        out,
        "planned    {} × {} on {} ({})",
        counted(lanes, "game"),
        counted(threads, "thread"),
        counted(processors, "processor"),
        counted(cores, "core"),
    )?;
    writeln!(
        out,
        "measured   {:.1} s with the built-in engine\n",
        findings.seconds
    )
}

fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn latency(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let latency = &findings.latency;
    writeln!(
        out,
        "{:<34}{:>8}{:>10}{:>10}{:>10}{:>10}",
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
        write!(out, "{:>10.3}", micros as f64 / 1e3)?;
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
    writeln!(
        out,
        "clock      {clock}; frequency governor {governor}; SMT {smt}"
    )?;
    writeln!(
        out,
        "host       stolen {}; somebody waited for a processor {} of the time",
        percent(host.steal_percent),
        percent(host.pressure_percent)
    )?;
    let disk = &findings.disk;
    let free = disk.free.map_or("unknown".to_owned(), |free| {
        format!("{:.1} GiB free", free as f64 / f64::from(1 << 30))
    });
    let durable = disk
        .durable_write
        .map_or("cannot be written".to_owned(), |writes| {
            let [typical, longest] =
                [writes.p50_us, writes.max_us].map(|micros| micros as f64 / 1e3);
            format!("durable after {typical:.1} ms, at most {longest:.1} ms")
        });
    writeln!(
        out,
        "disk       {free}; a write is {durable}\n           {}",
        printable(&disk.folder.display().to_string())
    )
}

fn sandbox(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let Some(enforced) = &findings.sandbox else {
        return writeln!(out, "sandbox    not available");
    };
    let cgroups = match &findings.cgroups {
        None => "cgroups: none that this user may make".to_owned(),
        Some(limits) if limits.is_empty() => {
            "cgroups: engines are stopped and ended as one; no limits are handed on".to_owned()
        }
        Some(limits) => format!(
            "cgroups: engines are stopped and ended as one; limits: {}",
            limits.join(", ")
        ),
    };
    let sampled = "memory and processes: counted four times a second";
    let walls = enforced.walls();
    let gaps = enforced.gaps();
    let gaps = gaps.iter().map(|gap| format!("not held off: {gap}"));
    let lines = walls
        .into_iter()
        .chain([cgroups, sampled.to_owned()])
        .chain(gaps);
    for (index, line) in lines.enumerate() {
        let label = if index == 0 { "sandbox" } else { "" };
        for part in wrap(
            &line,
            page_width(),
            &format!("{label:<11}"),
            &" ".repeat(13),
        ) {
            writeln!(out, "{part}")?;
        }
    }
    Ok(())
}

fn advice(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let margin = findings.advice.margin_ms;
    let increment = findings.advice.smallest_increment_ms as f64 / 1e3;
    let base = increment * 100.0;
    let basis = match findings.latency.fewest() {
        1000.. => "In 999 of 1000 moves".to_owned(),
        few => format!("In the worst of {few} moves (more are measured with --seconds 60)"),
    };
    writeln!(out)?;
    paragraph(
        out,
        &format!(
            "{basis} the machine cost an engine at most {margin} ms: margin_ms = {margin}. \
             Increments of {increment} s and more lose less than a tenth of it to the machine in \
             99 of 100 moves: the fastest time control to hold here is about {base}+{increment}."
        ),
    )?;
    for warning in &findings.warnings {
        paragraph(out, &format!("warning: {warning}"))?;
    }
    Ok(())
}

fn paragraph(out: &mut dyn Write, text: &str) -> io::Result<()> {
    wrap(text, page_width(), "", "  ")
        .into_iter()
        .try_for_each(|line| writeln!(out, "{line}"))
}
