//! A cache of module-level lookups, filled once for a module and not for each kernel.
//!
//! A module may have thousands of kernels and as many globals: a traversal of the globals for each kernel would cost their product. Facts
//! about one function are found through the uses of the function ([`entry_points`](super::entry_points)); facts about the module are cached
//! here on first use. Kernel passes never delete the cached instructions, or the cache checks them again.

use std::cell::OnceCell;

use reconverge_ir::{Builder, Function, Inst, Module, decoration};
use rustc_hash::FxHashMap;
use spirv::{BuiltIn, Decoration, StorageClass};

use super::entry_points::entry_points;
use super::reflection::Kernel;

/// The kernels of the reflection that a function implements.
type KernelsOf = FxHashMap<Function, Vec<usize>>;

/// The cached lookups.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    kernels: OnceCell<KernelsOf>,
    inputs: Option<FxHashMap<(BuiltIn, Inst), Inst>>,
    work_group_size: OnceCell<Option<Inst>>,
    /// The specialization constant that gives the number of dimensions, and its id.
    pub(super) work_dim: Option<(u32, Inst)>,
}

impl Found {
    /// The kernels of the reflection that a function implements, by the names of its entry points. Linear in them at the first call.
    pub(super) fn kernels_of(&self, module: &Module, kernels: &[Kernel], function: Function) -> &[usize] {
        self.kernels.get_or_init(|| kernels_by_function(module, kernels)).get(&function).map_or(&[], Vec::as_slice)
    }

    /// The WorkgroupSize constant, which gives drivers the work-group size, if there is one. Linear in the globals at the first call.
    pub(super) fn work_group_size(&self, module: &Module) -> Option<Inst> {
        let is_size = |&global: &Inst| {
            let built_in = module.decorated(global).find();
            module.op(global).is_constant() && built_in == Some(decoration::BuiltIn(BuiltIn::WorkgroupSize))
        };
        let constant = *self.work_group_size.get_or_init(|| module.globals().find(is_size));
        constant.map(|constant| module.resolve(constant))
    }

    /// The module's `Input` variable of a Vulkan built-in; created if there is none. Linear in the globals at the first call.
    pub(super) fn input_variable(&mut self, build: &mut Builder<'_>, built_in: BuiltIn, ty: Inst) -> Inst {
        let pointer = build.pointer_type(StorageClass::Input, ty);
        let inputs = self.inputs.get_or_insert_with(|| own_inputs(build.module()));
        let known = inputs.get(&(built_in, pointer)).copied();
        known.filter(|&variable| build.module().is_live(variable)).unwrap_or_else(|| {
            let variable = build.global_variable(StorageClass::Input, ty);
            build.add_decoration(variable, decoration::BuiltIn(built_in));
            inputs.insert((built_in, pointer), variable);
            variable
        })
    }
}

fn kernels_by_function(module: &Module, kernels: &[Kernel]) -> KernelsOf {
    let mut named: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (index, kernel) in kernels.iter().enumerate() {
        named.entry(&kernel.name).or_default().push(index);
    }
    let mut found = KernelsOf::default();
    for point in entry_points(module) {
        let indices = named.get(point.name.as_str()).into_iter().flatten();
        found.entry(point.function).or_default().extend(indices);
    }
    for indices in found.values_mut() {
        indices.sort_unstable();
        indices.dedup();
    }
    found
}

/// Returns whether a variable is imported, as built-ins of OpenCL are.
pub(super) fn is_imported(module: &Module, variable: Inst) -> bool {
    let notes = module.decorated(variable);
    notes.has(Decoration::LinkageAttributes) || notes.has(Decoration::Constant)
}

/// The first `Input` variable of each built-in and type that was made for Vulkan.
fn own_inputs(module: &Module) -> FxHashMap<(BuiltIn, Inst), Inst> {
    let mut inputs = FxHashMap::default();
    for global in module.globals().filter(|&global| module.is_variable_of(global, StorageClass::Input)) {
        let built_in = module.decorated(global).find();
        if let (Some(decoration::BuiltIn(built_in)), Some(pointer), false) =
            (built_in, module.ty(global), is_imported(module, global))
        {
            inputs.entry((built_in, pointer)).or_insert(global);
        }
    }
    inputs
}
