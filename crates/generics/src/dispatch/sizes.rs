//! The tags of types, and the words of interfaces and of types that are known only at run time.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Class, Inst, view};

use super::expressions::{image, interface_of_value, opened, subject};
use super::lower::Lowering;
use super::meanings::cases;
use crate::GenericsCode;

impl Lowering<'_, '_> {
    fn interfaces(&self) -> Vec<Inst> {
        let types = self.module().globals().filter_map(|ty| view::TypeExistential::of(self.module(), ty));
        types.map(|ty| ty.interface).collect()
    }

    pub(super) fn number_tables(&mut self) {
        for interface in self.interfaces() {
            let tables = self.found.flow.tables_for(self.module(), interface);
            self.tags.extend(tables.into_iter().zip(0..));
        }
    }

    /// The words of each interface: those of its largest type. Interfaces whose types hold values of another come after that one.
    pub(super) fn size_interfaces(&mut self) -> Result<(), Diagnostic> {
        let mut left = self.interfaces();
        while !left.is_empty() {
            let mut waiting = Vec::new();
            let mut reason = None;
            for &interface in &left {
                match self.size_of(interface) {
                    Ok(words) => drop(self.representation.words.insert(interface, words)),
                    Err(error) if error.is(GenericsCode::Cycle) => {
                        waiting.push(interface);
                        reason.get_or_insert(error);
                    }
                    Err(error) => return Err(error),
                }
            }
            if waiting.len() == left.len() {
                return Err(reason.expect("invariant: something waits for a reason"));
            }
            left = waiting;
        }
        Ok(())
    }

    fn size_of(&self, interface: Inst) -> Result<u32, Diagnostic> {
        let mut words = 0;
        for table in self.found.flow.tables_for(self.module(), interface) {
            if let Some(subject) = subject(self.module(), table) {
                words = words.max(self.representation.count(self.module(), subject)?);
            }
        }
        Ok(words)
    }

    /// The words of a value of interface type, besides its tag.
    pub(super) fn words_of(&self, value: Inst) -> u32 {
        let interface = interface_of_value(self.module(), value);
        let interface = interface.expect("invariant: the verifier knows the type of the value");
        self.representation.words[&interface]
    }

    /// The tag of the values that have a witness table.
    pub(super) fn tag(&self, table: Inst) -> u32 {
        *self.tags.get(&table).expect("invariant: each table that a value is made with has a tag")
    }

    /// The words of each dynamic type: for the type of a value of interface type those of the interface, otherwise those of the largest
    /// image.
    pub(super) fn size_dynamic_types(&mut self) -> Result<(), Diagnostic> {
        for inst in self.instructions() {
            if self.module().op(inst).class() != Class::TypeLevel || opened(self.module(), inst).is_empty() {
                continue;
            }
            if let Some(extract) = view::ExtractType::of(self.module(), inst) {
                let words = self.words_of(extract.existential);
                self.dynamic_words.insert(inst, words);
                continue;
            }
            let mut words = None;
            for case in cases(self.module(), &self.found.flow, inst, inst)? {
                let image = image(self.specializer, inst, &case)?;
                if self.module().op(image).is_type() {
                    words = words.max(Some(self.representation.count(self.module(), image)?));
                }
            }
            if let Some(words) = words {
                self.dynamic_words.insert(inst, words);
            }
        }
        Ok(())
    }
}
