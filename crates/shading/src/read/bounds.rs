//! Clamps indices: in WGSL an index outside of an array selects some element of it, in SPIR-V the access is undefined.
//!
//! ```text
//! %p = access_chain %array16, %i            ⇒   %k = UMin %i, 15        %p = access_chain %array16, %k
//! %p = access_chain %buffer, 0, %i          ⇒   %n = array_length %buffer 0      %m = i_sub %n, 1
//!                                               %k = UMin %i, %m        %p = access_chain %buffer, 0, %k
//! %x = vector_extract_dynamic %v, %i        ⇒   %k = UMin %i, 3         %x = vector_extract_dynamic %v, %k
//! ```
//!
//! An index out of range selects the last element, as in Tint; a negative index is a large one without a sign. The length of an array may
//! be a specialization constant, so its last index is `OpSpecConstantOp`. A buffer has at least one element when WebGPU runs a shader. An
//! index is not clamped if [`limits`](super::limits) proves that it is in range, as for a constant. Arrays of resources without a length
//! are not changed. WGSL, section 14.3 (out-of-bounds access). Linear in the module and in the nesting of its types.

use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Builder, Inst, Module, Op};
use rustc_hash::FxHashMap;
use spirv::StorageClass;

use super::inserter::Inserter;
use super::limits::Limits;

/// The source of the number of elements.
#[derive(Clone, Copy)]
enum Length {
    /// A number.
    Known(u64),
    /// A specialization constant.
    Specialized(Inst),
    /// The number of elements in the buffer. The first indices of the chain lead to the member of the struct.
    OfBuffer { indices: usize },
}

/// Clamps every index of a module that may be out of range.
pub(super) fn clamp_indices(module: &mut Module) {
    let limits = Limits::of(module);
    let mut found: Vec<(Inst, usize, Length)> = Vec::new();
    for inst in module.functions().flat_map(|function| module.descendants(function)) {
        for (operand, length) in indexed(module, inst) {
            let index = module.operand(inst, operand);
            let is_in_range = match length {
                Length::Known(count) => limits.is_below(module, index, count),
                Length::Specialized(_) | Length::OfBuffer { .. } => limits.is_below(module, index, 1),
            };
            if !is_in_range {
                found.push((inst, operand, length));
            }
        }
    }
    let mut last_of: FxHashMap<Inst, Inst> = FxHashMap::default();
    for (inst, operand, length) in found {
        clamp(module, inst, operand, length, &mut last_of);
    }
}

/// The operands of an instruction that are indices, with the number of elements.
fn indexed(module: &Module, inst: Inst) -> Vec<(usize, Length)> {
    match module.op(inst) {
        Op::AccessChain | Op::InBoundsAccessChain => chain_lengths(module, inst),
        Op::VectorExtractDynamic | Op::VectorInsertDynamic => {
            let operand = if module.op(inst) == Op::VectorExtractDynamic { 1 } else { 2 };
            let vector = module.ty(module.operand(inst, 0));
            let count = vector.map_or(1, |ty| module.components(ty).1);
            vec![(operand, Length::Known(u64::from(count)))]
        }
        _ => Vec::new(),
    }
}

/// The operands of an access chain that index an object with a length.
fn chain_lengths(module: &Module, chain: Inst) -> Vec<(usize, Length)> {
    let mut lengths = Vec::new();
    let base = module.operand(chain, 0);
    let is_resource = module.storage_class(base) == Some(StorageClass::UniformConstant);
    let Some(mut ty) = module.pointee(base) else { return lengths };
    for operand in 1..module.operand_count(chain) {
        let (length, element) = match module.type_view(ty) {
            Some(TypeView::Vector { component, count }) => (Some(Length::Known(u64::from(count))), component),
            Some(TypeView::Matrix { column, count }) => (Some(Length::Known(u64::from(count))), column),
            Some(TypeView::Array { element, length }) => {
                let known = module.constant_word(length);
                (Some(known.map_or(Length::Specialized(length), |count| Length::Known(u64::from(count)))), element)
            }
            Some(TypeView::RuntimeArray { element }) => {
                ((!is_resource).then_some(Length::OfBuffer { indices: operand - 1 }), element)
            }
            Some(TypeView::Struct { members }) => {
                let member = module.constant_word(module.operand(chain, operand));
                match member.and_then(|member| members.at(member as usize)) {
                    Some(member) => (None, member),
                    None => return lengths,
                }
            }
            _ => return lengths,
        };
        lengths.extend(length.map(|length| (operand, length)));
        ty = element;
    }
    lengths
}

