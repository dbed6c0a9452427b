//! The roots of addresses: an argument, the memory of the work-group, the data of the program. Memory that nothing writes is read through
//! the texture units, whose cache does not see what DMA stores.
//!
//! A forward data-flow analysis over the numbers that may be addresses:
//!
//! ```text
//! nothing  <  argument k, work-group, table  <  anything
//! argument       a 64-bit push constant
//! anything       a 64-bit number or a pointer that is loaded from memory
//! nothing        products, shifts and other numbers that no address is
//! others         the join of the operands
//! ```
//!
//! If one of several values is chosen and only some of them have a root, the others may be unknown addresses, and the root is unknown.
//!
//! Two arguments are taken for different memory. Each round is linear; there are as many rounds as an address takes to go around loops.

use reconverge_ir::{Block, Inst, Module, Op, OpGroup, terminator, view};
use reconverge_lanes::is_table;
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::StorageClass;

/// The root of an address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Root {
    /// A push constant, by the instruction that is its member number.
    Argument(u64),
    /// The memory of the work-group.
    Local,
    /// A table.
    Table,
    /// Any of them.
    Any,
}

/// The roots of the values of a function, and those that are written.
#[derive(Debug, Default)]
pub(crate) struct Roots {
    roots: FxHashMap<Inst, Root>,
    written: FxHashSet<Root>,
}

impl Roots {
    /// Analyses the blocks of a function.
    pub(crate) fn compute(module: &Module, blocks: &[Block]) -> Roots {
        let mut roots = Roots::default();
        for variable in module.globals() {
            let root = match class_of(module, variable) {
                Some(StorageClass::Workgroup) => Root::Local,
                Some(StorageClass::Private) if is_table(module, variable) => Root::Table,
                _ => continue,
            };
            roots.roots.insert(variable, root);
        }
        loop {
            while blocks.iter().fold(false, |changed, &block| roots.visit(module, block) | changed) {}
            if !blocks.iter().fold(false, |changed, &block| roots.mix(module, block) | changed) {
                break;
            }
        }
        for &block in blocks {
            for inst in module.children(block) {
                let is_write = matches!(module.op(inst).group(), OpGroup::Store | OpGroup::Atomic);
                if is_write && !is_private(module, module.operand(inst, 0)) {
                    let root = roots.of(module.operand(inst, 0));
                    roots.written.insert(root);
                }
            }
        }
        roots
    }

    fn of(&self, value: Inst) -> Root {
        self.roots.get(&value).copied().unwrap_or(Root::Any)
    }

    /// Returns whether the function writes nothing that a pointer may point to.
    pub(crate) fn is_only_read(&self, pointer: Inst) -> bool {
        let root = self.of(pointer);
        match root {
            Root::Table => true,
            Root::Any => self.written.is_empty(),
            root => !self.written.contains(&root) && !self.written.contains(&Root::Any),
        }
    }

    /// Joins a root to that of a value. Returns whether it changes.
    fn join(&mut self, value: Inst, root: Root) -> bool {
        match self.roots.get(&value) {
            Some(&before) if before == root || before == Root::Any => false,
            Some(_) => self.roots.insert(value, Root::Any) != Some(Root::Any),
            None => {
                self.roots.insert(value, root);
                true
            }
        }
    }

    fn visit(&mut self, module: &Module, block: Block) -> bool {
        let mut changed = false;
        for inst in module.children(block) {
            let op = module.op(inst);
            if op == Op::Load {
                if let Some(root) = root_of_load(module, inst) {
                    changed |= self.join(inst, root);
                }
                continue;
            }
            if let Some(first) = terminator::first_argument(op) {
                changed |= self.pass(module, inst, first);
                continue;
            }
            let is_table = op == Op::Variable && is_table(module, inst);
            if is_table {
                changed |= self.join(inst, Root::Table);
            }
            if op == Op::Variable || !is_address(module, inst) || !may_keep_address(op) {
                continue;
            }
            let operands: Vec<Inst> = module.operands(inst).collect();
            for operand in operands {
                if let Some(&root) = self.roots.get(&operand) {
                    changed |= self.join(inst, root);
                }
            }
        }
        changed
    }

