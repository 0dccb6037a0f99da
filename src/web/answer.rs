//! From a request to its answer.

use std::sync::Arc;

use hyper::body::Bytes;
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};

use super::body::Body;
use super::document;
use super::event::LiveEvent;
use super::headers::{accepts_gzip, is_known, names_this_machine};
use super::long::{Long, LongAnswers};
use super::text::Text;
use crate::page;
use crate::store::Reader;

/// Only what this server sends itself may be loaded; scripts inside a page are refused.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A knight on a dark field.
const ICON: &str = include_str!("icon.svg");

/// The texts of an event, by their addresses relative to the event's address.
const TEXTS: [&str; 7] = [
    "",
    "tables.html",
    "figures.html",
    "live.pgn",
    "standings.json",
    "crosstable.json",
    "schedule.json",
];

/// The events that this server shows.
#[derive(Debug)]
pub(super) struct Site {
    events: Vec<Arc<LiveEvent>>,
    /// Whether this server can be reached only from this machine.
    is_local: bool,
    long: LongAnswers,
    script: Arc<Text>,
    style: Arc<Text>,
    icon: Arc<Text>,
}

impl Site {
    pub(super) fn new(events: Vec<Arc<LiveEvent>>, is_local: bool) -> Site {
        let text = |kind, text: String| Arc::new(Text::new(kind, text));
        Site {
            events,
            is_local,
            long: LongAnswers::default(),
            script: text(
                "text/javascript; charset=utf-8",
                document::SCRIPT.to_owned(),
            ),
            style: text(
                "text/css; charset=utf-8",
                [page::STYLE, document::STYLE].concat(),
            ),
            icon: text("image/svg+xml", ICON.to_owned()),
        }
    }

    /// The events.
    pub(super) fn events(&self) -> &[Arc<LiveEvent>] {
        &self.events
    }

    /// The answer to a request; its body, if it has one, is not read.
    pub(super) fn answer<B>(&self, request: &Request<B>) -> Response<Body> {
        let headers = request.headers();
        let mut response = match *request.method() {
            _ if self.is_local && !names_this_machine(headers) => words(
                StatusCode::MISDIRECTED_REQUEST,
                "This page is for this machine alone: ask for localhost or 127.0.0.1. A page for others is begun with --web 0.0.0.0:9600.\n",
            ),
            Method::GET | Method::HEAD => self.found(request.uri().path(), headers),
            _ => {
                let mut refused = words(
                    StatusCode::METHOD_NOT_ALLOWED,
                    "Nothing can be changed here: GET and HEAD only.\n",
                );
                let allowed = HeaderValue::from_static("GET, HEAD");
                refused.headers_mut().insert(header::ALLOW, allowed);
                refused
            }
        };
        for (name, value) in [
            (header::CONTENT_SECURITY_POLICY, POLICY),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::REFERRER_POLICY, "no-referrer"),
            (header::CACHE_CONTROL, "no-cache"),
        ] {
            // A report comes with its own policy.
            if !response.headers().contains_key(&name) {
                response
                    .headers_mut()
                    .insert(name, HeaderValue::from_static(value));
            }
        }
        if request.method() == Method::HEAD {
            *response.body_mut() = Body::Whole(None);
        }
        response
    }

    fn found(&self, path: &str, headers: &HeaderMap) -> Response<Body> {
        match path {
            "/live.js" => return whole(&self.script, headers),
            "/live.css" => return whole(&self.style, headers),
            "/icon.svg" | "/favicon.ico" => return whole(&self.icon, headers),
            _ => {}
        }
        let Some((event, address)) = self.event_at(path) else {
            return self.elsewhere(path);
        };
        match address {
            "live.js" => return whole(&self.script, headers),
            "events" => return stream(&event),
            "games.pgn" | "report.html" => return self.file(&event, address, headers),
            "events.ndjson" | "games.html" => return self.of_store(&event, address, headers),
            _ => {}
        }
        let known = TEXTS.into_iter().find(|known| *known == address);
        match known.and_then(|known| event.text(known)) {
            Some(text) => whole(&text, headers),
            None if address.is_empty() => words(
                StatusCode::SERVICE_UNAVAILABLE,
                "The event is about to begin: its engines are being started. Load the page again in a moment.\n",
            ),
            None => not_found(),
        }
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

    fn elsewhere(&self, path: &str) -> Response<Body> {
        if path != "/" {
            return not_found();
        }
        let events = (1..).zip(&self.events);
        let events = events.map(|(place, event)| (place, event.title().unwrap_or_default()));
        let text = document::index(&events.collect::<Vec<_>>());
        let mut response = Response::new(Body::Whole(Some(Bytes::from(text))));
        let html = HeaderValue::from_static("text/html; charset=utf-8");
        response.headers_mut().insert(header::CONTENT_TYPE, html);
        response
    }

    fn file(&self, event: &LiveEvent, name: &str, headers: &HeaderMap) -> Response<Body> {
        let opened = event.folder().map(|folder| Long::file(&folder.join(name)));
        let Some(Ok((long, tag))) = opened else {
            return not_found();
        };
        let kind = match name {
            "games.pgn" => "application/x-chess-pgn",
            _ => "text/html; charset=utf-8",
        };
        let response = self.long(long, &tag, kind, headers);
        match name {
            "report.html" => whole_page(response),
            _ => response,
        }
    }

    /// `events.ndjson` or `games.html`, made from the current state of the store.
    fn of_store(&self, event: &LiveEvent, address: &str, headers: &HeaderMap) -> Response<Body> {
        let (Some(folder), Some(view)) = (event.folder(), event.view()) else {
            return not_found();
        };
        let Ok(reader) = Reader::open(&folder) else {
            return not_found();
        };
        let tag = format!("{:x}", view.read(crate::tournament::EventState::version));
        let place = reader.last_place().unwrap_or_default();
        let tag = format!("{place:x}-{tag}");
        let reader = Box::new(reader);
        match address {
            "games.html" => {
                let kind = "text/html; charset=utf-8";
                whole_page(self.long(Long::Games(reader), &tag, kind, headers))
            }
            _ => {
                let long = Long::Events(reader, view);
                self.long(long, &tag, "application/x-ndjson", headers)
            }
        }
    }

    fn long(
        &self,
        long: Long,
        tag: &str,
        kind: &'static str,
        headers: &HeaderMap,
    ) -> Response<Body> {
        let compressed = accepts_gzip(headers);
        if is_known(headers, tag) {
            return tagged(StatusCode::NOT_MODIFIED, tag, compressed, Body::Whole(None));
        }
        let Some(parts) = self.long.begin(long, compressed) else {
            let mut busy = words(
                StatusCode::SERVICE_UNAVAILABLE,
                "Too many long answers are being read: try again in a moment.\n",
            );
            let later = HeaderValue::from_static("10");
            busy.headers_mut().insert(header::RETRY_AFTER, later);
            return busy;
        };
        let mut response = tagged(StatusCode::OK, tag, compressed, Body::Parts(parts));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        response
    }
}

