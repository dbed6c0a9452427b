//! Uses of global variables that determine their declaration: whether anything uses them, which are compared with a depth, which are read,
//! written and changed by atomics, and which images are sampled with which samplers.

use reconverge_ir::{Class, Inst, Module, Op, OpGroup, view};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::Decoration;

use super::{Entry, resources};
use crate::write::Prepared;

/// How an image is used with a sampler.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Sampling {
    /// It samples colors.
    Plain,
    /// It compares depths with a reference.
    Compared,
}

/// The accesses to a storage image.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct ImageAccesses {
    pub(crate) reads: bool,
    pub(crate) writes: bool,
}

/// The uses of global variables.
#[derive(Default)]
pub(crate) struct Uses {
    used: FxHashSet<Inst>,
    /// Variables of images, of samplers or of both, by how they sample.
    samplings: FxHashSet<(Inst, Sampling)>,
    /// Storage images.
    images: FxHashMap<Inst, ImageAccesses>,
    /// Images that are used with a sampler, in the order of the code.
    pairs: Vec<Pair>,
    /// Images that are used without a sampler.
    alone: FxHashSet<Inst>,
    /// Variables that are read.
    read: FxHashSet<Inst>,
    /// Variables with accesses that other invocations see, and types behind addresses with such accesses.
    shared: FxHashSet<Inst>,
    /// The same for volatile accesses.
    volatile: FxHashSet<Inst>,
    /// Variables whose memory another variable may be too.
    overlapping: FxHashSet<Inst>,
    /// True if an instruction must not be contracted with others.
    is_exact: bool,
}

/// An image and a sampler that are used together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pair {
    pub(crate) image: Inst,
    pub(crate) sampler: Inst,
    pub(crate) sampling: Sampling,
}

impl Uses {
    /// Finds the uses. O(instructions × length of access chains).
    pub(crate) fn of(prepared: &Prepared, entries: &[Entry]) -> Uses {
        let source = &prepared.module;
        let mut uses = Uses::default();
        let functions = prepared.callees.iter().copied().chain(entries.iter().map(|entry| entry.function));
        for inst in functions.flat_map(|function| source.blocks(function)).flat_map(|block| source.children(block)) {
            uses.used.extend(source.operands(inst).filter(|&operand| source.op(operand) == Op::Variable));
            uses.is_exact |= source.decorated(inst).has(Decoration::NoContraction);
            uses.add(source, inst);
        }
        uses.overlapping = resources::overlapping(source, uses.used.iter().copied());
        uses
    }

    fn add(&mut self, source: &Module, inst: Inst) {
        let op = source.op(inst);
        if op.class() == Class::Atomic {
            let Some(atomic) = view::Atomic::of(source, inst) else { return };
            let both = ImageAccesses { reads: true, writes: true };
            self.images.insert(root(source, atomic.pointer), both);
            self.read.insert(root(source, atomic.pointer));
            return;
        }
        match op {
            Op::Load => drop(self.read.insert(root(source, source.operand(inst, 0)))),
            Op::CopyMemory => drop(self.read.insert(root(source, source.operand(inst, 1)))),
            _ => {}
        }
        let pointers: &[Inst] = match op {
            Op::Load | Op::Store => &[source.operand(inst, 0)],
            Op::CopyMemory => &[source.operand(inst, 0), source.operand(inst, 1)],
            _ => &[],
        };
        for &pointer in pointers {
            let base = root(source, pointer);
            let known = if is_address(source, base) { source.pointee(base).unwrap_or(base) } else { base };
            for access in source.memory_accesses(inst) {
                if access.mask.contains(spirv::MemoryAccess::NON_PRIVATE_POINTER) {
                    self.shared.insert(known);
                }
                if access.is_volatile() {
                    self.volatile.insert(known);
                }
            }
        }
        let Some(used) = view::ImageUse::of(source, inst) else { return };
        let variable = root(source, used.image);
        match op.group() {
            OpGroup::ImageRead if matches!(op, Op::ImageRead | Op::ImageSparseRead) => {
                self.images.entry(variable).or_default().reads = true;
            }
            OpGroup::ImageWrite => self.images.entry(variable).or_default().writes = true,
            OpGroup::Sample => self.add_sample(source, used.image, Uses::sampling(op)),
            _ if op == Op::ImageQueryLod => self.add_sample(source, used.image, Sampling::Plain),
            _ if op != Op::SampledImage && op != Op::Image => {
                self.alone.insert(variable);
            }
            _ => {}
        }
    }

