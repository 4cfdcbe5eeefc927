//! Measurements, natively and through the npm package.

use crate::failure::{Result, only};
use crate::run::{cargo, run as see, say, tool};
use crate::{npm, paths};

pub fn run(arguments: &[String]) -> Result {
    only(arguments, &["--native", "--node"])?;
    let wanted = |group: &str| arguments.is_empty() || arguments.iter().any(|argument| argument == group);
    if wanted("--native") {
        say("Native");
        see(cargo().args(["bench", "--locked", "--package", "virt-autopilot-tests"]))?;
    }
    if wanted("--node") {
        npm::build()?;
        say("Node, through the wasm");
        let bundle = paths::target().join("synthetic.json");
        let synthetic = ["run", "--quiet", "--locked", "--package", "virt-autopilot-tests", "--bin", "synthetic", "--"];
        see(cargo().args(synthetic).arg(&bundle))?;
        see(tool("node")?.arg("tests/benches/node.mjs").arg(&bundle).current_dir(paths::root()))?;
    }
    Ok(())
}
