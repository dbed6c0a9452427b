//! Inlines profitable calls: small bodies, and bodies that are called once.
//!
//! *Requires* caller and callee at one stage. *Preserves* that stage, and convergence. *Breaks* nothing.
//!
//! At stage Structured the body must return at one place, in the last block of its outermost list. `lower_returns` transforms the callee so
//! before it is copied; a body that never returns is not copied. A loop header must not open another construct (R11), so a call in a loop
//! header first moves to a block after it. If the header is also the continue block, as in a loop with only one block, the loop first gets a
//! continue block of its own on the back edge, because the block of the back edge must post-dominate the continue block (R22). A body that
//! ends the invocation is not inlined into a continue construct (R22), and neither is one that reaches `unreachable`. Sampled images are
//! created again after the call (R6); a call with a sampled image as argument stays.
//!
//! ```text
//! ^h: … call %f … branch_if %c ^b ^m      ⇒      ^h: branch ^i      ^i: … f's blocks … branch_if %c ^b ^m
//!
//! loop ^h break ^m continue ^h                   loop ^h break ^m continue ^k
//! ^h: … call %f … branch_if %c ^b ^m      ⇒      ^h: branch ^i      ^i: … f's blocks … branch_if %c ^b ^m
//! edge ^b: branch ^h(%x)                         edge ^b: branch ^k      ^k: branch ^h(%x)
//! ```
//!
//! Two rounds. *Callers first*: a body that only one call uses moves to the place of the call, and then the calls in it are processed. So a
//! chain of functions becomes one function, each body is moved once, and nothing is copied. *Callees first*: bodies are copied, so that a
//! copied body contains no profitable call; the last call gets the body itself if nothing else uses it. So no later pass processes a body
//! twice.
//!
//! Recursion leaves the module unchanged. The module grows to [`InlineLimits::module`] instructions at most, and no function gets more
//! constructs than can be nested ([`CONSTRUCT_LIMIT`]). Linear in the result and in the code after calls in their blocks.

use reconverge_analysis::is_exported;
use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Function, Inst, Module, Op, OpGroup, Position, Stage, Terminator, view};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::FunctionControl;

use super::call_order::compute_call_order;
use super::splice::{Body, instructions_behind, splice};
use super::{gather_sites, size};
use crate::structured::lower_returns;
use reconverge_rewrite::debug_info::is_named_elsewhere;

/// The maximal number of constructs of a function after inlining. SPIR-V allows a nesting of 1,023 (section 2.17); this is below it for any
/// shape.
const CONSTRUCT_LIMIT: usize = 500;

/// The maximal number of instructions of a body that gets a single return.
const SINGLE_EXIT_LIMIT: usize = 1 << 14;

/// Limits of inlining.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InlineLimits {
    /// The maximal number of instructions of a body that is copied to every call.
    pub body: usize,
    /// The maximal number of instructions of all functions together.
    pub module: usize,
}

/// Inlines calls between functions of one stage. Returns the number of inlined calls.
///
/// A function whose only call is inlined is deleted, unless it is an entry point or export, or another instruction uses it.
pub fn inline_worthwhile(module: &mut Module, functions: &[Function], limits: InlineLimits) -> usize {
    let Ok(order) = compute_call_order(module, functions) else { return 0 };
    let mut bodies = Bodies::gather(module, functions);
    let mut inlined = 0;
    for &function in order.iter().rev() {
        if bodies.sizes.contains_key(&function) {
            inlined += take_in(module, function, &mut bodies, limits);
        }
    }
    for &function in &order {
        if bodies.sizes.contains_key(&function) {
            inlined += inline_into(module, function, &mut bodies, limits);
        }
    }
    inlined
}

