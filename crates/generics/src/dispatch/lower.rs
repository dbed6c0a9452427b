//! The functions rewritten: values as structs of a tag and words, calls as switches.
//!
//! First the instructions, with the types as they are; a value whose type is dynamic already is an array of words. Then the types: each
//! type of values of interface type becomes a struct, each dynamic type an array of words, and everything made of them follows, since types
//! are unique. `checks.rs` rejects what cannot be represented, `sizes.rs` counts words, `calls.rs` rewrites calls. Linear in the code and in
//! the cases of the calls.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Inst, Module, Op, view};
use rustc_hash::FxHashMap;

use super::expressions::Case;
use super::meanings::Found;
use super::reach;
use super::words::{Representation, array_of_words, extract, word_type, words_type};
use crate::Specializer;

/// Rewrites all functions.
pub(super) fn lower(specializer: &mut Specializer<'_>, found: &Found) -> Result<(), Diagnostic> {
    let mut lowering = Lowering {
        representation: Representation {
            words: FxHashMap::default(),
            address_words: address_words(specializer.module),
        },
        tags: FxHashMap::default(),
        dynamic_words: FxHashMap::default(),
        replaced: FxHashMap::default(),
        specializer,
        found,
    };
    lowering.remove_unused_functions();
    lowering.check_types()?;
    lowering.check_memory()?;
    lowering.number_tables();
    lowering.size_interfaces()?;
    lowering.size_dynamic_types()?;
    lowering.check_composites()?;
    for inst in lowering.instructions() {
        lowering.instruction(inst)?;
    }
    lowering.replace_types();
    lowering.remove_dynamic_code();
    Ok(())
}

/// The state of the rewriting.
pub(super) struct Lowering<'a, 'm> {
    pub(super) specializer: &'a mut Specializer<'m>,
    pub(super) found: &'a Found,
    pub(super) representation: Representation,
    /// By witness table: the tag of values with it.
    pub(super) tags: FxHashMap<Inst, u32>,
    /// By dynamic type: the number of words of its values.
    pub(super) dynamic_words: FxHashMap<Inst, u32>,
    /// The replacements of the instructions that were rewritten.
    pub(super) replaced: FxHashMap<Inst, Inst>,
}

impl Lowering<'_, '_> {
    pub(super) fn module(&self) -> &Module {
        self.specializer.module
    }

    pub(super) fn instructions(&self) -> Vec<Inst> {
        reach::instructions(self.module(), &self.found.functions)
    }

    fn instruction(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        match self.module().op(inst) {
            Op::MakeExistential => self.make(inst),
            Op::ExtractValue => {
                self.open_value(inst);
                Ok(())
            }
            Op::FunctionCall => self.call(inst),
            _ => Ok(()),
        }
    }

    /// `make_existential` ⇒ the tag and the words of the value.
    fn make(&mut self, inst: Inst) -> Result<(), Diagnostic> {
        let Some(made) = view::MakeExistential::of(self.module(), inst) else { return Ok(()) };
        let count = self.words_of(inst);
        let value_type = self.module().ty(made.value).expect("invariant: a value has a type");
        let own = self.dynamic_words.get(&value_type).copied();
        let tag = match self.found.images.get(&inst) {
            Some(cases) => self.dynamic_tag(inst, cases),
            None => {
                let tag = self.tag(made.witness);
                let mut build = Builder::new(self.specializer.module);
                let word = word_type(&mut build);
                build.constant_word(word, tag)
            }
        };
        let mut build = Builder::new(self.specializer.module);
        build.before(inst);
        let mut words = Vec::new();
        match own {
            Some(own) => {
                let word = word_type(&mut build);
                words = extract(&mut build, made.value, &vec![word; own as usize]);
            }
            None => self.representation.pack(&mut build, made.value, &mut words)?,
        }
        words.truncate(count.max(1) as usize);
        let payload = words_type(&mut build, count);
        let payload = array_of_words(&mut build, payload, &mut words, count);
        let ty = build.module().ty(inst).expect("invariant: a value has a type");
        let made = build.composite_construct(ty, &[tag, payload]);
        self.replace(inst, made);
        Ok(())
    }

