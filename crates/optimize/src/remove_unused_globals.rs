//! Removes types, constants, variables and imported instruction sets that nothing uses.
//!
//! ```text
//! %u64 = type_int 64, 0                            %u32 = type_int 32, 0
//! %u32 = type_int 32, 0                            %f: … uses %u32
//! %p = type_pointer Input, %u64             ⇒
//! %unread: %p = variable Input
//! entry_point %f, "f", %unread                     entry_point %f, "f"
//! ```
//!
//! *Requires* nothing. *Preserves* functions and everything that describes the module. *Breaks* nothing: an entry point stops
//! naming variables that are gone.
//!
//! Mark and sweep from the functions and from module-level instructions; an entry point's list of variables, a forward
//! declaration of a pointer and an import of instructions do not count as uses. What carries a built-in decoration without
//! being a variable stays: a constant of that kind speaks for itself. Linear.

use reconverge_ir::{Class, Inst, Location, Module, Op, view};
use spirv::Decoration;

use reconverge_rewrite::marks::Marks;

/// Operand of an entry point from which on it lists variables.
const INTERFACE: usize = view::EntryPoint::SLOT.interface;

/// What becomes of the variables that entry points name, or that other modules may, and nothing uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interface {
    /// They stay: what is around the module may count on them.
    Kept,
    /// They go, and entry points name what is left.
    Trimmed,
}

/// Removes globals that nothing uses. How many went.
pub fn remove_unused_globals(module: &mut Module, interface: Interface) -> usize {
    let globals: Vec<Inst> = module.globals().collect();
    let needed = compute_needed(module, &globals, interface);
    let entry_points = globals.iter().filter(|&&global| module.op(global) == Op::EntryPoint);
    for global in entry_points.copied().collect::<Vec<_>>() {
        let operands = module.operands(global).enumerate();
        let kept = operands.filter(|&(index, operand)| index < INTERFACE || needed.contains(operand));
        let kept: Vec<Inst> = kept.map(|(_, operand)| operand).collect();
        if kept.len() < module.operand_count(global) {
            module.edit().set_operands(global, &kept);
        }
    }
    let doomed: Vec<Inst> = globals.into_iter().filter(|global| !needed.contains(*global)).collect();
    doomed.iter().rev().for_each(|&global| module.edit().delete(global));
    doomed.len()
}

fn compute_needed(module: &Module, globals: &[Inst], interface: Interface) -> Marks {
    let mut search = GlobalSearch { module, needed: Marks::none_of(globals), pending: Vec::new() };
    for &global in globals.iter().filter(|&&global| is_root(module, global, interface)) {
        search.needed.insert(global);
        let counted = match module.op(global) {
            Op::EntryPoint if interface == Interface::Trimmed => INTERFACE,
            _ => module.operand_count(global),
        };
        search.follow(global, counted);
    }
    for inst in module.functions().flat_map(|function| module.descendants(function)) {
        search.follow(inst, usize::MAX);
    }
    // Reflection stands behind the functions that it describes.
    let behind = module.children(module.root()).skip_while(|&inst| module.op(inst) != Op::Function);
    for inst in behind.filter(|&inst| module.op(inst) != Op::Function) {
        search.follow(inst, usize::MAX);
    }
    while let Some(inst) = search.pending.pop() {
        search.follow(inst, usize::MAX);
    }
    let mut needed = search.needed;
    for &global in globals {
        let forward = view::TypeForwardPointer::of(module, global);
        if forward.is_some_and(|forward| needed.contains(forward.pointer_type)) {
            needed.insert(global);
        }
    }
    needed
}

struct GlobalSearch<'m> {
    module: &'m Module,
    needed: Marks,
    pending: Vec<Inst>,
}

impl GlobalSearch<'_> {
    /// Marks the globals among the type, the first `counted` operands and the decorations of an instruction.
    fn follow(&mut self, inst: Inst, counted: usize) {
        let module = self.module;
        let used = module.ty(inst).into_iter().chain(module.operands(inst).take(counted)).chain(notes(module, inst));
        let used = used.chain(places(module, inst));
        for used in used {
            if self.needed.insert(used) {
                self.pending.push(used);
            }
        }
    }
}

/// Whether a global is needed even if nothing uses it.
fn is_root(module: &Module, global: Inst, interface: Interface) -> bool {
    let op = module.op(global);
    match op.class() {
        Class::ModuleInstruction => !matches!(op, Op::TypeForwardPointer | Op::ExtInstImport),
        Class::Constant => module.decorated(global).has(Decoration::BuiltIn),
        Class::Type => false,
        _ if op == Op::Variable => {
            interface == Interface::Kept && module.decorated(global).has(Decoration::LinkageAttributes)
        }
        _ => op != Op::Undef,
    }
}

/// What the location of an instruction names, in positions and otherwise.
fn places(module: &Module, inst: Inst) -> impl Iterator<Item = Inst> + '_ {
    let parts = module.explicit_location(inst).into_iter().flat_map(Location::parts);
    parts.flat_map(|part| std::iter::once(part).chain(module.operands(part)))
}

/// What the decorations of an instruction name.
fn notes(module: &Module, inst: Inst) -> impl Iterator<Item = Inst> + '_ {
    module.decorations(inst).iter().flat_map(|&note| module.operands(note))
}
