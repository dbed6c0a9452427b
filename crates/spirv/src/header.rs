//! The module header: version, generator and schema, and their representation in the IR.
//!
//! The header is not an instruction of SPIR-V, but belongs to the program: the version determines which instructions are legal. The IR
//! represents it as an instruction at module level, the first `spirv_header`, so that it is printed, parsed and copied like other
//! instructions:
//!
//! ```text
//! spirv_header <version>, <generator>, <schema>
//! ```

use reconverge_ir::{Inst, Module, Op, Position};

/// The contents of a SPIR-V header, except the bound, which follows from the module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// Version word: major and minor number in the second and third byte, `0x0001_0300` for 1.3.
    pub version: u32,
    /// The tool that created the module, as registered with Khronos, and its version.
    pub generator: u32,
    /// Reserved by SPIR-V; 0 until now.
    pub schema: u32,
}

impl Default for Header {
    /// SPIR-V 1.3, which every consumer in use can read, without a registered generator.
    fn default() -> Self {
        Header { version: Self::version_word(1, 3), generator: 0, schema: 0 }
    }
}

impl Header {
    /// The version word of `major.minor`.
    pub const fn version_word(major: u8, minor: u8) -> u32 {
        (major as u32) << 16 | (minor as u32) << 8
    }

    /// The header at the start of the words of a file, which has one.
    pub(crate) fn of_words(words: &[u32]) -> Header {
        Header { version: words[1], generator: words[2], schema: words[4] }
    }

    /// Returns whether the generator is LLVM's SPIR-V back end, number 43 in the list of Khronos, before a version of LLVM.
    pub(crate) const fn is_by_llvm_before(self, version: u32) -> bool {
        self.generator >> 16 == 43 && self.generator & 0xffff < version
    }

    /// Returns whether the version is one from 1.0 to 1.6.
    pub const fn has_known_version(self) -> bool {
        self.version & 0xff00_00ff == 0
            && self.version >= Self::version_word(1, 0)
            && self.version <= Self::version_word(1, 6)
    }

    /// The minor version; the major version is 1 in every module that can be read.
    pub const fn minor(self) -> u8 {
        (self.version >> 8) as u8
    }

    /// The header of a module, if it has one.
    pub fn of(module: &Module) -> Option<Header> {
        let inst = instruction(module)?;
        let mut words = module.operands(inst).map(|operand| module.literal_word(operand));
        let mut next = || words.next().flatten();
        Some(Header { version: next()?, generator: next()?, schema: next()? })
    }

    /// Sets the header of a module.
    pub fn store(self, module: &mut Module) {
        let old = instruction(module);
        let mut edit = module.edit();
        let operands = [self.version, self.generator, self.schema].map(|word| edit.word(word));
        match old {
            Some(inst) => edit.set_operands(inst, &operands),
            None => {
                let root = edit.module().root();
                edit.insert(Position::AtStart(root), Op::SpirvHeader, None, &operands);
            }
        }
    }
}

fn instruction(module: &Module) -> Option<Inst> {
    module.globals().find(|&inst| module.op(inst) == Op::SpirvHeader)
}
