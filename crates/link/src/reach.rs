//! Finds the instructions that the roots reach, and the definition of every symbol among them.
//!
//! ```text
//! %k ─▶ %f {Import "f"}  ┄ bound to ┄▶  %f {Export "f"} of another input ─▶ %u32, %table …
//! ```
//!
//! A worklist of instructions at module level. Each is loaded, and everything that it and its contents name is reached: types, operands,
//! the operands of decorations and of locations, and instructions about it that nothing names (execution modes, debug information). A
//! symbol is bound to its definition, and the definition is reached instead. So an export that is overridden is not copied.
//!
//! **Definitions.** Among the bodies of a name for the target, the one for the most specific target is chosen, then a definition over one
//! of several equal definitions (`LinkOnceODR`), then the first in the order of inputs. Two ordinary definitions for the same target are an
//! error, except for types and interfaces, which the check compares.
//!
//! **Parts of interfaces** can be named from anywhere. A reference to one reaches the interface, and where an interface is bound to
//! another, its parts are bound by their indices. The instructions that determine whether modules agree in a generic or an interface are
//! reached with the import as well, so that it is bound when it is compared.
//!
//! Linear in the reached instructions, times the number of inputs for each symbol; sorting is O(n log n). No recursion.

use reconverge_ir::decoration::Note;
use reconverge_ir::{Class, ImportCode, Inst, Module, Op, literal};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{Decoration, LinkageType};

use crate::contract;
use crate::error::Site;
use crate::input::Place;
use crate::symbol::has_definition;
use crate::table::Table;
use crate::{Code, Input, LinkError, LinkOptions, Roots, Symbol, SymbolKind, Undefined};

/// The prefix of a target in the text of a `UserSemantic` decoration.
const TARGET: &str = "target=";

/// The instructions to copy.
#[derive(Debug)]
pub(crate) struct Reached {
    /// The reached instructions at module level of each input, in the order of its module.
    pub(crate) globals: Vec<Vec<Inst>>,
    /// The symbols that are not their own definition, with their definitions.
    pub(crate) bound: FxHashMap<Site, Site>,
    /// The same pairs, in the order in which they were found.
    pub(crate) bindings: Vec<(Site, Site)>,
    /// The symbols that stay exported.
    pub(crate) exported: Exported,
}

/// The symbols that stay exported.
#[derive(Debug)]
pub(crate) enum Exported {
    All,
    /// Those with these names.
    Named(FxHashSet<Vec<u8>>),
}

impl Exported {
    pub(crate) fn keeps(&self, name: &[u8]) -> bool {
        match self {
            Exported::All => true,
            Exported::Named(names) => names.contains(name),
        }
    }
}

impl Reached {
    /// The definition of an instruction: itself if it is not bound to another.
    pub(crate) fn definition(&self, site: Site) -> Site {
        self.bound.get(&site).copied().unwrap_or(site)
    }
}

/// The meaning of a name.
#[derive(Clone, Copy)]
enum Resolution {
    /// This definition.
    Defined(Site),
    /// No definition; imports are kept.
    Open,
    /// An error that was reported.
    Failed,
}

/// Computes the instructions to copy.
///
/// # Errors
/// Symbols without a definition, or with several; roots that do not exist; entry points of the same name.
pub(crate) fn reach<I: Input>(inputs: &mut [I], options: &LinkOptions<'_>) -> Result<Reached, Vec<LinkError>> {
    let tables = inputs.iter().map(|input| Table::new(input.module().capacity())).collect();
    let mut walk = Walk {
        options,
        seen: tables,
        work: Vec::new(),
        bound: Vec::new(),
        resolutions: FxHashMap::default(),
        undefined: FxHashMap::default(),
        reached: Reached {
            globals: vec![Vec::new(); inputs.len()],
            bound: FxHashMap::default(),
            bindings: Vec::new(),
            exported: Exported::All,
        },
        errors: Vec::new(),
        inputs,
    };
    walk.add_roots();
    walk.run();
    walk.finish()
}

