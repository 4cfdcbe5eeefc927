//! What the commands need on a machine, installed where it is missing.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Context, Failure, Result, only};
use crate::paths;
use crate::run::{self, ask, find, say, step, tool};

/// Must be that of the `wasm-bindgen` crate in Cargo.lock.
pub const WASM_BINDGEN: &str = "0.2.130";
const WASM_PACK: &str = "0.15.1";
const TARGET: &str = "wasm32-unknown-unknown";

pub fn command(arguments: &[String]) -> Result {
    only(arguments, &[])?;
    wasm_toolchain()?;
    npm_packages()?;
    console_packages()?;
    chromium()?;
    nginx()?;
    say("everything is there");
    Ok(())
}

/// The Rust that compiles to wasm.
pub enum Toolchain {
    /// rustup's, with its target.
    Rustup,
    /// Debian's, with the standard library built from its source package.
    Distro,
}

impl Toolchain {
    /// Makes a command use this toolchain.
    pub fn apply(&self, command: &mut Command) -> Result {
        command.env("CARGO_TARGET_DIR", paths::target().join("wasm"));
        if matches!(self, Self::Distro) {
            distro_env(command)?;
            command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld-19");
        }
        Ok(())
    }

    /// The cargo of this toolchain.
    pub fn cargo(&self) -> Result<Command> {
        let mut cargo = match self {
            Self::Rustup => run::cargo(),
            Self::Distro => Command::new("/usr/bin/cargo"),
        };
        cargo.current_dir(paths::root());
        self.apply(&mut cargo)?;
        Ok(cargo)
    }
}

/// Lets a command see Debian's Rust instead of the rustup one that runs this program.
fn distro_env(command: &mut Command) -> Result {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let dirs = std::iter::once(PathBuf::from("/usr/bin")).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(dirs.chain(run::cargo_bin())).context(|| "set PATH".to_owned())?;
    command.env("PATH", path).env("CARGO", "/usr/bin/cargo").env("RUSTC", "/usr/bin/rustc");
    command.env_remove("LD_LIBRARY_PATH").env_remove("RUSTUP_TOOLCHAIN");
    Ok(())
}

/// Rust's wasm target, wasm-bindgen and wasm-pack.
pub fn wasm_toolchain() -> Result<Toolchain> {
    let toolchain = wasm_target()?;
    cargo_install("wasm-bindgen", "wasm-bindgen-cli", WASM_BINDGEN, 4)?;
    cargo_install("wasm-pack", "wasm-pack", WASM_PACK, 2)?;
    Ok(toolchain)
}

fn wasm_target() -> Result<Toolchain> {
    let distro = std::env::var("WASM_STD").is_ok_and(|value| value == "distro");
    if !distro && find("rustup").is_some() {
        let installed = ask(tool("rustup")?.args(["target", "list", "--installed"])).unwrap_or_default();
        if installed.lines().any(|line| line == TARGET) {
            return Ok(Toolchain::Rustup);
        }
        match step("Adding Rust's wasm target", tool("rustup")?.args(["target", "add", TARGET])) {
            Ok(()) => return Ok(Toolchain::Rustup),
            Err(failure) if find("apt-get").is_none() => return Err(failure),
            Err(_) => say("rustup cannot add it; taking Debian's packages instead"),
        }
    }
    distro_target()?;
    Ok(Toolchain::Distro)
}

/// The wasm target for Debian's Rust, whose packages have only the sources of its standard library.
fn distro_target() -> Result {
    let programs = ["/usr/bin/rustc", "/usr/bin/cargo", "/usr/bin/wasm-ld-19"];
    let sources = "/usr/lib/rustlib/src/rust/library/std/Cargo.toml";
    if !programs.iter().chain([&sources]).all(|file| Path::new(file).exists()) {
        apt_install("Installing Debian's Rust for wasm", &["rustc-web", "cargo-web", "rust-web-src", "lld-19"])?;
    }
    if !std_is_usable()? {
        build_std()?;
    }
    Ok(())
}

/// Whether Debian's rustc compiles for the target: not so without a standard library, nor with one of another rustc.
fn std_is_usable() -> Result<bool> {
    let probe = paths::target().join("xtask").join("probe.rs");
    paths::write(&probe, "pub fn probe() -> String { String::from(\"probe\") }\n")?;
    let mut rustc = Command::new("/usr/bin/rustc");
    distro_env(&mut rustc)?;
    rustc.args(["--target", TARGET, "--crate-type", "rlib", "-o"]).arg(probe.with_extension("rlib")).arg(&probe);
    Ok(ask(&mut rustc).is_some())
}

