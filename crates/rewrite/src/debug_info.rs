//! Debug information of removed functions, and of inlined bodies.
//!
//! ```text
//! func %f { … load at debug_scope(%set, %b) … }                 load at debug_scope(%set, %b, %2)
//! … call %f at debug_line(… %12 …) debug_scope(%set, %a, %1)    ⇒    %2 = DebugInlinedAt %12 %a %1
//! store at debug_scope(%set, %a, %1)                            store at debug_scope(%set, %a, %1)
//! ```
//!
//! An instruction of the body keeps its lexical scope and records the call that it was inlined at. Code that was inlined into the body
//! before is one link further down the chain. Each replaced call gets links of its own, so that two calls on one line stay distinct. A body
//! in another function is not a definition of its function, and `DebugDeclare` must name a variable or a parameter.

use reconverge_analysis::is_debug_set;
use reconverge_ir::debug_info::{DebugSet, number, operand, operand_of};
use reconverge_ir::view::{self, DebugScope};
use reconverge_ir::{Block, Class, Function, Inst, Line, Location, Module, Op, Position, Slot};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::removal::remove;

/// Deletes a function; debug information that names it records the removal.
pub fn delete_function(module: &mut Module, function: Function) {
    let root = module.root();
    let uses = module.uses(function).filter(|used| module.parent(used.user) == Some(root));
    let described: Vec<_> = uses.filter(|used| DebugSet::of_inst(module, used.user).is_some()).collect();
    for used in described {
        let (Slot::Operand(index), Some(view::ExtInst { set, .. })) = (used.slot, view::ExtInst::of(module, used.user))
        else {
            continue;
        };
        let ty = module.ty(used.user);
        let mut editor = module.edit();
        let none = editor.word(number::NONE);
        let nothing = editor.insert(Position::Before(used.user), Op::ExtInst, ty, &[set, none]);
        editor.set_operand(used.user, index, nothing);
    }
    module.edit().delete(function);
}

/// Returns whether something besides one call and debug information names a function.
pub fn is_named_elsewhere(module: &Module, function: Function) -> bool {
    module.uses(function).filter(|used| DebugSet::of_inst(module, used.user).is_none()).nth(1).is_some()
}

/// Records in the locations of blocks that they replace a call with that location. Linear in the blocks and in the chains of their
/// locations.
pub fn mark_inlined(module: &mut Module, blocks: &[Block], call: Option<Location>) {
    let mut chains = Chains { call: call.unwrap_or(Location::NONE), link: None, images: FxHashMap::default() };
    let mut doomed = Vec::new();
    for &block in blocks {
        let inside: Vec<Inst> = std::iter::once(block.into()).chain(module.children(block)).collect();
        let records: Vec<Inst> =
            inside.iter().flat_map(|&inst| module.debug_records().at(inst)).map(|(_, it)| it.inst).collect();
        for (inst, is_record) in
            inside.into_iter().map(|inst| (inst, false)).chain(records.into_iter().map(|inst| (inst, true)))
        {
            if !is_record && (names_nothing(module, inst) || names_function(module, inst)) {
                doomed.push(inst);
            }
            let Some(location) = module.explicit_location(inst) else { continue };
            if let (Some(own), Some(_)) = (location.scope, chains.call.scope) {
                let scope = Some(chains.image(module, own));
                module.edit().set_location(inst, Some(Location { scope, ..location }));
            }
        }
    }
    doomed.into_iter().for_each(|inst| remove(module, inst));
}

/// Returns whether an instruction without effect on execution names a function. A copy of it may be placed before that function, where no
/// such instruction may name it.
fn names_function(module: &Module, inst: Inst) -> bool {
    view::ExtInst::of(module, inst).is_some_and(|extended| is_debug_set(module, extended.set))
        && module.uses(inst).next().is_none()
        && module.operands(inst).any(|operand| module.cast::<Function>(operand).is_some())
}

/// Reduces every location to its line. Returns whether any location held more. To be called before other debug information is removed.
/// Linear in the functions.
pub fn keep_lines_alone(module: &mut Module) -> bool {
    let inside: Vec<Inst> = module.functions().flat_map(|function| module.descendants(function)).collect();
    for inst in inside {
        let Some(location) = module.explicit_location(inst) else { continue };
        if location.range.is_some() || location.scope.is_some() {
            let line = location.line.or_else(|| first_line(module, location.range?));
            module.edit().set_location(inst, Some(Location { line, ..Location::NONE }));
        }
    }
    // Instructions that no location names must not count as uses. Inlining leaves some of them.
    let sets = module.globals().filter(|&global| DebugSet::of_import(module, global).is_some());
    let uses = sets.flat_map(|set| module.uses(set)).map(|used| used.user);
    let gone: Vec<Inst> = uses.filter(|&user| module.op(user).class() == Class::Position).collect();
    gone.iter().for_each(|&part| module.edit().delete(part));
    !gone.is_empty()
}

