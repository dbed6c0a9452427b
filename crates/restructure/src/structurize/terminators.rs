//! Creates the terminators of a plan's blocks.

use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Inst, Op, Position, Terminator};
use reconverge_structurize::{Case, Edge, Merge, PlanBlock, Terminator as Planned, Test};

use super::choose::case_literal;
use super::rewrite::Rewrite;

impl Rewrite<'_> {
    /// Writes the terminator of one planned block in place of the old one.
    pub(super) fn write_terminator(&mut self, planned: PlanBlock) {
        let block = self.blocks[planned.index()];
        let old = self.module.terminator(block);
        let plan = self.plan;
        match &plan.blocks[planned.index()].terminator {
            Planned::Exit => return,
            Planned::Unreachable => self.write(planned, Op::Unreachable, &[]),
            Planned::Branch(edge) => {
                let arguments = self.arguments(planned, edge.target);
                let (op, operands) = self.jump(planned, edge.target, &arguments);
                self.write(planned, op, &operands);
            }
            Planned::Conditional { test, then, otherwise } => self.write_conditional(planned, *test, [then, otherwise]),
            Planned::Switch { test, default, cases } => self.write_switch(planned, *test, default, cases),
        }
        if let Some(old) = old {
            self.step_aside(block, old);
        }
    }

    fn write(&mut self, planned: PlanBlock, op: Op, operands: &[Inst]) {
        let position = self.end_of(planned);
        self.module.edit().insert(position, op, None, operands);
    }

    /// The position before the terminator of a block, or at its end if it has none yet.
    pub(super) fn end_of(&self, planned: PlanBlock) -> Position {
        let block = self.blocks[planned.index()];
        self.module.terminator(block).map_or(Position::AtEnd(block.into()), |last| Position::Before(last.into()))
    }

    /// Removes the old terminator from its block. It is deleted only at the end: other blocks may still need its condition.
    fn step_aside(&mut self, block: Block, old: Terminator) {
        let location = self.module.explicit_location(old);
        let new = self.module.previous(old).expect("invariant: the new terminator stands before the old one");
        let mut editor = self.module.edit();
        editor.set_location(new, location);
        editor.detach(old);
        debug_assert_eq!(self.module.last_child(block), Some(new));
    }

    fn write_conditional(&mut self, planned: PlanBlock, test: Test, ways: [&Edge; 2]) {
        let condition = match test {
            Test::Input(input) => self.input.condition(self.module, input),
            Test::Selector { block, equals } => {
                let operands = [self.selectors[&block], self.number(block, equals)];
                let bool_type = self.module.edit().unique(Op::TypeBool, None, &[]);
                let position = self.end_of(planned);
                self.module.edit().insert(position, Op::IEqual, Some(bool_type), &operands)
            }
            Test::SelectorValue { .. } | Test::Zero => {
                unreachable!("a conditional branch has a condition, not a number")
            }
        };
        let targets = ways.map(|way| self.way_to(planned, way.target));
        let mut operands = vec![condition, targets[0], targets[1]];
        match self.plan.blocks[planned.index()].merge {
            Merge::Selection { merge } => {
                let control = self.hints.selection_control(self.module, self.blocks[planned.index()]);
                operands.extend([self.merge_operand(merge), control]);
                operands.extend(self.branch_weights(test));
                self.write(planned, Op::If, &operands);
            }
            Merge::None | Merge::Loop { .. } => {
                operands.extend(self.branch_weights(test));
                self.write(planned, Op::BranchIf, &operands);
            }
        }
    }

    /// The branch weights of an input branch, if it has them. The true branch is the first in both.
    fn branch_weights(&self, test: Test) -> Vec<Inst> {
        let Test::Input(input) = test else { return Vec::new() };
        let terminator = self.input.terminators[input.index()];
        match self.module.op(terminator) {
            Op::BranchIf => self.module.operands(terminator).skip(operand::BRANCH_IF_WEIGHTS).collect(),
            _ => Vec::new(),
        }
    }

    fn write_switch(&mut self, planned: PlanBlock, test: Test, default: &Edge, cases: &[(Case, Edge)]) {
        let selector = match test {
            Test::Input(input) => self.input.condition(self.module, input),
            Test::SelectorValue { block } => self.selectors[&block],
            Test::Zero => self.u32_constant(0),
            Test::Selector { .. } => unreachable!("a switch has a number, not a condition"),
        };
        let Merge::Selection { merge } = self.plan.blocks[planned.index()].merge else {
            unreachable!("a planned switch has a selection merge")
        };
        let default = self.way_to(planned, default.target);
        let control = self.hints.selection_control(self.module, self.blocks[planned.index()]);
        let mut operands = vec![selector, default, self.merge_operand(merge), control];
        for (case, edge) in cases {
            let literal = match (case, test) {
                (Case::Input { successor }, Test::Input(input)) => {
                    case_literal(self.module, self.input.terminators[input.index()], *successor as usize)
                }
                (Case::Input { .. }, _) => unreachable!("an input case belongs to a switch on an input's selector"),
                (Case::Selector(number), Test::SelectorValue { block }) => {
                    let number = self.numbers.written(block, *number);
                    self.module.edit().word(number)
                }
                (Case::Selector(_), _) => unreachable!("a case for a selector belongs to a switch on one"),
            };
            operands.extend([literal, self.way_to(planned, edge.target)]);
        }
        self.write(planned, Op::StructuredSwitch, &operands);
    }

    /// The jump to a planned block: a `loop` if this is the only edge into one, else a `branch`.
    fn jump(&mut self, source: PlanBlock, target: PlanBlock, arguments: &[Inst]) -> (Op, Vec<Inst>) {
        let block: Inst = match (self.plan.blocks[target.index()].merge, self.preheaders.get(&target)) {
            (Merge::Loop { merge, continue_target }, None) if source != continue_target => {
                return (Op::Loop, self.loop_operands(target, (merge, continue_target), arguments));
            }
            (Merge::Loop { continue_target, .. }, Some(&preheader)) if source != continue_target => preheader.into(),
            _ => self.blocks[target.index()].into(),
        };
        (Op::Branch, std::iter::once(block).chain(arguments.iter().copied()).collect())
    }

    /// Returns whether an edge goes from the header of a selection to the continue target of a loop, and not to the merge of the selection.
    /// SPIRV-Cross writes no `continue` for such an edge, so it gets a block that is not contracted.
    fn continues_from_selection(&self, source: PlanBlock, target: PlanBlock) -> bool {
        let is_left = matches!(self.plan.blocks[source.index()].merge, Merge::Selection { merge } if merge != target);
        // A loop of one block is entered by its continue target.
        let is_header = matches!(self.plan.blocks[target.index()].merge, Merge::Loop { .. });
        is_left && !is_header && self.continue_targets.contains(&target)
    }

    /// The target of an edge of a multi-way branch: the block itself, or an edge block before it.
    fn way_to(&mut self, source: PlanBlock, target: PlanBlock) -> Inst {
        let bundle = self.bundles.between(source, target);
        if let Some(&block) = self.edge_blocks.get(&bundle) {
            return block.into();
        }
        let arguments = self.arguments(source, target);
        let is_critical = self.bundles.incoming(target).len() > 1;
        let is_loop = matches!(self.plan.blocks[target.index()].merge, Merge::Loop { .. });
        let is_continue = self.continues_from_selection(source, target);
        if arguments.is_empty() && !is_critical && !is_loop && !is_continue {
            return self.blocks[target.index()].into();
        }
        let after = Position::After(self.blocks[source.index()].into());
        let op = if is_continue { Op::Block } else { Op::EdgeBlock };
        let block = self.module.edit().insert(after, op, None, &[]);
        let (op, operands) = self.jump(source, target, &arguments);
        self.module.edit().append(block, op, None, &operands);
        self.edge_blocks.insert(bundle, self.module.cast(block).expect("it is a block"));
        block
    }
}
