//! Nesting depth of structured functions: SPIR-V limits it, and a pass can exceed the limit.
//!
//! The depth of a block is the number of selections, switches, loops and continue constructs around it. The cases of a switch and
//! conditional exits do not count. The first block of a loop, or of its continue construct, counts as outside. Edge blocks are edges. A
//! scope of the control tree is not a construct in SPIR-V: it counts as the selection that its `if` opens, for the code after its join as
//! for its two arms.

use reconverge_control_tree::{ConstructKind, ControlTree, List, Node, Owner, Role, TreeError};
use reconverge_ir::{Block, Function, Module};

/// The maximum number of constructs around a block (SPIR-V section 2.17).
pub(crate) const LIMIT: usize = 1_023;

/// The number of constructs around the deepest block of a function. Near-linear.
///
/// # Errors
/// The function breaks the rules of stage Structured.
pub(crate) fn depth(module: &Module, function: Function) -> Result<usize, TreeError> {
    let tree = ControlTree::compute(module, function)?;
    let mut depths: Vec<usize> = Vec::with_capacity(tree.lists().len());
    let mut deepest = 0;
    for list in tree.lists() {
        let depth = match tree.owner(list) {
            Owner::Function => 0,
            Owner::Construct(construct, _) => {
                let counts = tree.construct(construct).kind != ConstructKind::Exit;
                depths[tree.parent(construct).index()] + usize::from(counts)
            }
        };
        depths.push(depth);
        if depth > deepest && has_block_inside(module, &tree, list) {
            deepest = depth;
        }
    }
    Ok(deepest)
}

/// Returns whether a list has a block inside its construct that is not the first one.
fn has_block_inside(module: &Module, tree: &ControlTree, list: List) -> bool {
    // If a continue construct begins with the header of a loop, its own list contains no block of that loop.
    let begins = matches!(tree.owner(list), Owner::Construct(_, Role::Body | Role::Continue))
        && matches!(tree.nodes(list), [Node::Block(_), ..]);
    let block = |node: &Node| -> Option<Block> {
        match *node {
            Node::Block(block) => Some(block),
            Node::Construct(_) => None,
        }
    };
    let mut blocks = tree.nodes(list).iter().filter_map(block).skip(usize::from(begins));
    blocks.any(|block| !module.is_bare_edge(block))
}

#[cfg(test)]
mod tests {
    use reconverge_ir::text::parse;

    use super::depth;

    const TYPES: &str = "%void = type_void\n%bool = type_bool\n%true: %bool = constant_true\n";

    fn depth_of(body: &str) -> usize {
        let module = parse(&format!("{TYPES}func %f: %void () stage structured {{\n{body}}}\n")).unwrap();
        let function = module.functions().next().unwrap();
        depth(&module, function).unwrap()
    }

    #[test]
    fn a_straight_line_is_in_nothing() {
        assert_eq!(depth_of("block ^a:\n  return\n"), 0);
    }

    #[test]
    fn an_arm_is_in_its_selection() {
        let body = "block ^a:\n  if %true ^b ^c merge ^d control 0\nblock ^b:\n  branch ^d\nedge ^c:\n  branch ^d\n\
                    block ^d:\n  return\n";
        assert_eq!(depth_of(body), 1);
    }

    #[test]
    fn a_header_is_not_in_its_loop_and_conditional_exits_are_nothing() {
        let body = "block ^a:\n  loop ^h break ^z continue ^n control 0\nblock ^h:\n  branch_if %true ^b ^x\n\
                    edge ^x:\n  branch ^z\nblock ^n:\n  branch ^h\nblock ^z:\n  return\n";
        assert_eq!(depth_of(&body.replace("^b ^x", "^n ^x")), 0);
        let with_body = body.replace("block ^n:", "block ^b:\n  branch ^n\nblock ^n:");
        assert_eq!(depth_of(&with_body), 1);
    }

    #[test]
    fn a_scope_is_the_selection_that_it_is_in_spirv() {
        let body = "block ^a:\n  if %true ^b ^c merge ^d control 0\nblock ^b:\n  branch ^j\nblock ^c:\n  branch ^j\n\
                    block ^j:\n  if %true ^k ^l merge ^n control 0\nblock ^k:\n  branch ^n\nedge ^l:\n  branch ^n\n\
                    block ^n:\n  branch ^d\nblock ^d:\n  return\n";
        assert_eq!(depth_of(body), 2);
    }

    #[test]
    fn a_loop_whose_header_is_a_continue_target_is_in_the_continue_construct() {
        let body = "block ^a:\n  loop ^h break ^m continue ^g control 0\nblock ^h:\n  branch_if %true ^b ^m\n\
                    block ^b:\n  loop ^g break ^k continue ^j control 0\nblock ^g:\n  branch_if %true ^i ^k\n\
                    block ^i:\n  branch ^j\nblock ^j:\n  branch ^g\nblock ^k:\n  branch ^h\nblock ^m:\n  return\n";
        assert_eq!(depth_of(body), 2);
    }
}
