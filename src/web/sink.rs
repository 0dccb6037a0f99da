//! The listener of a run.

use std::sync::Arc;

use super::event::LiveEvent;
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
        self.0.decided();
        Ok(())
    }

    fn say(&mut self, words: &str) {
        self.0.said(words);
    }

    fn wants_updates(&self) -> bool {
        true
    }

    fn live(&mut self, update: &Update) -> Result<(), SinkError> {
        self.0.hear(update);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.0.end();
        Ok(())
    }
}
