//! The thread that serves. Connections that do not move are closed: a client that reads nothing for a while is gone, or
//! occupies resources that others need.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::net::{self, IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use crate::platform::machine::{give_way, open_files_limit};

use super::answer::Site;
use super::desk::{DeskSettings, OrganiserDesk};
use super::event::LiveEvent;
use super::stored::{self, Together};

/// Interval between two messages to viewers.
const TICK: Duration = Duration::from_millis(200);

/// Number of ticks between two keep-alive messages.
const SILENT_TICKS: u32 = 75;

/// Maximum time from the last request until the headers of the next have arrived.
const HEADERS_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum size of the headers of a request in bytes, and maximum number of them.
const MAX_HEADER_BYTES: usize = 16 * 1024;
const MAX_HEADERS: usize = 64;

/// Maximum number of connections at once, if the process may open twice as many files.
const MAX_CONNECTIONS: u64 = 2000;

/// Maximum number of connections at once from one client.
const MAX_OF_A_CLIENT: usize = 32;

/// Maximum time that a write may wait for its reader.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// Time that waiting messages have to be sent when the server ends.
const CLOSING_TIMEOUT: Duration = Duration::from_millis(500);

/// A server of events, until it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    /// Dropped at the end, which ends the thread that draws.
    drawing: Option<Sender<()>>,
    threads: Vec<JoinHandle<()>>,
}

