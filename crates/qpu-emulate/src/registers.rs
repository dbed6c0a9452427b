//! The meaning of register addresses, for reading and for writing in each of the two files.

use crate::fault::FaultKind;
use crate::sfu::SfuFunction;

/// One of the two files of registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum File {
    A,
    B,
}

/// The source that an address selects when it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// No register: an operand has no value.
    None,
    Register(u8),
    Uniform,
    ElementNumber,
    QpuNumber,
    VpmData,
    LoadBusy,
    StoreBusy,
    LoadWait,
    StoreWait,
    MutexAcquire,
}

impl Source {
    pub(crate) fn of_address(address: u8, file: File) -> Result<Source, FaultKind> {
        Ok(match (address, file) {
            (0..=31, _) => Source::Register(address),
            (32, _) => Source::Uniform,
            (38, File::A) => Source::ElementNumber,
            (38, File::B) => Source::QpuNumber,
            (39, _) => Source::None,
            (48, _) => Source::VpmData,
            (49, File::A) => Source::LoadBusy,
            (49, File::B) => Source::StoreBusy,
            (50, File::A) => Source::LoadWait,
            (50, File::B) => Source::StoreWait,
            (51, _) => Source::MutexAcquire,
            (35 | 41 | 42, _) => return Err(FaultKind::UnsupportedFeature),
            _ => return Err(FaultKind::InvalidEncoding),
        })
    }

    /// Returns whether a read uses a unit outside the QPU.
    pub(crate) fn is_peripheral(self) -> bool {
        self.is_vpm() || self == Source::MutexAcquire
    }

    /// Returns whether a read uses the VPM or its DMA.
    pub(crate) fn is_vpm(self) -> bool {
        use Source as S;
        matches!(self, S::VpmData | S::LoadBusy | S::StoreBusy | S::LoadWait | S::StoreWait)
    }
}

/// The target that an address selects when it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    None,
    Register(File, u8),
    /// r0 to r3.
    Accumulator(u8),
    /// r5 gets lanes 0, 4, 8 and 12, each for its quad.
    R5Quads,
    /// r5 gets lane 0.
    R5All,
    NoSwap,
    HostInterrupt,
    UniformsAddress,
    VpmData,
    ReadSetup,
    WriteSetup,
    LoadAddress,
    StoreAddress,
    MutexRelease,
    Sfu(SfuFunction),
    /// The address of a general memory lookup of one of the two TMUs.
    Tmu(u8),
}

impl Target {
    pub(crate) fn of_address(address: u8, file: File) -> Result<Target, FaultKind> {
        Ok(match (address, file) {
            (0..=31, _) => Target::Register(file, address),
            (32..=35, _) => Target::Accumulator(address - 32),
            (36, _) => Target::NoSwap,
            (37, File::A) => Target::R5Quads,
            (37, File::B) => Target::R5All,
            (38, _) => Target::HostInterrupt,
            (39, _) => Target::None,
            (40, _) => Target::UniformsAddress,
            (48, _) => Target::VpmData,
            (49, File::A) => Target::ReadSetup,
            (49, File::B) => Target::WriteSetup,
            (50, File::A) => Target::LoadAddress,
            (50, File::B) => Target::StoreAddress,
            (51, _) => Target::MutexRelease,
            (52, _) => Target::Sfu(SfuFunction::Reciprocal),
            (53, _) => Target::Sfu(SfuFunction::ReciprocalSquareRoot),
            (54, _) => Target::Sfu(SfuFunction::Exponential),
            (55, _) => Target::Sfu(SfuFunction::Logarithm),
            (56, _) => Target::Tmu(0),
            (60, _) => Target::Tmu(1),
            (41..=47 | 57..=63, _) => return Err(FaultKind::UnsupportedFeature),
            _ => return Err(FaultKind::InvalidEncoding),
        })
    }

    /// Returns whether a write uses a unit outside the QPU that allows one access in an instruction.
    pub(crate) fn is_peripheral(self) -> bool {
        self.is_vpm() || matches!(self, Target::MutexRelease | Target::Sfu(_) | Target::Tmu(_))
    }

    /// Returns whether a write uses the VPM or its DMA.
    pub(crate) fn is_vpm(self) -> bool {
        use Target as T;
        matches!(self, T::VpmData | T::ReadSetup | T::WriteSetup | T::LoadAddress | T::StoreAddress)
    }

    /// Returns whether all lanes must be written.
    pub(crate) fn is_unconditional(self) -> bool {
        self.is_peripheral() || matches!(self, Target::NoSwap | Target::UniformsAddress)
    }

    /// Returns whether parts of the word can be written.
    pub(crate) fn takes_parts(self) -> bool {
        matches!(self, Target::None | Target::Register(..) | Target::Accumulator(_))
    }
}
