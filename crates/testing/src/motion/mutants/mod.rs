//! Illegal moves, each of which violates one bound of code motion or one justification of value numbering: tests of the checkers.
//!
//! | kind | what is done |
//! |---|---|
//! | `TrapAbove` | a division goes to a block from which a way leads to the end without it |
//! | `TrapAboveCall`, `TrapAboveLoop` | the same, and all paths come by, except for what may not come back |
//! | `TrapsMerged` | two divisions become one, in a block from which a way does without both |
//! | `ReadUp`, `ReadDown` | a load passes what may write there, from one block to another |
//! | `ReadInBlock` | the same within a block |
//! | `AboveOperand` | an instruction goes above what it reads |
//! | `BelowUse` | an instruction goes below what reads it |
//! | `DerivativeDown` | a derivative goes into an arm that not all lanes run |
//! | `EffectMoved`, `EffectsSwapped`, `EffectDropped` | what others see stands elsewhere, later, or nowhere |
//! | `LanesMoved` | an operation on the subgroup is in another block |
//! | `VolatileMoved` | a volatile load is in another block |
//! | `OneArmForBoth` | a value of one arm is used in the other |
//! | `OtherOperation`, `OtherOperands`, `OtherOrder` | an instruction is replaced by one that is not equal |
//! | `OlderRead` | a load is replaced by one before a store |
//! | `OlderStore` | a load is replaced by the value of an older store |
//! | `OneArgument` | a parameter is replaced by the argument of one edge |

mod replaced;

use reconverge_ir::{Block, Builder, Function, Inst, Module, Op, Position, terminator, view};
use reconverge_verify::Claims;
use spirv::{MemoryAccess, StorageClass};

use super::view::{View, roots};
use crate::random::Random;

/// A kind of illegal move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the table above says what each is")]
pub enum Mutant {
    TrapAbove,
    TrapAboveCall,
    TrapAboveLoop,
    TrapsMerged,
    ReadUp,
    ReadDown,
    ReadInBlock,
    AboveOperand,
    BelowUse,
    DerivativeDown,
    EffectMoved,
    EffectsSwapped,
    EffectDropped,
    LanesMoved,
    VolatileMoved,
    OneArmForBoth,
    OtherOperation,
    OtherOperands,
    OtherOrder,
    OlderRead,
    OlderStore,
    OneArgument,
}

/// A module before and after an illegal move, with the claims.
#[derive(Clone, Debug)]
pub struct Mutated {
    /// Before.
    pub before: Module,
    /// After.
    pub after: Module,
    /// The claims.
    pub claims: Claims,
}

impl Mutant {
    /// All of them.
    pub const ALL: [Mutant; 22] = [
        Mutant::TrapAbove,
        Mutant::TrapAboveCall,
        Mutant::TrapAboveLoop,
        Mutant::TrapsMerged,
        Mutant::ReadUp,
        Mutant::ReadDown,
        Mutant::ReadInBlock,
        Mutant::AboveOperand,
        Mutant::BelowUse,
        Mutant::DerivativeDown,
        Mutant::EffectMoved,
        Mutant::EffectsSwapped,
        Mutant::EffectDropped,
        Mutant::LanesMoved,
        Mutant::VolatileMoved,
        Mutant::OneArmForBoth,
        Mutant::OtherOperation,
        Mutant::OtherOperands,
        Mutant::OtherOrder,
        Mutant::OlderRead,
        Mutant::OlderStore,
        Mutant::OneArgument,
    ];

