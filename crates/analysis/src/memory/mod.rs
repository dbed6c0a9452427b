//! Which memory a reader sees, and how far it may move without seeing another.
//!
//! ```text
//! entry:  %a = load %p          state 1: the entry        %a and %b see one state: they are equal
//!         %b = load %p          state 1
//!         store %p, %x          state 2: the store        %a may sink to here, and no further: next_clobber(1, …) is the store
//!         branch_if ^then ^join
//! then:   store %p, %y          state 3
//! join:   %c = load %p          state 4: what meets in ^join, of 2 and 3
//! ```
//!
//! *Alias classes* (`location.rs`, `chains.rs`). An access is to a place in an object: a path of constant indices, up to the first that
//! is not, in a variable, a parameter declared without aliases, or image memory; or it is to anything of some storage classes, where
//! nobody knows whose address it uses. Each place that is read is a class. A write to a place reaches the classes of that object that
//! the place contains or is contained in, and those that read from anywhere. What nobody writes has one state for ever.
//!
//! *States* (`walk.rs`, `joins.rs`, `versions.rs`). Each class has its own chain of states, in static single assignment form: its definitions are the writes that
//! reach it and, where two definitions meet, a join. There is a join only where different states meet, so equal states mean equal
//! memory. (Chow, Chan, Liu, Lo and Streich 1996, "Effective representation of aliases and indirect memory operations in SSA form", give
//! classes numbers as scalars have them; Cytron, Ferrante, Rosen, Wegman and Zadeck 1991 place the joins.)
//!
//! *Reach* (`reach.rs`). The definitions of a chain form a tree, each below the nearest that dominates it. A reader of a state may stand
//! wherever that state's definition dominates, down to the first definition below it: of the children of the definition in that tree at
//! most one lies on the dominator path to a block, and it is found by bisection. No post-dominators are asked, so loops without end are
//! nothing special.
//!
//! *Unread writes* (`unread.rs`, `touches.rs`). States say what readers see. Which writes no reader sees is asked of the places that are
//! written, by walks over the blocks that a write reaches.
//!
//! # Which accesses alias
//!
//! SPIR-V section 2.18.2 ("Aliasing") lets a compiler assume in the memory models Simple, GLSL450 and Vulkan that two memory object
//! declarations do not overlap unless a pointer is decorated `Aliased`, and there `Restrict` says nothing new; in the memory model
//! OpenCL they may overlap unless a pointer is decorated `Restrict`. So:
//!
//! - Two variables are two objects. A variable decorated `Aliased`, and variables of one descriptor set and binding, are accessed as if
//!   nobody knew by what address. Elements of an array of buffers or images are not told apart: they are one declaration.
//! - A pointer that is a parameter, loaded, selected or made from a number may point to anything of its storage class that has an
//!   address others know: to every variable at module level, and to a variable of the function whose address is stored, passed or
//!   computed with. A generic pointer may point to several storage classes, a physical one to any buffer.
//! - A parameter decorated `Restrict`, or with the attribute `NoAlias`, is an object of its own as long as its address stays known.
//! - Inputs, constants, uniform blocks, push constants, sampled images, and buffers and images that are `NonWritable` and not `Aliased`
//!   are never written.
//! - Calls and instructions of which nothing is known write everything whose address is known elsewhere. Barriers, atomics that acquire
//!   or release, and whatever else makes writes of others visible, write all memory that lanes share.
//! - Volatile and coherent accesses, and those that make memory visible, write the place that they read, and have no state.
//!
//! # Cost
//!
//! Linear in instructions, in definitions times classes that they reach, and in joins, with a logarithm of the number of classes. The
//! latter two are held below [`MemoryStates::EFFORT`] for each instruction: where they would exceed it, all places of an object become
//! one class, and if that is not enough, all objects of a storage class. Both are coarser and as sound.

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

pub use location::Class;
pub use states::{Clobber, Definition, MemoryStates, State};
pub use unread::compute_unread_writes;