struct Walk<'a, 'o, I> {
    inputs: &'a mut [I],
    options: &'o LinkOptions<'o>,
    /// Instructions that were reached, by input.
    seen: Vec<Table<u32>>,
    work: Vec<Site>,
    /// Symbols that were bound to a definition and not processed since.
    bound: Vec<(Site, Site)>,
    resolutions: FxHashMap<Vec<u8>, Resolution>,
    /// The error of each name without a definition, by index.
    undefined: FxHashMap<Vec<u8>, usize>,
    reached: Reached,
    errors: Vec<LinkError>,
}

impl<I: Input> Walk<'_, '_, I> {
    fn add_roots(&mut self) {
        let mut entry_points = Vec::new();
        for (number, input) in self.inputs.iter().enumerate() {
            entry_points.extend(input.entry_points().iter().map(|&inst| Site { input: number, inst }));
            let descriptions = input.descriptions();
            self.work.extend(descriptions.iter().map(|&inst| Site { input: number, inst }));
        }
        self.work.iter().for_each(|site| self.seen[site.input].set(site.inst, 0));
        self.check_entry_points(&entry_points);
        match self.options.roots {
            Roots::Program if !entry_points.is_empty() => {
                self.reached.exported = Exported::Named(FxHashSet::default());
                entry_points.into_iter().for_each(|site| self.add(site));
            }
            Roots::Program | Roots::Library => {
                entry_points.into_iter().for_each(|site| self.add(site));
                self.add_exports();
            }
            Roots::Named(names) => self.add_named(names, &entry_points),
        }
    }

    fn add_exports(&mut self) {
        for input in 0..self.inputs.len() {
            let exports: Vec<Inst> =
                self.inputs[input].symbols().iter().filter(|symbol| !symbol.is_import()).map(|it| it.inst).collect();
            for site in exports.into_iter().map(|inst| Site { input, inst }) {
                if self.is_loaded(site) {
                    self.name_reached(site);
                }
            }
        }
    }

    fn add_named(&mut self, names: &[String], entry_points: &[Site]) {
        let kept = names.iter().map(|name| name.as_bytes().to_vec()).collect();
        self.reached.exported = Exported::Named(kept);
        for name in names {
            let named = |site: &&Site| entry_point_name(self.inputs[site.input].module(), site.inst) == name.as_bytes();
            let mut sites: Vec<Site> = entry_points.iter().filter(named).copied().collect();
            if let Resolution::Defined(site) = self.resolve_root(name) {
                sites.push(site);
            }
            if sites.is_empty() {
                let message = format!("no input has an entry point or an export named {name}");
                self.errors.push(LinkError::new(Code::Root, message));
            }
            sites.into_iter().for_each(|site| self.name_reached(site));
        }
    }

    fn resolve_root(&mut self, name: &str) -> Resolution {
        let is_known = !self.candidates(name.as_bytes()).is_empty();
        if is_known { self.resolve(name.as_bytes()) } else { Resolution::Open }
    }

    /// Entry points of one execution model have different names (SPIR-V section 2.16.1).
    fn check_entry_points(&mut self, entry_points: &[Site]) {
        let mut first: FxHashMap<(Option<u32>, Vec<u8>), Site> = FxHashMap::default();
        for &site in entry_points {
            let module = self.inputs[site.input].module();
            let model = module.operands(site.inst).next().and_then(|model| module.literal_word(model));
            let name = entry_point_name(module, site.inst);
            let other = *first.entry((model, name.clone())).or_insert(site);
            if other.input != site.input {
                let message = format!("two inputs have an entry point {}", String::from_utf8_lossy(&name));
                let error = LinkError::new(Code::EntryPoint, message);
                let error = error.at("the first", self.inputs, other).at("the second", self.inputs, site);
                self.errors.push(error);
            }
        }
    }

    fn run(&mut self) {
        loop {
            while let Some((import, definition)) = self.bound.pop() {
                if self.is_loaded(import) {
                    self.bind_parts(import, definition);
                    self.reach_contract(import);
                }
            }
            let Some(site) = self.work.pop() else { break };
            if !self.is_loaded(site) {
                continue;
            }
            let mut named = Vec::new();
            let module = self.inputs[site.input].module();
            for inst in module.descendants(site.inst) {
                for_each_named(module, inst, &mut |named_inst| named.push(named_inst));
            }
            named.extend_from_slice(self.inputs[site.input].notes(site.inst));
            // The last instruction of the list is processed first.
            for inst in named.into_iter().rev() {
                self.name_reached(Site { input: site.input, inst });
            }
        }
    }

