//! Replaces OpenCL's built-in variables by Vulkan's, or by values computed from them.
//!
//! ```text
//! %id: *input v3u64 = variable Input {BuiltIn GlobalInvocationId}       %id: *input v3u32 = variable Input {…}
//!                                                                  ⇒
//! ^entry: …                                                             ^entry: %1 = load %id
//! ^later: %3 = load %id                                                         %2 = u_convert v3u64 %1
//!         %4 = composite_extract %3, 0                                  ^later: %4 = composite_extract %2, 0
//! ```
//!
//! | OpenCL | Vulkan |
//! |---|---|
//! | `GlobalInvocationId` | the same, plus the global offset |
//! | `LocalInvocationId`, `WorkgroupId`, `NumWorkgroups`, `LocalInvocationIndex`, `SubgroupId`, `SubgroupLocalInvocationId`, masks | the same |
//! | `WorkgroupSize`, `EnqueuedWorkgroupSize` | the size that the shader is specialized to |
//! | `GlobalSize` | `NumWorkgroups` × size |
//! | `GlobalOffset` | push constants, or zero |
//! | `GlobalLinearId` | (z × size of y + y) × size of x + x, offset not counted |
//! | `WorkDim` | a specialization constant, 3 by default |
//! | `SubgroupMaxSize` | `SubgroupSize` |
//! | `SubgroupSize` | the same, less what is missing in the last subgroup |
//! | `NumSubgroups`, `NumEnqueuedSubgroups` | `NumSubgroups`; for a driver that omits the last subgroup unless it is full, lanes of the work-group / `SubgroupSize`, rounded up |
//!
//! *Requires* that calls are inlined and that [`arguments`](super::arguments()) ran. *Preserves* the control-flow graph. A built-in does
//! not change while a kernel runs, so each is computed once, at the start of the function, before every use. All work-groups have the same
//! size: the global size of a launch is a multiple of it. Linear in the uses.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Function, Inst, Module, Op, decoration, view};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{BuiltIn, Decoration, StorageClass};

use super::arguments::{SpecIds, load_push_constant};
use super::entry_points::{entry_functions, first_instruction, leave_interfaces, local_size_mode};
use super::found::is_imported;
use super::scalars::{constant_value, convert_unsigned, integer, vector_type, word};
use super::{Context, Kernel, LocalSize};
use crate::error;

/// Replaces the built-in variables of kernels. Returns whether there was one.
///
/// # Errors
/// Built-in variables that OpenCL does not have, and uses of them that are not loads.
pub fn builtins(module: &mut Module, context: &mut Context) -> Result<bool, Diagnostic> {
    let variables: Vec<(Inst, BuiltIn)> = kernel_variables(module)?;
    let functions = entry_functions(module);
    let mut read: FxHashMap<Function, Vec<Read>> = functions.iter().map(|&function| (function, Vec::new())).collect();
    for &(variable, built_in) in &variables {
        add_reads(module, variable, built_in, &mut read)?;
    }
    for function in functions {
        let mut writer = BuiltinWriter::new(module, context, function);
        let mut replaced = Vec::new();
        for Read { variable: (variable, built_in), loads } in &read[&function] {
            let value = writer.value(*variable, *built_in)?;
            writer.replace(loads, value);
            replaced.extend(loads.iter().map(Load::inst));
        }
        replaced.into_iter().for_each(|load| reconverge_rewrite::removal::remove(module, load));
    }
    forget(module, &variables)?;
    Ok(!variables.is_empty())
}

/// The built-in variables that are not Vulkan's.
fn kernel_variables(module: &Module) -> Result<Vec<(Inst, BuiltIn)>, Diagnostic> {
    let inputs = module.globals().filter(|&global| module.is_variable_of(global, StorageClass::Input));
    let mut found = Vec::new();
    for variable in inputs {
        let note = module.decorated(variable).note(Decoration::BuiltIn);
        let Some(number) = note.and_then(|note| note.words().next()) else { continue };
        let built_in = BuiltIn::from_u32(number).filter(|&built_in| is_known(built_in));
        let unknown = || error::unsupported(variable, format!("the built-in variable {number}"));
        let built_in = built_in.ok_or_else(unknown)?;
        if !is_vulkan(module, variable, built_in) {
            found.push((variable, built_in));
        }
    }
    Ok(found)
}