    /// The tag of a dynamic witness: the one that each case gives.
    fn dynamic_tag(&mut self, inst: Inst, cases: &[(Case, Inst)]) -> Inst {
        let (first, _) = cases.first().expect("invariant: a type reaches the place");
        let number = self.case_number(inst, first);
        let tags: Vec<(u32, u32)> =
            cases.iter().map(|(case, table)| (self.number_of(case), self.tag(*table))).collect();
        let mut build = Builder::new(self.specializer.module);
        build.before(inst);
        let (word, truth) = (word_type(&mut build), build.bool_type());
        let mut tag = build.constant_word(word, tags[0].1);
        for &(literal, own) in &tags[1..] {
            let [literal, own] = [literal, own].map(|number| build.constant_word(word, number));
            let is_this = build.i_equal(truth, &[number, literal]);
            tag = build.select(word, &[is_this, own, tag]);
        }
        tag
    }

    /// `extract_value` ⇒ the words.
    fn open_value(&mut self, inst: Inst) {
        let Some(opened) = view::ExtractValue::of(self.module(), inst) else { return };
        let ty = self.module().ty(inst).expect("invariant: a value has a type");
        let mut build = Builder::new(self.specializer.module);
        build.before(inst);
        let one = build.editor().word(1);
        let words = build.composite_extract(ty, &[opened.existential, one]);
        self.replace(inst, words);
    }

    pub(super) fn replace(&mut self, old: Inst, new: Inst) {
        let mut edit = self.specializer.module.edit();
        let names = edit.module().decorations(old).to_vec();
        for name in names {
            if edit.module().name(new).is_none() || edit.module().op(name) != Op::Name {
                edit.decorate(new, name);
            }
        }
        if edit.module().explicit_location(new).is_none() {
            let location = edit.module().explicit_location(old);
            edit.set_location(new, location);
        }
        edit.replace_all_uses(old, new);
        edit.delete(old);
        self.replaced.insert(old, new);
    }

    fn replace_types(&mut self) {
        let mut dynamic: Vec<(Inst, u32)> = self.dynamic_words.iter().map(|(&ty, &words)| (ty, words)).collect();
        dynamic.sort_unstable();
        for (ty, words) in dynamic {
            let mut build = Builder::new(self.specializer.module);
            let array = words_type(&mut build, words);
            let ty = build.module().resolve(ty);
            build.editor().replace_all_uses(ty, array);
        }
        let types: Vec<Inst> =
            self.module().globals().filter(|&ty| self.module().op(ty) == Op::TypeExistential).collect();
        for ty in types {
            let Some(existential) = view::TypeExistential::of(self.module(), ty) else { continue };
            let words = self.representation.words[&existential.interface];
            let name = self.module().name(existential.interface);
            let mut build = Builder::new(self.specializer.module);
            let members = [word_type(&mut build), words_type(&mut build, words)];
            let tagged = build.type_struct(&members);
            if let Some(name) = name {
                build.editor().set_name(tagged, &format!("{name}.tagged"));
            }
            build.editor().replace_all_uses(ty, tagged);
            build.editor().delete(ty);
        }
    }

    /// Deletes the dynamic code of functions. What is at module level is swept.
    fn remove_dynamic_code(&mut self) {
        let mut dead: Vec<Inst> =
            self.instructions().into_iter().filter(|&inst| self.module().op(inst).is_generic()).collect();
        dead.reverse();
        dead.into_iter().for_each(|inst| self.specializer.module.edit().delete(inst));
    }
}

/// The number of words that an address takes in this module.
fn address_words(module: &Module) -> Option<u32> {
    let models = module.globals().filter_map(|inst| view::MemoryModel::of(module, inst));
    match models.last()?.addressing_model? {
        spirv::AddressingModel::Physical32 => Some(1),
        spirv::AddressingModel::Physical64 | spirv::AddressingModel::PhysicalStorageBuffer64 => Some(2),
        spirv::AddressingModel::Logical => None,
    }
}
