//! The builder: constructs opened and closed like braces.
//!
//! ```text
//! push_if(c)      if c ^then ^else merge ^m          push_loop([a])      loop ^h(a) break ^m continue ^c
//!   …               ^then: …                           …                   ^h(%p): …
//! push_else()         branch ^m                      push_continue()         branch ^c(%p)
//!   …               ^else: …                           …                   ^c(%q): …
//! pop_if()            branch ^m                      pop_loop()              branch ^h(%q)
//!                 ^m: …                                                  ^m: …
//! ```
//!
//! Code after a jump is unreachable: it goes to blocks that are deleted when the list is closed, and values that it defined become
//! undefined elsewhere. Blocks are placed when the builder is finished, in source order, and empty arms become edge blocks.

use crate::nest::ROOT;
use crate::{Cursor, EditError, EditFault, Fragment, Role, TreeEditor, TreeError};
use reconverge_ir::{Block, Editor, Function, Inst, Module, Op, Terminator};
use spirv::{LoopControl, SelectionControl};

/// Builds nested structured control flow.
#[derive(Debug)]
pub struct TreeBuilder<'m> {
    pub(crate) editor: TreeEditor<'m>,
    /// The place where the result is inserted; `None` for a new function.
    pub(crate) at: Option<Cursor>,
    pub(crate) fragment: Fragment,
    pub(crate) frames: Vec<OpenConstruct>,
    pub(crate) current: Block,
    /// The chain of blocks after a jump, if the current block is one of them or is in a construct there.
    pub(crate) lists: Vec<Lists>,
    /// The values that the current list passes at its natural end.
    pub(crate) yielded: Option<Vec<Inst>>,
    last_if: Option<PoppedIf>,
}

/// The current list, and how many blocks after a jump it has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lists {
    pub(crate) live: u32,
    /// The list of the code after a jump, if there is any.
    pub(crate) dead: Option<u32>,
}

/// A construct that is open.
#[derive(Clone, Debug)]
pub(crate) struct OpenConstruct {
    pub(crate) opener: Block,
    pub(crate) merge: Block,
    pub(crate) kind: ConstructKind,
}

/// The kind of the open construct, and its current list.
#[derive(Clone, Debug)]
pub(crate) enum ConstructKind {
    Then { otherwise: Block },
    Else { then_end: Option<Terminator> },
    Switch { cases: Vec<(Vec<Inst>, Block)>, default: Option<Block>, is_in_case: Case, selector: Inst },
    Body { header: Block, continue_target: Block },
    Continue { header: Block },
}

/// The state of the case list: no case, or an open one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Case {
    None,
    Open,
}

#[derive(Clone, Copy, Debug)]
struct PoppedIf {
    merge: Block,
    ends: [Option<Terminator>; 2],
}

impl OpenConstruct {
    fn name(&self) -> &'static str {
        match self.kind {
            ConstructKind::Then { .. } => "an if",
            ConstructKind::Else { .. } => "an else",
            ConstructKind::Switch { .. } => "a switch",
            ConstructKind::Body { .. } => "a loop",
            ConstructKind::Continue { .. } => "a continue list",
        }
    }
}

