//! Faults: why an instruction gave no result, and how a lane ended.

use std::borrow::Cow;
use std::fmt;

use reconverge_ir::{Block, Function, Inst, Op};

use crate::Value;

/// The end of a lane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The function returned, with a value unless its type is void.
    Returned(Option<Value>),
    /// A terminator that ends the whole invocation: `kill`, `terminate_invocation`, `ignore_intersection_khr`, `terminate_ray_khr`,
    /// `emit_mesh_tasks_ext`.
    Terminated(Op),
    /// The fuel of the launch was exhausted. The instruction at that place was not executed.
    OutOfFuel(InstructionPlace),
    /// The call depth exceeded the limit of the launch.
    TooDeep(InstructionPlace),
    /// The behaviour of the program is undefined from there on.
    Undefined {
        /// The undefined behaviour.
        behaviour: UndefinedBehaviour,
        /// The place.
        place: InstructionPlace,
    },
    /// The program may be valid, but needs a feature that the interpreter does not support.
    Unsupported {
        /// The construct that is not supported; names the op.
        what: String,
        /// The place.
        place: InstructionPlace,
    },
    /// The program is invalid: an operand of the wrong type, a value used where it was never computed.
    Malformed {
        /// The error.
        what: String,
        /// The place.
        place: InstructionPlace,
    },
    /// The caller rejected the call of a function without a body, or returned a value of a different type.
    Refused {
        /// The reason.
        message: String,
        /// The place.
        place: InstructionPlace,
    },
}

/// An instruction and its place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InstructionPlace {
    /// The function.
    pub function: Function,
    /// The block.
    pub block: Block,
    /// The instruction.
    pub inst: Inst,
}

impl fmt::Display for InstructionPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "function {:?}, block {:?}, instruction {}", self.function, self.block, self.inst)
    }
}

reconverge_diagnostic::codes! {
    /// Undefined behaviour. Each kind has a stable code.
    pub enum UndefinedBehaviour in "Undefined behaviour (reconverge run)" {
        Unreachable = "U01" ("control reached unreachable") Rejected
            "A lane executed OpUnreachable. A compiler assumes that this never happens."
            "handle the case that leads there: a missing `return`, or the condition of `__builtin_unreachable()`";
        UndefinedCondition = "U02" ("a branch depends on an undefined value") Rejected
            "The condition or selector of a branch is undefined, for example because it was read from a variable that was not written."
            "initialize the variable that the condition reads";
        DivisionByZero = "U03" ("an integer is divided by zero") Rejected
            "The divisor of an integer division or remainder is zero."
            "check the divisor before the division";
        DivisionOverflow = "U04" ("the least signed integer is divided by -1") Rejected
            "The least signed integer was divided by -1. The quotient is not representable."
            "check for this pair of operands, or divide in a wider type";
        UndefinedDivisor = "U05" ("an integer is divided by an undefined value") Rejected
            "The divisor of an integer division or remainder is undefined, so it may be zero."
            "initialize the variable that the divisor reads";
        UndefinedAddress = "U06" ("memory is accessed through an undefined pointer") Rejected
            "The pointer or index of a memory access, or the coordinates of an image access that needs them, are undefined."
            "initialize the pointer or index";
        NullAddress = "U07" ("memory is accessed through the null pointer") Rejected
            "The pointer of a memory access is null."
            "check the pointer before the access, and pass a buffer for each pointer argument";
        OutOfBounds = "U08" ("memory is accessed outside the object") Rejected
            "The pointer of a memory access is derived from an object, and the access is outside the object."
            "check the index before the access, and compare the size of the buffer with the global size";
        Dangling = "U09" ("memory is accessed after its function has returned") Rejected
            "A lane accessed a variable of a function that has returned."
            "do not keep a pointer to a local variable after the return";
        ForeignMemory = "U10" ("memory of another lane is accessed") Rejected
            "A lane accessed private memory (storage class Function, Private, Input or Output) of another lane, through a pointer that it received \
             from there."
            "pass the value through local or global memory instead of a pointer to a private variable";
        FalseAssumption = "U11" ("an assumption does not hold") Rejected
            "The operand of OpAssumeTrueKHR is false."
            "correct the condition of `__builtin_assume`, or the code that makes it false";
        BarrierDivergence = "U12" ("lanes wait for each other at different places") Rejected
            "Some lanes wait at a barrier or group operation that other lanes do not reach. The message also names such a lane and its place."
            "move the barrier out of divergent control flow, so that all work-items of the group execute it";
        Misaligned = "U13" ("memory is accessed at an address that is less aligned than declared") Rejected
            "The address of a memory access is not a multiple of the alignment that the access declares."
            "align the object or the offset; for data without alignment use vload and vstore, or a packed struct";
        NotUniform = "U14" ("the lanes of a group operation disagree about an operand that they must share") Rejected
            "An operand of a group operation, such as the lane of a broadcast, must be the same in all lanes, and it is not."
            "compute the operand from values that are the same in all work-items of the group";
        UndefinedWrite = "U15" ("an undefined value is written to a buffer") Rejected
            "A store to a buffer, or a copy to one, writes a value that is undefined: it comes from memory that was not written, or from an \
             operation that has no result, such as the conversion of a float that is out of range. The message names where it comes from. \
             Padding is exempt. The launch continues."
            "initialize the variable, or check the operands of the operation that is named";
        UndefinedAtomic = "U16" ("an atomic operation uses an undefined value") Rejected
            "An operand of an atomic operation is undefined, or the memory that it changes was never written."
            "initialize the memory first: local memory has no initial value; set it in one work-item and pass a barrier";
        CopyNotAwaited = "U17" ("a work-group ends before a copy that it began is complete") Rejected
            "No work-item of the work-group waited for the event of an asynchronous copy."
            "call wait_group_events with the event of the copy, in all work-items, before the kernel ends";
        NoSuchEvent = "U18" ("an event is awaited that no copy of this work-group has made") Rejected
            "An event that is waited for, or that a copy joins, is undefined, null, or not the event of a copy of this work-group."
            "pass the events that async_work_group_copy returned";
        WrongTexel = "U19" ("an image is written as a type that its format does not have") Rejected
            "A kernel writes floats to an image of integers, integers to an image of floats, or halves to an image of floats of 32 bits."
            "use the write_image function for the channel type of the image, or create the image with another one";
    }
}

