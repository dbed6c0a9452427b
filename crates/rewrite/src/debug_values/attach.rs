//! Records become instructions again.
//!
//! Each record is placed before its anchor. Its value must be computed on every path to it. Otherwise the record states `undef`, so that
//! the previous value no longer holds. If the value is computed later in the block, and no other record of the variable is between, the
//! record is repeated after the value.

use reconverge_analysis::FlowGraph;
use reconverge_graph::{DominatorTree, Node};
use reconverge_ir::debug_info::{DebugSet, number, operand, operand_of};
use reconverge_ir::debug_records::{DebugRecord, RecordId, RecordKind, RecordLocation};
use reconverge_ir::view::ExtInst;
use reconverge_ir::{Builder, Function, Inst, Location, Module, Op, Position};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{described, first_anchor, function_of, write_global, write_none};
use crate::undef::Undefs;

/// Writes the debug information of values into the code again. Does nothing in a module without debug information.
pub fn attach(module: &mut Module) {
    if module.debug_records().is_empty() {
        return;
    }
    let all: Vec<(RecordId, DebugRecord)> = module.debug_records().iter().collect();
    for &(id, record) in &all {
        if let RecordKind::Global(slot) = record.kind {
            attach_global(module, id, record, slot);
        }
    }
    let having: FxHashSet<Function> = all.iter().filter_map(|(_, record)| function_of(module, record)).collect();
    let functions: Vec<Function> = module.all_functions().filter(|function| having.contains(function)).collect();
    let mut writer = Writer { module, undefs: Undefs::default(), expressions: FxHashMap::default() };
    functions.into_iter().for_each(|function| writer.attach_function(function));
    let left: Vec<RecordId> = writer.module.debug_records().iter().map(|(id, _)| id).collect();
    left.into_iter().for_each(|id| writer.module.edit().remove_record(id));
}

fn attach_global(module: &mut Module, id: RecordId, record: DebugRecord, slot: usize) {
    let Some(ExtInst { set, .. }) = ExtInst::of(module, record.inst) else { return };
    module.edit().take_record(id);
    let value = match record.value {
        Some(value) => value,
        None => write_none(module, record.inst, set),
    };
    module.edit().set_operand(record.inst, slot, value);
}

/// The content of the instruction that replaces a record.
#[derive(Clone, Copy)]
enum Said {
    /// The value that the record names.
    Named,
    /// `undef`: the value is unknown.
    Nothing,
    /// `undef`, in a copy: the record itself is written later in the block.
    NothingYet,
}

/// Records with their contents, by the instruction that they are written before.
type Lines = FxHashMap<Inst, SmallVec<[(RecordId, DebugRecord, Said); 2]>>;

/// A variable of the source, and the part of it.
type Subject = (Option<Inst>, Option<Inst>);

fn subject(module: &Module, record: &DebugRecord) -> Subject {
    (operand_of(module, record.inst, operand::LOCAL_VARIABLE), record.part)
}

/// Returns whether a statement about one part of a variable also concerns another part. Parts are not distinguished further.
fn overlap(left: Subject, right: Subject) -> bool {
    left.0 == right.0 && (left.1 == right.1 || left.1.is_none() || right.1.is_none())
}

/// The positions where the values of records are computed.
struct Places {
    flow: FlowGraph,
    dominators: DominatorTree,
    /// The block, and the index in it.
    of: FxHashMap<Inst, (Node, usize)>,
}

impl Places {
    fn compute(module: &Module, function: Function) -> Places {
        let flow = FlowGraph::compute(module, function);
        let (_, dominators) = flow.dominators();
        let mut of = FxHashMap::default();
        for node in flow.graph().nodes() {
            for (number, inst) in module.children(flow.block(node)).enumerate() {
                if module.debug_records().of(inst).next().is_some() {
                    of.insert(inst, (node, number));
                }
            }
        }
        Places { flow, dominators, of }
    }
}

/// The position of a value relative to a record.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Computed {
    Before,
    /// Later in the block.
    Later,
    /// Not on every path.
    Elsewhere,
}

/// The planning of one function.
struct Planner<'a> {
    module: &'a Module,
    places: Places,
    lines: Lines,
    /// The variables with a known value somewhere.
    known: FxHashSet<Option<Inst>>,
}