impl Server {
    /// Starts to serve these events at this address, with a desk at which the first can be changed.
    ///
    /// # Errors
    /// The address is not available, or the system refuses a thread.
    pub fn start(
        address: SocketAddr,
        events: Vec<Arc<LiveEvent>>,
        desk: Option<DeskSettings>,
    ) -> io::Result<Server> {
        let listener = net::TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let drawn = events.clone();
        let together = Arc::new(Together::new(events.len()));
        let told = Arc::clone(&together);
        let desk = desk.map(|settings| OrganiserDesk::open(settings, address));
        let is_local = address.ip().is_loopback();
        let site = Arc::new(Site::new(events, told, is_local, desk.transpose()?));
        let (stop, stopped) = oneshot::channel();
        let serving = Builder::new().name("web".to_owned()).spawn(move || {
            // Engines come first.
            give_way(10);
            runtime.block_on(serve(listener, site, stopped));
        })?;
        let (drawing, over): (Sender<()>, Receiver<()>) = channel();
        let figures = Builder::new()
            .name("web-figures".to_owned())
            .spawn(move || stored::draw(&drawn, &together, &over))?;
        Ok(Server {
            address,
            stop: Some(stop),
            drawing: Some(drawing),
            threads: vec![serving, figures],
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until something else ends the process.
    pub(crate) fn wait(mut self) {
        for thread in self.threads.drain(..) {
            // The panic was already printed on stderr.
            let _panicked = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.drawing = None;
        if let Some(stop) = self.stop.take() {
            // The thread may have ended by itself.
            let _ended = stop.send(());
        }
        // The thread that draws may be at work for a while; it is not waited for.
        if let Some(serving) = (!self.threads.is_empty()).then(|| self.threads.remove(0)) {
            let _panicked = serving.join();
        }
    }
}

async fn serve(listener: net::TcpListener, site: Arc<Site>, mut stopped: oneshot::Receiver<()>) {
    let listener = match TcpListener::from_std(listener) {
        Ok(listener) => listener,
        Err(error) => return tracing::error!(%error, "the page cannot be served"),
    };
    let most = usize::try_from((open_files_limit() / 2).clamp(8, MAX_CONNECTIONS)).unwrap_or(8);
    let mut slots = ConnectionSlots::new(most);
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut silent = 0;
    loop {
        tokio::select! {
            _ = &mut stopped => break,
            _ = ticks.tick() => {
                silent = (silent + 1) % SILENT_TICKS;
                for event in &site.events {
                    event.tell();
                    if silent == 0 { event.keep_alive(); }
                }
            }
            accepted = listener.accept() => match accepted {
                Ok((stream, from)) => welcome(stream, from.ip(), &site, &mut slots),
                Err(error) => {
                    // Usually no file descriptor is free: other connections have to end first.
                    tracing::warn!(%error, "the page cannot take a connection");
                    sleep(TICK).await;
                }
            },
        }
    }
    // Clients that read slowly are not waited for.
    let _sent = timeout(CLOSING_TIMEOUT, slots.end()).await;
}

fn welcome(stream: TcpStream, from: IpAddr, site: &Arc<Site>, slots: &mut ConnectionSlots) {
    match slots.take(from) {
        Some(closed) => drop(tokio::spawn(connection(stream, Arc::clone(site), closed))),
        None => {
            let full = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 10\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            // A client that does not read the answer is refused all the same.
            let _unread = stream.try_write(full);
        }
    }
}

/// Slots for connections. One client cannot keep the others out.
#[derive(Debug)]
struct ConnectionSlots {
    most: usize,
    taken: VecDeque<ConnectionSlot>,
}

/// A client's slot; its connection is closed when this is dropped.
#[derive(Debug)]
struct ConnectionSlot {
    client: IpAddr,
    open: oneshot::Sender<()>,
}

impl ConnectionSlots {
    fn new(most: usize) -> ConnectionSlots {
        let taken = VecDeque::new();
        ConnectionSlots { most, taken }
    }

    /// A slot for a connection from this address, until what is returned is dropped; `None` if all are taken. Beyond a
    /// client's share its oldest connection makes room; the viewers of a proxy on this machine, which are not told
    /// apart, have three quarters of all.
    fn take(&mut self, from: IpAddr) -> Option<oneshot::Receiver<()>> {
        let client = client(from);
        self.taken.retain(|slot| !slot.open.is_closed());
        let share = if client.is_loopback() {
            self.most - self.most / 4
        } else {
            MAX_OF_A_CLIENT
        };
        let is_own = |slot: &&ConnectionSlot| slot.client == client;
        if self.taken.iter().filter(is_own).count() >= share
            && let Some(oldest) = self.taken.iter().position(|slot| is_own(&slot))
        {
            self.taken.remove(oldest);
        }
        let (open, closed) = oneshot::channel();
        let is_free = self.taken.len() < self.most;
        is_free.then(|| {
            self.taken.push_back(ConnectionSlot { client, open });
            closed
        })
    }

    /// Waits until all connections have ended.
    async fn end(&mut self) {
        for slot in &mut self.taken {
            slot.open.closed().await;
        }
    }
}

/// Addresses that one client can have count as one: those of this machine alone, and those of one IPv6 network.
fn client(from: IpAddr) -> IpAddr {
    match from.to_canonical() {
        own if own.is_loopback() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        other => other,
    }
}

async fn connection(stream: TcpStream, site: Arc<Site>, closed: oneshot::Receiver<()>) {
    // A small message is not held back for a larger one.
    let _unset = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let site = Arc::clone(&site);
        async move { Ok::<_, Infallible>(site.answer(request).await) }
    });
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(WRITE_TIMEOUT));
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS_TIMEOUT)
        .max_headers(MAX_HEADERS)
        .max_buf_size(MAX_HEADER_BYTES)
        .serve_connection(TokioIo::new(Box::pin(stream)), service);
    tokio::select! {
        _ = closed => {}
        served = served => if let Err(error) = served {
            tracing::debug!(%error, "a connection to the page ended");
        },
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot::error::TryRecvError;

    use super::*;

    type Taken = Option<oneshot::Receiver<()>>;

    fn take(slots: &mut ConnectionSlots, from: &str) -> Taken {
        slots.take(from.parse().unwrap())
    }

    fn is_open(taken: &mut Taken) -> bool {
        taken.as_mut().unwrap().try_recv() == Err(TryRecvError::Empty)
    }

    #[test]
    fn one_client_does_not_keep_the_others_out() {
        for addresses in [
            ["192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"],
            ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"],
        ] {
            let mut slots = ConnectionSlots::new(100);
            let [one, same, other] = addresses;
            let several = [one, same].into_iter().cycle().take(100);
            let mut taken: Vec<_> = several.map(|from| take(&mut slots, from)).collect();
            assert!(is_open(&mut take(&mut slots, other)));
            let open = taken.iter_mut().map(is_open).filter(|open| *open).count();
            assert_eq!(open, MAX_OF_A_CLIENT);
        }
    }

    #[test]
    fn viewers_of_a_proxy_come_in_and_leave_room_for_others() {
        let mut slots = ConnectionSlots::new(100);
        let own = ["127.0.0.1", "127.9.9.9", "::1"]
            .into_iter()
            .cycle()
            .take(200);
        let mut taken: Vec<_> = own.map(|from| take(&mut slots, from)).collect();
        let open: Vec<bool> = taken.iter_mut().map(is_open).collect();
        assert_eq!(open, [vec![false; 125], vec![true; 75]].concat());
        let others = (0..25).map(|number| format!("192.0.2.{number}"));
        let others: Vec<_> = others.map(|from| take(&mut slots, &from)).collect();
        assert!(others.iter().all(Option::is_some));
        // Every slot is taken.
        assert!(take(&mut slots, "192.0.2.99").is_none());
        assert!(take(&mut slots, "127.0.0.1").is_some());
        drop((taken, others));
        assert!(take(&mut slots, "192.0.2.99").is_some());
        assert_eq!(slots.taken.len(), 1);
    }
}