impl<'m> TreeBuilder<'m> {
    /// A builder for the body of a function that has none yet.
    ///
    /// # Errors
    /// A function that already has blocks; use [`TreeBuilder::at`] for it.
    pub fn new(module: &'m mut Module, function: Function) -> Result<TreeBuilder<'m>, EditError> {
        if let Some(entry) = module.entry(function) {
            return Err(EditFault::CodeBehind.at(entry));
        }
        Ok(Self::over(TreeEditor::of_nothing(module, function), None))
    }

    /// A builder for code at a cursor of a structured function, which is padded first.
    ///
    /// # Errors
    /// The function has no control tree.
    pub fn at(module: &'m mut Module, function: Function, at: Cursor) -> Result<TreeBuilder<'m>, TreeError> {
        Ok(Self::over(TreeEditor::new(module, function)?, Some(at)))
    }

    fn over(mut editor: TreeEditor<'m>, at: Option<Cursor>) -> TreeBuilder<'m> {
        let fragment = editor.empty_fragment();
        let current = fragment.first;
        let lists = vec![Lists { live: ROOT, dead: None }];
        TreeBuilder { editor, at, fragment, frames: Vec::new(), current, lists, yielded: None, last_if: None }
    }

    /// The module, to read.
    pub fn module(&self) -> &Module {
        self.editor.module()
    }

    /// The editor for types, constants and everything else that is not control flow.
    pub fn editor(&mut self) -> Editor<'_> {
        self.editor.editor()
    }

    /// The current block.
    pub fn block(&self) -> Block {
        self.current
    }

    /// Appends an instruction that is not a terminator. For hoistable ops it is [`Editor::unique`].
    ///
    /// # Panics
    /// If the op is a terminator: use [`jump`](TreeBuilder::jump) for jumps, `push` for constructs.
    pub fn emit(&mut self, op: Op, ty: Option<Inst>, operands: &[Inst]) -> Inst {
        assert!(!op.is_terminator(), "jumps are made by `jump`, constructs by `push`");
        let block = self.current;
        self.editor.editor().append(block, op, ty, operands)
    }

    /// Opens an `if`: the following code runs if the condition is true.
    pub fn push_if(&mut self, condition: Inst) {
        let [then, otherwise, merge] = [Op::Block; 3].map(|op| self.editor.create_block(op));
        let control = self.editor.editor().enumerant(SelectionControl::NONE);
        let opener = self.end(Op::If, &[condition, then.into(), otherwise.into(), merge.into(), control]);
        self.open(OpenConstruct { opener, merge, kind: ConstructKind::Then { otherwise } }, Role::Then, then);
    }

    /// Begins the code for a false condition. O(code after jumps in the arm).
    ///
    /// # Errors
    /// The open construct is not an `if`, or the merge block has parameters and the arm passes no fitting values.
    pub fn push_else(&mut self) -> Result<(), EditError> {
        let (frame, otherwise) = match self.frames.last() {
            Some(OpenConstruct { opener, merge, kind: ConstructKind::Then { otherwise } }) => {
                ((*opener, *merge), *otherwise)
            }
            _ => return Err(self.unbalanced("an if")),
        };
        let then_end = self.close_list(frame.1)?;
        self.frames.pop();
        let frame = OpenConstruct { opener: frame.0, merge: frame.1, kind: ConstructKind::Else { then_end } };
        self.open(frame, Role::Else, otherwise);
        Ok(())
    }

    /// Closes an `if`; without [`TreeBuilder::push_else`] its else list is empty.
    ///
    /// # Errors
    /// The open construct is not an `if`, or the merge block has parameters and the arm passes no fitting values.
    pub fn pop_if(&mut self) -> Result<(), EditError> {
        if matches!(self.frames.last(), Some(OpenConstruct { kind: ConstructKind::Then { .. }, .. })) {
            self.push_else()?;
        }
        let (merge, then_end) = match self.frames.last() {
            Some(OpenConstruct { merge, kind: ConstructKind::Else { then_end }, .. }) => (*merge, *then_end),
            _ => return Err(self.unbalanced("an if")),
        };
        let else_end = self.close_list(merge)?;
        self.go_on();
        self.last_if = Some(PoppedIf { merge, ends: [then_end, else_end] });
        Ok(())
    }

    /// A value with one definition after the then list of the last closed `if`, and another after its else list: a parameter of its merge
    /// block. It must be created before any other code there.
    ///
    /// # Errors
    /// No `if` was closed directly before, or a value has no type or a different one.
    pub fn if_value(&mut self, then: Inst, otherwise: Inst) -> Result<Inst, EditError> {
        let types = [then, otherwise].map(|value| self.module().ty(value));
        let popped = self.last_if.filter(|popped| popped.merge == self.current);
        let is_start = self.module().children(self.current).all(|inst| self.module().op(inst) == Op::BlockParameter);
        let (Some(popped), Some(ty)) = (popped.filter(|_| is_start), types[0].filter(|_| types[0] == types[1])) else {
            return Err(EditFault::Arguments.at(self.current));
        };
        let parameter = self.editor.editor().append_parameter(popped.merge, ty, |_, edge| {
            let is_then = popped.ends[0] == Some(edge.terminator);
            if is_then { then } else { otherwise }
        });
        Ok(parameter.into())
    }

    /// Opens a switch. [`TreeBuilder::push_case`] adds its cases.
    pub fn push_switch(&mut self, selector: Inst) {
        let merge = self.editor.create_block(Op::Block);
        let kind = ConstructKind::Switch { cases: Vec::new(), default: None, is_in_case: Case::None, selector };
        self.frames.push(OpenConstruct { opener: self.current, merge, kind });
    }

    /// Begins a case, after the open one if there is one: literals as [`Editor::word`] creates them, none for the default.
    ///
    /// # Errors
    /// The open construct is not a switch, or the merge block has parameters and the previous case passes no fitting values.
    pub fn push_case(&mut self, literals: &[Inst]) -> Result<(), EditError> {
        let case = self.editor.create_block(Op::Block);
        self.close_case()?;
        let Some(OpenConstruct { opener, kind: ConstructKind::Switch { cases, default, is_in_case, .. }, .. }) =
            self.frames.last_mut()
        else {
            return Err(self.unbalanced("a switch"));
        };
        *is_in_case = Case::Open;
        let opener = *opener;
        let role = match literals {
            [] => {
                *default = Some(case);
                Role::Case(0)
            }
            _ => {
                cases.push((literals.to_vec(), case));
                Role::Case(cases.len() as u32)
            }
        };
        self.open_list(opener, role, case);
        Ok(())
    }

    fn close_case(&mut self) -> Result<(), EditError> {
        let (merge, is_open) = match self.frames.last() {
            Some(OpenConstruct { merge, kind: ConstructKind::Switch { is_in_case, .. }, .. }) => {
                (*merge, *is_in_case == Case::Open)
            }
            _ => return Err(self.unbalanced("a switch")),
        };
        if is_open {
            self.close_list(merge)?;
        }
        Ok(())
    }

    /// Closes a switch. Without an explicit default, the default is empty.
    ///
    /// # Errors
    /// The open construct is not a switch, or the merge block has parameters and the last case, or the missing default, passes no fitting
    /// values.
    pub fn pop_switch(&mut self) -> Result<(), EditError> {
        let has_default = match self.frames.last() {
            Some(OpenConstruct { kind: ConstructKind::Switch { default, .. }, .. }) => default.is_some(),
            _ => return Err(self.unbalanced("a switch")),
        };
        if !has_default {
            self.push_case(&[])?;
        }
        self.close_case()?;
        let Some(OpenConstruct { opener, merge, kind: ConstructKind::Switch { cases, default, selector, .. } }) =
            self.frames.last().cloned()
        else {
            return Err(self.unbalanced("a switch"));
        };
        let default = default.expect("invariant: a switch that is closed has a default");
        let control = self.editor.editor().enumerant(SelectionControl::NONE);
        let mut operands = vec![selector, default.into(), merge.into(), control];
        for (literals, case) in cases {
            operands.extend(literals.into_iter().flat_map(|literal| [literal, case.into()]));
        }
        self.editor.editor().append(opener, Op::StructuredSwitch, None, &operands);
        self.go_on();
        Ok(())
    }

    /// Opens a loop. Its header has a parameter for each initial value; returns these. Each iteration passes the next values
    /// ([`TreeBuilder::yields`]), or the same ones by default.
    ///
    /// # Errors
    /// An initial value has no type.
    pub fn push_loop(&mut self, initial: &[Inst]) -> Result<Vec<Inst>, EditError> {
        let types: Vec<Inst> = initial.iter().filter_map(|&value| self.module().ty(value)).collect();
        if types.len() != initial.len() {
            return Err(EditFault::Arguments.at(self.current));
        }
        let [header, continue_target, merge] = [Op::Block; 3].map(|op| self.editor.create_block(op));
        let mut edit = self.editor.editor();
        for block in [header, continue_target] {
            for &ty in &types {
                edit.append(block, Op::BlockParameter, Some(ty), &[]);
            }
        }
        let control = edit.enumerant(LoopControl::NONE);
        let mut operands = vec![header.into(), merge.into(), continue_target.into(), control];
        operands.extend_from_slice(initial);
        let opener = self.end(Op::Loop, &operands);
        self.open(
            OpenConstruct { opener, merge, kind: ConstructKind::Body { header, continue_target } },
            Role::Body,
            header,
        );
        Ok(self.parameters(header))
    }

    /// Begins the continue list, the code between two iterations. Returns the values that the iteration passes.
    ///
    /// # Errors
    /// The open construct is not a loop, or the body passes values that do not fit.
    pub fn push_continue(&mut self) -> Result<Vec<Inst>, EditError> {
        let (opener, merge, header, target) = match self.frames.last() {
            Some(OpenConstruct { opener, merge, kind: ConstructKind::Body { header, continue_target } }) => {
                (*opener, *merge, *header, *continue_target)
            }
            _ => return Err(self.unbalanced("a loop")),
        };
        self.yield_by_default(header);
        self.close_list(target)?;
        self.frames.pop();
        self.open(OpenConstruct { opener, merge, kind: ConstructKind::Continue { header } }, Role::Continue, target);
        Ok(self.parameters(target))
    }

    /// Closes a loop.
    ///
    /// # Errors
    /// The open construct is not a loop, or the passed values do not fit.
    pub fn pop_loop(&mut self) -> Result<(), EditError> {
        if matches!(self.frames.last(), Some(OpenConstruct { kind: ConstructKind::Body { .. }, .. })) {
            self.push_continue()?;
        }
        let header = match self.frames.last() {
            Some(OpenConstruct { kind: ConstructKind::Continue { header }, .. }) => *header,
            _ => return Err(self.unbalanced("a loop")),
        };
        let live = self.current_lists().live;
        if let Some(target) = self.fragment.nest.first(live) {
            self.yield_by_default(target);
        }
        self.close_list(header)?;
        self.go_on();
        Ok(())
    }

    /// Opens a loop that runs while a condition holds, which `condition` emits into its header: loop, conditional exit, break. Returns the
    /// parameters of the header.
    ///
    /// # Errors
    /// Opens a loop as [`TreeBuilder::push_loop`] does, with a condition.
    pub fn push_while(
        &mut self,
        initial: &[Inst],
        condition: impl FnOnce(&mut Self, &[Inst]) -> Inst,
    ) -> Result<Vec<Inst>, EditError> {
        let parameters = self.push_loop(initial)?;
        let condition = condition(self, &parameters);
        self.leave_unless(condition)?;
        Ok(parameters)
    }

    fn parameters(&self, block: Block) -> Vec<Inst> {
        self.module().parameters(block).map(Inst::from).collect()
    }

    fn yield_by_default(&mut self, block: Block) {
        if self.yielded.is_none() {
            self.yielded = Some(self.parameters(block));
        }
    }

    pub(crate) fn unbalanced(&self, expected: &'static str) -> EditError {
        let open = self.frames.last().map_or("nothing", OpenConstruct::name);
        EditFault::Balance { expected, open }.at(self.current)
    }
}
