//! The two functions of a tessellation control shader.
//!
//! In the module each invocation makes a control point, and any of them may write what the patch has once. In HLSL a function makes a control
//! point, and another one, which runs once after them, what the patch has.
//!
//! ```text
//! out[id].position = …;                           Output main(…) { output.position = …; return output; }
//! barrier();                               ⇒
//! if (id == 0) { level = out[0].w; }              Patch main_patch(…) { patch.level = points[0].w; return patch; }
//! ```
//!
//! Each function has the stores of its outputs, and the instructions that these need. The function of a patch does what the invocation does
//! that writes: the `k` of all conditions `id == k` around stores, or 0. That is right if no other invocation writes another place: neither
//! the place nor any other condition around a store depends on the invocation. It reads control points when all are complete, so no store of
//! one may come behind a load. What is not so is refused.

use reconverge_control_tree::{ControlTree, Jump, Owner, Role};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Class, Inst, Module, Op, OpGroup};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{BuiltIn, ExecutionModel as Model, StorageClass};

use super::super::function::Body;
use super::super::uses::root;
use super::super::{Entry, Lowering};
use crate::write::{WriteCode, at_inst};

/// The function that is made of an entry point.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::lower) enum Phase {
    /// The entry point is one function.
    #[default]
    Whole,
    /// The function of a control point.
    Points,
    /// The function of a patch.
    Patch,
}

impl Lowering<'_> {
    /// The functions that are made of an entry point.
    pub(in crate::lower) fn phases(&self, entry: &Entry) -> &'static [Phase] {
        match (self.target, entry.model) {
            (super::super::Target::Hlsl(_), Model::TessellationControl) => &[Phase::Patch, Phase::Points],
            _ => &[Phase::Whole],
        }
    }
}

impl Body<'_, '_> {
    /// Finds the instructions of the function of a phase.
    pub(super) fn begin_phase(&mut self, entry: &Entry) -> Result<(), Diagnostic> {
        self.cx.hlsl.skipped.clear();
        self.cx.hlsl.decided.clear();
        if self.cx.hlsl.phase == Phase::Whole {
            return Ok(());
        }
        let split = Split { source: self.source, tree: &self.tree, cx: self.cx };
        split.check_effects(entry)?;
        let outputs = split.stores(self.cx.hlsl.phase);
        let needed = split.needed(&outputs);
        if self.cx.hlsl.phase == Phase::Points {
            split.check_points(&needed)?;
        }
        let mut decided = FxHashMap::default();
        let mut invocation = 0;
        if self.cx.hlsl.phase == Phase::Patch {
            let dependent = split.dependent();
            invocation = split.invocation(&outputs, &dependent)?;
            split.check_loads(&needed)?;
            for inst in split.insts() {
                if let Some((number, is_equal)) = split.comparison(inst) {
                    decided.insert(inst, (number == invocation) == is_equal);
                }
            }
        }
        let skipped: FxHashSet<Inst> = split.insts().filter(|inst| !needed.contains(inst)).collect();
        self.cx.hlsl.skipped = skipped;
        self.cx.hlsl.decided = decided;
        self.cx.hlsl.invocation = invocation;
        Ok(())
    }
}

/// What a split of a function reads.
struct Split<'a, 'm> {
    source: &'m Module,
    tree: &'a ControlTree,
    cx: &'a Lowering<'m>,
}

