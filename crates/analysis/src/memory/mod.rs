//! Memory states: the memory that a reader sees, and the range in which it may move without seeing another state.
//!
//! ```text
//! entry:  %a = load %p          state 1: the entry        %a and %b see one state: they are equal
//!         %b = load %p          state 1
//!         store %p, %x          state 2: the store        %a may sink to here, and no further: next_clobber(1, …) is the store
//!         branch_if ^then ^join
//! then:   store %p, %y          state 3
//! join:   %c = load %p          state 4: the join in ^join, of 2 and 3
//! ```
//!
//! *Alias classes* (`location.rs`, `chains.rs`). An access is to a place in an object: a path of constant indices, up to the first that is
//! not, in a variable, a parameter declared without aliases, or image memory; or it may be to anything of some storage classes, if its
//! address is unknown. Each place that is read is a class. A write to a place reaches the classes of that object that the place contains or
//! is contained in, and those that read from anywhere. Memory that is never written has one state.
//!
//! *States* (`walk.rs`, `joins.rs`, `versions.rs`). Each class has its own chain of states, in static single assignment form: its
//! definitions are the writes that reach it and a join where two definitions merge. There is a join only where different states merge, so
//! equal states mean equal memory. (Chow, Chan, Liu, Lo and Streich 1996, "Effective representation of aliases and indirect memory
//! operations in SSA form", number classes like scalars; Cytron, Ferrante, Rosen, Wegman and Zadeck 1991 place the joins.)
//!
//! *Reach* (`reach.rs`). The definitions of a chain form a tree, each below the nearest that dominates it. A reader of a state may be
//! anywhere that the state's definition dominates, down to the first definition below it: at most one of the definition's children in that
//! tree is on the dominator path to a block, and bisection finds it. Post-dominators are not used, so infinite loops need no special case.
//!
//! *Unread writes* (`unread.rs`, `touches.rs`). States describe what readers see. Which writes no reader sees is computed from the written
//! places, by traversals of the blocks that a write reaches.
//!
//! # Which accesses alias
//!
//! SPIR-V section 2.18.2 ("Aliasing") lets a compiler assume in the memory models Simple, GLSL450 and Vulkan that two memory object
//! declarations do not overlap unless a pointer is decorated `Aliased`, and there `Restrict` says nothing new; in the memory model
//! OpenCL they may overlap unless a pointer is decorated `Restrict`. So:
//!
//! - Two variables are two objects. A variable decorated `Aliased`, and variables of one descriptor set and binding, are treated as if
//!   accessed by an unknown address. Elements of an array of buffers or images are not distinguished: they are one declaration.
//! - A pointer that is a parameter, loaded, selected or converted from a number may point to anything of its storage class whose address is
//!   exposed: to every variable at module level, and to a variable of the function whose address is stored, passed or computed with. A
//!   generic pointer may point to several storage classes, a physical one to any buffer.
//! - A parameter decorated `Restrict`, or with the attribute `NoAlias`, is an object of its own as long as its address stays known.
//! - Inputs, constants, uniform blocks, push constants, sampled images, and buffers and images that are `NonWritable` and not `Aliased`
//!   are never written.
//! - Calls and unknown instructions write everything whose address is exposed. Barriers, atomics that acquire or release, and everything
//!   else that makes writes of others visible, write all memory that lanes share.
//! - Volatile and coherent accesses, and those that make memory visible, write the place that they read, and have no state.
//!
//! # Cost
//!
//! Linear in instructions, in definitions times the classes that they reach, and in joins, with a logarithm of the number of classes. The
//! latter two are kept below [`MemoryStates::EFFORT`] for each instruction: if they would exceed it, all places of an object become one
//! class, and if that is not enough, all objects of a storage class. Both are coarser but sound.

mod accesses;
mod chains;
mod declarations;
mod exposure;
mod groups;
mod joins;
mod location;
mod reach;
mod states;
mod touches;
mod unread;
mod versions;
mod walk;

pub use joins::Flow;
pub use location::Class;
pub use states::{Clobber, Definition, MemoryState, MemoryStates};
pub use unread::compute_unread_writes;
