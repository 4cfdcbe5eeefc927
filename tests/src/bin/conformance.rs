//! Runs vector files through the native core and, with `--package PROJECT`, through the npm package installed there.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use virt_autopilot_tests::conformance::engine::Engine;
use virt_autopilot_tests::conformance::known::KnownDifferences;
use virt_autopilot_tests::conformance::{Native, Package, default_files, run, suite};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).peekable();
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(Native)];
    if arguments.next_if(|argument| argument == "--package").is_some() {
        let project = arguments.next().unwrap_or_default().into();
        engines.push(Box::new(Package { project }));
    }
    let mut files: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    // Who names a file wants it run; among all files, some may be for what is yet to come.
    let named = !files.is_empty();
    if !named {
        files = default_files();
    }
    match run_all(&files, &engines, named) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Prints a line for each file and engine, then each failure; whether there was none.
fn run_all(files: &[PathBuf], engines: &[Box<dyn Engine>], named: bool) -> Result<bool, String> {
    let known = KnownDifferences::read()?;
    let mut green = true;
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let suite = match suite::read(Path::new(file)) {
            Ok(suite) => suite,
            Err(message) => {
                println!("{name}: not run: {message}");
                green = false;
                continue;
            }
        };
        for engine in engines {
            let report = run(&suite, engine.as_ref(), &known)?;
            print!("{name} ({}): {} passed, {} failed", engine.name(), report.passed, report.failures.len());
            if report.known > 0 {
                print!(", {} known differences", report.known);
            }
            if report.not_run > 0 {
                print!(", {} not yet run: the engine has no {} yet", report.not_run, suite.kind.name);
            }
            println!();
            for (case, difference) in &report.failures {
                println!("  FAILED {}: {}", one_line(case), one_line(difference));
            }
            green &= report.failures.is_empty() && !(named && report.not_run > 0);
        }
    }
    Ok(green)
}

fn one_line(text: &str) -> String {
    let text = text.escape_debug().to_string().replace("\\\"", "\"").replace("\\'", "'");
    if text.chars().count() <= 400 { text } else { text.chars().take(397).chain("…".chars()).collect() }
}
