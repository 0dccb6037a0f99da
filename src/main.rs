//! The command line of arbiter960: parse, run, print the error, exit code.

fn main() -> std::process::ExitCode {
    std::process::ExitCode::SUCCESS
}
