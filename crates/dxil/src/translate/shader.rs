//! The state that all steps of the translation share: the two modules, and the properties of the shader as a whole.

use std::collections::BTreeSet;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Function, Inst, Location, Op, Signedness, decoration};
use rustc_hash::FxHashMap;
use spirv::{AddressingModel, Capability, Decoration, GlslStd450Op, MemoryModel, StorageClass};

use super::TranslateOptions;
use super::handles::Handles;
use super::numbers::Number;
use crate::error::{AssumptionCode, unsupported};
use crate::module::view::{EntryPoint, Properties, ShaderKind, Signatures};
use crate::module::{DebugLocation, FunctionId, Module, Type, TypeId, ValueId};

/// A shader that is being translated.
pub(super) struct Shader<'a> {
    pub(super) dxil: &'a Module,
    pub(super) options: &'a TranslateOptions,
    pub(super) build: Builder<'a>,
    pub(super) kind: ShaderKind,
    pub(super) entry: EntryPoint,
    /// The function of the entry point.
    pub(super) entry_function: FunctionId,
    pub(super) properties: Properties,
    pub(super) signatures: Signatures,
    pub(super) has_native_low_precision: bool,
    pub(super) handles: Handles,
    /// The variables of resources, by their index in `handles`.
    pub(super) resources: Vec<Option<super::resources::Bound>>,
    pub(super) interface: super::interface::Interface,
    /// Variables of the module, once something uses them.
    pub(super) globals: Vec<Option<Inst>>,
    /// The function of the shader for each function with a body, once something calls it.
    pub(super) functions: Vec<Option<reconverge_ir::Function>>,
    /// Functions whose bodies are still to be translated.
    pub(super) queue: Vec<FunctionId>,
    pub(super) assumptions: BTreeSet<(AssumptionCode, String)>,
    /// True if a number of at least 16 bits is represented by 32.
    pub(super) has_relaxed_numbers: bool,
    capabilities: BTreeSet<u32>,
    extensions: BTreeSet<&'static str>,
    extended: Option<Inst>,
    pub(super) memory_types: FxHashMap<TypeId, Inst>,
    pub(super) pair_types: FxHashMap<Inst, Inst>,
    /// The initial values of variables; only constants of the module.
    pub(super) initial_values: FxHashMap<ValueId, Inst>,
    files: FxHashMap<String, Inst>,
}