    /// Loads an instruction, and reports an error. Returns whether it is loaded.
    fn is_loaded(&mut self, site: Site) -> bool {
        let loaded = self.inputs[site.input].load(site.inst);
        if let Err(message) = &loaded {
            let name = self.inputs[site.input].name();
            self.errors.push(LinkError::new(Code::Read, format!("{name}: {message}")));
        }
        loaded.is_ok()
    }

    /// Reaches the instructions that an instruction names.
    fn name_reached(&mut self, site: Site) {
        if self.seen[site.input].get(site.inst).is_some() {
            return;
        }
        let module = self.inputs[site.input].module();
        match module.op(site.inst).class() {
            Class::Literal | Class::Removed => return,
            Class::Decoration | Class::Position => {
                self.seen[site.input].set(site.inst, 0);
                let operands: Vec<Inst> = module.operands(site.inst).collect();
                for inst in operands {
                    // Decorations name instructions at module level and literals, no decorations.
                    self.name_reached_global(Site { input: site.input, inst });
                }
                return;
            }
            _ => {}
        }
        self.name_reached_global(site);
    }

    fn name_reached_global(&mut self, site: Site) {
        let module = self.inputs[site.input].module();
        let interface = contract::interface_of(module, site.inst);
        let site = interface.map_or(site, |inst| Site { inst, ..site });
        if self.seen[site.input].get(site.inst).is_some() || module.parent(site.inst) != Some(module.root()) {
            return;
        }
        if let Some(symbol) = module_symbol(module, site.inst) {
            match self.resolve_for(&symbol, site) {
                Resolution::Defined(definition) if definition != site => {
                    self.seen[site.input].set(site.inst, 0);
                    self.reached.bound.insert(site, definition);
                    self.reached.bindings.push((site, definition));
                    self.bound.push((site, definition));
                    // A pointer of another type is converted to the type of the import, which must be loaded for that.
                    let ty = self.inputs[site.input].module().ty(site.inst);
                    if let Some(inst) = ty {
                        self.name_reached_global(Site { input: site.input, inst });
                    }
                    return self.add(definition);
                }
                // The instructions that it names may lack definitions too, and are then reported as well.
                Resolution::Defined(_) | Resolution::Open | Resolution::Failed => {}
            }
        }
        self.add(site);
    }

    /// Redirects references to the parts of an interface to those of its definition.
    fn bind_parts(&mut self, site: Site, definition: Site) {
        let [ours, theirs] = [site, definition].map(|site| self.inputs[site.input].module());
        if [ours.op(site.inst), theirs.op(definition.inst)] == [Op::Interface; 2] {
            let parts = contract::parts(ours, site.inst).zip(contract::parts(theirs, definition.inst));
            let pairs = parts.map(|(part, other)| (Site { inst: part, ..site }, Site { inst: other, ..definition }));
            self.reached.bound.extend(pairs);
        }
    }

    /// Reaches the instructions that determine whether modules agree in an import.
    fn reach_contract(&mut self, import: Site) {
        let module = self.inputs[import.input].module();
        if matches!(module.op(import.inst), Op::Generic | Op::Interface) {
            for inst in contract::named_by_contract(module, import.inst) {
                self.name_reached_global(Site { inst, ..import });
            }
        }
    }

    fn add(&mut self, site: Site) {
        if self.seen[site.input].get(site.inst).is_none() {
            self.seen[site.input].set(site.inst, 0);
            self.reached.globals[site.input].push(site.inst);
            self.work.push(site);
        }
    }

