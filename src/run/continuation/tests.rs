//! A decision that comes while a choice is being made.

use super::*;
use crate::config::{Overrides, load};
use crate::event::{ArbiterAct, Seat};
use crate::store::{Signature, StoredAct, record_decision};

/// Chooses as many pairs as it was asked before; the first time the arbiter decides meanwhile.
#[derive(Debug)]
struct Interrupted {
    asked: u32,
}

impl Continuation for Interrupted {
    fn key(&self) -> &'static str {
        ROUND_CHOICE
    }

    fn is_spent(&self, _plan: &Plan) -> bool {
        false
    }

    fn next(&mut self, so_far: &PlannedSoFar<'_>) -> Result<Next, RunError> {
        self.asked += 1;
        if self.asked == 1 {
            let signature = Signature {
                decided: UnixMillis(0),
                author: String::new(),
                reason: String::new(),
            };
            let written = StoredAct {
                act: ArbiterAct::Withdraw { engine: 0 },
                unpairs: Vec::new(),
            };
            record_decision::<StoreError>(so_far.store.folder(), &signature, |_| Ok(written))?;
        }
        let seats = [1, 2].map(|engine| Seat { engine, copy: 0 });
        let pairs = (1..=self.asked).map(|opening| PairSpec::new(seats, opening, 0, 2));
        Ok(Next::Chosen(Chosen {
            pairs: pairs.collect(),
            ..Chosen::default()
        }))
    }
}

#[test]
fn a_choice_that_a_decision_has_overtaken_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), Box::new(|_| ())).unwrap();
    let mut continued = Continued {
        rule: Box::new(Interrupted { asked: 0 }),
        choices: Vec::new(),
    };
    let file = folder.path().join("event.toml");
    let engines = ["A", "B", "C"]
        .map(|name| format!("[[engine]]\nname = \"{name}\"\nbuiltin = \"sparring\"\n"));
    let text = format!(
        "event.name = \"overtaken\"\nevent.format = \"swiss\"\nswiss.rounds = 2\n\
         positions.numbers = [\"0-9\"]\ntime.nodes = 10\n{}",
        engines.concat()
    );
    std::fs::write(&file, text).unwrap();
    let (tournament, _) = load(&file, Overrides::default()).unwrap();
    let mut plan = tournament.plan().unwrap();
    let mut extend = |decisions| {
        let (open, out) = ((BTreeSet::new(), 0), BTreeSet::new());
        let now = UnixMillis(0);
        let growth = continued.extend(&mut plan, open, (&out, decisions), &store, Some, now);
        let stored = Choice::read_all(&store.reader().unwrap(), ROUND_CHOICE).unwrap();
        let pairs = stored.iter().map(|choice| choice.pairs().len());
        (growth.unwrap(), plan.len(), pairs.collect::<Vec<usize>>())
    };
    assert_eq!(extend(0), (Growth::Decided, 0, vec![]));
    // Still on the book from before.
    assert_eq!(extend(0), (Growth::Decided, 0, vec![]));
    assert_eq!(extend(1), (Growth::Grown, 3, vec![3]));
}
