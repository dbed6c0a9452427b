//! Removes selectors that another parameter of their block implies.
//!
//! ```text
//! d(%s, %x)   passed (4, 10), (4, 11), (7, undef)          d(%x)   passed 10, 11, 7
//! if %s == 7 ─▶ b7                                  ⇒      if %x == 7 ─▶ b7
//! else ─▶ b4(%x)                                           else ─▶ b4(%x)
//! ```
//!
//! A function that leaves a loop through several exits often passes a constant that identifies the exit: a flag, an error code, an index of
//! -1. If every number of a selector has its own constants in another parameter of the same block, that parameter replaces the selector;
//! where it is undefined, it gets one more constant.
//!
//! *Requires* that arguments dominate the edges that pass them. *Preserves* every value except undefined ones.
//!
//! The pairs of values of the two parameters are found by propagating constants through blocks that pass both on, refined by the branches
//! between (`facts.rs`), at most [`FACTS`] pairs for each block. A selector stays if it is used other than in comparisons with a number, if
//! more than [`TESTS`] constants would have to be distinguished from the others, and if it is passed to a selector that stays. Linear in
//! the arguments and uses of the selectors.

mod facts;
mod write;

use reconverge_ir::view::TypeView;
use reconverge_ir::{Block, Inst, Module, Op, Terminator, terminator};
use rustc_hash::FxHashMap;

use facts::{ArrivingValues, BranchFacts, Fact};

use reconverge_rewrite::jumps::jumps_to;

/// The maximum number of pairs of a selector value and a constant at a block.
const FACTS: usize = 32;
/// The maximum number of comparisons that may replace one.
const TESTS: usize = 2;
/// The number of other parameters that are tried for a selector.
const PARTNERS: usize = 3;

/// Removes those of `selectors`, parameters of blocks, that another parameter implies. Returns their number.
pub(crate) fn remove_implied_selectors(module: &mut Module, selectors: &[Inst]) -> usize {
    let mut gone = 0;
    for rank in 0..PARTNERS {
        let mut table = PairTable::collect(module, selectors, rank);
        if table.pairs.is_empty() {
            break;
        }
        table.find_facts(module);
        table.find_implied(module);
        gone += write::write(module, &table);
    }
    gone
}

/// A selector and a parameter of the same block.
struct Pair {
    block: Block,
    selector: Inst,
    partner: Inst,
    is_bool: bool,
    /// The arguments of each jump to the block for the two.
    rows: Vec<PassedPair>,
    facts: ArrivingValues,
    is_implied: bool,
}

/// The arguments of a jump.
struct PassedPair {
    jump: Terminator,
    selector: Inst,
    partner: Inst,
    /// The facts that the branches before the jump give about the selector, if it is passed on.
    ways: BranchFacts,
    /// The pair whose selector is passed on.
    from: Option<usize>,
}

struct PairTable {
    pairs: Vec<Pair>,
    /// The index of the pair of each selector.
    numbers: FxHashMap<Inst, usize>,
    /// For each pair, the rows that pass on its selector or its partner: the pair of each row, and the row's index.
    fed: Vec<Vec<(usize, usize)>>,
}

impl PairTable {
    /// Pairs each selector with the parameter of its block that has this rank among those of a fitting type.
    fn collect(module: &Module, selectors: &[Inst], rank: usize) -> PairTable {
        let mut table = PairTable { pairs: Vec::new(), numbers: FxHashMap::default(), fed: Vec::new() };
        let mut partners: FxHashMap<Inst, usize> = FxHashMap::default();
        for &selector in selectors.iter().filter(|&&selector| module.is_live(selector)) {
            let Some(block) = module.block_of(selector) else { continue };
            let beside = module.parameters(block).map(Inst::from).filter(|&parameter| parameter != selector);
            let Some(partner) = beside.filter(|&parameter| fits(module, parameter)).nth(rank) else { continue };
            let is_bool = module.ty(partner).is_some_and(|ty| module.op(ty) == Op::TypeBool);
            table.numbers.insert(selector, table.pairs.len());
            partners.insert(partner, table.pairs.len());
            let (rows, facts) = (Vec::new(), ArrivingValues::default());
            table.pairs.push(Pair { block, selector, partner, is_bool, rows, facts, is_implied: false });
        }
        table.fed = vec![Vec::new(); table.pairs.len()];
        for number in 0..table.pairs.len() {
            table.pairs[number].rows = table.rows(module, number, &partners);
            for (index, row) in table.pairs[number].rows.iter().enumerate() {
                if let Some(from) = row.from {
                    table.fed[from].push((number, index));
                }
            }
        }
        table
    }

    fn rows(&self, module: &Module, number: usize, partners: &FxHashMap<Inst, usize>) -> Vec<PassedPair> {
        let Pair { block, selector, partner, .. } = self.pairs[number];
        let place = |wanted: Inst| module.parameters(block).position(|parameter| Inst::from(parameter) == wanted);
        let (Some(selector), Some(partner)) = (place(selector), place(partner)) else { return Vec::new() };
        let rows = jumps_to(module, block).into_iter().map(|jump| {
            let first = terminator::first_argument(module.op(jump));
            let first = first.expect("invariant: a block with parameters is entered by jumps alone");
            let [selector, partner] = [selector, partner].map(|place| module.operand(jump, first + place));
            let from = self.numbers.get(&selector).or_else(|| partners.get(&partner)).copied();
            let source = module.block_of(jump).expect("invariant: a jump stands in a block");
            let ways =
                from.map(|from| BranchFacts::before(module, source, self.pairs[from].selector)).unwrap_or_default();
            PassedPair { jump, selector, partner, ways, from }
        });
        rows.collect()
    }