    fn resolve_for(&mut self, symbol: &Symbol, site: Site) -> Resolution {
        let resolution = self.resolve(&symbol.name);
        if !matches!(resolution, Resolution::Open)
            || !symbol.is_import()
            || self.options.undefined.allows(&symbol.text())
        {
            return resolution;
        }
        let number = *self.undefined.entry(symbol.name.clone()).or_insert_with(|| {
            let kind = SymbolKind::of(self.inputs[site.input].module(), site.inst);
            let message = format!("no input defines the {kind} {}", symbol.text());
            self.errors.push(LinkError::new(ImportCode::Undefined, message));
            self.errors.len() - 1
        });
        let error = self.errors[number].clone().at("imported", self.inputs, site);
        self.errors[number] = error;
        Resolution::Failed
    }

    fn candidates(&mut self, name: &[u8]) -> Vec<(Site, Symbol)> {
        let all = self.inputs.iter_mut().enumerate().flat_map(|(number, input)| {
            input.find(name).into_iter().map(move |symbol| (Site { input: number, inst: symbol.inst }, symbol))
        });
        all.filter(|(_, symbol)| !symbol.is_import()).collect()
    }

    /// The definition of a name. Errors are reported once for each name.
    fn resolve(&mut self, name: &[u8]) -> Resolution {
        if let Some(&known) = self.resolutions.get(name) {
            return known;
        }
        let mut candidates = self.candidates(name);
        for (site, _) in &candidates {
            if !self.is_loaded(*site) {
                self.resolutions.insert(name.to_vec(), Resolution::Failed);
                return Resolution::Failed;
            }
        }
        // An instruction that was not loaded may not be a symbol: the table of a file does not know built-in variables.
        candidates.retain(|(site, symbol)| {
            Symbol::of(self.inputs[site.input].module(), site.inst).any(|other| other == *symbol)
        });
        let resolution = self.choose(name, &candidates);
        self.resolutions.insert(name.to_vec(), resolution);
        resolution
    }

    fn choose(&mut self, name: &[u8], candidates: &[(Site, Symbol)]) -> Resolution {
        let text = String::from_utf8_lossy(name);
        let mut best: Option<(Rank, Site)> = None;
        let mut second = None;
        for (site, symbol) in candidates {
            let module = self.inputs[site.input].module();
            let target = specificity(module, site.inst, self.options.target);
            let Some(target) = target.filter(|_| has_definition(module, site.inst)) else { continue };
            let rank = Rank { target, is_only: symbol.linkage != LinkageType::LinkOnceODR };
            match best {
                Some((other, _)) if rank == other && rank.is_only => second = second.or(Some(*site)),
                Some((other, _)) if rank <= other => {}
                _ => (best, second) = (Some((rank, *site)), None),
            }
        }
        let Some((_, site)) = best else { return self.without_body(&text, candidates) };
        let kind = SymbolKind::of(self.inputs[site.input].module(), site.inst);
        match second.filter(|_| !kind.is_declared_again()) {
            Some(other) => {
                let error = LinkError::new(Code::Duplicate, format!("two inputs define the {kind} {text}"));
                let error = error.at("first defined", self.inputs, site).at("defined again", self.inputs, other);
                self.errors.push(error);
                Resolution::Failed
            }
            None => Resolution::Defined(site),
        }
    }

    /// The meaning of a name that no input defines.
    fn without_body(&mut self, name: &str, candidates: &[(Site, Symbol)]) -> Resolution {
        let declared = candidates.iter().find(|(site, _)| {
            let module = self.inputs[site.input].module();
            !has_definition(module, site.inst)
        });
        let Some(&(site, _)) = declared else { return Resolution::Open };
        if matches!(self.options.undefined, Undefined::Allowed) {
            return Resolution::Open;
        }
        let kind = SymbolKind::of(self.inputs[site.input].module(), site.inst);
        let error = LinkError::new(Code::NoBody, format!("the {kind} {name} is exported without a body"));
        self.errors.push(error.at("exported", self.inputs, site));
        Resolution::Failed
    }

    fn finish(mut self) -> Result<Reached, Vec<LinkError>> {
        if !self.errors.is_empty() {
            return Err(in_order(self.errors));
        }
        self.bind_open_imports();
        self.reached.bindings.sort_unstable_by_key(|(import, _)| (import.input, import.inst));
        for (input, globals) in self.inputs.iter().zip(&mut self.reached.globals) {
            let mut placed: Vec<(Place, Inst)> =
                globals.iter().map(|&global| (input.position(global), global)).collect();
            placed.sort_unstable();
            globals.clear();
            globals.extend(placed.into_iter().map(|(_, global)| global));
        }
        Ok(self.reached)
    }

