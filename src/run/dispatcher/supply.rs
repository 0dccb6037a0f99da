//! Pairs for the lanes, as long as there are any to hand out.

use super::Dispatcher;

impl Dispatcher<'_> {
    /// Keeps one pair ahead for every lane.
    pub(super) fn hand_out(&mut self) {
        while !self.state.closed && self.queue.len() < self.lanes {
            match self.work.next() {
                Some(job) => {
                    self.state.outstanding += 1;
                    self.queue.push(job);
                }
                None if self.goes_on() => {}
                None => return,
            }
        }
    }

    /// At the end of what is planned: whether more pairs follow at once. Where they depend
    /// on results, that is when the last pair is stored; until then the lanes wait.
    fn goes_on(&mut self) -> bool {
        let Some(adaptive) = &mut self.adaptive else {
            self.close();
            return false;
        };
        if self.state.outstanding > 0 || self.state.unstored > 0 {
            return false;
        }
        // A voided game leaves a hole that has to be filled first, by the next run; that of a
        // disqualified engine stays.
        let whole = self.state.voided.is_empty() && !self.work.is_reduced();
        match whole.then(|| adaptive.extend(self.work.plan_mut(), self.store)) {
            Some(Ok(true)) => return true,
            Some(Err(error)) => self.fail(error),
            Some(Ok(false)) | None => self.close(),
        }
        false
    }

    /// Hands out no more pairs.
    pub(super) fn close(&mut self) {
        self.state.closed = true;
        self.queue.close();
    }
}
