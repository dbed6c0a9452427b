//! Drivers whose bugs the code works around: an open table. A new driver is a row here.

use std::fmt;

/// A driver. Workarounds for its bugs cost something on other devices, so [`Driver::ANY`] has none.
///
/// The pass `signed_operands` runs for every driver: its casts cost nothing, and the optimizer of SPIRV-Tools, which needs them, may run
/// over any module.
#[derive(Clone, Copy)]
pub struct Driver(&'static Row);

struct Row {
    /// The name on the command line.
    name: &'static str,
    /// The beginning of the names of devices of this driver in Vulkan; empty if there is no such device.
    device: &'static str,
    /// See [`Driver::iteration_limit`].
    iteration_limit: Option<u64>,
    quirks: Quirks,
}

/// The deviations of a driver from Vulkan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quirks {
    /// The treatment of values that leave a loop while other lanes continue: the pass `loop_results`.
    pub loop_results: LoopResults,
    /// It turns the memory orders of atomics into barriers: the pass `relaxed_atomics`.
    pub orders_are_barriers: bool,
    /// It waits at fences, and at barriers of a subgroup, as at barriers of the work-group: the pass `volatile_fences`.
    pub fences_are_barriers: bool,
    /// It also waits at a barrier that no lane of the subgroup reaches: [`uneven_barriers`](crate::uneven_barriers()) finds where that
    /// matters.
    pub waits_at_skipped_barriers: bool,
    /// It reads the index of a private array when the array is read, instead of when the index is computed: the pass `bounded_indices`.
    pub reads_indices_late: bool,
    /// Its number of subgroups omits the last one if that is not full: the pass `builtins`.
    pub omits_partial_subgroup: bool,
    /// It zero-extends signed numbers to 64 bits: the pass `sign_extensions`.
    pub extends_as_unsigned: bool,
    /// Its `Fma` rounds the product too, which Vulkan allows and OpenCL does not: [`Fma::Device`](crate::Fma::Device) becomes exact.
    pub rounds_fma_twice: bool,
    /// Its `RoundEven` of 64-bit floats rounds toward zero, on CPUs without AVX-512: formulas round by `Trunc`.
    pub truncates_doubles: bool,
}

/// The treatment of values that leave a loop by a driver that runs lanes as vectors and iterates until the last lane has left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopResults {
    /// A lane that has left keeps their values.
    Kept,
    /// They are computed again, from the parameters of the loop header, which are kept.
    Recomputed,
    /// As [`Recomputed`](LoopResults::Recomputed); in addition, the optimizer moves values to where the parameters are those of the next
    /// iteration.
    Moved,
}

const NO_QUIRKS: Quirks = Quirks {
    loop_results: LoopResults::Kept,
    orders_are_barriers: false,
    fences_are_barriers: false,
    waits_at_skipped_barriers: false,
    reads_indices_late: false,
    extends_as_unsigned: false,
    omits_partial_subgroup: false,
    rounds_fma_twice: false,
    truncates_doubles: false,
};

/// The table.
impl Driver {
    /// Every driver.
    const ALL: &[Driver] = &[Driver::ANY, Driver::LAVAPIPE, Driver::SWIFTSHADER];

    /// A driver without deviations.
    pub const ANY: Driver = Driver(&Row { name: "any", device: "", iteration_limit: None, quirks: NO_QUIRKS });

    /// Mesa's lavapipe: the bugs of Mesa 22.3, 25.0 and 26.1.
    pub const LAVAPIPE: Driver = Driver(&Row {
        name: "lavapipe",
        device: "llvmpipe",
        iteration_limit: Some(65_535),
        quirks: Quirks {
            loop_results: LoopResults::Moved,
            orders_are_barriers: true,
            fences_are_barriers: true,
            waits_at_skipped_barriers: true,
            reads_indices_late: true,
            extends_as_unsigned: true,
            omits_partial_subgroup: true,
            rounds_fma_twice: true,
            truncates_doubles: true,
        },
    });

    /// SwiftShader.
    pub const SWIFTSHADER: Driver = Driver(&Row {
        name: "swiftshader",
        device: "SwiftShader",
        iteration_limit: None,
        quirks: Quirks { loop_results: LoopResults::Recomputed, ..NO_QUIRKS },
    });
}

impl Driver {
    /// Every driver.
    pub fn all() -> impl Iterator<Item = Driver> {
        Driver::ALL.iter().copied()
    }

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// Its deviations from Vulkan.
    pub const fn quirks(self) -> Quirks {
        self.0.quirks
    }

    /// The number of loop iterations of a work-item, over all its loops, after which the driver ends loops without an error; `None` if
    /// there is no such limit.
    pub const fn iteration_limit(self) -> Option<u64> {
        self.0.iteration_limit
    }

    /// The driver with this name.
    pub fn from_name(name: &str) -> Option<Driver> {
        Driver::all().find(|driver| driver.name() == name)
    }

    /// The driver of a device with this name in Vulkan.
    pub fn of_device(name: &str) -> Driver {
        let mut known = Driver::all().filter(|driver| !driver.0.device.is_empty());
        known.find(|driver| name.starts_with(driver.0.device)).unwrap_or(Driver::ANY)
    }
}

impl PartialEq for Driver {
    fn eq(&self, other: &Driver) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Driver {}

impl fmt::Debug for Driver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
