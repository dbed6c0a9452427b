//! Observation of a run: which lanes execute what together.
//!
//! A *tangle* is a set of lanes that execute the same instructions together (SPIR-V section 2.2.5, `SPV_KHR_maximal_reconvergence`). An
//! observer gets an event for every instruction that a tangle has executed and for every block that it enters, and can read the values of
//! its lanes. A lane that executes alone, as in functions at stage Graph, is a tangle of one.

use reconverge_ir::{Block, Function, Inst, Op};

use crate::Value;
use crate::code::instruction::{Action, Instruction};
use crate::lanes::frame::Lane;
use crate::lanes::machine::External;
use crate::scheduling::tangle::Tangle;
use crate::scheduling::work_group::WorkGroup;

/// Observes tangles.
///
/// ```
/// use reconverge_interpret::{Interpreter, Launch, Observer, Step, no_externals};
///
/// /// How many lanes executed each instruction together.
/// struct Sizes(Vec<usize>);
///
/// impl Observer for Sizes {
///     fn executed(&mut self, step: &Step<'_, '_>) {
///         self.0.push(step.lanes().len());
///     }
/// }
///
/// let module = reconverge_ir::text::parse("
/// %void = type_void
/// func %f: %void () stage structured {
/// block ^entry:
///   return
/// }
/// ")?;
/// let mut sizes = Sizes(Vec::new());
/// let function = module.functions().next().unwrap();
/// let launch = Launch::default().with_lanes(4);
/// Interpreter::new(&module).run_observed(function, &launch, &mut no_externals, &mut sizes)?;
/// assert_eq!(sizes.0, [4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Observer {
    /// A tangle has executed an instruction. Lanes that ended at it, by a fault or for lack of fuel, are not in the step.
    ///
    /// The event of a terminator comes before control leaves the block, with the lanes that leave it; that of a call after the return, with
    /// the lanes that returned.
    fn executed(&mut self, step: &Step<'_, '_>) {
        let _ = step;
    }

    /// A tangle is at the start of a block, and the parameters of the block have their values. If lanes wait for each other there to
    /// reconverge, the event comes after they have reconverged.
    fn entered(&mut self, step: &Step<'_, '_>) {
        let _ = step;
    }

    /// A work-group of a kernel launch is about to begin. Returns whether it runs: the launch ends before the first one that does not. A
    /// run that is no kernel launch has no such event.
    fn begins_group(&mut self, group: [u32; 3]) -> bool {
        let _ = group;
        true
    }
}

/// The place of a tangle, and its values.
#[derive(Clone, Copy)]
pub struct Step<'s, 'p> {
    pub(crate) function: Function,
    pub(crate) block: Block,
    pub(crate) inst: Inst,
    pub(crate) is_collective: bool,
    pub(crate) members: &'s [usize],
    pub(crate) all: &'s [Lane<'p>],
}

impl Step<'_, '_> {
    /// The function.
    pub fn function(&self) -> Function {
        self.function
    }

    /// The block.
    pub fn block(&self) -> Block {
        self.block
    }

    /// The instruction that was executed; at the start of a block, the first one after the parameters.
    pub fn inst(&self) -> Inst {
        self.inst
    }

    /// Returns whether the instruction is a barrier, a group operation or a derivative: lanes wait for each other there, and execute it
    /// together.
    pub fn is_collective(&self) -> bool {
        self.is_collective
    }

    /// The lanes of the tangle, ascending. In a kernel launch they are numbered in their work-group.
    pub fn lanes(&self) -> &[usize] {
        self.members
    }

    /// The value of an instruction in a lane: a value of the function as last computed in the current call of the lane, a constant, or a
    /// pointer to a variable at module level. `None` if it was not computed yet, and for a lane that is in another function.
    pub fn value(&self, lane: usize, of: Inst) -> Option<&Value> {
        self.all.get(lane).filter(|lane| lane.frame.code.function == self.function)?.value(of)
    }

    /// The number of open calls in a lane besides the launched one.
    pub fn call_depth(&self, lane: usize) -> usize {
        self.all.get(lane).map_or(0, Lane::depth)
    }

    /// Returns whether a lane is a helper lane.
    pub fn is_demoted(&self, lane: usize) -> bool {
        self.all.get(lane).is_some_and(|lane| lane.is_helper)
    }
}

/// The environment of the program: the handler of external calls, and the observer.
pub(crate) struct Outside<'o> {
    pub(crate) external: &'o mut External<'o>,
    pub(crate) observer: Option<&'o mut dyn Observer>,
}

impl WorkGroup<'_> {
    /// Reports that a tangle is at the start of a block.
    pub(crate) fn entered(&self, outside: &mut Outside<'_>, tangle: &Tangle) {
        if let Some(observer) = &mut outside.observer {
            let current = self.lanes[tangle.lanes[0]].frame.current;
            observer.entered(&self.step_at(&tangle.lanes, current));
        }
    }

    /// Reports that lanes have executed the instruction with this number in their function.
    pub(crate) fn executed(&self, outside: &mut Outside<'_>, lanes: &[usize], instruction: usize) {
        if let Some(observer) = &mut outside.observer {
            observer.executed(&self.step_at(lanes, instruction));
        }
    }

    /// Reports that a tangle has returned from a call, which is before its current position.
    pub(crate) fn called_back(&self, outside: &mut Outside<'_>, tangle: &Tangle) {
        let current = self.lanes[tangle.lanes[0]].frame.current;
        self.executed(outside, &tangle.lanes, current - 1);
    }

    fn step_at<'s>(&'s self, members: &'s [usize], instruction: usize) -> Step<'s, 's> {
        let code = self.lanes[members[0]].frame.code;
        let Instruction { inst, action, .. } = &code.instructions[instruction];
        Step {
            function: code.function,
            block: code.block_of(instruction),
            inst: *inst,
            is_collective: matches!(action, Action::Group(_) | Action::Barrier(Op::ControlBarrier)),
            members,
            all: &self.lanes,
        }
    }
}
