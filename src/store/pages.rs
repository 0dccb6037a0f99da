//! Games and results a page at a time: no read transaction stays open, so a slow reader
//! never keeps the writer's log from being emptied.

use std::collections::VecDeque;

use super::error::StoreError;
use super::reader::Reader;
use super::rows::{GameResult, StoredGame, read_games, read_results};

type Result<T> = std::result::Result<T, StoreError>;

/// Games in the order of finishing; see [`Reader::games`].
pub struct Games<'r>(Pages<'r, StoredGame>);

/// Results in the order of finishing; see [`Reader::results`].
pub struct Results<'r>(Pages<'r, GameResult>);

impl<'r> Games<'r> {
    pub(super) fn new(reader: &'r Reader) -> Games<'r> {
        Games(Pages::new(reader, read_games, |game| game.sequence))
    }
}

impl<'r> Results<'r> {
    pub(super) fn new(reader: &'r Reader) -> Results<'r> {
        Results(Pages::new(reader, read_results, |result| result.sequence))
    }
}

impl Iterator for Games<'_> {
    type Item = Result<StoredGame>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

impl Iterator for Results<'_> {
    type Item = Result<GameResult>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

/// Rows after a sequence number, read a page at a time.
struct Pages<'r, T> {
    reader: &'r Reader,
    read: fn(&Reader, u64) -> Result<VecDeque<T>>,
    sequence: fn(&T) -> u64,
    after: u64,
    page: VecDeque<T>,
    ended: bool,
}

impl<'r, T> Pages<'r, T> {
    fn new(
        reader: &'r Reader,
        read: fn(&Reader, u64) -> Result<VecDeque<T>>,
        sequence: fn(&T) -> u64,
    ) -> Pages<'r, T> {
        Pages {
            reader,
            read,
            sequence,
            after: 0,
            page: VecDeque::new(),
            ended: false,
        }
    }

    fn next(&mut self) -> Option<Result<T>> {
        if self.page.is_empty() && !self.ended {
            match (self.read)(self.reader, self.after) {
                Ok(page) => self.page = page,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
        let row = self.page.pop_front();
        match &row {
            Some(row) => self.after = (self.sequence)(row),
            None => self.ended = true,
        }
        row.map(Ok)
    }
}
