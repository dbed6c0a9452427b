//! Back edges: the number of times that a lane takes one is the number of its loop iterations.
//!
//! An edge is a back edge if its target is an ancestor of its source, or the source itself, in the depth-first search from the entry that
//! visits the targets of a terminator in order, with the cases of a switch after the default, sorted by value. In a graph without
//! irreducible cycles these are the edges to loop headers, for any order; every cycle has one in any graph.
//!
//! ```text
//! entry ──▶ header ──▶ body        body ──▶ header goes back
//!              ▲         │
//!              └─────────┘
//! ```
//!
//! With an explicit stack; linear in the blocks and edges.

use crate::code::instruction::{Action, Code, Target};

/// The state of the search at a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SearchState {
    Unseen,
    /// On the stack: an ancestor of the current block.
    Open,
    Done,
}

/// Marks the targets of back edges.
pub(crate) fn mark(code: &mut Code) {
    let mut states = vec![SearchState::Unseen; code.blocks.len()];
    if code.blocks.is_empty() {
        return;
    }
    // Blocks, each with the number of its next target.
    let mut stack = vec![(0, 0)];
    states[0] = SearchState::Open;
    while let Some((block, next)) = stack.last_mut() {
        let Some(target) = target(code, *block, *next) else {
            states[*block] = SearchState::Done;
            stack.pop();
            continue;
        };
        *next += 1;
        let successor = target.block() as usize;
        match states[successor] {
            SearchState::Unseen => {
                states[successor] = SearchState::Open;
                stack.push((successor, 0));
            }
            SearchState::Open => target.mark_backward(),
            SearchState::Done => {}
        }
    }
}

/// Target number `index` of the terminator of a block.
fn target(code: &mut Code, block: usize, index: usize) -> Option<&mut Target> {
    let end = code.blocks.get(block + 1).map_or(code.instructions.len(), |next| next.first as usize);
    match &mut code.instructions[end - 1].action {
        Action::Branch(target) => Some(target).filter(|_| index == 0),
        Action::BranchIf { when_true, when_false } => [when_true, when_false].into_iter().nth(index),
        Action::Switch(switch) => match index {
            0 => Some(&mut switch.default),
            index => switch.rows.get_mut(index - 1).map(|(_, target)| target),
        },
        _ => None,
    }
}
