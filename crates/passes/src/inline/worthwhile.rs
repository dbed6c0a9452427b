//! Inlines the calls that are worth it: small bodies, and bodies that are called once.
//!
//! *Requires* caller and callee at one stage. *Preserves* that stage, and who executes what together. *Breaks* nothing.
//!
//! At stage Structured the body must be left at one place, in the last block of its outermost list. `lower_returns` sees to that, in
//! the callee, before it is copied; a body that returns never is not copied. A loop header may open no other construct (R11), so a call in
//! one moves to a block behind it first; the one block of a loop that has only one is left alone, as its latch would part from its continue
//! block (R22), and so is a body that ends the invocation, for a continue construct may not (R22). Sampled images are made again behind the
//! call (R6); a call that is passed one stays.
//!
//! ```text
//! ^h: … call %f … branch_if %c ^b ^m      ⇒      ^h: branch ^i      ^i: … f's blocks … branch_if %c ^b ^m
//! ```
//!
//! Callees first, so a body that is copied has no worthwhile call left. Recursion leaves the module as it is. The module grows to
//! [`InlineLimits::module`] instructions at most, and no function gets more constructs than could be nested ([`CONSTRUCT_LIMIT`]).

use reconverge_analysis::is_exported;
use reconverge_ir::{Block, Function, Inst, Module, Op, Position, Stage};
use rustc_hash::{FxHashMap, FxHashSet};

use super::call_order::compute_call_order;
use super::splice::splice;
use super::{gather_sites, size};
use crate::structured::lower_returns;

/// Constructs that a function may have after inlining: fewer than SPIR-V lets nest (1,023; section 2.17), however they stand.
const CONSTRUCT_LIMIT: usize = 500;

/// Instructions of a body that is brought to a single exit.
const SINGLE_EXIT_LIMIT: usize = 1 << 14;

/// How much may be inlined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InlineLimits {
    /// Instructions that a body may have to be copied to every call of it.
    pub body: usize,
    /// Instructions that all functions together may have.
    pub module: usize,
}

/// Inlines calls between functions that are all at one stage. How many calls went.
pub fn inline_worthwhile(module: &mut Module, functions: &[Function], limits: InlineLimits) -> usize {
    let Ok(order) = compute_call_order(module, functions) else { return 0 };
    let mut bodies = Bodies::gather(module, functions);
    let mut inlined = 0;
    for function in order {
        if !bodies.sizes.contains_key(&function) {
            continue;
        }
        inlined += inline_into(module, function, &mut bodies, limits);
    }
    inlined
}

/// What is known of each function.
struct Bodies {
    sizes: FxHashMap<Function, usize>,
    constructs: FxHashMap<Function, usize>,
    calls: FxHashMap<Function, usize>,
    /// Functions that others may call, from outside or from a table of entry points.
    is_root: FxHashSet<Function>,
    /// Whether a body can be copied, where that was asked.
    is_fit: FxHashMap<Function, bool>,
    total: usize,
}

impl Bodies {
    fn gather(module: &Module, functions: &[Function]) -> Bodies {
        let mut calls: FxHashMap<Function, usize> = FxHashMap::default();
        for function in module.functions() {
            for (callee, _) in gather_sites(module, function) {
                *calls.entry(callee).or_default() += 1;
            }
        }
        let sizes: FxHashMap<Function, usize> =
            functions.iter().map(|&function| (function, size(module, function))).collect();
        let total = module.functions().map(|function| size(module, function)).sum();
        let constructs = functions.iter().map(|&function| (function, constructs(module, function))).collect();
        Bodies { sizes, constructs, calls, is_root: roots(module), is_fit: FxHashMap::default(), total }
    }

    /// Whether a call of `callee` in `caller` is worth a copy of the body, and there is room for it.
    fn is_worthwhile(&self, module: &Module, (caller, callee): (Function, Function), limits: InlineLimits) -> bool {
        let Some(&size) = self.sizes.get(&callee) else { return false };
        let is_last = self.calls.get(&callee) == Some(&1) && !self.is_root.contains(&callee);
        let may = !is_kept_apart(module, callee) && (is_last || size <= limits.body);
        may && self.total + size <= limits.module
            && self.constructs[&caller] + self.constructs[&callee] <= CONSTRUCT_LIMIT
    }

    /// Whether a body can be copied; at stage Structured it is brought to a single exit first.
    fn make_fit(&mut self, module: &mut Module, callee: Function) -> bool {
        if let Some(&is_fit) = self.is_fit.get(&callee) {
            return is_fit;
        }
        let is_fit = module.stage(callee) != Stage::Structured
            || (!ends_invocation(module, callee) && self.bring_to_one_exit(module, callee) && returns(module, callee));
        self.is_fit.insert(callee, is_fit);
        self.sizes.insert(callee, size(module, callee));
        self.constructs.insert(callee, constructs(module, callee));
        is_fit
    }

    /// Gives a body a single exit. What is far from every limit that carrying values has cannot fail on one half way.
    fn bring_to_one_exit(&self, module: &mut Module, callee: Function) -> bool {
        self.sizes[&callee] <= SINGLE_EXIT_LIMIT && lower_returns(module, callee).is_ok()
    }
}

