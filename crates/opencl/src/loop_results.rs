//! Passes values that a loop computes from memory to the code after it through parameters of its break block.
//!
//! ```text
//!   loop ^h break ^m continue ^c           loop ^h break ^m continue ^c
//!   ^h(%i)                                 ^h(%i)  %never = i_not_equal %id, %id ── branch_if ──▶ ^e: branch ^m(undef)
//!    │ …                                    ▼
//!    │ …                                   ^b: …
//!    │ %v = load %p                   ⇒     │ %v = load %p
//!    │ branch_if %done ──▶ ^m               │ branch_if %done ──▶ branch ^m(%v)
//!   ^c: branch ^h(%j)                      ^c: branch ^h(%j)
//!   ^m: use %v                             ^m(%r): use %r
//! ```
//!
//! Reason: SwiftShader and lavapipe run the lanes of a subgroup as vectors and iterate until the last lane has left the loop. A lane that
//! left keeps the parameters of loop headers, but every other value of the loop is computed again: the same value from the same parameters,
//! but zero or another value from memory. So a result must leave through a parameter. The optimizers of these drivers remove a parameter
//! with one argument, hence the second exit, which is never taken. Its condition depends on what they cannot fold:
//!
//! | driver | never true | why |
//! |---|---|---|
//! | SwiftShader | a number differs from itself | compilers for devices fold that on sight, so there it costs nothing |
//! | lavapipe | a built-in number of the lane is 2^32 - 1 | Mesa folds the other one; as many work-items can be in no dispatch of that driver |
//!
//! *Requires* a structured function. *Preserves* its behaviour and its structure; the header is split in two.
//!
//! *Unstable* values of a loop: on SwiftShader, loads, values that depend on the lanes that run together, calls, and values computed from
//! unstable values of the same loop or of an enclosing one. Lavapipe's optimizer moves values that a branch in the loop controls to where
//! the parameters already have the values of the next iteration; there every value is unstable except the parameters of headers. An
//! unstable value of an inner loop that is used outside that loop arrives as a parameter, so one level is enough. Only loops that unstable
//! values leave get a second exit; then all values that leave them are passed through parameters, or are rematerialized if no parameter can
//! have their type. A function whose entry block has no number that is unknown to the optimizer is unchanged. Near-linear.

use reconverge_analysis::FlowGraph;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Builder, Edge, Function, Inst, Module, Op, Position, Slot, Stage, Terminator, view};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::StorageClass;

use reconverge_rewrite::capabilities::Carriable;
use reconverge_rewrite::jumps::NewParameters;
use reconverge_rewrite::original_dominance::OriginalDominance;
use reconverge_rewrite::ssa_repair::{RepairError, repair_ssa};
use reconverge_rewrite::undef::Undefs;

use super::scalars::integer;
use super::{Context, LoopResults};
use crate::error;

/// Passes the results of loops out through parameters, in every function, if the driver does not keep them. Returns whether anything
/// changed.
///
/// # Errors
/// [`Unsupported`](crate::KernelCode::Unsupported) for a result whose type no parameter can have and that cannot be rematerialized;
/// [`Limit`](crate::KernelCode::Limit) if the blocks would need too many parameters.
pub fn loop_results(module: &mut Module, context: &mut Context) -> Result<bool, Diagnostic> {
    let results = context.options.driver.quirks().loop_results;
    if results == LoopResults::Kept {
        return Ok(false);
    }
    let functions: Vec<Function> = module.functions().collect();
    let mut changed = false;
    for function in functions {
        changed |= hand_out(module, function, results).map_err(|error| kernel_error(function, &error))?;
    }
    Ok(changed)
}

