//! Removes redundant block parameters: those with only one value, unused ones, and those that another parameter of the same block can
//! replace.
//!
//! ```text
//! m(%p, %q, %r)   one edge passes   (%v, %a, undef)        %v dominates m:       %p is %v
//!                 another           (undef, undef, %b)     %q and %r agree:      m(%q)   passed %a, passed %b
//! ```
//!
//! *Requires* that arguments dominate the edges that pass them. *Preserves* every value except undefined ones, which may get any value.
//! *Breaks* nothing.
//!
//! Rounds of three steps, until a round unites nothing (at most `ROUNDS`):
//!
//! 1. **Copies.** Optimistically every parameter is undefined at first. A parameter whose arguments are all one value, undefined, or the
//!    parameter itself is that value. A worklist withdraws values that do not hold, so that groups of parameters that feed only each other
//!    are removed too (Wegman, Zadeck 1991, section 3, with copies in place of constants; for single parameters Braun, Buchwald, Hack,
//!    Leißa, Mallon, Zwinkau 2013, section 3.1). Since `undef` arguments are ignored, the value must strictly dominate the parameter's
//!    block: then the parameter holds the last result of the value.
//! 2. **Dead ones.** A parameter stays only if it reaches a use that is not an argument of a candidate.
//! 3. **Unions.** Two parameters of one block and type whose arguments agree on every edge, or are `undef` on one side, become one.
//!    Equal parameters are a case of it, and so are values for different targets of one dispatch. The first of at most `CLASSES` that
//!    fits is taken (Chaitin 1982 calls it colouring; rows of arguments are the interference).
//!
//! The result is computed on a table and then written: each jump once. Linear in the candidates' arguments and uses: a value is withdrawn
//! at most `CHANGES` times before the parameter is left alone.

use reconverge_analysis::FlowGraph;
use reconverge_graph::{DominatorTree, Node};
use reconverge_ir::{Block, Function, Inst, Module, Op, Terminator, terminator};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::jumps::replace_operands;
use crate::undef::Undefs;

/// The maximum number of rounds. Two or three suffice in practice.
const ROUNDS: usize = 6;
/// The number of united parameters of a block that are compared with the next one.
const CLASSES: usize = 16;
/// The maximum number of values that a parameter may get in turn.
const CHANGES: u8 = 8;

/// Removes those of `candidates` that are redundant. Returns how many were removed.
///
/// Candidates are parameters of blocks of the function; those in blocks that are never reached stay.
pub fn remove_redundant_parameters(module: &mut Module, function: Function, candidates: &[Inst]) -> usize {
    if candidates.is_empty() {
        return 0;
    }
    let flow = FlowGraph::compute(module, function);
    let (_, dominators) = flow.dominators();
    let mut table = CandidateTable::collect(module, &flow, &dominators, candidates);
    for _ in 0..ROUNDS {
        table.find_copies();
        table.find_live();
        if !table.unite() {
            break;
        }
    }
    table.write(module)
}

/// A lattice value, as a number: 0 is undefined, then come the candidates, then all other values.
type LatticeValue = u32;

/// The lattice value of a parameter for which no defined argument is known yet.
const UNDEFINED: LatticeValue = 0;

/// A parameter that may be removed.
struct Candidate {
    parameter: Inst,
    ty: Inst,
    /// The index of its block in [`CandidateTable::places`].
    place: usize,
    /// The argument of each jump to the block.
    row: Vec<LatticeValue>,
    /// The value that the candidate is equal to; its own number if there is none.
    held: LatticeValue,
    /// The number of times that `held` was withdrawn.
    changes: u8,
    is_live: bool,
    /// True if an instruction that is not a candidate uses it.
    is_root: bool,
    /// The candidate of the same block that replaces this one.
    united: Option<usize>,
}

/// A block with candidates.
struct CandidateBlock {
    block: Block,
    node: Node,
    jumps: Vec<Terminator>,
    candidates: std::ops::Range<usize>,
}

