//! The text form of a graph: one block per line, for people, tests and bug reports.
//!
//! ```text
//! # while (a) { if (b) break; }        a comment runs from # or ; to the end of the line
//! a condbr b exit                      name, terminator, targets
//! b condbr exit latch, weight 4        then attributes, each after a comma
//! latch br a
//! exit ret
//! ```
//!
//! | terminator | targets | [`Branch`](crate::Branch) |
//! |---|---|---|
//! | `ret` | none | `Exit` |
//! | `unreachable` | none; control never comes to the end | `Unreachable` |
//! | `br A` | one | `Jump` |
//! | `condbr T F` | the target if the condition holds, and if not | `Conditional` |
//! | `switch D C1 C2 …` | the default, then the cases; case `Ci` is taken for the value `i - 1` | `Switch` |
//!
//! | attribute | meaning |
//! |---|---|
//! | `convergent` | the block contains an operation whose result depends on which lanes execute it together |
//! | `quad` | the same, but only on those of its quad, as a derivative does; `convergent` includes it |
//! | `weight N` | the amount of code; 1 by default |
//! | `merge M` | lanes that diverge at the end of the block reconverge at M ([`Hints`](crate::Hints)) |
//! | `loop M C` | the block is the header of a loop; its lanes reconverge at M after it and at C in each iteration; `-` means none, and may be omitted at the end |
//! | `entry` | the entry; the first block by default |
//!
//! Several blocks may be on a line, with ` | ` between them. A name is a sequence of any characters except blanks, control characters and
//! `|`, `,`, `#`, `;`, except a single `-`, so that most compilers' names are valid (`%12`, `^body`, `.LBB0_3`, `for.end`). No word is
//! reserved: the position determines the meaning. Targets may be defined after their use.
//!
//! ```
//! use reconverge_structurize::{Options, structurize, text};
//!
//! let graph = text::parse("a condbr b c | b br d | c br d | d ret")?;
//! let plan = structurize(&graph, &Options::default()).expect("four blocks are within the limits");
//! assert_eq!(plan.blocks.len(), 4);
//! assert_eq!(text::parse(&graph.to_string())?, graph);
//! # Ok::<(), reconverge_diagnostic::Diagnostic>(())
//! ```

mod error;
mod parse;
mod print;

pub use error::ErrorCode;
pub use parse::parse;