fn hand_out(module: &mut Module, function: Function, results: LoopResults) -> Result<bool, RepairError> {
    let is_structured = module.stage(function) == Stage::Structured;
    let unknown = unknown_number(module, function, results).filter(|_| is_structured);
    let Some(unknown) = unknown.map(|number| Unknown { number, results }) else { return Ok(false) };
    let mut nest = LoopNest::compute(module, function);
    let needy = needy_loops(module, &nest, results);
    let (carriable, mut undefs) = (Carriable::compute(module), Undefs::default());
    for &number in &needy {
        let never_taken = add_way_out(module, &mut nest, number, unknown, &mut undefs);
        let results = results_of(module, &nest, number);
        let mut added = NewParameters::default();
        let jumps = added.jumps(module, nest.loops[number].merge);
        for (value, outside) in results {
            if !carriable.is_carriable(module, value) {
                continue;
            }
            let ty = module.ty(value).expect("invariant: a value that is used has a type");
            let undef = undefs.undef(module, ty);
            let parameter = added.append(module, nest.loops[number].merge, ty);
            let row = jumps.iter().map(|&jump| if jump == never_taken { undef } else { value }).collect();
            added.pass(module, nest.loops[number].merge, row);
            for (user, index) in outside {
                module.edit().set_operand(user, index, parameter);
            }
            added.check().map_err(RepairError::Growth)?;
        }
        added.finish(module);
    }
    if !needy.is_empty() {
        // Values that no parameter can have are computed again.
        repair_ssa(module, function, &OriginalDominance::unknown())?;
    }
    Ok(!needy.is_empty())
}

/// The values of a loop that are used outside it, with these uses. The parameters of the header, which still dominates all code after the
/// loop, stay unchanged.
fn results_of(module: &Module, nest: &LoopNest, number: usize) -> Vec<(Inst, Vec<(Inst, usize)>)> {
    let inside = |block: &&Block| nest.is_within(nest.innermost[*block], number);
    let others = nest.blocks.iter().filter(inside).filter(|&&block| block != nest.loops[number].header);
    let mut results = Vec::new();
    for value in others.flat_map(|&block| module.children(block)) {
        let outside = module.uses(value).filter_map(|used| match used.slot {
            Slot::Operand(index) if nest.is_outside(module, used.user, number) => Some((used.user, index)),
            _ => None,
        });
        let outside: Vec<(Inst, usize)> = outside.collect();
        if !outside.is_empty() {
            results.push((value, outside));
        }
    }
    results
}

fn kernel_error(function: Function, error: &RepairError) -> Diagnostic {
    match error {
        RepairError::Opaque { value, .. } => {
            error::unsupported(*value, "a result of a loop whose type no block parameter can have")
        }
        RepairError::Growth(limit) => error::limit(function, limit.to_string()),
    }
}

/// The loops that unstable values leave other than through a stable parameter, in order.
fn needy_loops(module: &Module, nest: &LoopNest, results: LoopResults) -> Vec<usize> {
    let unsteady = compute_unsteady(module, nest, results);
    let mut needy: Vec<usize> = Vec::new();
    for &value in &unsteady.in_order {
        let from = nest.of(module, value).expect("invariant: an unsteady value is in a loop");
        if module.uses(value).any(|used| nest.is_outside(module, used.user, from)) {
            needy.push(from);
        }
    }
    let merges = nest.loops.iter().map(|cycle| cycle.merge).enumerate();
    needy
        .extend(merges.filter(|&(_, merge)| has_lone_argument(module, merge, &unsteady.set)).map(|(number, _)| number));
    needy.sort_unstable();
    needy.dedup();
    needy.retain(|&number| {
        let mut into_merge = module.in_edges(nest.loops[number].merge);
        into_merge.all(|edge| module.op(edge.terminator) != Op::Loop)
    });
    needy
}

/// A number in the entry block that the optimizer of a driver cannot know.
#[derive(Clone, Copy)]
struct Unknown {
    number: Inst,
    results: LoopResults,
}

