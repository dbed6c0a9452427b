//! Makes a run from the events of the interpreter.
//!
//! The interpreter runs one tangle after another. Which one is first means nothing, so steps are those of a logical clock (Lamport 1978):
//! the step of an event is one more than the last step of its lanes. So both arms of a branch run side by side, and who is early waits.
//!
//! ```text
//! events:  entry {0,1}   then {0}   then2 {0}   else {1}   merge {0,1}
//! steps:   entry {0,1} │ then {0}, else {1} │ then2 {0} │ merge {0,1}
//! ```
//!
//! Linear in the events, of which a limited number is kept.

use reconverge_interpret::{Observer, Step, Value};
use reconverge_ir::text::Printer;
use reconverge_ir::{Block, Inst, Module, Op};

use super::data::{LaneEnd, LaneLimits, LaneMove, LaneRun, Operation};

/// The end of a lane that did not return.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ending {
    /// In words.
    pub text: String,
    /// True if the limit of instructions ended it.
    pub is_limit: bool,
}

/// Records the first lanes of a run, or of the first work-group of a kernel launch, which it ends there.
#[derive(Debug)]
pub struct LaneRecorder<'m> {
    module: &'m Module,
    printer: Printer<'m>,
    run: LaneRun,
    moves: u32,
    /// By lane: the step after its last one.
    next: [usize; LaneLimits::LANES],
    /// By lane: where it is.
    at: [Option<Block>; LaneLimits::LANES],
    has_returned: [bool; LaneLimits::LANES],
    has_begun: bool,
}

impl<'m> LaneRecorder<'m> {
    /// Records lanes of a module, at most [`LaneLimits::LANES`] of them.
    pub fn new(module: &'m Module) -> LaneRecorder<'m> {
        LaneRecorder {
            module,
            printer: Printer::by_handle(module),
            run: LaneRun::default(),
            moves: 0,
            next: [0; LaneLimits::LANES],
            at: [None; LaneLimits::LANES],
            has_returned: [false; LaneLimits::LANES],
            has_begun: false,
        }
    }

    /// The run, given how each lane ended that did not return.
    pub fn finish(mut self, mut end: impl FnMut(usize) -> Ending) -> LaneRun {
        let lanes = self.at.iter().take_while(|block| block.is_some()).count();
        self.run.lanes = lanes as u32;
        let whole = self.run.steps.len();
        let is_full = self.run.is_cut;
        for lane in 0..lanes {
            let (step, ending) = match (is_full, self.has_returned[lane]) {
                (true, _) => (whole, Ending { text: "not recorded further".to_owned(), is_limit: true }),
                (false, true) => (self.next[lane], Ending { text: "returned".to_owned(), is_limit: false }),
                (false, false) => (self.next[lane], end(lane)),
            };
            self.run.is_cut |= ending.is_limit;
            self.run.ends.push(LaneEnd { step: step as u32, text: ending.text });
        }
        self.sort_operations();
        self.run
    }

    /// Operations by their steps, as the reader of a run meets them.
    fn sort_operations(&mut self) {
        let operations = std::mem::take(&mut self.run.operations);
        let mut moved: Vec<Option<Operation>> = operations.into_iter().map(Some).collect();
        for one in self.run.steps.iter_mut().flatten() {
            if let Some(old) = one.operation {
                one.operation = Some(self.run.operations.len() as u32);
                self.run.operations.extend(moved[old as usize].take());
            }
        }
    }

    /// Lanes move to a block, or execute an operation in it.
    fn add(&mut self, lanes: &[usize], block: Block, operation: Option<Operation>) {
        if self.moves == LaneLimits::MOVES {
            self.run.is_cut = true;
            return;
        }
        self.moves += 1;
        let step = lanes.iter().map(|&lane| self.next[lane]).max().unwrap_or(0);
        if self.run.steps.len() == step {
            self.run.steps.push(Vec::new());
        }
        let number = operation.is_some().then_some(self.run.operations.len() as u32);
        self.run.operations.extend(operation.map(|operation| Operation { step: step as u32, ..operation }));
        self.run.steps[step].push(LaneMove { block: identity(block.into()), lanes: set(lanes), operation: number });
        for &lane in lanes {
            (self.next[lane], self.at[lane]) = (step + 1, Some(block));
        }
    }

    fn operation(&self, step: &Step<'_, '_>, lanes: &[usize]) -> Operation {
        let (module, inst) = (self.module, step.inst());
        let op = module.op(inst);
        let has_result = module.ty(inst).is_some_and(|ty| module.op(ty) != Op::TypeVoid);
        let text = |&lane: &usize| step.value(lane, inst).map_or_else(String::new, |value| value_text(op, value));
        let mut values: Vec<String> = if has_result { lanes.iter().map(text).collect() } else { Vec::new() };
        if values.windows(2).all(|pair| pair[0] == pair[1]) {
            values.truncate(1);
        }
        Operation {
            step: 0,
            inst: identity(inst),
            op: op.name().to_owned(),
            result: if has_result { self.printer.operand_text(inst) } else { String::new() },
            block: identity(step.block().into()),
            lanes: set(lanes),
            values,
        }
    }
}

impl Observer for LaneRecorder<'_> {
    fn entered(&mut self, step: &Step<'_, '_>) {
        let lanes = recorded(step);
        if !lanes.is_empty() && !self.module.is_bare_edge(step.block()) {
            self.add(&lanes, step.block(), None);
        }
    }

