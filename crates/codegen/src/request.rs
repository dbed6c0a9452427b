//! Requests: the launches that an entry point is compiled for.

use reconverge_ir::{Function, Module, Stage, view};
use reconverge_lanes::{BufferSlot, Facts, FixedArgument, LaunchFacts, MachineName};
use reconverge_lanes_cpu::select::Bounds;
use reconverge_verify::verify;
use spirv::ExecutionMode;

use crate::CodegenError;

/// The launches that an entry point is compiled for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The name of the entry point.
    pub entry_point: String,
    /// Work-items of a work-group, in each dimension.
    pub local: [u32; 3],
    /// The most work-groups of a launch, in each dimension.
    pub groups: [u32; 3],
    /// Values of specialization constants: `SpecId` and value.
    pub constants: Vec<(u32, u32)>,
    /// Scalars among the push constants that are the same in every launch.
    pub arguments: Vec<FixedArgument>,
    /// The places of bound buffers. Their records follow each other among the push constants.
    pub buffers: Vec<BufferSlot>,
    /// The offset of the first record.
    pub records_offset: u32,
    /// The accesses to memory that code of the CPU tests.
    pub bounds: Bounds,
}

impl Request {
    /// Launches of an entry point with work-groups of a size and any number of them. Nothing else is known, and accesses are checked.
    pub fn new(entry_point: impl Into<String>, local: [u32; 3]) -> Request {
        Request {
            entry_point: entry_point.into(),
            local,
            groups: [u32::MAX; 3],
            constants: Vec::new(),
            arguments: Vec::new(),
            buffers: Vec::new(),
            records_offset: 0,
            bounds: Bounds::Checked,
        }
    }

    /// The facts that passes over lanes read, without those about the lanes of a pack.
    pub(crate) fn facts(&self, machine: MachineName) -> LaunchFacts {
        LaunchFacts {
            machine: Some(machine),
            constants: self.constants.iter().map(|&(id, value)| (id, value.into())).collect(),
            buffers: self.buffers.clone(),
            records_offset: self.records_offset,
            arguments: self.arguments.clone(),
            inputs: Facts::default(),
        }
    }

    /// The function of the entry point.
    ///
    /// # Errors
    /// The module has no entry point of that name, or its lanes are explicit already.
    pub fn function(&self, module: &Module) -> Result<Function, CodegenError> {
        let function = find_entry_point(module, &self.entry_point)?;
        match module.stage(function) {
            Stage::Masked => {
                let message = format!(
                    "the lanes of the kernel {} are explicit already (stage masked): give the module before that",
                    self.entry_point
                );
                Err(CodegenError::request(message))
            }
            Stage::Generic | Stage::Graph | Stage::Structured => Ok(function),
        }
    }

    /// Verifies the module for which code is requested.
    pub(crate) fn verify(&self, module: &Module) -> Result<(), CodegenError> {
        match verify(module).first() {
            None => Ok(()),
            Some(finding) => Err(CodegenError::request(format!("the module is invalid: {finding}"))),
        }
    }

    /// Compares the size of a work-group with the one that a specialized module has.
    pub(crate) fn check_size(&self, module: &Module, function: Function) -> Result<(), CodegenError> {
        match required_size(module, function).filter(|&required| required != self.local) {
            None => Ok(()),
            Some(required) => {
                let found = self.local;
                Err(CodegenError::request(format!(
                    "the kernel requires work-groups of {required:?}, but the launch has {found:?}"
                )))
            }
        }
    }
}

/// The function of the entry point of a name.
///
/// # Errors
/// There is none; the message lists those of the module.
pub fn find_entry_point(module: &Module, name: &str) -> Result<Function, CodegenError> {
    let found = entry_points(module).find(|entry| entry.name == name);
    found.and_then(|entry| module.cast(entry.function)).ok_or_else(|| {
        let names: Vec<String> = entry_points(module).map(|entry| entry.name.to_string()).collect();
        CodegenError::request(format!("no kernel {name}; the module has {}", names.join(", ")))
    })
}

/// The entry points of a module, in order.
pub fn entry_points(module: &Module) -> impl Iterator<Item = view::EntryPoint<'_>> {
    module.globals().filter_map(|inst| view::EntryPoint::of(module, inst))
}

/// The size of a work-group that an entry point requires: its execution mode `LocalSize`.
pub fn required_size(module: &Module, function: Function) -> Option<[u32; 3]> {
    let modes = module.globals().filter_map(|inst| view::Mode::of(module, inst));
    let sizes = modes.filter(|mode| mode.function == function.into()).find_map(|mode| {
        let word = |size| match mode.mode {
            Some(ExecutionMode::LocalSize) => module.literal_word(size),
            _ => module.constant_word(size),
        };
        let is_size = matches!(mode.mode, Some(ExecutionMode::LocalSize | ExecutionMode::LocalSizeId));
        is_size.then(|| mode.parameters.iter().map(word).collect::<Option<Vec<u32>>>())
    });
    sizes??.first_chunk().copied()
}
