//! Instructions that are unified by their contents, although they are nominal within a module.
//!
//! | op | equal if |
//! |---|---|
//! | `type_struct`, `type_opaque` | members, decorations and name agree; a struct that is a symbol was bound to its definition before |
//! | `ext_inst_import`, `string` | the text agrees |
//! | an import that stays open, a built-in variable of the environment | name, type, decorations and parameters agree |
//!
//! **Structs by structure and name.** Front ends write a struct into every module that uses it, without a name for other modules, so that
//! its structure has to identify it. The name counts as well: two structs that only look alike keep their names, which reflection and
//! debuggers show. The number that a front end adds to a name (`struct.anon.3`) differs from file to file and does not count. This is an
//! equivalence, whatever the module, so the result does not depend on the order in which modules are linked; two equal structs of one
//! module become one. The first keeps its names; a later one adds the names of its members if the first has none.
//!
//! **Structs that name themselves** through pointers have no contents that could be looked up. When all types are copied, such structs are
//! compared in pairs by everything that they reach; a pair that is under comparison counts as equal (as in `check/types.rs`). If no
//! difference is found, all pairs are merged. Linear in the types for each pair with one name and number of members, of which there is
//! usually one.

use reconverge_ir::{Class, Inst, Module, Op};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Copier;
use super::globals::is_open_import;
use crate::Input;
use crate::check::{base_name, belongs_to_identity, is_linkage};

/// The contents that identify an instruction.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Contents {
    op: Op,
    name: String,
    ty: Option<Inst>,
    operands: Vec<Inst>,
    notes: Vec<Inst>,
    /// Types and decorations of the parameters of a declared function.
    parameters: Vec<Inst>,
}

/// The unified instructions of the result.
#[derive(Debug, Default)]
pub(super) struct Unified {
    known: FxHashMap<Contents, Inst>,
    /// The contents of the instruction that is created next.
    pending: Option<Contents>,
    /// Types that name themselves, and types that name these.
    cyclic: FxHashSet<Inst>,
    /// The structs among them, in order.
    cyclic_structs: Vec<Inst>,
}

impl Unified {
    /// Records the instruction that was looked up last.
    pub(super) fn add(&mut self, image: Inst) {
        if let Some(contents) = self.pending.take() {
            self.known.insert(contents, image);
        }
    }

    /// Remembers a type that names itself.
    pub(super) fn add_cyclic(&mut self, module: &Module, image: Inst) {
        let op = module.op(image);
        if op.is_type() && self.cyclic.insert(image) && op == Op::TypeStruct {
            self.cyclic_structs.push(image);
        }
    }

    /// Remembers a type that names one that names itself.
    pub(super) fn add_user_of_cyclic(&mut self, module: &Module, image: Inst) {
        if !self.cyclic.is_empty() && module.operands(image).any(|part| self.cyclic.contains(&part)) {
            self.add_cyclic(module, image);
        }
    }
}

