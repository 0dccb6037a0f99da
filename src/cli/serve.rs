//! `arbiter960 serve`: events on a page for browsers and programs.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};

use crate::cli::sources::{folder_of, is_event};
use crate::cli::{control, exit};
use crate::store::EVENT_FILE;
use crate::text::tell;
use crate::web::{DeskSettings, LiveEvent, Server, watch};

/// Show events on a page: standings, crosstable, rounds, figures, files.
///
/// Events that are finished, and events that are played now: what is stored is shown within a second or so.
/// The boards of running games are on the page of `run --web`. Nothing can be changed from the page, and nothing
/// outside the events' folders can be reached. Ctrl-C ends it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 serve results/quickstart
  arbiter960 serve results/qualifying results/final --address 0.0.0.0:9600
  curl --compressed http://127.0.0.1:9600/standings.json")]
pub(crate) struct ServeArguments {
    /// Event folders
    #[arg(value_name = "RESULTS", required = true)]
    results: Vec<PathBuf>,

    /// Where to listen: 9600, or 127.0.0.1:9600 for this machine alone, 0.0.0.0:9600 for all
    #[arg(long, value_name = "ADDRESS", value_parser = address, default_value = "127.0.0.1:9600")]
    address: SocketAddr,
}

/// Runs the command.
///
/// # Errors
/// An event cannot be read, or the address cannot be used.
pub(crate) fn run(arguments: &ServeArguments, out: &mut dyn Write) -> Result<u8> {
    let mut events = Vec::new();
    for path in &arguments.results {
        if !is_event(path) || !folder_of(path).join(EVENT_FILE).exists() {
            let place = path.display();
            anyhow::bail!("{place} holds no event (there is no {EVENT_FILE})");
        }
        events.push(watch(folder_of(path))?);
    }
    let address = arguments.address;
    let server = Server::start(address, events, None)
        .with_context(|| format!("cannot listen at {address}"))?;
    writeln!(out, "http://{}/", server.address())?;
    out.flush()?;
    server.wait();
    Ok(exit::DONE)
}

/// The page of an event that is about to be played.
pub(crate) struct Page {
    pub(crate) event: Arc<LiveEvent>,
    _server: Server,
}

impl Page {
    /// Serves at this address from now on, with a desk if that is wanted.
    ///
    /// # Errors
    /// The address cannot be used, or others could read what is sent to the desk.
    pub(crate) fn open(address: SocketAddr, desk: Option<&str>) -> Result<Page> {
        let event = Arc::<LiveEvent>::default();
        if desk == Some("") && !address.ip().is_loopback() {
            anyhow::bail!(
                "--desk without TLS is for this machine alone: --web 127.0.0.1:{}, or --desk=https://HOST with TLS in front",
                address.port()
            );
        }
        let desk = desk.map(|public| DeskSettings {
            public: (!public.is_empty()).then(|| public.to_owned()),
            orders: control::order,
        });
        let events = vec![Arc::clone(&event)];
        let server = Server::start(address, events, desk)
            .with_context(|| format!("cannot listen at {address}"))?;
        let address = server.address();
        tell(&format!("the event can be watched at http://{address}/"));
        Ok(Page {
            event,
            _server: server,
        })
    }
}

/// Where TLS is in front, as browsers say it: without a path.
pub(crate) fn public_address(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://");
    let host = host.map(|host| host.trim_end_matches('/').to_ascii_lowercase());
    match host.filter(|host| !host.is_empty() && !host.contains(['/', '@', '?', '#', ' '])) {
        Some(host) => Ok(format!("https://{host}")),
        None if text.is_empty() => Ok(String::new()),
        None => Err(
            "where TLS is in front is https:// and a name, such as https://chess.example.org"
                .to_owned(),
        ),
    }
}

/// An address, or a port of this machine alone.
pub(crate) fn address(text: &str) -> Result<SocketAddr, String> {
    let here = text.strip_prefix("localhost:");
    if let Ok(port) = here.unwrap_or(text.trim_start_matches(':')).parse() {
        return Ok(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
    }
    text.parse().map_err(|_| {
        "an address is a port, such as 9600, or a number and a port, such as 127.0.0.1:9600"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_is_this_machine() {
        for text in ["9600", ":9600", "localhost:9600", "127.0.0.1:9600"] {
            assert_eq!(address(text).unwrap().to_string(), "127.0.0.1:9600");
        }
        assert_eq!(address("[::1]:80").unwrap().to_string(), "[::1]:80");
        assert!(address("0.0.0.0").is_err());
        assert!(address("example.org:80").is_err());
    }
}
