//! The errors that the passes over the input find in it: errors of front ends that are repaired, and instructions whose meaning is
//! doubtful.

use reconverge_ir::Inst;
use reconverge_rewrite::session::SessionState;

/// An error of a front end at an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Repair {
    /// The instruction, by its handle in the module as it was read. It may be deleted.
    pub at: Inst,
    /// The error.
    pub fault: FrontEndFault,
}

/// The errors of front ends that are known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FrontEndFault {
    /// A conversion between integers is missing; it is inserted.
    MissingConversion,
    /// A conversion between equal types; it becomes a copy.
    IdleConversion,
    /// A conversion between integers has a rounding mode; it loses it.
    RoundingOfIntegers,
    /// A call of a built-in function that is not resolved; it becomes instructions.
    UnresolvedCall,
    /// An integer where a pointer is required in a constant; it becomes a null pointer.
    IntegerForPointer,
    /// A vector whose number of components SPIR-V does not have; a vector of one component becomes a scalar, and longer vectors are
    /// computed in parts.
    VectorLength,
    /// The order of an atomic is where its scope belongs, and its scope where its semantics belong; they are exchanged.
    AtomicOrder,
    /// An atomic on memory of the device has the scope of a work-group, although its source may name none; it gets the scope of the
    /// device.
    AtomicScope,
    /// A barrier waits for more than its work-group, which no kernel can; it waits for the work-group.
    BarrierScope,
    /// A weak compare-exchange, which SPIR-V 1.4 does not have; it becomes a strong one.
    WeakExchange,
    /// A compare-exchange or a comparison of bits on floats; it becomes one on integers.
    FloatBits,
    /// A size, an id or an offset of a dimension by its number, which is not compared with the number of dimensions; it is.
    OtherDimension,
    /// Debug information in a set that SPIR-V does not have; it is removed.
    DraftOfDebugInformation,
    /// The type of the channels of an image is a number of SPIR-V, not of OpenCL C; it becomes one.
    ChannelTypeNumber,
    /// An instruction has the same decoration twice; it keeps one.
    RepeatedDecoration,
    /// A conversion that extends an integer may have the wrong sign. Unchanged.
    DoubtfulSign,
    /// A saturating conversion between integers may have the wrong signs. Unchanged.
    DoubtfulSaturation,
    /// A load of three halves may have the wrong distance. Unchanged.
    DoubtfulHalves,
}

reconverge_diagnostic::codes! {
    /// Codes of messages about errors of front ends.
    pub enum RepairCode in "OpenCL kernels" {
        Repaired = "repaired" Note
            "A note, not an error: the SPIR-V of a kernel has an error that its front end is known to make, such as a conversion that clang left out, a call that it left unresolved, an integer for a null pointer. The message names the error, which is repaired."
            "no change is necessary; clang at -O2 leaves out fewer conversions than at -O0";
        Doubtful = "doubtful-conversion" Warning
            "clang before version 23 writes `convert_T(x)` and `convert_T_sat(x)` of integers as the conversion of the other sign if T and x have the same signedness. SPIR-V does not tell such a call from a cast, which is right."
            "compile from the source: `reconverge compile KERNEL.cl`; or write a cast, as in `(long)x`, which clang compiles right";
    }
}

impl FrontEndFault {
    /// The code of messages about it.
    pub const fn code(self) -> RepairCode {
        if self.is_repaired() { RepairCode::Repaired } else { RepairCode::Doubtful }
    }

    /// Returns whether the module was changed, so that it means what its source means.
    pub const fn is_repaired(self) -> bool {
        !matches!(self, FrontEndFault::DoubtfulSign | FrontEndFault::DoubtfulSaturation | FrontEndFault::DoubtfulHalves)
    }

    /// The error of the front end, and its repair.
    pub const fn summary(self) -> &'static str {
        match self {
            FrontEndFault::MissingConversion => {
                "the front end omitted an integer conversion; the conversion was inserted"
            }
            FrontEndFault::IdleConversion => "the front end converts between equal types; the conversion became a copy",
            FrontEndFault::RoundingOfIntegers => {
                "the front end gives a conversion between integers a rounding mode, which is ignored"
            }
            FrontEndFault::UnresolvedCall => {
                "the front end left a call of a built-in function unresolved; the call became instructions"
            }
            FrontEndFault::IntegerForPointer => {
                "the front end wrote an integer for a null pointer; it became a null pointer"
            }
            FrontEndFault::VectorLength => {
                "the front end uses a vector whose length SPIR-V does not have; the vector is computed in parts"
            }
            FrontEndFault::AtomicOrder => {
                "the front end exchanged the memory order and the scope of an atomic; they were exchanged back"
            }
            FrontEndFault::AtomicScope => {
                "the front end uses the scope of a work-group for an atomic without a scope; it got the scope of the device"
            }
            FrontEndFault::BarrierScope => {
                "the front end uses the scope of the memory for what a barrier waits for; it waits for the work-group"
            }
            FrontEndFault::WeakExchange => {
                "the front end uses a weak compare-exchange, which SPIR-V 1.4 does not have; it became a strong one"
            }
            FrontEndFault::FloatBits => {
                "the front end compares the bits of floats by an operation on integers; the operands became integers"
            }
            FrontEndFault::OtherDimension => {
                "the front end does not compare the dimension with their number in a call such as `get_global_size(d)`; it is compared"
            }
            FrontEndFault::ChannelTypeNumber => {
                "the front end returns SPIR-V's number of a channel type for that of OpenCL C; the difference was added"
            }
            FrontEndFault::RepeatedDecoration => {
                "the front end gives an instruction the same decoration twice; one stays"
            }
            FrontEndFault::DraftOfDebugInformation => {
                "the front end wrote debug information that is in no instruction set of SPIR-V; it was removed, source lines stay"
            }
            FrontEndFault::DoubtfulSign => {
                "clang before version 23 extends with the wrong sign in `convert_T(x)` if T has the sign of x, and the module does not tell \
                 whether this conversion comes from such a call"
            }
            FrontEndFault::DoubtfulHalves => {
                "clang before version 23 writes `vloada_half3` as `vload_half3`, and the module does not tell whether this is such a call"
            }
            FrontEndFault::DoubtfulSaturation => {
                "clang before version 23 exchanges the signs in `convert_T_sat(x)` if T has the sign of x, and the module does not tell \
                 whether this conversion comes from such a call"
            }
        }
    }
}

/// The errors that were found in the input, by pass, and of each pass in the order of the module.
#[derive(Debug, Default)]
pub struct Repairs(pub Vec<Repair>);

impl SessionState for Repairs {}
