//! Rearranges the text of naga's writers into the statements that a person would write.
//!
//! ```text
//! loop {                                 while i < n {
//!     let _e5 = i;                           sum += data[i];
//!     if (_e5 < n) {                         i += 1u;
//!     } else {                       ⇒   }
//!         break;
//!     }
//!     {
//!         let _e9 = i; …
//! ```
//!
//! Naga's writers print the types, resources and operators of each language, and one form of statement for all: an endless loop, an `if`
//! with both arms, a name for each load. Here a function is a tree of statements (`tree.rs`) whose expressions are text, and each rule
//! rewrites the tree into one with the same meaning:
//!
//! | file | before | after |
//! |---|---|---|
//! | `branches.rs` | an arm without code; a block in a block; an arm after a jump; a jump that changes nothing | none of them |
//! | `branches.rs` | `do { … break; … } while (false)` | nested selections |
//! | `branches.rs` | in WGSL, `continue` in a function that needs all lanes together | `else` |
//! | `loops.rs` | the flag by which GLSL, HLSL and MSL mark code between iterations | `for`, `while`, `do` |
//! | `temporaries.rs` | a name for a load that is read once, by the next statement | the load there |
//! | `copies.rs` | a name for a variable that does not change while it is used | the variable |
//! | `stores.rs` | a name for a value that a variable gets, and nothing else | the value there |
//! | `comparisons.rs` | `!(i >= n)` | `i < n` |
//! | `short_circuits.rs` | a selection that computes the second operand | `&&`, `||` |
//! | `declarations.rs` | variables at the top, with a value that nothing reads | at the first assignment |
//! | `assignments.rs` | `x = (x + 1u);`, `a[(i)]` | `x += 1u;`, `a[i]` |
//!
//! The rules rely on guarantees of naga: names are unique in a function, names of temporaries begin with `_e`, and operands of operators
//! are in parentheses. A function with any other statement is not changed.
//!
//! Linear in the text, except for the declarations, which take a walk for each level at which variables move.

mod assignments;
mod branches;
mod comparisons;
mod copies;
mod declarations;
mod expression;
mod loops;
mod parse;
mod print;
mod short_circuits;
mod stores;
mod temporaries;
mod tree;

use self::parse::Piece;

/// The differences between the statements of the languages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    /// WGSL: `loop` with `continuing`, conditions without parentheses, no `do`.
    Wgsl,
    /// GLSL, HLSL and MSL, whose statements are those of C.
    C,
}

/// The text with its functions rearranged.
pub(crate) fn restyle(text: &str, dialect: Dialect) -> String {
    let mut result = String::with_capacity(text.len());
    let pieces = parse::pieces(text);
    let impure = expression::Calls::of(&pieces);
    for piece in pieces {
        match piece {
            Piece::Verbatim(text) => result.push_str(text),
            Piece::Function { header, body, source } => match parse::body(body) {
                Some(mut statements) => {
                    rearrange(&mut statements, dialect, &impure);
                    result.push_str(header);
                    print::function(&statements, dialect, &mut result);
                }
                None => result.push_str(source),
            },
        }
    }
    result
}

fn rearrange(body: &mut tree::List, dialect: Dialect, calls: &expression::Calls<'_>) {
    loops::recognize(body);
    branches::simplify(body);
    branches::nest_breaks(body);
    branches::simplify(body);
    temporaries::inline(body, calls);
    copies::propagate(body, calls);
    short_circuits::join(body, calls);
    temporaries::inline(body, calls);
    stores::assign_early(body, calls);
    loops::conditions(body, dialect);
    branches::simplify(body);
    declarations::sink(body, dialect);
    loops::counters(body, dialect);
    comparisons::simplify(body);
    assignments::compound(body);
    branches::remove_last_jumps(body);
    if dialect == Dialect::Wgsl && expression::needs_all_lanes(body) {
        branches::nest_continues(body);
    }
}

#[cfg(test)]
mod tests;
