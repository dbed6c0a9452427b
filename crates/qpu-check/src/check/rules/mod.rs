//! The rules, as functions of a word and of its point. Each returns the fault, or `None`.

mod branches;
mod encoding;
mod flags;
mod floats;
mod mutex;
mod operands;
mod peripherals;
mod program_end;
mod registers;
mod rotation;
mod sfu;
mod tmu;
mod undefined;
mod uniforms;
mod vpm;

use super::Rule;
use super::flow::Point;
use super::word::Instruction;

type Check = fn(&Instruction, &Point) -> Option<String>;

/// Every rule about words. The rules about paths are [`super::flow::PathFault`].
pub(super) const ALL: [(Rule, Check); 19] = [
    (Rule::Operands, operands::one_of_each_file),
    (Rule::Results, operands::results),
    (Rule::RegisterDelay, registers::no_read_behind_write),
    (Rule::BranchDistance, branches::distance),
    (Rule::ProgramEnd, program_end::leaves_state_alone),
    (Rule::SfuDelay, sfu::r4_is_left_alone),
    (Rule::UniformDelay, uniforms::no_read_behind_address),
    (Rule::TmuOrder, tmu::order),
    (Rule::Rotation, rotation::sources),
    (Rule::PeripheralCount, peripherals::one_access),
    (Rule::PeripheralCondition, peripherals::no_condition),
    (Rule::Flags, flags::are_set),
    (Rule::FloatOperand, floats::immediates),
    (Rule::ReservedCode, encoding::reserved_codes),
    (Rule::ReservedAddress, encoding::reserved_addresses),
    (Rule::Undefined, undefined::registers_have_values),
    (Rule::Mutex, mutex::is_taken_in_turn),
    (Rule::Pixels, encoding::pixels),
    (Rule::VpmSetup, vpm::is_set_up),
];

/// The message of the first case that holds.
fn first(cases: &[(bool, &str)]) -> Option<String> {
    cases.iter().find(|case| case.0).map(|case| case.1.to_owned())
}
