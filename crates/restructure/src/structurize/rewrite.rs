//! Applies a plan to a function: blocks, block parameters, terminators.
//!
//! Input blocks keep their instructions and parameters; their terminators are rewritten. The order of work is: create the added blocks and
//! put all in the plan's order; give added blocks their parameters (selector, then slots); write every terminator with the arguments of its
//! edges; delete replaced instructions. A planned edge from a multi-way branch gets an edge block if it would be critical or carries
//! arguments, and a loop gets its preheader:
//!
//! ```text
//! plan:  a ──▶ h (loop: merge m, continue c)        a: loop ^h(args) break ^m continue ^c
//!        b ──▶ h                              ⇒     or, with several ways in, through   edge ^p(args): loop ^h(args) …
//! ```

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::debug_info::{DebugSet, number};
use reconverge_ir::{Block, Builder, Function, Inst, Location, Module, Op, Position};
use reconverge_structurize::{Merge, Origin, Plan, PlanBlock};
use rustc_hash::{FxHashMap, FxHashSet};

use super::ValuesReport;
use super::bundle::{Bundle, Bundles};
use super::hints::Hints;
use super::input::Input;
use super::limit;
use super::numbers::Numbers;
use super::payload::{Payload, Slot};
use reconverge_rewrite::jumps::NewParameters;
use reconverge_rewrite::original_dominance::OriginalDominance;
use reconverge_rewrite::undef::Undefs;

/// Rewrites a function according to its plan. Returns the added block parameters; a limit is reported before anything is changed.
pub(super) fn rewrite(
    module: &mut Module,
    function: Function,
    (input, hints, plan): (&Input, &Hints, &Plan),
    original: &mut OriginalDominance,
) -> Result<Rewritten, Diagnostic> {
    let bundles = Bundles::collect(plan);
    let payload = Payload::compute(module, input, plan, &bundles);
    limit::check(plan, &bundles, &payload)?;
    let (merges, continue_targets) = (declared_merges(plan), continue_targets(plan));
    let numbers = Numbers::of(plan, &bundles);
    let mut rewrite = Rewrite {
        module,
        function,
        input,
        hints,
        plan,
        bundles,
        payload,
        merges,
        continue_targets,
        numbers,
        blocks: Vec::new(),
        selectors: FxHashMap::default(),
        slots: FxHashMap::default(),
        preheaders: FxHashMap::default(),
        edge_blocks: FxHashMap::default(),
        values: FxHashMap::default(),
        undefs: Undefs::default(),
    };
    rewrite.place_blocks();
    rewrite.add_parameters();
    rewrite.add_preheaders();
    for index in 0..plan.blocks.len() {
        rewrite.write_terminator(PlanBlock::new(index));
    }
    rewrite.remove_replaced();
    rewrite.move_variables();
    rewrite.tell(original);
    let mut parameters = rewrite.handed_on();
    parameters.extend(rewrite.selectors.values().chain(rewrite.slots.values()));
    parameters.sort_unstable();
    let (selectors, slots) = (rewrite.selectors.len(), rewrite.slots.len());
    let values = ValuesReport { selectors, slots, removed: 0 };
    Ok(Rewritten { selectors: rewrite.all_selectors(), blocks: rewrite.blocks, parameters, values })
}

/// The result of the rewriting.
pub(super) struct Rewritten {
    /// The block of each planned block.
    pub(super) blocks: Vec<Block>,
    /// Added parameters, selectors and slots, and those that may have become superfluous.
    pub(super) parameters: Vec<Inst>,
    /// The selectors among them, those of preheaders too.
    pub(super) selectors: Vec<Inst>,
    /// The numbers of both kinds.
    pub(super) values: ValuesReport,
}

/// The state of a rewriting; `terminators.rs` and `arguments.rs` hold the rest of its steps.
pub(super) struct Rewrite<'a> {
    pub(super) module: &'a mut Module,
    function: Function,
    pub(super) input: &'a Input,
    pub(super) hints: &'a Hints,
    pub(super) plan: &'a Plan,
    pub(super) bundles: Bundles,
    pub(super) payload: Payload,
    merges: FxHashSet<PlanBlock>,
    pub(super) continue_targets: FxHashSet<PlanBlock>,
    pub(super) numbers: Numbers,
    pub(super) blocks: Vec<Block>,
    pub(super) selectors: FxHashMap<PlanBlock, Inst>,
    pub(super) slots: FxHashMap<(PlanBlock, Slot), Inst>,
    /// Loops whose preheader is an edge block of its own.
    pub(super) preheaders: FxHashMap<PlanBlock, Block>,
    /// Edge blocks of multi-way branches, by bundle.
    pub(super) edge_blocks: FxHashMap<usize, Block>,
    /// The arguments of a bundle for a slot that were computed before.
    pub(super) values: FxHashMap<(usize, Slot), Inst>,
    pub(super) undefs: Undefs,
}

