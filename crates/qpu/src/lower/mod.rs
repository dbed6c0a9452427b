//! Control flow: from a structured function to the code of one QPU, whose 16 lanes go through it together.
//!
//! A register, `execute`, says for each lane where it is: zero if it is active, else the index of the block where it wakes. A block where lanes
//! wait (`LaneFlow::collects`) has an index. Lanes that jump to such a block *park*: they get its index. At the block those with its index
//! wake: they get zero.
//!
//! ```text
//! if %c ^t ^e merge ^m                     mov execute, 0                 where lanes do not diverge around it
//! ^t: … branch ^m                          or.sf null, execute, c
//! ^e: … branch ^m                ⇒         mov.zs execute, ^e             lanes without the condition park at ^e
//!                                          mov.sf null, execute
//!                                          branch.all_zc ^e               no lane is active
//!                                      ^t: …
//!                                          mov.sf null, execute
//!                                          mov.zs execute, ^m
//!                                          sub.sf null, execute, ^e
//!                                          branch.all_zc ^m               no lane waits at ^e
//!                                      ^e: sub.sf null, execute, ^e
//!                                          mov.zs execute, 0
//!                                          …
//!                                      ^m: sub.sf null, execute, ^m
//!                                          mov.zs execute, 0
//! ```
//!
//! Blocks come in execution order, so that every edge but those back to a loop header goes forward. Where all lanes of a list have parked, control
//! goes to the next *point* (`points.rs`), where lanes may wait. Where no lane can be inactive `execute` has no value, and lanes that stay
//! together take plain branches. A parameter of a block where lanes wait is a register that lanes write when they park; other values
//! are written for all lanes, because loop-closed SSA form keeps what a lane needs later apart.
//!
//! | file | content |
//! |---|---|
//! | `points.rs` | where control goes when all lanes of a list have left it |
//! | `activity.rs` | where lanes may be inactive |
//! | `execute.rs` | the sequences: park, wake, tests |
//! | `edges.rs` | jumps and their arguments |
//! | `ends.rs` | divergent terminators |

mod activity;
mod edges;
mod ends;
mod execute;
mod points;

use reconverge_control_tree::Construct;
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Inst, Op, Terminator};
use reconverge_lanes::{CodeRole, open_constructs};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::machine::{Origin, VReg};
use crate::program::Uniform;
use crate::select::emit::{Label, Word};
use crate::select::selector::Selector;
use crate::select::value::ScalarType;
use crate::select::values::Selected;
use points::Point;

/// The way in which control enters the code that is written next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flow {
    /// With active lanes.
    Active,
    /// All lanes have parked.
    Parked,
    /// Not at all: the code before ends with a jump.
    None,
}

/// The labels of a block.
#[derive(Clone, Copy, Debug)]
struct Labels {
    /// The label for control with lanes that are active or parked there.
    block: Label,
    /// The label for control that may have no lanes there.
    entrance: Label,
}

/// Writes the control flow of a function.
pub(crate) struct Lowering<'s, 'a> {
    select: &'s mut Selector<'a>,
    labels: FxHashMap<Block, Labels>,
    /// Blocks whose entrance control goes to.
    entered: FxHashSet<Block>,
    /// The latches of headers: the labels at which lanes reconverge that go back.
    latches: FxHashMap<Block, Label>,
    end: Label,
    /// The indices of blocks where lanes wait.
    indices: FxHashMap<Block, u32>,
    exit: u32,
    next_index: u32,
    /// Blocks in which some lanes may be inactive.
    partial: FxHashSet<Block>,
    /// Constructs that lanes leave for other places than their merge block.
    open: FxHashSet<Construct>,
    /// Blocks after a conditional exit where the lanes that stay wait while others execute the list of the exit.
    resumed: FxHashSet<Block>,
    flow: Flow,
    /// The place of each block in execution order.
    places: FxHashMap<Block, usize>,
    /// Headers of loops whose lanes join before they go back.
    latched: FxHashSet<Block>,
    /// By the last block of a loop with code, the headers whose lanes join after it, innermost first.
    latch_places: FxHashMap<Block, Vec<Block>>,
    /// Blocks that only jump, whose jump is made where they are entered.
    absorbed: FxHashSet<Block>,
    /// The point that is written after the block that ends.
    next: Option<Point>,
}

/// Writes a function and the loop over the units of its QPU. Gives the uniforms that it reads, in order.
///
/// # Errors
/// Constructs without code, by name.
pub(crate) fn lower(select: &mut Selector<'_>) -> Result<Vec<Uniform>, Diagnostic> {
    let unit = select.emit.label();
    select.emit.begin_body(unit);
    let end = select.emit.label();
    let open = open_constructs(select.values.module, select.values.flow.tree());
    let places = select.values.flow.blocks().iter().enumerate().map(|(place, &block)| (block, place)).collect();
    let mut lowering = Lowering {
        select,
        labels: FxHashMap::default(),
        entered: FxHashSet::default(),
        latches: FxHashMap::default(),
        end,
        indices: FxHashMap::default(),
        exit: 0,
        next_index: 1,
        partial: FxHashSet::default(),
        open,
        resumed: FxHashSet::default(),
        flow: Flow::Active,
        places,
        latched: FxHashSet::default(),
        latch_places: FxHashMap::default(),
        absorbed: FxHashSet::default(),
        next: None,
    };
    lowering.run()?;
    let end = lowering.end;
    select.emit.set_origin(Origin { block: None, role: CodeRole::Epilogue });
    select.emit.place(end);
    Ok(select.finish_units(unit))
}

