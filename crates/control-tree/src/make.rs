//! Inserting new constructs at a cursor.

use crate::nest::{Nest, ROOT};
use crate::{Construct, Cursor, EditError, EditFault, Fragment, JumpKind, Role, TreeEditor};
use reconverge_ir::{Block, Class, Inst, Op, Position};
use spirv::{LoopControl, SelectionControl};

/// The blocks of a new `if`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewIf {
    /// The construct.
    pub construct: Construct,
    /// The then list, empty.
    pub then: Block,
    /// The else list, empty.
    pub otherwise: Block,
    /// The merge block, without parameters.
    pub merge: Block,
}

/// The blocks of a new switch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewSwitch {
    /// The construct.
    pub construct: Construct,
    /// The default, empty.
    pub default: Block,
    /// The other cases, empty.
    pub cases: Vec<Block>,
    /// The merge block, without parameters.
    pub merge: Block,
}

/// The blocks of a new loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewLoop {
    /// The construct; its opener is the preheader.
    pub construct: Construct,
    /// The header, with a parameter for each initial value.
    pub header: Block,
    /// The continue target, which passes the header's parameters back unchanged.
    pub continue_target: Block,
    /// The break block, without parameters.
    pub merge: Block,
}

/// The blocks of a new conditional exit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewExit {
    /// The construct.
    pub construct: Construct,
    /// The leaving arm: contains only the jump.
    pub way: Block,
    /// The other arm: the code after the cursor.
    pub next: Block,
}

/// A construct that was made and is not in the tree yet.
struct Made<'l> {
    opener: Block,
    /// The block after it.
    next: Block,
    /// The block of each of its lists.
    lists: &'l [(Role, Block)],
}

