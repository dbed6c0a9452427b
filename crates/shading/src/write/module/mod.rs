//! The parts of a module outside of functions: types, constants, variables.

mod constants;
mod layout;
mod names;
mod resources;
mod types;
mod uses;

use naga::proc::Layouter;
use naga::{Handle, Scalar, ScalarKind, Span, TypeInner};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Inst, Module};
use rustc_hash::{FxHashMap, FxHashSet};

use super::entry_points::Entry;
use super::function;
use super::prepare::Prepared;
use super::{Language, WriteCode, at_inst};

pub(crate) use constants::Constant;
pub(crate) use layout::VALUE;
pub(crate) use uses::{SamplerKind, Uses, root, sampler_of};

/// The conversion of a module: the converted parts, by instruction.
pub(crate) struct Converter<'m> {
    pub(crate) source: &'m Module,
    pub(crate) language: Language,
    pub(crate) output: naga::Module,
    pub(crate) functions: FxHashMap<Function, Handle<naga::Function>>,
    pub(crate) uses: Uses,
    layouter: Layouter,
    types: FxHashMap<Inst, Handle<naga::Type>>,
    /// The indices of the members of structs among those of naga, which has padding as members.
    members: FxHashMap<Inst, Vec<u32>>,
    /// Array types whose elements are in a struct with padding, because of their stride.
    wrapped: FxHashSet<Inst>,
    constants: FxHashMap<Inst, Constant>,
    variables: FxHashMap<Inst, Handle<naga::GlobalVariable>>,
    /// The samplers of combined images, plain and comparing.
    samplers: FxHashMap<(Inst, SamplerKind), Handle<naga::GlobalVariable>>,
    /// The barriers, by the number that their statements have as a span, less one.
    pub(crate) barriers: Vec<Inst>,
}

/// A module of naga.
pub(crate) struct Converted {
    pub(crate) module: naga::Module,
    /// The barriers, by the number that their statements have as a span, less one.
    pub(crate) barriers: Vec<Inst>,
}

/// Converts the entry points and everything that they reach.
///
/// # Errors
/// Something cannot be expressed.
pub(crate) fn convert(prepared: &Prepared, language: Language, entries: &[Entry]) -> Result<Converted, Diagnostic> {
    let source = &prepared.module;
    let mut converter = Converter {
        source,
        language,
        output: naga::Module::default(),
        functions: FxHashMap::default(),
        uses: Uses::of(prepared, entries)?,
        layouter: Layouter::default(),
        types: FxHashMap::default(),
        members: FxHashMap::default(),
        wrapped: FxHashSet::default(),
        constants: FxHashMap::default(),
        variables: FxHashMap::default(),
        samplers: FxHashMap::default(),
        barriers: Vec::new(),
    };
    converter.add_resources(entries)?;
    for &callee in &prepared.callees {
        let converted = function::convert(&mut converter, callee, None)?.function;
        let handle = converter.output.functions.append(converted, Span::UNDEFINED);
        converter.functions.insert(callee, handle);
    }
    for entry in entries {
        let converted = function::convert(&mut converter, entry.function, Some(entry))?;
        converter.output.entry_points.push(converted.entry_point(entry));
    }
    Ok(Converted { module: converter.output, barriers: converter.barriers })
}

impl Converter<'_> {
    /// A type of naga, unique.
    pub(crate) fn plain_type(&mut self, inner: TypeInner) -> Handle<naga::Type> {
        self.output.types.insert(naga::Type { name: None, inner }, Span::UNDEFINED)
    }

    /// The scalar type of the components of a value, if it has one.
    pub(crate) fn scalar_of(&self, value: Inst) -> Option<Scalar> {
        self.source.ty(value).and_then(|ty| self.scalar(ty))
    }

    /// The kind of the components of a value.
    pub(crate) fn kind_of(&self, value: Inst) -> Option<ScalarKind> {
        self.scalar_of(value).map(|scalar| scalar.kind)
    }

    /// An error about an instruction.
    pub(crate) fn refuse<T>(&self, code: WriteCode, inst: Inst, message: impl Into<String>) -> Result<T, Diagnostic> {
        Err(at_inst(code, inst, message))
    }
}
