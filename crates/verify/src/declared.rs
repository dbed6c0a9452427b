//! The declarations of a module: version, capabilities, extensions, memory model.
//!
//! A fragment, which has no memory model, is not a complete SPIR-V module: rules that only whole modules can satisfy, such as the
//! capabilities of instructions, are not checked for it.

use reconverge_ir::{Module, Op, view};
use spirv::{AddressingModel, Capability, MemoryModel};

use crate::Extent;
use crate::layout::Layout;
use crate::requirements;

/// The word of the header for SPIR-V version `major`.`minor`.
pub(crate) const fn version(major: u32, minor: u32) -> u32 {
    major << 16 | minor << 8
}

/// The version of the output for a module without a header.
const DEFAULT_VERSION: u32 = version(1, 3);

/// A number greater than that of every capability.
const CAPABILITY_LIMIT: usize = 1 << 13;

/// The declarations of a module.
pub(crate) struct Declared {
    /// The version word. Without a header it is that of 1.3, the version of the output; for a fragment that of 1.6, which allows the most
    /// ops.
    pub(crate) version: u32,
    /// True if this is a whole module: it has a memory model.
    pub(crate) is_whole: bool,
    addressing: Option<u32>,
    memory: Option<u32>,
    /// The declared capabilities and those that they imply, as a bit set.
    capabilities: Vec<u64>,
    extensions: Vec<String>,
}

impl Declared {
    /// The declarations of a module. It is a fragment if it has no memory model or if only parts are checked. Linear in its globals.
    pub(crate) fn of(module: &Module, layout: &Layout, extent: Extent) -> Declared {
        let mut declared = Declared {
            version: 0,
            is_whole: false,
            addressing: None,
            memory: None,
            capabilities: vec![0; CAPABILITY_LIMIT / 64],
            extensions: Vec::new(),
        };
        let mut has_model = false;
        for global in layout.globals() {
            let word = || module.operands(global.inst).next().and_then(|operand| module.literal_word(operand));
            match global.op {
                Op::SpirvHeader => declared.version = word().unwrap_or(0),
                Op::Capability => word().into_iter().for_each(|word| declared.add(word)),
                Op::Extension => {
                    let extension = view::Extension::of(module, global.inst);
                    declared.extensions.extend(extension.map(|extension| extension.name.to_string()));
                }
                Op::MemoryModel => {
                    has_model = true;
                    declared.addressing = declared.addressing.or(word());
                    let memory = module.operands(global.inst).nth(view::MemoryModel::SLOT.memory_model);
                    declared.memory = declared.memory.or(memory.and_then(|model| module.literal_word(model)));
                }
                _ => {}
            }
        }
        declared.is_whole = extent == Extent::Whole && has_model;
        // The final version of an incomplete module is not known.
        if !declared.is_whole {
            declared.version = version(1, 6);
        } else if declared.version == 0 {
            declared.version = DEFAULT_VERSION;
        }
        declared
    }

    /// Adds a capability and those that it implies.
    fn add(&mut self, capability: u32) {
        let mut stack = vec![capability];
        while let Some(capability) = stack.pop() {
            let (word, bit) = (capability as usize / 64, 1 << (capability % 64));
            if (capability as usize) < CAPABILITY_LIMIT && self.capabilities[word] & bit == 0 {
                self.capabilities[word] |= bit;
                stack.extend(requirements::declared_along(capability).iter().map(|&along| along as u32));
            }
        }
    }

    /// Returns whether a capability is declared.
    pub(crate) fn has(&self, capability: Capability) -> bool {
        let number = capability as usize;
        self.capabilities.get(number / 64).is_some_and(|word| word & 1 << (number % 64) != 0)
    }

    /// Returns whether a capability is missing. A fragment may still get it.
    pub(crate) fn lacks(&self, capability: Capability) -> bool {
        self.is_whole && !self.has(capability)
    }

    /// Returns whether one of these capabilities is declared.
    pub(crate) fn has_any(&self, capabilities: &[Capability]) -> bool {
        capabilities.iter().any(|&capability| self.has(capability))
    }

    /// Returns whether an extension is declared.
    pub(crate) fn has_extension(&self, name: &str) -> bool {
        self.extensions.iter().any(|extension| extension == name)
    }

    /// Returns whether the capability Shader is declared.
    pub(crate) fn is_shader(&self) -> bool {
        self.has(Capability::Shader)
    }

    /// Returns whether the addressing model is Logical.
    pub(crate) fn is_logical(&self) -> bool {
        self.addressing == Some(AddressingModel::Logical as u32)
    }

    /// Returns whether the addressing model is PhysicalStorageBuffer64.
    pub(crate) fn is_physical_storage_buffer(&self) -> bool {
        self.addressing == Some(AddressingModel::PhysicalStorageBuffer64 as u32)
    }

    /// Returns whether the memory model is Vulkan's.
    pub(crate) fn is_vulkan_memory_model(&self) -> bool {
        self.memory == Some(MemoryModel::Vulkan as u32)
    }
}