impl<I: Input> Copier<'_, I> {
    /// The instruction of the result with the same contents, if there is one and contents identify the op.
    #[expect(clippy::too_many_arguments, reason = "an instruction, and all parts of its copy")]
    pub(super) fn unify(
        &mut self,
        module: &Module,
        inst: Inst,
        ty: Option<Inst>,
        operands: &[Inst],
        notes: &[Inst],
        parameters: Vec<Inst>,
    ) -> Option<Inst> {
        let op = module.op(inst);
        let result = &self.copied.module;
        self.unified.pending = None;
        let name = match op {
            Op::TypeStruct | Op::TypeOpaque => {
                if operands.iter().any(|part| self.unified.cyclic.contains(part)) {
                    return None;
                }
                module.name(inst).map(|name| base_name(&name).to_owned()).unwrap_or_default()
            }
            Op::ExtInstImport | Op::String => String::new(),
            _ if is_open_import(module, inst) => String::new(),
            _ => return None,
        };
        let keeps_linkage = !op.is_type();
        let is_part = |&note: &Inst| match keeps_linkage {
            true => !matches!(result.op(note), Op::Name | Op::MemberName),
            false => !is_linkage(result, note) && !matches!(result.op(note), Op::Name | Op::MemberName),
        };
        let mut identity: Vec<Inst> = notes.iter().copied().filter(is_part).collect();
        identity.sort_unstable();
        let contents = Contents { op, name, ty, operands: operands.to_vec(), notes: identity, parameters };
        let known = self.unified.known.get(&contents).copied();
        match known {
            Some(image) => self.adopt_names(image, notes),
            None => self.unified.pending = Some(contents),
        }
        known
    }

    /// Gives an instruction the names of its members, and a name, if it has none.
    fn adopt_names(&mut self, image: Inst, notes: &[Inst]) {
        for op in [Op::Name, Op::MemberName] {
            let module = &self.copied.module;
            if module.decorations(image).iter().any(|&note| module.op(note) == op) {
                continue;
            }
            let names: Vec<Inst> = notes.iter().copied().filter(|&note| module.op(note) == op).collect();
            names.into_iter().for_each(|name| self.copied.module.edit().decorate(image, name));
        }
    }

    /// Merges structs that name themselves and are equal.
    pub(super) fn unify_cyclic_structs(&mut self) {
        let structs = std::mem::take(&mut self.unified.cyclic_structs);
        let mut alike: FxHashMap<(String, usize), Vec<Inst>> = FxHashMap::default();
        for inst in structs {
            let module = &self.copied.module;
            if !module.is_live(inst) {
                continue;
            }
            let name = module.name(inst).unwrap_or_default();
            let candidates = alike.entry((base_name(&name).to_owned(), module.operand_count(inst))).or_default();
            let Some(mut pairs) = candidates.iter().find_map(|&other| equal_pairs(module, other, inst)) else {
                candidates.push(inst);
                continue;
            };
            pairs.sort_unstable();
            for (kept, merged) in pairs {
                let names = self.copied.module.decorations(merged).to_vec();
                self.adopt_names(kept, &names);
                self.copied.module.edit().merge_into(merged, kept);
            }
        }
        self.remove_repeated_forward_pointers();
    }

    /// Removes repeated forward declarations of a pointer type.
    fn remove_repeated_forward_pointers(&mut self) {
        let module = &self.copied.module;
        let mut declared = FxHashSet::default();
        let all = module.globals().filter(|&global| module.op(global) == Op::TypeForwardPointer);
        let repeated: Vec<Inst> = all.filter(|&ahead| !declared.insert(module.operands(ahead).next())).collect();
        repeated.into_iter().for_each(|ahead| self.copied.module.edit().delete(ahead));
    }
}

/// The pairs of structs that are equal if these two are: kept, merged. `None` if these two are not.
fn equal_pairs(module: &Module, kept: Inst, merged: Inst) -> Option<Vec<(Inst, Inst)>> {
    let mut met: FxHashSet<(Inst, Inst)> = FxHashSet::default();
    let mut open = vec![(kept, merged)];
    let mut structs = Vec::new();
    while let Some((left, right)) = open.pop() {
        if left == right || !met.insert((left, right)) {
            continue;
        }
        let op = module.op(left);
        let agree = op == module.op(right)
            && matches!(op.class(), Class::Type | Class::Constant)
            && (op == Op::TypeStruct || op.is_hoistable())
            && module.operand_count(left) == module.operand_count(right)
            && identity(module, left) == identity(module, right);
        if !agree {
            return None;
        }
        if op == Op::TypeStruct {
            let names = [left, right].map(|inst| module.name(inst).unwrap_or_default());
            if base_name(&names[0]) != base_name(&names[1]) {
                return None;
            }
            structs.push((left, right));
        }
        open.extend(module.ty(left).zip(module.ty(right)));
        open.extend(module.operands(left).zip(module.operands(right)));
    }
    // A struct that is paired with two others would have to be merged with both.
    let mut halves: Vec<Inst> = structs.iter().map(|&(_, right)| right).collect();
    halves.sort_unstable();
    let is_clear = halves.windows(2).all(|pair| pair[0] != pair[1]);
    let kept: FxHashSet<Inst> = structs.iter().map(|&(left, _)| left).collect();
    (is_clear && halves.iter().all(|half| !kept.contains(half))).then_some(structs)
}

fn identity(module: &Module, inst: Inst) -> Vec<Inst> {
    let mut notes: Vec<Inst> = module.decorations(inst).to_vec();
    notes.retain(|&note| belongs_to_identity(module, inst, note));
    notes.sort_unstable();
    notes
}
