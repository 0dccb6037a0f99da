//! What the engine says, line by line, until a deadline, and how it ends.

use std::process::ExitStatus;
use std::time::Duration;

use tokio::time::Instant;

use crate::check::Direction;
use crate::check::trouble::Trouble;
use crate::engine::process::describe_exit;
use crate::engine::start::{ReplyDeadline, read_once};

use super::Subject;

/// How long an engine that has closed its output has to say how it ended.
const LAST_BREATH: Duration = Duration::from_millis(500);

/// What an engine that ends while it is listened to ended before.
const PAUSE: &str = "the end of a pause in which nothing was asked";

/// More lines before one answer than any engine writes.
const MOST_LINES: usize = 200_000;

impl Subject<'_> {
    /// Everything that it says within this time.
    pub(crate) async fn listen(&mut self, time: Duration) -> Result<Vec<String>, Trouble> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        // Also for an engine that never stops talking.
        while lines.len() < MOST_LINES && Instant::now() < deadline {
            match self.line(PAUSE).await? {
                Some(line) => lines.push(line),
                None => {
                    read_once(&mut self.process, deadline).await;
                }
            }
        }
        Ok(lines)
    }

    /// Reads lines until one is what is awaited. What the machine takes of its time the engine is given back, as in an
    /// event.
    pub(super) async fn wait_for<T>(
        &mut self,
        awaited: &str,
        limit: Duration,
        mut found: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Trouble> {
        let mut patience = ReplyDeadline::new(limit);
        let mut lines = 0;
        while lines < MOST_LINES {
            match self.line(awaited).await? {
                Some(line) => match found(&line) {
                    Some(found) => return Ok(found),
                    None => lines += 1,
                },
                None if patience.read(&mut self.process).await.is_none() => break,
                None => {}
            }
        }
        Err(Trouble::Silent {
            awaited: awaited.to_owned(),
            limit,
        })
    }

    /// The next line, if it was read; an engine that has closed its output says no more.
    async fn line(&mut self, awaited: &str) -> Result<Option<String>, Trouble> {
        let open = self.process.output.is_open();
        let lines = &mut self.process.output.lines;
        let mut line = lines.next_line().map(|line| line.text.to_owned());
        if line.is_none() && !open {
            line = lines.finish().map(|line| line.text.to_owned());
            if line.is_none() {
                return Err(self.ended(awaited).await);
            }
        }
        if let Some(text) = &line {
            self.bench.note(self.number, Direction::FromEngine, text);
        }
        Ok(line)
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
        if !ReplyDeadline::new(limit)
            .sees_the_end_of(&mut self.process)
            .await
        {
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
