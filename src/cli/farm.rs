//! How a farm is reached, and how a run coordinates one.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use crate::cli::mistakes::at_least_one;
use crate::farm::{CoordinatorSettings, FarmName, ServerAccess};

/// How to reach the NATS server of a farm.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct ServerArguments {
    /// The farm, if one server has several
    #[arg(long, value_name = "NAME", default_value = "arbiter960")]
    pub farm: Option<FarmName>,

    /// The user at the NATS server
    #[arg(long, value_name = "USER", requires = "nats_password_file")]
    pub nats_user: Option<String>,

    /// A file with the user's password
    #[arg(long, value_name = "FILE", requires = "nats_user")]
    pub nats_password_file: Option<PathBuf>,

    /// A file with the seed of an nkey
    #[arg(long, value_name = "FILE", conflicts_with = "nats_user")]
    pub nats_nkey: Option<PathBuf>,

    /// A file with NATS credentials
    #[arg(long, value_name = "FILE", conflicts_with_all = ["nats_user", "nats_nkey"])]
    pub nats_credentials: Option<PathBuf>,

    /// The certificate of the authority that has signed the server's, if the system does not know it
    #[arg(long, value_name = "FILE")]
    pub nats_ca: Option<PathBuf>,

    /// A certificate of one's own; needs --nats-key
    #[arg(long, value_name = "FILE", requires = "nats_key")]
    pub nats_certificate: Option<PathBuf>,

    /// The key of that certificate
    #[arg(long, value_name = "FILE", requires = "nats_certificate")]
    pub nats_key: Option<PathBuf>,
}

impl ServerArguments {
    /// The same for a server at this address.
    pub(crate) fn access(&self, server: &str) -> ServerAccess {
        ServerAccess {
            server: server.to_owned(),
            user: self.nats_user.clone().zip(self.nats_password_file.clone()),
            nkey: self.nats_nkey.clone(),
            credentials: self.nats_credentials.clone(),
            authority: self.nats_ca.clone(),
            certificate: self.nats_certificate.clone().zip(self.nats_key.clone()),
        }
    }

    /// The farm.
    ///
    /// # Errors
    /// Never: the default is a name.
    pub(crate) fn farm(&self) -> anyhow::Result<FarmName> {
        let usual = || "arbiter960".parse();
        Ok(self.farm.clone().map_or_else(usual, Ok)?)
    }
}

/// How a run has other machines play for it.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct FarmArguments {
    /// Let workers on other machines play, through the NATS server there: nats://HOST or tls://HOST
    /// (docs/many-machines.md)
    #[arg(long, value_name = "URL", conflicts_with = "shard")]
    pub nats: Option<String>,

    /// With --nats: games at once on this machine, too
    #[arg(long, value_name = "N", requires = "nats", value_parser = at_least_one)]
    pub lanes: Option<NonZeroUsize>,

    /// With --nats: after this time without a sign of life, the pairs of a worker go to others
    #[arg(long, value_name = "SECONDS", requires = "nats", default_value = "60", value_parser = at_least_one)]
    pub lease: Option<NonZeroUsize>,

    #[command(flatten)]
    pub server: ServerArguments,
}

impl FarmArguments {
    /// How to coordinate, if requested.
    ///
    /// # Errors
    /// Never, as [`ServerArguments::farm`].
    pub(crate) fn settings(&self) -> anyhow::Result<Option<CoordinatorSettings>> {
        let Some(server) = &self.nats else {
            return Ok(None);
        };
        let lease = self.lease.map_or(60, NonZeroUsize::get);
        Ok(Some(CoordinatorSettings {
            access: self.server.access(server),
            farm: self.server.farm()?,
            lease: Duration::from_secs(lease as u64),
        }))
    }

    /// Games at once on this machine.
    pub(crate) fn local_lanes(&self) -> usize {
        self.lanes.map_or(0, NonZeroUsize::get)
    }
}
