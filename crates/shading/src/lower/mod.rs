//! Lowering: a module with its control trees becomes a syntax tree.
//!
//! | part | file |
//! |---|---|
//! | the language, its version, what it has | `target.rs` |
//! | types, structs and their members | `types.rs` |
//! | constants | `constants.rs`, `computed.rs` |
//! | how global variables are used | `uses.rs` |
//! | notes about the interface, numbers that the host program chooses | `described.rs` |
//! | descriptors of resources, and which overlap | `resources.rs` |
//! | modes of entry points, what is of a patch or a primitive | `stages.rs` |
//! | functions: values, instructions, control flow | `function/` |
//! | uses of images and samplers, in MSL and WGSL | `handles.rs` |
//! | layouts of memory, in MSL and WGSL | `layouts/` |
//! | what one language spells in its own way | `dispatch.rs`, `glsl/`, `hlsl/`, `msl/`, `wgsl/` |
//!
//! Every value becomes a name that is declared where the value is computed; the rules (`rules/`) put values where they are used. What the
//! language cannot say is refused here, with the instruction, so the printers refuse nothing.

mod computed;
mod constants;
mod described;
mod dispatch;
mod entries;
pub(crate) mod function;
mod glsl;
mod handles;
mod hlsl;
mod layouts;
mod msl;
mod resources;
mod stages;
mod target;
mod types;
pub(crate) mod uses;
mod wgsl;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Function, Inst, Module, Op};
use rustc_hash::FxHashMap;

use crate::syntax::{Expr, FunctionId, Global, GlobalId, GlobalKind, StructId, Text, Type};
use crate::write::{Prepared, TextOptions, WriteCode, at_inst};
pub(crate) use entries::Entry;
pub(crate) use hlsl::{give_types, keep_narrow};
pub(crate) use msl::place;
pub(crate) use target::Target;
use uses::{Sampling, Uses};
pub(crate) use wgsl::hide;

/// What a global variable of the module is in the text.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// A global.
    Global(GlobalId),
    /// A block whose members are globals of their own; none for a member that is not used.
    Members(Vec<Option<GlobalId>>),
    /// A member of each element of an array: `%v[i]` is `array[i].member`.
    Element { array: GlobalId, member: u32 },
}

/// The state of the lowering of a module.
pub(crate) struct Lowering<'m> {
    pub(crate) source: &'m Module,
    pub(crate) target: Target,
    pub(crate) options: &'m TextOptions,
    pub(crate) text: Text,
    /// The entry points that are written.
    pub(crate) entries: &'m [Entry],
    types: FxHashMap<Inst, Type>,
    structs: FxHashMap<Inst, StructId>,
    /// The places of the members of structs among those of the text, for structs whose order is another or that have padding.
    places: FxHashMap<Inst, Vec<u32>>,
    /// Arrays whose elements are in structs with padding.
    wrapped: rustc_hash::FxHashSet<Inst>,
    /// Globals by the variable that they come from.
    globals: FxHashMap<Inst, Place>,
    /// Globals that compare depths, by the variable of an image with its sampler or of a sampler.
    compared: FxHashMap<Inst, GlobalId>,
    /// Images with their samplers, where the language has only both together.
    combined: FxHashMap<(Inst, Inst, Sampling), GlobalId>,
    /// Images that are used without a sampler, where the language has only both together.
    alone: FxHashMap<Inst, GlobalId>,
    /// The descriptor of each resource in the text.
    slots: FxHashMap<Inst, resources::Slot>,
    /// Outputs that have a value before the entry point runs.
    first_values: Vec<(Inst, Inst)>,
    /// The locations of payloads and callable data of rays, by variable.
    payloads: FxHashMap<Inst, u32>,
    /// Constants that have a name.
    constants: FxHashMap<Inst, GlobalId>,
    /// Specialization constants by number, with what declares them.
    specialized: FxHashMap<u32, (Inst, GlobalId)>,
    functions: FxHashMap<Function, FunctionId>,
    uses: Uses,
    /// The state that only HLSL needs.
    hlsl: hlsl::State,
    /// The functions that entry points call.
    callees: &'m [Function],
    /// What the lowering to MSL knows besides.
    pub(crate) msl: msl::State,
    /// The state that only WGSL needs.
    pub(crate) wgsl: wgsl::State,
    /// The extents of types in memory, in MSL and WGSL.
    extents: FxHashMap<Inst, layouts::Extent>,
    /// The extents of structs in memory, as far as they are known: GLSL.
    struct_extents: glsl::layout::StructExtents,
    /// The alignments that all places of types have, as far as they are known.
    alignment_limits: FxHashMap<Inst, u32>,
    /// True for types that contain conditions, false for those that do not, as far as they are known.
    with_conditions: FxHashMap<Inst, bool>,
    /// The uses of images and samplers, by the variable or parameter, in MSL and WGSL.
    handles: FxHashMap<Inst, handles::Handle>,
    /// Extensions of the language that the text needs, sorted.
    extensions: std::collections::BTreeMap<&'static str, Inst>,
    /// The blocks of references, by the type that addresses lead to: GLSL.
    references: FxHashMap<Inst, glsl::references::Reference>,
    /// The first use of what the version of the language lacks: GLSL.
    lacking: Option<Diagnostic>,
}