    /// Makes an illegal move of this kind somewhere in a function, if there is a place for it.
    pub fn apply(self, before: &Module, function: Function, lane: Inst, random: &mut Random) -> Option<Mutated> {
        let view = View::new(before, function);
        let mut maker = Maker { view: &view, lane, random };
        match self {
            Mutant::TrapAbove => maker.trap_above(|view, block, inst| view.avoids(block, view.block(inst))),
            Mutant::TrapAboveCall => maker.trap_above(calls_between),
            Mutant::TrapAboveLoop => maker.trap_above(|view, block, inst| view.goes_round(block, view.block(inst))),
            Mutant::TrapsMerged => maker.traps_merged(),
            Mutant::ReadUp => maker.read_up(),
            Mutant::ReadDown => maker.read_down(),
            Mutant::ReadInBlock => maker.read_in_block(),
            Mutant::AboveOperand => maker.above_operand(),
            Mutant::BelowUse => maker.below_use(),
            Mutant::DerivativeDown => maker.derivative_down(),
            Mutant::EffectMoved => maker.effect_moved(|op| matches!(op, Op::Store | Op::AtomicIAdd)),
            Mutant::LanesMoved => maker.effect_moved(|op| op.class() == reconverge_ir::Class::Group),
            Mutant::EffectsSwapped => maker.effects_swapped(),
            Mutant::EffectDropped => maker.effect_dropped(),
            Mutant::VolatileMoved => maker.volatile_moved(),
            Mutant::OneArmForBoth => maker.one_arm_for_both(),
            Mutant::OtherOperation => maker.other_operation(),
            Mutant::OtherOperands => maker.other_operands(),
            Mutant::OtherOrder => maker.other_order(),
            Mutant::OlderRead => maker.older_read(),
            Mutant::OlderStore => maker.older_store(),
            Mutant::OneArgument => maker.one_argument(),
        }
    }
}

struct Maker<'a, 'm> {
    view: &'a View<'m>,
    lane: Inst,
    random: &'a mut Random,
}

