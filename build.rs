//! Stops the build for a system that is not supported, puts the commit into `--version`, where the sources come from a
//! checkout, and tells the linker of macOS's frameworks, where there is no Mac.

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
    // Where macOS's frameworks are described, if the program is linked without Apple's SDK (dist/release.sh).
    println!("cargo::rerun-if-env-changed=ARBITER960_FRAMEWORKS");
    if let Ok(folder) = std::env::var("ARBITER960_FRAMEWORKS")
        && std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "macos")
    {
        println!("cargo::rustc-link-arg-bins=-F{folder}");
    }
    // In a worktree, `.git` is a file that names the folder where these are.
    for file in git(&["rev-parse", "--git-path", "HEAD", "--git-path", "index"]).lines() {
        println!("cargo::rerun-if-changed={file}");
    }
    let commit = git(&["rev-parse", "--short=10", "HEAD"]);
    let commit = if commit.is_empty() {
        "unknown commit"
    } else {
        &commit
    };
    println!("cargo::rustc-env=ARBITER960_COMMIT={commit}");
}

/// What git says; nothing where the sources do not come from a checkout.
fn git(words: &[&str]) -> String {
    match Command::new("git").args(words).output() {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        }
        _ => String::new(),
    }
}
