//! Debug records: what variables of the source hold, beside the code instead of in it.
//!
//! ```text
//! %v = i_add %a, %b                             %v = i_add %a, %b
//! %1 = DebugValue %x %v %e               ⇒      store %p, %v        ── record: %x is %v from here on
//! store %p, %v
//! ```
//!
//! A record is an instruction of debug information that is not placed: it is attached before an instruction of a block, its *anchor*, or at
//! the end of a block that has no terminator yet. The value that it names is not an operand of it, so that it is no use of that value: no
//! pass sees records, counts them, or keeps a value for them. (LLVM made the same change, from intrinsics to debug records.)
//!
//! The editor keeps records up to date:
//!
//! | edit | records before an instruction | records of a value |
//! |---|---|---|
//! | `move_to` | go with it: blocks are split and merged so | |
//! | `move_value`, `detach`, `delete` | stay: the next instruction is their anchor | name nothing if it is deleted |
//! | `replace_all_uses`, `merge_into` | | name the new value |
//! | `copy` | are copied | copies name copies |
//!
//! *Invariant*: an anchor is a live instruction of a block, or a live block; what a record names is live. A block that is deleted takes its
//! records along.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{Block, Copies, Editor, Inst, Module, Op, Position};

/// A record, by number; numbers are never given twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RecordId(u32);

/// The kind of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordKind {
    /// The value is the memory of a variable of the source (`DebugDeclare`).
    Declare,
    /// The value is that of a variable of the source from here on (`DebugValue`).
    Value,
    /// The value is the function that contains the record (`DebugFunctionDefinition`).
    Definition,
    /// Nothing about a value.
    Plain,
    /// The instruction is at module level, and one of its operands names what it describes: the number of the operand.
    Global(usize),
}

/// A record.
#[derive(Clone, Copy, Debug)]
pub struct DebugRecord {
    /// The extended instruction. It is not placed, unless the record is a global one, and its set takes the place of the value among its
    /// operands.
    pub inst: Inst,
    /// The kind.
    pub kind: RecordKind,
    /// The value that it names; `None` if it is not known, or no longer exists.
    pub value: Option<Inst>,
    /// The type of the value.
    pub ty: Option<Inst>,
    /// The part of the variable that it is about, as a literal of the indexes that lead there; the whole variable, if there is none.
    pub part: Option<Inst>,
    /// The instruction before which it is attached, the block at whose end it is attached, or the function that it describes; `None` for a
    /// global one.
    pub anchor: Option<Inst>,
    /// The source of the record's location: its own, or that of the instruction after it, which has it only because of the record.
    pub location: RecordLocation,
}

/// The source of a record's location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordLocation {
    /// From the instructions before it.
    Inherited,
    /// It is its own.
    Own,
    /// It is its own, and the instruction after it got it while the record is not placed.
    Lent,
}

type RecordIds = SmallVec<[RecordId; 2]>;

/// The records of a module.
#[derive(Clone, Debug, Default)]
pub struct DebugRecords {
    all: Vec<Option<DebugRecord>>,
    /// By anchor, in order.
    at: FxHashMap<Inst, RecordIds>,
    /// By value, in no order.
    of: FxHashMap<Inst, RecordIds>,
    /// By the instruction.
    by_inst: FxHashMap<Inst, RecordId>,
}

