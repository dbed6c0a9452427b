//! Handles: which resource each one is, before anything is translated.
//!
//! ```text
//! createHandle(57, class, id, index, nonuniform)                        up to shader model 6.5
//! createHandleFromBinding(217, {low, high, space, class}, index, …)     from 6.6 on, and then
//! annotateHandle(216, handle, properties)                               which repeats what the metadata says
//! ```
//!
//! A handle is no value of the shader that comes out. It is a resource, an index, and whether lanes may have different indices.

use reconverge_diagnostic::Diagnostic;
use rustc_hash::FxHashMap;

use super::operations;
use crate::error::{Code, at_bit};
use crate::module::view::{Resource, ResourceClass, Resources};
use crate::module::{Argument, Constant, Function, FunctionId, Module, Operation, ValueId};

const CREATE_HANDLE: u32 = 57;
const ANNOTATE_HANDLE: u32 = 216;
const CREATE_HANDLE_FROM_BINDING: u32 = 217;

/// The resource that a handle refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Handle {
    /// An index of [`Handles::resources`].
    pub(super) resource: usize,
    /// The register, as an absolute number.
    pub(super) register: ValueId,
    /// True if lanes may have different registers.
    pub(super) is_nonuniform: bool,
}

/// The resources of a shader, and the handles of all its functions.
#[derive(Debug, Default)]
pub(super) struct Handles {
    pub(super) resources: Vec<Resource>,
    /// The handles of each function.
    functions: Vec<FxHashMap<ValueId, Handle>>,
}

impl Handles {
    /// Finds all handles. Linear in the module and the resources.
    pub(super) fn find(module: &Module, resources: Resources) -> Result<Handles, Diagnostic> {
        let lists =
            [resources.shader_resources, resources.unordered_access, resources.constant_buffers, resources.samplers];
        let mut handles = Handles { resources: lists.into_iter().flatten().collect(), functions: Vec::new() };
        for function in &module.functions {
            let found = handles.of_function(module, function)?;
            handles.functions.push(found);
        }
        Ok(handles)
    }

    /// The handle that a value is.
    pub(super) fn get(&self, function: FunctionId, value: ValueId) -> Option<Handle> {
        self.functions[function.index()].get(&value).copied()
    }

    fn of_function(&self, module: &Module, function: &Function) -> Result<FxHashMap<ValueId, Handle>, Diagnostic> {
        let mut found: FxHashMap<ValueId, Handle> = FxHashMap::default();
        // A handle is made before it is annotated, but its block may come later in the list of blocks.
        let mut waiting = Vec::new();
        for instruction in &function.instructions {
            let Operation::Call { callee, arguments, .. } = &instruction.operation else { continue };
            let Some(result) = instruction.result else { continue };
            let Some(number) = operations::number_of_call(module, function, *callee, arguments) else { continue };
            let reader = Arguments { module, function, arguments, offset: instruction.offset };
            match number {
                CREATE_HANDLE => drop(found.insert(result, self.created(&reader)?)),
                CREATE_HANDLE_FROM_BINDING => drop(found.insert(result, self.bound(&reader)?)),
                ANNOTATE_HANDLE => waiting.push((result, reader.value(1)?)),
                _ => {}
            }
        }
        for (result, source) in waiting {
            if let Some(&handle) = found.get(&source) {
                found.insert(result, handle);
            }
        }
        Ok(found)
    }

    fn created(&self, reader: &Arguments<'_>) -> Result<Handle, Diagnostic> {
        let (class, id) = (reader.constant(1)?, reader.constant(2)?);
        let same = |resource: &Resource| u64::from(resource.class.number()) == class && u64::from(resource.id) == id;
        let Some(resource) = self.resources.iter().position(same) else {
            return Err(reader.error(format!("expected the number of a resource, found {id} of class {class}")));
        };
        Ok(self.handle(resource, reader.value(3)?, reader.constant(4)?))
    }

    fn bound(&self, reader: &Arguments<'_>) -> Result<Handle, Diagnostic> {
        let [low, _high, space, class] = reader.members(1)?;
        let Some(class) = ResourceClass::of_number(class) else {
            return Err(reader.error(format!("expected a class of resources, found {class}")));
        };
        let has_register = |resource: &Resource| {
            let first = u64::from(resource.first_register);
            let end = resource.count.map_or(u64::MAX, |count| first + u64::from(count));
            resource.class == class && u64::from(resource.space) == space && (first..end).contains(&low)
        };
        let Some(resource) = self.resources.iter().position(has_register) else {
            return Err(reader.error(format!("expected a register of a resource, found {low} of space {space}")));
        };
        Ok(self.handle(resource, reader.value(2)?, reader.constant(3)?))
    }

    /// A handle. Where there is one register, all lanes have it.
    fn handle(&self, resource: usize, register: ValueId, nonuniform: u64) -> Handle {
        let is_range = self.resources[resource].count != Some(1);
        Handle { resource, register, is_nonuniform: nonuniform != 0 && is_range }
    }
}

/// The arguments of a call; the number of the operation is the first.
struct Arguments<'a> {
    module: &'a Module,
    function: &'a Function,
    arguments: &'a [Argument],
    offset: u64,
}

impl Arguments<'_> {
    fn error(&self, message: String) -> Diagnostic {
        at_bit(Code::Operation, self.offset, message)
    }

    fn value(&self, index: usize) -> Result<ValueId, Diagnostic> {
        match self.arguments.get(index) {
            Some(&Argument::Value(value)) => Ok(value),
            _ => Err(self.error(format!("expected a value as argument {index} of the operation"))),
        }
    }

    fn constant(&self, index: usize) -> Result<u64, Diagnostic> {
        let value = self.value(index)?;
        match self.module.constant(self.function, value) {
            Some(Constant::Integer(integer)) => Ok(*integer),
            _ => Err(self.error(format!("expected a constant as argument {index} of the operation"))),
        }
    }

    /// The members of a constant struct of four integers.
    fn members(&self, index: usize) -> Result<[u64; 4], Diagnostic> {
        let value = self.value(index)?;
        let error = || self.error(format!("expected a constant of four numbers as argument {index} of the operation"));
        match self.module.constant(self.function, value) {
            Some(Constant::Null) => Ok([0; 4]),
            Some(Constant::Aggregate(members)) => {
                let members: &[ValueId; 4] = members.as_slice().try_into().map_err(|_| error())?;
                let mut numbers = [0; 4];
                for (number, &member) in numbers.iter_mut().zip(members) {
                    *number = match self.module.constant(self.function, member) {
                        Some(Constant::Integer(integer)) => *integer,
                        _ => return Err(error()),
                    };
                }
                Ok(numbers)
            }
            _ => Err(error()),
        }
    }
}
