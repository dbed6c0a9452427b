//! The reasons for which a launch stops: one kind for each broken rule, each with a stable code.

use std::fmt;

/// A broken rule, with the place where it was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// The rule.
    pub kind: FaultKind,
    /// The number of the QPU; 0 for faults of the launch itself.
    pub qpu: usize,
    /// The index of the instruction in the code.
    pub address: usize,
    /// The cycle in which the instruction was to be executed.
    pub cycle: u64,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { kind, qpu, address, cycle } = self;
        write!(formatter, "{}: {kind} (QPU {qpu}, instruction {address}, cycle {cycle})", kind.code())
    }
}

impl std::error::Error for Fault {}

macro_rules! fault_kinds {
    ($($(#[doc = $doc:literal])+ $name:ident = $code:literal, $text:literal;)+) => {
        /// The rules that a launch can break.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum FaultKind {
            $($(#[doc = $doc])+ $name,)+
        }

        impl FaultKind {
            /// All kinds, in the order of their declaration.
            pub const ALL: &[FaultKind] = &[$(FaultKind::$name),+];

            /// The stable name of the rule.
            pub const fn code(self) -> &'static str {
                match self {
                    $(FaultKind::$name => $code,)+
                }
            }
        }

        impl fmt::Display for FaultKind {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(match self {
                    $(FaultKind::$name => $text,)+
                })
            }
        }
    };
}

fault_kinds! {
    /// A launch has 1 to 12 QPUs, at least one instruction, and code that fits the address space.
    InvalidLaunch = "invalid-launch", "the launch has no code or not 1 to 12 QPUs";
    /// No word of the code has the signal of the program end.
    NoThreadEnd = "no-thread-end", "the code has no program end";
    /// A QPU fetches an instruction after the end of the code.
    RunOffCode = "run-off-code", "execution leaves the code";
    /// The launch needs more cycles than its limit.
    CycleLimit = "cycle-limit", "the limit of cycles is reached";
    /// All QPUs that run wait for each other.
    Deadlock = "deadlock", "all QPUs wait for each other";
    /// A field of the word has a value without meaning.
    InvalidEncoding = "invalid-encoding", "the word is not an instruction";
    /// The instruction uses a unit that the model does not have.
    UnsupportedFeature = "unsupported-feature", "the instruction uses a unit outside the model";
    /// An operand is the register without a value.
    UndefinedSource = "undefined-source", "an operand has no defined value";
    /// An instruction reads a register of file A or B that the instruction before it writes.
    ReadAfterWrite = "register-read-after-write", "a register is read right after its write";
    /// Both ALUs write the same accumulator in one lane.
    DoubleWrite = "double-write", "both ALUs write the same register";
    /// The pack mode has no register that takes it.
    PackTarget = "pack-target", "the pack mode does not fit the destination";
    /// Register r4 is read before the result of the SFU is available.
    SfuEarlyRead = "sfu-read-too-early", "r4 is read within two instructions of an SFU write";
    /// Another unit writes r4 while the SFU computes.
    R4Conflict = "r4-conflict", "r4 gets another value within two instructions of an SFU write";
    /// A uniform is read within two instructions of a write of the uniforms' address.
    UniformTooEarly = "uniform-read-too-early", "a uniform is read within two instructions of a new address";
    /// The uniforms of the QPU are used up.
    UniformsExhausted = "uniforms-exhausted", "more uniforms are read than the launch has";
    /// A uniform is read from a line of memory that this launch has written.
    StaleUniformRead = "stale-uniform-read", "a uniform lies in a line of memory that DMA has written";
    /// More requests are pending than the request queue of the TMU holds reliably.
    TmuOverflow = "tmu-fifo-overflow", "more than four TMU requests are pending";
    /// A result of the TMU is loaded without a request.
    TmuEmpty = "tmu-fifo-empty", "a TMU result is loaded without a request";
    /// The TMU is written within two instructions of a write of `tmu_noswap`.
    NoSwapDistance = "tmu-noswap-distance", "the TMU is used within two instructions of tmu_noswap";
    /// The TMU reads a line of memory that this launch has written by DMA.
    StaleTmuRead = "stale-tmu-read", "the TMU reads a line of memory that DMA has written";
    /// A QPU ends with results of the TMU that it has not loaded.
    UnreadTmuResult = "unread-tmu-result", "the program ends with pending TMU requests";
    /// A write of a peripheral register has a condition.
    ConditionalPeripheralWrite = "conditional-peripheral-write", "a write of a peripheral register has a condition";
    /// One instruction uses two peripheral units.
    PeripheralConflict = "two-peripheral-accesses", "one instruction uses two peripheral units";
    /// A branch is in a delay slot of a taken branch.
    BranchInDelaySlot = "branch-in-delay-slot", "a branch is in a delay slot of a taken branch";
    /// Fewer than two instructions are between two branches.
    BranchSpacing = "branch-spacing", "fewer than two instructions are between two branches";
    /// The bit that sets flags is set in a branch.
    BranchSetsFlags = "branch-sets-flags", "the branch overwrites the flags";
    /// The target of a taken branch is not an instruction of the code.
    BranchTarget = "branch-target", "the target of the branch is not an instruction";
    /// A rotation has a source other than r0 to r3.
    RotationSource = "rotation-source", "a rotation has a source other than r0 to r3";
    /// A source or the distance of a rotation is written by the instruction before it.
    RotationAfterWrite = "rotation-after-write", "a rotation uses an accumulator right after its write";
    /// One of the last three instructions does something that is not allowed there.
    ProgramEnd = "program-end", "an instruction at the program end does what is not allowed there";
    /// The VPM or its DMA is used without a setup.
    VpmWithoutSetup = "vpm-without-setup", "the VPM or its DMA is used without a setup";
    /// The VPM is read within three instructions of the setup.
    VpmReadTooEarly = "vpm-read-too-early", "the VPM is read within three instructions of its setup";
    /// More vectors are read from the VPM than were set up.
    VpmReadBeyondSetup = "vpm-read-beyond-setup", "more vectors are read from the VPM than were set up";
    /// The VPM is set up for reading while more than one vector is pending.
    VpmReadSetupBusy = "vpm-read-setup-busy", "a VPM read setup is written while vectors are pending";
    /// A QPU ends, or releases the mutex, with vectors of the VPM that it has not read.
    UnreadVpmData = "unread-vpm-data", "vectors of a VPM read setup are not read";
    /// A setup has a reserved value.
    InvalidSetup = "invalid-vpm-setup", "a setup of the VPM or its DMA has a reserved value";
    /// An access leaves the rows or columns of the VPM.
    VpmOutOfRange = "vpm-out-of-range", "an access leaves the VPM";
    /// A row of the VPM is used while DMA works on it.
    VpmRowInDma = "vpm-row-in-dma", "a row of the VPM is used before its DMA was awaited";
    /// DMA starts before the last one in the same direction was awaited.
    DmaBusy = "dma-busy", "DMA starts before the last one was awaited";
    /// A QPU ends, or releases the mutex, and has not awaited its DMA.
    DmaNotAwaited = "dma-not-awaited", "DMA is not awaited";
    /// One of several QPUs uses the VPM or its DMA without the mutex.
    VpmWithoutMutex = "vpm-without-mutex", "one of several QPUs uses the VPM without the mutex";
    /// A QPU acquires the mutex that it already has.
    MutexTwice = "mutex-acquired-twice", "the mutex is acquired twice";
    /// A QPU releases the mutex that it does not have.
    MutexNotOwned = "mutex-not-owned", "the mutex is released by a QPU that does not have it";
    /// A QPU ends and still has the mutex.
    MutexHeldAtEnd = "mutex-held-at-end", "the program ends with the mutex";
    /// An access to memory is outside of the regions.
    MemoryOutOfBounds = "memory-out-of-bounds", "an access to memory leaves its regions";
    /// The address of an access to memory is not a multiple of its width.
    MemoryMisaligned = "memory-misaligned", "an address is not a multiple of the width of its access";
}
