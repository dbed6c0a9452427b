//! Ranges of signed integers: which numbers a value can be, and which where an instruction uses it.
//!
//! | value | range |
//! |---|---|
//! | constant, mask, remainder, shift, conversion from fewer bits | what the operation leaves |
//! | sum, difference, product, choice | that of the operands, if it is one of the type |
//! | parameter of a block | that of the arguments together |
//! | counter of a loop: `i + step`, which is computed only behind a comparison of `i` | from the first value to the bound with the step |
//! | any, where control comes only over an edge on which `a < n` holds | at most the greatest `n`, less one |
//!
//! An edge dominates an instruction if the entry does not reach it without the edge. The value is computed before the comparison, so what held on the
//! edge holds for it there. `a && b` says both where it holds, also as a parameter that gets `b` on one edge and `false` on all others.
//!
//! A range is that of the bits as a signed number. Time: constants limit the depth of a search, the uses that it visits, and the blocks.

use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Edge, Inst, Op};
use rustc_hash::FxHashSet;

use super::super::function::Body;

/// The maximum number of operations that a range is computed from, one in another.
const DEEPEST: u32 = 6;

/// The maximum depth at which the arguments of a parameter are searched.
const DEEPEST_PARAMETER: u32 = 2;

/// The maximum number of edges into the block of a parameter.
const MOST_EDGES: usize = 8;

/// The maximum number of uses of a value that are searched for comparisons and edges.
const MOST_USES: usize = 12;

/// The maximum number of conditions that are made of one another.
const MOST_CONDITIONS: u32 = 3;

/// The maximum number of blocks that a search visits.
const MOST_BLOCKS: usize = 1000;

/// The least and the greatest number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) least: i128,
    pub(super) most: i128,
}

impl Range {
    fn of(number: i128) -> Range {
        Range { least: number, most: number }
    }

    /// All numbers of a width.
    pub(super) fn of_width(width: u32) -> Range {
        let limit = 1_i128 << (width - 1);
        Range { least: -limit, most: limit - 1 }
    }

    pub(super) fn contains(self, other: Range) -> bool {
        self.least <= other.least && other.most <= self.most
    }

    fn and(self, other: Range) -> Range {
        Range { least: self.least.max(other.least), most: self.most.min(other.most) }
    }