/// The facts about each function.
struct Bodies {
    /// The sizes of functions that still exist. While calls in a function are inlined, its size is a sum; after that its instructions are
    /// counted.
    sizes: FxHashMap<Function, usize>,
    constructs: FxHashMap<Function, usize>,
    calls: FxHashMap<Function, usize>,
    /// Functions that code outside the module may call, or that a table of entry points names.
    is_root: FxHashSet<Function>,
    /// By function, whether its body can be copied, computed on demand.
    is_fit: FxHashMap<Function, bool>,
    /// Calls in continue constructs.
    in_continue_constructs: FxHashSet<Inst>,
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
        let structured = functions.iter().filter(|&&function| module.stage(function) == Stage::Structured);
        let in_continue_constructs =
            structured.flat_map(|&function| calls_in_continue_constructs(module, function)).collect();
        Bodies {
            sizes,
            constructs,
            calls,
            is_root: roots(module),
            is_fit: FxHashMap::default(),
            in_continue_constructs,
            total,
        }
    }

    /// Returns whether the callee has a body that may be inlined into the caller within the limits.
    fn is_allowed(&self, module: &Module, caller: Function, callee: Function, limits: InlineLimits) -> bool {
        let (Some(own), Some(added)) = (self.sizes.get(&caller), self.sizes.get(&callee)) else { return false };
        !is_kept_apart(module, callee)
            && own + added <= limits.module
            && self.constructs[&caller] + self.constructs[&callee] <= CONSTRUCT_LIMIT
    }

    /// Returns whether a call of `callee` is the last one.
    fn is_last(&self, callee: Function) -> bool {
        self.calls.get(&callee) == Some(&1) && !self.is_root.contains(&callee)
    }

    /// Returns whether `callee` can be deleted with its call: nothing else uses it, such as reflection.
    fn is_movable(&self, module: &Module, callee: Function) -> bool {
        self.is_last(callee) && !is_named_elsewhere(module, callee)
    }

    /// Returns whether a copy of the body of `callee` is profitable for a call and within the limits.
    fn is_worthwhile(&self, callee: Function, limits: InlineLimits) -> bool {
        let size = self.sizes[&callee];
        (self.is_last(callee) || size <= limits.body) && self.total + size <= limits.module
    }

    /// Returns whether a body can be copied; at stage Structured it gets a single return first.
    fn make_fit(&mut self, module: &mut Module, callee: Function) -> bool {
        if module.stage(callee) != Stage::Structured {
            return true;
        }
        if let Some(&is_fit) = self.is_fit.get(&callee) {
            return is_fit;
        }
        let is_fit =
            !ends_invocation(module, callee) && self.bring_to_one_exit(module, callee) && returns(module, callee);
        self.is_fit.insert(callee, is_fit);
        self.count(module, callee);
        self.constructs.insert(callee, constructs(module, callee));
        is_fit
    }

    /// Returns whether a body that can be copied may replace a call at its place.
    fn may_stand(&self, module: &Module, call: Inst, callee: Function) -> bool {
        !self.in_continue_constructs.contains(&call) || terminators(module, callee).all(|op| op != Op::Unreachable)
    }

    /// Gives a body a single return. Bodies within the limit are far from the limits of SSA repair, so this cannot fail halfway.
    fn bring_to_one_exit(&self, module: &mut Module, callee: Function) -> bool {
        self.sizes[&callee] <= SINGLE_EXIT_LIMIT && lower_returns(module, callee).is_ok()
    }

    /// Records that a call in `caller` was inlined.
    fn note(&mut self, caller: Function, callee: Function, body: Body) {
        let added = match body {
            Body::Copied => self.sizes.get(&callee).copied(),
            Body::Moved => self.sizes.remove(&callee),
        };
        let added = added.unwrap_or_default();
        *self.sizes.entry(caller).or_default() += added;
        self.total += if body == Body::Copied { added } else { 0 };
        *self.constructs.entry(caller).or_default() += self.constructs[&callee];
        *self.calls.entry(callee).or_insert(1) -= 1;
    }

    /// Counts the instructions of a function that was changed.
    fn count(&mut self, module: &Module, function: Function) {
        let after = size(module, function);
        let before = self.sizes.insert(function, after).unwrap_or_default();
        self.total = self.total + after - before;
    }
}

