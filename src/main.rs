//! The command line of arbiter960: parse, run, print the error, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    arbiter960::main()
}
