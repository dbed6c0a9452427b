//! Loads with more precise facts than the uniformity analysis has by itself.
//!
//! The analysis keeps one level per variable, follows no pointer into a callee, and does not trust shared memory. Here it runs on a copy of
//! the module in which some loads are replaced:
//!
//! | file | which loads | in the copy |
//! |---|---|---|
//! | `copied.rs` | of variables into which an entry point copies an input, before anything else | are of the input |
//! | `valued.rs` | through pointer parameters that only pass a value | are of a variable of the callee, with this value |
//! | `parts.rs` | of parts of variables that are accessed in parts alone | are of a variable for each part |
//! | `webs.rs` | that the same stores may reach | are of a variable of their own, with these stores |
//! | `mod.rs` | (parameters, not loads) of uncalled functions, except pointers | read a push constant |
//! | `stored.rs` | after the only store that can be the last one into a variable | removed: the stored value is used |
//! | `agreed.rs` | of workgroup memory between two barriers, at one address: `workgroupUniformLoad` of WGSL | read a push constant |
//! | `passed.rs` | of variables whose address is passed to functions, and through such parameters, if their contents are uniform | the same |
//!
//! To show that lanes differ, the analysis runs once more, where nothing differs that is not shown to ([`Evidence::Shown`]). There, loads of the
//! variables of `passed.rs` differ if a value is stored that does.
//!
//! The last one is circular: a stored value may depend on a loaded one. It is assumed for all variables, then those are dropped into which
//! a differing value is stored even so, until nothing changes. The rest is correct: the first differing value would have to be stored
//! before any differing value was loaded.
//!
//! Handles of the module are handles of the copy, so the results hold for both; variables that only the copy has are reported as their
//! originals ([`Loads::origin`]). Near-linear, except for the webs, which visit the blocks for each variable, and the rounds of the fixed
//! point, of which there are at most [`ROUNDS`].

mod agreed;
mod copied;
mod parts;
mod passed;
mod stored;
mod valued;
mod webs;

pub(super) use passed::Claim;
use passed::Shared;
use reconverge_analysis::is_exported;
use reconverge_analysis::uniformity::{Evidence, ModuleUniformity, Scope};
use reconverge_ir::{Function, Inst, Module, Op, Position, view};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::StorageClass;
use stored::Stored;
use webs::Web;

use crate::flow::Flow;
use crate::program::Program;

/// The number of rounds before all variables are dropped.
const ROUNDS: usize = 4;

/// The loads of a module with more precise facts.
pub(super) struct Loads {
    /// The module with a variable for each web, if there are any.
    split: Option<Module>,
    /// For each instruction that only the copies have, the original that it replaces.
    origins: FxHashMap<Inst, Inst>,
    stored: Vec<Stored>,
    agreed: Vec<Inst>,
    shared: Vec<Shared>,
}

/// The values that are shown to differ between lanes.
pub(super) struct Differences {
    pub(super) uniformity: ModuleUniformity,
    /// For loads of variables of several functions: what is stored that differs.
    pub(super) stored: FxHashMap<Inst, Claim>,
}

impl Loads {
    /// Finds them. Linear, but the search for the last store visits a bounded number of steps for each load.
    pub(super) fn compute(program: &Program<'_>) -> Loads {
        let module = program.module;
        let webs = |flow| webs::find(program, flow, &stored::simple_variables(module, flow).collect::<Vec<_>>());
        let webs: Vec<Web> = program.flows.iter().flat_map(webs).collect();
        let (copied, valued, loose) = (copied::find(program), valued::find(program), loose_parameters(program));
        let parts = parts::find(program);
        let is_same = webs.is_empty() && copied.is_empty() && valued.is_empty() && parts.is_empty() && loose.is_empty();
        let mut split = (!is_same).then(|| module.clone());
        let mut origins = FxHashMap::default();
        if let Some(split) = &mut split {
            origins = webs::split(split, &webs);
            copied.iter().for_each(|copied| copied.replace(split));
            origins.extend(parts::split(split, &parts));
            origins.extend(valued::replace(split, &valued));
            read_instead(split, loose.iter(), StorageClass::PushConstant);
        }
        let copies = copied.iter().map(|copied| copied.variable);
        let followed: FxHashSet<Inst> = valued.iter().map(|valued| valued.parameter).chain(copies).collect();
        let (stored, agreed, shared) = (stored::find(program), agreed::find(module), passed::find(program, &followed));
        Loads { split, origins, stored, agreed, shared }
    }