fn is_known(built_in: BuiltIn) -> bool {
    vulkan_shape(built_in).is_some()
        || matches!(
            built_in,
            BuiltIn::WorkgroupSize
                | BuiltIn::EnqueuedWorkgroupSize
                | BuiltIn::GlobalSize
                | BuiltIn::GlobalOffset
                | BuiltIn::GlobalLinearId
                | BuiltIn::WorkDim
                | BuiltIn::SubgroupMaxSize
                | BuiltIn::NumEnqueuedSubgroups
        )
}

/// The number of 32-bit words of a built-in of Vulkan's compute shaders.
fn vulkan_shape(built_in: BuiltIn) -> Option<u32> {
    match built_in {
        BuiltIn::GlobalInvocationId | BuiltIn::LocalInvocationId | BuiltIn::WorkgroupId | BuiltIn::NumWorkgroups => {
            Some(3)
        }
        BuiltIn::LocalInvocationIndex
        | BuiltIn::SubgroupSize
        | BuiltIn::NumSubgroups
        | BuiltIn::SubgroupId
        | BuiltIn::SubgroupLocalInvocationId => Some(1),
        BuiltIn::SubgroupEqMask
        | BuiltIn::SubgroupGeMask
        | BuiltIn::SubgroupGtMask
        | BuiltIn::SubgroupLeMask
        | BuiltIn::SubgroupLtMask => Some(4),
        _ => None,
    }
}

/// Returns whether a variable is a built-in of Vulkan that this pass does not lower: of Vulkan's type, and not imported.
fn is_vulkan(module: &Module, variable: Inst, built_in: BuiltIn) -> bool {
    if is_imported(module, variable) {
        return false;
    }
    let Some((component, count)) = module.pointee(variable).map(|ty| module.components(ty)) else { return false };
    vulkan_shape(built_in) == Some(count) && module.width(component) == Some(32)
}

/// An instruction that reads a built-in.
enum Load {
    /// The load of the whole built-in.
    Whole(Inst),
    /// The load of one component, whose number is another operand.
    Component { load: Inst, index: Inst },
}

impl Load {
    fn inst(&self) -> Inst {
        match *self {
            Load::Whole(load) | Load::Component { load, .. } => load,
        }
    }
}

/// A built-in variable and the instructions of a function that read it.
struct Read {
    variable: (Inst, BuiltIn),
    loads: Vec<Load>,
}

/// Adds the loads of a variable to the requested functions that contain them; also loads through pointers derived from it. Linear in the
/// uses.
fn add_reads(
    module: &Module,
    variable: Inst,
    built_in: BuiltIn,
    read: &mut FxHashMap<Function, Vec<Read>>,
) -> Result<(), Diagnostic> {
    let mut pointers = vec![(variable, None)];
    while let Some((pointer, component)) = pointers.pop() {
        for user in module.uses(pointer).map(|used| used.user) {
            let Some(reads) = module.function_of(user).and_then(|function| read.get_mut(&function)) else { continue };
            let load = match (module.op(user), component) {
                (op, _) if op.class() == reconverge_ir::Class::Structure => continue,
                (Op::Load, None) => Load::Whole(user),
                (Op::Load, Some(index)) => Load::Component { load: user, index },
                (op, _) => {
                    let message = || format!("`{}` of a built-in variable", op.name());
                    let component = component_behind(module, user, pointer, component);
                    pointers.push((user, component.ok_or_else(|| error::unsupported(user, message()))?));
                    continue;
                }
            };
            match reads.last_mut().filter(|read| read.variable.0 == variable) {
                Some(read) => read.loads.push(load),
                None => reads.push(Read { variable: (variable, built_in), loads: vec![load] }),
            }
        }
    }
    Ok(())
}

