//! The command line on the demo cluster.

use std::process::Command;

use crate::failure::{Failure, Result};
use crate::npm;
use crate::paths;
use crate::run::tool;

/// Without arguments the status table, what is rendered, and what it would change; else what the arguments say.
pub fn run(arguments: &[String]) -> Result {
    npm::build()?;
    if !arguments.is_empty() {
        return cli(arguments);
    }
    cli(&["render", "--demo", "-o", "status"].map(str::to_owned))?;
    println!();
    cli(&["render", "--demo", "-o", "yaml"].map(str::to_owned))?;
    println!();
    cli(&["plan", "--demo"].map(str::to_owned))
}

fn cli(arguments: &[String]) -> Result {
    let mut node: Command = tool("node")?;
    node.arg(paths::engine().join("dist/cli/main.js")).args(arguments);
    match node.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::failed(format!("`virt-autopilot {}` ended with {status}", arguments.join(" ")))),
        Err(error) => Err(Failure::failed(format!("cannot run node: {error}"))),
    }
}