    /// The module with a variable for each web.
    pub(super) fn split<'a>(&'a self, program: &'a Program<'_>) -> &'a Module {
        self.split.as_ref().unwrap_or(program.module)
    }

    /// The module's own variable for one that a copy has; anything else is its own.
    pub(super) fn origin(&self, inst: Inst) -> Inst {
        self.origins.get(&inst).copied().unwrap_or(inst)
    }

    /// Returns whether an instruction is a store that only a copy has.
    pub(super) fn is_added_store(&self, inst: Inst) -> bool {
        self.origins.contains_key(&inst) && self.split.as_ref().is_some_and(|split| split.op(inst) == Op::Store)
    }

    /// The uniformity of the module at a scope.
    pub(super) fn uniformity(&self, program: &Program<'_>, scope: Scope) -> ModuleUniformity {
        let split = self.split(program);
        if self.stored.is_empty() && self.agreed.is_empty() && self.shared.is_empty() {
            return ModuleUniformity::compute(split, scope);
        }
        let mut copy = self.with_stored(split);
        let mut uniformity = ModuleUniformity::compute(&copy, scope);
        let is_at_one_address = |&load: &Inst| {
            let function = program.module.function_of(load).and_then(|function| uniformity.function(function));
            function.is_some_and(|function| function.of_use(load, view::Load::SLOT.pointer).is_uniform())
        };
        let agreed: Vec<Inst> = self.agreed.iter().copied().filter(is_at_one_address).collect();
        if scope != Scope::Draw && !agreed.is_empty() {
            read_instead(&mut copy, agreed.iter(), StorageClass::PushConstant);
            uniformity = ModuleUniformity::compute(&copy, scope);
        }
        self.with_passed(program, &copy, scope).unwrap_or(uniformity)
    }

    /// A copy of the module where loads that certain stores precede are the stored values.
    fn with_stored(&self, split: &Module) -> Module {
        let mut copy = split.clone();
        for &Stored { load, store } in &self.stored {
            let Some(view::Store { object, .. }) = view::Store::of(&copy, store) else { continue };
            copy.edit().replace_all_uses(load, object);
        }
        copy
    }

    /// The values that are shown to differ at a scope. A variable of several functions differs if a stored value does; after [`ROUNDS`]
    /// rounds, the remaining variables count as uniform.
    pub(super) fn differences(&self, program: &Program<'_>, scope: Scope) -> Differences {
        let copy = self.with_stored(self.split(program));
        let mut left: Vec<&Shared> = self.shared.iter().filter(|shared| !shared.is_mixed).collect();
        let mut stored: FxHashMap<Inst, Claim> = FxHashMap::default();
        let mut found = copy.clone();
        for _ in 0..ROUNDS {
            let uniformity = ModuleUniformity::compute_by(&found, scope, Evidence::Shown);
            let before = stored.len();
            left.retain(|shared| {
                let claim = shared.difference(program, &uniformity);
                let loads = shared.loads.iter().chain(&shared.elsewhere).copied();
                stored.extend(claim.into_iter().flat_map(|claim| loads.clone().map(move |load| (load, claim))));
                claim.is_none()
            });
            if stored.len() == before {
                return Differences { uniformity, stored };
            }
            found = copy.clone();
            let mut differing: Vec<Inst> = stored.keys().copied().collect();
            differing.sort_unstable();
            read_instead(&mut found, differing.iter(), StorageClass::Input);
        }
        Differences { uniformity: ModuleUniformity::compute_by(&found, scope, Evidence::Shown), stored }
    }

    /// The uniformity with those variables whose contents are uniform although their addresses are passed; `None` if there are none.
    fn with_passed(&self, program: &Program<'_>, copy: &Module, scope: Scope) -> Option<ModuleUniformity> {
        let mut left: Vec<&Shared> = self.shared.iter().collect();
        for _ in 0..ROUNDS {
            if left.is_empty() {
                return None;
            }
            let mut taken = copy.clone();
            read_instead(&mut taken, left.iter().flat_map(|shared| &shared.loads), StorageClass::PushConstant);
            let uniformity = ModuleUniformity::compute(&taken, scope);
            let before = left.len();
            left.retain(|shared| shared.holds(program, &uniformity));
            if left.len() == before {
                return Some(uniformity);
            }
        }
        None
    }
}

/// The parameters of functions that nothing calls, inside the module or outside, except pointers.
fn loose_parameters(program: &Program<'_>) -> Vec<Inst> {
    let module = program.module;
    let is_loose = |&(number, flow): &(usize, &Flow)| {
        let is_called = program.is_entered[number] || !program.callers[number].is_empty();
        !is_called && !is_exported(module, flow.function)
    };
    let loose = program.flows.iter().enumerate().filter(is_loose);
    let parameters = loose.flat_map(|(_, flow)| module.parameters(flow.function)).map(Inst::from);
    parameters.filter(|&parameter| module.is_used(parameter) && module.storage_class(parameter).is_none()).collect()
}

/// Replaces loads and parameters by loads of variables of a storage class: push constants are uniform, inputs are not.
fn read_instead<'a>(module: &mut Module, loads: impl Iterator<Item = &'a Inst>, class: StorageClass) {
    let mut variables: FxHashMap<Inst, Inst> = FxHashMap::default();
    for &load in loads {
        let Some(ty) = module.ty(load) else { continue };
        let mut editor = module.edit();
        let variable = *variables.entry(ty).or_insert_with(|| {
            let class = editor.enumerant(class);
            let pointer = editor.unique(Op::TypePointer, None, &[class, ty]);
            editor.append_global(Op::Variable, Some(pointer), &[class])
        });
        let place = match editor.module().op(load) {
            Op::Load => {
                editor.set_operand(load, view::Load::SLOT.pointer, variable);
                continue;
            }
            Op::FunctionParameter => {
                editor.module().function_of(load).and_then(|function| first_place(editor.module(), function))
            }
            _ => Some(Position::Before(load)),
        };
        let Some(place) = place else { continue };
        let uniform = editor.insert(place, Op::Load, Some(ty), &[variable]);
        editor.replace_all_uses(load, uniform);
    }
}

/// Before all instructions of a function.
fn first_place(module: &Module, function: Function) -> Option<Position> {
    let entry = module.entry(function)?;
    module.children(entry).find(|&inst| module.op(inst) != Op::Variable).map(Position::Before)
}
