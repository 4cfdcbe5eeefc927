//! Running programs, and showing that long ones are still at it.

use std::fs::File;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{Context, Failure, Result};
use crate::paths;

/// What to tell people to do where a program is missing.
const INSTALL: &[(&str, &str)] = &[
    ("node", "install Node.js 20 or newer: `apt-get install nodejs`, or see https://nodejs.org"),
    ("npm", "install it: `apt-get install npm`, or with Node.js from https://nodejs.org"),
    ("npx", "install it: `apt-get install npm`, or with Node.js from https://nodejs.org"),
    ("cargo", "install Rust: `apt-get install rustup && rustup default stable`, or see https://rustup.rs"),
    ("apt-get", "install Rust's wasm target yourself: `rustup target add wasm32-unknown-unknown`"),
    ("sudo", "run this as root: `apt-get` needs it"),
];

/// The program of that name in `PATH` or among what `cargo install` installed.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).chain(cargo_bin()).map(|dir| dir.join(name)).find(|file| file.is_file())
}

/// Where `cargo install` puts programs.
pub fn cargo_bin() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    Some(home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))?.join("bin"))
}

/// A command of that program; where it is missing the failure says how to install it.
pub fn tool(name: &str) -> Result<Command> {
    let Some(program) = find(name) else {
        let hint = INSTALL.iter().find(|(tool, _)| *tool == name).map_or("install it", |(_, hint)| hint);
        return Err(Failure::failed(format!("`{name}` is not installed; {hint}")));
    };
    Ok(Command::new(program))
}

/// The cargo that runs this program.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(paths::root());
    cargo
}

/// Runs a program whose output people see.
pub fn run(command: &mut Command) -> Result {
    let status = command.status().context(|| format!("run `{}`", shown(command)))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::failed(format!("`{}` ended with {status}", shown(command))))
}

/// The standard output of a program that is asked something; `None` where it cannot say.
pub fn ask(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs a program that takes long: one line tells what is being done and for how long; what the program prints is shown
/// only where it fails.
pub fn step(title: &str, command: &mut Command) -> Result {
    let log = paths::target().join("xtask").join(format!("{}.log", slug(title)));
    paths::write(&log, "")?;
    let open = || File::options().append(true).open(&log).context(|| format!("open {}", log.display()));
    command.stdin(Stdio::null()).stdout(open()?).stderr(open()?);
    let mut child = command.spawn().context(|| format!("run `{}`", shown(command)))?;
    let begin = Instant::now();
    let success = wait(title, &mut child, begin)?;
    let seconds = begin.elapsed().as_secs();
    if success {
        say(&format!("{title}: done in {seconds} s"));
        return Ok(());
    }
    say(&format!("{title}: failed after {seconds} s"));
    eprintln!("{}", last_lines(&log, 40));
    Err(Failure::failed(format!("`{}` failed; all it said is in {}", shown(command), log.display())))
}

/// Waits for a program, with a live line on a terminal and a line now and then elsewhere.
fn wait(title: &str, child: &mut Child, begin: Instant) -> Result<bool> {
    let live = std::io::stderr().is_terminal();
    let mut spoken = 0;
    if !live {
        say(&format!("{title} …"));
    }
    loop {
        if let Some(status) = child.try_wait().context(|| format!("wait for: {title}"))? {
            return Ok(status.success());
        }
        let seconds = begin.elapsed().as_secs();
        if live {
            eprint!("\r\x1b[K{title} … {seconds} s");
        } else if seconds >= spoken + 30 {
            spoken = seconds;
            say(&format!("{title} … {seconds} s"));
        }
        let _ = std::io::stderr().flush();
        thread::sleep(Duration::from_millis(if live { 250 } else { 50 }));
    }
}

/// Says what is being done, in place of a live line where there is one.
pub fn say(text: &str) {
    let clear = if std::io::stderr().is_terminal() { "\r\x1b[K" } else { "" };
    eprintln!("{clear}{text}");
}

fn last_lines(file: &Path, count: usize) -> String {
    let text = std::fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

fn slug(title: &str) -> String {
    let words = title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

/// A command as one would type it, without what is long.
fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let arguments = command.get_args().map(|argument| argument.to_string_lossy().into_owned());
    std::iter::once(program).chain(arguments).take(8).collect::<Vec<_>>().join(" ")
}