/// An integer in the entry block that comes from outside; for lavapipe a built-in without cleared bits.
fn unknown_number(module: &Module, function: Function, results: LoopResults) -> Option<Inst> {
    let is_recomputed = results == LoopResults::Recomputed;
    let mut known: FxHashSet<Inst> = FxHashSet::default();
    for inst in module.children(module.entry(function)?) {
        let comes_from_outside = match module.op(inst) {
            // Values that the optimizer cannot know and that are the same in all lanes.
            Op::Load => match view::Load::of(module, inst).and_then(|load| module.storage_class(load.pointer)) {
                Some(StorageClass::Input) => true,
                Some(StorageClass::PushConstant | StorageClass::Uniform) => is_recomputed,
                _ => false,
            },
            Op::CompositeExtract | Op::UConvert => module.operands(inst).next().is_some_and(|of| known.contains(&of)),
            _ => false,
        };
        if comes_from_outside {
            known.insert(inst);
            let is_whole = |ty: Inst| is_recomputed || module.width(ty) >= Some(32);
            if module.ty(inst).is_some_and(|ty| module.op(ty) == Op::TypeInt && is_whole(ty)) {
                return Some(inst);
            }
        }
    }
    None
}

/// A loop.
#[derive(Clone, Copy)]
struct Loop {
    terminator: Terminator,
    header: Block,
    merge: Block,
    around: Option<usize>,
}

/// The loops of a structured function, outer ones first, and the innermost loop of each block.
struct LoopNest {
    loops: Vec<Loop>,
    innermost: FxHashMap<Block, Option<usize>>,
    /// The reachable blocks, each after its dominator.
    blocks: Vec<Block>,
}

impl LoopNest {
    fn compute(module: &Module, function: Function) -> LoopNest {
        let flow = FlowGraph::compute(module, function);
        let (order, dominators) = flow.dominators();
        let mut nest = LoopNest { loops: Vec::new(), innermost: FxHashMap::default(), blocks: Vec::new() };
        let (mut by_header, mut by_merge) = (FxHashMap::default(), FxHashMap::default());
        for &node in order.sequence() {
            let block = flow.block(node);
            let above = dominators.idom(node).map(|above| flow.block(above));
            let mut inside: Option<usize> = above.and_then(|above| nest.innermost[&above]);
            if let Some(&left) = by_merge.get(&block) {
                inside = nest.loops.get::<usize>(left).and_then(|left| left.around);
            }
            if let Some(&entered) = by_header.get(&block) {
                inside = Some(entered);
            }
            nest.innermost.insert(block, inside);
            nest.blocks.push(block);
            let Some(terminator) = module.terminator(block) else { continue };
            let Some(view::Loop { header, merge, .. }) = view::Loop::of(module, terminator) else { continue };
            let (Some(header), Some(merge)) = (module.cast(header), module.cast(merge)) else { continue };
            by_header.insert(header, nest.loops.len());
            by_merge.insert(merge, nest.loops.len());
            nest.loops.push(Loop { terminator, header, merge, around: inside });
        }
        nest
    }

    /// Records a new block of a loop, which is in no inner loop.
    fn insert(&mut self, block: Block, number: usize) {
        self.innermost.insert(block, Some(number));
        self.blocks.push(block);
    }

    /// The innermost loop that an instruction is in.
    fn of(&self, module: &Module, inst: Inst) -> Option<usize> {
        module.block_of(inst).and_then(|block| self.innermost.get(&block).copied().flatten())
    }

    /// Returns whether a loop is another one or inside it. Linear in the depth.
    fn is_within(&self, inner: Option<usize>, outer: usize) -> bool {
        let mut next = inner;
        while let Some(number) = next.filter(|&number| number > outer) {
            next = self.loops[number].around;
        }
        next == Some(outer)
    }

    /// Returns whether an instruction is outside a loop. An unreachable block is in no loop.
    fn is_outside(&self, module: &Module, inst: Inst, number: usize) -> bool {
        let inside = module.block_of(inst).and_then(|block| self.innermost.get(&block).copied());
        inside.is_some_and(|inside| !self.is_within(inside, number))
    }
}

/// The unstable values: a lane that has left their loop would not keep them. See the description of this file.
struct Unsteady {
    set: FxHashSet<Inst>,
    in_order: Vec<Inst>,
}

