//! Lanes and arguments that wait at a collecting block, in variables.

use reconverge_ir::{Block, Builder, Inst, Op, Position};
use spirv::StorageClass;

use super::{Mask, Masking};

/// The pending lanes of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    /// The variable with the waiting lanes; none if they are known to be those that entered the construct.
    pub(super) mask: Option<Inst>,
    /// By parameter of the block.
    pub(super) arguments: Vec<Waiting>,
}

/// The pending argument of a parameter.
#[derive(Clone, Copy, Debug)]
pub(super) enum Waiting {
    /// A value that is the same whichever way the lanes come; none before the first jump.
    Value(Option<Inst>),
    /// The variable holds it.
    Variable(Inst),
}

impl Masking<'_> {
    /// The variables of a collecting block, made when they are first needed.
    pub(super) fn pending_at(&mut self, block: Block, has_mask: bool) -> Pending {
        if let Some(pending) = self.pending.get(&block) {
            return pending.clone();
        }
        let mask = has_mask.then(|| self.variable(self.bool_type));
        let parameters: Vec<Inst> = self.module.parameters(block).map(Inst::from).collect();
        let arguments = parameters.iter().enumerate().map(|(place, &parameter)| self.waiting(block, place, parameter));
        let pending = Pending { mask, arguments: arguments.collect() };
        self.pending.insert(block, pending.clone());
        pending
    }

    fn waiting(&mut self, block: Block, place: usize, parameter: Inst) -> Waiting {
        let ty = self.module.ty(parameter).expect("invariant: parameters have types");
        if !self.divergence.is_varying(parameter) && self.is_same_on_all_edges(block, place) {
            return Waiting::Value(None);
        }
        Waiting::Variable(self.variable(ty))
    }

    /// Returns whether every jump to a block passes the same value, loop entries and undefined values aside.
    fn is_same_on_all_edges(&self, block: Block, place: usize) -> bool {
        let jumps = self.module.in_edges(block).filter(|edge| self.module.op(edge.terminator) != Op::Loop);
        let mut values = jumps
            .filter_map(|edge| self.module.arguments(edge.terminator).nth(place))
            .filter(|&value| self.module.op(value) != Op::Undef);
        values.next().is_none_or(|first| values.all(|value| value == first))
    }

    /// A new variable of the function.
    pub(super) fn variable(&mut self, ty: Inst) -> Inst {
        let mut build = Builder::new(self.module);
        let pointer = build.pointer_type(StorageClass::Function, ty);
        let class = build.editor().enumerant(StorageClass::Function);
        let at = Position::AtStart(self.entry.into());
        let variable = self.module.edit().insert(at, Op::Variable, Some(pointer), &[class]);
        self.own.insert(variable);
        variable
    }

    /// Resets the pending lanes of a block, before the terminator of another one.
    pub(super) fn reset(&mut self, at: Block, pending: &Pending) {
        if let Some(mask) = pending.mask {
            let none = self.no_lane();
            self.emit(at, Op::Store, None, &[mask, none]);
        }
        for waiting in &pending.arguments {
            if let Waiting::Variable(variable) = *waiting {
                let undef = self.undef(self.pointee(variable));
                self.emit(at, Op::Store, None, &[variable, undef]);
            }
        }
    }

    fn pointee(&self, variable: Inst) -> Inst {
        self.module.pointee(variable).expect("invariant: variables are pointers")
    }

    pub(super) fn undef(&mut self, ty: Inst) -> Inst {
        let known = self.module.undef(ty);
        known.unwrap_or_else(|| self.module.edit().append_global(Op::Undef, Some(ty), &[]))
    }

    /// The lanes of `mask` wait at a collecting block, with the arguments of the jump there.
    pub(super) fn wait(&mut self, at: Block, target: Block, mask: Mask, arguments: &[Inst]) {
        self.leaves.entry(at).or_default().push(Some(target));
        let pending = self.pending.get(&target).cloned().unwrap_or_default();
        if let Some(variable) = pending.mask {
            let sum = match mask {
                None => self.all_lanes(),
                Some(mask) => {
                    let before = self.emit(at, Op::Load, Some(self.bool_type), &[variable]);
                    self.emit(at, Op::LogicalOr, Some(self.bool_type), &[before, mask])
                }
            };
            self.emit(at, Op::Store, None, &[variable, sum]);
        }
        for (place, (waiting, &argument)) in pending.arguments.iter().zip(arguments).enumerate() {
            let &Waiting::Variable(variable) = waiting else {
                self.pass_only_value(target, place, argument);
                continue;
            };
            let ty = self.pointee(variable);
            let value = match mask {
                None => argument,
                Some(mask) => {
                    let before = self.emit(at, Op::Load, Some(ty), &[variable]);
                    self.emit(at, Op::Select, Some(ty), &[mask, argument, before])
                }
            };
            self.emit(at, Op::Store, None, &[variable, value]);
        }
    }

    fn pass_only_value(&mut self, target: Block, place: usize, argument: Inst) {
        if self.module.op(argument) != Op::Undef
            && let Some(pending) = self.pending.get_mut(&target)
        {
            pending.arguments[place] = Waiting::Value(Some(argument));
        }
    }

    /// Pending lanes become active at their block, and its parameters become the pending arguments. Inserts before the first instruction
    /// that is not a parameter.
    pub(super) fn receive(&mut self, block: Block) {
        let Some(pending) = self.pending.get(&block).cloned() else { return };
        let parameters: Vec<Inst> = self.module.parameters(block).map(Inst::from).collect();
        for (parameter, waiting) in parameters.into_iter().zip(pending.arguments) {
            let value = match waiting {
                Waiting::Value(Some(value)) => value,
                Waiting::Value(None) => {
                    let ty = self.module.ty(parameter).expect("invariant: parameters have types");
                    self.undef(ty)
                }
                Waiting::Variable(variable) => {
                    let ty = self.pointee(variable);
                    self.at_start(block, Op::Load, Some(ty), &[variable])
                }
            };
            self.module.edit().replace_all_uses(parameter, value);
            self.module.edit().delete(parameter);
        }
    }

    /// Inserts an instruction after the parameters of a block, and after those that this function inserted before.
    pub(super) fn at_start(&mut self, block: Block, op: Op, ty: Option<Inst>, operands: &[Inst]) -> Inst {
        let is_first = |&inst: &Inst| {
            let op = self.module.op(inst);
            op != Op::BlockParameter && op != Op::Variable && op != Op::LaunchedLanes
        };
        let first = self.module.children(block).find(is_first);
        let first = first.expect("invariant: blocks have terminators");
        self.module.edit().insert(Position::Before(first), op, ty, operands)
    }
}
