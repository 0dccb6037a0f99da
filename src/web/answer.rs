//! From a request to its answer.

use std::sync::Arc;

use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::desk::{OrganiserDesk, order_of};
use super::document::{self, VIEWS};
use super::event::LiveEvent;
use super::http::{
    Body, Long, MAX_LONG_ANSWERS, Text, accepts_gzip, is_known, kind_of, names_this_machine,
};
use super::stored::Together;
use crate::page;
use crate::store::Reader;

/// Only what this server sends itself may be loaded; scripts inside a page are refused.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A knight on a dark field.
const ICON: &str = include_str!("icon.svg");

type Answer = Response<Body>;

/// The events that this server shows.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) events: Vec<Arc<LiveEvent>>,
    together: Arc<Together>,
    /// Whether this server can be reached only from this machine.
    is_local: bool,
    /// Where the event can be changed.
    desk: Option<Arc<OrganiserDesk>>,
    /// The places for long answers.
    long: Arc<Semaphore>,
    /// What all pages use.
    files: [(&'static str, Text); 4],
}

impl Site {
    pub(super) fn new(
        events: Vec<Arc<LiveEvent>>,
        together: Arc<Together>,
        is_local: bool,
        desk: Option<OrganiserDesk>,
    ) -> Site {
        let files = [
            ("/page.js", page::SCRIPT),
            ("/page.css", page::STYLE),
            ("/icon.svg", ICON),
            ("/favicon.ico", ICON),
        ];
        Site {
            events,
            together,
            is_local,
            desk: desk.map(Arc::new),
            long: Arc::new(Semaphore::new(MAX_LONG_ANSWERS)),
            files: files.map(|(name, text)| (name, Text::new(name, text.to_owned()))),
        }
    }

    /// The answer to a request.
    pub(super) async fn answer(&self, request: Request<Incoming>) -> Answer {
        let is_head = request.method() == Method::HEAD;
        let mut response = self.answered(request).await;
        for (name, value) in [
            (header::CONTENT_SECURITY_POLICY, POLICY),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::REFERRER_POLICY, "no-referrer"),
            (header::CACHE_CONTROL, "no-cache"),
        ] {
            // A report comes with its own policy.
            if !response.headers().contains_key(&name) {
                response = with(response, name, value);
            }
        }
        if is_head {
            *response.body_mut() = Body::Whole(None);
        }
        response
    }

    async fn answered(&self, request: Request<Incoming>) -> Answer {
        let headers = request.headers();
        let is_named = |desk: &Arc<OrganiserDesk>| desk.is_named(headers);
        let is_named = names_this_machine(headers) || self.desk.as_ref().is_some_and(is_named);
        if self.is_local && !is_named {
            let refused = "This page is for this machine alone: ask for localhost or 127.0.0.1. A page for others is begun with --web 0.0.0.0:9600.\n";
            return words(StatusCode::MISDIRECTED_REQUEST, refused);
        }
        match (request.method(), &self.desk) {
            (&Method::GET | &Method::HEAD, _) => self.found(request.uri().path(), headers),
            (&Method::POST, Some(desk)) => self.ordered(Arc::clone(desk), request).await,
            _ => {
                let only = "Nothing can be changed here: GET and HEAD only.\n";
                let refused = words(StatusCode::METHOD_NOT_ALLOWED, only);
                with(refused, header::ALLOW, "GET, HEAD")
            }
        }
    }

    /// Whoever has the token opens the desk, and whoever has opened it changes the event.
    async fn ordered(&self, desk: Arc<OrganiserDesk>, request: Request<Incoming>) -> Answer {
        let (head, body) = request.into_parts();
        if !desk.is_own(&head.headers) {
            let refused = "Only the page itself can ask for this.\n";
            return words(StatusCode::FORBIDDEN, refused);
        }
        let enters = match head.uri.path() {
            "/desk/enter" => true,
            "/desk" => false,
            _ => return not_found(),
        };
        if !enters && !desk.knows(&head.headers) {
            let refused = "The desk is opened with a token, which the run has printed.\n";
            return words(StatusCode::UNAUTHORIZED, refused);
        }
        let order = order_of(body).await.unwrap_or_default();
        if enters {
            let Some(cookie) = desk.enter(&order) else {
                let refused = "This token opens nothing: each opens the desk once.\n";
                return words(StatusCode::UNAUTHORIZED, refused);
            };
            let mut opened = words(StatusCode::OK, "");
            opened.headers_mut().insert(header::SET_COOKIE, cookie);
            return opened;
        }
        // An event that is about to begin has no folder yet.
        let place = self.events.first().and_then(|event| event.place());
        let (folder, _) = place.unwrap_or_default();
        // It reads the whole event, and may wait for the run.
        let done = spawn_blocking(move || (desk.settings.orders)(&folder, &order)).await;
        match done.unwrap_or_else(|_| Err("It was not done.".to_owned())) {
            Ok(answer) => typed(kind_of("desk.json"), Body::Whole(Some(Bytes::from(answer)))),
            Err(why) => words(StatusCode::CONFLICT, why),
        }
    }

    fn found(&self, path: &str, headers: &HeaderMap) -> Answer {
        if let Some((_, file)) = self.files.iter().find(|(name, _)| *name == path) {
            return whole(file, headers);
        }
        if path == "/desk" && self.desk.is_none() {
            return not_found();
        }
        let Some((event, address)) = self.event_at(path) else {
            return self.elsewhere(path);
        };
        match address {
            "events" => {
                let messages = event.join().map(Body::Parts);
                return messages.map_or_else(early, |all| typed("text/event-stream", all));
            }
            "games.pgn" | "report.html" | "events.ndjson" | "games.html" => {
                return self.long_at(&event, address, headers);
            }
            _ => {}
        }
        let text = match address.strip_prefix("games/") {
            Some(file) => event.game(file).map(Arc::new),
            None => event.text(address),
        };
        match text {
            Some(text) => whole(&text, headers),
            None if VIEWS.contains(&address) => early(),
            None => not_found(),
        }
    }

    /// A file of the event, or what is made from the current state of its store.
    fn long_at(&self, event: &LiveEvent, address: &str, headers: &HeaderMap) -> Answer {
        let Some((long, tag)) = long_of(event, address) else {
            return not_found();
        };
        let compressed = accepts_gzip(headers);
        let response = if is_known(headers, &tag) {
            tagged(None, &tag, compressed, Body::Whole(None))
        } else if let Some(parts) = long.begin(&self.long, compressed) {
            tagged(Some(kind_of(address)), &tag, compressed, Body::Parts(parts))
        } else {
            let later = "Too many long answers are being read: try again in a moment.\n";
            let busy = words(StatusCode::SERVICE_UNAVAILABLE, later);
            return with(busy, header::RETRY_AFTER, "10");
        };
        // A report contains its style and its script, and its own policy names both by their hashes.
        let policy = match address {
            "report.html" => "frame-ancestors 'none'",
            _ => POLICY,
        };
        with(response, header::CONTENT_SECURITY_POLICY, policy)
    }

    /// Splits a path into the event and the address within it: `/games.pgn` with one event, `/2/games.pgn` with
    /// several.
    fn event_at<'a>(&self, path: &'a str) -> Option<(Arc<LiveEvent>, &'a str)> {
        let path = path.strip_prefix('/')?;
        if let [only] = self.events.as_slice() {
            return Some((Arc::clone(only), path));
        }
        let (place, address) = path.split_once('/')?;
        let place: usize = place.parse().ok()?;
        let event = self.events.get(place.checked_sub(1)?)?;
        Some((Arc::clone(event), address))
    }

    fn elsewhere(&self, path: &str) -> Answer {
        if path != "/" {
            return not_found();
        }
        let events = (1..).zip(&self.events);
        let events = events.map(|(place, event)| (place, event.headline().unwrap_or_default()));
        let together = self.together.said();
        let text = document::index(&together, &events.collect::<Vec<_>>());
        typed(kind_of(path), Body::Whole(Some(Bytes::from(text))))
    }
}

