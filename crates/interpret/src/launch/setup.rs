//! The state before and after a launch: buffers, module-level variables, arguments.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Inst, Op};

use crate::code::program::{Global, Sharing};
use crate::fault::Fault;
use crate::images::texels::ImageStore;
use crate::lanes::machine::{Machine, Mode};
use crate::launch::error::{misfit, no_body, wrong_argument, wrong_count, wrong_variable};
use crate::memory::Memory;
use crate::memory::bitmask::Bitmask;
use crate::types::{TypeId, TypeKind};
use crate::value::Owner;
use crate::{Argument, Buffer, Contents, Interpreter, Launch, Pointer, Texel, Value, launch::builtin};

impl<'a> Machine<'a> {
    /// The memory of a launch before its start.
    pub(crate) fn new(
        program: &'a Interpreter<'a>,
        function: Function,
        launch: &Launch,
    ) -> Result<Machine<'a>, Diagnostic> {
        if launch.lanes == 0 || launch.lanes > usize::from(u16::MAX) {
            return Err(misfit(format!("cannot run {} lanes: expected 1 to 65,535", launch.lanes)));
        }
        if launch.subgroup_size == Some(0) {
            return Err(misfit("a subgroup has at least one lane"));
        }
        if launch.demoted.iter().any(|&lane| lane >= launch.lanes) {
            return Err(misfit("a helper lane is none of the lanes"));
        }
        check_arguments(program, function, launch)?;
        let is_global = |variable: Inst| program.globals.iter().any(|global| global.variable == variable);
        if let Some(&variable) = launch.observed.iter().find(|&&variable| !is_global(variable)) {
            return Err(wrong_variable(variable));
        }
        let mut machine = Machine {
            program,
            memory: Memory::new(launch.lanes),
            images: launch.images.clone().map(|source| Box::new(ImageStore::new(program, source))),
            kernel_images: Box::default(),
            lanes: launch.lanes,
            buffers: Vec::new(),
            mode: if launch.lanes == 1 { Mode::Alone } else { Mode::Function },
        };
        machine.make_globals(function, launch)?;
        for (index, bytes) in launch.buffers.iter().enumerate() {
            let buffer =
                machine.memory.allocate(Owner::Shared, bytes.len() as u64).map_err(|_| wrong_argument(index))?;
            machine.memory.fill(buffer, bytes).map_err(|_| wrong_argument(index))?;
            machine.buffers.push(buffer);
        }
        Ok(machine)
    }

    /// Creates the module-level variables in the order of their numbers, then initializes them: from their initializers, as built-ins, and
    /// from the launch.
    fn make_globals(&mut self, function: Function, launch: &Launch) -> Result<(), Diagnostic> {
        for global in &self.program.globals {
            let wrong = |_| wrong_variable(global.variable);
            for lane in 0..global.owners(self.lanes) {
                let size = self.program.types.size(global.ty);
                let room = launch.contents.iter().filter(|contents| contents.variable == global.variable);
                let size = room.map(|contents| self.room(global.ty, &contents.value)).fold(size, u64::max);
                self.memory.allocate_variable(global.owner(lane), size).map_err(wrong)?;
            }
        }
        for global in &self.program.globals {
            for lane in 0..global.owners(self.lanes) {
                self.initialize(global, lane).map_err(|_| wrong_variable(global.variable))?;
            }
        }
        builtin::fill(&mut self.memory, self.program, launch, function);
        launch.contents.iter().try_for_each(|contents| self.fill(contents))
    }

    pub(super) fn initialize(&mut self, global: &Global, lane: usize) -> Result<(), Fault> {
        let Some(initializer) = global.initializer else { return Ok(()) };
        let (program, pointer) = (self.program, global.pointer(lane));
        let value = match program.module.op(initializer) {
            Op::ConstantNull => return self.memory.fill(pointer, &vec![0; program.types.size(global.ty) as usize]),
            Op::Variable => self.global(initializer).map(|other| Value::Pointer(other.pointer(lane))),
            _ => program.constant_value(initializer).ok(),
        };
        // A value that cannot be represented stays undefined, which is reported at its use.
        // No lane writes it.
        value.map_or(Ok(()), |value| self.memory.write(&program.types, global.ty, pointer, &value))
    }

    /// The size of the object for a value: more than the type's size if it contains an array of unknown length.
    fn room(&self, ty: TypeId, value: &Value) -> u64 {
        let types = &self.program.types;
        let (kind, elements) = (types.kind(ty), value.elements());
        match (kind, elements) {
            (Some(TypeKind::RuntimeArray { stride, .. }), Some(elements)) => {
                stride.saturating_mul(elements.len() as u64)
            }
            (Some(TypeKind::Struct(members)), Some(elements)) => match (members.last(), elements.last()) {
                (Some(&(member, offset)), Some(value)) => offset.saturating_add(self.room(member, value)),
                _ => 0,
            },
            _ => types.size(ty),
        }
    }

    fn fill(&mut self, contents: &Contents) -> Result<(), Diagnostic> {
        let wrong = || wrong_variable(contents.variable);
        let global = self.global(contents.variable).ok_or_else(wrong)?;
        let lanes = match contents.lane {
            _ if global.sharing != Sharing::Lane => 0..1,
            None => 0..self.lanes,
            Some(lane) if lane < self.lanes => lane..lane + 1,
            Some(_) => return Err(wrong()),
        };
        for lane in lanes {
            self.put(global.ty, global.pointer(lane), &contents.value).map_err(|_| wrong())?;
        }
        Ok(())
    }

    /// Stores a value that may contain an array of unknown length, as the whole value or as the last member.
    fn put(&mut self, ty: TypeId, pointer: Pointer, value: &Value) -> Result<(), Fault> {
        let types = &self.program.types;
        match (types.kind(ty), value) {
            (Some(&TypeKind::RuntimeArray { element, stride }), Value::Composite(elements)) => {
                for (index, value) in elements.iter().enumerate() {
                    self.memory.store(
                        types,
                        element,
                        pointer.advanced(stride.wrapping_mul(index as u64).cast_signed()),
                        value,
                    )?;
                }
                Ok(())
            }
            (Some(TypeKind::Struct(members)), Value::Composite(elements)) if members.len() == elements.len() => {
                for (&(member, offset), value) in members.iter().zip(elements.iter()) {
                    self.put(member, pointer.advanced(offset as i64), value)?;
                }
                Ok(())
            }
            _ => self.memory.store(types, ty, pointer, value),
        }
    }

    fn global(&self, variable: Inst) -> Option<&'a Global> {
        self.program.globals.iter().find(|global| global.variable == variable)
    }

    /// The argument for a parameter of the launched function in a lane.
    pub(crate) fn argument(&self, argument: &Argument, lane: usize) -> Value {
        match argument {
            Argument::Same(value) => value.clone(),
            Argument::PerLane(values) => values[lane].clone(),
            Argument::Buffer(number) => Value::Pointer(self.buffers[*number]),
        }
    }

    /// The buffers, in their order.
    pub(crate) fn final_buffers(&self) -> Vec<Buffer> {
        let contents = self.buffers.iter().filter_map(|&buffer| self.memory.contents(buffer));
        let flags = |length: usize, mask: &Bitmask| (0..length).map(|index| mask.contains(index)).collect();
        contents.map(|(bytes, mask)| Buffer { bytes: bytes.to_vec(), defined: flags(bytes.len(), mask) }).collect()
    }

    /// The texels that the run wrote, by image and position.
    pub(crate) fn final_texels(&self) -> Vec<Texel> {
        let images = self.images.as_deref();
        images.map(|images| images.final_texels(&self.memory, &self.program.types)).unwrap_or_default()
    }

    /// The contents of the observed variables; none for types without values.
    pub(crate) fn final_variables(&self, launch: &Launch) -> Vec<Contents> {
        let mut variables = Vec::new();
        for &variable in &launch.observed {
            let Some(global) = self.global(variable) else { continue };
            for lane in 0..global.owners(self.lanes) {
                if let Ok(value) = self.take(global.ty, global.pointer(lane)) {
                    variables.push(Contents {
                        variable,
                        lane: (global.sharing == Sharing::Lane).then_some(lane),
                        value,
                    });
                }
            }
        }
        variables
    }

    /// Loads a value that may contain an array of unknown length, which ends at the end of the object.
    fn take(&self, ty: TypeId, pointer: Pointer) -> Result<Value, Fault> {
        let types = &self.program.types;
        match types.kind(ty) {
            Some(&TypeKind::RuntimeArray { element, stride }) => {
                let count = self.memory.bytes_after(pointer)? / stride.max(1);
                let at = |index: u64| self.take(element, pointer.advanced((index * stride).cast_signed()));
                Ok(Value::composite((0..count).map(at).collect::<Result<Vec<Value>, Fault>>()?))
            }
            Some(TypeKind::Struct(members)) => {
                let member = |&(member, offset): &(TypeId, u64)| self.take(member, pointer.advanced(offset as i64));
                Ok(Value::composite(members.iter().map(member).collect::<Result<Vec<Value>, Fault>>()?))
            }
            Some(_) => self.memory.load(types, ty, pointer),
            None => Err(Fault::malformed("a variable without a type")),
        }
    }
}

fn check_arguments(program: &Interpreter<'_>, function: Function, launch: &Launch) -> Result<(), Diagnostic> {
    let module = program.module;
    if program.function_number(function).is_none() || module.entry(function).is_none() {
        return Err(no_body(function));
    }
    let expected = module.parameters(function).count();
    if expected != launch.arguments.len() {
        return Err(wrong_count(expected, launch.arguments.len()));
    }
    for (index, (parameter, argument)) in module.parameters(function).zip(&launch.arguments).enumerate() {
        let ty = program.type_of(parameter.inst()).ok_or_else(|| wrong_argument(index))?;
        let fits = match argument {
            Argument::Same(value) => program.types.fits(ty, value),
            Argument::PerLane(values) => {
                values.len() == launch.lanes && values.iter().all(|value| program.types.fits(ty, value))
            }
            Argument::Buffer(number) => {
                *number < launch.buffers.len() && matches!(program.types.kind(ty), Some(TypeKind::Pointer { .. }))
            }
        };
        if !fits {
            return Err(wrong_argument(index));
        }
    }
    Ok(())
}
