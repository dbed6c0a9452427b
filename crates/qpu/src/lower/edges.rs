//! Jumps: what they pass, and where control goes.

use reconverge_control_tree::{Construct, ConstructKind, Jump, Owner, Role};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Edge, Inst, Op, Terminator, terminator::operand};
use reconverge_lanes::CodeRole;
use rustc_hash::FxHashSet;

use super::points::Point;
use super::{Flow, Lowering};
use crate::machine::{BranchCondition, Condition, VReg};
use crate::select::emit::Word;

/// A word that a jump writes to a parameter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) to: VReg,
    pub(super) word: Word,
    /// True if lanes may have different values, so that each writes its own.
    pub(super) is_varying: bool,
}

/// One of the two ways of a branch. The jump of a block that is absorbed is that of the way to it.
#[derive(Clone, Debug)]
pub(super) struct Arm {
    /// True if it is taken where the condition is true.
    pub(super) wanted: bool,
    /// The target of the edge.
    pub(super) target: Block,
    pub(super) jump: Option<Jump>,
    /// The jump whose arguments are passed.
    pub(super) end: Option<Terminator>,
    /// True if it enters a list that has code.
    pub(super) is_list: bool,
}

impl Lowering<'_, '_> {
    /// The ways of a terminator with a condition.
    pub(super) fn arms(&self, block: Block) -> Vec<Arm> {
        let (module, tree) = (self.select.values.module, self.select.values.flow.tree());
        let end = module.terminator(block).expect("invariant: blocks have terminators");
        let edges = [operand::TRUE, operand::FALSE].map(|operand| Edge { terminator: end, operand });
        let arm = |(edge, wanted): (Edge, bool)| {
            let (target, jump) = (module.target(edge)?, tree.jump(edge));
            if self.absorbed.contains(&target) {
                let end = module.terminator(target)?;
                let edge = Edge { terminator: end, operand: operand::TARGET };
                let (target, jump) = (module.target(edge)?, tree.jump(edge));
                return Some(Arm { wanted, target, jump, end: Some(end), is_list: false });
            }
            let is_list = matches!(jump, Some(Jump::Enter(_)));
            Some(Arm { wanted, target, jump, end: None, is_list })
        };
        edges.into_iter().zip([true, false]).filter_map(arm).collect()
    }

    /// Returns the moves of a jump. An undefined argument has no move.
    pub(super) fn moves(&mut self, end: Option<Terminator>, target: Block) -> Result<Vec<Move>, Diagnostic> {
        let Some(end) = end else { return Ok(Vec::new()) };
        let parameters: Vec<Inst> = self.select.values.module.parameters(target).map(Inst::from).collect();
        let arguments: Vec<Inst> = self.select.values.module.arguments(end).collect();
        let mut moves = Vec::new();
        for (parameter, argument) in parameters.into_iter().zip(arguments) {
            if self.select.values.module.op(argument) == Op::Undef {
                continue;
            }
            let is_varying = self.select.values.flow.is_varying(parameter);
            let words = self.select.value(argument)?;
            let registers = self.registers(parameter);
            moves.extend(registers.into_iter().zip(words).map(|(to, word)| Move { to, word, is_varying }));
        }
        Ok(self.together(moves))
    }

    /// Several moves at once: a register that is read for another one is copied before.
    fn together(&mut self, moves: Vec<Move>) -> Vec<Move> {
        let written: FxHashSet<VReg> = moves.iter().map(|step| step.to).collect();
        let mut result = Vec::new();
        for step in moves {
            match step.word {
                Word::Register(source) if source == step.to => {}
                Word::Register(source) if written.contains(&source) => {
                    let copy = self.select.emit.copied(step.word);
                    result.push(Move { word: Word::Register(copy), ..step });
                }
                _ => result.push(step),
            }
        }
        result
    }

    /// Returns whether lanes that jump to a block write a parameter of it for themselves only.
    fn writes_apart(&self, block: Block, target: Block) -> bool {
        let joins = !self.is_loop_header(target) || self.latched.contains(&target);
        self.waits(target) && joins && self.partial.contains(&block)
    }

    /// Writes the arguments of a jump that all active lanes take. A parameter that is the same for all lanes is so in those that wait, too.
    fn pass(&mut self, block: Block, end: Option<Terminator>, target: Block) -> Result<(), Diagnostic> {
        let is_apart = self.writes_apart(block, target);
        for Move { to, word, is_varying } in self.moves(end, target)? {
            if is_apart && is_varying {
                self.select.emit.copy_active(to, word);
            } else {
                self.select.emit.copy(to, word);
            }
        }
        Ok(())
    }