impl TreeEditor<'_> {
    /// Inserts an `if` with empty arms at a cursor. The code after the cursor is then in the merge block.
    ///
    /// ```text
    /// ^a: x │ y       ⇒      ^a: x; if %condition ^then ^otherwise merge ^merge
    ///                            [edge then: branch ^merge] [edge otherwise: branch ^merge]
    ///                        ^merge: y
    /// ```
    ///
    /// # Errors
    /// The cursor is not a place for it.
    pub fn insert_if(&mut self, at: Cursor, condition: Inst) -> Result<NewIf, EditError> {
        let [opener, merge] = [Op::Block, Op::Block].map(|op| self.create_block(op));
        let [then, otherwise] = [(); 2].map(|()| self.create_arm(merge));
        let control = self.module.edit().enumerant(SelectionControl::NONE);
        let operands = [condition, then.into(), otherwise.into(), merge.into(), control];
        self.module.edit().append(opener, Op::If, None, &operands);
        let lists = &[(Role::Then, then), (Role::Else, otherwise)];
        self.insert_made(at, &Made { opener, next: merge, lists })?;
        Ok(NewIf { construct: self.made(opener, merge), then, otherwise, merge })
    }

    /// Inserts a switch with empty cases at a cursor, one for each list of literals.
    ///
    /// # Errors
    /// The cursor is not a place for it.
    pub fn insert_switch(
        &mut self,
        at: Cursor,
        selector: Inst,
        literals: &[Vec<Inst>],
    ) -> Result<NewSwitch, EditError> {
        let [opener, merge] = [Op::Block, Op::Block].map(|op| self.create_block(op));
        let default = self.create_arm(merge);
        let control = self.module.edit().enumerant(SelectionControl::NONE);
        let mut operands = vec![selector, default.into(), merge.into(), control];
        let (mut cases, mut lists) = (Vec::new(), vec![(Role::Case(0), default)]);
        for (number, literals) in (1..).zip(literals) {
            let case = self.create_arm(merge);
            operands.extend(literals.iter().flat_map(|&literal| [literal, case.into()]));
            cases.push(case);
            lists.push((Role::Case(number), case));
        }
        self.module.edit().append(opener, Op::StructuredSwitch, None, &operands);
        self.insert_made(at, &Made { opener, next: merge, lists: &lists })?;
        Ok(NewSwitch { construct: self.made(opener, merge), default, cases, merge })
    }

    /// Inserts a loop at a cursor, endless and empty. The code after the cursor is then in the break block, which is unreachable until a
    /// jump leads there.
    ///
    /// ```text
    /// ^a: x │ y       ⇒      ^a: x; loop ^header(initial) break ^merge continue ^c
    ///                            [^header(%p): branch ^c] [^c: branch ^header(%p)]
    ///                        ^merge: y
    /// ```
    ///
    /// # Errors
    /// The cursor is not a place for it.
    pub fn insert_loop(&mut self, at: Cursor, initial: &[Inst]) -> Result<NewLoop, EditError> {
        let [opener, header, target, merge] = [Op::Block; 4].map(|op| self.create_block(op));
        let types: Vec<Inst> = initial.iter().filter_map(|&value| self.module.ty(value)).collect();
        if types.len() != initial.len() {
            return Err(EditFault::Arguments.at(opener));
        }
        let mut edit = self.module.edit();
        let parameters: Vec<Inst> =
            types.into_iter().map(|ty| edit.append(header, Op::BlockParameter, Some(ty), &[])).collect();
        let control = edit.enumerant(LoopControl::NONE);
        let mut operands = vec![header.into(), merge.into(), target.into(), control];
        operands.extend_from_slice(initial);
        edit.append(opener, Op::Loop, None, &operands);
        edit.append(header, Op::Branch, None, &[target.into()]);
        let back: Vec<Inst> = std::iter::once(header.into()).chain(parameters).collect();
        edit.append(target, Op::Branch, None, &back);
        let lists = &[(Role::Body, header), (Role::Continue, target)];
        self.insert_made(at, &Made { opener, next: merge, lists })?;
        Ok(NewLoop { construct: self.made(opener, merge), header, continue_target: target, merge })
    }

    /// Inserts a conditional exit at a cursor: control leaves if the condition is true.
    ///
    /// ```text
    /// ^a: x │ y       ⇒      ^a: x; branch_if %condition ^way ^next
    ///                            [edge way: branch ^break_block(arguments)]
    ///                        ^next: y
    /// ```
    ///
    /// # Errors
    /// There is nothing to leave, or the jump kind does not leave a construct, or the arguments do not fit.
    pub fn insert_exit(
        &mut self,
        at: Cursor,
        condition: Inst,
        kind: JumpKind,
        arguments: &[Inst],
    ) -> Result<NewExit, EditError> {
        let opened = self.open_place(at);
        let result = self.insert_open_exit(at, condition, kind, arguments);
        self.close_place(opened);
        result
    }

    fn insert_open_exit(
        &mut self,
        at: Cursor,
        condition: Inst,
        kind: JumpKind,
        arguments: &[Inst],
    ) -> Result<NewExit, EditError> {
        let (block, inst) = self.place(at)?;
        let list = self.nest.list(block);
        let jump = self.jump(list, kind).filter(|(op, _)| *op == Op::Branch && inst.is_some());
        let (op, mut operands) = jump.ok_or(EditFault::NothingToLeave.at(block))?;
        if self.continue_list(list) {
            return Err(EditFault::BackEdge.at(block));
        }
        self.check_arguments(op, &operands, arguments).map_err(|fault| fault.at(block))?;
        if let Some(preheader) = self.single_block_loop(list) {
            self.add_continue(preheader);
            operands = self.jump(list, kind).map_or(operands, |(_, operands)| operands);
        }
        operands.extend_from_slice(arguments);
        let [opener, next] = [Op::Block, Op::Block].map(|op| self.create_block(op));
        let way = self.create_block(Op::EdgeBlock);
        self.module.edit().append(way, Op::Branch, None, &operands);
        self.module.edit().append(opener, Op::BranchIf, None, &[condition, way.into(), next.into()]);
        self.insert_made(at, &Made { opener, next, lists: &[(Role::Then, way)] })?;
        Ok(NewExit { construct: self.made(opener, next), way, next })
    }

    /// The construct before a block: that of `opener`, whose terminator may now be in another block. After a jump it is not in the tree,
    /// and nothing moved.
    fn made(&self, opener: Block, merge: Block) -> Construct {
        Construct(self.nest.previous(merge).unwrap_or(opener))
    }

    fn create_arm(&mut self, merge: Block) -> Block {
        let arm = self.create_block(Op::EdgeBlock);
        self.module.edit().append(arm, Op::Branch, None, &[merge.into()]);
        arm
    }

    fn insert_made(&mut self, at: Cursor, made: &Made<'_>) -> Result<(), EditError> {
        let &Made { opener, next, lists } = made;
        let mut nest = Nest::new();
        nest.put_after(ROOT, None, opener);
        nest.put_after(ROOT, Some(opener), next);
        nest.open(opener);
        for &(role, block) in lists {
            nest.add_list(opener, role, &[block]);
        }
        let fragment = Fragment { owner: self.number, nest, first: opener, last: next, origin: None };
        if let Err(refused) = self.insert(at, fragment) {
            self.delete(refused.fragment);
            return Err(refused.error);
        }
        Ok(())
    }

    /// Inserts an instruction at a cursor. The list of a conditional exit, which contains only the leaving jump, has no place for it.
    /// Operands are not checked: the verifier does that.
    ///
    /// # Errors
    /// The cursor is not a place for it; or the op is not allowed in the middle of a block (use [`add_jump`](TreeEditor::add_jump) for
    /// jumps; variables are at the beginning of the function), or has no type but is given one, or the reverse.
    pub fn insert_inst(&mut self, at: Cursor, op: Op, ty: Option<Inst>, operands: &[Inst]) -> Result<Inst, EditError> {
        if !stands_in_blocks(op) || op.has_type() != ty.is_some() {
            return Err(EditFault::Instruction(op).at(self.function));
        }
        let opened = self.open_place(at);
        let result = self.place(at).and_then(|(block, inst)| inst.ok_or(EditFault::Place.at(block)));
        let preheader = opened.way.and_then(|way| self.single_block_loop(self.nest.list(way)));
        if let (Ok(_), Some(preheader)) = (&result, preheader) {
            self.add_continue(preheader);
        }
        let result = result.map(|before| self.module.edit().insert(Position::Before(before), op, ty, operands));
        self.close_place(opened);
        result
    }
}

/// Returns whether instructions of an op are allowed among others in a block, at any position.
fn stands_in_blocks(op: Op) -> bool {
    let is_elsewhere = matches!(
        op.class(),
        Class::Removed
            | Class::Structure
            | Class::ModuleInstruction
            | Class::Type
            | Class::Constant
            | Class::Literal
            | Class::Decoration
            | Class::Position
            | Class::Terminator
    );
    !is_elsewhere && !matches!(op, Op::Variable | Op::BlockParameter)
}
