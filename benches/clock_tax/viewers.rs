//! A page of an event, and viewers who read all that it tells.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::task::JoinSet;

use arbiter960::internal::run::Session;
use arbiter960::internal::sink::RunOutputs;
use arbiter960::internal::tournament::EventView;
use arbiter960::internal::web::{LiveEvent, Server, WebSink};

/// How many look: each needs a file here, and one in the server (`ulimit -n 4096`).
const VIEWERS: usize = 1000;

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

/// The viewers: says that they are there, reads until the page ends, and says how many messages came. One thread reads for
/// all: each would be on a machine of its own.
pub(crate) fn look(address: &str) {
    let runtime = Builder::new_current_thread().enable_all().build();
    let seen = runtime.expect("a runtime").block_on(async {
        let mut viewers = JoinSet::new();
        for _ in 0..VIEWERS {
            let stream = TcpStream::connect(address).await;
            let mut stream = stream.expect("the page answers");
            let asked = stream.write_all(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
            asked.await.expect("the page listens");
            viewers.spawn(async move {
                let (mut bytes, mut seen) = (vec![0; 1 << 14], 0);
                while let Ok(1..) = stream.read(&mut bytes).await {
                    seen += 1;
                }
                seen
            });
        }
        println!("there");
        viewers.join_all().await.into_iter().sum::<u64>()
    });
    println!("{seen}");
}
