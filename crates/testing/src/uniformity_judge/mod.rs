//! Checks the claims of the uniformity analysis against the behaviour of lanes.
//!
//! A [`UniformityJudge`] observes a run of the interpreter. After a tangle has executed an instruction, it compares the values of the
//! tangle's lanes: a value that is claimed to be uniform must be the same in all of them where it is computed, an operand that is claimed
//! to be uniform where it is used; a value with a stride must increase by it from lane to lane; a branch that is claimed to be uniform must
//! not split the tangle. At the start of a block in which all lanes are claimed to be converged, the tangle must contain all lanes that
//! entered the function together and are still in it.
//!
//! It is independent of the computation of the claims. Undefined values may be anything, and pointers are not compared: each lane has its
//! own memory.

use reconverge_analysis::uniformity::{ModuleUniformity, Variation};
use reconverge_interpret::{Observer, Step, Value};
use reconverge_ir::{Block, Function, Inst, Module, Op, OpGroup, terminator::operand, text};

mod graphs;

pub use graphs::{GraphProgram, Kept, graph_program, scattered, structurized};

/// The claims of an analysis for the functions of a module.
pub trait Claims {
    /// The shape of a value among the lanes that compute it together.
    fn of(&self, function: Function, value: Inst) -> Variation;
    /// The shape of an operand among the lanes that use it together.
    fn of_use(&self, function: Function, user: Inst, operand: usize) -> Variation;
    /// Returns whether lanes that are in the block together leave it over one edge.
    fn is_uniform_branch(&self, function: Function, block: Block) -> bool;
    /// Returns whether all lanes that entered the function together and are still in it are converged in the block.
    fn is_converged(&self, function: Function, block: Block) -> bool;
    /// Returns whether all lanes that entered the function together are converged in the block.
    fn is_complete(&self, function: Function, block: Block) -> bool;
}

impl Claims for ModuleUniformity {
    fn of(&self, function: Function, value: Inst) -> Variation {
        self.function(function).map_or(Variation::Divergent, |facts| facts.of(value))
    }

    fn of_use(&self, function: Function, user: Inst, operand: usize) -> Variation {
        self.function(function).map_or(Variation::Divergent, |facts| facts.of_use(user, operand))
    }

    fn is_uniform_branch(&self, function: Function, block: Block) -> bool {
        self.function(function).is_some_and(|facts| facts.is_uniform_branch(block))
    }

    fn is_converged(&self, function: Function, block: Block) -> bool {
        self.function(function).is_some_and(|facts| facts.is_converged(block))
    }

    fn is_complete(&self, function: Function, block: Block) -> bool {
        self.function(function).is_some_and(|facts| facts.is_complete(block))
    }
}

/// The number of checked claims, and of values that were uniform without a claim.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Figures {
    /// Comparisons of the values of several lanes that were claimed to be uniform or affine.
    pub held: u64,
    /// Comparisons of values that are claimed to be divergent.
    pub unclaimed: u64,
    /// The number of these that differed.
    pub differing: u64,
    /// Blocks entered by several lanes with the claim that all are converged.
    pub converged: u64,
}

/// Lanes that entered a function together.
struct Group {
    entered: Vec<usize>,
    /// By lane.
    is_inside: Vec<bool>,
}

/// Observes a run and checks the claims.
pub struct UniformityJudge<'a, C> {
    module: &'a Module,
    claims: &'a C,
    subgroup_size: usize,
    groups: Vec<Group>,
    /// By lane: the groups of the open calls, outermost first.
    calls: Vec<Vec<usize>>,
    violations: Vec<String>,
    figures: Figures,
}

const MOST_VIOLATIONS: usize = 20;

impl<'a, C: Claims> UniformityJudge<'a, C> {
    /// A judge for claims about groups with this number of lanes; `usize::MAX` for claims about a whole workgroup.
    pub fn new(module: &'a Module, claims: &'a C, subgroup_size: usize) -> Self {
        UniformityJudge {
            module,
            claims,
            subgroup_size: subgroup_size.max(1),
            groups: Vec::new(),
            calls: Vec::new(),
            violations: Vec::new(),
            figures: Figures::default(),
        }
    }

    /// The violated claims, at most twenty of them.
    pub fn violations(&self) -> &[String] {
        &self.violations
    }

    /// The counters.
    pub fn figures(&self) -> Figures {
        self.figures
    }