impl DebugRecords {
    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.by_inst.is_empty()
    }

    /// The records before an instruction, or at the end of a block without terminator, in order.
    pub fn at(&self, anchor: impl Into<Inst>) -> impl Iterator<Item = (RecordId, DebugRecord)> + '_ {
        self.listed(self.at.get(&anchor.into()))
    }

    /// The records that name a value.
    pub fn of(&self, value: Inst) -> impl Iterator<Item = (RecordId, DebugRecord)> + '_ {
        self.listed(self.of.get(&value))
    }

    /// A record.
    pub fn record(&self, id: RecordId) -> Option<DebugRecord> {
        self.all[id.0 as usize]
    }

    /// All records, in the order of their creation.
    pub fn iter(&self) -> impl Iterator<Item = (RecordId, DebugRecord)> + '_ {
        let all = self.all.iter().zip(0..);
        all.filter_map(|(record, number)| record.map(|record| (RecordId(number), record)))
    }

    fn listed<'r>(&'r self, ids: Option<&'r RecordIds>) -> impl Iterator<Item = (RecordId, DebugRecord)> + 'r {
        ids.into_iter().flatten().filter_map(|&id| self.all[id.0 as usize].map(|record| (id, record)))
    }

    fn unlist(table: &mut FxHashMap<Inst, RecordIds>, key: Option<Inst>, id: RecordId) {
        let Some(list) = key.and_then(|key| table.get_mut(&key)) else { return };
        list.retain(|other| *other != id);
        if list.is_empty() {
            key.and_then(|key| table.remove(&key));
        }
    }

    fn remove(&mut self, id: RecordId) -> Option<DebugRecord> {
        let record = self.all[id.0 as usize].take()?;
        Self::unlist(&mut self.at, record.anchor, id);
        Self::unlist(&mut self.of, record.value, id);
        self.by_inst.remove(&record.inst);
        Some(record)
    }

    fn set_value(&mut self, id: RecordId, value: Option<Inst>) {
        let Some(record) = &mut self.all[id.0 as usize] else { return };
        let before = std::mem::replace(&mut record.value, value);
        Self::unlist(&mut self.of, before, id);
        value.into_iter().for_each(|value| self.of.entry(value).or_default().push(id));
    }

    /// Lets the records of one value name another one, or nothing.
    pub(crate) fn rename(&mut self, old: Inst, new: Option<Inst>) {
        if self.of.is_empty() {
            return;
        }
        let Some(ids) = self.of.remove(&old) else { return };
        for &id in &ids {
            if let Some(record) = &mut self.all[id.0 as usize] {
                record.value = new;
            }
        }
        new.into_iter().for_each(|new| self.of.entry(new).or_default().extend_from_slice(&ids));
    }

    /// Moves the records of an anchor to another one, before those that it has.
    fn hand_on(&mut self, from: Inst, to: Inst) {
        let Some(mut ids) = self.at.remove(&from) else { return };
        for &id in &ids {
            if let Some(record) = &mut self.all[id.0 as usize] {
                record.anchor = Some(to);
            }
        }
        let own = self.at.remove(&to).unwrap_or_default();
        ids.extend(own);
        self.at.insert(to, ids);
    }

    /// Removes what an instruction takes along that is deleted with its parent. The instructions of these records, which are in no list of
    /// children.
    fn bury(&mut self, inst: Inst) -> SmallVec<[Inst; 2]> {
        let ids = self.at.get(&inst).cloned().unwrap_or_default();
        let buried = ids.into_iter().filter_map(|id| self.remove(id));
        let insts = buried.filter(|record| !matches!(record.kind, RecordKind::Global(_))).map(|record| record.inst);
        let insts = insts.collect();
        self.forget(inst);
        insts
    }

    /// Removes the records of an instruction that is deleted, except those attached before it.
    fn forget(&mut self, inst: Inst) {
        self.rename(inst, None);
        if let Some(&id) = self.by_inst.get(&inst) {
            self.remove(id);
        }
    }
}

impl Module {
    /// The debug records. There are some only while passes run.
    pub fn debug_records(&self) -> &DebugRecords {
        &self.records
    }
}

