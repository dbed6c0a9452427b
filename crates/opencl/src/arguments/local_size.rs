//! The size of work-groups: required by the kernel, or given by specialization constants.
//!
//! ```text
//! execution_mode %k, LocalSize, 8, 8, 1     ⇒   unchanged
//! (none)                                    ⇒   execution_mode %k, LocalSize, 1, 1, 1
//!                                               %size = spec_constant_composite %x, %y, %z {BuiltIn WorkgroupSize}
//! ```
//!
//! The decorated constant applies to all entry points of a module (SPIR-V section 3.21, `WorkgroupSize`) and overrides the mode. So if one
//! kernel has no required size, the host gives the size of all by specialization. A mode `LocalSizeId`, which Vulkan 1.2 lacks, becomes
//! `LocalSize`.

use std::collections::hash_map::Entry;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Module, Op, decoration};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{BuiltIn, ExecutionMode};

use super::spec_ids::SpecIds;
use crate::entry_points::{EntryPoint, execution_mode, execution_modes, local_size_mode};
use crate::feature::Feature;
use crate::scalars::{constant_value, vector_type};
use crate::{LocalSize, error};

/// The first id for other purposes: 0 to 2 are the work-group size.
const FIRST_OTHER_ID: u32 = 3;

/// The data for the host about the work-group size of a kernel.
#[derive(Clone, Copy, Debug)]
pub(super) struct KernelSize {
    pub(super) local: LocalSize,
    /// The size that the kernel requires, if any.
    pub(super) required: Option<[u32; 3]>,
}

/// Gives every entry point a size.
///
/// # Errors
/// A size that depends on a specialization constant.
pub(super) fn settle(
    module: &mut Module,
    points: &[EntryPoint],
    ids: &mut SpecIds,
) -> Result<Vec<KernelSize>, Diagnostic> {
    let mut known = FxHashMap::default();
    for point in points {
        if let Entry::Vacant(place) = known.entry(point.function) {
            place.insert(required(module, point)?);
        }
    }
    let required: Vec<Option<[u32; 3]>> = points.iter().map(|point| known[&point.function]).collect();
    let size = required.iter().any(Option::is_none).then(|| [ids.next(), ids.next(), ids.next()]);
    ids.skip_to(FIRST_OTHER_ID);
    if let Some(ids) = size {
        declare(module, ids);
    }
    let mut settled = FxHashSet::default();
    for (point, required) in points.iter().zip(&required) {
        if settled.insert(point.function) && local_size_mode(module, point.function).is_none() {
            declare_mode(module, point, required.unwrap_or([1; 3]));
        }
    }
    let local = |required| match (size, required) {
        (None, Some(required)) => LocalSize::Fixed(required),
        (ids, _) => LocalSize::Specialized(ids.unwrap_or_default()),
    };
    Ok(required.into_iter().map(|required| KernelSize { local: local(required), required }).collect())
}

/// The size that the execution modes of a kernel require.
fn required(module: &Module, point: &EntryPoint) -> Result<Option<[u32; 3]>, Diagnostic> {
    if let Some(size) = local_size_mode(module, point.function) {
        return Ok(Some(size));
    }
    let Some(sizes) = execution_mode(module, point.function, ExecutionMode::LocalSizeId) else { return Ok(None) };
    let sizes: Option<Vec<u32>> =
        sizes.iter().map(|size| constant_value(module, size).map(|size| size as u32)).collect();
    let size = sizes.and_then(|sizes| <[u32; 3]>::try_from(sizes).ok());
    size.map(Some).ok_or_else(|| {
        error::feature(point.function, Feature::SpecializationConstants, " for the size of a work-group")
    })
}

/// The WorkgroupSize constant.
fn declare(module: &mut Module, ids: [u32; 3]) {
    let mut build = Builder::new(module);
    let u32_type = build.int_type(32);
    let one = build.editor().word(1);
    let sizes = ids.map(|id| {
        let size = build.editor().append_global(Op::SpecConstant, Some(u32_type), &[one]);
        build.add_decoration(size, decoration::SpecId(id));
        size
    });
    let ty = vector_type(&mut build, u32_type, 3);
    let size = build.editor().append_global(Op::SpecConstantComposite, Some(ty), &sizes);
    build.add_decoration(size, decoration::BuiltIn(BuiltIn::WorkgroupSize));
}

fn declare_mode(module: &mut Module, point: &EntryPoint, size: [u32; 3]) {
    let by_ids = execution_modes(module, point.function, ExecutionMode::LocalSizeId);
    let mut build = Builder::new(module);
    by_ids.into_iter().for_each(|mode| build.editor().delete(mode));
    let mut operands = vec![point.function.into(), build.enumerant(ExecutionMode::LocalSize)];
    operands.extend(size.map(|size| build.editor().word(size)));
    build.execution_mode(&operands);
}