fn compute_unsteady(module: &Module, nest: &LoopNest, results: LoopResults) -> Unsteady {
    let mut unsteady = Unsteady { set: FxHashSet::default(), in_order: Vec::new() };
    for &block in &nest.blocks {
        let Some(inside) = nest.innermost[&block] else { continue };
        let is_header = nest.loops[inside].header == block;
        for inst in module.children(block) {
            let is_parameter = module.op(inst) == Op::BlockParameter;
            let is_steady = is_parameter && (is_header || results == LoopResults::Recomputed);
            if module.ty(inst).is_none() || is_steady {
                continue;
            }
            let is_passed_on = |value: Inst| {
                unsteady.set.contains(&value)
                    && nest.of(module, value).is_some_and(|from| nest.is_within(Some(inside), from))
            };
            if results == LoopResults::Moved || is_source(module, inst) || module.operands(inst).any(is_passed_on) {
                unsteady.set.insert(inst);
                unsteady.in_order.push(inst);
            }
        }
    }
    unsteady
}

/// Returns whether the result depends on more than the operands.
fn is_source(module: &Module, inst: Inst) -> bool {
    match module.op(inst) {
        Op::Load => {
            let class = view::Load::of(module, inst).and_then(|load| module.storage_class(load.pointer));
            class != Some(StorageClass::Input)
        }
        Op::ExtInst => false,
        op => !op.effects().is_pure(),
    }
}

/// Returns whether a block has a parameter that represents only one unstable value.
fn has_lone_argument(module: &Module, block: Block, unsteady: &FxHashSet<Inst>) -> bool {
    (0..module.parameters(block).count()).any(|index| {
        let mut arguments = module.in_edges(block).filter_map(|edge| module.arguments(edge.terminator).nth(index));
        let first = arguments.next();
        first.is_some_and(|first| unsteady.contains(&first) && arguments.all(|other| other == first))
    })
}

/// Splits the header of a loop and adds an edge from its first half to the break block, with a condition that is never true. Returns the
/// jump of this edge, which passes nothing to the existing parameters of the break block.
fn add_way_out(
    module: &mut Module,
    nest: &mut LoopNest,
    number: usize,
    unknown: Unknown,
    undefs: &mut Undefs,
) -> Terminator {
    let Loop { terminator, header, merge, .. } = nest.loops[number];
    let into_merge: Vec<Edge> = module.in_edges(merge).collect();
    for edge in into_merge {
        if module.op(edge.terminator) != Op::Branch {
            let split = module.edit().split_edge(edge);
            nest.insert(split, number);
        }
    }
    let rest: Vec<Inst> = module.children(header).filter(|&inst| module.op(inst) != Op::BlockParameter).collect();
    let types: Vec<Inst> = module.parameters(merge).filter_map(|parameter| module.ty(parameter)).collect();
    let mut operands: Vec<Inst> = vec![merge.into()];
    operands.extend(types.into_iter().map(|ty| undefs.undef(module, ty)));
    let mut editor = module.edit();
    let body = editor.insert(Position::After(header.into()), Op::Block, None, &[]);
    rest.into_iter().for_each(|inst| editor.move_to(inst, Position::AtEnd(body)));
    if editor.module().operand(terminator, view::Loop::SLOT.continue_target) == Inst::from(header) {
        editor.set_operand(terminator, view::Loop::SLOT.continue_target, body);
    }
    let way = editor.insert(Position::After(header.into()), Op::EdgeBlock, None, &[]);
    let jump = editor.append(way, Op::Branch, None, &operands);
    let mut build = Builder::new(module);
    build.at_end(header);
    let never = never(&mut build, unknown);
    build.editor().append(header, Op::BranchIf, None, &[never, way, body]);
    for block in [body, way].into_iter().filter_map(|block| module.cast::<Block>(block)) {
        nest.insert(block, number);
    }
    module.cast(jump).expect("invariant: a branch is a terminator")
}

/// A condition that is never true, in a form that the optimizer of the driver cannot fold.
fn never(build: &mut Builder<'_>, Unknown { number, results }: Unknown) -> Inst {
    let bool_type = build.bool_type();
    if results == LoopResults::Recomputed {
        return build.i_not_equal(bool_type, &[number, number]);
    }
    let ty = build.module().ty(number).expect("invariant: a number has a type");
    let greatest = integer(build, ty, u64::from(u32::MAX));
    build.i_equal(bool_type, &[number, greatest])
}