impl UndefinedBehaviour {
    /// The message, without the code.
    pub const fn text(self) -> &'static str {
        self.declared().title
    }
}

impl UndefinedBehaviour {
    /// Returns whether it is the use of an undefined value, which comes from another place.
    pub(crate) const fn is_of_undefined_value(self) -> bool {
        use UndefinedBehaviour as Is;
        matches!(self, Is::UndefinedCondition | Is::UndefinedDivisor | Is::UndefinedAddress | Is::UndefinedAtomic)
    }
}

impl fmt::Display for End {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Returned(None) => formatter.write_str("returned"),
            End::Returned(Some(value)) => write!(formatter, "returned {value:?}"),
            End::Terminated(op) => write!(formatter, "ended by {}", op.name()),
            End::OutOfFuel(place) => write!(formatter, "out of fuel at {place}"),
            End::TooDeep(place) => write!(formatter, "too many open calls at {place}"),
            End::Undefined { behaviour, place } => write!(formatter, "{behaviour}: {} at {place}", behaviour.text()),
            End::Unsupported { what, place } => write!(formatter, "unsupported: {what} at {place}"),
            End::Malformed { what, place } => write!(formatter, "malformed: {what} at {place}"),
            End::Refused { message, place } => write!(formatter, "external call refused: {message} at {place}"),
        }
    }
}

/// The reason why an instruction has no result. The caller adds the place.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    Undefined(UndefinedBehaviour),
    Unsupported(Text),
    Malformed(Text),
    Refused(Text),
    OutOfFuel,
    TooDeep,
    Terminated(Op),
}

type Text = Box<Cow<'static, str>>;

impl Fault {
    #[cold]
    pub(crate) fn unsupported(what: impl Into<Cow<'static, str>>) -> Fault {
        Fault::Unsupported(Box::new(what.into()))
    }

    #[cold]
    pub(crate) fn malformed(what: impl Into<Cow<'static, str>>) -> Fault {
        Fault::Malformed(Box::new(what.into()))
    }

    /// Operands with types that the op does not take.
    #[cold]
    pub(crate) fn operands(op: Op) -> Fault {
        Fault::malformed(format!("{} does not take operands of these types", op.name()))
    }

    /// An op that the interpreter does not support.
    #[cold]
    pub(crate) fn op(op: Op) -> Fault {
        Fault::unsupported(format!("op {}", op.name()))
    }

    pub(crate) fn at(self, place: InstructionPlace) -> End {
        match self {
            Fault::Undefined(behaviour) => End::Undefined { behaviour, place },
            Fault::Unsupported(what) => End::Unsupported { what: what.into_owned(), place },
            Fault::Malformed(what) => End::Malformed { what: what.into_owned(), place },
            Fault::Refused(message) => End::Refused { message: message.into_owned(), place },
            Fault::OutOfFuel => End::OutOfFuel(place),
            Fault::TooDeep => End::TooDeep(place),
            Fault::Terminated(op) => End::Terminated(op),
        }
    }
}

impl From<UndefinedBehaviour> for Fault {
    fn from(behaviour: UndefinedBehaviour) -> Fault {
        Fault::Undefined(behaviour)
    }
}
