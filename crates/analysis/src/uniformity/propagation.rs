//! The propagation: from the origins of differences to all their consequences.
//!
//! One pass in reverse post-order gives every value a level, optimistically: values over a back edge are not known yet. Then a worklist
//! raises levels until nothing changes. A branch with a divergent condition is reported to the shape of the function, which returns joins
//! and regions; those raise parameters and uses, and may make further branches divergent.
//!
//! Invariant: an instruction is evaluated again when one of its inputs is raised. A level is raised at most three times, a branch diverges once,
//! a join and a region are reported once: near-linear in instructions and uses.

use std::sync::Arc;

use reconverge_ir::{Module, Op, terminator};

use super::body::{Body, NONE};
use super::cause::Source;
use super::context::Context;
use super::copies::Copies;
use super::event::Event;
use super::level::Level;
use super::origin::Origin;
use super::regions::{ROOT, Regions};
use super::rules::{is_invariant, is_strict};
use super::variables::Variables;

mod contents;
mod ground;
mod joins;
mod returns;
mod shape;

pub(super) use ground::Ground;
use shape::Shape;

/// Represents an operand: the parameter itself has to be processed.
const WHOLE: u32 = NONE;
/// The operand that determines the target of a branch.
const DECIDES: u32 = terminator::operand::CONDITION as u32;

/// The state of the propagation in one function.
pub(super) struct Propagation<'a> {
    pub(super) module: &'a Module,
    pub(super) body: &'a Body,
    pub(super) context: &'a Context,
    pub(super) parameters: &'a [Level],
    pub(super) memory: Variables,
    pub(super) facts: UniformityFacts,
    copies: Option<Arc<Copies>>,
    /// Numbers below this one were evaluated: numbers are in the order in which blocks are visited.
    evaluated: u32,
    worklist: Vec<u32>,
    events: Vec<Event>,
    /// Uses that cross the border of a region, by region without the root, which no use leaves; and those that cross too many.
    crossings: Vec<Vec<(u32, u32)>>,
    far: Vec<(u32, u32)>,
    /// True if all returns of the function return the same value.
    returns_one_value: bool,
}

/// The results of the propagation.
#[derive(Clone, Debug)]
pub(super) struct UniformityFacts {
    pub(super) shape: Shape,
    pub(super) regions: Regions,
    /// By number.
    pub(super) values: Vec<ValueFacts>,
    /// By node.
    pub(super) blocks: Vec<BlockFacts>,
    pub(super) returned: Level,
    pub(super) returned_origin: Origin,
    /// A block in which lanes leave the function while others continue.
    pub(super) returns: u32,
    /// By node, a branch that separates lanes in the block from others that entered the function with them, or [`NONE`] if all remaining
    /// lanes are there.
    pub(super) separations: Vec<u32>,
}

/// The facts about a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueFacts {
    pub(super) level: Level,
    pub(super) origin: Origin,
    /// The region that it varies with.
    varies: u32,
}

/// The facts about a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockFacts {
    /// The reason why lanes take different edges at its end.
    pub(super) branch: Origin,
    /// The branches that make it a join of separated lanes, over forward edges and over back edges.
    joins: [u32; 2],
}

impl ValueFacts {
    const NOTHING: ValueFacts = ValueFacts { level: Level::Unknown, origin: Origin::Nothing, varies: ROOT };
}

impl BlockFacts {
    const NOTHING: BlockFacts = BlockFacts { branch: Origin::Nothing, joins: [NONE; 2] };
}

impl UniformityFacts {
    /// The level of a value at its use in a block, and the branch that is the reason if the value has a lower level at its definition.
    pub(super) fn level_at(&self, body: &Body, value: u32, node: u32) -> (Level, Option<u32>) {
        let ValueFacts { level, varies, .. } = self.values[value as usize];
        if level == Level::Divergent || body.node(value) == node {
            return (level, None);
        }
        let here = self.shape.region(node);
        if self.regions.contains(varies, here) {
            return (level, None);
        }
        let crossed = self.regions.crossing(varies, here);
        if crossed.is_some() { (Level::Divergent, crossed) } else { (level, None) }
    }
}

impl<'a> Propagation<'a> {
    /// Computes the facts of a function whose parameters have these levels. Near-linear.
    pub(super) fn compute(
        module: &'a Module,
        body: &'a Body,
        context: &'a Context,
        parameters: &'a [Level],
        ground: Ground,
    ) -> Self {
        let mut propagation = Propagation::new(module, body, context, parameters, ground);
        for node in body.order().sequence() {
            propagation.visit(node.index() as u32);
        }
        propagation.conclude();
        propagation
    }

