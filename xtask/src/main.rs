//! The project's own commands: `cargo xtask` lists them.

mod bench;
mod check;
mod conformance;
mod console;
mod failure;
mod npm;
mod paths;
mod playground;
mod preview;
mod run;
mod setup;
mod size;
mod test;
mod wasm;

use std::process::ExitCode;

use failure::{Failure, Result};

struct Command {
    name: &'static str,
    arguments: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Result,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "preview",
        arguments: "[CLI ARGUMENTS]",
        about: "build the package and run the command line on the demo cluster",
        run: preview::run,
    },
    Command {
        name: "test",
        arguments: "[--native] [--wasm] [--node] [--browser]",
        about: "run the tests; all of them by default",
        run: test::run,
    },
    Command {
        name: "conformance",
        arguments: "[FILE…]",
        about: "run vector files through the native core and the npm package",
        run: conformance::run,
    },
    Command {
        name: "check",
        arguments: "",
        about: "formatting, lints, documentation, types, texts and the size of the wasm",
        run: check::run,
    },
    Command { name: "build", arguments: "", about: "build the npm package in js/engine", run: npm::build_command },
    Command {
        name: "playground",
        arguments: "[--build]",
        about: "serve the playground, or only build it",
        run: playground::run,
    },
    Command {
        name: "bench",
        arguments: "[--native] [--node]",
        about: "measure natively and through the npm package",
        run: bench::run,
    },
    Command {
        name: "size",
        arguments: "[--set]",
        about: "size of the wasm: raw, gzip and brotli, against the recorded ceiling",
        run: size::run,
    },
    Command {
        name: "setup",
        arguments: "",
        about: "install what the commands above need; they also do it themselves",
        run: setup::command,
    },
    Command { name: "help", arguments: "", about: "show this list", run: help },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.split_first() {
        None => help(&[]),
        Some((name, rest)) => dispatch(name, rest),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            failure.exit_code()
        }
    }
}

fn dispatch(name: &str, rest: &[String]) -> Result {
    if matches!(name, "-h" | "--help") {
        return help(rest);
    }
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        return Err(Failure::usage(format!("there is no command `{name}`; `cargo xtask` lists them")));
    };
    // The arguments of the preview are the command line's own, `--help` among them.
    if command.name != "preview" && rest.iter().any(|argument| matches!(argument.as_str(), "-h" | "--help")) {
        println!("cargo xtask {} {}\n\n{}", command.name, command.arguments, command.about);
        return Ok(());
    }
    (command.run)(rest)
}

fn help(_: &[String]) -> Result {
    println!("cargo xtask COMMAND\n");
    for Command { name, arguments, about, .. } in COMMANDS {
        println!("  {:<28}{about}", format!("{name} {}", shorten(arguments)));
    }
    println!("\nEach sets up what it lacks. WASM_STD=distro takes Rust's wasm target from Debian's packages.");
    Ok(())
}

fn shorten(arguments: &str) -> &str {
    if arguments.len() > 18 { "[OPTIONS]" } else { arguments }
}