    fn or(self, other: Range) -> Range {
        Range { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    /// The range of the exact result of a sum, a difference or a product.
    pub(super) fn combined(self, op: Op, right: Range) -> Option<Range> {
        match op {
            Op::IAdd => Some(Range { least: self.least + right.least, most: self.most + right.most }),
            Op::ISub => Some(Range { least: self.least - right.most, most: self.most - right.least }),
            Op::IMul => {
                let corners = [self.least, self.most].map(|left| [left * right.least, left * right.most]);
                let numbers = corners.into_iter().flatten().map(Range::of);
                numbers.reduce(Range::or)
            }
            _ => None,
        }
    }
}

/// What a comparison says of its first operand where it holds: that it is above or below the second one, or the same.
#[derive(Clone, Copy)]
struct Relation {
    /// It is at most the second one less this.
    below: Option<i128>,
    /// It is at least the second one and this.
    above: Option<i128>,
}

impl Relation {
    /// The relation of a comparison where it holds.
    fn of(op: Op) -> Option<Relation> {
        let below = |distance| Relation { below: Some(distance), above: None };
        let above = |distance| Relation { below: None, above: Some(distance) };
        Some(match op {
            Op::SLessThan => below(1),
            Op::SLessThanEqual => below(0),
            Op::SGreaterThan => above(1),
            Op::SGreaterThanEqual => above(0),
            Op::IEqual => Relation { below: Some(0), above: Some(0) },
            _ => return None,
        })
    }

    /// The relation of the second operand to the first one.
    fn exchanged(self) -> Relation {
        Relation { below: self.above, above: self.below }
    }
}

/// The comparison that holds where another one does not.
fn opposite(op: Op) -> Op {
    match op {
        Op::SLessThan => Op::SGreaterThanEqual,
        Op::SLessThanEqual => Op::SGreaterThan,
        Op::SGreaterThan => Op::SLessThanEqual,
        Op::SGreaterThanEqual => Op::SLessThan,
        Op::INotEqual => Op::IEqual,
        _ => Op::Nop,
    }
}

/// A condition, and whether it holds.
#[derive(Clone, Copy)]
struct Fact {
    condition: Inst,
    holds: bool,
}

impl Body<'_, '_> {
    /// The range of a value of integers where an instruction uses it.
    pub(super) fn range_at(&self, value: Inst, place: Inst) -> Option<Range> {
        let known = self.range(value, 0);
        let guarded = self.guarded(value, place, 0)?;
        Some(known.map_or(guarded, |known| known.and(guarded)))
    }

    /// The range of a value of integers, of which the type says less.
    fn range(&self, value: Inst, depth: u32) -> Option<Range> {
        let width = self.width_of(value)?;
        match self.source.op(value) {
            Op::Constant => {
                let words = self.source.constant_words(value)?;
                let bits = words.iter().rev().fold(0_u64, |bits, &word| bits << 32 | u64::from(word));
                Some(Range::of(i128::from((bits << (64 - width)) as i64 >> (64 - width))))
            }
            Op::ConstantNull => Some(Range::of(0)),
            Op::ConstantComposite => {
                let mut parts = self.source.operands(value).map(|part| self.range(part, depth + 1));
                let first = parts.next()??;
                parts.try_fold(first, |all, part| part.map(|part| all.or(part)))
            }
            _ if depth > DEEPEST => None,
            Op::BlockParameter if depth <= DEEPEST_PARAMETER => self.range_of_parameter(value, depth),
            _ => self.computed(value, depth).filter(|&range| Range::of_width(width).contains(range)),
        }
    }

    /// The width of a number, or of the components of a vector.
    fn width_of(&self, value: Inst) -> Option<u32> {
        let (component, _) = self.source.components(self.source.ty(value)?);
        let TypeView::Int { width, .. } = self.source.type_view(component)? else { return None };
        Some(width)
    }

    /// The range of the exact result of an operation.
    fn computed(&self, value: Inst, depth: u32) -> Option<Range> {
        let operand = |number: usize| self.source.operand(value, number);
        let of = |number: usize| self.range(operand(number), depth + 1);
        let narrower = || self.width_of(operand(0)).filter(|&from| Some(from) < self.width_of(value));
        let op = self.source.op(value);
        match op {
            Op::IAdd | Op::ISub | Op::IMul => of(0).zip(of(1)).and_then(|(left, right)| left.combined(op, right)),
            Op::BitwiseAnd => {
                let masks = [of(0), of(1)].into_iter().flatten().filter(|range| range.least >= 0);
                masks.map(|range| range.most).min().map(|most| Range { least: 0, most })
            }
            Op::UMod => of(1).filter(|range| range.least > 0).map(|range| Range { least: 0, most: range.most - 1 }),
            Op::SRem => {
                of(1).filter(|range| range.least > 0).map(|range| Range { least: 1 - range.most, most: range.most - 1 })
            }
            Op::ShiftRightLogical => {
                let shift = of(1).filter(|range| range.least > 0)?.least;
                let width = i128::from(self.width_of(value)?);
                (shift < width).then(|| Range { least: 0, most: (1 << (width - shift)) - 1 })
            }
            Op::UConvert => narrower().map(|from| Range { least: 0, most: (1 << from) - 1 }),
            Op::SConvert => narrower().map(Range::of_width),
            Op::Select => of(1).zip(of(2)).map(|(accept, reject)| accept.or(reject)),
            Op::Bitcast => of(0).filter(|range| range.least >= 0),
            _ => None,
        }
    }

    /// The range of the arguments of a parameter. An argument that is the parameter and a step counts for how far the step leads.
    fn range_of_parameter(&self, parameter: Inst, depth: u32) -> Option<Range> {
        let all = Range::of_width(self.width_of(parameter)?);
        let mut range: Option<Range> = None;
        let mut steps = Vec::new();
        for argument in self.arguments_of(parameter)? {
            match self.step_of(argument, parameter, depth) {
                _ if argument == parameter => {}
                Some(step) => steps.push((argument, step)),
                None => {
                    let found = self.range(argument, depth + 1)?;
                    range = Some(range.map_or(found, |range| range.or(found)));
                }
            }
        }
        let mut range = range?;
        for (argument, step) in steps {
            let before = self.guarded(parameter, argument, depth)?;
            let after = Range { least: before.least + step.least, most: before.most + step.most };
            range = match (step.least >= 0 && after.most <= all.most, step.most <= 0 && after.least >= all.least) {
                (true, _) => Range { most: range.most.max(after.most), ..range },
                (_, true) => Range { least: range.least.min(after.least), ..range },
                _ => return None,
            };
        }
        Some(range)
    }

    /// What the edges pass to a parameter.
    fn arguments_of(&self, parameter: Inst) -> Option<Vec<Inst>> {
        let block = self.source.block_of(parameter)?;
        let place = self.source.parameters(block).position(|found| found.inst() == parameter)?;
        let edges = self.source.in_edges(block).take(MOST_EDGES + 1);
        let arguments: Option<Vec<Inst>> =
            edges.map(|edge| self.source.arguments(edge.terminator).nth(place)).collect();
        arguments.filter(|arguments| arguments.len() <= MOST_EDGES)
    }

    /// The range of what a value has more than a parameter.
    fn step_of(&self, value: Inst, parameter: Inst, depth: u32) -> Option<Range> {
        let op = self.source.op(value);
        if !matches!(op, Op::IAdd | Op::ISub) {
            return None;
        }
        let operands = [self.source.operand(value, 0), self.source.operand(value, 1)];
        let step = match (op, operands.map(|operand| operand == parameter)) {
            (_, [true, false]) => operands[1],
            (Op::IAdd, [false, true]) => operands[0],
            _ => return None,
        };
        let step = self.range(step, depth + 1)?;
        Range::of(0).combined(op, step)
    }

    /// What comparisons say of a value where control comes to an instruction.
    fn guarded(&self, value: Inst, place: Inst, depth: u32) -> Option<Range> {
        let all = Range::of_width(self.width_of(value)?);
        let mut range = all;
        for used in self.source.uses(value).take(MOST_USES) {
            let compared = used.user;
            let is_first = self.source.operand(compared, 0) == value;
            let op = self.source.op(compared);
            for holds in [true, false] {
                let Some(relation) = Relation::of(if holds { op } else { opposite(op) }) else { continue };
                let relation = if is_first { relation } else { relation.exchanged() };
                let other = self.source.operand(compared, usize::from(is_first));
                let other = self.range(other, depth + DEEPEST_PARAMETER + 1).unwrap_or(all);
                let bounds = Range {
                    least: relation.above.map_or(all.least, |distance| other.least + distance),
                    most: relation.below.map_or(all.most, |distance| other.most - distance),
                };
                let fact = Fact { condition: compared, holds };
                if range.and(bounds) != range && self.is_known(fact, place, 0) {
                    range = range.and(bounds);
                }
            }
        }
        Some(range)
    }

    /// Returns whether control comes to an instruction only where a fact is one.
    fn is_known(&self, fact: Fact, place: Inst, depth: u32) -> bool {
        let Fact { condition, holds } = fact;
        let says = |condition: Inst, holds: bool| self.is_known(Fact { condition, holds }, place, depth + 1);
        depth <= MOST_CONDITIONS
            && self.source.uses(condition).take(MOST_USES).any(|used| {
                let user = used.user;
                match self.source.op(user) {
                    Op::LogicalNot => says(user, !holds),
                    Op::LogicalAnd => holds && says(user, true),
                    Op::LogicalOr => !holds && says(user, false),
                    _ => {
                        self.edge_with(fact, user).is_some_and(|edge| self.is_behind(edge, place))
                            || self.decided(fact, user).is_some_and(|fact| says(fact.condition, fact.holds))
                    }
                }
            })
    }

    /// The edge of a terminator that control takes where a fact is one.
    fn edge_with(&self, fact: Fact, terminator: Inst) -> Option<Edge> {
        view::Conditional::of(self.source, terminator)?;
        let slots = view::BranchIf::SLOT;
        let operand = if fact.holds { slots.true_target } else { slots.false_target };
        Some(Edge { terminator: self.source.cast(terminator)?, operand })
    }

    /// The fact about a parameter that another one follows from: the parameter gets the condition, or a value behind it, on one edge and the
    /// opposite constant on all others.
    fn decided(&self, fact: Fact, user: Inst) -> Option<Fact> {
        let is_of = |value: Inst, constant: bool| {
            self.source.op(value) == if constant { Op::ConstantTrue } else { Op::ConstantFalse }
        };
        // The branch that passes it, or the only one of the block that control comes to where it holds.
        let edge = self.edge_with(fact, user);
        let branch = match edge {
            Some(edge) => {
                let block = self.source.target(edge)?;
                let is_alone = self.source.in_edges(block).nth(1).is_none();
                self.source.terminator(block).filter(|_| is_alone)?
            }
            None => self.source.cast(user)?,
        };
        let mut edges = self.source.out_edges(self.source.block_of(branch)?);
        // Over a back edge the parameter would speak of the iteration before.
        let passing = edges.next().filter(|&passing| edges.next().is_none() && !self.goes_back(passing))?;
        let target = self.source.target(passing)?;
        self.source.parameters(target).zip(self.source.arguments(branch)).find_map(|(parameter, argument)| {
            let others: Vec<Inst> = self.arguments_of(parameter.inst())?;
            let values = if edge.is_none() { vec![fact.holds] } else { vec![true, false] };
            let holds = values.into_iter().find(|&value| {
                let opposite = others.iter().filter(|&&other| is_of(other, !value)).count();
                opposite + 1 == others.len() && !is_of(argument, !value)
            })?;
            let is_passed = edge.is_some() || argument == fact.condition;
            is_passed.then_some(Fact { condition: parameter.inst(), holds })
        })
    }

    /// Returns whether all paths to an instruction take an edge.
    fn is_behind(&self, edge: Edge, place: Inst) -> bool {
        let Some(goal) = self.source.block_of(place) else { return false };
        let Some(entry) = self.tree_blocks().first().copied() else { return false };
        if self.tree_blocks().len() > MOST_BLOCKS {
            return false;
        }
        // Without the edge, the entry does not reach the instruction.
        let (mut seen, mut work) = (FxHashSet::default(), vec![goal]);
        while let Some(block) = work.pop() {
            if block == entry {
                return false;
            }
            if !seen.insert(block) {
                continue;
            }
            for before in self.source.in_edges(block).filter(|&before| before != edge) {
                let Some(source) = self.source.block_of(before.terminator) else { return false };
                work.push(source);
            }
        }
        true
    }
}
