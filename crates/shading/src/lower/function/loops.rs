//! Loops.
//!
//! ```text
//! end     { body; continue }                       nothing but the end of the body goes to the continue list
//! latch   { body; continuing { continue; break if c } }     the same, and the last branch decides whether the loop goes on (WGSL)
//! parts   { body; continuing { continue; break if c } }     the body continues from several places
//! bare    { body }                                 there is no continue list: the body goes back to the header
//! ```
//!
//! `break if` comes after the assignments of the back edge. If a parameter of the header is used after the loop, or the exit has other
//! work, both edges are arms of an `if` and a flag decides.

use reconverge_control_tree::{Construct, Jump, List, Owner, Role};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Edge, Inst, view};

use super::flow::{Tail, Tails, Work};
use super::jumps::Breakable;
use super::{Body, scoping};
use crate::syntax::{Block, Expr, Loop, Statement, StatementKind, Unary};
use crate::write::{Language, WriteCode};

/// The form in which the parts of a loop are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LoopForm {
    Bare,
    End,
    Latch,
    Parts,
}

/// A loop whose blocks are filled.
#[derive(Clone, Copy)]
pub(super) struct Opened {
    construct: Construct,
    form: LoopForm,
}

impl LoopForm {
    pub(super) fn of(body: &Body<'_, '_>, construct: Construct) -> LoopForm {
        if body.tree.list(construct, Role::Continue).is_none() {
            return LoopForm::Bare;
        }
        if !scoping::is_written_in_body(body.source, &body.tree, construct) {
            let target = body.tree.construct(construct).continue_target;
            let is_reached = target.is_some_and(|target| {
                body.source.in_edges(target).any(|edge| matches!(body.tree.jump(edge), Some(Jump::Continue(_))))
            });
            return if is_reached { LoopForm::Parts } else { LoopForm::Bare };
        }
        let is_plain = |latch: &Latch| body.is_plain(construct, latch);
        let is_latch =
            body.cx.target.language() == Language::Wgsl && body.latch_of(construct).as_ref().is_some_and(is_plain);
        if is_latch { LoopForm::Latch } else { LoopForm::End }
    }
}

/// Returns whether a statement in the body of a loop leaves it.
fn leaves(body: &Block) -> bool {
    let mut stack: Vec<(&Statement, bool)> = body.iter().map(|statement| (statement, true)).collect();
    while let Some((statement, is_own)) = stack.pop() {
        match statement.kind {
            StatementKind::Return(_) => return true,
            StatementKind::Break if is_own => return true,
            _ => {}
        }
        // A `break` in them is theirs.
        let is_own = is_own && !matches!(statement.kind, StatementKind::Loop(_) | StatementKind::Switch { .. });
        stack.extend(statement.blocks().into_iter().flatten().map(|inner| (inner, is_own)));
    }
    false
}

impl Body<'_, '_> {
    /// Begins the body of a loop that one instruction becomes.
    pub(crate) fn open_loop_body(&mut self, place: Inst) -> Result<(), Diagnostic> {
        self.open_block(place, 1)
    }

    /// The statements of that body.
    pub(crate) fn close_loop_body(&mut self) -> Block {
        self.close_block()
    }

    /// Pushes the parts of a loop.
    pub(super) fn open_loop(&mut self, construct: Construct, work: &mut Vec<Work>) {
        let form = LoopForm::of(self, construct);
        let Some(body) = self.tree.list(construct, Role::Body) else { return };
        let tails = |jump: Jump| -> Tails { std::iter::once(Tail { jump, flag: None }).collect() };
        let (back, end) = (tails(Jump::Back(construct)), tails(Jump::Continue(construct)));
        self.breakables.push(Breakable::new(construct));
        let opened = Opened { construct, form };
        work.push(Work::Loop(opened));
        let continuing = self.tree.list(construct, Role::Continue).filter(|_| form != LoopForm::Bare);
        if let Some(list) = continuing {
            work.push(Work::Nodes { list, at: 0, tails: back.clone() });
        }
        if matches!(form, LoopForm::Latch | LoopForm::Parts) {
            work.push(Work::Continuing(opened));
        }
        let tails = if form == LoopForm::Bare { back } else { end };
        work.push(Work::Nodes { list: body, at: 0, tails });
        work.push(Work::Open { place: construct.into(), braces: 1 });
    }

    /// Begins the continuing part. If the body continues from several places, its values cannot be named there.
    pub(super) fn open_continuing(&mut self, opened: Opened) -> Result<(), Diagnostic> {
        if opened.form == LoopForm::Parts {
            self.seal_block();
        }
        if let Some(breakable) = self.breakables.last_mut() {
            breakable.is_continuing = true;
        }
        self.open_block(opened.construct.into(), 1)
    }