impl Editor<'_> {
    /// Adds a record after those that its anchor has.
    pub fn add_record(&mut self, record: DebugRecord) -> RecordId {
        let records = &mut self.module.records;
        let id = RecordId(records.all.len() as u32);
        record.anchor.into_iter().for_each(|anchor| records.at.entry(anchor).or_default().push(id));
        record.value.into_iter().for_each(|value| records.of.entry(value).or_default().push(id));
        records.by_inst.insert(record.inst, id);
        records.all.push(Some(record));
        id
    }

    /// Adds a record with a copy of its instruction, at the same source location.
    pub fn copy_record(&mut self, record: DebugRecord) -> RecordId {
        let inst = self.copied_record_inst(record.inst);
        if let Some(location) = self.module.explicit_location(record.inst) {
            self.set_location(inst, Some(location));
        }
        let location = if record.location == RecordLocation::Inherited { record.location } else { RecordLocation::Own };
        self.add_record(DebugRecord { inst, location, ..record })
    }

    fn copied_record_inst(&mut self, inst: Inst) -> Inst {
        let (op, ty) = (self.module.op(inst), self.module.ty(inst));
        let operands: SmallVec<[Inst; 8]> = self.module.operands(inst).collect();
        self.create_raw(None, op, ty, &operands)
    }

    /// Lets a record name another value, or nothing.
    pub fn set_record_value(&mut self, id: RecordId, value: Option<Inst>) {
        self.module.records.set_value(id, value);
    }

    /// Removes a record with its instruction, which is deleted unless it is at module level.
    pub fn remove_record(&mut self, id: RecordId) {
        if let Some(record) = self.module.records.remove(id)
            && !matches!(record.kind, RecordKind::Global(_))
        {
            self.delete(record.inst);
        }
    }

    /// Lets a record say something else.
    pub fn set_record_kind(&mut self, id: RecordId, kind: RecordKind) {
        if let Some(record) = &mut self.module.records.all[id.0 as usize] {
            record.kind = kind;
        }
    }

    /// Sets the type of what a record names.
    pub fn set_record_type(&mut self, id: RecordId, ty: Inst) {
        if let Some(record) = &mut self.module.records.all[id.0 as usize] {
            record.ty = Some(ty);
        }
    }

    /// Takes a record out of the table and leaves its instruction as it is.
    pub fn take_record(&mut self, id: RecordId) -> Option<DebugRecord> {
        self.module.records.remove(id)
    }

    /// Lets the records of a value name another one. [`Editor::replace_all_uses`] does it, too.
    pub fn rename_in_records(&mut self, old: Inst, new: Inst) {
        self.module.records.rename(old, Some(new));
    }

    /// Moves the records before an instruction to another one, before those that it has.
    pub fn hand_on_records(&mut self, from: impl Into<Inst>, to: impl Into<Inst>) {
        self.module.records.hand_on(from.into(), to.into());
    }

    /// As [`Editor::move_to`], for an instruction that moves alone, as code motion does: the records before it stay where they are.
    pub fn move_value(&mut self, inst: impl Into<Inst>, position: Position) {
        let inst = inst.into();
        self.leave_records(inst);
        self.move_to(inst, position);
    }

    /// Leaves the records before an instruction to the next one, or to the end of the block.
    pub(crate) fn leave_records(&mut self, inst: Inst) {
        if self.module.records.at.contains_key(&inst)
            && let Some(block) = self.module.block_of(inst)
        {
            let next = self.module.next(inst).unwrap_or(block.into());
            self.module.records.hand_on(inst, next);
        }
    }

    /// Gives what is left at the end of a block to the instruction that is there now.
    pub(crate) fn adopt_records(&mut self, parent: Inst, last: Inst) {
        let has_records = self.module.records.at.contains_key(&parent);
        if has_records && self.module.cast::<Block>(parent).is_some() && self.module.op(last) != Op::BlockParameter {
            self.module.records.hand_on(parent, last);
        }
    }

    /// Drops what is known of an instruction that is deleted, except the records before it, which were left to the next one.
    pub(crate) fn forget_records(&mut self, inst: Inst) {
        if !self.module.records.is_empty() {
            self.module.records.forget(inst);
        }
    }

    /// Drops what is known of an instruction that is deleted with its parent, or that is a container. The instructions of the records that it
    /// takes along: to be deleted, too.
    pub(crate) fn bury_records(&mut self, inst: Inst) -> SmallVec<[Inst; 2]> {
        match self.module.records.is_empty() {
            true => SmallVec::new(),
            false => self.module.records.bury(inst),
        }
    }

    /// Copies the records of copied instructions.
    pub(crate) fn copy_records(&mut self, originals: &[Inst], copies: &mut Copies) {
        for &original in originals {
            let records: SmallVec<[DebugRecord; 2]> =
                self.module.records.at(original).map(|(_, record)| record).collect();
            for record in records {
                let value = record.value.map(|value| copies.image(value));
                let id = self.copy_record(DebugRecord { value, anchor: Some(copies.image(original)), ..record });
                let made = self.module.records.record(id).map(|record| record.inst);
                copies.set(record.inst, made.expect("invariant: the record was just made"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Builder;

    /// A function `a + a; a * a; return`, with a record of the sum before the product. The block, the sum, the product, the record.
    fn program() -> (Module, Block, [Inst; 2], RecordId) {
        let mut module = Module::new();
        let mut build = Builder::new(&mut module);
        let int = build.int_type(32);
        let function = build.add_function(int, &[int]);
        let entry = build.add_block(function);
        let parameter = build.module().parameters(function).next().unwrap().inst();
        build.at_end(entry);
        let sum = build.i_add(int, &[parameter, parameter]);
        let product = build.i_mul(int, &[parameter, parameter]);
        build.return_value(&[product]);
        let mut editor = module.edit();
        let inst = editor.create_raw(None, Op::ExtInst, Some(int), &[]);
        let id = editor.add_record(DebugRecord {
            inst,
            kind: RecordKind::Value,
            value: Some(sum),
            ty: Some(int),
            part: None,
            anchor: Some(product),
            location: RecordLocation::Inherited,
        });
        (module, entry, [sum, product], id)
    }

    fn value_of(module: &Module, id: RecordId) -> Option<Inst> {
        module.records.record(id).and_then(|record| record.value)
    }

    fn ids_at(module: &Module, anchor: impl Into<Inst>) -> Vec<RecordId> {
        module.debug_records().at(anchor).map(|(id, _)| id).collect()
    }

    #[test]
    fn a_record_is_no_use_and_names_what_replaces_its_value() {
        let (mut module, _, [sum, product], id) = program();
        assert!(!module.is_used(sum));
        module.edit().replace_all_uses(sum, product);
        assert_eq!(value_of(&module, id), Some(product));
        module.edit().delete(sum);
        assert_eq!(value_of(&module, id), Some(product));
    }

    #[test]
    fn a_record_of_a_deleted_value_names_nothing() {
        let (mut module, _, [sum, product], id) = program();
        module.edit().delete(sum);
        assert_eq!((value_of(&module, id), ids_at(&module, product)), (None, vec![id]));
    }

    #[test]
    fn records_stay_before_what_follows_an_instruction_that_goes() {
        let (mut module, entry, [sum, product], id) = program();
        let last = module.terminator(entry).unwrap().inst();
        module.edit().move_value(product, Position::Before(sum));
        assert_eq!((ids_at(&module, product), ids_at(&module, last)), (vec![], vec![id]));
        module.edit().delete(last);
        assert_eq!(ids_at(&module, entry), [id]);
        let jump = module.edit().append(entry, Op::Unreachable, None, &[]);
        assert_eq!((ids_at(&module, entry), ids_at(&module, jump)), (vec![], vec![id]));
    }

    #[test]
    fn records_go_with_their_instruction_to_another_block_and_away_with_the_block() {
        let (mut module, entry, [_, product], id) = program();
        let other = module.edit().insert(Position::After(entry.into()), Op::Block, None, &[]);
        module.edit().move_to(product, Position::AtEnd(other));
        assert_eq!(ids_at(&module, product), [id]);
        let said = module.debug_records().record(id).map(|record| record.inst).unwrap();
        module.edit().delete(other);
        assert!(module.debug_records().is_empty() && !module.is_live(said));
    }

    #[test]
    fn copies_have_records_of_copies() {
        let (mut module, entry, [sum, product], _) = program();
        let mut copies = Copies::new();
        module.edit().copy(&[entry.into()], &mut copies);
        let copied: Vec<Option<Inst>> =
            module.debug_records().at(copies.image(product)).map(|(_, record)| record.value).collect();
        assert_eq!(copied, [Some(copies.image(sum))]);
        assert_ne!(copies.image(sum), sum);
    }
}