/// The first line of a `debug_line`.
fn first_line(module: &Module, range: Inst) -> Option<Line> {
    let view::DebugLine { source, first_line, first_column, .. } = view::DebugLine::of(module, range)?;
    let is_source = DebugSet::of_inst(module, source) == Some((DebugSet::Constants, number::SOURCE));
    let file = is_source.then(|| operand_of(module, source, operand::SOURCE_FILE)).flatten()?;
    let line = module.literal_word(first_line)?;
    let column = module.literal_word(first_column).unwrap_or(0);
    Some(Line { file, line, column }).filter(|_| module.op(file) == Op::String)
}

/// Returns whether an instruction of a body describes nothing if the body is in another function.
fn names_nothing(module: &Module, inst: Inst) -> bool {
    let is_storage = |inst: Inst| matches!(module.op(inst), Op::Variable | Op::FunctionParameter);
    match DebugSet::of_inst(module, inst) {
        Some((DebugSet::Constants, number::FUNCTION_DEFINITION)) => true,
        Some((_, number::DECLARE)) => !operand_of(module, inst, operand::DECLARE_VARIABLE).is_some_and(is_storage),
        _ => false,
    }
}

/// The scopes of a body, and their replacements where the body replaces a call.
struct Chains {
    call: Location,
    /// The link for the call, if it was created.
    link: Option<Inst>,
    /// The replacements of scopes and of links of chains.
    images: FxHashMap<Inst, Inst>,
}

impl Chains {
    fn image(&mut self, module: &mut Module, own: Inst) -> Inst {
        if let Some(&image) = self.images.get(&own) {
            return image;
        }
        let DebugScope { set, scope, inlined_at } = scope_of(module, own);
        let link = self.chain(module, inlined_at);
        let image = module.edit().unique(Op::DebugScope, None, &[set, scope, link]);
        self.images.insert(own, image);
        image
    }

    /// Copies a chain, and continues it at the call.
    fn chain(&mut self, module: &mut Module, first: Option<Inst>) -> Inst {
        let (mut links, mut seen) = (Vec::new(), FxHashSet::default());
        let mut next = first;
        let mut image = loop {
            let Some(link) = next else { break self.call_link(module) };
            if let Some(&image) = self.images.get(&link) {
                break image;
            }
            links.push(link);
            // A valid chain has no cycle. In an invalid module the copy ends where the chain returns to itself.
            let outer = operand_of(module, link, operand::INLINED_AT_INLINED);
            next = outer.filter(|&outer| seen.insert(outer));
        };
        for link in links.into_iter().rev() {
            let kept = view::ExtInst::SLOT.operands + operand::INLINED_AT_INLINED;
            let mut operands: Vec<Inst> = module.operands(link).take(kept).collect();
            operands.push(image);
            let ty = module.ty(link);
            image = write_global(module, ty, &operands);
            self.images.insert(link, image);
        }
        image
    }

    /// The link for the call itself.
    fn call_link(&mut self, module: &mut Module) -> Inst {
        let own = self.call.scope.expect("invariant: the call has a scope");
        if let Some(link) = self.link {
            return link;
        }
        let DebugScope { set, scope, inlined_at } = scope_of(module, own);
        let line = self.line(module, set);
        let word = module.edit().word(number::INLINED_AT);
        let operands: Vec<Inst> = [set, word, line, scope].into_iter().chain(inlined_at).collect();
        let ty = module.ty(scope);
        let link = write_global(module, ty, &operands);
        self.link = Some(link);
        link
    }

    /// The line of the call, in the form that the set requires: a literal or a constant; 0 if it is not known.
    fn line(&self, module: &mut Module, set: Inst) -> Inst {
        let first = self.call.range.and_then(|range| view::DebugLine::of(module, range)).map(|range| range.first_line);
        let line = self.call.line.map(|line| line.line);
        match (DebugSet::of_import(module, set), first) {
            (Some(DebugSet::Constants), Some(first)) => first,
            (Some(DebugSet::Constants), None) => {
                let mut editor = module.edit();
                let [width, sign, line] = [32, 0, line.unwrap_or(0)].map(|word| editor.word(word));
                let ty = editor.unique(Op::TypeInt, None, &[width, sign]);
                editor.unique(Op::Constant, Some(ty), &[line])
            }
            (_, first) => {
                let line = line.or_else(|| first.and_then(|first| module.literal_word(first)));
                module.edit().word(line.unwrap_or(0))
            }
        }
    }
}

fn scope_of(module: &Module, part: Inst) -> DebugScope {
    DebugScope::of(module, part).expect("invariant: the scope of a location is a debug_scope")
}

fn write_global(module: &mut Module, ty: Option<Inst>, operands: &[Inst]) -> Inst {
    let mut editor = module.edit();
    let inst = editor.create(Op::ExtInst, ty, operands);
    editor.place_global(inst);
    inst
}