impl Planner<'_> {
    fn computed(&self, value: Inst, at: (Node, usize)) -> Computed {
        let module = self.module;
        let Some(parent) = module.parent(value) else { return Computed::Elsewhere };
        if module.op(parent) == Op::Module || module.cast::<Function>(parent).is_some() {
            let is_own = parent == module.root() || Some(parent) == module.parent(self.places.flow.block(at.0));
            return if is_own { Computed::Before } else { Computed::Elsewhere };
        }
        match self.places.of.get(&value) {
            Some(&(node, number)) if node == at.0 => {
                if number < at.1 {
                    Computed::Before
                } else {
                    Computed::Later
                }
            }
            Some(&(node, _)) if self.places.dominators.strictly_dominates(node, at.0) => Computed::Before,
            _ => Computed::Elsewhere,
        }
    }

    fn plan(mut self) -> (Lines, FxHashSet<Option<Inst>>) {
        for node in self.places.flow.graph().nodes() {
            self.plan_block(node);
        }
        (self.lines, self.known)
    }

    fn plan_block(&mut self, node: Node) {
        let block = self.places.flow.block(node);
        let module = self.module;
        let last = module.last_child(block);
        // Records of values that are computed later in the block.
        let mut late: Vec<(RecordId, DebugRecord)> = Vec::new();
        let mut previous = None;
        for (number, inst) in module.children(block).enumerate() {
            let is_free = !matches!(module.op(inst), Op::Variable | Op::BlockParameter);
            if is_free {
                let due = late.iter().filter(|(_, record)| record.value == previous).copied().collect::<Vec<_>>();
                late.retain(|(_, record)| record.value != previous);
                due.into_iter().for_each(|(id, record)| self.say(inst, id, record, Said::Named));
            }
            let own = module.debug_records().at(inst);
            let at_end = (Some(inst) == last).then(|| module.debug_records().at(block)).into_iter().flatten();
            for (id, record) in own.chain(at_end) {
                let about = subject(module, &record);
                late.retain(|(_, other)| !overlap(subject(module, other), about));
                let computed = record.value.map(|value| self.computed(value, (node, number)));
                match (record.kind, computed) {
                    (RecordKind::Plain, _) | (_, Some(Computed::Before)) => self.say(inst, id, record, Said::Named),
                    (RecordKind::Value, Some(Computed::Later)) => {
                        late.push((id, record));
                        self.say(inst, id, record, Said::NothingYet);
                    }
                    (RecordKind::Value, _) => self.say(inst, id, record, Said::Nothing),
                    _ => {}
                }
            }
            previous = Some(inst);
        }
    }

    fn say(&mut self, before: Inst, id: RecordId, record: DebugRecord, said: Said) {
        if matches!(said, Said::Named) {
            self.known.insert(subject(self.module, &record).0);
        }
        self.lines.entry(before).or_default().push((id, record, said));
    }
}

/// The writing of records.
struct Writer<'m> {
    module: &'m mut Module,
    undefs: Undefs,
    /// The expression for an address, by the original expression.
    expressions: FxHashMap<Inst, Option<Inst>>,
}

