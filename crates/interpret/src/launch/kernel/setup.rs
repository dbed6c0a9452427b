//! The state before a kernel starts: buffers, push constants, variables, arguments.
//!
//! Objects that all lanes see are created once. For each work-group its variables, its local arguments and the objects of its lanes are
//! created again; the numbers and addresses of these objects are the same each time.

use std::collections::HashSet;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::decoration::{Binding, DescriptorSet};
use reconverge_ir::{Function, Inst, Module, Op, view};
use spirv::{BuiltIn, Capability, StorageClass};

use crate::code::program::{Global, Sharing};
use crate::fault::Fault;
use crate::images::open_cl::KernelImages;
use crate::images::texels::ImageStore;
use crate::lanes::machine::{Machine, Mode};
use crate::launch::builtin::{self, built_in};
use crate::launch::error::{misfit, too_large, wrong_address, wrong_argument, wrong_count, wrong_variable};
use crate::memory::Memory;
use crate::types::{TypeId, TypeKind};
use crate::value::Owner;
use crate::{Holder, Interpreter, KernelArgument, KernelLaunch, LaneId, Pointer, Value, code::specialization};

/// The argument for a parameter, after shared objects are created.
#[derive(Clone, Debug)]
pub(crate) enum Prepared {
    /// The same value in all lanes.
    Value(Value),
    /// A pointer to memory of the work-group.
    Local(u64),
    /// A pointer to an object with these bytes in each lane.
    Object(Vec<u8>),
}

