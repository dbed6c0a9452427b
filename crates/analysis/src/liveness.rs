//! The values that are live at the ends of blocks, and the register pressure inside.
//!
//! A value is live at a point if control can reach a use from there without passing the definition. An argument of a jump is used by the
//! jump. From each use the traversal goes back over predecessors to the definition, and visits each block once for each value:
//!
//! ```text
//! ^a: %x = …             live out: x
//!    ╱      ╲
//! ^b: use %x  ^c         live in ^b: x; live in ^c: x, for ^d needs it
//!    ╲      ╱
//! ^d: use %x             live in: x
//! ```
//!
//! The traversal is linear in the sets (Appel and Palsberg 2002, "Modern compiler implementation", section 19.6, liveness of programs in
//! static single assignment form). As they can be quadratic, there is a budget of [`Liveness::EFFORT`] blocks for each instruction. Values
//! that exceed it count as live wherever their definition dominates, which is never too few ([`Liveness::is_exact`]).

use reconverge_graph::{DominatorTree, Grouped, Node};
use reconverge_ir::{Inst, Module, Numbering, Op};

use crate::FlowGraph;

/// The number of values that are live at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pressure {
    /// Values that are the same in all lanes.
    pub uniform: u32,
    /// Values of each lane.
    pub vector: u32,
}

impl Pressure {
    /// Both kinds together.
    pub fn total(self) -> u32 {
        self.uniform + self.vector
    }

    /// The number of values of a kind.
    fn of(&mut self, kind: RegisterKind) -> &mut u32 {
        match kind {
            RegisterKind::Uniform => &mut self.uniform,
            RegisterKind::Vector => &mut self.vector,
        }
    }

    fn raise(&mut self, other: Pressure) {
        self.uniform = self.uniform.max(other.uniform);
        self.vector = self.vector.max(other.vector);
    }
}

/// The register that a value needs.
#[derive(Clone, Copy)]
enum RegisterKind {
    /// One for all lanes.
    Uniform,
    /// One for each lane.
    Vector,
}

/// The end of a block.
#[derive(Clone, Copy)]
struct BlockEnd {
    node: Node,
    pressure: Pressure,
}

/// The live values of a function.
#[derive(Debug)]
pub struct Liveness {
    /// By node, the values that are live at the start, without parameters of the block, and at the end.
    live_in: Grouped<Inst>,
    live_out: Grouped<Inst>,
    at_start: Vec<Pressure>,
    at_end: Vec<Pressure>,
    highest: Vec<Pressure>,
    is_exact: bool,
}

impl Liveness {
    /// The number of blocks that each instruction may be live in on average before values are overestimated.
    pub const EFFORT: usize = 16;

    /// Computes the live values; `is_uniform` determines the kind of a value. Unreachable blocks have none.
    ///
    /// Results of instructions in blocks and parameters of blocks and of the function count, except variables and results of type `void`.
    /// Constants and other instructions at module level do not count.
    pub fn compute(
        module: &Module,
        flow: &FlowGraph,
        dominators: &DominatorTree,
        is_uniform: impl Fn(Inst) -> bool,
    ) -> Liveness {
        let values = Values::compute(module, flow, dominators, is_uniform);
        let mut walk = LivenessWalk::new(flow, &values);
        let limit = Self::EFFORT * values.instructions + 1024;
        for value in 0..values.list.len() as u32 {
            walk.add(flow, dominators, value, limit);
        }
        walk.finish(module, flow, dominators)
    }

    /// The values that are live at the start of a block, without its parameters and without overestimated values.
    pub fn live_in(&self, node: Node) -> &[Inst] {
        self.live_in.list(node.index())
    }

    /// The values that are live at the end of a block, without overestimated values.
    pub fn live_out(&self, node: Node) -> &[Inst] {
        self.live_out.list(node.index())
    }

    /// The number of values that are live at the start of a block, without its parameters.
    pub fn pressure_at_start(&self, node: Node) -> Pressure {
        self.at_start[node.index()]
    }

    /// The number of values that are live at the end of a block.
    pub fn pressure_at_end(&self, node: Node) -> Pressure {
        self.at_end[node.index()]
    }

    /// The maximum number of values of each kind that are live at once in a block: before its first instruction, including its parameters,
    /// or directly after some instruction, whose result counts there even if unused.
    pub fn highest_pressure(&self, node: Node) -> Pressure {
        self.highest[node.index()]
    }