/// Lowers the entry points of a module and what they call.
///
/// # Errors
/// [`Diagnostic`], with what the language cannot express and its place.
pub(crate) fn lower(
    prepared: &Prepared,
    entries: &[Entry],
    target: Target,
    options: &TextOptions,
) -> Result<Text, Diagnostic> {
    let mut lowering = Lowering {
        source: &prepared.module,
        target,
        options,
        text: Text::default(),
        entries,
        types: FxHashMap::default(),
        structs: FxHashMap::default(),
        places: FxHashMap::default(),
        wrapped: rustc_hash::FxHashSet::default(),
        globals: FxHashMap::default(),
        compared: FxHashMap::default(),
        combined: FxHashMap::default(),
        alone: FxHashMap::default(),
        slots: FxHashMap::default(),
        first_values: Vec::new(),
        payloads: FxHashMap::default(),
        constants: FxHashMap::default(),
        specialized: FxHashMap::default(),
        functions: FxHashMap::default(),
        uses: Uses::of(prepared, entries),
        hlsl: hlsl::State::default(),
        callees: &prepared.callees,
        msl: msl::State::default(),
        wgsl: wgsl::State::default(),
        struct_extents: Default::default(),
        alignment_limits: FxHashMap::default(),
        with_conditions: FxHashMap::default(),
        extents: FxHashMap::default(),
        handles: FxHashMap::default(),
        extensions: std::collections::BTreeMap::new(),
        references: FxHashMap::default(),
        lacking: None,
    };
    lowering.check_bindings()?;
    lowering.check_workgroup_aliases()?;
    lowering.add_globals()?;
    for &function in &prepared.callees {
        function::lower(&mut lowering, function, None)?;
    }
    for entry in entries {
        for &phase in lowering.phases(entry) {
            lowering.hlsl.phase = phase;
            function::lower(&mut lowering, entry.function, Some(entry))?;
            lowering.finish_mesh(entry)?;
            lowering.text.notes.entry_functions.push(entry.inst);
        }
    }
    lowering.finish()?;
    lowering.find_users();
    lowering.check_places()?;
    Ok(lowering.text)
}

impl Lowering<'_> {
    /// Refuses an instruction.
    pub(crate) fn refuse<T>(
        &self,
        code: WriteCode,
        inst: impl Into<Inst>,
        message: impl Into<String>,
    ) -> Result<T, Diagnostic> {
        Err(at_inst(code, inst, message))
    }

    /// Notes that the text needs an extension.
    pub(crate) fn require(&mut self, extension: &'static str, place: impl Into<Inst>) {
        self.extensions.entry(extension).or_insert(place.into());
    }

    /// The name of an instruction in the source: letters, digits and underscores. A copy of an argument has none: compilers of GLSL call all of them
    /// `param`, and dxc calls them by the parameter.
    pub(crate) fn name(&self, inst: impl Into<Inst>) -> Option<String> {
        let inst = inst.into();
        let written = self.source.name(inst)?;
        let name = readable(&written)?;
        let is_copy =
            (name == "param" || written.starts_with("param.var.")) && self.source.op(inst) != Op::FunctionParameter;
        (!is_copy).then_some(name)
    }

    /// The name of a member in the source.
    pub(crate) fn member_name(&self, ty: Inst, member: u32) -> Option<String> {
        readable(&self.source.member_name(ty, member)?)
    }

    /// The global variables that the written functions use, in the order of the module.
    pub(crate) fn used_variables(&self) -> Vec<Inst> {
        let globals = self.source.globals().filter(|&inst| self.source.op(inst) == Op::Variable);
        globals.filter(|inst| self.uses.is_used(*inst)).collect()
    }

    /// A variable or word that the language declares.
    pub(crate) fn built_in(&mut self, name: &'static str, ty: Type) -> GlobalId {
        let is_this = |global: &Global| matches!(global.kind, GlobalKind::BuiltIn) && global.name == name;
        if let Some(known) = self.text.globals.iter().position(is_this) {
            return GlobalId(known as u32);
        }
        self.text.add_global(Global {
            name: name.to_owned(),
            ty,
            kind: GlobalKind::BuiltIn,
            prefix: String::new(),
            suffix: String::new(),
            is_written: false,
        })
    }

    /// Adds a global that a variable is.
    pub(crate) fn declare(&mut self, variable: Inst, global: Global) -> GlobalId {
        let id = self.text.add_global(global);
        self.globals.insert(variable, Place::Global(id));
        id
    }

    /// Adds the expression of a global.
    pub(crate) fn global(&mut self, global: GlobalId) -> Expr {
        use crate::syntax::{Effects, Shape};
        let declared = self.text.global(global);
        let effects = if declared.is_written { Effects::READS } else { Effects::PURE };
        let ty = declared.ty;
        self.text.expressions.add(Shape::Global(global), ty, effects)
    }
}

/// A name with only letters, digits and single underscores, up to the types of parameters that compilers of GLSL append.
pub(crate) fn readable(name: &str) -> Option<String> {
    let name = name.split('(').next().unwrap_or_default();
    let mut readable = String::new();
    for letter in name.chars() {
        if letter.is_ascii_alphanumeric() {
            readable.push(letter);
        } else if !readable.is_empty() && !readable.ends_with('_') {
            readable.push('_');
        }
    }
    let trimmed = readable.trim_end_matches('_');
    trimmed.starts_with(|first: char| first.is_ascii_alphabetic()).then(|| trimmed.to_owned())
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn names_are_letters_digits_and_underscores() {
        let cases = [
            ("sum", Some("sum")),
            ("i.next", Some("i_next")),
            ("axis(i1;b1;", Some("axis")),
            ("__x__", Some("x")),
            ("7", None),
            ("", None),
        ];
        for (name, wanted) in cases {
            assert_eq!(readable(name).as_deref(), wanted, "{name}");
        }
    }
}