impl<'a> Shader<'a> {
    #[expect(clippy::too_many_arguments, reason = "each is a part of the shader, and there is one caller")]
    pub(super) fn new(
        dxil: &'a Module,
        options: &'a TranslateOptions,
        ir: &'a mut reconverge_ir::Module,
        kind: ShaderKind,
        entry: (EntryPoint, FunctionId),
        signatures: Signatures,
        handles: Handles,
    ) -> Result<Shader<'a>, Diagnostic> {
        let (entry, entry_function) = entry;
        let properties = entry.properties(dxil)?;
        Ok(Shader {
            dxil,
            options,
            build: Builder::new(ir),
            kind,
            entry,
            entry_function,
            has_native_low_precision: properties.has_native_low_precision(),
            properties,
            signatures,
            resources: handles.resources.iter().map(|_| None).collect(),
            handles,
            interface: super::interface::Interface::default(),
            globals: vec![None; dxil.globals.len()],
            functions: vec![None; dxil.functions.len()],
            queue: Vec::new(),
            assumptions: BTreeSet::new(),
            has_relaxed_numbers: false,
            capabilities: BTreeSet::new(),
            extensions: BTreeSet::new(),
            extended: None,
            memory_types: FxHashMap::default(),
            pair_types: FxHashMap::default(),
            initial_values: FxHashMap::default(),
            files: FxHashMap::default(),
        })
    }

    /// A type in words, for messages.
    pub(super) fn type_name(&self, ty: TypeId) -> String {
        crate::text::type_name(self.dxil, ty)
    }

    /// Returns whether values of a type are resources.
    pub(super) fn is_handle_type(&self, ty: TypeId) -> bool {
        match &self.dxil.types[ty] {
            Type::Struct { name: Some(name), .. } => name.text == "dx.types.Handle",
            _ => false,
        }
    }

    pub(super) fn int_type(&mut self, width: u32) -> Inst {
        match width {
            16 => self.need(Capability::Int16),
            64 => self.need(Capability::Int64),
            _ => {}
        }
        self.build.int_type(width)
    }

    pub(super) fn float_type(&mut self, width: u32) -> Inst {
        match width {
            16 => self.need(Capability::Float16),
            64 => self.need(Capability::Float64),
            _ => {}
        }
        self.build.float_type(width)
    }

    pub(super) fn vector_type(&mut self, scalar: Inst, length: u32) -> Inst {
        let length = self.build.editor().word(length);
        self.build.emit(Op::TypeVector, None, &[scalar, length])
    }

    /// The vector type with this number of components, or the scalar type for one.
    pub(super) fn numbers_type(&mut self, number: Number, count: u32) -> Inst {
        let scalar = self.number_type(number);
        if count == 1 { scalar } else { self.vector_type(scalar, count) }
    }

    pub(super) fn pointer_type(&mut self, class: StorageClass, pointee: Inst) -> Inst {
        self.build.pointer_type(class, pointee)
    }

    pub(super) fn array_type(&mut self, element: Inst, length: u32, stride: Option<u32>) -> Inst {
        let length = self.u32(length);
        let decorations: Vec<Inst> =
            stride.map(|stride| self.build.decoration(decoration::ArrayStride(stride))).into_iter().collect();
        self.build.editor().unique_decorated(Op::TypeArray, None, &[element, length], &decorations)
    }

    pub(super) fn runtime_array_type(&mut self, element: Inst, stride: Option<u32>) -> Inst {
        let decorations: Vec<Inst> =
            stride.map(|stride| self.build.decoration(decoration::ArrayStride(stride))).into_iter().collect();
        self.build.editor().unique_decorated(Op::TypeRuntimeArray, None, &[element], &decorations)
    }

    /// The 32-bit constant.
    pub(super) fn u32(&mut self, word: u32) -> Inst {
        let ty = self.build.int_type(32);
        self.build.constant_word(ty, word)
    }

    /// The 32-bit constant with a sign, which offsets and scopes of images may be.
    pub(super) fn i32(&mut self, word: i32) -> Inst {
        let ty = self.build.int_type_of(32, Signedness::Signed);
        self.build.constant_word(ty, word.cast_unsigned())
    }

    pub(super) fn f32(&mut self, value: f32) -> Inst {
        let ty = self.build.float_type(32);
        self.build.constant_word(ty, value.to_bits())
    }

    /// The constant of a number whose bits are those of DXIL.
    pub(super) fn constant(&mut self, number: Number, bits: u64) -> Inst {
        if number == Number::BOOL {
            return self.build.constant_bool(bits & 1 != 0);
        }
        let bits = match number.is_relaxed() && number.is_float() {
            true => u64::from(half_to_single(bits as u16)),
            false => bits,
        };
        let ty = self.number_type(number);
        match number.represented {
            64 => {
                let literal = self.build.editor().literal(&[bits as u32, (bits >> 32) as u32]);
                self.build.emit(Op::Constant, Some(ty), &[literal])
            }
            _ => self.build.constant_word(ty, bits as u32),
        }
    }

    /// One undefined value of a type.
    pub(super) fn undef(&mut self, ty: Inst) -> Inst {
        match self.build.module().undef(ty) {
            Some(undef) => undef,
            None => self.build.editor().append_global(Op::Undef, Some(ty), &[]),
        }
    }

    pub(super) fn null(&mut self, ty: Inst) -> Inst {
        self.build.emit(Op::ConstantNull, Some(ty), &[])
    }

    /// Declares a capability.
    pub(super) fn need(&mut self, capability: Capability) {
        self.capabilities.insert(capability as u32);
    }

    /// Returns whether a capability is declared.
    pub(super) fn needs(&self, capability: Capability) -> bool {
        self.capabilities.contains(&(capability as u32))
    }

    /// Declares an extension, which modules of SPIR-V 1.3 need for what later versions contain.
    pub(super) fn need_extension(&mut self, name: &'static str) {
        self.extensions.insert(name);
    }

    /// Says what the translation assumes.
    pub(super) fn assume(&mut self, code: AssumptionCode, message: &str) {
        self.assumptions.insert((code, message.to_owned()));
    }

    /// The set of extended instructions `GLSL.std.450`.
    pub(super) fn extended_set(&mut self) -> Inst {
        if let Some(set) = self.extended {
            return set;
        }
        let name = self.build.editor().text("GLSL.std.450");
        *self.extended.insert(self.build.editor().append_global(Op::ExtInstImport, None, &[name]))
    }

    /// The operands of an extended instruction.
    pub(super) fn extended_operands(&mut self, instruction: GlslStd450Op, arguments: &[Inst]) -> Vec<Inst> {
        let set = self.extended_set();
        let number = self.build.editor().word(instruction as u32);
        [set, number].into_iter().chain(arguments.iter().copied()).collect()
    }

    /// The function of the shader that a function of DXIL becomes, and the order to translate it.
    pub(super) fn function(&mut self, id: FunctionId, offset: u64) -> Result<Function, Diagnostic> {
        if let Some(known) = self.functions[id.index()] {
            return Ok(known);
        }
        let dxil = self.dxil;
        let function = &dxil.functions[id.index()];
        let result = self.result_type(function.result, offset)?;
        let mut parameters = Vec::new();
        for value in &function.values[..function.parameter_count as usize] {
            if self.is_handle_type(value.ty) {
                return Err(unsupported(offset, "resources as parameters of functions are not supported"));
            }
            parameters.push(match &dxil.types[value.ty] {
                Type::Pointer { pointee, address_space: 0 } => {
                    let pointee = self.memory_type(*pointee, offset)?;
                    self.pointer_type(StorageClass::Function, pointee)
                }
                Type::Pointer { .. } => {
                    let message = "addresses of groupshared variables as parameters of functions are not supported";
                    return Err(unsupported(offset, message));
                }
                _ => self.value_type(value.ty, offset)?,
            });
        }
        let target = self.build.add_function(result, &parameters);
        if let Some(name) = dxil.values[function.value.index()].name.as_deref() {
            self.set_name(target, name);
        }
        self.functions[id.index()] = Some(target);
        self.queue.push(id);
        Ok(target)
    }

    /// The type of what a function returns.
    pub(super) fn result_type(&mut self, ty: TypeId, offset: u64) -> Result<Inst, Diagnostic> {
        match self.dxil.types[ty] {
            Type::Void => Ok(self.build.void_type()),
            _ => self.value_type(ty, offset),
        }
    }

    /// Names an instruction.
    pub(super) fn set_name(&mut self, inst: impl Into<Inst>, name: &str) {
        self.build.editor().set_name(inst, until_nul(name));
    }

    pub(super) fn decorate(&mut self, inst: Inst, kind: Decoration) {
        self.build.add_decoration(inst, kind);
    }

    /// The location that debug information says.
    pub(super) fn location(&mut self, location: Option<DebugLocation>) -> Option<Location> {
        let source = self.dxil.source_location(&location?)?;
        let file = match self.files.get(source.file) {
            Some(&file) => file,
            None => {
                let text = self.build.editor().text(until_nul(source.file));
                let file = self.build.editor().append_global(Op::String, None, &[text]);
                self.files.insert(source.file.to_owned(), file);
                file
            }
        };
        Some(Location::at(file, source.line, source.column))
    }

    /// Writes what a module begins with, once everything else is known.
    pub(super) fn finish_preamble(&mut self) {
        self.capabilities.insert(Capability::Shader as u32);
        for &capability in &self.capabilities {
            let word = self.build.editor().word(capability);
            self.build.editor().append_global(Op::Capability, None, &[word]);
        }
        for name in &self.extensions {
            let text = self.build.editor().text(name);
            self.build.editor().append_global(Op::Extension, None, &[text]);
        }
        let model = [self.build.enumerant(AddressingModel::Logical), self.build.enumerant(MemoryModel::GLSL450)];
        self.build.editor().append_global(Op::MemoryModel, None, &model);
    }
}

