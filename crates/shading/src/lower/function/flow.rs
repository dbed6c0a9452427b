//! The control tree as statements, with an explicit stack of work.
//!
//! ```text
//! list: block a; if %c [then] [else]; block m        ⇒      a; if c { then } else { else } m
//! exit: branch_if %c ^x ^next; next                  ⇒      if c { x; break; } next
//! scope: if %c [then] [else] [join]; m               ⇒      left = false; if c { … left = true; } else { … } if !left { join } m
//! ```
//!
//! At the end of a list, some jumps need no statement: control continues at their target anyway. These are its tails. An exit to the merge
//! block of a selection has no statement in any language; the rest of its list becomes the other arm, so that it ends there, too.

use reconverge_control_tree::{Construct, ConstructKind, Jump, List, Node, Role};
use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Block as SourceBlock;
use reconverge_ir::{Edge, Inst, Op, view};
use smallvec::SmallVec;

use super::Body;
use super::loops::Opened;
use super::switches::Cases;
use crate::syntax::{Block, Expr, LocalId, StatementKind, Unary};
use crate::write::WriteCode;

/// A jump that needs no statement where a list ends, and the flag that it sets.
#[derive(Clone, Copy)]
pub(super) struct Tail {
    pub(super) jump: Jump,
    pub(super) flag: Option<LocalId>,
}

/// The jumps that need no statement at the end of a list.
pub(super) type Tails = SmallVec<[Tail; 4]>;

/// A node of a list, and the jumps that need no statement at the end of the list.
struct Here {
    list: List,
    at: usize,
    tails: Tails,
}

/// The remaining work, the last item first.
pub(super) enum Work {
    /// The nodes of a list from one on.
    Nodes { list: List, at: usize, tails: Tails },
    /// Only the jump of an edge that has no list.
    Jump { edge: Edge, tails: Tails },
    /// Opens a block.
    Open { place: Inst, braces: u32 },
    /// Ends the code of a block, before the one beside it.
    Seal,
    /// Makes an `if` of the last two blocks, for a construct.
    If { construct: Construct, condition: Expr },
    /// Makes an `if` of the last block, for a flag that is not set.
    Unless { flag: LocalId },
    /// Begins the continuing part of a loop.
    Continuing(Opened),
    /// Ends the innermost loop on a flag, after its continuing part.
    BreakIf { flag: LocalId },
    /// Makes a loop of the last two blocks.
    Loop(Opened),
    /// Makes a switch of as many blocks as it has cases.
    Switch(Cases),
}

impl Body<'_, '_> {
    /// Converts the statements of a list.
    pub(super) fn statements_of(&mut self, list: List) -> Result<(), Diagnostic> {
        let mut work = vec![Work::Nodes { list, at: 0, tails: Tails::new() }];
        while let Some(next) = work.pop() {
            match next {
                Work::Nodes { list, at, tails } => self.nodes(list, at, tails, &mut work)?,
                Work::Jump { edge, tails } => self.jump(edge, &tails)?,
                Work::Open { place, braces } => self.open_block(place, braces)?,
                Work::Seal => self.seal_block(),
                Work::If { construct, condition } => self.close_if(construct, condition),
                Work::Unless { flag } => self.close_unless(flag),
                Work::Continuing(opened) => self.open_continuing(opened)?,
                Work::BreakIf { flag } => {
                    let condition = self.local(flag);
                    self.break_if(condition);
                }
                Work::Loop(opened) => self.close_loop(opened)?,
                Work::Switch(cases) => self.close_switch(cases),
            }
        }
        Ok(())
    }

    /// Converts the nodes of a list up to the next construct, which is pushed with the rest after it.
    fn nodes(&mut self, list: List, at: usize, tails: Tails, work: &mut Vec<Work>) -> Result<(), Diagnostic> {
        let mut at = at;
        loop {
            let node = self.tree.nodes(list).get(at).copied();
            match node {
                None => return Ok(()),
                Some(Node::Block(block)) => {
                    if self.is_unreached(block) {
                        return Ok(());
                    }
                    self.instructions(block)?;
                    let is_end = self.ends_at(list, at + 1);
                    self.terminator(block, if is_end { &tails } else { &[] })?;
                    at += 1;
                }
                Some(Node::Construct(construct)) => return self.node(construct, Here { list, at, tails }, work),
            }
        }
    }

    /// Returns whether no code follows a node of a list.
    fn ends_at(&self, list: List, at: usize) -> bool {
        match self.tree.nodes(list).get(at) {
            None => true,
            Some(&Node::Block(block)) => self.is_unreached(block),
            Some(Node::Construct(_)) => false,
        }
    }

    fn is_unreached(&self, block: SourceBlock) -> bool {
        let is_entry = self.tree.blocks().first() == Some(&block);
        !is_entry && self.source.in_edges(block).all(|edge| self.tree.jump(edge).is_none())
    }

