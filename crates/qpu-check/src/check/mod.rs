//! The rules of the hardware, on all paths.
//!
//! Each rule is a function of one word and of the facts before it ([`state`]); [`flow`] finds all words that are executed and joins the
//! facts before them. The rules with a Q are the constraints that AG100 lists in section 3, "QPU Instruction Restrictions", and at the
//! peripherals (sections 4 to 7), with the measurements of the addendum of `vc4asm`; the rules with an E are about words and paths that
//! have no meaning in a program that computes.
//!
//! A rule reports what *may* happen: facts of different paths are joined to the worst case. Conditions are not compared with each other: a
//! write under a condition counts as a write, unless the condition is never.

mod flow;
mod rules;
mod state;
mod word;

use std::fmt;

use flow::{PathFault, Point};
use word::Instruction;

/// A place in a program that breaks a rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Violation {
    /// The index of the word. Its address is eight times this.
    pub word: usize,
    /// The broken rule.
    pub rule: Rule,
    /// The fault, in English.
    pub message: String,
}

/// The rules, in the order of their codes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// Q01: one register of each file and one immediate per word; an immediate that rotates is no operand.
    Operands,
    /// Q02: two results that do not write the same place; a pack or an unpack only where one is possible.
    Results,
    /// Q03: no read of a register of file A or B in the word after its write.
    RegisterDelay,
    /// Q04: two words between branches.
    BranchDistance,
    /// Q05: the program end and the two words after it do not use files and peripherals.
    ProgramEnd,
    /// Q06: no use of r4 in the two words after a request of the SFU.
    SfuDelay,
    /// Q07: no uniform in the two words after a new address of uniforms.
    UniformDelay,
    /// Q08: the order of the TMU swap, of requests and of results.
    TmuOrder,
    /// Q09: the operands of a rotation are accumulators that the word before did not write.
    Rotation,
    /// Q10: one access to a shared unit per word.
    PeripheralCount,
    /// Q11: no write to a peripheral under a condition.
    PeripheralCondition,
    /// Q12: conditions use flags that were set.
    Flags,
    /// Q13: no operand of a float operation is a denormal or not a number.
    FloatOperand,
    /// E01: no reserved code in a field.
    ReservedCode,
    /// E02: no read of an address without a register.
    ReservedAddress,
    /// E03: branches go to words of the program.
    BranchTarget,
    /// E04: the program does not run past its last word.
    FallsOff,
    /// E05: some path reaches a program end.
    NoEnd,
    /// E06: the program has more combinations of delay slots than the checker follows.
    TooManyPaths,
    /// E07: some path to the read of a register writes it.
    Undefined,
    /// E08: the mutex is acquired before it is released, once, and free at the end; a program with a mutex holds it where it uses the VPM.
    Mutex,
    /// E09: no signal and no register that exists only for programs for pixels.
    Pixels,
    /// E10: the VPM is set up before it is used, and its DMA is awaited.
    VpmSetup,
}

impl Rule {
    /// The stable code of the rule.
    pub fn code(self) -> &'static str {
        match self {
            Rule::Operands => "Q01",
            Rule::Results => "Q02",
            Rule::RegisterDelay => "Q03",
            Rule::BranchDistance => "Q04",
            Rule::ProgramEnd => "Q05",
            Rule::SfuDelay => "Q06",
            Rule::UniformDelay => "Q07",
            Rule::TmuOrder => "Q08",
            Rule::Rotation => "Q09",
            Rule::PeripheralCount => "Q10",
            Rule::PeripheralCondition => "Q11",
            Rule::Flags => "Q12",
            Rule::FloatOperand => "Q13",
            Rule::ReservedCode => "E01",
            Rule::ReservedAddress => "E02",
            Rule::BranchTarget => "E03",
            Rule::FallsOff => "E04",
            Rule::NoEnd => "E05",
            Rule::TooManyPaths => "E06",
            Rule::Undefined => "E07",
            Rule::Mutex => "E08",
            Rule::Pixels => "E09",
            Rule::VpmSetup => "E10",
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at {:#06x}: {}", self.rule.code(), self.word * 8, self.message)
    }
}

/// All violations of a program that begins with the first word, by word and rule.
///
/// ```
/// // mov ra0, elem_num; mov r1, ra0; nop; thrend; nop; nop
/// let words = [
///     0x1002_0027_159a_7d80,
///     0x1002_0867_1502_7d80,
///     0x3000_09e7_009e_7000,
///     0x1000_09e7_009e_7000,
///     0x1000_09e7_009e_7000,
/// ];
///
/// let violations = reconverge_qpu_check::check(&words);
/// assert_eq!(violations[0].to_string(), "Q03 at 0x0008: reads ra0, which the word before writes");
/// assert_eq!(violations.len(), 1);
/// ```
pub fn check(words: &[u64]) -> Vec<Violation> {
    let words: Vec<Instruction> = words.iter().map(|&word| Instruction::decode(word)).collect();
    let flow = flow::follow(&words);
    let mut violations: Vec<Violation> =
        flow.points.iter().flat_map(|point| at_point(&words[point.index], point)).collect();
    violations.extend(flow.faults.iter().map(|&(word, fault)| path_violation(word, fault)));
    let has_end = flow.points.iter().any(|point| words[point.index].ends_program());
    if !has_end && !flow.leaves {
        let message = "no path reaches a program end".to_owned();
        violations.push(Violation { word: 0, rule: Rule::NoEnd, message });
    }
    violations.sort();
    violations.dedup();
    violations
}

fn at_point(word: &Instruction, point: &Point) -> Vec<Violation> {
    let broken = rules::ALL.iter().filter_map(|&(rule, check)| Some((rule, check(word, point)?)));
    broken.map(|(rule, message)| Violation { word: point.index, rule, message }).collect()
}

fn path_violation(word: usize, fault: PathFault) -> Violation {
    let (rule, message) = match fault {
        PathFault::Target => (Rule::BranchTarget, "branches to no word of the program"),
        PathFault::FallsOff => (Rule::FallsOff, "the program runs past its last word"),
        PathFault::TooManyPoints => (Rule::TooManyPaths, "too many branches in delay slots of others"),
    };
    Violation { word, rule, message: message.to_owned() }
}