    /// The lanes of a step, by subgroup.
    fn parts<'l>(&self, lanes: &'l [usize]) -> impl Iterator<Item = &'l [usize]> + use<'l, C> {
        let size = self.subgroup_size;
        lanes.chunk_by(move |left, right| left / size == right / size)
    }

    fn complain(&mut self, step: &Step<'_, '_>, inst: Inst, what: &str) {
        if self.violations.len() < MOST_VIOLATIONS {
            let function = self.module.name(step.function()).unwrap_or_default();
            let block = self.module.name(step.block()).unwrap_or_else(|| format!("{}", step.block().inst()));
            let line = text::print_inst(self.module, inst);
            self.violations.push(format!("%{function} ^{block}: `{}`: {what}, lanes {:?}", line.trim(), step.lanes()));
        }
    }

    /// Checks a claim about a value of the lanes of a step.
    fn hold(&mut self, step: &Step<'_, '_>, value: Inst, claim: Variation, what: &str) {
        for part in self.parts(step.lanes()) {
            let in_lane = |&lane: &usize| step.value(lane, value).map(|value| InLane { lane, value });
            let values: Vec<InLane<'_>> = part.iter().filter_map(in_lane).collect();
            if values.len() < 2 {
                continue;
            }
            let (first, others) = (values[0], &values[1..]);
            let differs = |claim| others.iter().any(|other| !agrees(claim, first, *other));
            if claim.is_divergent() {
                self.figures.unclaimed += 1;
                self.figures.differing += u64::from(differs(Variation::Uniform));
                continue;
            }
            self.figures.held += 1;
            if differs(claim) {
                let shown: Vec<String> =
                    values.iter().map(|InLane { lane, value }| format!("{lane}: {value:?}")).collect();
                let what = format!("{what} is {claim}, but {}", shown.join(", "));
                self.complain(step, value, &what);
            }
        }
    }

    fn check_branch(&mut self, step: &Step<'_, '_>) {
        let (module, inst) = (self.module, step.inst());
        let is_branch = module.op(inst).group() == OpGroup::Branch;
        if !is_branch || !self.claims.is_uniform_branch(step.function(), step.block()) {
            return;
        }
        let condition = module.operand(inst, operand::CONDITION);
        for part in self.parts(step.lanes()) {
            let values = part.iter().filter_map(|&lane| step.value(lane, condition));
            let mut targets = values.filter_map(|value| target(module, inst, value));
            let first = targets.next();
            if targets.any(|target| Some(target) != first) {
                self.complain(step, inst, "the branch is uniform, but divides its lanes");
            }
        }
    }

    fn enter(&mut self, step: &Step<'_, '_>) {
        let lanes = step.lanes();
        let number = self.groups.len();
        let mut is_inside = Vec::new();
        for &lane in lanes {
            let needed = lane + 1;
            if self.calls.len() < needed {
                self.calls.resize_with(needed, Vec::new);
            }
            if is_inside.len() < needed {
                is_inside.resize(needed, false);
            }
            self.calls[lane].truncate(step.call_depth(lane));
            self.calls[lane].push(number);
            is_inside[lane] = true;
        }
        self.groups.push(Group { entered: lanes.to_vec(), is_inside });
    }

    fn check_presence(&mut self, step: &Step<'_, '_>) {
        let (function, block) = (step.function(), step.block());
        let is_converged = self.claims.is_converged(function, block);
        let is_complete = self.claims.is_complete(function, block);
        if !is_converged && !is_complete {
            return;
        }
        for part in self.parts(step.lanes()) {
            let Some(group) = self.calls.get(part[0]).and_then(|calls| self.groups.get(*calls.last()?)) else {
                continue;
            };
            let own = group.entered.iter().filter(|&&lane| lane / self.subgroup_size == part[0] / self.subgroup_size);
            let inside = own.clone().filter(|&&lane| group.is_inside[lane]).count();
            let (entered, here) = (own.count(), part.len());
            self.figures.converged += u64::from(entered > 1);
            if is_converged && here != inside {
                let what = format!("all lanes are here, but {here} of the {inside} that are left came");
                self.complain(step, block.into(), &what);
            }
            if is_complete && here != entered {
                let what = format!("every lane is here, but {here} of the {entered} that entered came");
                self.complain(step, block.into(), &what);
            }
        }
    }

    /// Lanes leave the function, or end.
    fn leave(&mut self, step: &Step<'_, '_>) {
        let ends = match self.module.op(step.inst()) {
            Op::Return | Op::ReturnValue => false,
            op => op.is_terminator() && self.module.successors(step.block()).next().is_none(),
        };
        let returns = matches!(self.module.op(step.inst()), Op::Return | Op::ReturnValue);
        for &lane in step.lanes() {
            let Some(calls) = self.calls.get_mut(lane) else { continue };
            let left = if ends { 0 } else { calls.len() - usize::from(returns) };
            for group in calls.drain(left..) {
                self.groups[group].is_inside[lane] = false;
            }
        }
    }
}

