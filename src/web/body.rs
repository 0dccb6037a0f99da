//! The body of an answer: whole, or in parts as they are made.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Bytes, Frame};
use tokio::sync::mpsc::Receiver;

/// The body of an answer.
pub(super) enum Body {
    /// The whole body.
    Whole(Option<Bytes>),
    /// Its parts, as they are made.
    Parts(Receiver<Bytes>),
}

impl hyper::body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let frame = |part: Option<Bytes>| part.map(|part| Ok(Frame::data(part)));
        match self.get_mut() {
            Body::Whole(whole) => Poll::Ready(frame(whole.take())),
            Body::Parts(parts) => parts.poll_recv(context).map(frame),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Body::Whole(None))
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        match self {
            Body::Whole(whole) => {
                let length = whole.as_ref().map_or(0, |whole| whole.len() as u64);
                hyper::body::SizeHint::with_exact(length)
            }
            Body::Parts(_) => hyper::body::SizeHint::new(),
        }
    }
}
