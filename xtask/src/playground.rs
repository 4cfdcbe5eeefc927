//! The playground in the browser.

use crate::failure::{Failure, Result, only};
use crate::run::{run as see, say};
use crate::{npm, paths};

pub fn run(arguments: &[String]) -> Result {
    only(arguments, &["--build"])?;
    if !paths::js().join("playground/package.json").exists() {
        return Err(Failure::failed("there is no playground in js/playground yet"));
    }
    npm::build()?;
    let script = if arguments.is_empty() { "serve" } else { "build" };
    see(npm::script(script)?.args(["--workspace", "virt-autopilot-playground"]))?;
    if !arguments.is_empty() {
        say("the playground is in js/playground/dist");
    }
    Ok(())
}