    pub(super) fn close_loop(&mut self, opened: Opened) -> Result<(), Diagnostic> {
        let Some(breakable) = self.breakables.pop() else { return Ok(()) };
        let has_parts = matches!(opened.form, LoopForm::Latch | LoopForm::Parts);
        let continuing = if has_parts { self.close_block() } else { Block::new() };
        let body = self.close_block();
        let break_if = breakable.break_if;
        let is_left = || break_if.is_some() || [&body, &continuing].into_iter().any(leaves);
        if self.cx.target.language() == Language::Hlsl && !is_left() {
            let opener = self.tree.construct(opened.construct).opener;
            return self.refuse(WriteCode::Flow, opener, "a loop that nothing leaves, which HLSL does not have");
        }
        let found = Loop { body, continuing, break_if, ..Loop::default() };
        self.begin_at(opened.construct);
        self.add_breakable(breakable, StatementKind::Loop(Box::new(found)));
        Ok(())
    }

    /// The last conditional of a continue list, if one of its edges goes back and the other leaves the loop.
    fn latch_of(&self, construct: Construct) -> Option<Latch> {
        let list = self.tree.list(construct, Role::Continue)?;
        let exit = self.tree.opened_by(self.tree.last_block(list))?;
        let terminator = self.source.terminator(exit.opener())?;
        let slots = view::BranchIf::SLOT;
        let edges = [slots.true_target, slots.false_target].map(|operand| Edge { terminator, operand });
        let ends = [self.last_jump(exit, Role::Then, edges[0]), self.last_jump(exit, Role::Else, edges[1])];
        let breaks = ends.iter().position(|&jump| jump == Some(Jump::Break(construct)))?;
        let goes_back = ends[1 - breaks] == Some(Jump::Back(construct));
        goes_back.then_some(Latch { exit, breaks, edges })
    }

    /// Returns whether `break if` can come after the assignments of the back edge, and nothing else happens on both edges.
    fn is_plain(&self, construct: Construct, latch: &Latch) -> bool {
        let roles = [Role::Then, Role::Else];
        let header = self.tree.construct(construct).loop_header;
        let back = latch.edges[1 - latch.breaks];
        let arguments: Vec<Inst> = match self.tree.list(latch.exit, roles[1 - latch.breaks]) {
            Some(list) => self.source.terminator(self.tree.last_block(list)),
            None => Some(back.terminator),
        }
        .map_or_else(Vec::new, |last| self.source.arguments(last).collect());
        let is_wanted_behind = header.is_some_and(|header| {
            self.source.parameters(header).zip(arguments).any(|(parameter, argument)| {
                let parameter = parameter.inst();
                let mut sharing = self.classes.members(parameter).into_iter();
                !self.classes.share(parameter, argument) && sharing.any(|member| self.spilled.contains(&member))
            })
        });
        let is_bare = |way: usize| match self.tree.list(latch.exit, roles[way]) {
            Some(list) => self.source.is_bare_edge(self.tree.last_block(list)) && self.tree.nodes(list).len() == 1,
            None => true,
        };
        let leaves_with = self.tree.list(latch.exit, roles[latch.breaks]).map(|list| self.tree.last_block(list));
        let passes = leaves_with
            .and_then(|block| self.source.terminator(block))
            .is_some_and(|last| self.source.arguments(last).len() > 0);
        is_bare(0) && is_bare(1) && !passes && !is_wanted_behind
    }

    /// The last conditional of a continuing part: `break if`. Returns whether it is one.
    pub(super) fn latch(&mut self, exit: Construct, list: List, work: &mut Vec<Work>) -> Result<bool, Diagnostic> {
        let Owner::Construct(construct, Role::Continue) = self.tree.owner(list) else { return Ok(false) };
        let is_continuing =
            self.breakables.last().is_some_and(|breakable| breakable.is_continuing && breakable.construct == construct);
        let Some(latch) = self.latch_of(construct).filter(|latch| is_continuing && latch.exit == exit) else {
            return Ok(false);
        };
        let Some(terminator) = self.source.terminator(exit.opener()) else { return Ok(false) };
        let Some(view::Conditional { condition, .. }) = view::Conditional::of(self.source, terminator) else {
            return Ok(false);
        };
        let condition = self.value(condition)?;
        let leaves = if latch.breaks == 0 { condition } else { self.unary(Unary::Not, condition) };
        let tails: Tails =
            [Jump::Back(construct), Jump::Break(construct)].into_iter().map(|jump| Tail { jump, flag: None }).collect();
        if self.is_plain(construct, &latch) {
            self.break_if(leaves);
            let back = 1 - latch.breaks;
            let role = if back == 0 { Role::Then } else { Role::Else };
            work.push(match self.tree.list(exit, role) {
                Some(list) => Work::Nodes { list, at: 0, tails },
                None => Work::Jump { edge: latch.edges[back], tails },
            });
            return Ok(true);
        }
        let flag = self.add_flag(None);
        let target = self.local(flag);
        self.assign_to(target, leaves);
        work.push(Work::BreakIf { flag });
        self.two_ways(exit, tails, work)?;
        Ok(true)
    }

    /// Ends the innermost loop on a condition, after its continuing part.
    pub(super) fn break_if(&mut self, condition: Expr) {
        if let Some(breakable) = self.breakables.last_mut() {
            breakable.break_if = Some(condition);
        }
    }
}

/// The last conditional of a continue list.
struct Latch {
    exit: Construct,
    /// The index of the edge that leaves the loop: 0 if the condition is true.
    breaks: usize,
    edges: [Edge; 2],
}
