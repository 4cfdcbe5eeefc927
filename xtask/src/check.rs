//! What must hold of the sources besides the tests.

use crate::failure::{Result, only};
use crate::run::{cargo, run as see, say};
use crate::{console, npm, size};

pub fn run(arguments: &[String]) -> Result {
    only(arguments, &[])?;
    say("Formatting");
    see(cargo().args(["fmt", "--all", "--check"]))?;
    say("Lints");
    see(cargo().args(["clippy", "--workspace", "--all-targets", "--locked", "--", "--deny", "warnings"]))?;
    say("Documentation");
    see(cargo().args(["doc", "--workspace", "--no-deps", "--locked"]).env("RUSTDOCFLAGS", "--deny warnings"))?;
    npm::build_views()?;
    say("TypeScript");
    see(&mut npm::script("types")?)?;
    see(&mut npm::script("lint")?)?;
    console::check()?;
    size::run(&[])
}
