//! The size of the wasm, against the ceiling that is kept in the repository.

use serde_json::Value;

use crate::failure::{Context, Failure, Result, only};
use crate::paths;
use crate::run::{ask, tool};
use crate::wasm;

const WAYS: [&str; 3] = ["raw", "gzip", "brotli"];

/// Prints the three sizes of a file as a JSON object.
const MEASURE: &str = "
    const { readFileSync } = require('node:fs');
    const { gzipSync, brotliCompressSync } = require('node:zlib');
    const bytes = readFileSync(process.argv[1]);
    const gzip = gzipSync(bytes, { level: 9 }).length;
    console.log(JSON.stringify({ raw: bytes.length, gzip, brotli: brotliCompressSync(bytes).length }));
";

pub fn run(arguments: &[String]) -> Result {
    only(arguments, &["--set"])?;
    let built = wasm::build()?;
    let mut node = tool("node")?;
    let measured = ask(node.args(["--eval", MEASURE]).arg(&built.wasm));
    let sizes: Value = measured.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let size = |way: &str| sizes[way].as_u64().ok_or_else(|| Failure::failed("the wasm cannot be measured"));

    let file = paths::root().join("wasm/size-limit.json");
    if !arguments.is_empty() {
        // Five in a hundred of room, so that a compiler's whim does not fail the build.
        let limits: Result<Vec<String>> =
            WAYS.iter().map(|way| Ok(format!("  \"{way}\": {}", size(way)?.div_ceil(1_000) * 1_050))).collect();
        paths::write(&file, format!("{{\n{}\n}}\n", limits?.join(",\n")))?;
    }
    let limits: Value =
        serde_json::from_str(&paths::read_text(&file)?).context(|| format!("read {}", file.display()))?;
    let mut over = Vec::new();
    println!("{:<8}{:>12}{:>12}", "wasm", "bytes", "ceiling");
    for way in WAYS {
        let limit = limits[way].as_u64().unwrap_or(0);
        println!("{way:<8}{:>12}{limit:>12}", size(way)?);
        if size(way)? > limit {
            over.push(way);
        }
    }
    if over.is_empty() {
        return Ok(());
    }
    let over = over.join(", ");
    Err(Failure::failed(format!(
        "the wasm is above its ceiling ({over}); make it smaller, or raise wasm/size-limit.json"
    )))
}
