//! The sweep: finds congruent instructions, and the leader of each class.

use reconverge_analysis::effects::Direction;
use reconverge_analysis::memory::{MemoryState, MemoryStates};
use reconverge_ir::{Module, Op};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::lockstep;
use super::table::{Table, Wanted};
use crate::body::{Body, NONE, OUTSIDE};
use crate::forwarding::Stored;
use reconverge_rewrite::commutative::is_commutative;
use reconverge_rewrite::promises;

/// The number of other parameters that a parameter is compared with, among those with the same first argument.
const LOCKSTEP_LIMIT: usize = 4;
/// The number of classes with one key that are compared. Their decorations differ.
const DECORATION_LIMIT: usize = 8;

/// The result of the sweep.
#[derive(Debug)]
pub(super) struct Congruence {
    /// By instruction: its replacement; [`NONE`] if it stays.
    replacements: Vec<u32>,
    raised: Vec<(u32, u32)>,
}

impl Congruence {
    /// Sweeps over a function.
    pub(super) fn compute(module: &Module, body: &Body) -> Congruence {
        let len = body.len() as usize;
        let mut sweep = Sweep {
            module,
            body,
            memory: body.memory(module),
            classes: (0..body.len()).collect(),
            leaders: (0..body.len()).collect(),
            replacements: vec![NONE; len],
            raised: FxHashMap::default(),
            raises: 0,
            previous: FxHashMap::default(),
        };
        let mut index = Index { table: Table::with_room(len), key: Vec::new() };
        for block in 0..body.block_count() {
            for inst in body.range(block) {
                match body.op(inst) {
                    Op::BlockParameter => sweep.visit_parameter(&mut index, inst, block),
                    _ => sweep.visit(&mut index, inst),
                }
            }
        }
        // In the order in which they were raised, so that operands come before users.
        let mut raised: Vec<(u32, u32, u32)> =
            sweep.raised.into_iter().map(|(inst, (place, time))| (time, inst, place)).collect();
        raised.retain(|&(_, inst, _)| sweep.replacements[inst as usize] == NONE);
        raised.sort_unstable();
        let raised = raised.into_iter().map(|(_, inst, place)| (inst, place)).collect();
        Congruence { replacements: resolve(sweep.replacements), raised }
    }

    /// The instructions that are raised to the end of another block, with that block, in order.
    pub(super) fn raised(&self) -> &[(u32, u32)] {
        &self.raised
    }

    /// The replacement of an instruction: another instruction, or a value outside the function's code; [`NONE`] if it stays.
    pub(super) fn replacement(&self, inst: u32) -> u32 {
        self.replacements[inst as usize]
    }
}

/// Resolves chains of replacements. Linear: each chain is walked twice and has length one afterwards.
fn resolve(mut replacements: Vec<u32>) -> Vec<u32> {
    let next = |replacements: &[u32], inst: u32| match inst & OUTSIDE {
        0 => replacements[inst as usize],
        _ => NONE,
    };
    for inst in 0..replacements.len() as u32 {
        let mut kept = inst;
        while next(&replacements, kept) != NONE {
            kept = next(&replacements, kept);
        }
        let mut passed = inst;
        while passed != kept {
            passed = std::mem::replace(&mut replacements[passed as usize], kept);
        }
    }
    replacements
}

/// The state of the sweep, which [`lockstep`] reads.
pub(super) struct Sweep<'a> {
    pub(super) module: &'a Module,
    pub(super) body: &'a Body,
    pub(super) memory: Option<&'a MemoryStates>,
    /// By instruction: its class, named by the first member, or [`OUTSIDE`] for the value of something outside.
    classes: Vec<u32>,
    /// By class: its leader, into which others are merged at present.
    leaders: Vec<u32>,
    pub(super) replacements: Vec<u32>,
    /// Raised leaders, with their target and time.
    pub(super) raised: FxHashMap<u32, (u32, u32)>,
    /// The number of times that leaders were raised.
    pub(super) raises: u32,
    /// By leader: the previous leader, which stays.
    pub(super) previous: FxHashMap<u32, u32>,
}

/// Classes by key, and the key of the current query.
struct Index {
    table: Table,
    key: Vec<u32>,
}