    /// The statement of a terminator that opens no construct.
    fn terminator(&mut self, block: SourceBlock, tails: &[Tail]) -> Result<(), Diagnostic> {
        let Some(terminator) = self.source.terminator(block) else { return Ok(()) };
        self.origin = Some(terminator.inst());
        match self.source.op(terminator) {
            Op::Branch => self.jump(Edge { terminator, operand: view::Branch::SLOT.target }, tails),
            Op::If | Op::BranchIf | Op::StructuredSwitch => Ok(()),
            Op::Loop => {
                let target = self.source.target(Edge { terminator, operand: view::Loop::SLOT.header });
                target.map_or(Ok(()), |header| self.assign(terminator, header))
            }
            Op::Return | Op::ReturnValue => self.leave(terminator.inst()),
            Op::Unreachable => self.leave_anyhow(terminator.inst()),
            _ => self.special_terminator(terminator.inst()),
        }
    }

    fn node(&mut self, construct: Construct, here: Here, work: &mut Vec<Work>) -> Result<(), Diagnostic> {
        let Here { list, at, tails } = here;
        let is_end = self.ends_at(list, at + 1);
        let around = if is_end { tails.clone() } else { Tails::new() };
        let kind = self.tree.construct(construct).kind;
        if kind == ConstructKind::Exit {
            return self.exit(construct, Here { list, at, tails }, work);
        }
        if !is_end {
            work.push(Work::Nodes { list, at: at + 1, tails });
        }
        match kind {
            ConstructKind::If => self.selection(construct, around, work),
            ConstructKind::Scope => self.scope(construct, around, work),
            ConstructKind::Switch => self.switch(construct, around, work),
            ConstructKind::Loop => {
                self.open_loop(construct, work);
                Ok(())
            }
            ConstructKind::Exit => Ok(()),
        }
    }

    fn selection(&mut self, construct: Construct, around: Tails, work: &mut Vec<Work>) -> Result<(), Diagnostic> {
        let mut tails = around;
        tails.push(Tail { jump: Jump::Merge(construct), flag: None });
        self.two_ways(construct, tails, work)
    }

    /// An `if` with the two arms of a conditional.
    pub(super) fn two_ways(
        &mut self,
        construct: Construct,
        tails: Tails,
        work: &mut Vec<Work>,
    ) -> Result<(), Diagnostic> {
        let (condition, [on_true, on_false]) = self.conditional(construct)?;
        let place = Inst::from(construct);
        work.push(Work::If { construct, condition });
        work.push(self.arm(construct, Role::Else, on_false, tails.clone()));
        work.extend([Work::Open { place, braces: 1 }, Work::Seal]);
        work.push(self.arm(construct, Role::Then, on_true, tails));
        work.push(Work::Open { place, braces: 1 });
        Ok(())
    }

    /// The code of an arm.
    fn arm(&self, construct: Construct, role: Role, edge: Edge, tails: Tails) -> Work {
        match self.tree.list(construct, role) {
            Some(list) => Work::Nodes { list, at: 0, tails },
            None => Work::Jump { edge, tails },
        }
    }

    /// The condition of a conditional and its edges: if it is true, if it is not.
    fn conditional(&mut self, construct: Construct) -> Result<(Expr, [Edge; 2]), Diagnostic> {
        let terminator = self.source.terminator(construct.opener());
        let found =
            terminator.and_then(|terminator| Some((terminator, view::Conditional::of(self.source, terminator)?)));
        let Some((terminator, view::Conditional { condition, .. })) = found else {
            return self.refuse(WriteCode::Flow, construct, "a conditional without a condition");
        };
        let condition = self.value(condition)?;
        let slots = view::BranchIf::SLOT;
        Ok((condition, [slots.true_target, slots.false_target].map(|operand| Edge { terminator, operand })))
    }

    /// A conditional exit. The arm that leaves becomes an `if`; the other is the rest of the list.
    fn exit(&mut self, construct: Construct, here: Here, work: &mut Vec<Work>) -> Result<(), Diagnostic> {
        let Here { list, at, tails } = here;
        if self.latch(construct, list, work)? {
            return Ok(());
        }
        let (condition, edges) = self.conditional(construct)?;
        let roles = [Role::Then, Role::Else];
        let last_jumps = [0, 1].map(|way| self.last_jump(construct, roles[way], edges[way]));
        let is_tail = |way: usize| last_jumps[way].is_some_and(|jump| tails.iter().any(|tail| tail.jump == jump));
        let goes_on = match edges.iter().position(|&edge| self.tree.jump(edge) == Some(Jump::Next)) {
            Some(way) => way,
            None if is_tail(0) != is_tail(1) => usize::from(is_tail(1)),
            None => return self.two_ways(construct, tails, work),
        };
        let leaving = 1 - goes_on;
        let rest = |tails: Tails| match self.tree.list(construct, roles[goes_on]) {
            Some(list) => Work::Nodes { list, at: 0, tails },
            None if self.tree.jump(edges[goes_on]) == Some(Jump::Next) => Work::Nodes { list, at: at + 1, tails },
            None => Work::Jump { edge: edges[goes_on], tails },
        };
        if self.has_statement(last_jumps[leaving]) {
            work.push(rest(tails));
            return self.one_way(construct, (leaving, condition, edges[leaving]), None, work);
        }
        let rest = rest(tails.clone());
        self.one_way(construct, (leaving, condition, edges[leaving]), Some((rest, tails)), work)
    }

