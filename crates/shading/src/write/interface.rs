//! The interface of a text: the notes of the lowering with the names that the text has.

use reconverge_ir::Inst;

use super::entry_points::Entry;
use crate::interface::{Interface, InterfaceEntry, InterfaceVariable, Resource, SpecializationConstant};
use crate::lower::Target;
use crate::syntax::{
    Function, GlobalId, GlobalKind, LocalId, Named, PlacedNote, ResourceNote, Struct, Text, TypeShape, VariableNote,
};

/// The interface of a text whose names are final. Linear in the notes times the entry points.
pub(super) fn of_text(text: &Text, entries: &[Entry], target: Target) -> Interface {
    let names = Names { text, functions: text.functions.iter().filter(|function| function.is_entry).collect() };
    let entry_points = entries.iter().map(|entry| names.entry(entry)).collect();
    let resources = text.notes.resources.iter().filter_map(|note| names.resource(note, entries)).collect();
    let constant =
        |note: &crate::syntax::ConstantNote| SpecializationConstant { id: note.id, name: names.name(&note.named) };
    let mut constants: Vec<SpecializationConstant> = text.notes.constants.iter().map(constant).collect();
    constants.sort_by(|one, other| (one.id, &one.name).cmp(&(other.id, &other.name)));
    constants.dedup();
    Interface { language: target.language(), version: target.version(), entry_points, resources, constants }
}

/// The names of a text.
struct Names<'a> {
    text: &'a Text,
    /// The functions that the environment calls.
    functions: Vec<&'a Function>,
}

impl Names<'_> {
    fn name(&self, named: &Named) -> String {
        match named {
            Named::Global(global) => self.global(*global),
            Named::Member(id, member) => {
                let members = &self.text.structure(*id).members;
                members.get(*member as usize).map_or_else(String::new, |member| member.name.clone())
            }
            Named::Local(function, local) => self.local(*function, *local),
            Named::Result => String::new(),
            Named::Word(word) => word.clone(),
        }
    }

    fn local(&self, function: usize, local: LocalId) -> String {
        self.functions.get(function).and_then(|function| function[local].name.clone()).unwrap_or_default()
    }

    /// The name of a global: that of its block if its members stand alone.
    fn global(&self, global: GlobalId) -> String {
        let found = self.text.global(global);
        match (&found.kind, self.block(global)) {
            (GlobalKind::OpenBlock, Some(block)) => block.name.clone(),
            _ => found.name.clone(),
        }
    }

    /// The block that a global is declared with.
    fn block(&self, global: GlobalId) -> Option<&Struct> {
        let mut ty = self.text.global(global).ty;
        while let TypeShape::Array { element, .. } = self.text.types[ty] {
            ty = element;
        }
        let TypeShape::Struct(id) = self.text.types[ty] else { return None };
        Some(self.text.structure(id)).filter(|found| found.is_block)
    }

    /// The places of a global in entry functions.
    fn placed(&self, global: GlobalId) -> impl Iterator<Item = &PlacedNote> {
        self.text.notes.placed.iter().filter(move |placed| placed.global == global)
    }

    fn entry_of(&self, placed: &PlacedNote) -> Option<Inst> {
        self.text.notes.entry_functions.get(placed.function).copied()
    }

    fn resource(&self, note: &ResourceNote, entries: &[Entry]) -> Option<Resource> {
        let mut resource = note.resource.clone();
        let Named::Global(global) = note.named else {
            resource.name = self.name(&note.named);
            return Some(resource);
        };
        if !matches!(self.text.global(global).kind, GlobalKind::OfEntry(_)) {
            resource.name = self.global(global);
            resource.block = self.block(global).map(|block| block.name.clone());
            return Some(resource);
        }
        // Entry points declare what they use.
        resource.name = self.placed(global).next().map(|placed| self.name(&placed.named))?;
        let users = self.placed(global).filter_map(|placed| self.entry_of(placed));
        let users: Vec<Inst> = users.collect();
        let is_user = |number: &usize| users.contains(&entries[*number].inst);
        resource.entry_points = (0..entries.len()).filter(is_user).collect();
        Some(resource)
    }

    fn entry(&self, entry: &Entry) -> InterfaceEntry {
        let functions = &self.text.notes.entry_functions;
        let function = functions.iter().position(|&inst| inst == entry.inst);
        let function = function.and_then(|number| self.functions.get(number));
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        for note in &self.text.notes.variables {
            let variables = self.variables(note, entry.inst);
            if note.is_input { inputs.extend(variables) } else { outputs.extend(variables) }
        }
        let key = |variable: &InterfaceVariable| (variable.location, variable.component, variable.index);
        inputs.sort_by_key(key);
        outputs.sort_by_key(key);
        InterfaceEntry {
            name: function.map_or_else(|| entry.name.clone(), |function| function.name.clone()),
            module_name: entry.name.clone(),
            model: entry.model,
            inputs,
            outputs,
        }
    }

    /// An input or output, if it is one of an entry point.
    fn variables(&self, note: &VariableNote, entry: Inst) -> Option<InterfaceVariable> {
        let named = match &note.named {
            Named::Global(global) if matches!(self.text.global(*global).kind, GlobalKind::OfEntry(_)) => {
                &self.placed(*global).find(|placed| self.entry_of(placed) == Some(entry))?.named
            }
            named if note.entry.is_none_or(|own| own == entry) => named,
            _ => return None,
        };
        Some(InterfaceVariable { name: self.name(named), ..note.variable.clone() })
    }
}