impl<'a> Machine<'a> {
    /// The memory of a kernel launch that all lanes share.
    pub(super) fn for_kernel(
        program: &'a Interpreter<'a>,
        function: Function,
        launch: &KernelLaunch,
    ) -> Result<Machine<'a>, Diagnostic> {
        let lanes = launch.lanes().ok_or_else(|| misfit("a work-group has 1 to 65,535 lanes"))?;
        if !(1..=128).contains(&launch.subgroup_size) {
            return Err(misfit("a subgroup has 1 to 128 lanes"));
        }
        let images = launch.images.clone().map(|source| Box::new(ImageStore::new(program, source)));
        let mut machine = Machine {
            program,
            memory: Memory::new(0),
            images,
            kernel_images: Box::new(KernelImages::new(program.module)),
            lanes,
            buffers: Vec::new(),
            mode: Mode::Kernel,
        };
        let reached = reached(program.module, function);
        for global in program.globals.iter().filter(|global| global.sharing == Sharing::All) {
            let size = match program.module.storage_class(global.variable) {
                Some(StorageClass::PushConstant) => {
                    program.types.size(global.ty).max(launch.push_constants.len() as u64)
                }
                _ if let Some(bytes) =
                    bound_buffer(program, &reached, launch, global).and_then(|buffer| launch.buffers.get(buffer)) =>
                {
                    program.types.size(global.ty).max(bytes.len() as u64)
                }
                _ => program.types.size(global.ty),
            };
            machine.memory.allocate_variable(Owner::Shared, size).map_err(|_| too_large())?;
        }
        for (index, bytes) in launch.buffers.iter().enumerate() {
            let holder = program.globals.iter().find(|global| {
                global.sharing == Sharing::All && bound_buffer(program, &reached, launch, global) == Some(index)
            });
            let own = machine.memory.allocate(Owner::Shared, if holder.is_some() { 0 } else { bytes.len() as u64 });
            let own = own.map_err(|_| too_large())?;
            let buffer = holder.map_or(own, |global| global.pointer(0));
            machine.memory.fill(buffer, bytes).expect("invariant: the buffer is as large as its contents");
            machine.buffers.push(buffer);
        }
        machine.initialize_all(Sharing::All)?;
        machine.fill_push_constants(launch)?;
        Ok(machine)
    }

    fn fill_push_constants(&mut self, launch: &KernelLaunch) -> Result<(), Diagnostic> {
        let mut bytes = launch.push_constants.clone();
        for (index, address) in launch.addresses.iter().enumerate() {
            let wrong = || wrong_address(index);
            let buffer = self.buffers.get(address.buffer).ok_or_else(wrong)?;
            let number = self.memory.address(*buffer).ok_or_else(wrong)?.wrapping_add(address.offset);
            let end = address.at.checked_add(8).ok_or_else(wrong)?;
            match address.holder {
                Holder::PushConstants => {
                    bytes.get_mut(address.at..end).ok_or_else(wrong)?.copy_from_slice(&number.to_le_bytes());
                }
                Holder::Buffer(holder) => {
                    let holder = self.buffers.get(holder).ok_or_else(wrong)?.advanced(address.at as i64);
                    self.memory.fill(holder, &number.to_le_bytes()).map_err(|_| wrong())?;
                }
            }
        }
        for global in &self.program.globals {
            if self.program.module.storage_class(global.variable) == Some(StorageClass::PushConstant) {
                let filled = self.memory.fill(global.pointer(0), &bytes);
                filled.expect("invariant: the variable is as large as the push constants");
            }
        }
        Ok(())
    }

    /// The arguments for the parameters of a kernel.
    pub(super) fn prepare(&mut self, function: Function, launch: &KernelLaunch) -> Result<Vec<Prepared>, Diagnostic> {
        let module = self.program.module;
        let expected = module.parameters(function).count();
        if expected != launch.arguments.len() {
            return Err(wrong_count(expected, launch.arguments.len()));
        }
        let prepared = module.parameters(function).zip(&launch.arguments).enumerate();
        prepared
            .map(|(index, (parameter, argument))| match self.prepare_image(index, parameter.inst(), argument)? {
                Some(image) => Ok(image),
                None => self.prepare_one(parameter.inst(), argument).ok_or_else(|| wrong_argument(index)),
            })
            .collect()
    }

    fn prepare_one(&self, parameter: Inst, argument: &KernelArgument) -> Option<Prepared> {
        let (program, types) = (self.program, &self.program.types);
        let ty = program.type_of(parameter)?;
        let is_pointer = matches!(types.kind(ty), Some(TypeKind::Pointer { .. }));
        match argument {
            KernelArgument::Buffer { index, offset } => {
                let offset = i64::try_from(*offset).ok()?;
                let pointer = self.buffers.get(*index)?.advanced(offset);
                is_pointer.then_some(Prepared::Value(Value::Pointer(pointer)))
            }
            KernelArgument::Local { bytes } => is_pointer.then_some(Prepared::Local(*bytes)),
            KernelArgument::Bytes(bytes)
                if is_pointer && program.module.storage_class(parameter) == Some(StorageClass::Function) =>
            {
                let pointee = program.module.ty(parameter).and_then(|ty| program.pointee(ty))?;
                (types.extent(pointee) <= bytes.len() as u64).then(|| Prepared::Object(bytes.clone()))
            }
            KernelArgument::Bytes(bytes) if is_pointer => {
                let address = u64::from_le_bytes(bytes[..].try_into().ok()?);
                let null = Value::Pointer(Pointer::NULL);
                Some(Prepared::Value(if address == 0 { null } else { Value::Pointer(self.memory.pointer_at(address)) }))
            }
            KernelArgument::Bytes(bytes) => self.value_of(ty, bytes).map(Prepared::Value),
            KernelArgument::Image { .. } | KernelArgument::Sampler(_) => None,
        }
    }

    /// The value of a type with these bytes.
    fn value_of(&self, ty: TypeId, bytes: &[u8]) -> Option<Value> {
        let types = &self.program.types;
        let length = bytes.len() as u64;
        if length < types.extent(ty) || length > types.size(ty) {
            return None;
        }
        let mut memory = Memory::new(0);
        let place = memory.allocate(Owner::Shared, length).ok()?;
        memory.fill(place, bytes).ok()?;
        memory.read(types, ty, place).ok()
    }

    /// Creates the objects of a work-group and of its lanes, except the built-in variables.
    pub(crate) fn begin_group(&mut self) -> Result<(), Diagnostic> {
        self.memory.begin_group(self.lanes);
        for global in self.program.globals.iter().filter(|global| global.sharing != Sharing::All) {
            for lane in 0..global.owners(self.lanes) {
                let size = self.program.types.size(global.ty);
                let variable = self.memory.allocate_variable(global.owner(lane), size);
                let variable = variable.map_err(|_| too_large())?;
                self.memory.describe(&self.program.types, global.ty, variable, global.variable);
            }
        }
        self.initialize_all(Sharing::Group)?;
        self.initialize_all(Sharing::Lane)?;
        self.memory.discard_notes();
        Ok(())
    }

    fn initialize_all(&mut self, sharing: Sharing) -> Result<(), Diagnostic> {
        for global in self.program.globals.iter().filter(|global| global.sharing == sharing) {
            let Some(initializer) = global.initializer else { continue };
            // A pointer to another variable of the lane differs between lanes; everything else is computed once.
            let is_own = self.program.module.op(initializer) == Op::Variable;
            for lane in 0..global.owners(self.lanes) {
                let initialized = match lane > 0 && !is_own {
                    true => self.memory.repeat(global.pointer(0), global.pointer(lane)),
                    false => self.initialize(global, lane),
                };
                initialized.map_err(|_| wrong_variable(global.variable))?;
            }
        }
        Ok(())
    }

    /// The arguments of the kernel in a work-group: values, and the bytes of objects of which each lane gets a copy.
    pub(super) fn group_arguments(&mut self, prepared: &[Prepared]) -> Result<Vec<Prepared>, Diagnostic> {
        let argument = |prepared: &Prepared| match prepared {
            Prepared::Local(bytes) => {
                let pointer = self.memory.allocate(Owner::Group, *bytes).map_err(|_| too_large())?;
                Ok(Prepared::Value(Value::Pointer(pointer)))
            }
            other => Ok(other.clone()),
        };
        prepared.iter().map(argument).collect()
    }

    /// The arguments of a lane.
    pub(super) fn lane_arguments(&mut self, arguments: &[Prepared], lane: usize) -> Result<Vec<Value>, Diagnostic> {
        let argument = |prepared: &Prepared| match prepared {
            Prepared::Value(value) => Ok(value.clone()),
            Prepared::Local(_) => unreachable!("the work-group made values of these"),
            Prepared::Object(bytes) => {
                let owner = Owner::Lane(lane as u16);
                let pointer = self.memory.allocate(owner, bytes.len() as u64).map_err(|_| too_large())?;
                self.memory.fill(pointer, bytes).expect("invariant: the object is as large as its contents");
                Ok(Value::Pointer(pointer))
            }
        };
        arguments.iter().map(argument).collect()
    }

    /// Fills the built-in variables of a lane.
    pub(super) fn fill_built_ins(&mut self, inputs: &[Input<'a>], launch: &KernelLaunch, lane: LaneId, index: u32) {
        let types = &self.program.types;
        for input in inputs {
            let number = built_in(input.built_in, launch, lane, index);
            // A variable with a type that the built-in cannot have stays undefined, which is reported at its use.
            if let Some(value) = number.and_then(|number| builtin::value(types, input.global.ty, number)) {
                let stored: Result<(), Fault> =
                    self.memory.write(types, input.global.ty, input.global.pointer(index as usize), &value);
                stored.expect("invariant: the value is of the type of the variable");
            }
        }
    }
}

