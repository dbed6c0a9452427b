//! Replacement of one call by the body, or by a copy of it.
//!
//! ```text
//! a block that returns at once       one return                        several returns
//! before                             before; entry's instructions      before; entry's instructions
//! the block's instructions           blocks between                    blocks between, each return: branch ^after(value)
//! behind                             … behind                          ^after(%result): behind
//! ```
//!
//! The entry block is merged into the block of the call, and a single returning block is merged with the code after the call. So a chain of
//! calls does not become a chain of blocks. If the body never returns, the code after the call gets an unreachable block.
//!
//! Variables move to the top of the caller. Each execution of the call would create them again with undefined contents, so the old contents
//! are allowed. An initializer becomes a store at the place of the call. A parameter that is passed by value (`FuncParamAttr ByVal`) points
//! to a copy.
//!
//! Source locations of the body record the inlining (`debug_info.rs`). A body that is moved is not copied: its uses of parameters become
//! uses of the arguments, and the function is deleted.

use reconverge_ir::decoration::{FuncParamAttr, Note};
use reconverge_ir::{Block, Copies, Function, Inst, Location, Module, Op, Position, view};
use spirv::{Decoration, FunctionParameterAttribute, StorageClass};

use reconverge_analysis::effects::is_local_variable;
use reconverge_rewrite::debug_info::{delete_function, mark_inlined};
use reconverge_rewrite::removal::hand_on_location;
use reconverge_rewrite::undef::Undefs;

/// A call to replace.
#[derive(Clone, Copy)]
pub(super) struct Site {
    pub(super) call: Inst,
    /// The source location of instructions after the call without one of their own.
    pub(super) location: Option<Location>,
}

/// The form in which the body is inserted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// A copy; the function stays.
    Copied,
    /// The body itself; the function is deleted. Only the call may use it.
    Moved,
}

/// The reachability of the code after the call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Return {
    Possible,
    Never,
}

/// Replaces a call in `caller` by the body of `callee`. Linear in the body and in the code after the call.
pub(super) fn splice(module: &mut Module, caller: Function, callee: Function, site: Site, body: Body) -> Return {
    // The call may be part of a body that was inlined before.
    let site = Site { location: module.explicit_location(site.call).or(site.location), ..site };
    let block = module.block_of(site.call).expect("invariant: a call stands in a block");
    let top = module.entry(caller).expect("invariant: a caller has a body");
    let inside = take_body(module, top, callee, site.call, body);
    mark_inlined(module, &inside, site.location);
    move_variables(module, inside[0], top);
    end_location(module, inside[0], site);
    let is_return = |&&block: &&Block| {
        let op = module.terminator(block).map(|terminator| module.op(terminator));
        matches!(op, Some(Op::Return | Op::ReturnValue))
    };
    let returning: Vec<Block> = inside.iter().filter(is_return).copied().collect();
    place_after(module, block, &inside[1..]);
    match returning.as_slice() {
        &[only] if only == inside[0] => {
            let value = remove_return(module, only);
            resume(module, only, site);
            dissolve(module, only, block, Position::Before(site.call));
            replace_call(module, site.call, value);
        }
        &[only] => {
            let value = remove_return(module, only);
            resume(module, only, site);
            move_behind(module, site.call, only);
            dissolve(module, inside[0], block, Position::AtEnd(block.into()));
            replace_call(module, site.call, value);
        }
        several => {
            let last = inside[1..].last().copied().unwrap_or(block);
            let after = module.edit().insert(Position::After(last.into()), Op::Block, None, &[]);
            let value = return_to(module, site.call, several, after);
            resume(module, after, site);
            move_behind(module, site.call, after);
            dissolve(module, inside[0], block, Position::AtEnd(block.into()));
            replace_call(module, site.call, value);
        }
    }
    if body == Body::Moved {
        delete_function(module, callee);
    }
    if returning.is_empty() { Return::Never } else { Return::Possible }
}

/// The blocks that replace a call, with arguments in place of parameters.
fn take_body(module: &mut Module, top: Block, callee: Function, call: Inst, body: Body) -> Vec<Block> {
    let images = pass_arguments(module, top, callee, call);
    let originals: Vec<Block> = module.blocks(callee).collect();
    if body == Body::Moved {
        images.into_iter().for_each(|(parameter, image)| module.edit().replace_all_uses(parameter, image));
        return originals;
    }
    let mut copies = Copies::new();
    images.into_iter().for_each(|(parameter, image)| copies.set(parameter, image));
    let originals: Vec<Inst> = originals.into_iter().map(Inst::from).collect();
    let copied = module.edit().copy(&originals, &mut copies);
    copied.into_iter().filter_map(|copy| module.cast(copy)).collect()
}

/// Each parameter of the callee, with its replacement: the argument, or a pointer to a copy of the argument's object.
fn pass_arguments(module: &mut Module, top: Block, callee: Function, call: Inst) -> Vec<(Inst, Inst)> {
    let called = view::FunctionCall::of(module, call).expect("invariant: a call names a function");
    let arguments = called.arguments.to_vec();
    let parameters: Vec<Inst> = module.parameters(callee).map(Inst::from).collect();
    let mut images = Vec::new();
    for (parameter, argument) in parameters.into_iter().zip(arguments) {
        let image = match is_by_value(module, parameter) {
            true => copy_pointee(module, top, parameter, argument, call),
            false => argument,
        };
        images.push((parameter, image));
    }
    images
}