/// The functions that can be called from outside: entry points and exports. All functions if there are none.
pub(crate) fn roots(module: &Module) -> FxHashSet<Function> {
    let entry_points = module.globals().filter_map(|global| view::EntryPoint::of(module, global));
    let entered = entry_points.filter_map(|entry| module.cast::<Function>(entry.function));
    // Imported functions have linkage as well, but no body.
    let exported =
        module.functions().filter(|&function| module.entry(function).is_some() && is_exported(module, function));
    let named: FxHashSet<Function> = entered.chain(exported).collect();
    if named.is_empty() { module.functions().collect() } else { named }
}

/// Moves bodies with one call into a function, and into these bodies the bodies that only they call.
///
/// The calls in a moved body are next. So each body is moved once, before others are moved into it.
fn take_in(module: &mut Module, function: Function, bodies: &mut Bodies, limits: InlineLimits) -> usize {
    let mut sites = gather_sites(module, function);
    let mut inlined = 0;
    while let Some((callee, site)) = sites.pop() {
        let is_due = bodies.is_allowed(module, function, callee, limits) && bodies.is_movable(module, callee);
        let is_fit = is_due && bodies.make_fit(module, callee) && bodies.may_stand(module, site.call, callee);
        if !is_fit || !make_room(module, site.call, callee) {
            continue;
        }
        let own = gather_sites(module, callee);
        if bodies.in_continue_constructs.contains(&site.call) {
            bodies.in_continue_constructs.extend(own.iter().map(|(_, site)| site.call));
        }
        sites.extend(own);
        splice(module, function, callee, site, Body::Moved);
        bodies.note(function, callee, Body::Moved);
        inlined += 1;
    }
    if inlined > 0 {
        bodies.count(module, function);
    }
    inlined
}

/// Inlines the profitable calls in a function.
fn inline_into(module: &mut Module, function: Function, bodies: &mut Bodies, limits: InlineLimits) -> usize {
    let mut inlined = 0;
    for (callee, site) in gather_sites(module, function).into_iter().rev() {
        let is_due = bodies.is_allowed(module, function, callee, limits) && bodies.is_worthwhile(callee, limits);
        let is_fit = is_due && bodies.make_fit(module, callee) && bodies.may_stand(module, site.call, callee);
        if !is_fit || !make_room(module, site.call, callee) {
            continue;
        }
        let body = if bodies.is_movable(module, callee) { Body::Moved } else { Body::Copied };
        splice(module, function, callee, site, body);
        bodies.note(function, callee, body);
        inlined += 1;
    }
    if inlined > 0 {
        bodies.count(module, function);
    }
    inlined
}

/// Returns whether a function must not be copied (function control `DontInline`; SPIR-V section 3.24).
fn is_kept_apart(module: &Module, function: Function) -> bool {
    view::Function::of(module, function).is_some_and(|declared| declared.control.contains(FunctionControl::DONT_INLINE))
}

pub(super) fn terminators(module: &Module, function: Function) -> impl Iterator<Item = Op> + '_ {
    module.blocks(function).filter_map(|block| module.terminator(block)).map(|last| module.op(last))
}

fn ends_invocation(module: &Module, function: Function) -> bool {
    terminators(module, function).any(|op| op.group() == OpGroup::LaneEnd)
}

/// The calls in the continue constructs of a function. Linear: outer loops are processed first, and no block is visited twice.
fn calls_in_continue_constructs(module: &Module, function: Function) -> Vec<Inst> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut seen: FxHashSet<Block> = FxHashSet::default();
    for before in module.blocks(function) {
        let Some(opener) = module.terminator(before).filter(|&last| module.op(last) == Op::Loop) else { continue };
        let ends = [module.successors(before).next(), module.merge_block(opener)];
        let mut stack: Vec<Block> = module.continue_block(opener).into_iter().collect();
        while let Some(block) = stack.pop() {
            if !ends.contains(&Some(block)) && seen.insert(block) {
                blocks.push(block);
                stack.extend(module.successors(block));
            }
        }
    }
    let instructions = blocks.into_iter().flat_map(|block| module.children(block));
    instructions.filter(|&inst| module.op(inst) == Op::FunctionCall).collect()
}