impl Lowering<'_, '_> {
    fn run(&mut self) -> Result<(), Diagnostic> {
        self.find_activity();
        self.declare()?;
        let blocks = self.select.values.flow.blocks().to_vec();
        if !self.select.values.specialization.is_full() {
            let exit = self.exit_index();
            self.select.begin_partial(exit);
        }
        for global in self.select.memory.frame.initialized.clone() {
            if self.select.values.module.block_of(global).is_none() {
                self.select.initialize(global)?;
            }
        }
        for block in blocks {
            if self.absorbed.contains(&block) {
                continue;
            }
            self.begin(block);
            for inst in self.select.values.body(block) {
                if self.select.values.module.op(inst) != Op::BlockParameter {
                    self.select.select(inst)?;
                }
            }
            let end = self.select.values.module.terminator(block).expect("invariant: blocks have terminators");
            self.next = Some(self.next_of(block));
            self.end_block(block, end)?;
            let headers = self.latch_places.get(&block).cloned().unwrap_or_default();
            for (place, &header) in headers.iter().enumerate() {
                let next = headers.get(place + 1).map(|&header| Point::Latch(header));
                self.next = next.or(self.next_block(block).map(Point::Block)).or(Some(Point::End));
                self.end_latch(header);
            }
        }
        Ok(())
    }

    /// Registers for block parameters.
    fn declare(&mut self) -> Result<(), Diagnostic> {
        for &block in self.select.values.flow.blocks() {
            let parameters: Vec<Inst> = self.select.values.module.parameters(block).map(Inst::from).collect();
            for parameter in parameters {
                let ty: ScalarType = self.select.values.scalar_type(parameter)?;
                let words = (0..ty.words()).map(|_| Word::Register(self.select.emit.register())).collect();
                self.select.values.set(parameter, Selected::Words(words));
            }
        }
        Ok(())
    }

    /// The registers of a block parameter.
    fn registers(&self, parameter: Inst) -> Vec<VReg> {
        let Some(Selected::Words(words)) = self.select.values.get(parameter) else { return Vec::new() };
        let register = |word: &Word| match word {
            Word::Register(register) => Some(*register),
            Word::Constant(_) => None,
        };
        words.iter().filter_map(register).collect()
    }

    fn labels(&mut self, block: Block) -> Labels {
        if let Some(&labels) = self.labels.get(&block) {
            return labels;
        }
        let labels = Labels { block: self.select.emit.label(), entrance: self.select.emit.label() };
        self.labels.insert(block, labels);
        labels
    }

    /// Returns whether lanes may be parked at a block: it is collecting, or lanes stay there after a conditional exit with a list.
    fn waits(&self, block: Block) -> bool {
        self.select.values.flow.collects(block) || self.resumed.contains(&block)
    }

    /// Begins the code of a block: its entrance, its label, and the lanes that wait there wake.
    fn begin(&mut self, block: Block) {
        let labels = self.labels(block);
        self.select.emit.is_whole = !self.partial.contains(&block);
        self.select.emit.is_in_loop = self.select.values.flow.tree().innermost_loop(block).is_some();
        if self.waits(block) && !self.is_loop_header(block) {
            if self.entered.contains(&block) || self.flow == Flow::Parked {
                self.begin_part(block, CodeRole::Entrance);
                self.select.emit.place(labels.entrance);
                if !self.needs_no_test(block) {
                    self.skip_without_lanes(block);
                }
            }
            self.begin_part(block, CodeRole::Body);
            self.select.emit.place(labels.block);
            // Without an index no lane has parked there: all edges but those back go forward.
            if let Some(&index) = self.indices.get(&block)
                && !self.select.emit.is_whole
            {
                self.wake(index);
            }
        } else {
            self.begin_part(block, CodeRole::Body);
            self.select.emit.place(labels.block);
        }
        self.flow = Flow::Active;
        self.undefine_of_iteration(block);
    }

    /// Begins a part of the code, which belongs to a block.
    fn begin_part(&mut self, block: Block, role: CodeRole) {
        self.select.emit.set_origin(Origin { block: Some(block), role });
    }

    fn end_block(&mut self, block: Block, end: Terminator) -> Result<(), Diagnostic> {
        match self.select.values.module.op(end) {
            Op::Branch => self.end_jump(block, end),
            Op::Loop => self.open_loop(block, end),
            Op::BranchIf => self.end_exit(block, end),
            Op::If => self.end_if(block, end),
            Op::StructuredSwitch => self.end_switch(block, end),
            _ => {
                self.end_lanes(block);
                Ok(())
            }
        }
    }

    /// All active lanes are done: at the end of the function, or until the others are.
    fn end_lanes(&mut self, block: Block) {
        if !self.select.values.flow.collects_returns() {
            return self.go(Point::End, Flow::Active);
        }
        let index = self.exit_index();
        self.park(index);
        let behind = self.behind_block(block);
        self.go(behind, Flow::Parked);
    }
}
