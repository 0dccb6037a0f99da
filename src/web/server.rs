//! The thread that serves.

use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use super::answer::Site;
use super::event::LiveEvent;
use super::figures;
use super::patience::Patient;
use crate::platform::machine::{give_way, open_files_limit};

/// Interval between two messages to viewers.
const TICK: Duration = Duration::from_millis(200);

/// Number of ticks between two keep-alive messages.
const SILENT_TICKS: u32 = 75;

/// Maximum time from the last request until the headers of the next have arrived.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);

/// Maximum size of the headers of a request in bytes, and maximum number of them.
const HEADER_BYTES: usize = 16 * 1024;
const HEADERS: usize = 64;

/// Maximum number of connections at once, if the process may open twice as many files.
const CONNECTIONS: u64 = 1000;

/// Maximum number of connections at once from one client.
const OF_A_CLIENT: usize = 32;

/// Time that waiting messages have to be sent when the server ends.
const LAST_WORDS: Duration = Duration::from_millis(500);

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
    /// Starts to serve these events at this address.
    ///
    /// # Errors
    /// The address is not available, or the system refuses a thread.
    pub fn start(address: SocketAddr, events: Vec<Arc<LiveEvent>>) -> io::Result<Server> {
        let listener = std::net::TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let drawn = events.clone();
        let site = Arc::new(Site::new(events, address.ip().is_loopback()));
        let (stop, stopped) = oneshot::channel();
        let serving = Builder::new().name("web".to_owned()).spawn(move || {
            // Engines come first.
            give_way(10);
            runtime.block_on(serve(listener, site, stopped));
        })?;
        let (drawing, over): (Sender<()>, Receiver<()>) = channel();
        let figures = Builder::new()
            .name("web-figures".to_owned())
            .spawn(move || figures::draw(&drawn, &over))?;
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
    pub fn wait(mut self) {
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

async fn serve(
    listener: std::net::TcpListener,
    site: Arc<Site>,
    mut stopped: oneshot::Receiver<()>,
) {
    let listener = match TcpListener::from_std(listener) {
        Ok(listener) => listener,
        Err(error) => return tracing::error!(%error, "the page cannot be served"),
    };
    let most = usize::try_from((open_files_limit() / 2).clamp(8, CONNECTIONS)).unwrap_or(8);
    let seats = Seats::new(most);
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
                Ok((stream, from)) => welcome(stream, from.ip(), &site, &seats),
                Err(error) => {
                    // Usually no file descriptor is free: other connections have to end first.
                    tracing::warn!(%error, "the page cannot take a connection");
                    sleep(TICK).await;
                }
            },
        }
    }
    let all = u32::try_from(most).unwrap_or(u32::MAX);
    // Clients that read slowly are not waited for.
    let _sent = timeout(LAST_WORDS, seats.places.acquire_many(all)).await;
}

fn welcome(stream: TcpStream, from: IpAddr, site: &Arc<Site>, seats: &Seats) {
    match seats.take(from) {
        Some(seat) => drop(tokio::spawn(connection(stream, Arc::clone(site), seat))),
        None => {
            let full = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 10\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            // A client that does not read the answer is refused all the same.
            let _unread = stream.try_write(full);
        }
    }
}

/// Slots for connections. One client cannot keep the others out.
#[derive(Debug, Clone)]
struct Seats {
    places: Arc<Semaphore>,
    /// How many of them programs on this machine can have, among them a proxy.
    local: usize,
    taken: Arc<Mutex<TakenSlots>>,
}

/// The slots of each client, in the order in which they were taken.
#[derive(Debug, Default)]
struct TakenSlots {
    slots: HashMap<IpAddr, BTreeMap<u64, HeldSlot>>,
    so_far: u64,
}

/// What a client has; the connection is closed when this is dropped.
type HeldSlot = (OwnedSemaphorePermit, oneshot::Sender<()>);

/// A slot that is taken until this is dropped.
#[derive(Debug)]
struct ConnectionSlot {
    client: IpAddr,
    number: u64,
    seats: Seats,
    closed: oneshot::Receiver<()>,
}

