//! Loads and stores.
//!
//! | memory | load | store |
//! |---|---|---|
//! | only read by the kernel | texture unit: the words at the addresses of all lanes | |
//! | written, lanes with consecutive words, all active | one row by DMA | one row by DMA |
//! | written, lanes with the same address | one word by DMA | lane by lane by DMA |
//! | written, else | lane by lane by DMA | lane by lane by DMA |
//! | private | rows (`rows.rs`) | rows |
//!
//! Parts of a word are loaded with the word and shifted.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, view};
use reconverge_lanes::input_of;
use spirv::StorageClass;

use super::emit::{Emitter, Word};
use super::frame::{Place, PlaceRoot};
use super::memory::Step;
use super::selector::Selector;
use super::value::{ScalarType, Words, one};
use super::values::{Selected, Values};
use crate::machine::{
    AddOp, BranchCondition, Condition, Destination, Inst as MachineInst, Operation, ReadPort, WritePort,
};
use crate::program::Uniform;

/// The memory that a load reads, and whether its address differs between lanes.
#[derive(Clone, Copy)]
enum LoadSource {
    /// Memory that the kernel does not write: a texture unit loads it.
    OnlyRead { is_varying: bool },
    /// Memory that the kernel writes, at one address for all lanes.
    Same,
    /// Memory that the kernel writes.
    Written,
}

impl LoadSource {
    fn of(selector: &Selector<'_>, pointer: Inst) -> LoadSource {
        let is_varying = selector.values.flow.is_varying(pointer);
        match selector.memory.is_only_read(pointer) {
            true => LoadSource::OnlyRead { is_varying },
            false if is_varying => LoadSource::Written,
            false => LoadSource::Same,
        }
    }
}

