//! The organiser's desk on the page of `run --web --desk`: its orders, done as `control` and `decide` do them.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};

use super::control::control;
use super::decide::{DecisionAct, check_event_file, previewed, signature, write};
use crate::event::ArbiterAct;
use crate::run::control::ControlRequest;
use crate::store::{Reader, Signature, StoredAct, record_decision};
use crate::text::printable;
use crate::tournament::DecisionRefusal;

/// What the page sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeskOrder {
    author: String,
    #[serde(default)]
    reason: String,
    /// How many decisions the book had when the consequences were shown; without it they are shown, and nothing is
    /// written.
    book: Option<u64>,
    #[serde(flatten)]
    what: DeskAct,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum DeskAct {
    Control(ControlRequest),
    Decide(DecisionAct),
}

/// Does what is asked in the event of this folder.
///
/// # Errors
/// Why not, in words.
pub(crate) fn order(folder: &Path, text: &[u8]) -> Result<String, String> {
    let done = || -> anyhow::Result<Value> {
        let order: DeskOrder = serde_json::from_slice(text)?;
        let signature = signature(Some(&order.author), &order.reason)?;
        match order.what {
            DeskAct::Control(request @ ControlRequest::Status) => {
                Ok(json!(control(folder, request)?))
            }
            DeskAct::Control(request) => controlled(folder, request, &signature),
            DeskAct::Decide(act) => decided(folder, &act, &signature, order.book),
        }
    };
    let done = done().map(|answer| answer.to_string());
    done.map_err(|error| printable(&format!("{error:#}")).into_owned())
}

fn controlled(
    folder: &Path,
    request: ControlRequest,
    signature: &Signature,
) -> anyhow::Result<Value> {
    let reply = control(folder, request)?;
    let act = ArbiterAct::Control {
        words: reply.words.clone(),
    };
    record_decision(folder, signature, |_| -> Result<_, DecisionRefusal> {
        let unpairs = Vec::new();
        Ok(StoredAct { act, unpairs })
    })?;
    Ok(json!({ "words": reply.words }))
}

/// What follows from a decision, which is written if nobody has decided anything since that was shown.
fn decided(
    folder: &Path,
    act: &DecisionAct,
    signature: &Signature,
    book: Option<u64>,
) -> anyhow::Result<Value> {
    check_event_file(folder, act)?;
    let reader = Reader::open(folder)?;
    let (words, prepared) = previewed(&reader, act, true)?;
    let mut answer = json!({ "words": words, "consequences": prepared.consequences, "book": reader.decisions().len() });
    if book.is_some() {
        let shown = (Some(prepared), book);
        let (decision, consequences) = write(folder, act, signature, shown, true)?;
        answer["decision"] = json!(decision.id);
        answer["consequences"] = json!(consequences);
    }
    Ok(answer)
}
