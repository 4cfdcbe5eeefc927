//! The WebAssembly interface of virt-autopilot.
