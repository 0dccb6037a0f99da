//! Stops the build for a system that is not supported, and puts the commit into `--version`, where the sources come
//! from a checkout.

use std::path::Path;
use std::process::Command;

fn main() {
    let family = std::env::var("CARGO_CFG_TARGET_FAMILY").unwrap_or_default();
    if !family
        .split(',')
        .any(|known| ["unix", "windows"].contains(&known))
    {
        println!(
            "cargo::error=arbiter960 runs on Linux, macOS and other Unix systems, and on Windows: see docs/platforms.md."
        );
        return;
    }
    for file in [".git/HEAD", ".git/index"] {
        if Path::new(file).exists() {
            println!("cargo::rerun-if-changed={file}");
        }
    }
    let described = Command::new("git")
        .args(["rev-parse", "--short=10", "HEAD"])
        .output();
    let commit = match described {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        }
        _ => "unknown commit".to_owned(),
    };
    println!("cargo::rustc-env=ARBITER960_COMMIT={commit}");
}
