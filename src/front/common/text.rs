//! The help and version texts of the fronts.

/// The line before the openings of a book are put into random order.
pub(crate) const INDEXING: &str = "Indexing opening suite...";

/// The version of fastchess whose options and output this program follows.
const COMPATIBLE: &str = "1.8.2";

/// The line of `-version`. It begins with the number that callers compare, and names this program; it never contains
/// another program's commit.
pub(crate) fn version() -> String {
    let own = env!("CARGO_PKG_VERSION");
    format!("fastchess-compatible {COMPATIBLE} (arbiter960 {own})")
}

/// The text of `-help`.
pub(crate) const HELP: &str = "\
arbiter960 in the place of fastchess: its command line, its output, its files.

  -engine KEY=VALUE...     an engine: cmd, name, dir, args, tc, st, nodes, depth, timemargin,
                           restart, proto, option.NAME
  -each KEY=VALUE...       the same keys, for every engine
  -openings KEY=VALUE...   file, format=epd|pgn, order=sequential|random, plies, start
  -rounds N -games N -repeat -noswap -reverse -tournament roundrobin|gauntlet -seeds N
  -concurrency N -force-concurrency -use-affinity -variant standard|fischerandom -srand N
  -sprt elo0= elo1= alpha= beta= model=normalized|logistic|bayesian
  -draw movenumber= movecount= score=   -resign movecount= score= twosided=   -maxmoves N
  -pgnout file= append= notation=san|lan|uci min= nodes= seldepth= nps= hashfull= tbhits= pv=
          timeleft= latency=   -epdout file= append=   -event TEXT -site TEXT -crc32 pgn=true
  -output format=fastchess|cutechess -ratinginterval N -scoreinterval N -report penta=
  -config file= outname= discard= stats=   -autosaveinterval N   -recover
  -startup-ms N -ucinewgame-ms N -ping-ms N
  -version -help
  --print-config           print the event file that says the same, and play nothing

The same line goes on where it was stopped, however that came about. Its store lies beside the PGN
file, else in $XDG_STATE_HOME/arbiter960, and is removed when the event is complete;
ARBITER960_STORE names another folder, which is kept. What differs: docs/migrating.md
";

/// The version of cutechess-cli whose options and output this program follows.
const CUTECHESS: &str = "1.5.1";

/// The line of `--version` when this program replaces cutechess-cli.
pub(crate) fn cutechess_version() -> String {
    let own = env!("CARGO_PKG_VERSION");
    format!("cutechess-cli-compatible {CUTECHESS} (arbiter960 {own})")
}

/// The text of `-help` when this program replaces cutechess-cli.
pub(crate) const CUTECHESS_HELP: &str = "\
arbiter960 in the place of cutechess-cli, for engines that speak UCI.

  -engine KEY=VALUE...     conf, name, cmd, dir, arg, proto, tc, st, nodes, depth, timemargin,
                           restart, initstr, ponder, tscale, option.NAME
  -each KEY=VALUE...       the same keys, for every engine
  -tournament round-robin|gauntlet|pyramid   -seeds N
  -openings file= format=epd|pgn order=sequential|random plies= start=
            policy=default|encounter|round
  -games N -rounds N -repeat [N] -noswap -reverse -concurrency N -variant standard|fischerandom
  -sprt elo0= elo1= alpha= beta=   -draw movenumber= movecount= score=
  -resign movecount= score= twosided=   -maxmoves N   -recover   -srand N
  -pgnout FILE [min] [fi]   -epdout FILE   -event TEXT -site TEXT   -ratinginterval N
  -outcomeinterval N   -resultformat FIELDS|NAME|help   -engines -version -help
  --print-config           print the event file that says the same, and play nothing

What differs: docs/migrating.md
";
