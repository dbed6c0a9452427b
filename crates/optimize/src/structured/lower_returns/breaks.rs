//! Returns out of loops and switches: a flag passed through break blocks.
//!
//! ```text
//! loop ^h break ^m …                       loop ^h break ^m …
//! …  return %x                      ⇒      …  branch ^m(undef, true, %x)
//! …  branch ^m(%a)                         …  branch ^m(%a, false, undef)
//! ^m(%p): rest                             ^m(%p, %flag, %v): branch_if %flag ^out ^rest     out: returns %v, or breaks further
//! ```
//!
//! After a construct outside all loops and switches, the test is an `if` whose merge block is the rest. A break block that only returns
//! lead to gets no flag: a new block with a return replaces it.

use reconverge_control_tree::{Construct, ControlTree};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Builder, Function, Inst, Module, Op, Position, terminator::operand};
use rustc_hash::FxHashMap;
use spirv::SelectionControl;

use super::super::blocks::{append_parameter, jump_with, make_jumps, new_block, split_after_parameters};
use super::super::view::tree_of;
use super::{is_return, return_type, returned};
use reconverge_rewrite::undef::Undefs;

/// A block that returns: in the source, or after a construct that a return broke.
#[derive(Clone, Copy)]
struct Site {
    block: Block,
    /// A flag that is true there.
    flag: Option<Inst>,
}

/// Replaces returns inside loops and switches by breaks, until all are outside.
pub(super) fn break_with_flags(module: &mut Module, function: Function) -> Result<(), Diagnostic> {
    let tree = tree_of(module, function)?;
    let mut sites: FxHashMap<Construct, Vec<Site>> = FxHashMap::default();
    for &block in tree.blocks().iter().filter(|&&block| is_return(module, block)) {
        if let Some(around) = breakable(&tree, block) {
            sites.entry(around).or_default().push(Site { block, flag: None });
        }
    }
    let constructs: Vec<Construct> = tree.constructs().rev().map(|construct| construct.name()).collect();
    let mut lowering = Lowering { module, function, undefs: Undefs::default(), rests: FxHashMap::default() };
    for construct in constructs {
        let Some(mut returning) = sites.remove(&construct) else { continue };
        for site in &mut returning {
            site.block = lowering.rests.get(&site.block).copied().unwrap_or(site.block);
        }
        let merge = tree.construct(construct).merge.expect("invariant: loops and switches have a merge block");
        let outer = breakable(&tree, merge);
        let behind = lowering.break_out(construct, merge, &returning, outer);
        if let Some(outer) = outer {
            sites.entry(outer).or_default().push(behind);
        }
    }
    Ok(())
}

/// The construct that a return would break: the innermost loop, or else the innermost switch.
fn breakable(tree: &ControlTree, block: Block) -> Option<Construct> {
    tree.innermost_loop(block).or_else(|| tree.innermost_switch(block))
}

struct Lowering<'m> {
    module: &'m mut Module,
    function: Function,
    undefs: Undefs,
    /// The block with the rest of a break block that got a test, with its terminator.
    rests: FxHashMap<Block, Block>,
}

impl Lowering<'_> {
    /// Replaces returns by breaks of a construct. Returns the block after it that returns for them.
    fn break_out(&mut self, construct: Construct, merge: Block, returning: &[Site], outer: Option<Construct>) -> Site {
        let is_left_otherwise = self.module.in_edges(merge).next().is_some();
        match is_left_otherwise {
            true => self.break_with_flag(merge, returning, outer),
            false => self.break_without_flag(construct, merge, returning),
        }
    }

    fn break_without_flag(&mut self, construct: Construct, merge: Block, returning: &[Site]) -> Site {
        let after = new_block(self.module, Op::Block, Position::Before(merge.into()));
        let opening = self.module.terminator(construct.opener()).expect("invariant: an opener has a terminator");
        let index = match self.module.op(opening) {
            Op::Loop => operand::BREAK,
            _ => operand::SWITCH_MERGE,
        };
        self.module.edit().set_operand(opening, index, after);
        let values: Vec<Option<Inst>> = returning.iter().map(|site| returned(self.module, site.block)).collect();
        let value =
            return_type(self.module, self.function).map(|ty| Builder::new(self.module).add_parameter(after, ty).inst());
        for (site, returned) in returning.iter().zip(values) {
            jump_with(self.module, site.block, after, returned.as_slice());
        }
        self.end_by_return(after, value);
        Site { block: after, flag: None }
    }

    fn break_with_flag(&mut self, merge: Block, returning: &[Site], outer: Option<Construct>) -> Site {
        make_jumps(self.module, merge);
        let mut flags: FxHashMap<Block, Inst> = FxHashMap::default();
        let mut values: FxHashMap<Block, Inst> = FxHashMap::default();
        let yes = Builder::new(self.module).constant_bool(true);
        for site in returning {
            flags.insert(site.block, site.flag.unwrap_or(yes));
            if let Some(value) = returned(self.module, site.block) {
                values.insert(site.block, value);
            }
            jump_with(self.module, site.block, merge, &[]);
        }
        let mut build = Builder::new(self.module);
        let (no, bool_type) = (build.constant_bool(false), build.bool_type());
        let flag = append_parameter(self.module, merge, bool_type, |source| flags.get(&source).copied().unwrap_or(no));
        let value = return_type(self.module, self.function).map(|ty| {
            let undef = self.undefs.undef(self.module, ty);
            append_parameter(self.module, merge, ty, |source| values.get(&source).copied().unwrap_or(undef))
        });
        let block = self.test(merge, flag, outer);
        self.end_by_return(block, value);
        Site { block, flag: Some(flag) }
    }

    /// Splits a break block: one edge for the old contents, one for the lanes that return.
    fn test(&mut self, merge: Block, flag: Inst, outer: Option<Construct>) -> Block {
        let rest = split_after_parameters(self.module, merge);
        self.rests.insert(merge, rest);
        let op = if outer.is_some() { Op::EdgeBlock } else { Op::Block };
        let block = new_block(self.module, op, Position::After(merge.into()));
        let mut operands = vec![flag, block.into(), rest.into()];
        if outer.is_none() {
            operands.extend([rest.into(), self.module.edit().enumerant(SelectionControl::NONE)]);
        }
        let op = if outer.is_some() { Op::BranchIf } else { Op::If };
        self.module.edit().replace_terminator(merge, op, &operands);
        block
    }

    fn end_by_return(&mut self, block: Block, value: Option<Inst>) {
        let op = if value.is_some() { Op::ReturnValue } else { Op::Return };
        self.module.edit().replace_terminator(block, op, value.as_slice());
    }
}
