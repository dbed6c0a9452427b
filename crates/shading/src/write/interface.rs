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
        // Entry points declare what they use. The host program gives the size of what is only measured.
        let Some(placed) = self.placed(global).next() else {
            resource.name = self.global(global);
            return note.is_measured.then_some(resource);
        };
        resource.name = self.name(&placed.named);
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

#[cfg(test)]
mod tests {
    use reconverge_ir::text;

    use crate::{
        BindingEntry, BindingNumber, Bindings, BoundResource, Language, Resource, ResourcePlace, Slot, TextOptions,
        write,
    };

    /// Two entry points: both read the first buffer, the second one reads the other two, which are in two sets.
    const TWO: &str = r#"
        capability Shader
        memory_model Logical, GLSL450
        entry_point GLCompute, %one, "one"
        entry_point GLCompute, %two, "two"
        execution_mode %one, LocalSize, 1, 1, 1
        execution_mode %two, LocalSize, 1, 1, 1
        %void = type_void
        %u32 = type_int 32, 0
        %zero: %u32 = constant 0
        %B = type_struct %u32 {member_decorate 0 Offset 0, decorate Block}
        %to_block = type_pointer StorageBuffer, %B
        %to_word = type_pointer StorageBuffer, %u32
        %c: %to_block = variable StorageBuffer {decorate DescriptorSet 1, decorate Binding 4}
        %a: %to_block = variable StorageBuffer {decorate DescriptorSet 0, decorate Binding 3}
        %b: %to_block = variable StorageBuffer {decorate DescriptorSet 0, decorate Binding BINDING}
        func %one: %void () stage structured {
        block ^entry:
          %p: %to_word = access_chain %a, %zero
          store %p, %zero
          return
        }
        func %two: %void () stage structured {
        block ^entry:
          %p: %to_word = access_chain %a, %zero
          store %p, %zero
          %q: %to_word = access_chain %b, %zero
          store %q, %zero
          %r: %to_word = access_chain %c, %zero
          store %r, %zero
          return
        }"#;

    /// The resources of the text, sorted by their descriptors: `a`, `b`, `c`.
    fn resources(binding: u32, options: &TextOptions) -> Vec<Resource> {
        let module = text::parse(&TWO.replace("BINDING", &binding.to_string())).expect("the text is a module");
        let mut resources = write(&module, options).expect("the module is written").interface.resources;
        resources.sort_by_key(|resource| resource.slot);
        resources
    }

    fn places(binding: u32, options: &TextOptions) -> Vec<ResourcePlace> {
        resources(binding, options).into_iter().map(|resource| resource.place).collect()
    }

    #[test]
    fn each_resource_has_the_entry_points_that_use_it() {
        for language in [Language::Hlsl, Language::Msl, Language::Wgsl] {
            let users: Vec<(String, Vec<usize>)> = resources(5, &TextOptions::new(language))
                .into_iter()
                .map(|resource| (resource.name, resource.entry_points))
                .collect();
            let expected = [("a", vec![0, 1]), ("b", vec![1]), ("c", vec![1])];
            assert_eq!(users, expected.map(|(name, users)| (name.to_owned(), users)), "{language}");
        }
    }

    #[test]
    fn msl_counts_in_the_order_of_the_declarations() {
        let counted = [1, 2, 0].map(ResourcePlace::Buffer);
        assert_eq!(places(5, &TextOptions::new(Language::Msl)), counted);
        let slot = BoundResource::Slot(Slot { set: 0, binding: 3 });
        let entry = BindingEntry { resource: slot, numbers: [(BindingNumber::Buffer, 0)].into() };
        let options = TextOptions { bindings: Bindings { entries: vec![entry] }, ..TextOptions::new(Language::Msl) };
        assert_eq!(places(5, &options), [0, 2, 1].map(ResourcePlace::Buffer));
    }

    #[test]
    fn bindings_are_counted_only_if_two_sets_have_the_same() {
        let glsl = TextOptions {
            version: Some("core 450".to_owned()),
            entry: Some("two".to_owned()),
            ..TextOptions::new(Language::Glsl)
        };
        let layouts = |bindings: [u32; 3]| bindings.map(|binding| ResourcePlace::Layout { set: None, binding });
        let hlsl = TextOptions { version: Some("5.0".to_owned()), ..TextOptions::new(Language::Hlsl) };
        let registers =
            |numbers: [u32; 3]| numbers.map(|number| ResourcePlace::Register { class: 'u', number, space: 0 });
        // The buffer of set 1 has binding 4.
        assert_eq!(places(5, &glsl), layouts([3, 5, 4]));
        assert_eq!(places(5, &hlsl), registers([3, 5, 4]));
        assert_eq!(places(4, &glsl), layouts([0, 1, 2]));
        assert_eq!(places(4, &hlsl), registers([0, 1, 2]));
    }

    #[test]
    fn resources_of_an_entry_point_have_different_places() {
        let entry = |set, binding| BindingEntry {
            resource: BoundResource::Slot(Slot { set, binding }),
            numbers: [(BindingNumber::Buffer, 7)].into(),
        };
        let module = text::parse(&TWO.replace("BINDING", "5")).expect("the text is a module");
        let with = |entries| {
            let bindings = Bindings { entries };
            write(&module, &TextOptions { bindings, ..TextOptions::new(Language::Msl) })
        };
        let refused = with(vec![entry(0, 5), entry(1, 4)]).map_err(|error| error.message);
        let message = "bindings[0] (set 0, binding 5): the storage buffer of set 1, binding 4 and the storage buffer of set 0, \
                       binding 5 get one place in the text";
        assert_eq!(refused.err().as_deref(), Some(message));
    }
}
