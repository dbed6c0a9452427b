//! The propagation: from where lanes first differ to everything that follows.
//!
//! One pass in reverse post-order gives every value a level, optimistically: what comes over a back edge is not known yet. Then a
//! worklist raises levels until nothing changes. A branch whose condition differs tells the shape of the function, which answers
//! with joins and regions; those raise parameters and uses, and may make further branches differ.
//!
//! Invariant: whoever was evaluated is evaluated again when something that it read is raised. A level is raised at most twice, a
//! branch diverges once, a join and a region are told once: near-linear in instructions and uses.

use std::sync::Arc;

use reconverge_ir::{Module, Op, terminator};

use super::bare::Bare;
use super::body::{Body, NONE};
use super::cause::Source;
use super::context::Context;
use super::copies::Copies;
use super::event::Event;
use super::level::Level;
use super::origin::Origin;
use super::regions::{ROOT, Regions};
use super::structured::Structured;
use super::transfer::is_invariant;
use super::variables::Variables;

mod contents;
mod ground;
mod joins;
mod returns;

pub(super) use ground::Ground;

/// What the control flow means for lanes.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Structured(Box<Structured>),
    Bare(Box<Bare>),
}

/// Stands for an operand: the parameter itself is to be looked at.
const WHOLE: u32 = NONE;

/// The state of the propagation in one function.
pub(super) struct Propagation<'a> {
    pub(super) module: &'a Module,
    pub(super) body: &'a Body,
    pub(super) context: &'a Context,
    pub(super) parameters: &'a [Level],
    pub(super) memory: Variables,
    pub(super) facts: Facts,
    copies: Arc<Copies>,
    is_evaluated: Vec<bool>,
    worklist: Vec<u32>,
    events: Vec<Event>,
    /// Uses that cross the border of a region, by region; and those that cross too many.
    crossings: Vec<Vec<(u32, u32)>>,
    far: Vec<(u32, u32)>,
    /// Whether all returns of the function return the same value.
    returns_one_value: bool,
}

/// What the propagation finds out.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) shape: Shape,
    pub(super) regions: Regions,
    pub(super) levels: Vec<Level>,
    pub(super) origins: Vec<Origin>,
    /// By number: the region that the value varies with.
    varies: Vec<u32>,
    /// By node: why lanes go different ways at its end.
    pub(super) branches: Vec<Origin>,
    /// By node: the branches that make it a join of separated lanes, over forward edges and over back edges.
    joins: Vec<[u32; 2]>,
    pub(super) returned: Level,
    pub(super) returned_origin: Origin,
    /// A block in which lanes leave the function while others go on.
    pub(super) returns: u32,
    /// By node: a branch that separates lanes in the block from others that entered the function with them, [`NONE`] where all
    /// that are left are there.
    pub(super) separations: Vec<u32>,
}

impl Facts {
    /// The region of a block.
    pub(super) fn region(&self, node: u32) -> u32 {
        match &self.shape {
            Shape::Structured(structured) => structured.region(node),
            Shape::Bare(bare) => bare.region(node),
        }
    }

    /// How a value varies in the eyes of a block, and the branch that is to blame if it varies less where it is made.
    pub(super) fn level_at(&self, body: &Body, value: u32, node: u32) -> (Level, Option<u32>) {
        let level = self.levels[value as usize];
        if level == Level::Divergent || body.node(value) == node {
            return (level, None);
        }
        let (varies, here) = (self.varies[value as usize], self.region(node));
        if self.regions.contains(varies, here) {
            return (level, None);
        }
        let crossed = self.regions.crossing(varies, here);
        if crossed.is_some() { (Level::Divergent, crossed) } else { (level, None) }
    }
}