/// A function and those that it calls, also through others. Linear in their instructions.
fn reached(module: &Module, function: Function) -> HashSet<Function> {
    let (mut reached, mut rest) = (HashSet::from([function]), vec![function]);
    while let Some(function) = rest.pop() {
        let insts = module.blocks(function).flat_map(|block| module.children(block));
        let called = insts.filter_map(|inst| module.callee(inst));
        rest.extend(called.filter(|&callee| reached.insert(callee)));
    }
    reached
}

/// The buffer that is the contents of a variable which one of the functions accesses.
fn bound_buffer(
    program: &Interpreter<'_>,
    functions: &HashSet<Function>,
    launch: &KernelLaunch,
    global: &Global,
) -> Option<usize> {
    if launch.bindings.is_empty() {
        return None;
    }
    let module = program.module;
    let Binding(number) = module.decorated(global.variable).find()?;
    let DescriptorSet(set) = module.decorated(global.variable).find().unwrap_or(DescriptorSet(0));
    let is_own = module
        .uses(global.variable)
        .any(|used| module.function_of(used.user).is_some_and(|user| functions.contains(&user)));
    let bound = launch.bindings.iter().find(|bound| (bound.set, bound.binding) == (set, number));
    bound.filter(|_| is_own).map(|bound| bound.buffer)
}

/// A built-in variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a> {
    pub(crate) global: &'a Global,
    pub(crate) built_in: BuiltIn,
}

/// The built-in variables of a module.
pub(crate) fn inputs<'a>(program: &'a Interpreter<'_>) -> Vec<Input<'a>> {
    let module = program.module;
    let mut capabilities = module.globals().filter_map(|inst| view::Capability::of(module, inst));
    let is_open_cl = capabilities.any(|declared| declared.capability == Some(Capability::Kernel));
    let input = |global: &'a Global| {
        let built_in = match specialization::built_in(module, global.variable)? {
            // OpenCL counts the lanes that exist, Vulkan the maximum.
            BuiltIn::SubgroupSize if !is_open_cl => BuiltIn::SubgroupMaxSize,
            built_in => built_in,
        };
        (module.storage_class(global.variable) == Some(StorageClass::Input)).then_some(Input { global, built_in })
    };
    program.globals.iter().filter_map(input).collect()
}