fn returns(module: &Module, function: Function) -> bool {
    terminators(module, function).filter(|op| matches!(op, Op::Return | Op::ReturnValue)).count() == 1
}

fn constructs(module: &Module, function: Function) -> usize {
    terminators(module, function).filter(|op| matches!(op, Op::If | Op::StructuredSwitch | Op::Loop)).count()
}

/// Prepares the place of a call for the body, if possible: a call in a loop header moves to a block after the header.
fn make_room(module: &mut Module, call: Inst, callee: Function) -> bool {
    let is_one_block = module.blocks(callee).nth(1).is_none();
    if is_one_block {
        return true;
    }
    if module.operands(call).any(|argument| module.op(argument) == Op::SampledImage) {
        return false;
    }
    let block = module.block_of(call).expect("invariant: a call stands in a block");
    let opener = (module.stage(callee) == Stage::Structured).then(|| loop_opener(module, block)).flatten();
    bring_sampled_images_along(module, call);
    if let Some(opener) = opener {
        if module.continue_block(opener) == Some(block) {
            move_continue_block(module, opener, block);
        }
        part_header(module, block);
    }
    true
}

/// The loop of which a block is the header.
fn loop_opener(module: &Module, block: Block) -> Option<Terminator> {
    module.in_edges(block).map(|edge| edge.terminator).find(|&terminator| module.op(terminator) == Op::Loop)
}

/// Creates sampled images again that are defined before a call and used after it: they must be used in their own block (R6).
pub(super) fn bring_sampled_images_along(module: &mut Module, call: Inst) {
    let mut again: FxHashMap<Inst, Inst> = FxHashMap::default();
    for user in instructions_behind(module, call) {
        if module.op(user) == Op::SampledImage {
            again.insert(user, user);
        }
        for index in 0..module.operand_count(user) {
            let image = module.operand(user, index);
            if module.op(image) == Op::SampledImage {
                let made = *again.entry(image).or_insert_with(|| make_again(module, image, call));
                module.edit().set_operand(user, index, made);
            }
        }
    }
}

fn make_again(module: &mut Module, image: Inst, call: Inst) -> Inst {
    let operands: Vec<Inst> = module.operands(image).collect();
    let (ty, notes) = (module.ty(image), module.decorations(image).to_vec());
    let mut editor = module.edit();
    let again = editor.insert(Position::After(call), Op::SampledImage, ty, &operands);
    notes.into_iter().for_each(|note| editor.decorate(again, note));
    again
}

/// Gives a loop that continues at its header a continue block on its back edge.
fn move_continue_block(module: &mut Module, opener: Terminator, header: Block) {
    let back = module.in_edges(header).find(|edge| edge.terminator != opener);
    let back = back.expect("invariant: a loop has a back edge");
    let source = match module.op(back.terminator) {
        Op::Branch => module.block_of(back.terminator).expect("invariant: terminators stand in blocks"),
        _ => module.edit().split_edge(back),
    };
    let jump = module.terminator(source).expect("invariant: blocks have terminators");
    let mut editor = module.edit();
    let target = editor.insert(Position::After(source.into()), Op::Block, None, &[]);
    editor.move_to(jump, Position::AtEnd(target));
    editor.append(source, Op::Branch, None, &[target]);
    editor.set_operand(opener, operand::CONTINUE, target);
}

/// Moves the instructions of a loop header to a block after it.
fn part_header(module: &mut Module, header: Block) {
    let inside: Vec<Inst> = module.children(header).filter(|&inst| module.op(inst) != Op::BlockParameter).collect();
    let mut editor = module.edit();
    let rest = editor.insert(Position::After(header.into()), Op::Block, None, &[]);
    inside.into_iter().for_each(|inst| editor.move_to(inst, Position::AtEnd(rest)));
    editor.append(header, Op::Branch, None, &[rest]);
}
