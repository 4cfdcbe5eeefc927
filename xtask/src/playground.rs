//! The playground in the browser.

use crate::failure::{Failure, Result, only};
use crate::run::{run as see, say};
use crate::{npm, paths, setup};

const PACKAGE: [&str; 2] = ["--workspace", "virt-autopilot-playground"];

pub fn run(arguments: &[String]) -> Result {
    only(arguments, &["--build"])?;
    if !paths::js().join("playground/package.json").exists() {
        return Err(Failure::failed("there is no playground in js/playground yet"));
    }
    npm::build_views()?;
    let script = if arguments.is_empty() { "serve" } else { "build" };
    see(npm::script(script)?.args(PACKAGE))?;
    if !arguments.is_empty() {
        say("the playground is in js/playground/dist");
    }
    Ok(())
}

/// The built playground in Chromium. The views must be built.
pub fn test() -> Result {
    say("Tests of the playground in the browser");
    see(npm::script("build")?.args(PACKAGE))?;
    see(npm::script("test:e2e")?.args(PACKAGE).env("CHROMIUM", setup::chromium()?))
}
