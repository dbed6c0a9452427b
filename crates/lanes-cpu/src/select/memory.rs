//! The memory of a function: where its variables are, which of its addresses are proved or tested, and the checks at run time.

use reconverge_analysis::Layouts;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Module, Op, view};
use reconverge_lanes::Variation;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::bounds::AddressWords;
use super::checks::{Check, Site};
use super::frame::Places;
use super::guards::Tested;
use super::reach::Reach;
use super::symbolic::Pointer;
use super::values::Values;

/// A step of an access chain.
pub(super) enum Step {
    /// Constant bytes.
    Constant(u64),
    /// An element, which an index chooses.
    Scaled(ScaledStep),
}

/// A step by an index that is not constant: the bytes of an element, and how many elements there are, if that is known.
#[derive(Clone, Copy)]
pub(super) struct ScaledStep {
    pub(super) stride: u64,
    pub(super) length: Option<u64>,
}

/// The memory of a function.
///
/// Invariant: the places are those of the whole function, and do not change while it is selected. Reaches, words of addresses and sites are
/// only added: what is proved stays so, and a site keeps its number.
pub(super) struct Memory {
    places: Places,
    pub(super) layouts: Layouts,
    /// In guarded code, how far from a buffer addresses can be.
    pub(super) reaches: FxHashMap<Inst, Reach>,
    /// The words of the push constants that the code takes for addresses of buffers.
    pub(super) address_words: AddressWords,
    /// The registers whose addresses were tested on the way to the current block.
    pub(super) tested: Tested,
    /// The checks at run time.
    pub(super) sites: Vec<Site>,
}

impl Memory {
    /// The memory of a function with these variables.
    pub(super) fn new(places: Places) -> Memory {
        Memory {
            places,
            layouts: Layouts::new(),
            reaches: FxHashMap::default(),
            address_words: AddressWords::default(),
            tested: Tested::default(),
            sites: Vec::new(),
        }
    }

    /// Enters a check for an instruction. A call whose check failed returns its number, which counts from one.
    pub(super) fn add_site(&mut self, check: Check, at: Inst) -> u32 {
        self.sites.push(Site { check, at });
        self.sites.len() as u32
    }

    /// A pointer to the beginning of a variable.
    ///
    /// # Errors
    /// A variable without a place.
    pub(super) fn root_pointer(&self, values: &Values<'_>, variable: Inst) -> Result<Pointer, Diagnostic> {
        let root = self.places.root(variable);
        let root = root.ok_or_else(|| values.unsupported(variable, "a variable of this storage class"))?;
        let room = self.places.room(variable);
        Ok(Pointer {
            root,
            offset: None,
            shape: Variation::Uniform,
            unit: 1,
            room,
            displacement: 0,
            peeled: 0,
            is_inside: true,
            confined: None,
            indexes: SmallVec::new(),
        })
    }

    /// The type and the distance that an index of an access chain leads to, from a type.
    ///
    /// # Errors
    /// A type without a known layout.
    pub(super) fn step(
        &mut self,
        values: &Values<'_>,
        ty: Inst,
        index: Inst,
        at: Inst,
    ) -> Result<(Inst, Step), Diagnostic> {
        let unknown = || values.unsupported(at, "an access chain into a type without a known layout");
        let constant = values.module.constant_bits(index).filter(|_| values.module.op(index) == Op::Constant);
        let constant = constant.or((values.module.op(index) == Op::ConstantNull).then_some(0));
        if values.module.op(ty) == Op::TypeStruct {
            let member = constant.ok_or_else(unknown)? as usize;
            let part = values.module.part_type(ty, member).ok_or_else(unknown)?;
            let offset = self.layouts.member_offset(values.module, ty, member).map_err(|_| unknown())?;
            return Ok((part, Step::Constant(offset)));
        }
        let part = values.module.element_type(ty).ok_or_else(unknown)?;
        let stride = self.layouts.element_stride(values.module, ty).map_err(|_| unknown())?;
        let length = length_of(values.module, ty);
        match constant {
            Some(index) if length.is_none_or(|length| index < length) => Ok((part, Step::Constant(index * stride))),
            _ => Ok((part, Step::Scaled(ScaledStep { stride, length }))),
        }
    }
}

/// The number of elements of an array or vector.
fn length_of(module: &Module, ty: Inst) -> Option<u64> {
    match module.op(ty) {
        Op::TypeVector => view::TypeVector::of(module, ty).map(|vector| vector.count.into()),
        _ => reconverge_analysis::array_length(module, ty).ok(),
    }
}
