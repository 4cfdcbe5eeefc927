//! The conformance run: vector files through the native core and through the packed npm package.

use std::path::{Path, PathBuf};

use crate::failure::{Context, Failure, Result};
use crate::npm;
use crate::run::{cargo, run as see};

/// Runs the given files, or all that the project knows.
pub fn run(arguments: &[String]) -> Result {
    if let Some(option) = arguments.iter().find(|argument| argument.starts_with('-')) {
        return Err(Failure::usage(format!("this takes files, not `{option}`")));
    }
    let here = std::env::current_dir().context(|| "find the current folder".to_owned())?;
    let files: Vec<PathBuf> = arguments.iter().map(|file| here.join(file)).collect();
    npm::build()?;
    let project = npm::install_packed(&npm::pack()?, "conformance")?;
    with_package(&project, &files)
}

/// The same, with the package already installed in `project`.
pub fn with_package(project: &Path, files: &[PathBuf]) -> Result {
    let mut runner = cargo();
    runner.args(["run", "--quiet", "--locked", "--package", "virt-autopilot-tests", "--bin", "conformance", "--"]);
    see(runner.arg("--package").arg(project).args(files))
}