    /// The maximum number of values of each kind that are live at once anywhere in the function.
    pub fn highest(&self) -> Pressure {
        let mut highest = Pressure::default();
        self.highest.iter().for_each(|&pressure| highest.raise(pressure));
        highest
    }

    /// Returns whether no value was overestimated.
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }
}

/// A value and its definition.
#[derive(Clone, Copy)]
struct Value {
    inst: Inst,
    node: Node,
    kind: RegisterKind,
}

/// The values of a function, numbered.
struct Values {
    list: Vec<Value>,
    numbers: Numbering,
    instructions: usize,
    /// By value, the blocks that use it and do not define it.
    users: Grouped<u32>,
}

impl Values {
    fn compute(
        module: &Module,
        flow: &FlowGraph,
        dominators: &DominatorTree,
        is_uniform: impl Fn(Inst) -> bool,
    ) -> Values {
        let (mut list, mut instructions) = (Vec::new(), 0);
        let mut add = |inst: Inst, node: Node| {
            if module.op(inst) != Op::Variable && module.ty(inst).is_some_and(|ty| module.op(ty) != Op::TypeVoid) {
                let kind = if is_uniform(inst) { RegisterKind::Uniform } else { RegisterKind::Vector };
                list.push(Value { inst, node, kind });
            }
        };
        if let Some(function) = flow.blocks().first().and_then(|&entry| module.function_of(entry)) {
            module.parameters(function).for_each(|parameter| add(parameter.inst(), flow.graph().entry()));
        }
        for &node in dominators.preorder() {
            for inst in module.children(flow.block(node)) {
                instructions += 1;
                add(inst, node);
            }
        }
        let handles: Vec<Inst> = list.iter().map(|value| value.inst).collect();
        let numbers = Numbering::in_order(&handles);
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for &node in dominators.preorder() {
            let operands = module.children(flow.block(node)).flat_map(|inst| module.operands(inst));
            let used = operands.filter_map(|operand| numbers.number(operand));
            let from_outside = used.filter(|&number| list[number as usize].node != node);
            pairs.extend(from_outside.map(|number| (number, node.index() as u32)));
        }
        let users = Grouped::compute(list.len(), pairs.iter().copied());
        Values { list, numbers, instructions, users }
    }
}

struct LivenessWalk<'v> {
    values: &'v Values,
    /// By node, the last value, plus one, that was found live at its start, and at its end.
    seen_in: Vec<u32>,
    seen_out: Vec<u32>,
    live_in: Vec<(u32, Inst)>,
    live_out: Vec<(u32, Inst)>,
    pending: Vec<Node>,
    /// By value, whether it is overestimated.
    is_rough: Vec<bool>,
    has_rough: bool,
    steps: usize,
}

impl<'v> LivenessWalk<'v> {
    fn new(flow: &FlowGraph, values: &'v Values) -> Self {
        LivenessWalk {
            values,
            seen_in: vec![0; flow.graph().len()],
            seen_out: vec![0; flow.graph().len()],
            live_in: Vec::new(),
            live_out: Vec::new(),
            pending: Vec::new(),
            is_rough: vec![false; values.list.len()],
            has_rough: false,
            steps: 0,
        }
    }

    /// Follows the uses of a value back to its definition, or stops at the step limit for all values together.
    fn add(&mut self, flow: &FlowGraph, dominators: &DominatorTree, number: u32, limit: usize) {
        let value = self.values.list[number as usize];
        let marks = (self.live_in.len(), self.live_out.len());
        let values = self.values;
        for &node in values.users.list(number as usize) {
            self.enter(Node::new(node as usize), number);
        }
        while let Some(node) = self.pending.pop() {
            for &source in flow.graph().predecessors(node) {
                self.steps += 1;
                if !dominators.is_reachable(source) || self.seen_out[source.index()] == number + 1 {
                    continue;
                }
                self.seen_out[source.index()] = number + 1;
                self.live_out.push((source.index() as u32, value.inst));
                if source != value.node {
                    self.enter(source, number);
                }
            }
            if self.steps > limit {
                self.pending.clear();
                self.live_in.truncate(marks.0);
                self.live_out.truncate(marks.1);
                self.is_rough[number as usize] = true;
                self.has_rough = true;
                return;
            }
        }
    }

    fn enter(&mut self, node: Node, number: u32) {
        if std::mem::replace(&mut self.seen_in[node.index()], number + 1) != number + 1 {
            self.live_in.push((node.index() as u32, self.values.list[number as usize].inst));
            self.pending.push(node);
        }
    }