    /// Binds the imports of a name without a definition to the first of them, because other instructions may name their parts.
    fn bind_open_imports(&mut self) {
        let mut open: Vec<(usize, Place, Inst)> = Vec::new();
        for (number, input) in self.inputs.iter().enumerate() {
            let module = input.module();
            let is_open = |&global: &Inst| {
                SymbolKind::of(module, global).is_one_import()
                    && module_symbol(module, global).is_some_and(|symbol| symbol.is_import())
            };
            let globals = self.reached.globals[number].iter().copied().filter(is_open);
            open.extend(globals.map(|global| (number, input.position(global), global)));
        }
        open.sort_unstable();
        let mut first: FxHashMap<(SymbolKind, Vec<u8>), Site> = FxHashMap::default();
        for (input, _, inst) in open {
            let (module, site) = (self.inputs[input].module(), Site { input, inst });
            let Some(symbol) = module_symbol(module, inst) else { continue };
            let first = *first.entry((SymbolKind::of(module, inst), symbol.name)).or_insert(site);
            if first != site {
                self.reached.bound.insert(site, first);
                self.reached.bindings.push((site, first));
                self.bind_parts(site, first);
            }
        }
        let Reached { globals, bound, .. } = &mut self.reached;
        for (input, globals) in globals.iter_mut().enumerate() {
            globals.retain(|&inst| !bound.contains_key(&Site { input, inst }));
        }
    }
}

/// Sorts errors by the order of the inputs, which applies to the places of missing symbols as well.
fn in_order(mut errors: Vec<LinkError>) -> Vec<LinkError> {
    for error in errors.iter_mut().filter(|error| error.code == ImportCode::Undefined.declared()) {
        error.places.sort_by_key(|place| (place.input, place.inst));
    }
    errors.sort_by_key(|error| error.places.first().map(|place| (place.input, place.inst)));
    errors
}

/// The rank of one of several definitions. The greatest is chosen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// The specificity of its target.
    target: usize,
    /// True if it claims to be the only definition.
    is_only: bool,
}

/// The specificity of the target of a definition; `None` if the definition is for another target than this one.
fn specificity(module: &Module, inst: Inst, target: &str) -> Option<usize> {
    let Some(wanted) = wanted_target(module, inst) else { return Some(0) };
    let rest = target.strip_prefix(wanted.as_str())?;
    (rest.is_empty() || rest.starts_with('.')).then(|| 1 + wanted.split('.').count())
}

/// The target of a definition, if it names one: `decorate_string UserSemantic "target=vulkan"`.
fn wanted_target(module: &Module, inst: Inst) -> Option<String> {
    let notes = module.decorations(inst).iter().filter_map(|&note| Note::of(module, note));
    notes.filter(|note| note.is(Decoration::UserSemantic)).find_map(|note| {
        let text = module.literal_text(note.parameters.first()?);
        text.strip_prefix(TARGET).map(str::to_owned)
    })
}

fn module_symbol(module: &Module, inst: Inst) -> Option<Symbol> {
    if module.decorations(inst).is_empty() {
        return None;
    }
    Symbol::of(module, inst).next()
}

pub(crate) fn entry_point_name(module: &Module, entry_point: Inst) -> Vec<u8> {
    const NAME: usize = 2;
    let name = module.operands(entry_point).nth(NAME);
    name.map_or_else(Vec::new, |name| literal::text_bytes(module.literal_words(name)))
}

/// Calls `visit` with everything that an instruction names, without its contents: type, operands, decorations, the parts of its location.
pub(crate) fn for_each_named(module: &Module, inst: Inst, visit: &mut impl FnMut(Inst)) {
    if matches!(module.op(inst), Op::Dead | Op::Merged) {
        return;
    }
    module.ty(inst).into_iter().chain(module.operands(inst)).for_each(&mut *visit);
    module.decorations(inst).iter().copied().for_each(&mut *visit);
    if let Some(location) = module.explicit_location(inst) {
        location.parts().for_each(visit);
    }
}
