//! Evaluation of type-level code: types, requests and lookups at module level.
//!
//! Post-order with an explicit stack: an instruction is settled after what it uses. The value of a request or lookup replaces it at every
//! use at once, and is settled in its place:
//!
//! ```text
//! type_array (specialize %Box, %int), %n   ⇒   settle specialize %Box, %int  ⇒  settle %Box.int   ⇒   type_array %Box.int, %n
//! ```
//!
//! Only hoistable instructions are on the stack. Structs, functions and tables have a place of their own; they are reached and settled later,
//! so a struct may contain pointers to itself.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};

use super::{RequestId, Specializer, State, Unit, names};
use crate::GenericsCode;

/// An instruction on the stack.
#[derive(Clone, Copy)]
struct Frame {
    inst: Inst,
    origin: Option<RequestId>,
    /// True if what it uses was put on the stack.
    opened: bool,
}

impl Specializer<'_> {
    /// Settles an instruction at module level, and returns its value: itself unless it is a request or lookup.
    pub(super) fn settle(&mut self, inst: Inst, origin: Option<RequestId>) -> Result<Inst, Diagnostic> {
        let mut stack = vec![Frame { inst, origin, opened: false }];
        while let Some(mut frame) = stack.pop() {
            frame.inst = self.module.resolve(frame.inst);
            let state = self.state(frame.inst);
            let is_local = self.module.parent(frame.inst) != Some(self.module.root());
            if is_local || state == State::Settled || state == State::Open && !frame.opened {
                continue;
            }
            if !self.module.op(frame.inst).is_hoistable() {
                self.reach_part(frame);
            } else if !frame.opened {
                self.open(frame, &mut stack);
            } else if let Some(next) = self.evaluate(frame)? {
                self.set_state(frame.inst, State::Unseen);
                stack.push(next);
            } else {
                self.set_state(frame.inst, State::Settled);
            }
        }
        Ok(self.value(inst))
    }

    /// Puts what an instruction uses on the stack, above the instruction.
    fn open(&mut self, frame: Frame, stack: &mut Vec<Frame>) {
        self.set_state(frame.inst, State::Open);
        stack.push(Frame { opened: true, ..frame });
        let parts = super::parts_of(self.module, frame.inst).filter(|&part| self.state(part) == State::Unseen);
        let opened = stack.len();
        stack.extend(parts.map(|part| Frame { inst: part, origin: frame.origin, opened: false }));
        stack[opened..].reverse();
    }

    /// Reaches what has a place of its own. Tables and generics are not needed where a request or a lookup names them.
    fn reach_part(&mut self, frame: Frame) {
        if !matches!(self.module.op(frame.inst), Op::WitnessTable | Op::Generic | Op::Interface) {
            self.reach(Unit { inst: frame.inst, origin: frame.origin });
        }
    }

    /// Replaces a request or lookup by its value, and returns that to be settled; none for any other instruction.
    fn evaluate(&mut self, frame: Frame) -> Result<Option<Frame>, Diagnostic> {
        let Frame { inst, mut origin, .. } = frame;
        let known = self.values.get(&inst).copied();
        let value = match (self.module.op(inst), known) {
            (Op::Specialize | Op::LookupWitness, Some(value)) => value,
            (Op::Specialize, None) => {
                let id = self.request(inst, origin)?;
                origin = Some(id);
                self.expand(id)?
            }
            (Op::LookupWitness, None) => self.lookup(inst, origin)?,
            _ => return Ok(None),
        };
        if known.is_none() {
            if self.value(value) == inst {
                let text = format!("{} is defined by itself", names::part(self.module, inst));
                return Err(self.error(GenericsCode::Cycle, inst, origin, text));
            }
            self.values.insert(inst, value);
        }
        self.module.edit().replace_all_uses(inst, value);
        Ok(Some(Frame { inst: value, origin, opened: false }))
    }

    /// The current value of an instruction.
    fn value(&self, inst: Inst) -> Inst {
        let mut current = self.module.resolve(inst);
        while let Some(&value) = self.values.get(&current) {
            current = self.module.resolve(value);
        }
        current
    }

    /// The entry of a table.
    fn lookup(&mut self, inst: Inst, origin: Option<RequestId>) -> Result<Inst, Diagnostic> {
        let malformed = |this: &Self, what: &str| {
            let text = format!("{} {what}", names::part(this.module, inst));
            Err(this.error(GenericsCode::Malformed, inst, origin, text))
        };
        let Some(lookup) = view::LookupWitness::of(self.module, inst) else {
            return malformed(self, "has no witness and requirement");
        };
        if self.module.op(lookup.witness) != Op::WitnessTable {
            return malformed(self, "is not in a witness table");
        }
        let entries: Vec<Inst> = self.module.operands(lookup.witness).collect();
        let entry = entries.chunks_exact(2).find(|entry| entry[0] == lookup.requirement);
        match entry {
            Some(entry) => Ok(entry[1]),
            None if entries.is_empty() => {
                let table = names::part(self.module, lookup.witness);
                let text = format!("the witness table {table} is declared here and has no entries");
                Err(self.error(GenericsCode::Open, lookup.witness, origin, text))
            }
            None => malformed(self, "is not in the witness table"),
        }
    }
}