impl Sweep<'_> {
    /// The class of an operand that was visited before.
    pub(super) fn class(&self, operand: u32) -> u32 {
        if operand & OUTSIDE != 0 { operand } else { self.classes[operand as usize] }
    }

    /// The scope in which instructions of this kind with the same operands give the same result; `None` if there is none.
    pub(super) fn reach(&self, inst: u32) -> Option<Reach> {
        let op = self.body.op(inst);
        if op == Op::Undef || op.is_terminator() || op == Op::BlockParameter {
            return None;
        }
        let handle = self.body.inst(inst);
        let motion = self.body.motion(self.module, inst);
        let state = match motion.reads_memory {
            true => Some(self.memory?.state_of(handle)?),
            false => None,
        };
        match motion.direction {
            Direction::Both => Some(Reach { everywhere: true, state }),
            Direction::Earlier | Direction::WithUsers => Some(Reach { everywhere: false, state }),
            Direction::Pinned => None,
        }
    }

    fn visit(&mut self, Index { table, key }: &mut Index, inst: u32) {
        let (module, body) = (self.module, self.body);
        let op = body.op(inst);
        let Some(Reach { everywhere, state }) = self.reach(inst) else { return };
        if let Some(value) = state.and_then(|state| self.stored_value(inst, state)) {
            return self.join(inst, self.class(value));
        }
        let (op, turn) = direction(op);
        let ty = body.ty(inst).map_or(NONE, |ty| ty.index() as u32);
        key.clear();
        key.extend([op as u32, ty]);
        key.extend(body.operands(inst).iter().map(|&operand| self.class(operand)));
        match turn {
            Turn::Kept => {}
            Turn::Swapped => key.swap(2, 3),
            Turn::Sorted => key[2..4].sort_unstable(),
        }
        if !everywhere {
            key.push(body.block_of(inst));
        }
        key.extend(state.map(|state| state.index() as u32));
        let agree = |class: u32| promises::agree(module, body.inst(class), body.inst(inst));
        let wanted = Wanted { key, near: near(&key[2..]), limit: DECORATION_LIMIT };
        let class = table.find_or_enter(wanted, inst, agree);
        self.join_or(inst, class, |sweep, leader| everywhere && sweep.raise(leader, inst, state));
    }

    /// The value that a load reads in a state, if it is the value of a known store.
    fn stored_value(&self, load: u32, state: MemoryState) -> Option<u32> {
        let stored = Stored { module: self.module, body: self.body, memory: self.memory? };
        stored.value(load, state, |left, right| self.class(left) == self.class(right))
    }

    /// Adds an instruction to a class: it is merged into the leader if the leader dominates it, else it becomes the leader.
    fn join(&mut self, inst: u32, class: u32) {
        self.join_or(inst, class, |_, _| false);
    }

    /// The same, where `raise` may first move the leader up so that it dominates the instruction.
    fn join_or(&mut self, inst: u32, class: u32, raise: impl FnOnce(&mut Self, u32) -> bool) {
        self.classes[inst as usize] = class;
        if class & OUTSIDE != 0 {
            self.replacements[inst as usize] = class;
            return;
        }
        if class == inst {
            return;
        }
        let leader = self.leaders[class as usize];
        if self.body.dominates(self.home(leader), self.body.block_of(inst)) || raise(self, leader) {
            self.replacements[inst as usize] = leader;
        } else {
            self.previous.insert(inst, leader);
            self.leaders[class as usize] = inst;
        }
    }

    /// The class of a parameter: the class of the one value that all edges pass, or the class of another parameter of the block that is
    /// passed the same values. Values that were not visited yet are unknown; an edge that passes the parameter itself is ignored.
    fn visit_parameter(&mut self, Index { table, key }: &mut Index, inst: u32, block: u32) {
        let body = self.body;
        let number = inst - body.range(block).start;
        let arguments: SmallVec<[u32; 8]> =
            body.predecessors(block).map(|source| body.argument(source, number)).collect();
        let known = |&argument: &u32| match argument {
            _ if argument == inst => None,
            _ if argument & OUTSIDE == 0 && argument > inst => Some(NONE),
            _ => Some(self.class(argument)),
        };
        let mut values = arguments.iter().filter_map(known);
        let Some(first) = values.next() else { return };
        if first != NONE && values.all(|value| value == first) {
            return self.join(inst, first);
        }
        let ty = body.ty(inst).map_or(NONE, |ty| ty.index() as u32);
        key.clear();
        key.extend([Op::BlockParameter as u32, ty, block]);
        key.extend(arguments.iter().map(|argument| known(argument).unwrap_or(NONE)));
        let is_known = !key[3..].contains(&NONE);
        let in_step = |class: u32| {
            promises::agree(self.module, body.inst(class), body.inst(inst))
                && (is_known || lockstep::run(self, class, inst))
        };
        let wanted = Wanted { key, near: 2 * body.range(block).start as usize, limit: LOCKSTEP_LIMIT };
        let class = table.find_or_enter(wanted, inst, in_step);
        self.join(inst, class);
    }
}

/// The window for a key with these operands: near the operand that was defined last. If all operands are outside, their handles determine
/// it: consecutive instructions often use consecutive constants.
fn near(operands: &[u32]) -> usize {
    let last = operands.iter().copied().filter(|operand| operand & OUTSIDE == 0).max();
    let last = last.unwrap_or_else(|| operands.iter().fold(0, |sum, &operand| sum ^ operand));
    2 * last as usize
}

/// The scope in which instructions with the same operands give the same result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reach {
    /// The whole function; otherwise one block, because the result depends on the lanes that execute it, or must be used in its block.
    pub(super) everywhere: bool,
    /// The state of memory in which it holds.
    pub(super) state: Option<MemoryState>,
}

/// Canonicalization of operands.
enum Turn {
    Kept,
    Swapped,
    Sorted,
}

/// The op and the order of operands that represent an operation.
fn direction(op: Op) -> (Op, Turn) {
    match op {
        Op::UGreaterThan => (Op::ULessThan, Turn::Swapped),
        Op::SGreaterThan => (Op::SLessThan, Turn::Swapped),
        Op::UGreaterThanEqual => (Op::ULessThanEqual, Turn::Swapped),
        Op::SGreaterThanEqual => (Op::SLessThanEqual, Turn::Swapped),
        Op::FOrdGreaterThan => (Op::FOrdLessThan, Turn::Swapped),
        Op::FUnordGreaterThan => (Op::FUnordLessThan, Turn::Swapped),
        Op::FOrdGreaterThanEqual => (Op::FOrdLessThanEqual, Turn::Swapped),
        Op::FUnordGreaterThanEqual => (Op::FUnordLessThanEqual, Turn::Swapped),
        op if is_commutative(op) => (op, Turn::Sorted),
        op => (op, Turn::Kept),
    }
}