    /// Raises the parameters as well. The result is as if they had differed from the start, since levels only ever rise.
    pub(super) fn diverge_parameters(&mut self) {
        for parameter in self.body.function_parameters() {
            self.raise(parameter, Level::Divergent, Origin::Source(Source::Parameter));
        }
        self.conclude();
    }

    fn conclude(&mut self) {
        self.settle();
        while self.store_apart() {
            self.settle();
        }
        self.return_apart();
    }

    /// The level of the function's result.
    pub(super) fn returned(&self) -> Level {
        self.facts.returned
    }

    /// The results.
    pub(super) fn finish(self) -> (UniformityFacts, Variables) {
        (self.facts, self.memory)
    }

    fn new(module: &'a Module, body: &'a Body, context: &'a Context, parameters: &'a [Level], ground: Ground) -> Self {
        let Ground { shape, regions, memory, copies, returns_one_value } = ground;
        Propagation {
            module,
            body,
            context,
            parameters,
            memory,
            copies,
            evaluated: 0,
            worklist: Vec::new(),
            events: Vec::new(),
            crossings: vec![Vec::new(); regions.len() - 1],
            far: Vec::new(),
            returns_one_value,
            facts: UniformityFacts {
                shape,
                regions,
                values: vec![ValueFacts::NOTHING; body.len()],
                blocks: vec![BlockFacts::NOTHING; body.graph().len()],
                returned: Level::Unknown,
                returned_origin: Origin::Nothing,
                returns: NONE,
                separations: Vec::new(),
            },
        }
    }

    /// The level of an operand's value among the lanes that execute its user together.
    pub(super) fn use_level(&self, user: u32, operand: u32) -> Level {
        match self.body.operands(user)[operand as usize] {
            NONE => Level::UNIFORM,
            value => self.facts.level_at(self.body, value, self.body.node(user)).0,
        }
    }

    /// Evaluates the instructions of a block for the first time.
    fn visit(&mut self, node: u32) {
        if node == self.body.graph().entry().index() as u32 {
            for parameter in self.body.function_parameters() {
                self.evaluate_first(parameter);
            }
        }
        let region = self.facts.shape.region(node);
        for number in self.body.range(node) {
            match self.body.op(number) {
                Op::BlockParameter => {
                    self.facts.values[number as usize].varies = region;
                    self.evaluated = number + 1;
                    self.check_join(number);
                }
                op if op.is_terminator() => {
                    self.evaluated = number + 1;
                    self.note_crossings(number, node);
                    self.finish_block(number, node);
                }
                Op::Store => {
                    self.evaluated = number + 1;
                    self.note_crossings(number, node);
                    self.store(number);
                }
                _ => {
                    self.note_crossings(number, node);
                    self.facts.values[number as usize].varies = self.varies_with(number, region);
                    self.evaluate_first(number);
                }
            }
        }
        self.settle_events();
    }

    fn evaluate_first(&mut self, number: u32) {
        let (level, origin) = self.evaluate(number);
        let value = &mut self.facts.values[number as usize];
        (value.level, value.origin) = (level, origin);
        self.evaluated = number + 1;
    }

    /// The region that the result varies with: the innermost one that an operand varies with, or the block's own.
    fn varies_with(&self, number: u32, here: u32) -> u32 {
        if !is_invariant(self.body.op(number)) {
            return here;
        }
        let mut region = ROOT;
        for &value in self.body.operands(number) {
            if value != NONE {
                let varies = self.facts.regions.seen_from(self.facts.values[value as usize].varies, here);
                region = self.facts.regions.deeper(region, varies);
            }
        }
        region
    }

    /// Records the regions that determine the operands of an instruction.
    fn note_crossings(&mut self, user: u32, node: u32) {
        for (operand, &value) in (0_u32..).zip(self.body.operands(user)) {
            if value == NONE || self.body.stands_in(value, node) {
                continue;
            }
            let varies = self.facts.values[value as usize].varies;
            self.note_crossing(user, operand, varies, self.facts.shape.region(node));
        }
    }