impl<'a> Propagation<'a> {
    /// What follows in a function whose parameters have these levels. Near-linear.
    pub(super) fn compute(
        code: (&'a Module, &'a Body),
        context: &'a Context,
        parameters: &'a [Level],
        ground: Ground,
    ) -> Self {
        let mut propagation = Propagation::new(code, context, parameters, ground);
        for node in code.1.order().sequence() {
            propagation.visit(node.index() as u32);
        }
        propagation.conclude();
        propagation
    }

    /// What follows if the parameters differ as well: as if they had done so from the begin, as everything only ever rises.
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

    /// What the function returns.
    pub(super) fn returned(&self) -> Level {
        self.facts.returned
    }

    /// What was found out.
    pub(super) fn finish(self) -> (Facts, Variables) {
        (self.facts, self.memory)
    }

    fn new(
        (module, body): (&'a Module, &'a Body),
        context: &'a Context,
        parameters: &'a [Level],
        ground: Ground,
    ) -> Self {
        let Ground { shape, regions, memory, copies, returns_one_value } = ground;
        let (count, blocks) = (body.len(), body.graph().len());
        Propagation {
            module,
            body,
            context,
            parameters,
            memory,
            copies,
            is_evaluated: vec![false; count],
            worklist: Vec::new(),
            events: Vec::new(),
            crossings: vec![Vec::new(); regions.len()],
            far: Vec::new(),
            returns_one_value,
            facts: Facts {
                shape,
                regions,
                levels: vec![Level::Unknown; count],
                origins: vec![Origin::Nothing; count],
                varies: vec![ROOT; count],
                branches: vec![Origin::Nothing; blocks],
                joins: vec![[NONE; 2]; blocks],
                returned: Level::Unknown,
                returned_origin: Origin::Nothing,
                returns: NONE,
                separations: Vec::new(),
            },
        }
    }

