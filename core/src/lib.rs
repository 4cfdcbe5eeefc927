#![doc = include_str!("../README.md")]

pub mod behavior;
pub mod catalog;
pub mod cluster;
pub mod conditions;
pub mod demo;
pub mod diagnostic;
pub mod diff;
mod encoding;
pub mod limits;
mod memo;
pub mod object;
pub mod output;
pub mod overrides;
pub mod payload;
pub mod plan;
pub mod pointer;
pub mod reconcile;
pub mod render;
pub mod scope;
pub mod simulate;
pub mod ssa;
pub mod template;
pub mod yaml;

pub use behavior::Behavior;
pub use catalog::Catalog;
pub use cluster::Cluster;
pub use diagnostic::{Diagnostic, Severity};
pub use object::{Object, ObjectRef};
pub use plan::{Plan, PlanOptions, plan};
pub use pointer::Pointer;
pub use render::{RenderOptions, Rendering, render};