    fn executed(&mut self, step: &Step<'_, '_>) {
        let lanes = recorded(step);
        if lanes.is_empty() {
            return;
        }
        let op = self.module.op(step.inst());
        if matches!(op, Op::Return | Op::ReturnValue) {
            for &lane in &lanes {
                self.has_returned[lane] = step.call_depth(lane) == 0;
            }
        } else if op == Op::FunctionCall {
            // The lanes are back from the function.
            self.add(&lanes, step.block(), None);
        } else if step.is_collective() {
            let operation = self.operation(step, &lanes);
            self.add(&lanes, step.block(), Some(operation));
        }
    }

    fn begins_group(&mut self, _: [u32; 3]) -> bool {
        !std::mem::replace(&mut self.has_begun, true)
    }
}

/// The lanes of a step that are recorded.
fn recorded(step: &Step<'_, '_>) -> Vec<usize> {
    step.lanes().iter().copied().filter(|&lane| lane < LaneLimits::LANES).collect()
}

fn set(lanes: &[usize]) -> u32 {
    lanes.iter().fold(0, |set, &lane| set | 1 << lane)
}

fn identity(inst: Inst) -> u32 {
    inst.index() as u32
}

/// A value, as short as possible: a ballot by its lanes.
fn value_text(op: Op, value: &Value) -> String {
    match (op, value) {
        (Op::GroupNonUniformBallot | Op::SubgroupBallotKHR, Value::Composite(words)) => {
            let bits = words.first().and_then(Value::as_u32).unwrap_or(0);
            let lanes = (0..u32::BITS).filter(|lane| bits >> lane & 1 == 1).map(|lane| lane.to_string());
            format!("{{{}}}", lanes.collect::<Vec<_>>().join(" "))
        }
        (_, Value::Undefined) => UNDEFINED.to_owned(),
        (_, Value::Bool(value)) => value.to_string(),
        (_, Value::Int { bits, .. }) => bits.to_string(),
        (_, Value::Float { .. }) => value.as_f64().map_or_else(String::new, |number| format!("{number:?}")),
        (_, Value::Composite(elements)) => {
            // A value nests as deep as its type, at most 255 times.
            let elements: Vec<String> = elements.iter().map(|element| value_text(op, element)).collect();
            format!("({})", elements.join(", "))
        }
        (_, other) => format!("{other:?}"),
    }
}

/// The text of an undefined value.
pub(super) const UNDEFINED: &str = "undefined";