/// The functions that a module is entered by: entry points, and what it exports. All, where it names none.
pub(crate) fn roots(module: &Module) -> FxHashSet<Function> {
    let entry_points = module.globals().filter(|&global| module.op(global) == Op::EntryPoint);
    let entered = entry_points.filter_map(|entry| module.cast::<Function>(module.operand(entry, 1)));
    // What is imported has linkage as well, and no body.
    let exported =
        module.functions().filter(|&function| module.entry(function).is_some() && is_exported(module, function));
    let named: FxHashSet<Function> = entered.chain(exported).collect();
    if named.is_empty() { module.functions().collect() } else { named }
}

fn inline_into(module: &mut Module, function: Function, bodies: &mut Bodies, limits: InlineLimits) -> usize {
    let mut inlined = 0;
    for (callee, site) in gather_sites(module, function).into_iter().rev() {
        let is_due = callee != function && bodies.is_worthwhile(module, (function, callee), limits);
        if !is_due || !bodies.make_fit(module, callee) || !make_room(module, site.call, callee) {
            continue;
        }
        let before = size(module, function);
        splice(module, function, callee, site);
        let after = size(module, function);
        bodies.total = bodies.total + after - before;
        bodies.sizes.insert(function, after);
        *bodies.constructs.entry(function).or_default() += bodies.constructs[&callee];
        *bodies.calls.entry(callee).or_insert(1) -= 1;
        inlined += 1;
    }
    inlined
}

/// Whether a function asks not to be copied (function control `DontInline`; SPIR-V section 3.24).
fn is_kept_apart(module: &Module, function: Function) -> bool {
    const DONT_INLINE: u32 = 2;
    module.literal_word(module.operand(function, 1)).is_some_and(|control| control & DONT_INLINE != 0)
}

fn terminators(module: &Module, function: Function) -> impl Iterator<Item = Op> + '_ {
    module.blocks(function).filter_map(|block| module.terminator(block)).map(|last| module.op(last))
}

fn ends_invocation(module: &Module, function: Function) -> bool {
    let goes_on = |op| {
        use Op::{Branch, BranchIf, If, Loop, Return, ReturnValue, StructuredSwitch, Switch, Unreachable};
        matches!(op, Branch | BranchIf | If | Loop | Return | ReturnValue | StructuredSwitch | Switch | Unreachable)
    };
    !terminators(module, function).all(goes_on)
}

fn returns(module: &Module, function: Function) -> bool {
    terminators(module, function).filter(|op| matches!(op, Op::Return | Op::ReturnValue)).count() == 1
}

fn constructs(module: &Module, function: Function) -> usize {
    terminators(module, function).filter(|op| matches!(op, Op::If | Op::StructuredSwitch | Op::Loop)).count()
}

/// Makes the sampled images again that stand in front of a call and are used behind it: they are for their own block only (R6).
fn bring_sampled_images_along(module: &mut Module, block: Block, call: Inst) {
    let before = module.children(block).take_while(|&inst| inst != call);
    let images: Vec<Inst> = before.filter(|&inst| module.op(inst) == Op::SampledImage).collect();
    let behind: Vec<Inst> = std::iter::successors(module.next(call), |&inst| module.next(inst)).collect();
    for image in images {
        let users: Vec<Inst> =
            behind.iter().copied().filter(|&user| module.operands(user).any(|operand| operand == image)).collect();
        if users.is_empty() {
            continue;
        }
        let operands: Vec<Inst> = module.operands(image).collect();
        let (ty, notes) = (module.ty(image), module.decorations(image).to_vec());
        let mut editor = module.edit();
        let again = editor.insert(Position::After(call), Op::SampledImage, ty, &operands);
        notes.into_iter().for_each(|note| editor.decorate(again, note));
        for user in users {
            let indices = editor.module().operands(user).enumerate().filter(|&(_, operand)| operand == image);
            let indices: Vec<usize> = indices.map(|(index, _)| index).collect();
            indices.into_iter().for_each(|index| editor.set_operand(user, index, again));
        }
    }
}

/// Whether the body can stand where the call stands; a call in a loop header moves behind it.
fn make_room(module: &mut Module, call: Inst, callee: Function) -> bool {
    let block = module.block_of(call).expect("invariant: a call stands in a block");
    let is_one_block = module.blocks(callee).nth(1).is_none();
    let header = module.in_edges(block).find(|edge| module.op(edge.terminator) == Op::Loop);
    if is_one_block {
        return true;
    }
    if module.operands(call).any(|argument| module.op(argument) == Op::SampledImage) {
        return false;
    }
    bring_sampled_images_along(module, block, call);
    let Some(entry) = header.filter(|_| module.stage(callee) == Stage::Structured) else { return true };
    if module.continue_block(entry.terminator) == Some(block) {
        return false;
    }
    let inside: Vec<Inst> = module.children(block).filter(|&inst| module.op(inst) != Op::BlockParameter).collect();
    let mut editor = module.edit();
    let rest = editor.insert(Position::After(block.into()), Op::Block, None, &[]);
    inside.into_iter().for_each(|inst| editor.move_to(inst, Position::AtEnd(rest)));
    editor.append(block, Op::Branch, None, &[rest]);
    true
}
