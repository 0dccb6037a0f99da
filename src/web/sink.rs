//! The listener of a run.

use std::sync::Arc;

use super::event::LiveEvent;
use super::shown::ShownEvent;
use crate::event::live::Update;
use crate::event::{ArbiterDecision, PlayedGame};
use crate::sink::{Sink, SinkError};

/// Puts what it receives into a page.
pub struct WebSink(pub Arc<LiveEvent>);

impl Sink for WebSink {
    fn committed(&mut self, game: &PlayedGame) -> Result<(), SinkError> {
        self.0.committed(game);
        Ok(())
    }

    fn decided(&mut self, _decisions: &[ArbiterDecision]) -> Result<(), SinkError> {
        self.0.change("a decision", ShownEvent::decided);
        Ok(())
    }

    fn say(&mut self, words: &str) {
        self.0.change("a message", |shown| {
            shown.page.warnings.push(words.to_owned());
            Ok(())
        });
    }

    fn wants_updates(&self) -> bool {
        true
    }

    fn live(&mut self, update: &Update) -> Result<(), SinkError> {
        self.0.change("what runs", |shown| shown.hear(update));
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.0.end();
        Ok(())
    }
}
