//! The console plugin. Its packages are those that the console shares with its plugins, and so it has a lock file of its
//! own; the engine and the views are linked from the workspace and must be built.

use crate::failure::Result;
use crate::run::{run as see, say};
use crate::{npm, paths, setup};

/// Lints, types, and the texts against the locale file.
pub fn check() -> Result {
    setup::console_packages()?;
    say("Console plugin");
    for name in ["lint", "types", "i18n-check"] {
        see(&mut npm::script_in(&paths::console_plugin(), name)?)?;
    }
    Ok(())
}

/// The parts, and then the built plugin in Chromium, in a page that loads it as the console does.
pub fn test() -> Result {
    setup::console_packages()?;
    say("Tests of the console plugin");
    let script = |name| npm::script_in(&paths::console_plugin(), name);
    see(script("test")?.env("NGINX", setup::nginx()?))?;
    see(&mut script("build")?)?;
    see(script("test:e2e")?.env("CHROMIUM", setup::chromium()?))
}