fn is_by_value(module: &Module, parameter: Inst) -> bool {
    let mut attributes = module.decorated(parameter).iter().filter_map(Note::read);
    attributes.any(|FuncParamAttr(attribute)| attribute == FunctionParameterAttribute::ByVal)
        && module.storage_class(parameter) == Some(StorageClass::Function)
}

/// A variable at the top of the caller that is filled before the call.
fn copy_pointee(module: &mut Module, top: Block, parameter: Inst, argument: Inst, call: Inst) -> Inst {
    let alignment = module.decorated(parameter).note(Decoration::Alignment).map(|note| note.inst);
    let ty = module.ty(parameter);
    let mut editor = module.edit();
    let class = editor.enumerant(StorageClass::Function);
    let variable = editor.insert(Position::AtStart(top.into()), Op::Variable, ty, &[class]);
    alignment.into_iter().for_each(|note| editor.decorate(variable, note));
    editor.insert(Position::Before(call), Op::CopyMemory, None, &[variable, argument]);
    variable
}

/// Moves the variables of an entry block to the top of the caller. Initializers become stores.
fn move_variables(module: &mut Module, entry: Block, top: Block) {
    let variables: Vec<Inst> = module.children(entry).filter(|&inst| is_local_variable(module, inst)).collect();
    let mut first = module.children(entry).find(|&inst| !is_local_variable(module, inst));
    for &variable in variables.iter().rev() {
        let initializer = view::Variable::of(module, variable).and_then(|variable| variable.initializer);
        if let (Some(initializer), Some(before)) = (initializer, first) {
            let class = module.operand(variable, view::Variable::SLOT.storage_class);
            let mut editor = module.edit();
            first = Some(editor.insert(Position::Before(before), Op::Store, None, &[variable, initializer]));
            editor.set_operands(variable, &[class]);
            let location = module.explicit_location(variable);
            first.into_iter().for_each(|store| module.edit().set_location(store, location));
        }
        hand_on_location(module, variable);
        module.edit().set_location(variable, None);
        module.edit().move_value(variable, Position::AtStart(top.into()));
    }
}

fn place_after(module: &mut Module, block: Block, blocks: &[Block]) {
    let mut last = block;
    for &placed in blocks {
        module.edit().move_to(placed, Position::After(last.into()));
        last = placed;
    }
}

/// The instructions after an instruction in its block.
pub(super) fn instructions_behind(module: &Module, inst: Inst) -> Vec<Inst> {
    std::iter::successors(module.next(inst), |&inst| module.next(inst)).collect()
}

fn move_behind(module: &mut Module, call: Inst, block: impl Into<Inst>) {
    let position = Position::AtEnd(block.into());
    instructions_behind(module, call).into_iter().for_each(|inst| module.edit().move_to(inst, position));
}

/// Removes the return at the end of a block. Returns the returned value.
fn remove_return(module: &mut Module, block: Block) -> Option<Inst> {
    let terminator = module.terminator(block).expect("invariant: the block returns");
    let value = view::ReturnValue::of(module, terminator).map(|returned| returned.value);
    module.edit().delete(terminator);
    value
}

/// Replaces returns by jumps. Returns the result of the call: a parameter of the target block, if the result is used.
fn return_to(module: &mut Module, call: Inst, returning: &[Block], after: Inst) -> Option<Inst> {
    if !module.is_used(call) {
        for &block in returning {
            module.edit().replace_terminator(block, Op::Branch, &[after]);
        }
        return None;
    }
    let ty = module.ty(call).expect("invariant: a call has a type");
    if returning.is_empty() {
        return Some(Undefs::default().undef(module, ty));
    }
    for &block in returning {
        let terminator = module.terminator(block).expect("invariant: the block returns");
        let returned = view::ReturnValue::of(module, terminator).expect("invariant: somebody asks for the value");
        module.edit().replace_terminator(block, Op::Branch, &[after, returned.value]);
    }
    let names = module.decorations(call).iter().copied().filter(|&note| module.op(note) == Op::Name);
    let names: Vec<Inst> = names.collect();
    let mut editor = module.edit();
    let parameter = editor.insert(Position::AtStart(after), Op::BlockParameter, Some(ty), &[]);
    names.into_iter().for_each(|name| editor.decorate(parameter, name));
    Some(parameter)
}

/// Ends the source location of the call at the start of a body without a location.
fn end_location(module: &mut Module, entry: Block, site: Site) {
    let first = module.first_child(entry).filter(|&first| module.explicit_location(first).is_none());
    if let (Some(first), Some(_)) = (first, site.location) {
        module.edit().set_location(first, Some(Location::NONE));
    }
}

/// Keeps the source location of the code after the call, which moves to the end of `block`.
fn resume(module: &mut Module, block: impl Into<Inst>, site: Site) {
    let first = module.next(site.call).filter(|&first| module.explicit_location(first).is_none());
    let Some(first) = first else { return };
    let is_located = || module.last_child(block).is_some_and(|last| module.location(last).is_some());
    let location = site.location.or_else(|| is_located().then_some(Location::NONE));
    if location.is_some() {
        module.edit().set_location(first, location);
    }
}

/// Moves the contents of an unreachable block to another block, and deletes it. A hint that names it, which cannot hold, names the other
/// block.
fn dissolve(module: &mut Module, block: Block, into: Block, position: Position) {
    let inside: Vec<Inst> = module.children(block).collect();
    inside.into_iter().for_each(|inst| module.edit().move_to(inst, position));
    module.edit().replace_all_uses(block, into);
    module.edit().delete(block);
}

fn replace_call(module: &mut Module, call: Inst, value: Option<Inst>) {
    if let Some(value) = value {
        module.edit().replace_all_uses(call, value);
    }
    module.edit().delete(call);
}