impl Selector<'_> {
    pub(crate) fn select_variable(&mut self, variable: Inst) -> Result<(), Diagnostic> {
        if self.memory.frame.initialized.contains(&variable) {
            self.initialize(variable)?;
        }
        Ok(())
    }

    /// The place that a pointer is to, if it has no address.
    fn place(&self, pointer: Inst) -> Option<Place> {
        match self.values.get(pointer) {
            Some(Selected::Place(place)) => Some(place.clone()),
            Some(_) => None,
            None => self.memory.frame.place(pointer),
        }
    }

    /// The address of a pointer.
    fn address(&mut self, pointer: Inst) -> Result<Word, Diagnostic> {
        if let Some(offset) = self.memory.frame.local(pointer) {
            let base = self.uniform(Uniform::Local);
            return Ok(self.emit.add(base, Word::Constant(offset)));
        }
        if let Some(offset) = self.memory.frame.table(pointer) {
            let base = self.uniform(Uniform::Data);
            return Ok(self.emit.add(base, Word::Constant(offset)));
        }
        self.word(pointer)
    }

    pub(crate) fn select_access_chain(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        if !matches!(self.values.module.op(inst), Op::AccessChain | Op::InBoundsAccessChain) {
            return Err(self.values.unsupported(inst, "an access chain from an element"));
        }
        if input_of(self.values.module, inst).is_some() && self.values.is_input(inst) {
            return Ok(());
        }
        let mut operands = self.values.module.operands(inst);
        let base = operands.next().ok_or_else(|| self.values.unsupported(inst, "an access chain without a base"))?;
        let indexes: Vec<Inst> = operands.collect();
        let mut ty = self
            .values
            .module
            .pointee(base)
            .ok_or_else(|| self.values.unsupported(inst, "an access chain of this type"))?;
        let (mut constant, mut offset, mut is_varying) = (0_u32, None, false);
        for &index in &indexes {
            let (part, step) = self.memory.step(&self.values, ty, index, inst)?;
            ty = part;
            match step {
                Step::Constant(bytes) => constant = constant.wrapping_add(bytes),
                Step::Scaled(stride) => {
                    let word = self.word(index)?;
                    let bound = self.values.bound(index);
                    let scaled = self.emit.product((word, bound), (Word::Constant(stride), stride));
                    is_varying |= self.values.flow.is_varying(index);
                    offset = Some(match offset {
                        None => scaled,
                        Some(before) => self.emit.add(before, scaled),
                    });
                }
            }
        }
        let selected = match self.place(base) {
            Some(mut place) => {
                place.displacement = place.displacement.wrapping_add(constant);
                place.is_varying |= is_varying;
                place.offset = match (place.offset, offset) {
                    (Some(before), Some(offset)) => Some(self.emit.add(before, offset)),
                    (before, offset) => before.or(offset),
                };
                Selected::Place(place)
            }
            None => {
                let base = self.address(base)?;
                let sum = self.emit.add(base, offset.unwrap_or(Word::Constant(0)));
                Selected::Words(one(self.emit.add(sum, Word::Constant(constant))))
            }
        };
        self.values.set(inst, selected);
        Ok(())
    }

    /// Loads a scalar.
    pub(crate) fn select_load(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let pointer = view::Load::of(self.values.module, inst).map(|load| load.pointer);
        let pointer = pointer.ok_or_else(|| self.values.unsupported(inst, "a load without a pointer"))?;
        if self.values.is_input(pointer)
            && let Some((built_in, component)) = input_of(self.values.module, pointer)
        {
            return self.select_input(inst, built_in, component);
        }
        let ty = self.values.scalar_type(inst)?;
        let words = match self.place(pointer) {
            Some(place) if place.root == PlaceRoot::PushConstants => self.load_argument(&place, ty, inst)?,
            Some(place) => self.load_private(&place, ty, inst)?,
            None => self.load_memory(pointer, ty)?,
        };
        let words = self.emit.in_registers(ty, words);
        self.values.set(inst, words);
        Ok(())
    }

    fn load_argument(&mut self, place: &Place, ty: ScalarType, at: Inst) -> Result<Words, Diagnostic> {
        if place.offset.is_some() {
            return Err(self.values.unsupported(at, "a push constant with an index that is not constant"));
        }
        let offset = place.displacement;
        let words = self.argument(offset & !3, ty.words(), at)?;
        Ok(match ty.bytes() {
            bytes @ (1 | 2) => {
                let word = self.emit.shift(AddOp::Shr, words[0], (offset & 3) * 8);
                one(self.emit.zero_extended(word, bytes * 8))
            }
            _ => words,
        })
    }

    fn load_memory(&mut self, pointer: Inst, ty: ScalarType) -> Result<Words, Diagnostic> {
        let address = self.address(pointer)?;
        let source = LoadSource::of(self, pointer);
        match ty.bytes() {
            bytes @ (1 | 2) => {
                let aligned = self.emit.and(address, Word::Constant(!3));
                let word = self.load_words(aligned, source, None)?;
                let amount = self.emit.shift(AddOp::Shl, address, 3);
                let shifted = self.emit.binary(AddOp::Shr, word, amount);
                Ok(one(self.emit.zero_extended(shifted, bytes * 8)))
            }
            8 if ty == ScalarType::Pointer => Ok(one(self.load_words(address, source, None)?)),
            8 => {
                let low = self.load_words(address, source, None)?;
                let next = self.emit.add(address, Word::Constant(4));
                let high = self.load_words(next, source, None)?;
                Ok(Words::from_slice(&[low, high]))
            }
            _ => {
                let stride = self.values.flow.values().low_stride(pointer);
                Ok(one(self.load_words(address, source, stride)?))
            }
        }
    }

    /// Loads a word for each active lane.
    fn load_words(&mut self, address: Word, source: LoadSource, stride: Option<u32>) -> Result<Word, Diagnostic> {
        match source {
            LoadSource::OnlyRead { is_varying: true } => {
                let address = self.safe_address(address);
                Ok(self.emit.load_texture(address))
            }
            LoadSource::OnlyRead { is_varying: false } => Ok(self.emit.load_texture(address)),
            LoadSource::Same => self.load_same(address),
            LoadSource::Written => self.load_written(address, stride),
        }
    }

    /// Loads a word for each active lane from memory that the kernel writes.
    pub(crate) fn load_written(&mut self, address: Word, stride: Option<u32>) -> Result<Word, Diagnostic> {
        if stride != Some(4) {
            return self.load_lanes(address);
        }
        if self.emit.is_whole {
            return Ok(self.load_row(address));
        }
        let (slow, done, result) = (self.emit.label(), self.emit.label(), self.emit.register());
        let address = Word::Register(self.emit.in_register(address));
        self.emit.test_active();
        self.emit.branch(BranchCondition::Any(Condition::ZeroClear), slow);
        let value = self.load_row(address);
        self.emit.copy(result, value);
        self.emit.jump(done);
        self.emit.place(slow);
        let value = self.load_lanes(address)?;
        self.emit.copy(result, value);
        self.emit.place(done);
        Ok(Word::Register(result))
    }

    /// An address for all lanes: of an inactive one it is that of the data of the program, where it is safe to read.
    fn safe_address(&mut self, address: Word) -> Word {
        if self.emit.is_whole {
            return address;
        }
        let safe = self.uniform(Uniform::Data);
        let clamped = self.emit.copied(safe);
        self.emit.copy_active(clamped, address);
        Word::Register(clamped)
    }

    /// Stores a scalar.
    pub(crate) fn select_store(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let store = view::Store::of(self.values.module, inst).map(|store| (store.pointer, store.object));
        let (pointer, object) = store.ok_or_else(|| self.values.unsupported(inst, "a store without operands"))?;
        let ty = self.values.scalar_type(object)?;
        let mut words = self.value(object)?;
        if ty == ScalarType::Bool {
            words = one(self.emit.and(words[0], Word::Constant(1)));
        }
        match self.place(pointer) {
            Some(place) if place.root == PlaceRoot::PushConstants => {
                Err(self.values.unsupported(inst, "a push constant"))
            }
            Some(place) => self.store_private(&place, ty, &words, inst),
            None => self.store_memory(pointer, ty, &words),
        }
    }

    fn store_memory(&mut self, pointer: Inst, ty: ScalarType, words: &Words) -> Result<(), Diagnostic> {
        let address = self.address(pointer)?;
        match ty.bytes() {
            bytes @ (1 | 2) => self.store_lanes(address, words[0], bytes),
            8 => {
                let next = self.emit.add(address, Word::Constant(4));
                self.store_lanes(address, words[0], 4)?;
                let high = words.get(1).copied().unwrap_or(Word::Constant(0));
                self.store_lanes(next, high, 4)
            }
            _ => self.store_words(address, words[0], self.values.flow.values().low_stride(pointer)),
        }
    }

    pub(crate) fn store_words(&mut self, address: Word, value: Word, stride: Option<u32>) -> Result<(), Diagnostic> {
        if stride != Some(4) {
            return self.store_lanes(address, value, 4);
        }
        if self.emit.is_whole {
            self.store_row(address, value);
            return Ok(());
        }
        let (slow, done) = (self.emit.label(), self.emit.label());
        let (address, value) =
            (Word::Register(self.emit.in_register(address)), Word::Register(self.emit.in_register(value)));
        self.emit.test_active();
        self.emit.branch(BranchCondition::Any(Condition::ZeroClear), slow);
        self.store_row(address, value);
        self.emit.jump(done);
        self.emit.place(slow);
        self.store_lanes(address, value, 4)?;
        self.emit.place(done);
        Ok(())
    }

    /// The address of memory that an atomic operation is on.
    pub(crate) fn atomic_address(&mut self, pointer: Inst) -> Result<Word, Diagnostic> {
        match self.place(pointer) {
            Some(_) => Err(self.values.unsupported(pointer, "an atomic operation on private memory")),
            None => self.address(pointer),
        }
    }
}

impl Values<'_> {
    fn is_input(&self, pointer: Inst) -> bool {
        let ty = self.module.ty(pointer).and_then(|ty| view::TypePointer::of(self.module, ty));
        ty.and_then(|ty| ty.storage_class) == Some(StorageClass::Input)
    }
}

impl Emitter {
    /// A value as it is in registers: a boolean is a byte in memory.
    fn in_registers(&mut self, ty: ScalarType, words: Words) -> Words {
        if ty != ScalarType::Bool {
            return words;
        }
        self.test(words[0]);
        one(self.boolean(Condition::ZeroClear))
    }

    /// Loads through texture unit 0, in inactive lanes too.
    fn load_texture(&mut self, address: Word) -> Word {
        self.write(WritePort::TmuAddress, address);
        self.push(MachineInst::plain(Operation::LoadTmu, Destination::Null));
        self.read(ReadPort::Result)
    }
}