/// The component that a pointer derived from a pointer to the whole, or to a component, points to. `None` for pointers derived otherwise.
fn component_behind(module: &Module, made: Inst, of: Inst, component: Option<Inst>) -> Option<Option<Inst>> {
    match module.op(made) {
        Op::CopyObject => Some(component),
        Op::Bitcast => (module.ty(made) == module.ty(of)).then_some(component),
        Op::AccessChain | Op::InBoundsAccessChain => {
            let indexes = view::Chain::of(module, made)?.indexes;
            match (indexes.len(), component) {
                (0, component) => Some(component),
                (1, None) => Some(indexes.first()),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Removes variables without loads, with the pointers derived from them.
fn forget(module: &mut Module, variables: &[(Inst, BuiltIn)]) -> Result<(), Diagnostic> {
    let mut doomed: Vec<Inst> = variables.iter().map(|&(variable, _)| variable).collect();
    let gone: FxHashSet<Inst> = doomed.iter().copied().collect();
    let mut next = 0;
    while next < doomed.len() {
        for user in module.uses(doomed[next]).map(|used| used.user).collect::<Vec<_>>() {
            match module.op(user) {
                Op::EntryPoint => {}
                Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject | Op::Bitcast => doomed.push(user),
                op => {
                    let message = format!("`{}` of a built-in variable outside of kernels", op.name());
                    return Err(error::unsupported(user, message));
                }
            }
        }
        next += 1;
    }
    leave_interfaces(module, &gone);
    doomed.into_iter().rev().for_each(|inst| module.edit().delete(inst));
    Ok(())
}

/// Emits the built-ins at the start of one function.
struct BuiltinWriter<'m, 'c> {
    build: Builder<'m>,
    context: &'c mut Context,
    function: Function,
    /// The instruction before which the built-ins are emitted; it stays until all are emitted.
    first: Inst,
    /// Vulkan's built-ins that are already loaded.
    loaded: FxHashMap<BuiltIn, Inst>,
}

impl<'m, 'c> BuiltinWriter<'m, 'c> {
    fn new(module: &'m mut Module, context: &'c mut Context, function: Function) -> BuiltinWriter<'m, 'c> {
        let first = first_instruction(module, function);
        let mut build = Builder::new(module);
        build.before(first);
        BuiltinWriter { build, context, function, first, loaded: FxHashMap::default() }
    }

    fn module(&self) -> &Module {
        self.build.module()
    }

    /// The value of a built-in, of the type of its variable.
    fn value(&mut self, variable: Inst, built_in: BuiltIn) -> Result<Inst, Diagnostic> {
        let ty = self.module().pointee(variable).expect("invariant: a variable has a pointer type");
        let (component, count) = self.module().components(ty);
        let expected = match built_in {
            BuiltIn::WorkgroupSize | BuiltIn::EnqueuedWorkgroupSize | BuiltIn::GlobalSize | BuiltIn::GlobalOffset => 3,
            _ => vulkan_shape(built_in).unwrap_or(1),
        };
        let is_integer = self.module().op(component) == Op::TypeInt;
        if count != expected || !is_integer || !matches!(self.module().width(component), Some(32 | 64)) {
            return Err(error::rejected(variable, format!("a built-in variable {built_in:?} of an unexpected type")));
        }
        Ok(match built_in {
            BuiltIn::GlobalInvocationId => {
                let id = self.vulkan(built_in, ty);
                match self.global_offset(ty) {
                    Some(offset) => self.build.i_add(ty, &[id, offset]),
                    None => id,
                }
            }
            BuiltIn::WorkgroupSize | BuiltIn::EnqueuedWorkgroupSize => self.work_group_size(ty),
            BuiltIn::GlobalSize => self.global_size(ty),
            BuiltIn::GlobalOffset => match self.global_offset(ty) {
                Some(offset) => offset,
                None => self.build.constant_null(ty, &[]),
            },
            BuiltIn::GlobalLinearId => self.global_linear_id(ty),
            BuiltIn::WorkDim => self.work_dim(ty),
            BuiltIn::SubgroupMaxSize => self.vulkan(BuiltIn::SubgroupSize, ty),
            BuiltIn::SubgroupSize => self.subgroup_size(ty),
            BuiltIn::NumSubgroups | BuiltIn::NumEnqueuedSubgroups => self.num_subgroups(ty),
            built_in => self.vulkan(built_in, ty),
        })
    }

    /// A built-in of Vulkan, converted to a type.
    fn vulkan(&mut self, built_in: BuiltIn, ty: Inst) -> Inst {
        let value = match self.loaded.get(&built_in) {
            Some(&value) => value,
            None => {
                let u32_type = self.build.int_type(32);
                let count = vulkan_shape(built_in).expect("invariant: only Vulkan's built-ins are loaded");
                let own = vector_type(&mut self.build, u32_type, count);
                let variable = self.context.found.input_variable(&mut self.build, built_in, own);
                let value = self.build.load(own, &[variable]);
                self.loaded.insert(built_in, value);
                value
            }
        };
        convert_unsigned(&mut self.build, value, ty)
    }

    fn work_group_size(&mut self, ty: Inst) -> Inst {
        let sizes = work_group_size(&mut self.build, self.context, self.function);
        let u32_type = self.build.int_type(32);
        let vector = vector_type(&mut self.build, u32_type, 3);
        let is_constant = sizes.iter().all(|&size| self.module().op(size) == Op::Constant);
        let (component, _) = self.module().components(ty);
        if is_constant {
            let sizes = sizes.map(|size| self.module().constant_bits(size).unwrap_or(1));
            let sizes = sizes.map(|size| integer(&mut self.build, component, size));
            return self.build.constant_composite(ty, &sizes);
        }
        let size = self.build.composite_construct(vector, &sizes);
        convert_unsigned(&mut self.build, size, ty)
    }

    fn global_size(&mut self, ty: Inst) -> Inst {
        let groups = self.vulkan(BuiltIn::NumWorkgroups, ty);
        let size = self.work_group_size(ty);
        self.build.i_mul(ty, &[groups, size])
    }

    /// The global offset, if launches can have one.
    fn global_offset(&mut self, ty: Inst) -> Option<Inst> {
        let offset = self.context.kernels_of(self.module(), self.function).next()?.global_offset?;
        let u64_type = self.build.int_type(64);
        let words = [offset, offset + 8, offset + 16]
            .map(|offset| load_push_constant(&mut self.build, self.function, offset, u64_type));
        let vector = vector_type(&mut self.build, u64_type, 3);
        let value = self.build.composite_construct(vector, &words);
        Some(convert_unsigned(&mut self.build, value, ty))
    }

    /// The number of a lane in the launch, counted from zero for every offset.
    fn global_linear_id(&mut self, ty: Inst) -> Inst {
        let vector = vector_type(&mut self.build, ty, 3);
        let id = self.vulkan(BuiltIn::GlobalInvocationId, vector);
        let size = self.global_size(vector);
        let mut component = |of, index| {
            let index = self.build.editor().word(index);
            self.build.composite_extract(ty, &[of, index])
        };
        let [x, y, z] = [0, 1, 2].map(|index| component(id, index));
        let [width, height] = [0, 1].map(|index| component(size, index));
        let rows = self.build.i_mul(ty, &[z, height]);
        let rows = self.build.i_add(ty, &[rows, y]);
        let lanes = self.build.i_mul(ty, &[rows, width]);
        self.build.i_add(ty, &[lanes, x])
    }

    /// The number of dimensions, which Vulkan does not provide.
    fn work_dim(&mut self, ty: Inst) -> Inst {
        let (spec_id, constant) = match self.context.found.work_dim {
            Some(known) => known,
            None => self.declare_work_dim(),
        };
        let change = |kernel: &mut Kernel| kernel.work_dim = Some(spec_id);
        self.context.change_kernels_of(self.build.module(), self.function, change);
        convert_unsigned(&mut self.build, constant, ty)
    }

    /// The specialization constant of the number of dimensions: the existing one, or a new one.
    fn declare_work_dim(&mut self) -> (u32, Inst) {
        let known = self.context.reflection.kernels.iter().find_map(|kernel| kernel.work_dim);
        let spec_id = known.unwrap_or_else(|| {
            let mut ids = SpecIds::of(self.build.module());
            let reserved = self.context.reflection.kernels.iter().flat_map(|kernel| kernel.spec_ids());
            ids.skip_to(reserved.max().map_or(3, |id| id + 1));
            ids.next()
        });
        let module = self.build.module();
        let declared = module.globals().find(|&global| {
            let is_number = module.op(global) == Op::SpecConstant;
            is_number && module.decorated(global).find() == Some(decoration::SpecId(spec_id))
        });
        let constant = declared.unwrap_or_else(|| {
            let u32_type = self.build.int_type(32);
            let three = self.build.editor().word(3);
            let constant = self.build.spec_constant(u32_type, &[three]);
            self.build.add_decoration(constant, decoration::SpecId(spec_id));
            constant
        });
        self.context.found.work_dim = Some((spec_id, constant));
        (spec_id, constant)
    }

    /// The number of lanes of a work-group.
    fn lanes(&mut self) -> Inst {
        let u32_type = self.build.int_type(32);
        let [x, y, z] = work_group_size(&mut self.build, self.context, self.function);
        let row = self.build.i_mul(u32_type, &[x, y]);
        self.build.i_mul(u32_type, &[row, z])
    }

    /// The number of subgroups of a work-group. The last one need not be full.
    fn num_subgroups(&mut self, ty: Inst) -> Inst {
        if !self.context.options.driver.quirks().omits_partial_subgroup {
            return self.vulkan(BuiltIn::NumSubgroups, ty);
        }
        let u32_type = self.build.int_type(32);
        let full = self.vulkan(BuiltIn::SubgroupSize, u32_type);
        let one = word(&mut self.build, 1);
        let all = self.lanes();
        let more = self.build.i_sub(u32_type, &[full, one]);
        let rounded = self.build.i_add(u32_type, &[all, more]);
        let number = self.build.u_div(u32_type, &[rounded, full]);
        convert_unsigned(&mut self.build, number, ty)
    }

    /// The number of lanes of the subgroup: all subgroups except the last are full.
    fn subgroup_size(&mut self, ty: Inst) -> Inst {
        let u32_type = self.build.int_type(32);
        let bool_type = self.build.bool_type();
        let full = self.vulkan(BuiltIn::SubgroupSize, u32_type);
        let number = self.vulkan(BuiltIn::SubgroupId, u32_type);
        let all = self.lanes();
        let before = self.build.i_mul(u32_type, &[number, full]);
        let rest = self.build.i_sub(u32_type, &[all, before]);
        let is_last = self.build.u_less_than(bool_type, &[rest, full]);
        let size = self.build.select(u32_type, &[is_last, rest, full]);
        convert_unsigned(&mut self.build, size, ty)
    }

    /// Replaces a load by a value. The load stays, without uses.
    fn replace(&mut self, loads: &[Load], value: Inst) {
        for load in loads {
            let replacement = match *load {
                Load::Whole(_) => value,
                Load::Component { load, index } => {
                    let ty = self.module().ty(load).expect("invariant: a load has a type");
                    self.build.before(load);
                    match constant_value(self.module(), index) {
                        Some(number) => {
                            let number = self.build.editor().word(number as u32);
                            self.build.composite_extract(ty, &[value, number])
                        }
                        None => self.build.vector_extract_dynamic(ty, &[value, index]),
                    }
                }
            };
            self.build.editor().replace_all_uses(load.inst(), replacement);
        }
        self.build.before(self.first);
    }
}

/// The three sizes of the work-groups of a function, as 32-bit constants or specialization constants.
pub(super) fn work_group_size(build: &mut Builder<'_>, context: &Context, function: Function) -> [Inst; 3] {
    let module = build.module();
    let fixed = context.kernels_of(module, function).next().and_then(|kernel| match kernel.local_size {
        LocalSize::Fixed(size) => Some(size),
        LocalSize::Specialized(_) => kernel.required_local_size,
    });
    match (fixed, context.found.work_group_size(module)) {
        (None, Some(constant)) => [0, 1, 2].map(|index| module.operand(constant, index)),
        (fixed, _) => {
            let size = fixed.or_else(|| local_size_mode(module, function)).unwrap_or([1; 3]);
            size.map(|size| word(build, size))
        }
    }
}