    fn add_sample(&mut self, source: &Module, image: Inst, sampling: Sampling) {
        let variable = root(source, image);
        self.samplings.insert((variable, sampling));
        if let Some(sampler) = sampler_of(source, image).map(|sampler| root(source, sampler)) {
            self.samplings.insert((sampler, sampling));
            let pair = Pair { image: variable, sampler, sampling };
            if !self.pairs.contains(&pair) {
                self.pairs.push(pair);
            }
        }
    }

    /// Returns whether an instruction must not be contracted with others, as a product and a sum are to a fused operation.
    pub(crate) fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Returns whether a variable is read.
    pub(crate) fn is_read(&self, variable: Inst) -> bool {
        self.read.contains(&variable)
    }

    /// Returns whether other invocations see what is written to a variable, or to a type behind addresses, by the memory model of Vulkan.
    pub(crate) fn is_shared_by_scope(&self, variable: Inst) -> bool {
        self.shared.contains(&variable)
    }

    /// Returns whether an access to a variable, or to a type behind addresses, is volatile.
    pub(crate) fn is_volatile(&self, variable: Inst) -> bool {
        self.volatile.contains(&variable)
    }

    /// Returns whether another variable may write the memory of a variable.
    pub(crate) fn overlaps(&self, variable: Inst) -> bool {
        self.overlapping.contains(&variable)
    }

    /// How an operation samples.
    pub(crate) fn sampling(op: Op) -> Sampling {
        match op {
            Op::ImageSampleDrefImplicitLod
            | Op::ImageSampleDrefExplicitLod
            | Op::ImageSampleProjDrefImplicitLod
            | Op::ImageSampleProjDrefExplicitLod
            | Op::ImageDrefGather
            | Op::ImageSparseSampleDrefImplicitLod
            | Op::ImageSparseSampleDrefExplicitLod
            | Op::ImageSparseSampleProjDrefImplicitLod
            | Op::ImageSparseSampleProjDrefExplicitLod
            | Op::ImageSparseDrefGather => Sampling::Compared,
            _ => Sampling::Plain,
        }
    }

    /// Returns whether a written function uses a variable.
    pub(crate) fn is_used(&self, variable: Inst) -> bool {
        self.used.contains(&variable)
    }

    /// Returns whether a variable samples in that way.
    pub(crate) fn samples(&self, variable: Inst, sampling: Sampling) -> bool {
        self.samplings.contains(&(variable, sampling))
    }

    /// The accesses to the storage image of a variable.
    pub(crate) fn image(&self, variable: Inst) -> ImageAccesses {
        self.images.get(&variable).copied().unwrap_or_default()
    }

    /// The images with their samplers, in the order of the code.
    pub(crate) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Returns whether an image is used without a sampler.
    pub(crate) fn is_alone(&self, image: Inst) -> bool {
        self.alone.contains(&image)
    }
}

/// The sampler of an image that was combined with one by an instruction.
pub(crate) fn sampler_of(source: &Module, image: Inst) -> Option<Inst> {
    let mut value = image;
    loop {
        match source.op(value) {
            Op::SampledImage => return view::SampledImage::of(source, value).map(|combined| combined.sampler),
            Op::CopyObject => value = source.operand(value, 0),
            _ => return None,
        }
    }
}

/// Returns whether a value is a pointer that is a number.
pub(crate) fn is_address(source: &Module, value: Inst) -> bool {
    source.storage_class(value) == Some(spirv::StorageClass::PhysicalStorageBuffer)
}

/// The variable, or another source, that a pointer or an image comes from. A pointer that is loaded as a number comes from the load.
pub(crate) fn root(source: &Module, value: Inst) -> Inst {
    let mut value = value;
    while !(source.op(value) == Op::Load && is_address(source, value))
        && matches!(
            source.op(value),
            Op::AccessChain
                | Op::InBoundsAccessChain
                | Op::CopyObject
                | Op::Load
                | Op::Image
                | Op::SampledImage
                | Op::ImageTexelPointer
        )
    {
        value = source.operand(value, 0);
    }
    value
}
