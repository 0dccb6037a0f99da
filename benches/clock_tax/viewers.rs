//! A page of an event, and viewers who read all that it tells.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::Builder;

use arbiter960::internal::run::Session;
use arbiter960::internal::sink::RunOutputs;
use arbiter960::internal::tournament::EventView;
use arbiter960::internal::web::{LiveEvent, Server, WebSink};

/// How many look.
const VIEWERS: usize = 200;

/// A page with its viewers.
pub(crate) struct Page {
    event: Arc<LiveEvent>,
    server: Server,
    viewers: Option<Child>,
}

impl Page {
    /// A page of an event that has not begun.
    pub(crate) fn open() -> Page {
        let event = Arc::<LiveEvent>::default();
        let address = "127.0.0.1:0".parse().expect("an address");
        let server = Server::start(address, vec![Arc::clone(&event)], None);
        Page {
            event,
            server: server.expect("the page can be served"),
            viewers: None,
        }
    }

    /// The event begins: its page gets it, and the viewers come.
    pub(crate) fn begin(
        &mut self,
        session: &Session,
        event: &EventView,
        audience: &mut RunOutputs,
    ) {
        let reader = session.reader().expect("the store can be read");
        let begun = self.event.begin(&reader, event.clone(), true);
        begun.expect("the store can be read");
        audience.broadcast.add(WebSink(Arc::clone(&self.event)));
        let program = std::env::current_exe().expect("this program");
        let mut command = Command::new("nice");
        command.args(["-n", "19"]).arg(program);
        command.args(["viewers", &self.server.address().to_string()]);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("they start");
        let mut there = String::new();
        let out = child.stdout.as_mut().expect("it is a pipe");
        let read = BufReader::new(out).read_line(&mut there);
        read.expect("they are there");
        self.viewers = Some(child);
    }

    /// How many messages were seen.
    pub(crate) fn close(self) -> u64 {
        let Some(child) = self.viewers else { return 0 };
        drop(self.server);
        let out = child.wait_with_output().expect("they end");
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        text.trim().parse().expect("the number of messages")
    }
}

/// The viewers: says that they are there, reads until the page ends, and says how many messages came.
pub(crate) fn look(address: &str) {
    let seen = Arc::new(AtomicU64::new(0));
    let mut threads = Vec::new();
    for _ in 0..VIEWERS {
        let mut stream = TcpStream::connect(address).expect("the page answers");
        let asked = stream.write_all(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
        asked.expect("the page listens");
        let seen = Arc::clone(&seen);
        let read = move || {
            let mut bytes = [0; 1 << 14];
            while let Ok(1..) = stream.read(&mut bytes) {
                seen.fetch_add(1, Ordering::Relaxed);
            }
        };
        let thread = Builder::new().stack_size(1 << 17).spawn(read);
        threads.push(thread.expect("a thread"));
    }
    println!("there");
    for thread in threads {
        thread.join().expect("it ends");
    }
    println!("{}", seen.load(Ordering::Relaxed));
}