fn declared_merges(plan: &Plan) -> FxHashSet<PlanBlock> {
    let merges = plan.blocks.iter().filter_map(|block| match block.merge {
        Merge::None => None,
        Merge::Selection { merge } | Merge::Loop { merge, .. } => Some(merge),
    });
    merges.collect()
}

fn continue_targets(plan: &Plan) -> FxHashSet<PlanBlock> {
    let targets = plan.blocks.iter().filter_map(|block| match block.merge {
        Merge::Loop { continue_target, .. } => Some(continue_target),
        Merge::None | Merge::Selection { .. } => None,
    });
    targets.collect()
}

impl Rewrite<'_> {
    fn place_blocks(&mut self) {
        for block in &self.plan.blocks {
            let inst = match block.origin {
                Origin::Input(input) => self.input.block(input),
                Origin::Added(_) => {
                    let added = self.module.edit().create(Op::Block, None, &[]);
                    self.module.cast(added).expect("a block is a block")
                }
            };
            self.module.edit().move_to(inst, Position::AtEnd(self.function.into()));
            self.blocks.push(inst);
        }
    }

    fn add_parameters(&mut self) {
        let u32_type = self.u32_type();
        // The arguments are written with the terminators.
        let mut added = NewParameters::default();
        for (index, block) in self.plan.blocks.iter().enumerate() {
            let planned = PlanBlock::new(index);
            if block.has_selector {
                let parameter = added.append(self.module, self.blocks[index], u32_type);
                self.selectors.insert(planned, parameter);
            }
            if matches!(block.origin, Origin::Added(_)) && self.bundles.incoming(planned).len() > 1 {
                for slot in self.payload.needed(planned).to_vec() {
                    let parameter = added.append(self.module, self.blocks[index], self.payload.ty(slot));
                    self.slots.insert((planned, slot), parameter);
                }
            }
        }
    }

    fn add_preheaders(&mut self) {
        let mut added = NewParameters::default();
        let mut opened = Vec::new();
        for (index, block) in self.plan.blocks.iter().enumerate() {
            let header = PlanBlock::new(index);
            let Merge::Loop { merge, continue_target } = block.merge else { continue };
            let forward = self.forward_ways_in(header).count();
            if forward == 1 && !self.merges.contains(&header) {
                continue;
            }
            let types: Vec<Inst> =
                self.module.parameters(self.blocks[index]).filter_map(|parameter| self.module.ty(parameter)).collect();
            let mut editor = self.module.edit();
            let preheader = editor.insert(Position::Before(self.blocks[index].into()), Op::EdgeBlock, None, &[]);
            let preheader: Block = editor.module().cast(preheader).expect("an edge block is a block");
            let passed: Vec<Inst> = types.into_iter().map(|ty| added.append(self.module, preheader, ty)).collect();
            self.preheaders.insert(header, preheader);
            opened.push((header, preheader, (merge, continue_target), passed));
        }
        // A loop may break to the preheader of a later one, so all of them are created before the first jump is written.
        for (header, preheader, ends, passed) in opened {
            let operands = self.loop_operands(header, ends, &passed);
            self.module.edit().append(preheader, Op::Loop, None, &operands);
        }
    }

    /// The bundles that enter a loop from outside: all except the one from its continue construct.
    fn forward_ways_in(&self, header: PlanBlock) -> impl Iterator<Item = &Bundle> {
        let back = match self.plan.blocks[header.index()].merge {
            Merge::Loop { continue_target, .. } => Some(continue_target),
            _ => None,
        };
        let entering = self.bundles.incoming(header).iter().map(|&index| &self.bundles.all[index]);
        entering.filter(move |bundle| Some(bundle.source) != back)
    }

    pub(super) fn loop_operands(
        &mut self,
        header: PlanBlock,
        ends: (PlanBlock, PlanBlock),
        passed: &[Inst],
    ) -> Vec<Inst> {
        let control = self.hints.loop_control(self.module, self.blocks[header.index()]);
        let named = [
            self.blocks[header.index()].into(),
            self.merge_operand(ends.0),
            self.blocks[ends.1.index()].into(),
            control,
        ];
        named.iter().chain(passed).copied().collect()
    }

    /// The block that represents a merge block: its preheader, if it is a loop's header too.
    pub(super) fn merge_operand(&self, merge: PlanBlock) -> Inst {
        match self.preheaders.get(&merge) {
            Some(&preheader) => preheader.into(),
            None => self.blocks[merge.index()].into(),
        }
    }

    pub(super) fn u32_type(&mut self) -> Inst {
        Builder::new(self.module).int_type(32)
    }

    /// The written number for a number of the selector of a block.
    pub(super) fn number(&mut self, block: PlanBlock, number: u32) -> Inst {
        let written = self.numbers.written(block, number);
        self.u32_constant(written)
    }

    pub(super) fn u32_constant(&mut self, value: u32) -> Inst {
        let ty = self.u32_type();
        Builder::new(self.module).constant_word(ty, value)
    }

    /// Moves the variables of a function to the top of its entry block (SPIR-V section 2.16.1), which may be another one now, and so the
    /// debug information about the function itself.
    ///
    /// A location applies to the instructions after it, so each instruction keeps its own, and those that stay keep the one that they had.
    fn move_variables(&mut self) {
        let (Some(&old), Some(&new)) = (self.input.blocks.first(), self.blocks.first()) else { return };
        if old == new {
            return;
        }
        let inside: Vec<(Inst, Option<Location>)> =
            self.module.children(old).map(|inst| (inst, self.module.location(inst))).collect();
        let (variables, rest): (Vec<_>, Vec<_>) =
            inside.into_iter().partition(|&(inst, _)| is_of_entry_block(self.module, inst));
        if variables.is_empty() {
            return;
        }
        let mut editor = self.module.edit();
        for &(inst, location) in variables.iter().chain(rest.first()) {
            editor.set_location(inst, location);
        }
        for &(variable, _) in variables.iter().rev() {
            editor.move_value(variable, Position::AtStart(new.into()));
        }
    }

    /// Passes the relation of the new blocks to those of the original to the SSA repair.
    fn tell(&self, original: &mut OriginalDominance) {
        let block_of = |planned: PlanBlock, index: usize| match self.edge_blocks.get(&index) {
            Some(&edge_block) => edge_block,
            None => self.blocks[planned.index()],
        };
        for (index, bundle) in self.bundles.all.iter().enumerate() {
            let block = block_of(bundle.source, index);
            if let Some(first) = bundle.carries.first() {
                let home = self.input.block(first.source);
                original.settle(block, home);
                original.settle(self.blocks[bundle.source.index()], home);
                // A block that ends in a multi-way branch belongs to no single bundle.
                let ends_here = matches!(
                    self.module.terminator(block).map(|last| self.module.op(last)),
                    Some(Op::Branch | Op::Loop)
                );
                if ends_here {
                    let targets = bundle.carries.iter();
                    let targets = targets
                        .map(|carried| self.input.block(self.input.target(carried.source, carried.successor as usize)));
                    original.bind(block, targets.collect());
                }
            }
        }
    }

    /// Parameters of preheaders, and those of input blocks that an added block leads to: one of its slots may replace them.
    fn handed_on(&self) -> Vec<Inst> {
        let mut blocks: Vec<Block> = self.preheaders.values().copied().collect();
        for (index, block) in self.plan.blocks.iter().enumerate() {
            let mut entering = self.bundles.incoming(PlanBlock::new(index)).iter();
            let is_forwarded_to = entering.any(|&bundle| self.bundles.all[bundle].carries.is_empty());
            if matches!(block.origin, Origin::Input(_)) && is_forwarded_to {
                blocks.push(self.blocks[index]);
            }
        }
        let selectors: FxHashSet<Inst> = self.selectors.values().copied().collect();
        let parameters = blocks.into_iter().flat_map(|block| self.module.parameters(block)).map(Inst::from);
        parameters.filter(|parameter| !selectors.contains(parameter)).collect()
    }

    /// Selectors, and the parameters of preheaders that are passed on to them, in the order of the plan.
    fn all_selectors(&self) -> Vec<Inst> {
        let mut selectors = Vec::new();
        for (index, &block) in self.blocks.iter().enumerate() {
            let planned = PlanBlock::new(index);
            let Some(&selector) = self.selectors.get(&planned) else { continue };
            if let Some(&preheader) = self.preheaders.get(&planned) {
                let both = self.module.parameters(preheader).zip(self.module.parameters(block));
                let passed_on = both.filter(|&(_, parameter)| Inst::from(parameter) == selector);
                selectors.extend(passed_on.map(|(parameter, _)| Inst::from(parameter)));
            }
            selectors.push(selector);
        }
        selectors
    }

    fn remove_replaced(&mut self) {
        let replaced = self.input.terminators.iter().copied().map(Inst::from);
        let replaced = replaced.filter(|&terminator| self.module.parent(terminator).is_none());
        let replaced: Vec<Inst> = replaced.chain(self.input.edge_blocks.iter().copied().map(Inst::from)).collect();
        for inst in replaced {
            self.module.edit().delete(inst);
        }
    }
}

/// Returns whether an instruction must be in the entry block of its function.
fn is_of_entry_block(module: &Module, inst: Inst) -> bool {
    let definition = (DebugSet::Constants, number::FUNCTION_DEFINITION);
    module.op(inst) == Op::Variable || DebugSet::of_inst(module, inst) == Some(definition)
}