    /// Defines `execute` where lanes may become inactive after a block in which all are active.
    pub(super) fn begin_execute(&mut self, block: Block, targets: &[Block]) {
        if !self.partial.contains(&block) && targets.iter().any(|target| self.partial.contains(target)) {
            let execute = self.select.emit.execute;
            self.select.emit.copy(execute, Word::Constant(0));
        }
    }

    pub(super) fn end_jump(&mut self, block: Block, end: Terminator) -> Result<(), Diagnostic> {
        let edge = Edge { terminator: end, operand: operand::TARGET };
        let target = self.select.values.module.target(edge).expect("invariant: successors are blocks");
        let jump = self.select.values.flow.tree().jump(edge);
        self.leave(block, Some(end), target, jump)
    }

    /// All active lanes of a block jump.
    pub(super) fn leave(
        &mut self,
        block: Block,
        end: Option<Terminator>,
        target: Block,
        jump: Option<Jump>,
    ) -> Result<(), Diagnostic> {
        self.pass(block, end, target)?;
        match jump {
            Some(Jump::Back(construct)) if !self.latched.contains(&target) => {
                self.go_back(construct, target);
                return Ok(());
            }
            // Lanes that enter a list, or continue in theirs, do not wait for others.
            Some(Jump::Enter(_) | Jump::Next) => {}
            _ if self.waits(target) => {
                let behind = self.behind_block(block);
                if behind != Point::Block(target) {
                    let index = self.index(target);
                    self.park(index);
                    self.go(behind, Flow::Parked);
                    return Ok(());
                }
            }
            _ => {}
        }
        self.begin_execute(block, &[target]);
        self.go(Point::Block(target), Flow::Active);
        Ok(())
    }

    /// Goes back to a header, if lanes are active.
    pub(super) fn go_back(&mut self, construct: Construct, header: Block) {
        let label = self.labels(header).block;
        if !self.is_live(construct) && !self.latched.contains(&header) {
            self.select.emit.jump(label);
            self.flow = Flow::None;
            return;
        }
        self.select.emit.test_active();
        self.select.emit.branch(BranchCondition::Any(Condition::ZeroSet), label);
        self.flow = Flow::Parked;
        let merge = self.merge_of(self.select.values.flow.tree().construct(construct).merge);
        if !self.is_next(merge) {
            self.go(merge, Flow::Parked);
        }
    }

    /// Ends a latch, at which lanes reconverge that go back: they become active, and control goes back if there are any.
    pub(super) fn end_latch(&mut self, header: Block) {
        let label = self.latch(header);
        self.begin_part(header, CodeRole::Latch);
        self.select.emit.place(label);
        self.select.emit.is_whole = false;
        let index = self.index(header);
        self.wake(index);
        self.flow = Flow::Active;
        let tree = self.select.values.flow.tree();
        let owner = tree.list_of(header).map(|list| tree.owner(list));
        if let Some(Owner::Construct(construct, _)) = owner {
            self.go_back(construct, header);
        }
    }

    pub(super) fn open_loop(&mut self, block: Block, end: Terminator) -> Result<(), Diagnostic> {
        let tree = self.select.values.flow.tree();
        let construct = tree.opened_by(block).expect("invariant: a loop opens a construct");
        let data = tree.construct(construct).clone();
        let header = data.loop_header.expect("invariant: a loop has a header");
        self.undefine(data.merge);
        for Move { to, word, .. } in self.moves(Some(end), header)? {
            self.select.emit.copy(to, word);
        }
        self.begin_execute(block, &[header]);
        self.go(Point::Block(header), Flow::Active);
        Ok(())
    }

    /// The parameters of a block where lanes wait have no value before the construct that leads there.
    pub(super) fn undefine(&mut self, target: Option<Block>) {
        let Some(target) = target.filter(|&target| self.waits(target)) else { return };
        let parameters: Vec<Inst> = self.select.values.module.parameters(target).map(Inst::from).collect();
        for register in parameters.into_iter().flat_map(|parameter| self.registers(parameter)).collect::<Vec<_>>() {
            self.select.emit.undefine(register);
        }
    }

    /// An iteration begins without values for the continue target.
    pub(super) fn undefine_of_iteration(&mut self, header: Block) {
        let tree = self.select.values.flow.tree();
        let Some(Owner::Construct(construct, Role::Body)) = tree.list_of(header).map(|list| tree.owner(list)) else {
            return;
        };
        let data = tree.construct(construct);
        let target = data.continue_target.filter(|&target| target != header);
        if data.kind == ConstructKind::Loop && data.loop_header == Some(header) {
            self.undefine(target);
        }
    }
}