impl<C: Claims> Observer for UniformityJudge<'_, C> {
    fn executed(&mut self, step: &Step<'_, '_>) {
        let (module, function, inst) = (self.module, step.function(), step.inst());
        for (index, value) in module.operands(inst).enumerate() {
            if module.op(value).has_type() && !module.op(value).is_constant() && module.op(value) != Op::Function {
                let claim = self.claims.of_use(function, inst, index);
                self.hold(step, value, claim, &format!("operand {index} of `{}`", module.op(inst).name()));
            }
        }
        if module.op(inst).has_type() {
            self.hold(step, inst, self.claims.of(function, inst), "the result");
        }
        self.check_branch(step);
        if module.op(inst).is_terminator() {
            self.leave(step);
        }
    }

    fn entered(&mut self, step: &Step<'_, '_>) {
        let (module, function, block) = (self.module, step.function(), step.block());
        if module.entry(function) == Some(block) {
            self.enter(step);
            for parameter in module.parameters(function) {
                self.hold(step, parameter.into(), self.claims.of(function, parameter.into()), "the parameter");
            }
        }
        for parameter in module.parameters(block) {
            self.hold(step, parameter.into(), self.claims.of(function, parameter.into()), "the parameter");
        }
        self.check_presence(step);
    }
}

/// A value in a lane.
#[derive(Clone, Copy)]
struct InLane<'v> {
    lane: usize,
    value: &'v Value,
}

impl<'v> InLane<'v> {
    /// Another value in the same lane.
    fn with<'p>(self, value: &'p Value) -> InLane<'p> {
        InLane { lane: self.lane, value }
    }
}

/// Returns whether the values of two lanes are as claimed.
fn agrees(claim: Variation, first: InLane<'_>, second: InLane<'_>) -> bool {
    match (claim, first.value, second.value) {
        (_, Value::Undefined, _) | (_, _, Value::Undefined) => true,
        (Variation::Divergent, ..) | (_, Value::Pointer(_), Value::Pointer(_)) => true,
        (Variation::Uniform, Value::Composite(left), Value::Composite(right)) => {
            let mut pairs = left.iter().zip(right.iter());
            pairs.all(|(left, right)| agrees(claim, first.with(left), second.with(right)))
        }
        (Variation::Uniform, left, right) => left == right,
        (Variation::Affine { stride }, Value::Int { width, bits }, Value::Int { bits: others, .. }) => {
            let grown = stride.wrapping_mul(second.lane as i64 - first.lane as i64).cast_unsigned();
            Value::int(*width, bits.wrapping_add(grown)) == Value::int(*width, *others)
        }
        (Variation::Affine { .. }, Value::Composite(left), Value::Composite(right)) => {
            let mut pairs = left.iter().zip(right.iter()).enumerate();
            pairs.all(|(index, (left, right))| {
                let claim = if index == 0 { claim } else { Variation::Uniform };
                agrees(claim, first.with(left), second.with(right))
            })
        }
        (Variation::Affine { .. }, ..) => false,
    }
}

/// The target of a condition or selector with this value.
fn target(module: &Module, branch: Inst, value: &Value) -> Option<Inst> {
    match (module.op(branch), value) {
        (Op::If | Op::BranchIf, &Value::Bool(condition)) => {
            Some(module.operand(branch, if condition { operand::TRUE } else { operand::FALSE }))
        }
        (Op::Switch | Op::StructuredSwitch, &Value::Int { width, bits }) => {
            let mut cases = module.cases(module.cast(branch)?);
            let chosen = cases.find(|&(literal, _)| {
                let words = module.literal_words(literal);
                let case = words.iter().rev().fold(0, |case, &word| case << 32 | u64::from(word));
                Value::int(width, case) == Value::int(width, bits)
            });
            Some(chosen.map_or_else(|| module.operand(branch, operand::DEFAULT), |(_, block)| block))
        }
        _ => None,
    }
}
