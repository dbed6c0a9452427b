//! The blocks of a filled function.

use reconverge_ir::{Block, Builder, Function, Inst, Op, Position, Signedness};
use spirv::StorageClass;

use super::Values;
use super::skeleton::Skeleton;
use crate::plain_graph::{Ending, PlainGraph};
use crate::random::{Random, mix};

/// The environment of a filled function.
pub(super) trait Surroundings {
    /// Emits code at the top of the function.
    fn begin(&mut self, build: &mut Builder<'_>);
    /// Emits the record that block `block` was entered with the value `value`, a `u32`.
    fn record(&mut self, build: &mut Builder<'_>, block: usize, value: Inst);
    /// Emits the request for the successor to take; the answer is a `u32`.
    fn ask(&mut self, build: &mut Builder<'_>, block: usize) -> Inst;
    /// Emits the end of the function, whose last value is `value`.
    fn leave(&mut self, build: &mut Builder<'_>, value: Inst);
}

/// The instructions that blocks are filled with.
#[derive(Clone, Copy)]
pub(super) struct Filling {
    /// Decides which values go where.
    pub(super) seed: u64,
    pub(super) values: Values,
}

/// An edge: its source, and its number among the edges of the source.
#[derive(Clone, Copy)]
struct OutEdge {
    source: usize,
    index: usize,
}

/// Writes the blocks of `graph` into `function`, which has none.
pub(super) fn write(
    build: &mut Builder<'_>,
    function: Function,
    graph: &PlainGraph,
    filling: Filling,
    surroundings: &mut dyn Surroundings,
) {
    let skeleton = Skeleton::compute(graph);
    let count = graph.len();
    let mut writer = BodyWriter {
        graph,
        skeleton: &skeleton,
        filling,
        blocks: vec![None; count],
        parameters: vec![Vec::new(); count],
        values: vec![None; count],
        u32_type: build.int_type(32),
        i32_type: build.int_type_of(32, Signedness::Signed),
        memory: None,
    };
    writer.open(build, function, surroundings);
    for &block in skeleton.order() {
        writer.fill(build, block, surroundings);
    }
}

struct BodyWriter<'a> {
    graph: &'a PlainGraph,
    skeleton: &'a Skeleton<'a>,
    filling: Filling,
    blocks: Vec<Option<Block>>,
    parameters: Vec<Vec<Inst>>,
    values: Vec<Option<Inst>>,
    u32_type: Inst,
    i32_type: Inst,
    /// A variable of the function that some blocks read and write.
    memory: Option<Inst>,
}

impl BodyWriter<'_> {
    /// Creates the blocks with their parameters, and emits the top of the function.
    fn open(&mut self, build: &mut Builder<'_>, function: Function, surroundings: &mut dyn Surroundings) {
        let prologue = self.skeleton.is_entry_target().then(|| build.add_block(function));
        for &block in self.skeleton.order() {
            let made = build.add_block(function);
            build.editor().set_name(made, &format!("b{block}"));
            self.blocks[block] = Some(made);
            if self.skeleton.is_join(block) && self.filling.values != Values::Distant {
                let bool_type = build.bool_type();
                let types = [self.u32_type, bool_type, self.u32_type];
                let count = match self.filling.values {
                    Values::Origin => 1,
                    _ => Random::new(self.filling.seed ^ mix(block as u64)).below(types.len() + 1),
                };
                let parameters = types[..count].iter().map(|&ty| build.add_parameter(made, ty).inst());
                self.parameters[block] = parameters.collect();
            }
        }
        let first = prologue.unwrap_or_else(|| self.block(0));
        build.at_end(first);
        if mix(self.filling.seed).is_multiple_of(2) {
            self.memory = Some(self.add_memory(build));
        }
        surroundings.begin(build);
        if prologue.is_some() {
            let arguments = self.arguments(build, None, 0);
            let operands: Vec<Inst> = std::iter::once(self.block(0).inst()).chain(arguments).collect();
            build.branch(&operands);
        }
    }

    /// `%memory = variable Function 7`
    fn add_memory(&mut self, build: &mut Builder<'_>) -> Inst {
        let pointer = build.pointer_type(StorageClass::Function, self.u32_type);
        let operands = [build.enumerant(StorageClass::Function), build.constant_word(self.u32_type, 7)];
        build.variable(pointer, &operands)
    }

    fn fill(&mut self, build: &mut Builder<'_>, block: usize, surroundings: &mut dyn Surroundings) {
        build.at_end(self.block(block));
        let value = self.value(build, block);
        self.values[block] = Some(match self.filling.values {
            Values::Distant => build.bitcast(self.i32_type, &[value]),
            Values::Mixed | Values::Passed | Values::Origin => value,
        });
        surroundings.record(build, block, value);
        match self.graph.ending(block) {
            Ending::Exit => surroundings.leave(build, value),
            Ending::Jump => {
                let target = self.graph.successor(block, 0);
                let arguments = self.arguments(build, Some(OutEdge { source: block, index: 0 }), target);
                let operands: Vec<Inst> = std::iter::once(self.block(target).inst()).chain(arguments).collect();
                build.branch(&operands);
            }
            Ending::Conditional => {
                let answer = surroundings.ask(build, block);
                let zero = build.constant_word(self.u32_type, 0);
                let bool_type = build.bool_type();
                let condition = build.i_equal(bool_type, &[answer, zero]);
                let targets = self.targets(build, block);
                build.at_end(self.block(block));
                build.branch_if(&[condition, targets[0], targets[1]]);
            }
            Ending::Switch => {
                let answer = surroundings.ask(build, block);
                let targets = self.targets(build, block);
                build.at_end(self.block(block));
                let mut operands = vec![answer, targets[0]];
                for (index, &target) in targets.iter().enumerate().skip(1) {
                    operands.extend([build.editor().word(index as u32), target]);
                }
                build.switch(&operands);
            }
        }
    }

    fn block(&self, block: usize) -> Block {
        self.blocks[block].expect("invariant: every block is created before the first is filled")
    }

    /// The value that a block defines, from parameters, dominators, memory and its own number.
    fn value(&mut self, build: &mut Builder<'_>, block: usize) -> Inst {
        let mut random = Random::new(self.filling.seed ^ mix(block as u64 ^ 0xB10C));
        let mut value = build.constant_word(self.u32_type, (block as u32).wrapping_mul(0x9E37_79B9) | 1);
        for parameter in self.parameters[block].clone() {
            value = self.combine(build, value, parameter);
        }
        for dominator in self.dominators_to_use(&mut random, block) {
            let other = self.values[dominator].expect("invariant: dominators come first");
            value = self.combine(build, value, other);
        }
        if let Some(memory) = self.memory.filter(|_| random.chance(30)) {
            let old = build.load(self.u32_type, &[memory]);
            value = self.combine(build, value, old);
            build.store(&[memory, value]);
        }
        value
    }

    /// The two nearest dominators, and sometimes a farther one; or as the kind of values requires.
    fn dominators_to_use(&self, random: &mut Random, block: usize) -> Vec<usize> {
        let chain = std::iter::successors(self.skeleton.dominator(block), |&above| self.skeleton.dominator(above));
        match self.filling.values {
            Values::Passed | Values::Origin => return Vec::new(),
            Values::Distant => {
                let all: Vec<usize> = chain.collect();
                let far = (0..3).filter(|_| all.len() > 2).map(|_| all[2 + random.below(all.len() - 2)]);
                return all.iter().copied().take(2).chain(far).collect();
            }
            Values::Mixed => {}
        }
        let near: Vec<usize> = chain.take(8).collect();
        let far = near.len() - near.len().min(2);
        let extra = (far > 0 && random.chance(25)).then(|| near[2 + random.below(far)]);
        near.into_iter().take(2).chain(extra).collect()
    }

    /// `value * 5 ^ other`; a bool `other` becomes one of two numbers.
    fn combine(&self, build: &mut Builder<'_>, value: Inst, other: Inst) -> Inst {
        let bool_type = build.bool_type();
        let five = build.constant_word(self.u32_type, 5);
        let scaled = build.i_mul(self.u32_type, &[value, five]);
        if build.module().ty(other) == Some(self.i32_type) {
            let other = build.bitcast(self.u32_type, &[other]);
            return build.bitwise_xor(self.u32_type, &[scaled, other]);
        }
        if build.module().ty(other) != Some(bool_type) {
            return build.bitwise_xor(self.u32_type, &[scaled, other]);
        }
        let (yes, no) = (build.constant_word(self.u32_type, 0x55), build.constant_word(self.u32_type, 0xAAAA));
        let number = build.select(self.u32_type, &[other, yes, no]);
        build.i_add(self.u32_type, &[scaled, number])
    }

    /// The operands for the successors of a block: the targets, or edge blocks before them.
    fn targets(&mut self, build: &mut Builder<'_>, block: usize) -> Vec<Inst> {
        let mut after: Inst = self.block(block).into();
        let mut targets = Vec::new();
        for index in 0..self.graph.successor_count(block) {
            let target = self.graph.successor(block, index);
            if !self.skeleton.is_critical(block, target) {
                targets.push(self.block(target).into());
                continue;
            }
            build.at_end(self.block(block));
            let arguments = self.arguments(build, Some(OutEdge { source: block, index }), target);
            after = build.editor().insert(Position::After(after), Op::EdgeBlock, None, &[]);
            build.at_end(after);
            let operands: Vec<Inst> = std::iter::once(self.block(target).inst()).chain(arguments).collect();
            build.branch(&operands);
            targets.push(after);
        }
        targets
    }

    /// The arguments of an edge: a value of its source, of a dominator, or a constant of the edge.
    ///
    /// Written at the end of the source. `None` is the edge from the prologue.
    fn arguments(&mut self, build: &mut Builder<'_>, edge: Option<OutEdge>, target: usize) -> Vec<Inst> {
        let bool_type = build.bool_type();
        let OutEdge { source, index } = edge.unwrap_or(OutEdge { source: usize::MAX, index: 0 });
        let mut random = Random::new(self.filling.seed ^ mix(((source as u64) << 20) ^ index as u64));
        let mut arguments = Vec::new();
        for parameter in self.parameters[target].clone() {
            let dominator = edge.and_then(|edge| self.skeleton.dominator(edge.source));
            let word = match (edge, dominator, random.below(3)) {
                _ if self.filling.values == Values::Origin => None,
                (Some(edge), _, 0) => self.values[edge.source],
                (_, Some(dominator), 1) => self.values[dominator],
                _ => None,
            };
            let number = (source as u32).wrapping_mul(64) ^ index as u32;
            let word = word.unwrap_or_else(|| build.constant_word(self.u32_type, number));
            let is_bool = build.module().ty(parameter) == Some(bool_type);
            let half = build.constant_word(self.u32_type, 0x8000_0000);
            arguments.push(match is_bool {
                true if index % 2 == 0 => build.u_less_than(bool_type, &[word, half]),
                true => build.constant_bool(random.chance(50)),
                false => word,
            });
        }
        arguments
    }
}