    /// Computes the pairs of values at each block, starting with none. Facts only grow, so a row is processed again only for new ones.
    fn find_facts(&mut self, module: &Module) {
        let rows = |(number, pair): (usize, &Pair)| (0..pair.rows.len()).map(move |index| (number, index));
        let mut worklist: Vec<(usize, usize)> = self.pairs.iter().enumerate().flat_map(rows).collect();
        worklist.reverse();
        while let Some((number, index)) = worklist.pop() {
            let pair = &self.pairs[number];
            if pair.facts.known().is_none() {
                continue;
            }
            let row = &pair.rows[index];
            let from = row.from.map(|from| &self.pairs[from]);
            let mut facts = pair.facts.clone();
            facts::arrive(module, (row.selector, row.partner), (from, &row.ways), &mut facts);
            if facts != pair.facts {
                self.pairs[number].facts = facts;
                worklist.extend(&self.fed[number]);
            }
        }
    }

    /// The selectors that can be removed together.
    fn find_implied(&mut self, module: &Module) {
        for number in 0..self.pairs.len() {
            self.pairs[number].is_implied = self.is_implied(module, &self.pairs[number]);
        }
        let mut worklist: Vec<usize> = (0..self.pairs.len()).filter(|&number| !self.pairs[number].is_implied).collect();
        while let Some(number) = worklist.pop() {
            // A selector that stays must get its number, and passes undefined only if it gets undefined.
            let feeding = self.pairs[number].rows.iter();
            let feeding = feeding.filter(|row| row.from.is_some_and(|from| self.pairs[from].selector == row.selector));
            let mut spoilt: Vec<usize> = feeding.filter_map(|row| row.from).collect();
            if self.pairs[number].facts.iter().any(|fact| fact.constant.is_none()) {
                spoilt.extend(self.fed[number].iter().map(|&(fed, _)| fed));
            }
            for other in spoilt {
                if std::mem::replace(&mut self.pairs[other].is_implied, false) {
                    worklist.push(other);
                }
            }
        }
    }

    /// Returns whether a pair's partner implies its selector at every use, considering only the pair.
    fn is_implied(&self, module: &Module, pair: &Pair) -> bool {
        let Some(facts) = pair.facts.known().filter(|facts| !facts.is_empty() && is_function(facts)) else {
            return false;
        };
        if pair.is_bool && facts.iter().any(|fact| fact.constant.is_none()) || !self.has_numbers(module, pair) {
            return false;
        }
        module.uses(pair.selector).all(|used| match module.op(used.user) {
            Op::IEqual => {
                let here = write::facts_at(module, pair, used.user);
                write::compared_with(module, pair, used.user)
                    .is_some_and(|number| tests(&here, |other| other == number).is_some())
            }
            Op::StructuredSwitch => {
                let arrives = |literal| facts.iter().any(|fact| Some(fact.number) == module.literal_word(literal));
                let switch = module.cast::<Terminator>(used.user);
                !pair.is_bool && switch.is_some_and(|switch| module.cases(switch).all(|(literal, _)| arrives(literal)))
            }
            Op::Branch | Op::Loop => self.is_passed_on(module, pair, used.user),
            _ => false,
        })
    }

    /// Returns whether each jump that passes an undefined value has a number that determines the new constant.
    fn has_numbers(&self, module: &Module, pair: &Pair) -> bool {
        pair.rows.iter().filter(|row| module.op(row.partner) == Op::Undef).all(|row| {
            let arrives = |from: usize| self.pairs[from].facts.iter().any(|fact| row.ways.allow(fact.number));
            module.op(row.selector) == Op::Constant || row.from.is_some_and(arrives)
        })
    }

    /// Returns whether a jump passes a selector to another one of the table, and once.
    fn is_passed_on(&self, module: &Module, pair: &Pair, jump: Inst) -> bool {
        let target = module.cast::<Block>(module.operand(jump, terminator::operand::TARGET));
        let first = terminator::first_argument(module.op(jump)).unwrap_or_default();
        let parameters = target.into_iter().flat_map(|target| module.parameters(target)).map(Inst::from).enumerate();
        let mut passed = parameters.filter(|&(place, _)| module.operand(jump, first + place) == pair.selector);
        let received = passed.next().is_some_and(|(_, parameter)| self.numbers.contains_key(&parameter));
        received && passed.next().is_none()
    }
}

fn fits(module: &Module, parameter: Inst) -> bool {
    let Some(ty) = module.ty(parameter) else { return false };
    matches!(module.type_view(ty), Some(TypeView::Bool | TypeView::Int { width: 32, .. }))
}

/// Returns whether each constant belongs to one number. The facts are in order.
fn is_function(facts: &[Fact]) -> bool {
    facts.windows(2).all(|two| two[0].constant.is_none() || two[0].constant != two[1].constant)
}

/// The comparisons that distinguish the wanted numbers from the others: their number, and whether they test for the wanted ones or for the
/// others.
fn tests(facts: &[Fact], is_wanted: impl Fn(u32) -> bool) -> Option<(usize, bool)> {
    // An undefined value becomes one more constant.
    let count = |wanted: bool| {
        let facts = facts.iter().filter(|fact| is_wanted(fact.number) == wanted);
        let (known, free): (Vec<&Fact>, Vec<&Fact>) = facts.partition(|fact| fact.constant.is_some());
        known.len() + free.len()
    };
    let (wanted, others) = (count(true), count(false));
    if wanted == 0 || others == 0 || wanted.min(others) > TESTS {
        return None;
    }
    Some((wanted.min(others), wanted <= others))
}