    /// How the value of an operand varies among the lanes that run its user together.
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
        let region = self.facts.region(node);
        for number in self.body.range(node) {
            match self.body.op(number) {
                Op::BlockParameter => {
                    self.facts.varies[number as usize] = region;
                    self.is_evaluated[number as usize] = true;
                    self.check_join(number);
                }
                op if op.is_terminator() => {
                    self.is_evaluated[number as usize] = true;
                    self.note_crossings(number, node);
                    self.finish_block(number, node);
                }
                Op::Store => {
                    self.is_evaluated[number as usize] = true;
                    self.note_crossings(number, node);
                    self.store(number);
                }
                _ => {
                    self.note_crossings(number, node);
                    self.facts.varies[number as usize] = self.varies_with(number, region);
                    self.evaluate_first(number);
                }
            }
        }
        self.settle_events();
    }

    fn evaluate_first(&mut self, number: u32) {
        let (level, origin) = self.evaluate(number);
        self.facts.levels[number as usize] = level;
        self.facts.origins[number as usize] = origin;
        self.is_evaluated[number as usize] = true;
    }

    /// The region that the result varies with: the innermost one that an operand varies with, or the block's own.
    fn varies_with(&self, number: u32, here: u32) -> u32 {
        if !is_invariant(self.body.op(number)) {
            return here;
        }
        let mut region = ROOT;
        for &value in self.body.operands(number) {
            if value != NONE {
                let varies = self.facts.regions.seen_from(self.facts.varies[value as usize], here);
                region = self.facts.regions.deeper(region, varies);
            }
        }
        region
    }

    /// Notes which regions decide about the operands of an instruction.
    fn note_crossings(&mut self, user: u32, node: u32) {
        for (operand, &value) in (0_u32..).zip(self.body.operands(user)) {
            if value == NONE || self.body.stands_in(value, node) {
                continue;
            }
            let varies = self.facts.varies[value as usize];
            self.note_crossing((user, operand), varies, self.facts.region(node));
        }
    }

    fn note_crossing(&mut self, (user, operand): (u32, u32), varies: u32, here: u32) {
        if self.facts.regions.contains(varies, here) {
            return;
        }
        let (borders, is_far) = self.facts.regions.borders(varies, here);
        for region in borders {
            self.crossings[region as usize].push((user, operand));
        }
        if is_far {
            self.far.push((user, operand));
        }
    }

    /// Looks at the terminator of a block for the first time.
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

    /// An operand of an instruction that was evaluated may vary more than before.
    fn update(&mut self, user: u32, operand: u32) {
        let op = self.body.op(user);
        if operand == WHOLE {
            self.check_join(user);
        } else if terminator::first_argument(op).is_some() {
            self.fold_argument(user, operand);
        } else if op == Op::ReturnValue {
            self.fold_return(user);
        } else if op.is_terminator() {
            if operand == 0 && self.use_level(user, 0).differs() {
                self.diverge(self.body.node(user), Origin::Operand(0));
            }
        } else if op == Op::Store {
            self.store(user);
        } else if Self::is_strict(op) && self.use_level(user, operand) == Level::Divergent {
            self.raise(user, Level::Divergent, Origin::Operand(operand));
        } else {
            let (level, origin) = self.evaluate(user);
            self.raise(user, level, origin);
        }
    }

    /// A value varies as much as this as well.
    fn raise(&mut self, number: u32, level: Level, origin: Origin) {
        let old = self.facts.levels[number as usize];
        let joined = old.join(level);
        if joined == old {
            return;
        }
        self.facts.levels[number as usize] = joined;
        if level.differs() {
            self.facts.origins[number as usize] = origin;
        }
        if self.is_evaluated[number as usize] {
            self.worklist.push(number);
        }
    }

    /// An argument arrives at a block parameter.
    fn fold_argument(&mut self, jump: u32, operand: u32) {
        let Some(parameter) = self.body.parameter_of_argument(jump, operand) else { return };
        let value = self.body.operands(jump)[operand as usize];
        if value == parameter || (value != NONE && self.body.op(value) == Op::Undef) {
            return;
        }
        self.raise(parameter, self.use_level(jump, operand), Origin::Argument(jump, operand));
    }

    /// Lanes go different ways at the end of a block.
    fn diverge(&mut self, node: u32, origin: Origin) {
        if self.facts.branches[node as usize] != Origin::Nothing {
            return;
        }
        let mut targets = self.body.successors(node);
        let first = targets.next();
        if targets.all(|target| Some(target) == first) {
            return;
        }
        self.facts.branches[node as usize] = origin;
        match &mut self.facts.shape {
            Shape::Structured(structured) => structured.split(node, &mut self.events),
            Shape::Bare(bare) => bare.split(self.body, node, &mut self.events),
        }
    }

    /// Draws the consequences of divergent branches.
    fn settle_events(&mut self) {
        while let Some(event) = self.events.pop() {
            match event {
                Event::Join { node, branch, side } => {
                    let slot = &mut self.facts.joins[node as usize][side as usize];
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
        let mut touched = std::mem::take(&mut self.crossings[region as usize]);
        touched.append(&mut self.far);
        for (user, operand) in touched {
            self.update_if_evaluated(user, operand);
        }
    }

    fn update_if_evaluated(&mut self, user: u32, operand: u32) {
        if self.is_evaluated[user as usize] {
            self.update(user, operand);
        }
    }

    /// Raises until nothing changes.
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

impl Facts {
    /// Whether lanes may have returned or ended before the block, while others go on.
    pub(super) fn is_left(&self, node: u32) -> bool {
        match &self.shape {
            Shape::Structured(structured) => structured.is_left(node),
            Shape::Bare(bare) => bare.ender(node).is_some(),
        }
    }

    /// The separations as far as everything was told.
    fn separated(&self, body: &Body) -> Vec<u32> {
        match &self.shape {
            Shape::Structured(structured) => {
                (0..body.graph().len() as u32).map(|node| structured.separator(node).unwrap_or(NONE)).collect()
            }
            Shape::Bare(bare) => bare.separations(body),
        }
    }
}
