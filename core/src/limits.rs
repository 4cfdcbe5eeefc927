//! The bounds within which every reader and evaluator of this crate answers.
//!
//! A limit is met with an error or a diagnostic, never with a panic, so that input of any size ends in bounded time
//! and memory.

/// Longest text that the YAML and JSON readers take, in bytes. The controller's own bound for a rendered asset.
pub const MAX_TEXT_BYTES: usize = 10 << 20;

/// Deepest nesting of a document, in levels. The controller's own bound for a rendered asset.
pub const MAX_DEPTH: usize = 100;

/// Most nodes of one YAML document after its aliases are expanded.
pub const MAX_YAML_NODES: usize = 1_000_000;

/// Most steps (nodes visited and loop turns) of one template execution.
pub const MAX_TEMPLATE_STEPS: usize = 1_000_000;

/// Most bytes that one template execution may make in strings, lists and maps, what it drops included.
pub const MAX_TEMPLATE_BYTES: usize = 16 << 20;

/// Most bytes that one template execution may write: the controller's own bound for a rendered asset.
pub const MAX_TEMPLATE_OUTPUT: usize = 10 << 20;

/// Most actions, commands and operands of one template's text.
pub const MAX_TEMPLATE_NODES: usize = 100_000;

/// Deepest nesting of template calls, pipelines and parentheses.
pub const MAX_TEMPLATE_DEPTH: usize = 200;

/// Most operations of one patch annotation.
pub const MAX_PATCH_OPERATIONS: usize = 10_000;

/// Most pointers of one ignore-fields annotation.
pub const MAX_MASK_POINTERS: usize = 10_000;

/// Most bytes that the payloads of one object may hold once decoded; a gzip stream that would hold more is an error.
pub const MAX_PAYLOAD_BYTES: usize = 10 << 20;

/// Most lines of a text, or items of a list, that are aligned with each other. Longer ones differ as a whole between
/// what they have in common at their start and end.
pub const MAX_ALIGNED_ITEMS: usize = 20_000;

/// Most moments at which something happens in one simulation.
pub const MAX_SIMULATION_TURNS: usize = 20_000_000;
