//! Building and packing the npm package.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Context, Failure, Result, only};
use crate::paths;
use crate::run::{run, say, step, tool};
use crate::wasm;

pub fn build_command(arguments: &[String]) -> Result {
    only(arguments, &[])?;
    build()?;
    say("the package is in js/engine");
    Ok(())
}

/// Builds the package `virt-autopilot`: the wasm, its glue, and TypeScript compiled to dist/.
pub fn build() -> Result {
    let built = wasm::build()?;
    let engine = paths::engine();
    let dist = engine.join("dist");
    // TypeScript compiles against the glue's types, and the result lies beside the glue.
    paths::empty_dir(&engine.join("src/abi"))?;
    paths::empty_dir(&dist)?;
    for dir in [engine.join("src/abi"), dist.join("abi")] {
        paths::write(&dir.join("abi.js"), paths::read(&built.glue)?)?;
        paths::write(&dir.join("abi.d.ts"), paths::read(&built.types)?)?;
    }
    paths::write(&dist.join("engine.wasm"), paths::read(&built.wasm)?)?;
    run(script("build")?.args(["--workspace", "virt-autopilot"]))?;
    make_executable(&dist.join("cli/main.js"))
}

/// The package, and the views that the playground and the console plugin share.
pub fn build_views() -> Result {
    build()?;
    run(script("build")?.args(["--workspace", "virt-autopilot-ui"]))
}

/// An npm script of the workspace.
pub fn script(name: &str) -> Result<Command> {
    script_in(&paths::js(), name)
}

/// An npm script of the project in that folder.
pub fn script_in(dir: &Path, name: &str) -> Result<Command> {
    let mut npm = tool("npm")?;
    npm.current_dir(dir).args(["run", "--silent", name]);
    Ok(npm)
}

/// Packs the built package and gives the tarball.
pub fn pack() -> Result<PathBuf> {
    let goal = paths::target().join("npm-pack");
    paths::empty_dir(&goal)?;
    let mut npm = tool("npm")?;
    npm.args(["pack", "--silent", "--pack-destination"]).arg(&goal).current_dir(paths::engine());
    step("Packing the npm package", &mut npm)?;
    let mut files = std::fs::read_dir(&goal).context(|| format!("read {}", goal.display()))?.flatten();
    let tarball = files.next().map(|entry| entry.path());
    tarball.ok_or_else(|| Failure::failed("`npm pack` made no tarball"))
}

/// Installs the tarball, and nothing else, in an empty project of that name, whose folder is the answer.
pub fn install_packed(tarball: &Path, name: &str) -> Result<PathBuf> {
    let project = paths::target().join(name);
    paths::empty_dir(&project)?;
    paths::write(&project.join("package.json"), "{\"private\": true, \"type\": \"module\"}\n")?;
    let mut npm = tool("npm")?;
    npm.args(["install", "--offline", "--no-save", "--no-package-lock", "--no-audit", "--no-fund"]).arg(tarball);
    step("Installing the packed package in an empty project", npm.current_dir(&project))?;
    Ok(project)
}

#[cfg(unix)]
fn make_executable(file: &Path) -> Result {
    use std::os::unix::fs::PermissionsExt;

    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(file, mode).context(|| format!("make {} executable", file.display()))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result {
    Ok(())
}