impl Writer<'_> {
    fn attach_function(&mut self, function: Function) {
        let places = Places::compute(self.module, function);
        let blocks: Vec<_> = places.flow.graph().nodes().map(|node| places.flow.block(node)).collect();
        let planner = Planner { module: self.module, places, lines: Lines::default(), known: FxHashSet::default() };
        let (mut lines, known) = planner.plan();
        self.define(function, &mut lines);
        for block in blocks {
            let inside: Vec<Inst> = self.module.children(block).collect();
            let mut location = None;
            let mut unknown: Vec<Subject> = Vec::new();
            for inst in inside {
                for (id, record, said) in self.worth_saying(lines.remove(&inst), &known, &mut unknown) {
                    self.write(inst, (id, record), said, &mut location);
                }
                location = self.module.explicit_location(inst).or(location);
            }
        }
    }

    /// The definitions of a function are in its entry block, whichever block that is now.
    fn define(&mut self, function: Function, lines: &mut Lines) {
        let Some(entry) = self.module.entry(function) else { return };
        let anchor = first_anchor(self.module, entry);
        let definitions = self.module.debug_records().at(function).map(|(id, record)| (id, record, Said::Named));
        let mut all: SmallVec<[(RecordId, DebugRecord, Said); 2]> = definitions.collect();
        all.extend(lines.remove(&anchor).unwrap_or_default());
        lines.insert(anchor, all);
    }

    /// Removes records without information: those that state `undef` for a variable that never has a value, or a second time.
    fn worth_saying(
        &self,
        said: Option<SmallVec<[(RecordId, DebugRecord, Said); 2]>>,
        known: &FxHashSet<Option<Inst>>,
        unknown: &mut Vec<Subject>,
    ) -> Vec<(RecordId, DebugRecord, Said)> {
        let mut kept = Vec::new();
        for (id, record, said) in said.into_iter().flatten() {
            let about = subject(self.module, &record);
            let is_news = match said {
                Said::Named => {
                    unknown.retain(|&other| !overlap(other, about));
                    true
                }
                _ if !known.contains(&about.0) => false,
                _ if unknown.contains(&about) => false,
                _ => {
                    unknown.push(about);
                    true
                }
            };
            if is_news {
                kept.push((id, record, said));
            }
        }
        kept
    }

    /// Writes a record before an instruction. `location` is the source location before it, and then after it.
    fn write(
        &mut self,
        before: Inst,
        (id, record): (RecordId, DebugRecord),
        said: Said,
        location: &mut Option<Location>,
    ) {
        let (id, record) = match said {
            Said::NothingYet => {
                let id = self.module.edit().copy_record(DebugRecord { value: None, ..record });
                (id, self.module.debug_records().record(id).unwrap_or(record))
            }
            _ => (id, record),
        };
        let value = match record.kind {
            RecordKind::Definition => record.anchor,
            _ => record.value.filter(|_| matches!(said, Said::Named)),
        };
        self.module.edit().take_record(id);
        let Some(inst) = self.written(record, value) else { return };
        let held = location.unwrap_or(Location::NONE);
        let own = self.module.explicit_location(inst);
        let after = self.module.explicit_location(before);
        match (own, after) {
            // The next instruction has the location of the record.
            (Some(own), Some(after)) if record.location == RecordLocation::Lent && own == after => {
                self.module.edit().set_location(before, None);
            }
            (Some(own), None) if own != held => self.module.edit().set_location(before, Some(held)),
            _ => {}
        }
        *location = own.or(*location);
        self.module.edit().move_to(inst, Position::Before(before));
    }

    /// The instruction of a record, with its value; `None` if there is no such instruction.
    fn written(&mut self, record: DebugRecord, value: Option<Inst>) -> Option<Inst> {
        let inst = record.inst;
        let (set, instruction) = DebugSet::of_inst(self.module, inst)?;
        let is_storage = |op: Op| matches!(op, Op::Variable | Op::FunctionParameter);
        let is_address = record.kind == RecordKind::Declare
            && (record.part.is_some() || !value.is_some_and(|value| is_storage(self.module.op(value))));
        if record.kind == RecordKind::Plain {
            return Some(inst);
        }
        let value = match value {
            Some(value) => value,
            None => {
                let ty = record.ty.filter(|&ty| self.module.is_live(ty));
                let ty = ty.unwrap_or_else(|| Builder::new(self.module).int_type(32));
                self.undefs.undef(self.module, ty)
            }
        };
        let index = described(set, instruction)?;
        self.module.edit().set_operand(inst, ExtInst::SLOT.operands + index, value);
        if is_address && !self.dereference(inst) {
            self.module.edit().delete(inst);
            return None;
        }
        if let Some(part) = record.part {
            let words: Vec<u32> = self.module.literal_words(part).to_vec();
            let mut operands: Vec<Inst> = self.module.operands(inst).collect();
            let mut build = Builder::new(self.module);
            let ty = build.int_type(32);
            operands.extend(words.into_iter().map(|word| {
                let word = build.editor().word(word);
                build.editor().unique(Op::Constant, Some(ty), &[word])
            }));
            self.module.edit().set_operands(inst, &operands);
        }
        Some(inst)
    }

    /// Turns a declaration into the value at its address. Returns whether that is possible.
    fn dereference(&mut self, inst: Inst) -> bool {
        let Some(expression) = operand_of(self.module, inst, operand::VALUE_EXPRESSION) else { return false };
        let led_to = match self.expressions.get(&expression) {
            Some(&known) => known,
            None => self.dereferenced(expression),
        };
        self.expressions.insert(expression, led_to);
        let Some(led_to) = led_to else { return false };
        let mut editor = self.module.edit();
        let word = editor.word(number::VALUE);
        editor.set_operand(inst, ExtInst::SLOT.instruction, word);
        editor.set_operand(inst, ExtInst::SLOT.operands + operand::VALUE_EXPRESSION, led_to);
        true
    }

    /// An expression for the memory at an address.
    fn dereferenced(&mut self, expression: Inst) -> Option<Inst> {
        let ty = self.module.ty(expression);
        let ExtInst { set, operands: steps, .. } = ExtInst::of(self.module, expression)?;
        let steps: Vec<Inst> = steps.iter().collect();
        let kind = DebugSet::of_import(self.module, set)?;
        let mut build = Builder::new(self.module);
        let mut code = build.editor().word(DEREFERENCE);
        if kind == DebugSet::Constants {
            let int = build.int_type(32);
            code = build.editor().unique(Op::Constant, Some(int), &[code]);
        }
        let [operation, wanted] = [number::OPERATION, number::EXPRESSION].map(|word| build.editor().word(word));
        let step = write_global(self.module, ty, &[set, operation, code]);
        let operands: Vec<Inst> = [set, wanted, step].into_iter().chain(steps).collect();
        Some(write_global(self.module, ty, &operands))
    }
}

/// `Deref`, a step of an expression: the value is an address, and the memory there is meant.
const DEREFERENCE: u32 = 0;
