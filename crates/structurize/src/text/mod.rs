//! The text form of a graph: one block a line, for people, tests and reports.
//!
//! ```text
//! # while (a) { if (b) break; }        a comment runs from # or ; to the end of the line
//! a condbr b exit                      name, terminator, targets
//! b condbr exit latch, weight 4        then attributes, each behind a comma
//! latch br a
//! exit ret
//! ```
//!
//! | terminator | targets | [`Branch`](crate::Branch) |
//! |---|---|---|
//! | `ret` | none | `Exit` |
//! | `unreachable` | none; control never comes to the end | `Unreachable` |
//! | `br A` | one | `Jump` |
//! | `condbr T F` | where it goes when the condition holds, and when not | `Conditional` |
//! | `switch D C1 C2 …` | the default, then the cases; case `Ci` is taken for the value `i - 1` | `Switch` |
//!
//! | attribute | meaning |
//! |---|---|
//! | `convergent` | the block holds an operation whose result depends on which lanes run it together |
//! | `quad` | the same, but only on those of its quad, as a derivative does; `convergent` says more |
//! | `weight N` | how much code it stands for; 1 if nothing is said |
//! | `merge M` | lanes that part at the end of the block meet at M ([`Hints`](crate::Hints)) |
//! | `loop M C` | the block is the header of a loop; its lanes meet at M behind it and at C in each iteration; `-` stands for none, and what is none may be left out at the end |
//! | `entry` | control enters here; at the first block if nothing is said |
//!
//! Several blocks may stand on a line, with ` | ` between them. A name is a run of any characters but blanks, control characters and
//! `|`, `,`, `#`, `;`, but for `-` alone, so that most compilers' names can stand as they are (`%12`, `^body`, `.LBB0_3`, `for.end`). No word is
//! reserved: its place says what it is. Targets may come later than they are named.
//!
//! ```
//! use reconverge_structurize::{Options, structurize, text};
//!
//! let graph = text::parse("a condbr b c | b br d | c br d | d ret")?;
//! let plan = structurize(&graph, &Options::default()).expect("four blocks are within the limits");
//! assert_eq!(plan.blocks.len(), 4);
//! assert_eq!(text::parse(&graph.to_string())?, graph);
//! # Ok::<(), text::ParseError>(())
//! ```

mod error;
mod parse;
mod print;

pub use error::{ErrorCode, ParseError, line_and_column};
pub use parse::parse;
