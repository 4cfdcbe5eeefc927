//! Building the wasm and its glue.

use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};
use crate::paths;
use crate::run::{step, tool};
use crate::setup;

/// What rustc uses by default, and every browser of the last years has; wasm-opt may use no more.
const FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// What wasm-pack made, after wasm-opt.
pub struct Built {
    pub wasm: PathBuf,
    pub glue: PathBuf,
    pub types: PathBuf,
}

/// Builds the engine: cargo and wasm-bindgen by wasm-pack, then wasm-opt.
pub fn build() -> Result<Built> {
    let toolchain = setup::wasm_toolchain()?;
    setup::npm_packages()?;
    let out = paths::target().join("wasm-pack");
    let mut pack = tool("wasm-pack")?;
    toolchain.apply(&mut pack)?;
    pack.current_dir(paths::root().join("wasm"));
    pack.args(["build", "--mode", "no-install", "--profile", "wasm", "--target", "web", "--no-pack", "--no-gitignore"]);
    pack.args(["--out-name", "abi", "--out-dir"]).arg(&out);
    step("Compiling the engine to wasm", &mut pack)?;

    let built = Built {
        wasm: paths::target().join("wasm-opt").join("engine.wasm"),
        glue: out.join("abi.js"),
        types: out.join("abi.d.ts"),
    };
    optimise(&out.join("abi_bg.wasm"), &built.wasm)?;
    make_restartable(&built.glue)?;
    Ok(built)
}

/// Runs wasm-opt unless its input is that of the last time.
fn optimise(input: &Path, output: &Path) -> Result {
    let bytes = paths::read(input)?;
    let stamp = output.with_extension("input.wasm");
    if output.exists() && std::fs::read(&stamp).is_ok_and(|last| last == bytes) {
        return Ok(());
    }
    paths::write(output, "")?;
    let mut opt = tool("node")?;
    opt.arg(paths::js().join("node_modules/binaryen/bin/wasm-opt"));
    // By measurement: `-Oz` makes the file a tenth smaller, but one that gzip and brotli compress a twentieth worse.
    opt.args(["-O1", "--strip-debug", "--strip-producers"]).args(FEATURES).arg("-o");
    step("Optimising the wasm", opt.arg(output).arg(input))?;
    paths::write(&stamp, bytes)
}

/// Lets the glue instantiate a second time: wasm-bindgen's own refuses, but after a trap the instance must be replaced.
fn make_restartable(glue: &Path) -> Result {
    let refusal = "if (wasm !== undefined) return wasm;";
    let text = paths::read_text(glue)?;
    if !text.contains(refusal) {
        return Err(Failure::failed(format!("{} no longer has `{refusal}`; see wasm.rs", glue.display())));
    }
    paths::write(glue, text.replace(refusal, ""))
}

/// Builds the crate whose wasm must import nothing, and gives its path.
pub fn build_import_probe() -> Result<PathBuf> {
    let toolchain = setup::wasm_toolchain()?;
    let mut cargo = toolchain.cargo()?;
    cargo.args(["build", "--package", "no-imports", "--target", "wasm32-unknown-unknown", "--profile", "wasm"]);
    step("Compiling the core alone to wasm", &mut cargo)?;
    Ok(paths::target().join("wasm/wasm32-unknown-unknown/wasm/no_imports.wasm"))
}
