//! What the engine says, line by line, until a deadline, and how it ends.

use std::process::ExitStatus;
use std::time::Duration;

use tokio::time::Instant;

use crate::check::Direction;
use crate::check::trouble::Trouble;
use crate::engine::process::describe_exit;
use crate::engine::start::read_once;

use super::Subject;

/// How long an engine that has closed its output has to say how it ended.
const LAST_BREATH: Duration = Duration::from_millis(500);

/// More lines before one answer than any engine writes.
const MOST_LINES: usize = 200_000;

impl Subject<'_> {
    /// Everything that it says within this time.
    pub(crate) async fn listen(&mut self, time: Duration) -> Result<Vec<String>, Trouble> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        while lines.len() < MOST_LINES
            && let Some(line) = self
                .line("the end of a pause in which nothing was asked", deadline)
                .await?
        {
            lines.push(line);
        }
        Ok(lines)
    }

    /// Reads lines until one is what is awaited.
    pub(super) async fn wait_for<T>(
        &mut self,
        awaited: &str,
        limit: Duration,
        mut found: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Trouble> {
        let deadline = Instant::now() + limit;
        for _ in 0..MOST_LINES {
            let Some(line) = self.line(awaited, deadline).await? else {
                break;
            };
            if let Some(found) = found(&line) {
                return Ok(found);
            }
        }
        Err(Trouble::Silent {
            awaited: awaited.to_owned(),
            limit,
        })
    }

    /// The next line; `None` at the deadline.
    async fn line(&mut self, awaited: &str, deadline: Instant) -> Result<Option<String>, Trouble> {
        loop {
            let open = self.process.output.is_open();
            let lines = &mut self.process.output.lines;
            let mut line = lines.next_line().map(|line| line.text.to_owned());
            if line.is_none() && !open {
                line = lines.finish().map(|line| line.text.to_owned());
                if line.is_none() {
                    return Err(self.ended(awaited).await);
                }
            }
            if let Some(text) = line {
                self.bench.note(self.number, Direction::FromEngine, &text);
                // Also for an engine that never stops talking.
                return Ok((Instant::now() < deadline).then_some(text));
            }
            if read_once(&mut self.process, deadline).await.is_none() {
                return Ok(None);
            }
        }
    }

    async fn ended(&mut self, awaited: &str) -> Trouble {
        self.process.ends_within(LAST_BREATH).await;
        let status = describe_exit(self.process.end().await);
        let stderr = self.process.errors.tail();
        let evidence = match stderr.as_str() {
            "" => status,
            words => format!("{status}; stderr: {words:?}"),
        };
        self.remark(&format!("(it has ended: {evidence})"));
        Trouble::Ended {
            awaited: awaited.to_owned(),
            evidence,
        }
    }

    /// Waits for its end, and kills whatever it leaves behind: its exit status, and how many
    /// processes it left.
    pub(crate) async fn end(mut self, why: &str) -> Result<(Option<ExitStatus>, usize), Trouble> {
        let limit = self.bench.timeout;
        if !self.process.ends_within(limit).await {
            return Err(Trouble::Silent {
                awaited: format!("end after {why}"),
                limit,
            });
        }
        let left = self.process.companions();
        let status = self.process.end().await;
        self.remark(&format!("(it has ended: {})", describe_exit(status)));
        Ok((status, left))
    }
}