struct CandidateTable<'a> {
    flow: &'a FlowGraph,
    dominators: &'a DominatorTree,
    /// In the order of blocks and of parameters in them.
    candidates: Vec<Candidate>,
    places: Vec<CandidateBlock>,
    /// The values with the numbers from 1 upward, candidates first.
    values: Vec<Inst>,
    numbers: FxHashMap<Inst, LatticeValue>,
    /// The block that computes each value that is not a candidate; `None` if the value is available everywhere.
    nodes: Vec<Option<Node>>,
    /// For each candidate, the candidates that it is an argument of.
    fed: Vec<Vec<usize>>,
}

impl<'a> CandidateTable<'a> {
    fn collect(
        module: &Module,
        flow: &'a FlowGraph,
        dominators: &'a DominatorTree,
        candidates: &[Inst],
    ) -> CandidateTable<'a> {
        let mut table = CandidateTable {
            flow,
            dominators,
            candidates: Vec::new(),
            places: Vec::new(),
            values: Vec::new(),
            numbers: FxHashMap::default(),
            nodes: Vec::new(),
            fed: Vec::new(),
        };
        let mut blocks: Vec<(Node, Block)> = Vec::new();
        for &candidate in candidates {
            let Some(block) = module.block_of(candidate) else { continue };
            blocks.extend(flow.find(block).filter(|&node| dominators.is_reachable(node)).map(|node| (node, block)));
        }
        blocks.sort_unstable_by_key(|&(node, _)| dominators.pre(node));
        blocks.dedup();
        let wanted: FxHashSet<Inst> = candidates.iter().copied().collect();
        for (node, block) in blocks {
            let mut jumps: Vec<Terminator> = module.in_edges(block).map(|edge| edge.terminator).collect();
            jumps.sort_unstable();
            let first = table.candidates.len();
            let parameters = module.parameters(block).map(Inst::from).filter(|parameter| wanted.contains(parameter));
            parameters.for_each(|parameter| table.add(module, parameter));
            table.places.push(CandidateBlock { block, node, jumps, candidates: first..table.candidates.len() });
        }
        table.read_rows(module, &wanted);
        table.find_roots(module);
        table
    }

    fn add(&mut self, module: &Module, parameter: Inst) {
        let ty = module.ty(parameter).expect("requires: a parameter has a type");
        self.number(parameter);
        self.candidates.push(Candidate {
            parameter,
            ty,
            place: self.places.len(),
            row: Vec::new(),
            held: UNDEFINED,
            changes: 0,
            is_live: false,
            is_root: false,
            united: None,
        });
    }

    /// Returns the number of a value. A value without one gets the next number.
    fn number(&mut self, value: Inst) -> LatticeValue {
        let fresh = self.values.len() as LatticeValue + 1;
        let number = *self.numbers.entry(value).or_insert(fresh);
        if number == fresh {
            self.values.push(value);
        }
        number
    }

    /// Reads the arguments of each jump.
    fn read_rows(&mut self, module: &Module, wanted: &FxHashSet<Inst>) {
        for place in 0..self.places.len() {
            let parameters: Vec<bool> = module
                .parameters(self.places[place].block)
                .map(|parameter| wanted.contains(&parameter.into()))
                .collect();
            for jump in 0..self.places[place].jumps.len() {
                let jump = self.places[place].jumps[jump];
                let candidates = self.places[place].candidates.start..;
                let arguments = module.operands(jump).skip(first_argument(module, jump));
                let arguments = arguments.zip(&parameters).filter(|&(_, &is_wanted)| is_wanted);
                for (candidate, (argument, _)) in candidates.zip(arguments) {
                    let held = match module.op(argument) {
                        Op::Undef => UNDEFINED,
                        _ => self.number(argument),
                    };
                    self.candidates[candidate].row.push(held);
                }
            }
        }
        for &value in &self.values {
            let block = module.block_of(value);
            self.nodes.push(block.and_then(|block| self.flow.find(block)));
        }
    }

    /// A candidate is a root if it has more uses than occurrences in the rows of candidates.
    fn find_roots(&mut self, module: &Module) {
        let mut passed = vec![0; self.candidates.len()];
        for &argument in self.candidates.iter().flat_map(|candidate| &candidate.row) {
            if let Some(number) = self.candidate(argument) {
                passed[number] += 1;
            }
        }
        for (candidate, passed) in self.candidates.iter_mut().zip(passed) {
            candidate.is_root = module.uses(candidate.parameter).nth(passed).is_some();
        }
    }

    fn candidate(&self, held: LatticeValue) -> Option<usize> {
        let number = (held as usize).checked_sub(1)?;
        (number < self.candidates.len()).then_some(number)
    }

    /// The candidate that replaces a candidate after the unions so far.
    fn representative(&self, mut number: usize) -> usize {
        while let Some(united) = self.candidates[number].united {
            number = united;
        }
        number
    }

    /// The current value of an argument.
    fn resolve(&self, argument: LatticeValue) -> LatticeValue {
        match self.candidate(argument) {
            Some(number) => self.candidates[self.representative(number)].held,
            None => argument,
        }
    }

    /// Step 1: computes the value that every candidate holds.
    fn find_copies(&mut self) {
        self.fed = vec![Vec::new(); self.candidates.len()];
        let mut worklist: Vec<usize> = Vec::new();
        for number in 0..self.candidates.len() {
            self.candidates[number].held = UNDEFINED;
            self.candidates[number].changes = 0;
            if self.candidates[number].united.is_some() {
                continue;
            }
            worklist.push(number);
            for &argument in &self.candidates[number].row {
                if let Some(source) = self.candidate(argument) {
                    let source = self.representative(source);
                    if self.fed[source].last() != Some(&number) {
                        self.fed[source].push(number);
                    }
                }
            }
        }
        worklist.reverse();
        while let Some(number) = worklist.pop() {
            let held = self.evaluate(number);
            let candidate = &mut self.candidates[number];
            if held == candidate.held {
                continue;
            }
            candidate.changes = candidate.changes.saturating_add(1);
            candidate.held = held;
            worklist.extend(&self.fed[number]);
        }
    }

    fn evaluate(&self, number: usize) -> LatticeValue {
        let candidate = &self.candidates[number];
        let itself = number as LatticeValue + 1;
        if candidate.held == itself || candidate.changes > CHANGES {
            return itself;
        }
        let mut only = UNDEFINED;
        for &argument in &candidate.row {
            let held = self.resolve(argument);
            if held == UNDEFINED || held == itself || held == only {
                continue;
            }
            if only != UNDEFINED {
                return itself;
            }
            only = held;
        }
        match only {
            UNDEFINED => UNDEFINED,
            only if self.dominates(only, self.places[candidate.place].node) => only,
            _ => itself,
        }
    }

    /// Returns whether a value is computed before control enters a block, on every path.
    fn dominates(&self, value: LatticeValue, node: Node) -> bool {
        let Some(definition) = self.nodes[value as usize - 1] else { return true };
        definition != node && self.dominators.is_reachable(definition) && self.dominators.dominates(definition, node)
    }

    /// Step 2: finds the candidates that reach an instruction that is not a candidate.
    fn find_live(&mut self) {
        self.candidates.iter_mut().for_each(|candidate| candidate.is_live = false);
        let mut worklist = Vec::new();
        for number in 0..self.candidates.len() {
            if self.candidates[number].is_root {
                worklist.extend(self.candidate(self.candidates[self.representative(number)].held));
            }
        }
        while let Some(number) = worklist.pop() {
            if std::mem::replace(&mut self.candidates[number].is_live, true) {
                continue;
            }
            for &argument in &self.candidates[number].row {
                let source = self.candidate(self.resolve(argument));
                worklist.extend(source.filter(|&source| !self.candidates[source].is_live));
            }
        }
    }

    fn stays(&self, number: usize) -> bool {
        let candidate = &self.candidates[number];
        candidate.united.is_none() && candidate.is_live && candidate.held == number as LatticeValue + 1
    }

    /// Step 3: unites parameters. Returns whether any two were united.
    fn unite(&mut self) -> bool {
        let mut any = false;
        for place in 0..self.places.len() {
            let mut classes: Vec<(usize, Vec<LatticeValue>)> = Vec::new();
            for number in self.places[place].candidates.clone() {
                if !self.stays(number) {
                    continue;
                }
                let row: Vec<LatticeValue> =
                    self.candidates[number].row.iter().map(|&argument| self.resolve(argument)).collect();
                let fitting = classes.iter_mut().rev().take(CLASSES).find(|(class, known)| {
                    self.candidates[*class].ty == self.candidates[number].ty && agree(*class, known, number, &row)
                });
                let Some((class, known)) = fitting else {
                    classes.push((number, row));
                    continue;
                };
                for (known, &argument) in known.iter_mut().zip(&row).filter(|(known, _)| **known == UNDEFINED) {
                    *known = argument;
                }
                self.candidates[number].united = Some(*class);
                self.candidates[*class].is_root |= self.candidates[number].is_root;
                any = true;
            }
            for (class, row) in classes {
                self.candidates[class].row = row;
            }
        }
        any
    }

    /// Writes the jumps first, so that arguments among candidates are not replaced use by use.
    fn write(self, module: &mut Module) -> usize {
        let mut undefs = Undefs::default();
        for place in &self.places {
            self.write_place(module, place, &mut undefs);
        }
        let mut gone = 0;
        for number in 0..self.candidates.len() {
            if self.stays(number) {
                continue;
            }
            gone += 1;
            let Candidate { parameter, ty, .. } = self.candidates[number];
            if module.is_used(parameter) {
                let value = self.value(module, number as LatticeValue + 1, ty, &mut undefs);
                inherit_name(module, parameter, value);
                module.edit().replace_all_uses(parameter, value);
            }
            module.edit().delete(parameter);
        }
        gone
    }

    /// The value that finally replaces a lattice value.
    fn value(&self, module: &mut Module, held: LatticeValue, ty: Inst, undefs: &mut Undefs) -> Inst {
        let held = self.resolve(held);
        let is_gone = self.candidate(held).is_some_and(|number| !self.stays(number));
        match held {
            UNDEFINED => undefs.undef(module, ty),
            _ if is_gone => undefs.undef(module, ty),
            _ => self.values[held as usize - 1],
        }
    }

    fn write_place(&self, module: &mut Module, place: &CandidateBlock, undefs: &mut Undefs) {
        let candidates: Vec<Option<usize>> = module
            .parameters(place.block)
            .map(|parameter| self.numbers.get(&parameter.into()).and_then(|&held| self.candidate(held)))
            .collect();
        for (edge, &jump) in place.jumps.iter().enumerate() {
            let old: Vec<Inst> = module.operands(jump).collect();
            let (named, arguments) = old.split_at(first_argument(module, jump));
            let mut operands = named.to_vec();
            for (&argument, candidate) in arguments.iter().zip(&candidates) {
                match *candidate {
                    None => operands.push(argument),
                    Some(number) if self.stays(number) => {
                        let Candidate { ty, ref row, .. } = self.candidates[number];
                        operands.push(self.value(module, row[edge], ty, undefs));
                    }
                    Some(_) => {}
                }
            }
            if operands != old {
                replace_operands(module, jump, &operands);
            }
        }
    }
}

/// A parameter without a name gets the name of the first one that it replaces.
fn inherit_name(module: &mut Module, parameter: Inst, value: Inst) {
    if module.op(value) == Op::BlockParameter
        && module.name(value).is_none()
        && let Some(name) = module.name(parameter)
    {
        module.edit().set_name(value, &name);
    }
}

/// Returns whether one parameter can replace two: on every edge their arguments are equal, or one of them is undefined.
fn agree(left: usize, left_row: &[LatticeValue], right: usize, right_row: &[LatticeValue]) -> bool {
    let (left, right) = (left as LatticeValue + 1, right as LatticeValue + 1);
    left_row
        .iter()
        .zip(right_row)
        .all(|(&one, &other)| one == other || one == UNDEFINED || other == UNDEFINED || (one == left && other == right))
}

fn first_argument(module: &Module, jump: Terminator) -> usize {
    terminator::first_argument(module.op(jump)).expect("invariant: a block with parameters is entered by jumps alone")
}
