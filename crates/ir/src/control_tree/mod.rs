//! The control tree: the structured view of a function, and edits by it.
//!
//! ```text
//! ^entry: loop ^h break ^m continue ^c        list of the function
//! ^h: branch_if %x ^body ^exit                ├── block entry            opens
//! edge ^exit: branch ^m                       ├── loop
//! ^body: … branch ^c                     ⇒    │   ├── Body
//! ^c: … branch ^h                             │   │   ├── block h        opens
//! ^m: return                                  │   │   ├── exit
//!                                             │   │   │   └── Else: block exit      break
//!                                             │   │   └── block body                continue
//!                                             │   └── Continue: block c             back
//!                                             └── block m
//! ```
//!
//! There is one truth, the terminators: the tree is derived from them ([`ControlTree::compute`]), and edits ([`TreeEditor`],
//! [`TreeBuilder`]) change terminators and blocks. See `docs/control-tree.md`.
//!
//! The model is NIR's (Mesa, `nir_control_flow.c`; Connor Abbott, 2014), with switches, conditional exits and block parameters.

mod build_lists;
mod builder;
mod compute;
mod cursor;
mod delete;
mod edges;
mod edit_error;
mod editor;
mod error;
mod extract;
mod fragment;
mod insert;
mod jumps;
mod leave;
mod make;
mod nest;
mod pad;
mod reshape;
mod tree;

pub use builder::TreeBuilder;
pub use cursor::Cursor;
pub use edit_error::{BuildError, EditError, EditFault, Refused};
pub use editor::TreeEditor;
pub use error::{TreeError, TreeFault};
pub use fragment::Fragment;
pub use jumps::JumpKind;
pub use make::{NewExit, NewIf, NewLoop, NewSwitch};
pub use pad::pad;
pub use tree::{Construct, ConstructData, ConstructKind, ControlTree, Jump, List, Node, Owner, Role};