impl Split<'_, '_> {
    /// The instructions of the function, besides parameters of blocks and terminators.
    fn insts(&self) -> impl Iterator<Item = Inst> + '_ {
        let all = self.tree.blocks().iter().flat_map(|&block| self.source.children(block));
        all.filter(|&inst| self.source.op(inst) != Op::BlockParameter && !self.source.op(inst).is_terminator())
    }

    fn terminators(&self) -> impl Iterator<Item = Inst> + '_ {
        self.tree.blocks().iter().filter_map(|&block| self.source.terminator(block)).map(|found| found.inst())
    }

    /// Returns whether an output is one of the patch.
    fn is_of_patch(&self, variable: Inst) -> bool {
        self.source.pointee(variable).is_some_and(|pointee| self.cx.is_of_patch(variable, pointee))
    }

    /// The outputs that a function of a phase writes.
    fn is_written_in(&self, variable: Inst, phase: Phase) -> bool {
        self.source.storage_class(variable) == Some(StorageClass::Output)
            && self.is_of_patch(variable) == (phase == Phase::Patch)
    }

    /// The pointers that an instruction writes through.
    fn targets(&self, inst: Inst) -> Vec<Inst> {
        match self.source.op(inst) {
            Op::Store | Op::CopyMemory => vec![self.source.operand(inst, 0)],
            Op::FunctionCall => {
                self.source.operands(inst).filter(|&operand| self.source.pointee(operand).is_some()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The stores of the outputs of a phase.
    fn stores(&self, phase: Phase) -> Vec<Inst> {
        let is_store = |&inst: &Inst| {
            self.targets(inst).into_iter().any(|target| self.is_written_in(root(self.source, target), phase))
        };
        self.insts().filter(is_store).collect()
    }

    /// The instructions that stores and the control flow need.
    fn needed(&self, stores: &[Inst]) -> FxHashSet<Inst> {
        let mut writers = FxHashMap::<Inst, Vec<Inst>>::default();
        for inst in self.insts() {
            for target in self.targets(inst) {
                let variable = root(self.source, target);
                if self.source.storage_class(variable) != Some(StorageClass::Output) {
                    writers.entry(variable).or_default().push(inst);
                }
            }
        }
        let mut needed = FxHashSet::default();
        let mut work: Vec<Inst> = stores.to_vec();
        work.extend(self.terminators().flat_map(|terminator| self.source.operands(terminator)));
        while let Some(inst) = work.pop() {
            if self.source.block_of(inst).is_none() || !needed.insert(inst) {
                continue;
            }
            work.extend(self.source.operands(inst));
            work.extend(self.source.operands(inst).filter_map(|operand| writers.get(&operand)).flatten());
            // A function may write any private variable.
            let is_private = |operand: Inst| self.source.storage_class(operand) == Some(StorageClass::Private);
            if self.source.operands(inst).any(is_private) {
                work.extend(self.insts().filter(|&call| self.source.op(call) == Op::FunctionCall));
            }
        }
        needed
    }

    /// Refuses what two functions cannot share: effects in memory, and inputs and outputs of functions that are called.
    fn check_effects(&self, entry: &Entry) -> Result<(), Diagnostic> {
        let source = self.source;
        let called = self.cx.callees.iter().flat_map(|&function| source.blocks(function));
        for inst in called.flat_map(|block| source.children(block)) {
            let is_interface = |operand: Inst| {
                let class = source.storage_class(operand);
                source.op(operand) == Op::Variable && matches!(class, Some(StorageClass::Input | StorageClass::Output))
            };
            if source.operands(inst).any(is_interface) {
                let message = "an input or output of a tessellation control shader that a function uses, in HLSL";
                return Err(at_inst(WriteCode::Stage, inst, message));
            }
            self.check_effect(inst)?;
        }
        self.insts().try_for_each(|inst| self.check_effect(inst))?;
        match entry.model {
            Model::TessellationControl => Ok(()),
            _ => Err(at_inst(WriteCode::Stage, entry.inst, "a split of another stage than tessellation control")),
        }
    }

    fn check_effect(&self, inst: Inst) -> Result<(), Diagnostic> {
        let op = self.source.op(inst);
        let is_own = |pointer: Inst| {
            let class = self.source.storage_class(pointer);
            matches!(class, Some(StorageClass::Function | StorageClass::Private | StorageClass::Output))
        };
        let writes = matches!(op, Op::Store | Op::CopyMemory) && !is_own(self.source.operand(inst, 0));
        let has_effect = op.class() == Class::Atomic || matches!(op.group(), OpGroup::ImageWrite | OpGroup::Subgroup);
        match writes || has_effect {
            true => {
                let message = format!("{} in a tessellation control shader, which is two functions in HLSL", op.name());
                Err(at_inst(WriteCode::Stage, inst, message))
            }
            false => Ok(()),
        }
    }

    /// Control points do not depend on what the patch has.
    fn check_points(&self, needed: &FxHashSet<Inst>) -> Result<(), Diagnostic> {
        let is_load = |&inst: &Inst| {
            self.source.op(inst) == Op::Load && needed.contains(&inst) && {
                let variable = root(self.source, inst);
                self.source.storage_class(variable) == Some(StorageClass::Output) && self.is_of_patch(variable)
            }
        };
        match self.insts().find(is_load) {
            Some(load) => {
                let message = "a control point or a condition that depends on an output of the patch, in HLSL";
                Err(at_inst(WriteCode::Stage, load, message))
            }
            None => Ok(()),
        }
    }

    /// The function of a patch reads complete control points: no store of one comes behind a load.
    fn check_loads(&self, needed: &FxHashSet<Inst>) -> Result<(), Diagnostic> {
        let mut loaded = FxHashMap::<Inst, Inst>::default();
        let is_point = |variable: Inst| {
            self.source.storage_class(variable) == Some(StorageClass::Output) && !self.is_of_patch(variable)
        };
        let message = "a store of a control point behind a load for the patch, in HLSL";
        for inst in self.insts() {
            if self.source.op(inst) == Op::Load && needed.contains(&inst) && is_point(root(self.source, inst)) {
                loaded.insert(root(self.source, inst), inst);
            }
            for target in self.targets(inst) {
                let variable = root(self.source, target);
                if is_point(variable) && loaded.contains_key(&variable) {
                    return Err(at_inst(WriteCode::Stage, inst, message));
                }
            }
        }
        // In a loop, what comes before comes behind, too.
        let is_in_loop = |inst: Inst| {
            let block = self.source.block_of(inst);
            block.is_some_and(|block| self.tree.innermost_loop(block).is_some())
        };
        match loaded.into_values().filter(|&load| is_in_loop(load)).min() {
            Some(load) if self.insts().any(|inst| is_in_loop(inst) && self.writes_point(inst)) => {
                Err(at_inst(WriteCode::Stage, load, message))
            }
            _ => Ok(()),
        }
    }

    fn writes_point(&self, inst: Inst) -> bool {
        self.targets(inst).into_iter().any(|target| self.is_written_in(root(self.source, target), Phase::Points))
    }

    /// Returns whether a value is the number of the invocation.
    fn is_invocation(&self, value: Inst) -> bool {
        let mut value = value;
        while matches!(self.source.op(value), Op::Bitcast | Op::CopyObject) {
            value = self.source.operand(value, 0);
        }
        self.source.op(value) == Op::Load
            && self.cx.built_in_of_variable(root(self.source, value)) == Some(BuiltIn::InvocationId)
    }

    /// The number that a comparison has the invocation with, and whether it holds if they are equal.
    fn comparison(&self, inst: Inst) -> Option<(u32, bool)> {
        let is_equal = match self.source.op(inst) {
            Op::IEqual => true,
            Op::INotEqual => false,
            _ => return None,
        };
        let [left, right] = [0, 1].map(|number| self.source.operand(inst, number));
        let number = match (self.is_invocation(left), self.is_invocation(right)) {
            (true, false) => right,
            (false, true) => left,
            _ => return None,
        };
        match self.source.op(number) {
            Op::ConstantNull => Some((0, is_equal)),
            _ => self.source.constant_word(number).map(|number| (number, is_equal)),
        }
    }

    /// The values and variables that depend on the invocation. Functions that are called read and write all private variables.
    fn dependent(&self) -> FxHashSet<Inst> {
        let (mut dependent, mut private) = (FxHashSet::default(), false);
        loop {
            let before = (dependent.len(), private);
            for &block in self.tree.blocks() {
                let is_under = self.outer_conditions(block).any(|(condition, _)| dependent.contains(&condition));
                for inst in self.source.children(block) {
                    let is_call = self.source.op(inst) == Op::FunctionCall;
                    let is_private = |operand: Inst| self.source.storage_class(operand) == Some(StorageClass::Private);
                    let of_private = private && (is_call || self.source.operands(inst).any(is_private));
                    let of_operands = self.source.operands(inst).any(|operand| dependent.contains(&operand));
                    let is_merged = self.source.op(inst) == Op::BlockParameter && self.may_differ(block, &dependent);
                    if of_private || of_operands || is_merged || self.is_invocation(inst) {
                        dependent.insert(inst);
                    }
                    if of_private || of_operands || is_under {
                        let targets = self.targets(inst);
                        private |= is_call || targets.iter().any(|&target| is_private(target));
                        dependent.extend(targets.into_iter().map(|target| root(self.source, target)));
                    }
                }
            }
            if (dependent.len(), private) == before {
                return dependent;
            }
        }
    }

    /// Returns whether the parameters of a block may depend on the invocation: an argument or the construct before it does.
    fn may_differ(&self, block: Block, dependent: &FxHashSet<Inst>) -> bool {
        let of_arguments = self
            .source
            .in_edges(block)
            .any(|edge| self.source.operands(edge.terminator.inst()).any(|operand| dependent.contains(&operand)));
        let closed = self.tree.closed_by(block).and_then(|construct| self.condition_of(construct.opener()));
        of_arguments || closed.is_some_and(|condition| dependent.contains(&condition))
    }

    /// The condition of the construct that a block opens.
    fn condition_of(&self, opener: Block) -> Option<Inst> {
        let terminator = self.source.terminator(opener)?;
        match self.source.op(terminator) {
            Op::If | Op::BranchIf | Op::StructuredSwitch => Some(self.source.operand(terminator.inst(), 0)),
            _ => None,
        }
    }

    /// The conditions of the constructs around a block, with the list that contains it.
    fn outer_conditions(&self, block: Block) -> impl Iterator<Item = (Inst, Role)> + '_ {
        self.tree.outwards(block).filter_map(|list| match self.tree.owner(list) {
            Owner::Function => None,
            Owner::Construct(construct, role) => Some((self.condition_of(construct.opener())?, role)),
        })
    }

    /// The invocation that writes what the patch has.
    fn invocation(&self, stores: &[Inst], dependent: &FxHashSet<Inst>) -> Result<u32, Diagnostic> {
        self.check_jumps(dependent)?;
        let mut invocation = None;
        for &store in stores {
            let refused = |message: &str| Err(at_inst(WriteCode::Stage, store, message.to_owned()));
            if self.targets(store).into_iter().any(|target| self.is_dependent_place(target, dependent)) {
                return refused("a place of the patch that depends on the invocation, in HLSL");
            }
            let Some(block) = self.source.block_of(store) else { continue };
            for (condition, role) in self.outer_conditions(block) {
                if !dependent.contains(&condition) {
                    continue;
                }
                let wanted = match (self.comparison(condition), role) {
                    (Some((number, true)), Role::Then) | (Some((number, false)), Role::Else) => number,
                    _ => {
                        return refused(
                            "an output of the patch under a condition that depends on the invocation, in HLSL",
                        );
                    }
                };
                if *invocation.get_or_insert(wanted) != wanted {
                    return refused("outputs of the patch that several invocations write, in HLSL");
                }
            }
        }
        Ok(invocation.unwrap_or(0))
    }

    /// Returns whether an index of a path depends on the invocation.
    fn is_dependent_place(&self, pointer: Inst, dependent: &FxHashSet<Inst>) -> bool {
        let mut place = pointer;
        while matches!(self.source.op(place), Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject) {
            if self.source.operands(place).skip(1).any(|operand| dependent.contains(&operand)) {
                return true;
            }
            place = self.source.operand(place, 0);
        }
        false
    }

    /// Refuses jumps out of constructs whose conditions depend on the invocation: behind them only some invocations go on.
    fn check_jumps(&self, dependent: &FxHashSet<Inst>) -> Result<(), Diagnostic> {
        for &block in self.tree.blocks() {
            let Some(terminator) = self.source.terminator(block) else { continue };
            let op = self.source.op(terminator);
            let own = self.condition_of(block).filter(|_| op == Op::BranchIf);
            let mut conditions: Vec<Inst> = own.into_iter().collect();
            if matches!(op, Op::Return | Op::ReturnValue | Op::Kill) {
                conditions.extend(self.outer_conditions(block).map(|(condition, _)| condition));
            }
            for edge in self.source.out_edges(block) {
                conditions.extend(self.left_conditions(block, self.tree.jump(edge)));
            }
            if let Some(condition) = conditions.into_iter().find(|condition| dependent.contains(condition)) {
                let message =
                    "a jump under a condition that depends on the invocation, in a tessellation control shader in HLSL";
                return Err(at_inst(WriteCode::Stage, condition, message));
            }
        }
        Ok(())
    }

    /// The conditions of the constructs that a jump leaves, up to the one that it belongs to.
    fn left_conditions(&self, block: Block, jump: Option<Jump>) -> Vec<Inst> {
        let target = match jump {
            Some(Jump::Break(construct) | Jump::Continue(construct)) => construct,
            Some(Jump::FallThrough(list)) => match self.tree.owner(list) {
                Owner::Construct(construct, _) => construct,
                Owner::Function => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        let owners = self.tree.outwards(block).map(|list| self.tree.owner(list));
        let left = owners.map_while(|owner| match owner {
            Owner::Construct(construct, _) if construct != target => Some(construct),
            _ => None,
        });
        left.filter_map(|construct| self.condition_of(construct.opener())).collect()
    }
}