fn clamp(module: &mut Module, inst: Inst, operand: usize, length: Length, last_of: &mut FxHashMap<Inst, Inst>) {
    let index = module.operand(inst, operand);
    let Some(width) = module.ty(index).and_then(|ty| module.width(ty)) else { return };
    let unsigned = Builder::new(module).int_type(width);
    let last = match length {
        Length::Known(count) => constant(module, unsigned, width, count.saturating_sub(1)),
        Length::Specialized(length) => *last_of.entry(length).or_insert_with(|| last_of_specialized(module, length)),
        Length::OfBuffer { indices } => match last_of_buffer(module, inst, indices) {
            Some(last) => last,
            None => return,
        },
    };
    let mut inserter = Inserter { module, before: inst };
    let is_word = width == 32 || matches!(length, Length::Known(_));
    let last = if is_word { last } else { inserter.insert(Op::UConvert, unsigned, &[last]) };
    let clamped = inserter.minimum(index, last);
    module.edit().set_operand(inst, operand, clamped);
}

fn constant(module: &mut Module, ty: Inst, width: u32, value: u64) -> Inst {
    let words = [value as u32, (value >> 32) as u32];
    let literal = module.edit().literal(if width == 64 { &words } else { &words[..1] });
    module.edit().unique(Op::Constant, Some(ty), &[literal])
}

/// The last index of an array whose length is specialized.
fn last_of_specialized(module: &mut Module, length: Inst) -> Inst {
    let mut build = Builder::new(module);
    let ty = build.int_type(32);
    let one = build.constant_word(ty, 1);
    let subtract = build.editor().word(spirv::Op::ISub as u32);
    build.editor().append_global(Op::SpecConstantOp, Some(ty), &[subtract, length, one])
}

/// The last index of the array at the end of a buffer that the first indices of a chain lead to.
fn last_of_buffer(module: &mut Module, chain: Inst, indices: usize) -> Option<Inst> {
    let base = module.operand(chain, 0);
    let whole = view::Chain::of(module, base).filter(|_| indices == 0);
    let path: Vec<Inst> = match whole {
        Some(view::Chain { base, indexes, .. }) => std::iter::once(base).chain(indexes.iter()).collect(),
        None => module.operands(chain).take(indices + 1).collect(),
    };
    let (&member, structure) = path.split_last().filter(|(_, structure)| !structure.is_empty())?;
    let member = module.constant_word(member)?;
    let (&root, steps) = structure.split_first()?;
    let mut structure = root;
    if !steps.is_empty() {
        let class = module.storage_class(root)?;
        let pointee = pointee_at(module, root, steps)?;
        let pointer = Builder::new(module).pointer_type(class, pointee);
        let operands: Vec<Inst> = std::iter::once(root).chain(steps.iter().copied()).collect();
        structure = Inserter { module, before: chain }.insert(Op::AccessChain, pointer, &operands);
    }
    let mut build = Builder::new(module);
    let ty = build.int_type(32);
    let (one, member) = (build.constant_word(ty, 1), build.editor().word(member));
    let mut inserter = Inserter { module, before: chain };
    let length = inserter.insert(Op::ArrayLength, ty, &[structure, member]);
    Some(inserter.insert(Op::ISub, ty, &[length, one]))
}

/// The object that some indices lead to.
fn pointee_at(module: &Module, base: Inst, indices: &[Inst]) -> Option<Inst> {
    let mut ty = module.pointee(base)?;
    for &index in indices {
        ty = match module.type_view(ty)? {
            TypeView::Struct { members } => members.at(module.constant_word(index)? as usize)?,
            TypeView::Array { element, .. } | TypeView::RuntimeArray { element } => element,
            _ => return None,
        };
    }
    Some(ty)
}