impl<'m> Maker<'_, 'm> {
    fn module(&self) -> &'m Module {
        self.view.module
    }

    fn block(&self, inst: Inst) -> Block {
        self.view.block(inst)
    }

    fn of(&self, is_wanted: impl Fn(Op) -> bool) -> Vec<Inst> {
        self.view.instructions().into_iter().filter(|&inst| is_wanted(self.module().op(inst))).collect()
    }

    fn one<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        (!items.is_empty()).then(|| *self.random.choose(items))
    }

    fn moved(&self, inst: Inst, position: Position) -> Option<Mutated> {
        let before = self.module().clone();
        let mut after = before.clone();
        after.edit().move_to(inst, position);
        Some(Mutated { before, after, claims: Claims::default() })
    }

    fn end_of(&self, block: Block) -> Position {
        Position::Before(self.module().terminator(block).expect("invariant: a block ends").into())
    }

    fn top_of(&self, block: Block) -> Position {
        let is_top = |&inst: &Inst| matches!(self.module().op(inst), Op::BlockParameter | Op::Variable);
        match self.module().children(block).take_while(is_top).last() {
            Some(last) => Position::After(last),
            None => Position::AtStart(block.into()),
        }
    }

    fn divisions(&self) -> Vec<Inst> {
        let divisor = |inst: Inst| view::Binary::of(self.module(), inst).map(|division| division.right);
        let is_open = |&inst: &Inst| divisor(inst).is_some_and(|divisor| !self.module().op(divisor).is_constant());
        let all = self.of(|op| matches!(op, Op::UDiv | Op::UMod | Op::SDiv | Op::SRem));
        all.into_iter().filter(is_open).collect()
    }

    /// Blocks to whose ends an instruction could move up, as far as its operands allow.
    fn above(&self, inst: Inst) -> Vec<Block> {
        let own = self.block(inst);
        let view = self.view;
        let all = view.blocks.iter().copied().filter(|&block| block != own && view.dominates(block, own));
        all.filter(|&block| view.has_operands(inst, block)).collect()
    }

    /// Blocks to whose tops an instruction could move down, as far as its users allow.
    fn below(&self, inst: Inst) -> Vec<Block> {
        let own = self.block(inst);
        let view = self.view;
        let all = view.blocks.iter().copied().filter(|&block| block != own && view.dominates(own, block));
        all.filter(|&block| view.holds_uses(inst, block)).collect()
    }

    fn trap_above(&mut self, is_wrong: impl Fn(&View<'_>, Block, Inst) -> bool) -> Option<Mutated> {
        let pairs: Vec<(Inst, Block)> = (self.divisions().into_iter())
            .flat_map(|inst| self.above(inst).into_iter().map(move |block| (inst, block)))
            .filter(|&(inst, block)| is_wrong(self.view, block, inst))
            .collect();
        let (inst, block) = self.one(&pairs)?;
        self.moved(inst, self.end_of(block))
    }

    /// Copies a division to another block, and moves both to a common dominator from which a path avoids both blocks.
    fn traps_merged(&mut self) -> Option<Mutated> {
        let view = self.view;
        let mut found = Vec::new();
        for inst in self.divisions() {
            let own = self.block(inst);
            for above in self.above(inst).into_iter().filter(|&above| view.avoids(above, own)) {
                let others = view.blocks.iter().copied().filter(|&other| {
                    other != above
                        && view.dominates(above, other)
                        && !view.dominates(other, own)
                        && !view.dominates(own, other)
                });
                found.extend(
                    others.filter(|&other| view.avoids_both(above, [own, other])).map(|other| (inst, above, other)),
                );
            }
        }
        let (inst, above, other) = self.one(&found)?;
        let (op, ty) = (self.module().op(inst), self.module().ty(inst));
        let operands: Vec<Inst> = self.module().operands(inst).collect();
        let mut before = self.module().clone();
        let twin = before.edit().insert(self.end_of(other), op, ty, &operands);
        let mut after = before.clone();
        after.edit().move_to(inst, self.end_of(above));
        after.edit().replace_all_uses(twin, inst);
        after.edit().delete(twin);
        Some(Mutated { before, after, claims: Claims { replaced: vec![(twin, inst)], copies: Vec::new() } })
    }

    /// Loads, with clobbers: stores that may write the loaded memory, and calls and atomics if it is shared.
    fn reads_and_writes(&self) -> Vec<(Inst, Inst)> {
        let module = self.module();
        let mut loads = self.of(|op| op == Op::Load);
        loads.retain(|&load| module.is_used(load));
        let writers = self.of(|op| matches!(op, Op::Store | Op::AtomicIAdd | Op::FunctionCall));
        let mut pairs = Vec::new();
        for load in loads {
            let read = pointer_of(module, load).map_or(Vec::new(), |pointer| roots(module, pointer));
            for &writer in &writers {
                if read.iter().any(|&variable| self.may_write(writer, load, variable)) {
                    pairs.push((load, writer));
                }
            }
        }
        pairs
    }

    fn may_write(&self, writer: Inst, load: Inst, variable: Inst) -> bool {
        const SHARED: [StorageClass; 3] = [StorageClass::Workgroup, StorageClass::Private, StorageClass::StorageBuffer];
        let module = self.module();
        match module.op(writer) {
            Op::FunctionCall => SHARED.into_iter().any(|class| module.is_variable_of(variable, class)),
            _ => pointer_of(module, writer).zip(pointer_of(module, load)).is_some_and(|(written, read)| {
                roots(module, written).contains(&variable) && !are_apart(module, written, read)
            }),
        }
    }

    fn read_up(&mut self) -> Option<Mutated> {
        let pairs = self.reads_and_writes();
        let mut found = Vec::new();
        for (load, writer) in pairs {
            let (own, written) = (self.block(load), self.block(writer));
            let is_before = written != own || self.view.number(writer) < self.view.number(load);
            let blocks =
                self.above(load).into_iter().filter(|&above| is_before && self.view.is_between(above, written, own));
            found.extend(blocks.map(|above| (load, above)));
        }
        let (load, above) = self.one(&found)?;
        self.moved(load, self.end_of(above))
    }

    /// Moves a load before a store to the same address, adds a record of it in a lower block, and moves the load there.
    fn read_down(&mut self) -> Option<Mutated> {
        let module = self.module();
        let record = module
            .functions()
            .find(|&function| module.name(function).as_deref() == Some(crate::program_from_graph::RECORD))?;
        let word = module.parameters(record).next().and_then(|parameter| module.ty(parameter))?;
        let mut found = Vec::new();
        for store in self.of(|op| op == Op::Store) {
            let own = self.view.block(store);
            let below = self.view.blocks.iter().copied();
            let below = below.filter(|&block| block != own && self.view.dominates(own, block));
            let object = view::Store::of(module, store)?.object;
            found.extend(below.filter(|_| module.ty(object) == Some(word)).map(|block| (store, block)));
        }
        let (store, below) = self.one(&found)?;
        let mut before = module.clone();
        let load = before.edit().insert(Position::Before(store), Op::Load, Some(word), &[pointer_of(module, store)?]);
        let zero = Builder::new(&mut before).constant_word(word, 0);
        let mut operands = vec![record.inst()];
        operands.resize(module.parameters(record).count(), zero);
        operands.push(load);
        let call = before.edit().insert(self.top_of(below), Op::FunctionCall, module.ty(record), &operands);
        let mut after = before.clone();
        after.edit().move_to(load, Position::Before(call));
        Some(Mutated { before, after, claims: Claims::default() })
    }

    fn read_in_block(&mut self) -> Option<Mutated> {
        let module = self.module();
        let mut found = Vec::new();
        for (load, writer) in self.reads_and_writes() {
            if self.block(load) != self.block(writer) {
                continue;
            }
            let (read, written) = (self.view.number(load), self.view.number(writer));
            let position = match written < read {
                true => Position::Before(writer),
                false => Position::After(writer),
            };
            let (low, high) = (read.min(written), read.max(written));
            let between = module.children(self.block(load)).take(high + 1).skip(low);
            let mut between = between.filter(|&inst| inst != load);
            let is_free = match written < read {
                true => !between.any(|inst| module.operands(load).any(|operand| operand == inst)),
                false => !between.any(|inst| module.operands(inst).any(|operand| operand == load)),
            };
            found.extend(is_free.then_some((load, position)));
        }
        let (load, position) = self.one(&found)?;
        self.moved(load, position)
    }

    fn above_operand(&mut self) -> Option<Mutated> {
        let module = self.module();
        let pure = self.of(|op| op.effects().is_pure());
        let pairs: Vec<(Inst, Inst)> = pure
            .into_iter()
            .flat_map(|inst| module.operands(inst).map(move |operand| (inst, operand)))
            .filter(|&(inst, operand)| {
                module.op(operand) != Op::BlockParameter && module.block_of(operand).is_some() && inst != operand
            })
            .filter(|&(_, operand)| module.op(operand) != Op::Variable)
            .collect();
        let (inst, operand) = self.one(&pairs)?;
        self.moved(inst, Position::Before(operand))
    }

    fn below_use(&mut self) -> Option<Mutated> {
        let module = self.module();
        let pure = self.of(|op| op.effects().is_pure());
        let pairs: Vec<(Inst, Inst)> = pure
            .into_iter()
            .flat_map(|inst| module.uses(inst).map(move |used| (inst, used.user)))
            .filter(|&(_, user)| module.block_of(user).is_some_and(|block| self.view.is_reachable(block)))
            .filter(|&(_, user)| !module.op(user).is_terminator())
            .collect();
        let (inst, user) = self.one(&pairs)?;
        self.moved(inst, Position::After(user))
    }

    /// Adds a derivative before a selection by the number of the lane, and moves it into one of its arms.
    fn derivative_down(&mut self) -> Option<Mutated> {
        let module = self.module();
        let mut found = Vec::new();
        for &block in &self.view.blocks {
            let Some(last) = module.terminator(block).filter(|&last| module.op(last) == Op::If) else { continue };
            let condition = module.operand(last, terminator::operand::CONDITION);
            if self.view.is_divergent(condition, self.lane) {
                let arms = module.successors(block).filter(|arm| self.view.blocks.contains(arm));
                found.extend(arms.filter(|&arm| self.view.dominates(block, arm)).map(|arm| (block, arm)));
            }
        }
        let (block, arm) = self.one(&found)?;
        let mut before = module.clone();
        let float = Builder::new(&mut before).float_type(32);
        let lane_type = module.pointee(self.lane)?;
        let end = self.end_of(block);
        let lane = before.edit().insert(end, Op::Load, Some(lane_type), &[self.lane]);
        let number = before.edit().insert(end, Op::ConvertUToF, Some(float), &[lane]);
        let derivative = before.edit().insert(end, Op::DPdx, Some(float), &[number]);
        let mut after = before.clone();
        after.edit().move_to(derivative, self.top_of(arm));
        Some(Mutated { before, after, claims: Claims::default() })
    }

    fn effect_moved(&mut self, is_wanted: impl Fn(Op) -> bool) -> Option<Mutated> {
        let mut found = Vec::new();
        for inst in self.of(is_wanted) {
            found.extend(self.above(inst).into_iter().map(|block| (inst, self.end_of(block))));
            found.extend(self.below(inst).into_iter().map(|block| (inst, self.top_of(block))));
        }
        let (inst, position) = self.one(&found)?;
        self.moved(inst, position)
    }

    fn effects_swapped(&mut self) -> Option<Mutated> {
        let module = self.module();
        let effects = self.of(|op| {
            matches!(op, Op::Store | Op::AtomicIAdd | Op::FunctionCall) || op.class() == reconverge_ir::Class::Group
        });
        let mut found = Vec::new();
        for pair in effects.windows(2) {
            let (first, second) = (pair[0], pair[1]);
            let is_free = !module.uses(first).any(|used| {
                module.block_of(used.user) == module.block_of(first)
                    && self.view.number(used.user) <= self.view.number(second)
            });
            found.extend((self.block(first) == self.block(second) && is_free).then_some((first, second)));
        }
        let (first, second) = self.one(&found)?;
        self.moved(first, Position::After(second))
    }

    fn effect_dropped(&mut self) -> Option<Mutated> {
        let stores = self.of(|op| op == Op::Store);
        let store = self.one(&stores)?;
        let before = self.module().clone();
        let mut after = before.clone();
        after.edit().delete(store);
        Some(Mutated { before, after, claims: Claims::default() })
    }

    fn volatile_moved(&mut self) -> Option<Mutated> {
        let mut found = Vec::new();
        for inst in self.of(|op| op == Op::Load) {
            found.extend(self.above(inst).into_iter().map(|block| (inst, self.end_of(block))));
            found.extend(self.below(inst).into_iter().map(|block| (inst, self.top_of(block))));
        }
        let (inst, position) = self.one(&found)?;
        let mut before = self.module().clone();
        let pointer = pointer_of(&before, inst)?;
        let mask = before.edit().enumerant(MemoryAccess::VOLATILE);
        before.edit().set_operands(inst, &[pointer, mask]);
        let mut after = before.clone();
        after.edit().move_to(inst, position);
        Some(Mutated { before, after, claims: Claims::default() })
    }
}

/// The pointer of a memory access.
fn pointer_of(module: &Module, access: Inst) -> Option<Inst> {
    view::Access::of(module, access).map(|access| access.pointer)
}

/// Returns whether there is a call between the end of a block and an instruction below.
fn calls_between(view: &View<'_>, block: Block, inst: Inst) -> bool {
    let own = view.block(inst);
    view.instructions().into_iter().filter(|&call| view.module.op(call) == Op::FunctionCall).any(|call| {
        let called = view.block(call);
        match called == own {
            true => view.number(call) < view.number(inst),
            false => called != block && view.is_on_the_way(block, called, own),
        }
    })
}

/// Returns whether two pointers point to different parts of one variable: constant members or elements that differ.
fn are_apart(module: &Module, left: Inst, right: Inst) -> bool {
    if module.op(left) != Op::AccessChain || module.op(right) != Op::AccessChain {
        return false;
    }
    let is_constant = |&value: &Inst| module.op(value).is_constant();
    let mut pairs = module.operands(left).zip(module.operands(right)).skip(1);
    pairs.any(|(left, right)| left != right && is_constant(&left) && is_constant(&right))
}