/// What is at this address, with a tag that changes when it does.
fn long_of(event: &LiveEvent, address: &str) -> Option<(Long, String)> {
    let (folder, version) = event.place()?;
    if matches!(address, "games.pgn" | "report.html") {
        return Long::file(&folder.join(address)).ok();
    }
    let reader = Box::new(Reader::open(&folder).ok()?);
    let place = reader.last_place().unwrap_or_default();
    let long = match address {
        "games.html" => Long::Games(reader),
        _ => Long::Events(reader, event.view()?),
    };
    Some((long, format!("{place:x}-{version:x}")))
}

/// The text, or "not modified" if the reader already has this version.
fn whole(text: &Text, headers: &HeaderMap) -> Answer {
    let compressed = accepts_gzip(headers).then(|| text.compressed()).flatten();
    let is_compressed = compressed.is_some();
    let body = || Body::Whole(Some(compressed.unwrap_or_else(|| text.plain.clone())));
    if is_known(headers, &text.tag) {
        tagged(None, &text.tag, is_compressed, Body::Whole(None))
    } else {
        tagged(Some(text.kind), &text.tag, is_compressed, body())
    }
}

/// A version of a text of this kind; no kind if the reader has that version.
fn tagged(kind: Option<&'static str>, tag: &str, compressed: bool, body: Body) -> Answer {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    // A weak tag, because the compressed form has the same tag.
    if let Ok(tag) = HeaderValue::from_str(&format!("W/\"{tag}\"")) {
        headers.insert(header::ETAG, tag);
    }
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    let Some(kind) = kind else {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return response;
    };
    if compressed {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    with(response, header::CONTENT_TYPE, kind)
}

fn typed(kind: &'static str, body: Body) -> Answer {
    with(Response::new(body), header::CONTENT_TYPE, kind)
}

fn with(mut response: Answer, name: HeaderName, value: &'static str) -> Answer {
    let value = HeaderValue::from_static(value);
    response.headers_mut().insert(name, value);
    response
}

fn early() -> Answer {
    let early =
        "The event is about to begin: its engines are being started. The page comes by itself.\n";
    let early = words(StatusCode::SERVICE_UNAVAILABLE, early);
    with(early, header::REFRESH, "2")
}

fn not_found() -> Answer {
    words(StatusCode::NOT_FOUND, "There is nothing at this address.\n")
}

fn words(status: StatusCode, text: impl Into<Bytes>) -> Answer {
    let body = Body::Whole(Some(text.into()));
    let mut response = typed("text/plain; charset=utf-8", body);
    *response.status_mut() = status;
    response
}