    /// An `if` whose arm `way` is that of a conditional exit. The other arm is empty, or the rest of the list.
    fn one_way(
        &self,
        construct: Construct,
        (way, condition, edge): (usize, Expr, Edge),
        rest: Option<(Work, Tails)>,
        work: &mut Vec<Work>,
    ) -> Result<(), Diagnostic> {
        let place = Inst::from(construct);
        let role = if way == 0 { Role::Then } else { Role::Else };
        let (rest, tails) = rest.map_or((None, Tails::new()), |(rest, tails)| (Some(rest), tails));
        let arm = self.arm(construct, role, edge, tails);
        let (first, second) = if way == 0 { (Some(arm), rest) } else { (rest, Some(arm)) };
        work.push(Work::If { construct, condition });
        work.extend(second);
        work.extend([Work::Open { place, braces: 1 }, Work::Seal]);
        work.extend(first);
        work.push(Work::Open { place, braces: 1 });
        Ok(())
    }

    /// The jump at the end of an arm; none if it ends in another way.
    pub(super) fn last_jump(&self, construct: Construct, role: Role, edge: Edge) -> Option<Jump> {
        let Some(list) = self.tree.list(construct, role) else { return self.tree.jump(edge) };
        let last = self.source.terminator(self.tree.last_block(list))?;
        let is_branch = self.source.op(last) == Op::Branch;
        is_branch.then(|| self.tree.jump(Edge { terminator: last, operand: view::Branch::SLOT.target })).flatten()
    }

    /// Returns whether the languages have a statement for a jump.
    fn has_statement(&self, jump: Option<Jump>) -> bool {
        match jump {
            Some(Jump::Merge(merged)) => self.tree.construct(merged).kind == ConstructKind::Switch,
            Some(Jump::Join(_) | Jump::FallThrough(_)) => false,
            _ => true,
        }
    }

    /// A scope: each exit from it sets a flag, and the join is executed under the negation of the flag.
    fn scope(&mut self, construct: Construct, around: Tails, work: &mut Vec<Work>) -> Result<(), Diagnostic> {
        let Some(join) = self.tree.list(construct, Role::Join) else {
            return self.refuse(WriteCode::Flow, construct, "a scope without a join");
        };
        let flag = self.add_flag("left");
        self.clear_flag(flag);
        let mut behind = around.clone();
        behind.push(Tail { jump: Jump::Merge(construct), flag: None });
        work.push(Work::Unless { flag });
        work.push(Work::Nodes { list: join, at: 0, tails: behind });
        work.push(Work::Open { place: construct.into(), braces: 1 });
        let mut tails = Tails::new();
        tails.push(Tail { jump: Jump::Join(join), flag: None });
        tails.push(Tail { jump: Jump::Merge(construct), flag: Some(flag) });
        self.two_ways(construct, tails, work)
    }

    fn close_if(&mut self, construct: Construct, condition: Expr) {
        let reject = self.close_block();
        let accept = self.close_block();
        self.begin_at(construct);
        self.add_if(condition, accept, reject);
    }

    /// Takes the instruction that opens a construct as the origin of what is added.
    pub(super) fn begin_at(&mut self, construct: Construct) {
        self.origin = self.source.terminator(construct.opener()).map(|opener| opener.inst());
    }

    fn close_unless(&mut self, flag: LocalId) {
        let accept = self.close_block();
        let left = self.local(flag);
        let condition = self.unary(Unary::Not, left);
        self.add_if(condition, accept, Block::new());
    }

    /// Adds an `if`, without empty arms.
    pub(super) fn add_if(&mut self, condition: Expr, accept: Block, reject: Block) {
        if accept.is_empty() && reject.is_empty() {
            return;
        }
        if accept.is_empty() {
            let condition = self.unary(Unary::Not, condition);
            return self.statement(StatementKind::If { condition, accept: reject, reject: accept });
        }
        self.statement(StatementKind::If { condition, accept, reject });
    }
}
