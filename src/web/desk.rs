//! The organiser's desk: who may change the event, and from where. What is asked for is done by the command line's own
//! `control` and `decide`.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::header::{self, HeaderMap, HeaderValue};
use sha2::{Digest, Sha256};
use tokio::time::timeout;

use crate::text::tell;

/// Maximum size of an order in bytes, and maximum time that it may take to arrive.
const MAX_ORDER_BYTES: usize = 8 * 1024;
const ORDER_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum number of desks at once; beyond them the oldest is closed.
const MAX_DESKS: usize = 8;

/// Does what is asked in the event of this folder: an answer as JSON, or why not.
pub(crate) type DeskOrders = fn(&Path, &[u8]) -> Result<String, String>;

/// What a desk needs.
#[derive(Debug, Clone)]
pub struct DeskSettings {
    /// `https://HOST`, if TLS is in front; else the page is for this machine alone.
    pub(crate) public: Option<String>,
    pub(crate) orders: DeskOrders,
}

/// The desk of a server.
#[derive(Debug)]
pub(super) struct OrganiserDesk {
    pub(super) settings: DeskSettings,
    address: SocketAddr,
    keys: Mutex<DeskKeys>,
}

#[derive(Debug)]
struct DeskKeys {
    /// Opens one desk, and is another one then.
    token: String,
    /// What the cookies of the open desks have.
    open: VecDeque<String>,
}

impl OrganiserDesk {
    /// A desk whose first token is printed.
    pub(super) fn open(settings: DeskSettings, address: SocketAddr) -> io::Result<OrganiserDesk> {
        let desk = OrganiserDesk {
            settings,
            address,
            keys: Mutex::new(DeskKeys {
                token: secret()?,
                open: VecDeque::new(),
            }),
        };
        desk.print(&desk.keys().token);
        Ok(desk)
    }

    /// The token is the part of the address that no browser sends.
    fn print(&self, token: &str) {
        let local = format!("http://{}", self.address);
        let page = self.settings.public.as_deref().unwrap_or(&local);
        let desk = format!("{page}/desk#token={token}");
        tell(&format!("the organiser's desk, once: {desk}"));
    }

    /// Whether the host name in a request is that of the address where TLS is in front.
    pub(super) fn is_named(&self, headers: &HeaderMap) -> bool {
        let public = self.settings.public.as_deref();
        let host = public.and_then(|public| public.strip_prefix("https://"));
        let named = headers.get(header::HOST).and_then(|own| own.to_str().ok());
        host.is_some() && named == host
    }

    /// Whether an order comes from a page of this server. A form of another page can send no JSON, and no page can say
    /// that it is another.
    pub(super) fn is_own(&self, headers: &HeaderMap) -> bool {
        let of = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let local = || Some(format!("http://{}", of(header::HOST)?));
        let own = self.settings.public.clone().or_else(local);
        let is_json = of(header::CONTENT_TYPE) == Some("application/json");
        own.is_some() && of(header::ORIGIN) == own.as_deref() && is_json
    }

    /// Opens a desk with its token: the cookie to set, or nothing for another token.
    pub(super) fn enter(&self, token: &[u8]) -> Option<HeaderValue> {
        let (cookie, next) = (secret().ok()?, secret().ok()?);
        let mut keys = self.keys();
        if !is_same(token, keys.token.as_bytes()) {
            return None;
        }
        keys.token.clone_from(&next);
        keys.open.push_back(cookie.clone());
        if keys.open.len() > MAX_DESKS {
            keys.open.pop_front();
        }
        drop(keys);
        tell("the organiser's desk was opened");
        self.print(&next);
        let secure = self.settings.public.as_ref().map_or("", |_| "; Secure");
        let name = self.cookie_name();
        let cookie = format!("{name}={cookie}; Path=/; HttpOnly; SameSite=Strict{secure}");
        HeaderValue::try_from(cookie).ok()
    }

    /// Whether a request comes with the cookie of an open desk.
    pub(super) fn knows(&self, headers: &HeaderMap) -> bool {
        let all = headers.get_all(header::COOKIE).into_iter();
        let texts = all.filter_map(|value| value.to_str().ok());
        let start = self.cookie_name() + "=";
        let cookies = texts.flat_map(|text| text.split(';'));
        let mut given = cookies.filter_map(|one| one.trim().strip_prefix(&start));
        let keys = self.keys();
        let is_open = |given: &str| {
            let mut open = keys.open.iter();
            open.any(|open| is_same(given.as_bytes(), open.as_bytes()))
        };
        given.any(is_open)
    }

    /// Cookies are not kept apart by ports, so the name is.
    fn cookie_name(&self) -> String {
        format!("desk-{}", self.address.port())
    }

    fn keys(&self) -> MutexGuard<'_, DeskKeys> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A text that nobody can guess.
fn secret() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

/// Whether two secrets are equal, in a time that says nothing about where they differ.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    Sha256::digest(one) == Sha256::digest(other)
}

/// The body of an order; `None` if it is too long or does not arrive, which is no order.
pub(super) async fn order_of(body: Incoming) -> Option<Vec<u8>> {
    let read = async {
        let (mut body, mut bytes) = (pin!(body), Vec::new());
        while let Some(frame) = poll_fn(|context| body.as_mut().poll_frame(context)).await {
            bytes.extend_from_slice(&frame.ok()?.into_data().ok()?);
            if bytes.len() > MAX_ORDER_BYTES {
                return None;
            }
        }
        Some(bytes)
    };
    timeout(ORDER_TIMEOUT, read).await.ok()?
}
