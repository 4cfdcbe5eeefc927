//! Writes the synthetic catalog of 100 assets as a bundle to the file that is named, for benches in other languages.

use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(file) = std::env::args_os().nth(1) else {
        eprintln!("error: name the file to write");
        return ExitCode::from(2);
    };
    match std::fs::write(&file, virt_autopilot_tests::synthetic::catalog(100).to_bundle()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: cannot write {}: {error}", file.display());
            ExitCode::FAILURE
        }
    }
}
