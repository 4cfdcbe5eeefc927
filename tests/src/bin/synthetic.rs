//! Prints the synthetic catalog of 100 assets as a bundle, for benches in other languages.

fn main() {
    print!("{}", virt_autopilot_tests::synthetic::catalog(100).to_bundle());
}