/// A text as SPIR-V can have it: NUL ends a string there.
pub(super) fn until_nul(text: &str) -> &str {
    text.split('\0').next().unwrap_or_default()
}

/// The bits of a 32-bit floating-point number that equals one of 16 bits.
fn half_to_single(half: u16) -> u32 {
    let (sign, exponent, fraction) =
        (u32::from(half >> 15) << 31, u32::from(half >> 10) & 0x1f, u32::from(half) & 0x3ff);
    match (exponent, fraction) {
        (0, 0) => sign,
        // A subnormal number: its leading bit moves to where it is implied.
        (0, _) => {
            let shift = fraction.leading_zeros() - 21;
            sign | (113 - shift) << 23 | (fraction << shift & 0x3ff) << 13
        }
        (31, _) => sign | 0xff << 23 | fraction << 13,
        _ => sign | (exponent + 112) << 23 | fraction << 13,
    }
}

#[cfg(test)]
mod tests {
    use super::half_to_single;

    #[test]
    fn numbers_of_16_bits_keep_their_value() {
        let single = |half| f32::from_bits(half_to_single(half));
        assert_eq!(single(0x3c00), 1.0);
        assert_eq!(single(0xc500), -5.0);
        assert_eq!(single(0x7bff), 65504.0);
        assert_eq!(single(0x0400), 2.0f32.powi(-14));
        assert_eq!(single(0x0200), 2.0f32.powi(-15));
        assert_eq!(single(0x8001), -(2.0f32.powi(-24)));
        assert_eq!(single(0x03ff), 1023.0 * 2.0f32.powi(-24));
        assert_eq!(single(0x7c00), f32::INFINITY);
        assert!(single(0x7e00).is_nan());
        assert_eq!(single(0x8000).to_bits(), 0x8000_0000);
    }
}
