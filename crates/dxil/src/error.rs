//! Codes of reading, and errors with their places. A place is a byte of the container, or a bit of the bitstream.

use reconverge_diagnostic::{Diagnostic, Place};

const BETTER_DXIL: &str = "compile the source again, or check that the file is complete; `reconverge check FILE --dump dxil` prints what can be read";
const BETTER_SHADER: &str = "`reconverge check FILE --dump dxil` prints the module; the compiler that wrote it is wrong, or the file was changed";
const STATED: &str = "see that it holds for your program; -q omits the note, and --reflection lists it";

reconverge_diagnostic::codes! {
    /// Codes of errors.
    pub enum Code in "DXIL" {
        Container = "dxil-container" Rejected
            "The bytes begin neither as a container nor as bitcode."
            "compile HLSL with dxc for shader model 6.0 or later";
        Dxbc = "dxil-dxbc" Unsupported
            "The container has a program of shader model 5 or older: DXBC, not DXIL (exit code 3)."
            "compile the source with dxc for shader model 6.0 or later";
        NoProgram = "dxil-no-program" Rejected
            "The container has no program."
            BETTER_DXIL;
        Part = "dxil-part" Rejected
            "A part of the container does not lie inside it."
            BETTER_DXIL;
        Program = "dxil-program" Rejected
            "The header of the program is not that of DXIL."
            BETTER_DXIL;
        Truncated = "dxil-truncated" Rejected
            "A block, record or number ends after what contains it."
            BETTER_DXIL;
        Bitstream = "dxil-bitstream" Rejected
            "Bits are no abbreviation, no block and no record."
            BETTER_DXIL;
        Record = "dxil-record" Rejected
            "A record has too few or too many operands, or one out of its range."
            BETTER_DXIL;
        Layout = "dxil-layout" Rejected
            "A block or record is in a wrong place, twice, or missing."
            BETTER_DXIL;
        Type = "dxil-type" Rejected
            "A type does not exist, or cannot be formed."
            BETTER_DXIL;
        Constant = "dxil-constant" Rejected
            "A constant does not fit its type."
            BETTER_DXIL;
        Reference = "dxil-reference" Rejected
            "A value, block, function or attribute list does not exist."
            BETTER_DXIL;
        Operand = "dxil-operand" Rejected
            "A value has a type that its instruction cannot take."
            BETTER_SHADER;
        Terminator = "dxil-terminator" Rejected
            "A block has no terminator, or a terminator is where none can be."
            BETTER_SHADER;
        Phi = "dxil-phi" Rejected
            "The incoming blocks of a phi are not the predecessors of its block."
            BETTER_SHADER;
        Dominance = "dxil-dominance" Rejected
            "A value is used where its definition may not have been executed."
            BETTER_SHADER;
        Metadata = "dxil-metadata" Rejected
            "Metadata is not of the form that its place requires."
            BETTER_SHADER;
        Operation = "dxil-operation" Rejected
            "A call of an operation has arguments that the operation does not have."
            BETTER_SHADER;
        Limit = "dxil-limit" Limit
            "The module has more than the reader allows (exit code 4)."
            "split the shader";
        Unsupported = "dxil-unsupported" Unsupported
            "The module is possibly valid, and has something without a translation, which the message names (exit code 3)."
            "see docs/dxil.md for what is translated; `dxc -spirv` compiles the HLSL source";
        Binding = "dxil-binding" Options
            "Two resources would have one place in the descriptor sets, or a resource has none (exit code 2)."
            "--shift t=100 --shift u=200 --shift s=300 keeps the classes of registers apart; --bindings places single registers";
    }
}

reconverge_diagnostic::codes! {
    /// Codes of what the translation assumes.
    pub enum AssumptionCode in "DXIL" {
        WaveConvergence = "dxil-wave-convergence" Note
            "A note: DXIL does not say where lanes of a wave are together again after a branch or loop. The output does: where its selections and loops end."
            STATED;
        ClipSpace = "dxil-clip-space" Note
            "A note: positions have y up, as in Direct3D, and Vulkan has y down."
            "give the viewport a negative height (VK_KHR_maintenance1)";
        FirstVertex = "dxil-first-vertex" Note
            "A note: SV_VertexID counts from the first vertex of a draw, VertexIndex of Vulkan from 0."
            STATED;
        FirstInstance = "dxil-first-instance" Note
            "A note: SV_InstanceID counts from the first instance of a draw, InstanceIndex of Vulkan from 0."
            STATED;
        NoAlias = "dxil-no-alias" Note
            "A note: DXIL does not say whether resources overlap in memory; the output assumes that they do not."
            STATED;
        ArrayBounds = "dxil-array-bounds" Note
            "A note: indices of groupshared and private arrays stay inside them; HLSL also computes a value that it does not choose, and reads outside for it."
            "--robust limits the indices";
        MinPrecision = "dxil-min-precision" Note
            "A note: numbers of at least 16 bits have 32 bits in the output."
            STATED;
        HalfRounding = "dxil-half-rounding" Note
            "A note: Direct3D rounds f32tof16 towards zero, and Vulkan lets the device round."
            STATED;
        WaveSize = "dxil-wave-size" Note
            "A note: the shader requires a number of lanes in a wave."
            "require this subgroup size when you create the pipeline";
        Resident = "dxil-resident" Note
            "A note: CheckAccessFullyMapped is true, because the output does not use sparse resources."
            STATED;
    }
}

#[cold]
pub(crate) fn at_byte(code: Code, byte: usize, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, Place::Byte(byte), message)
}

#[cold]
pub(crate) fn at_bit(code: Code, bit: u64, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, Place::Bit(bit), message)
}

/// An error for what may be valid, but has no translation.
#[cold]
pub(crate) fn unsupported(bit: u64, message: impl Into<String>) -> Diagnostic {
    at_bit(Code::Unsupported, bit, message)
}