fn build_std() -> Result {
    let dir = paths::target().join("wasm-std");
    paths::empty_dir(&dir)?;
    // A workspace of its own, so that cargo does not look for one above.
    let manifest = "[package]\nname = \"nothing\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n";
    paths::write(&dir.join("Cargo.toml"), manifest)?;
    paths::write(&dir.join("src/lib.rs"), "")?;
    let mut cargo = Command::new("/usr/bin/cargo");
    distro_env(&mut cargo)?;
    cargo.current_dir(&dir).env("CARGO_TARGET_DIR", dir.join("target"));
    // `build-std` is for nightly only, which RUSTC_BOOTSTRAP lifts. Without bitcode, `lto` fails later.
    cargo.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", "-Cembed-bitcode=yes");
    cargo.args(["build", "--release", "--target", TARGET, "-Z", "build-std=std,panic_abort,panic_unwind"]);
    step("Building Rust's standard library for wasm (about a minute)", &mut cargo)?;

    let deps = dir.join("target").join(TARGET).join("release/deps");
    let goal = format!("/usr/lib/rustlib/{TARGET}/lib");
    let entries = std::fs::read_dir(&deps).context(|| format!("read {}", deps.display()))?;
    let libraries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| is_std(path)).collect();
    // Libraries of an older rustc would be taken for duplicates.
    as_root(&format!("Emptying {goal}"), "rm", &["-rf".as_ref(), goal.as_ref()])?;
    as_root(&format!("Making {goal}"), "mkdir", &["-p".as_ref(), goal.as_ref()])?;
    let mut arguments: Vec<&Path> = libraries.iter().map(PathBuf::as_path).collect();
    arguments.push(goal.as_ref());
    as_root("Installing the standard library", "cp", &arguments)?;
    if std_is_usable()? {
        return Ok(());
    }
    Err(Failure::failed(format!("the standard library that was built into {goal} does not suit /usr/bin/rustc")))
}

fn is_std(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".rlib") && !name.starts_with("libnothing")
}

fn cargo_install(program: &str, package: &str, version: &str, minutes: u32) -> Result {
    let found = find(program).and_then(|path| ask(Command::new(path).arg("--version")));
    if found.is_some_and(|text| text.split_whitespace().nth(1) == Some(version)) {
        return Ok(());
    }
    let install = |title: &str, locked: &[&str]| {
        let mut cargo = run::cargo();
        // Not into this project's target folder: `cargo clean` would then cost minutes.
        cargo.env_remove("CARGO_TARGET_DIR");
        cargo.args(["install", package, "--version", version, "--force"]).args(locked);
        step(title, &mut cargo)
    };
    let title = format!("Installing {package} {version} (about {minutes} minutes)");
    // Its lock file may name a version that the registry does not have: one that was yanked, or that a mirror holds back.
    install(&title, &["--locked"]).or_else(|_| install(&format!("{title}, without its lock file"), &[]))
}

/// The packages of js/, when its lock file changed since they were installed.
pub fn npm_packages() -> Result {
    npm_ci(&paths::js(), "Installing the npm packages")
}

/// The packages of the console plugin.
pub fn console_packages() -> Result {
    npm_ci(&paths::console_plugin(), "Installing the console plugin's npm packages")
}

/// Installs what the lock file of a folder says, unless just that is installed.
pub fn npm_ci(dir: &Path, title: &str) -> Result {
    tool("node")?;
    let lock = paths::read(&dir.join("package-lock.json"))?;
    let stamp = dir.join("node_modules").join(".installed-lock.json");
    if std::fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    step(title, tool("npm")?.arg("ci").current_dir(dir))?;
    paths::write(&stamp, lock)
}

/// A Chromium to run browser tests in.
pub fn chromium() -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("CHROMIUM").map(PathBuf::from) {
        if path.is_file() {
            return Ok(path);
        }
        return Err(Failure::failed(format!("CHROMIUM is `{}`, where there is no file", path.display())));
    }
    let installed = || ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(find);
    if let Some(path) = installed() {
        return Ok(path);
    }
    if find("apt-get").is_none() {
        return Err(Failure::failed("no Chromium is installed; install one and put its path into CHROMIUM"));
    }
    apt_install("Installing Chromium", &["chromium"])?;
    installed().ok_or_else(|| Failure::failed("Chromium was installed but is not in PATH; put its path into CHROMIUM"))
}

/// The nginx that the console plugin's configuration is tried with, and what makes a certificate for it.
pub fn nginx() -> Result<PathBuf> {
    // Debian puts it where only root's PATH leads.
    let installed = || find("nginx").or_else(|| Some(PathBuf::from("/usr/sbin/nginx")).filter(|path| path.is_file()));
    if let (Some(path), Some(_)) = (installed(), find("openssl")) {
        return Ok(path);
    }
    if find("apt-get").is_none() {
        return Err(Failure::failed("nginx or openssl is missing; install both"));
    }
    apt_install("Installing nginx", &["nginx-light", "openssl"])?;
    installed().ok_or_else(|| Failure::failed("nginx was installed but is not to be found"))
}

fn apt_install(title: &str, packages: &[&str]) -> Result {
    tool("apt-get")?;
    // A machine's package lists may be old or absent. A mirror that fails need not be the one that is needed.
    let _ = as_root("Reading Debian's package lists", "apt-get", &["update".as_ref()]);
    let mut arguments: Vec<&Path> = vec!["install".as_ref(), "-y".as_ref(), "--no-install-recommends".as_ref()];
    arguments.extend(packages.iter().map(Path::new));
    as_root(&format!("{title} ({})", packages.join(", ")), "apt-get", &arguments)
}

fn as_root(title: &str, program: &str, arguments: &[&Path]) -> Result {
    let root = ask(Command::new("id").arg("-u")).is_some_and(|id| id == "0");
    let mut command = if root {
        tool(program)?
    } else {
        let mut sudo = tool("sudo")?;
        sudo.arg(program);
        sudo
    };
    step(title, command.env("DEBIAN_FRONTEND", "noninteractive").args(arguments))
}