impl Seats {
    fn new(most: usize) -> Seats {
        Seats {
            places: Arc::new(Semaphore::new(most)),
            local: most - most / 4,
            taken: Arc::default(),
        }
    }

    /// A slot for a connection from this address; `None` if all are taken, or this client has its share. The viewers
    /// of a proxy on this machine are not told apart: beyond their share, the oldest of them makes room.
    fn take(&self, from: IpAddr) -> Option<ConnectionSlot> {
        let client = client(from);
        let mut taken = self.taken();
        if let Some(own) = taken.slots.get_mut(&client) {
            if client.is_loopback() && own.len() >= self.local {
                own.pop_first();
            } else if !client.is_loopback() && own.len() >= OF_A_CLIENT {
                return None;
            }
        }
        let place = Arc::clone(&self.places).try_acquire_owned().ok()?;
        let (open, closed) = oneshot::channel();
        taken.so_far += 1;
        let number = taken.so_far;
        let own = taken.slots.entry(client).or_default();
        own.insert(number, (place, open));
        Some(ConnectionSlot {
            client,
            number,
            seats: self.clone(),
            closed,
        })
    }

    fn taken(&self) -> MutexGuard<'_, TakenSlots> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
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

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut taken = self.seats.taken();
        if let Some(own) = taken.slots.get_mut(&self.client) {
            own.remove(&self.number);
            if own.is_empty() {
                taken.slots.remove(&self.client);
            }
        }
    }
}

async fn connection(stream: TcpStream, site: Arc<Site>, mut slot: ConnectionSlot) {
    // A small message is not held back for a larger one.
    let _unset = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let response = site.answer(&request);
        async move { Ok::<_, Infallible>(response) }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS_WITHIN)
        .max_headers(HEADERS)
        .max_buf_size(HEADER_BYTES)
        .serve_connection(TokioIo::new(Patient::new(stream)), service);
    tokio::select! {
        _ = &mut slot.closed => {}
        served = served => if let Err(error) = served {
            tracing::debug!(%error, "a connection to the page ended");
        },
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot::error::TryRecvError;

    use super::*;

    fn take(seats: &Seats, from: &str) -> Option<ConnectionSlot> {
        seats.take(from.parse().unwrap())
    }

    #[test]
    fn one_client_does_not_keep_the_others_out() {
        let seats = Seats::new(100);
        for [one, same, other] in [
            ["192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"],
            ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"],
        ] {
            let several = [one, same].into_iter().cycle();
            let mut taken: Vec<_> = several.map_while(|from| take(&seats, from)).collect();
            assert_eq!(taken.len(), OF_A_CLIENT);
            assert!(take(&seats, other).is_some());
            taken.pop();
            assert!(take(&seats, one).is_some());
        }
        assert!(seats.taken().slots.is_empty());
        assert_eq!(seats.places.available_permits(), 100);
    }

    #[test]
    fn viewers_of_a_proxy_come_in_and_leave_room_for_others() {
        let seats = Seats::new(100);
        let own = ["127.0.0.1", "127.9.9.9", "::1"].into_iter().cycle();
        let mut taken: Vec<_> = own
            .take(200)
            .map(|from| take(&seats, from).unwrap())
            .collect();
        let is_open =
            |slot: &mut ConnectionSlot| slot.closed.try_recv() == Err(TryRecvError::Empty);
        let open: Vec<bool> = taken.iter_mut().map(is_open).collect();
        assert_eq!(open, [vec![false; 125], vec![true; 75]].concat());
        let others: Vec<_> = (0..25)
            .filter_map(|number| take(&seats, &format!("192.0.2.{number}")))
            .collect();
        assert_eq!(others.len(), 25);
        // Every slot is taken.
        assert!(take(&seats, "192.0.2.99").is_none());
        assert!(take(&seats, "127.0.0.1").is_some());
        drop((taken, others));
        assert!(seats.taken().slots.is_empty());
        assert_eq!(seats.places.available_permits(), 100);
    }
}
