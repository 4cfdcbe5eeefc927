//! The tests, by where they run.

use crate::failure::{Result, only};
use crate::run::{cargo, run as see, say, tool};
use crate::{conformance, console, npm, paths, playground, setup, wasm};

const GROUPS: [&str; 4] = ["--native", "--wasm", "--node", "--browser"];

pub fn run(arguments: &[String]) -> Result {
    only(arguments, &GROUPS)?;
    let wanted = |group: &str| arguments.is_empty() || arguments.iter().any(|argument| argument == group);
    if wanted("--native") {
        say("Native tests");
        see(cargo().args(["test", "--workspace", "--locked"]))?;
    }
    if wanted("--wasm") {
        say("Tests of the wasm");
        let probe = wasm::build_import_probe()?;
        see(node_test()?.arg("tests/wasm/imports.test.mjs").env("PROBE", probe))?;
    }
    if wanted("--node") || wanted("--browser") {
        npm::build_views()?;
    }
    if wanted("--node") {
        say("Tests of the npm packages in Node");
        see(&mut npm::script("test")?)?;
    }
    if wanted("--node") || wanted("--browser") {
        packaging(wanted("--node"), wanted("--browser"))?;
    }
    if wanted("--browser") {
        console::test()?;
        playground::test()?;
    }
    Ok(())
}

/// What people do with the packed package: Node, bundlers, browsers; and the conformance run.
fn packaging(node: bool, browser: bool) -> Result {
    let tarball = npm::pack()?;
    let project = npm::install_packed(&tarball, "conformance")?;
    let dir = paths::root().join("tests/packaging");
    setup::npm_ci(&dir, "Installing the bundlers")?;
    let mut tests = node_test()?;
    tests.env("PROJECT", &project);
    if node {
        say("Tests of the packed package");
        tests.args(["tests/packaging/node.test.mjs"]);
    }
    if browser {
        tests.env("CHROMIUM", setup::chromium()?).arg("tests/packaging/browser.test.mjs");
    }
    see(&mut tests)?;
    if node {
        say("Conformance");
        conformance::with_package(&project, &[])?;
    }
    Ok(())
}

fn node_test() -> Result<std::process::Command> {
    let mut node = tool("node")?;
    node.arg("--test").current_dir(paths::root());
    Ok(node)
}
