//! Removes types, constants, variables and imported instruction sets without uses.
//!
//! ```text
//! %u64 = type_int 64, 0                            %u32 = type_int 32, 0
//! %u32 = type_int 32, 0                            %f: … uses %u32
//! %p = type_pointer Input, %u64             ⇒
//! %unread: %p = variable Input
//! entry_point %f, "f", %unread                     entry_point %f, "f"
//! ```
//!
//! *Requires* nothing. *Preserves* functions and everything that describes the module. *Breaks* nothing: removed variables are also removed
//! from entry points.
//!
//! Mark and sweep from the functions and from module-level instructions. The list of variables of an entry point, a forward declaration of
//! a pointer and an import of an instruction set do not count as uses. A constant with a built-in decoration stays, since the decoration
//! has an effect without a use. Linear.

use reconverge_ir::{Class, Inst, Location, Module, Op, view};
use spirv::Decoration;

use reconverge_rewrite::marks::Marks;

/// The index of the first variable among the operands of an entry point.
const INTERFACE: usize = view::EntryPoint::SLOT.interface;

/// The treatment of unused variables that entry points name, or that other modules may name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interface {
    /// They stay: the environment of the module may require them.
    Kept,
    /// They are removed, also from entry points.
    Trimmed,
}

/// Removes unused globals. Returns how many were removed.
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
    for (_, record) in module.debug_records().iter() {
        search.follow(record.inst, usize::MAX);
    }
    // Reflection comes after the functions that it describes.
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

/// Returns whether a global is needed even without a use.
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

/// The instructions that the location of an instruction refers to.
fn places(module: &Module, inst: Inst) -> impl Iterator<Item = Inst> + '_ {
    let parts = module.explicit_location(inst).into_iter().flat_map(Location::parts);
    parts.flat_map(|part| std::iter::once(part).chain(module.operands(part)))
}

/// The instructions that the decorations of an instruction refer to.
fn notes(module: &Module, inst: Inst) -> impl Iterator<Item = Inst> + '_ {
    module.decorations(inst).iter().flat_map(|&note| module.operands(note))
}