/// A page that contains its style and its script; its own policy names both by their hashes.
fn whole_page(mut response: Response<Body>) -> Response<Body> {
    let framed = HeaderValue::from_static("frame-ancestors 'none'");
    let policy = header::CONTENT_SECURITY_POLICY;
    response.headers_mut().insert(policy, framed);
    response
}

/// The text, or "not modified" if the reader already has this version.
fn whole(text: &Text, headers: &HeaderMap) -> Response<Body> {
    let compressed = accepts_gzip(headers).then(|| text.compressed()).flatten();
    if is_known(headers, &text.tag) {
        let status = StatusCode::NOT_MODIFIED;
        return tagged(status, &text.tag, compressed.is_some(), Body::Whole(None));
    }
    let is_compressed = compressed.is_some();
    let body = compressed.unwrap_or_else(|| text.plain.clone());
    let body = Body::Whole(Some(body));
    let mut response = tagged(StatusCode::OK, &text.tag, is_compressed, body);
    let kind = HeaderValue::from_static(text.kind);
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

fn tagged(status: StatusCode, tag: &str, compressed: bool, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    // A weak tag, because the compressed form has the same tag.
    if let Ok(tag) = HeaderValue::from_str(&format!("W/\"{tag}\"")) {
        headers.insert(header::ETAG, tag);
    }
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if compressed && status == StatusCode::OK {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

/// The messages of an event.
fn stream(event: &LiveEvent) -> Response<Body> {
    let Some(messages) = event.join() else {
        return words(
            StatusCode::SERVICE_UNAVAILABLE,
            "The event is about to begin.\n",
        );
    };
    let mut response = Response::new(Body::Parts(messages));
    let kind = HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

fn not_found() -> Response<Body> {
    words(StatusCode::NOT_FOUND, "There is nothing at this address.\n")
}

fn words(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::Whole(Some(Bytes::from_static(text.as_bytes()))));
    *response.status_mut() = status;
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
