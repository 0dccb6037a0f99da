//! Stops the build for a system that is not supported, puts the commit into `--version`, where the sources come from a
//! checkout, and tells the linker where libraries of other systems are.

use std::process::Command;

fn main() {
    let family = std::env::var("CARGO_CFG_TARGET_FAMILY").unwrap_or_default();
    // Emscripten calls itself a Unix system, and starts no programs.
    if !["unix", "windows"].contains(&family.as_str()) {
        println!(
            "cargo::error=arbiter960 runs on Linux, macOS and other Unix systems, and on Windows: see docs/platforms.md."
        );
        return;
    }
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    // Where dist/release.sh links for another system: what describes macOS's frameworks, and the libraries of mingw.
    println!("cargo::rerun-if-env-changed=ARBITER960_LIBRARIES");
    for (system, option) in [("macos", "-F"), ("windows", "-L")] {
        if let Ok(folder) = std::env::var("ARBITER960_LIBRARIES")
            && is("CARGO_CFG_TARGET_OS", system)
        {
            println!("cargo::rustc-link-arg-bins={option}{folder}");
        }
    }
    // A test starts thousands of programs, and a large one that may lie anywhere takes a tenth longer to begin.
    if is("PROFILE", "debug")
        && is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
    {
        println!("cargo::rustc-link-arg-bins=-no-pie");
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
