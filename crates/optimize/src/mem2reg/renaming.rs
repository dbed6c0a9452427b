//! The traversal of the dominator tree that replaces loads by values (renaming).
//!
//! Invariant: loads in dominating blocks are replaced already, so a stored value is not a load that will be removed.
//!
//! Linear in the function and in the arguments added.

use reconverge_analysis::FlowGraph;
use reconverge_graph::Node;
use reconverge_ir::{Block, Inst, Module, Op, Position, terminator, view};
use rustc_hash::FxHashMap;

use super::Variable;
use super::accesses::{Accesses, PromotedAccess};
use super::declared::{Declared, Place};
use super::placement::Sites;
use super::walk::{Held, Step};
use crate::names::{name_after, name_note};
use reconverge_rewrite::debug_values::first_anchor;
use reconverge_rewrite::jumps::replace_operands;

use reconverge_rewrite::removal::hand_on_location;
use reconverge_rewrite::undef::Undefs;

/// The traversal that tracks the value of each variable.
pub(super) struct Renaming<'a> {
    module: &'a mut Module,
    flow: &'a FlowGraph,
    variables: Vec<Variable>,
    accesses: Accesses,
    /// New parameters by block, each with its variable.
    parameters: FxHashMap<Node, Vec<(Inst, usize)>>,
    goes: Vec<bool>,
    /// The current value of each variable; `None` if it is undefined.
    held: Held<Option<Inst>>,
    undefs: Undefs,
    /// The variables of the source.
    pub(super) declared: Declared,
}

impl<'a> Renaming<'a> {
    pub(super) fn new(
        module: &'a mut Module,
        flow: &'a FlowGraph,
        variables: Vec<Variable>,
        accesses: Accesses,
    ) -> Renaming<'a> {
        let held = Held::new(variables.iter().map(|variable| variable.initial).collect());
        let goes = vec![false; variables.len()];
        let (parameters, undefs) = (FxHashMap::default(), Undefs::default());
        let declared = Declared::default();
        Renaming { module, flow, variables, accesses, parameters, goes, held, undefs, declared }
    }

    pub(super) fn add_parameters(&mut self, sites: &Sites) {
        for (variable, sites) in sites.iter().enumerate() {
            let Some(sites) = sites else { continue };
            self.goes[variable] = true;
            let ty = self.variables[variable].ty;
            let name = name_note(self.module, self.variables[variable].inst);
            for &site in sites {
                let block = self.flow.block(site);
                let list = self.parameters.entry(site).or_default();
                let last = list.last().map(|&(last, _)| last);
                let last = last.or_else(|| self.module.parameters(block).last().map(Inst::from));
                let position = last.map_or(Position::AtStart(block.into()), Position::After);
                let mut editor = self.module.edit();
                let parameter = editor.insert(position, Op::BlockParameter, Some(ty), &[]);
                name.into_iter().for_each(|name| editor.decorate(parameter, name));
                list.push((parameter, variable));
                let anchor = first_anchor(self.module, block);
                self.declared.say(self.module, variable, Some(parameter), Place { anchor, like: None });
            }
        }
    }

    /// Says where values meet, and the variable is not read, that nothing is known of it.
    pub(super) fn forget_at_joins(&mut self, joins: &[(usize, Node)]) {
        for &(variable, join) in joins {
            let mut parameters = self.parameters.get(&join).into_iter().flatten();
            if parameters.all(|&(_, other)| other != variable) {
                let anchor = first_anchor(self.module, self.flow.block(join));
                self.declared.say(self.module, variable, None, Place { anchor, like: None });
            }
        }
    }

    pub(super) fn walk(&mut self, steps: &[Step]) {
        for &step in steps {
            match step {
                Step::Enter(node) => {
                    self.held.enter();
                    self.enter(node);
                }
                Step::Leave => self.held.leave(),
            }
        }
    }

    fn enter(&mut self, node: Node) {
        for (parameter, variable) in self.parameters.get(&node).cloned().unwrap_or_default() {
            self.held.hold(variable, Some(parameter));
        }
        for access in std::mem::take(&mut self.accesses.in_block[node.index()]) {
            let PromotedAccess { inst, variable, declaration } = access;
            if !self.goes[variable] {
                continue;
            }
            if let Some(declaration) = declaration {
                self.declared.settle(self.module, variable, declaration, self.held.of(variable));
                continue;
            }
            match self.module.op(inst) {
                Op::Load => {
                    let value = self.value(variable);
                    self.module.edit().replace_all_uses(inst, value);
                }
                _ => {
                    let value = view::Store::of(self.module, inst).map(|store| store.object);
                    value.into_iter().for_each(|value| name_after(self.module, value, self.variables[variable].inst));
                    self.held.hold(variable, value);
                    self.declared.say(self.module, variable, value, Place { anchor: inst, like: Some(inst) });
                }
            }
            hand_on_location(self.module, inst);
            self.module.edit().delete(inst);
        }
        self.pass_arguments(self.flow.block(node));
    }

    /// The current value of a variable.
    fn value(&mut self, variable: usize) -> Inst {
        let ty = self.variables[variable].ty;
        self.held.of(variable).unwrap_or_else(|| self.undefs.undef(self.module, ty))
    }

    /// Passes the current values at the end of a block to the new parameters of its target.
    fn pass_arguments(&mut self, block: Block) {
        let Some(jump) = self.module.terminator(block) else { return };
        if terminator::first_argument(self.module.op(jump)).is_none() {
            return;
        }
        let target = self.module.successors(block).next().and_then(|target| self.flow.find(target));
        let Some(wanted) = target.and_then(|target| self.parameters.get(&target)) else { return };
        let wanted: Vec<usize> = wanted.iter().map(|&(_, variable)| variable).collect();
        let mut operands: Vec<Inst> = self.module.operands(jump).collect();
        operands.extend(wanted.into_iter().map(|variable| self.value(variable)));
        replace_operands(self.module, jump, &operands);
    }

    /// Deletes the promoted variables and their accesses. Returns the number of variables.
    pub(super) fn finish(self) -> usize {
        self.declared.finish(self.module);
        let gone = self.variables.iter().zip(&self.goes).filter(|&(_, &goes)| goes);
        gone.map(|(variable, _)| self.module.edit().delete(variable.inst)).count()
    }
}
