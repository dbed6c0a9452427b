//! The control tree: the structured view of a function, and edits on it.
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
//! The terminators are the only representation: the tree is derived from them ([`ControlTree::compute`]), and edits ([`TreeEditor`],
//! [`TreeBuilder`]) change terminators and blocks. See `docs/control-tree.md`.
//!
//! The model is NIR's (Mesa, `nir_control_flow.c`; Connor Abbott, 2014), with switches, conditional exits and block parameters.
//!
//! A loop that doubles a number until it exceeds a hundred, built, read and edited:
//!
//! ```
//! use reconverge_control_tree::{ConstructKind, ControlTree, Cursor, JumpKind, TreeBuilder, TreeEditor};
//! use reconverge_ir::{Builder, Copies, Module, Op};
//!
//! let mut module = Module::new();
//! let mut build = Builder::new(&mut module);
//! let (u32_type, bool_type) = (build.int_type(32), build.bool_type());
//! let hundred = build.constant_word(u32_type, 100);
//! let function = build.add_function(u32_type, &[u32_type]);
//! let start = module.parameters(function).next().unwrap().inst();
//!
//! let mut build = TreeBuilder::new(&mut module, function)?;
//! let number = build.push_loop(&[start])?[0];
//! let is_past = build.emit(Op::UGreaterThan, Some(bool_type), &[number, hundred]);
//! build.break_if(is_past, &[])?;
//! let doubled = build.emit(Op::IAdd, Some(u32_type), &[number, number]);
//! build.yields(&[doubled]);
//! build.push_continue()?;
//! build.pop_loop()?;
//! build.jump(JumpKind::Return(Some(number)), &[])?;
//! build.finish()?;
//!
//! let tree = ControlTree::compute(&module, function)?;
//! let looped = tree.constructs().find(|construct| construct.kind == ConstructKind::Loop).unwrap().clone();
//! let mut editor = TreeEditor::new(&mut module, function)?;
//! let (before, after) = (Cursor::AfterBlock(looped.opener), Cursor::BeforeBlock(looped.merge.unwrap()));
//! let copy = editor.copy(before, after, &mut Copies::default())?;
//! editor.insert(before, copy)?;
//! let loops = |tree: &ControlTree| tree.constructs().filter(|construct| construct.kind == ConstructKind::Loop).count();
//! assert_eq!(loops(&editor.tree()?), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
mod opening;
mod pad;
mod reshape;
mod scopes;
mod source_order;
mod tree;

pub use builder::TreeBuilder;
pub use cursor::Cursor;
pub use edit_error::{EditError, EditFault, Refused};
pub use editor::TreeEditor;
pub use error::{TreeCode, TreeError, TreeFault};
pub use fragment::Fragment;
pub use jumps::JumpKind;
pub use make::{NewExit, NewIf, NewLoop, NewSwitch};
pub use pad::pad;
pub use tree::{Construct, ConstructData, ConstructKind, ControlTree, Jump, List, Node, Owner, Role};
