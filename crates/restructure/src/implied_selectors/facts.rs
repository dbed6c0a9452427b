//! Facts about the values of a selector and of a parameter of the same block in combination.
//!
//! ```text
//! d(%s, %x): (4, 10) (4, 11) (7, –)
//! if %s == 7 ^e ^f         at ^e only (7, –) is left, at ^f only (4, 10) and (4, 11)
//! edge ^f: branch ^m(%s, %x)
//! ```

use reconverge_ir::terminator::operand;
use reconverge_ir::{Block, Inst, Module, Op, Terminator, view};
use smallvec::{SmallVec, smallvec};

use super::{FACTS, Pair};

/// The number of blocks before a jump that are inspected for branches.
const STEPS: usize = 16;
/// The maximum number of inspected rows of a switch.
const ROWS: usize = 64;
/// The maximum depth of nested selects that are inspected.
const CHOICES: usize = 4;

/// A value of the selector, and the value of the other parameter: a constant, or undefined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Fact {
    pub(super) constant: Option<u32>,
    pub(super) number: u32,
}

/// The pairs that reach a block, in order; or that they are not known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ArrivingValues {
    known: Vec<Fact>,
    is_unknown: bool,
}

impl ArrivingValues {
    /// All of them, if they are known.
    pub(super) fn known(&self) -> Option<&[Fact]> {
        (!self.is_unknown).then_some(&self.known)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Fact> {
        self.known.iter()
    }

    fn add(&mut self, fact: Fact) {
        if self.is_unknown {
            return;
        }
        if let Err(place) = self.known.binary_search(&fact) {
            self.known.insert(place, fact);
        }
        if self.known.len() > FACTS {
            self.give_up();
        }
    }

    fn give_up(&mut self) {
        self.known.clear();
        self.is_unknown = true;
    }
}

/// The facts that branches give about a selector.
#[derive(Clone, Debug, Default)]
pub(super) struct BranchFacts {
    said: Vec<(Vec<u32>, Say)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Say {
    OneOfThese,
    NoneOfThese,
}

impl BranchFacts {
    /// The facts from the branches that control must pass to reach a block.
    pub(super) fn before(module: &Module, block: Block, selector: Inst) -> BranchFacts {
        let (mut ways, mut below) = (BranchFacts::default(), block);
        for _ in 0..STEPS {
            if module.block_of(selector) == Some(below) {
                break;
            }
            let mut sources = module.predecessors(below);
            let Some(above) = sources.next() else { break };
            if sources.any(|other| other != above) {
                break;
            }
            if let Some(last) = module.terminator(above) {
                ways.said.extend(said_by(module, last, below, selector));
            }
            below = above;
        }
        ways
    }

    /// Returns whether control can pass with this selector value.
    pub(super) fn allow(&self, number: u32) -> bool {
        self.said.iter().all(|(numbers, say)| numbers.contains(&number) == (*say == Say::OneOfThese))
    }
}

fn said_by(module: &Module, last: Terminator, target: Block, selector: Inst) -> Option<(Vec<u32>, Say)> {
    let target = Inst::from(target);
    match module.op(last) {
        Op::If | Op::BranchIf => {
            let [yes, no] = [operand::TRUE, operand::FALSE].map(|way| module.operand(last, way) == target);
            let number = number_compared(module, module.operand(last, operand::CONDITION), selector)?;
            (yes != no).then(|| (vec![number], if yes { Say::OneOfThese } else { Say::NoneOfThese }))
        }
        Op::StructuredSwitch if module.operand(last, operand::CONDITION) == selector => {
            if module.cases(last).nth(ROWS).is_some() {
                return None;
            }
            let is_default = module.operand(last, operand::DEFAULT) == target;
            let rows = module.cases(last).filter(|&(_, way)| (way == target) != is_default);
            let numbers: Option<Vec<u32>> = rows.map(|(literal, _)| module.literal_word(literal)).collect();
            Some((numbers?, if is_default { Say::NoneOfThese } else { Say::OneOfThese }))
        }
        _ => None,
    }
}

/// The number that a comparison compares a selector with.
pub(super) fn number_compared(module: &Module, comparison: Inst, selector: Inst) -> Option<u32> {
    let view::IEqual { left, right } = view::IEqual::of(module, comparison)?;
    (left == selector).then(|| module.constant_word(right)).flatten()
}

/// The word of a constant.
fn word(module: &Module, value: Inst) -> Option<u32> {
    match module.op(value) {
        Op::Constant => module.constant_word(value),
        Op::ConstantTrue => Some(1),
        Op::ConstantFalse => Some(0),
        _ => None,
    }
}

/// Adds the pairs that a jump passes. One or both members may be those of another pair.
pub(super) fn arrive(
    module: &Module,
    (selector, partner): (Inst, Inst),
    (from, ways): (Option<&Pair>, &BranchFacts),
    facts: &mut ArrivingValues,
) {
    let mut pending: SmallVec<[(Inst, Inst, usize); CHOICES]> = smallvec![(selector, partner, 0)];
    while let Some((selector, partner, depth)) = pending.pop() {
        let chosen = (view::Select::of(module, selector), view::Select::of(module, partner));
        if let (Some(own), Some(other)) = chosen
            && depth < CHOICES
            && own.condition == other.condition
        {
            pending.push((own.true_value, other.true_value, depth + 1));
            pending.push((own.false_value, other.false_value, depth + 1));
            continue;
        }
        let is_plain = depth == 0 || word(module, partner).is_some();
        if !is_plain || arrive_plainly(module, (selector, partner), (from, ways), facts).is_none() {
            return facts.give_up();
        }
    }
}

fn arrive_plainly(
    module: &Module,
    (selector, partner): (Inst, Inst),
    (from, ways): (Option<&Pair>, &BranchFacts),
    facts: &mut ArrivingValues,
) -> Option<()> {
    let passes_selector = from.is_some_and(|from| from.selector == selector);
    let passes_partner = from.is_some_and(|from| from.partner == partner);
    let fixed = match passes_selector {
        true => None,
        false => Some(word(module, selector)?),
    };
    let constant = word(module, partner);
    if constant.is_none() && !passes_partner && module.op(partner) != Op::Undef {
        return None;
    }
    if let (Some(number), false) = (fixed, passes_partner) {
        facts.add(Fact { constant, number });
        return Some(());
    }
    let arriving = from?.facts.known()?.iter().filter(|fact| ways.allow(fact.number));
    for fact in arriving.clone() {
        let number = fixed.unwrap_or(fact.number);
        let is_one = passes_partner || arriving.clone().all(|other| other.number == fact.number);
        // An undefined partner gets a constant for its number.
        let is_same = fact.constant.is_some() || !passes_partner || number == fact.number;
        if !is_one || !is_same {
            return None;
        }
        let constant = if passes_partner { fact.constant } else { constant };
        facts.add(Fact { constant, number });
    }
    Some(())
}