    /// Choices among values of which only some have a root.
    fn mix(&mut self, module: &Module, block: Block) -> bool {
        let mut changed = false;
        let mut choose = |roots: &mut Roots, result: Inst, value: Inst| {
            let is_rootless =
                !roots.roots.contains_key(&value) && !is_plain(module, value) && is_address(module, value);
            if is_rootless && roots.roots.contains_key(&result) {
                changed |= roots.join(result, Root::Any);
            }
        };
        for inst in module.children(block) {
            let op = module.op(inst);
            if op == Op::Select {
                [1, 2].into_iter().for_each(|place| choose(self, inst, module.operand(inst, place)));
            }
            let target =
                terminator::first_argument(op).zip(module.cast::<Block>(module.operands(inst).next().unwrap_or(inst)));
            if let Some((first, target)) = target {
                let parameters: Vec<Inst> = module.parameters(target).map(Inst::from).collect();
                let arguments = module.operands(inst).skip(first);
                parameters
                    .into_iter()
                    .zip(arguments)
                    .for_each(|(parameter, argument)| choose(self, parameter, argument));
            }
        }
        changed
    }

    /// A jump passes its arguments to the parameters of its target.
    fn pass(&mut self, module: &Module, jump: Inst, first: usize) -> bool {
        let Some(target) = module.cast::<Block>(module.operand(jump, terminator::operand::TARGET)) else {
            return false;
        };
        let parameters: Vec<Inst> = module.parameters(target).map(Inst::from).collect();
        let arguments: Vec<Inst> = module.operands(jump).skip(first).collect();
        let mut changed = false;
        for (parameter, argument) in parameters.into_iter().zip(arguments) {
            if let Some(&root) = self.roots.get(&argument) {
                changed |= self.join(parameter, root);
            }
        }
        changed
    }
}

/// Returns whether a value may be an address: a pointer or a number of 64 bits.
fn is_address(module: &Module, value: Inst) -> bool {
    let Some(ty) = module.ty(value) else { return false };
    module.op(ty) == Op::TypePointer || module.op(ty) == Op::TypeInt && module.width(ty) == Some(64)
}

/// Returns whether an operation on an address gives an address.
fn may_keep_address(op: Op) -> bool {
    !matches!(op.group(), OpGroup::Shift | OpGroup::IntegerDivision | OpGroup::BitCount | OpGroup::BitField)
        && !matches!(op, Op::IMul | Op::SNegate)
}

/// Returns whether a value is a constant or undefined, and no address of memory.
fn is_plain(module: &Module, value: Inst) -> bool {
    module.op(value).is_constant() || module.op(value) == Op::Undef
}

fn class_of(module: &Module, pointer: Inst) -> Option<StorageClass> {
    view::TypePointer::of(module, module.ty(pointer)?).and_then(|ty| ty.storage_class)
}

/// Returns whether a pointer is into memory of the work-item or into an input.
pub(crate) fn is_private(module: &Module, pointer: Inst) -> bool {
    use StorageClass::{Function, Input, Private, PushConstant};
    matches!(class_of(module, pointer), Some(Function | Private | Input | PushConstant))
}

fn root_of_load(module: &Module, load: Inst) -> Option<Root> {
    if !is_address(module, load) {
        return None;
    }
    let pointer = view::Load::of(module, load)?.pointer;
    match class_of(module, pointer) {
        Some(StorageClass::PushConstant) => {
            let member = module.operands(pointer).nth(1).and_then(|index| module.constant_bits(index));
            Some(Root::Argument(member.unwrap_or(0)))
        }
        Some(StorageClass::Input) => None,
        _ => Some(Root::Any),
    }
}