    fn finish(self, module: &Module, flow: &FlowGraph, dominators: &DominatorTree) -> Liveness {
        let len = flow.graph().len();
        let group = |pairs: &[(u32, Inst)]| Grouped::compute(len, pairs.iter().copied());
        let (live_in, live_out) = (group(&self.live_in), group(&self.live_out));
        let mut liveness = Liveness {
            live_in,
            live_out,
            at_start: vec![Pressure::default(); len],
            at_end: vec![Pressure::default(); len],
            highest: vec![Pressure::default(); len],
            is_exact: !self.has_rough,
        };
        let rough = self.rough_by_node(dominators, len);
        let mut is_live_until = vec![u32::MAX; self.values.list.len()];
        for &node in dominators.preorder() {
            let own = self.rough_in(node, module, flow);
            let mut count = rough[node.index()];
            let mut start = Pressure { uniform: count.uniform - own.uniform, vector: count.vector - own.vector };
            for inst in liveness.live_in(node) {
                *start.of(self.kind(*inst)) += 1;
            }
            for &inst in liveness.live_out(node) {
                *count.of(self.kind(inst)) += 1;
                if let Some(number) = self.values.numbers.number(inst) {
                    is_live_until[number as usize] = node.index() as u32;
                }
            }
            liveness.at_start[node.index()] = start;
            liveness.at_end[node.index()] = count;
            liveness.highest[node.index()] =
                self.scan(module, flow, BlockEnd { node, pressure: count }, &mut is_live_until);
        }
        liveness
    }

    /// The highest pressure in a block, from its end up.
    fn scan(&self, module: &Module, flow: &FlowGraph, end: BlockEnd, is_live_until: &mut [u32]) -> Pressure {
        let BlockEnd { node, pressure } = end;
        let (mut now, mut highest) = (pressure, pressure);
        let mark = node.index() as u32;
        let mut current = module.last_child(flow.block(node));
        while let Some(inst) = current {
            if module.op(inst) == Op::BlockParameter {
                let unused =
                    module.parameters(flow.block(node)).filter_map(|parameter| self.values.numbers.number(parameter));
                for number in unused.filter(|&number| !self.is_rough[number as usize]) {
                    if is_live_until[number as usize] != mark {
                        *now.of(self.values.list[number as usize].kind) += 1;
                    }
                }
                highest.raise(now);
                break;
            }
            if let Some(number) = self.values.numbers.number(inst).filter(|&number| !self.is_rough[number as usize]) {
                let kind = self.values.list[number as usize].kind;
                if is_live_until[number as usize] != mark {
                    *now.of(kind) += 1;
                }
                highest.raise(now);
                *now.of(kind) -= 1;
            }
            for operand in module.operands(inst) {
                let Some(number) = self.values.numbers.number(operand) else { continue };
                if !self.is_rough[number as usize] && is_live_until[number as usize] != mark {
                    is_live_until[number as usize] = mark;
                    *now.of(self.values.list[number as usize].kind) += 1;
                }
            }
            highest.raise(now);
            current = module.previous(inst);
        }
        highest
    }

    fn kind(&self, inst: Inst) -> RegisterKind {
        let number = self.values.numbers.number(inst);
        number.map_or(RegisterKind::Vector, |number| self.values.list[number as usize].kind)
    }

    /// By node, the number of overestimated values that count there.
    fn rough_by_node(&self, dominators: &DominatorTree, len: usize) -> Vec<Pressure> {
        let mut counts = vec![Pressure::default(); len];
        let rough = self.values.list.iter().zip(&self.is_rough).filter(|&(_, &is_rough)| is_rough);
        for (value, _) in rough {
            *counts[value.node.index()].of(value.kind) += 1;
        }
        for &node in dominators.preorder() {
            if let Some(above) = dominators.idom(node) {
                let above = counts[above.index()];
                counts[node.index()].uniform += above.uniform;
                counts[node.index()].vector += above.vector;
            }
        }
        counts
    }

    /// The number of overestimated values that a block itself defines.
    fn rough_in(&self, node: Node, module: &Module, flow: &FlowGraph) -> Pressure {
        let mut own = Pressure::default();
        if self.has_rough {
            let numbers = module.children(flow.block(node)).filter_map(|inst| self.values.numbers.number(inst));
            numbers.filter(|&number| self.is_rough[number as usize]).for_each(|number| {
                *own.of(self.values.list[number as usize].kind) += 1;
            });
        }
        own
    }
}