    fn note_crossing(&mut self, user: u32, operand: u32, varies: u32, here: u32) {
        if self.facts.regions.contains(varies, here) {
            return;
        }
        let (borders, is_far) = self.facts.regions.borders(varies, here);
        for region in borders {
            self.crossings[region as usize - 1].push((user, operand));
        }
        if is_far {
            self.far.push((user, operand));
        }
    }

    /// Processes the terminator of a block for the first time.
    fn finish_block(&mut self, number: u32, node: u32) {
        if self.body.operands(number).iter().all(|&value| value == NONE)
            && terminator::first_argument(self.body.op(number)).is_none()
            && self.body.op(number) != Op::ReturnValue
        {
            return;
        }
        let count = self.body.operands(number).len() as u32;
        let first = terminator::first_argument(self.body.op(number)).map_or(0, |first| first as u32);
        let end = if first == 0 { count.min(1) } else { count };
        debug_assert_eq!(self.body.node(number), node, "a terminator stands in its block");
        for operand in first..end {
            self.update(number, operand);
        }
    }

    /// Processes an operand of an evaluated instruction whose level may have risen.
    fn update(&mut self, user: u32, operand: u32) {
        let op = self.body.op(user);
        if operand == WHOLE {
            self.check_join(user);
        } else if terminator::first_argument(op).is_some() {
            self.fold_argument(user, operand);
        } else if op == Op::ReturnValue {
            self.fold_return(user);
        } else if op.is_terminator() {
            if operand == DECIDES && self.use_level(user, operand).differs() {
                self.diverge(self.body.node(user), Origin::Operand(operand));
            }
        } else if op == Op::Store {
            self.store(user);
        } else if is_strict(op) && self.use_level(user, operand) == Level::Divergent {
            self.raise(user, Level::Divergent, Origin::Operand(operand));
        } else {
            let (level, origin) = self.evaluate(user);
            self.raise(user, level, origin);
        }
    }

    /// Raises the level of a value to cover this level.
    fn raise(&mut self, number: u32, level: Level, origin: Origin) {
        let value = &mut self.facts.values[number as usize];
        let joined = value.level.join(level);
        if joined == value.level {
            return;
        }
        value.level = joined;
        if level.differs() {
            value.origin = origin;
        }
        if number < self.evaluated {
            self.worklist.push(number);
        }
    }

    /// Processes an argument for a block parameter.
    fn fold_argument(&mut self, jump: u32, operand: u32) {
        let Some(parameter) = self.body.parameter_of_argument(jump, operand) else { return };
        let value = self.body.operands(jump)[operand as usize];
        if value == parameter || (value != NONE && self.body.op(value) == Op::Undef) {
            return;
        }
        self.raise(parameter, self.use_level(jump, operand), Origin::Argument(jump, operand));
    }

    /// Records that lanes take different edges at the end of a block.
    fn diverge(&mut self, node: u32, origin: Origin) {
        if self.facts.blocks[node as usize].branch != Origin::Nothing {
            return;
        }
        let mut targets = self.body.successors(node);
        let first = targets.next();
        if targets.all(|target| Some(target) == first) {
            return;
        }
        self.facts.blocks[node as usize].branch = origin;
        self.facts.shape.split(self.body, node, &mut self.events);
    }

    /// Processes the consequences of divergent branches.
    fn settle_events(&mut self) {
        while let Some(event) = self.events.pop() {
            match event {
                Event::Join { node, branch, side } => {
                    let slot = &mut self.facts.blocks[node as usize].joins[side as usize];
                    if *slot == NONE {
                        *slot = branch;
                        self.check_joins(node);
                    }
                }
                Event::Active { region, branch } => self.activate(region, branch),
                Event::Branches { node, branch } => self.diverge(node, Origin::Separated(branch)),
            }
        }
    }

    fn activate(&mut self, region: u32, branch: u32) {
        if !self.facts.regions.activate(region, branch) {
            return;
        }
        let mut touched = std::mem::take(&mut self.crossings[region as usize - 1]);
        touched.append(&mut self.far);
        for (user, operand) in touched {
            self.update_if_evaluated(user, operand);
        }
    }

    fn update_if_evaluated(&mut self, user: u32, operand: u32) {
        if user < self.evaluated {
            self.update(user, operand);
        }
    }

    /// Raises levels until nothing changes.
    fn settle(&mut self) {
        self.settle_events();
        while let Some(number) = self.worklist.pop() {
            let body = self.body;
            for &(user, operand) in body.users(number) {
                self.update_if_evaluated(user, operand);
            }
            self.settle_events();
        }
    }
}
