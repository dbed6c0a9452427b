//! The tags of types, and the words of interfaces and of types that are known only at run time.

use reconverge_ir::{Class, Inst, view};

use super::expressions::{Case, image, interface_of_value, opened, subject};
use super::lower::Lowering;
use crate::{GenericsError, GenericsErrorKind};

impl Lowering<'_, '_> {
    fn interfaces(&self) -> Vec<Inst> {
        let types =
            self.specializer.module.globals().filter_map(|ty| view::TypeExistential::of(self.specializer.module, ty));
        types.map(|ty| ty.interface).collect()
    }

    pub(super) fn number_tables(&mut self) {
        for interface in self.interfaces() {
            let tables = self.found.flow.tables_for(self.specializer.module, interface);
            self.tags.extend(tables.into_iter().zip(0..));
        }
    }

    /// The words of each interface: those of its largest type. Interfaces whose types hold values of another come after that one.
    pub(super) fn size_interfaces(&mut self) -> Result<(), GenericsError> {
        let mut left = self.interfaces();
        while !left.is_empty() {
            let mut waiting = Vec::new();
            let mut reason = None;
            for &interface in &left {
                match self.size_of(interface) {
                    Ok(words) => drop(self.representation.words.insert(interface, words)),
                    Err(error) if error.kind == GenericsErrorKind::Cycle => {
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

    fn size_of(&self, interface: Inst) -> Result<u32, GenericsError> {
        let mut words = 0;
        for table in self.found.flow.tables_for(self.specializer.module, interface) {
            if let Some(subject) = subject(self.specializer.module, table) {
                words = words.max(self.representation.count(self.specializer.module, subject)?);
            }
        }
        Ok(words)
    }

    /// The words of each dynamic type: for the type of a value of interface type those of the interface, otherwise those of the largest
    /// image.
    pub(super) fn size_dynamic_types(&mut self) -> Result<(), GenericsError> {
        for inst in self.instructions() {
            if self.specializer.module.op(inst).class() != Class::TypeLevel
                || opened(self.specializer.module, inst).is_empty()
            {
                continue;
            }
            if let Some(extract) = view::ExtractType::of(self.specializer.module, inst) {
                let interface = interface_of_value(self.specializer.module, extract.existential);
                let words = interface.and_then(|interface| self.representation.words.get(&interface).copied());
                self.dynamic_words.insert(inst, words.unwrap_or(0));
                continue;
            }
            let mut words = None;
            for case in self.cases_of(inst) {
                let image = image(self.specializer, inst, &case)?;
                if self.specializer.module.op(image).is_type() {
                    words = words.max(Some(self.representation.count(self.specializer.module, image)?));
                }
            }
            if let Some(words) = words {
                self.dynamic_words.insert(inst, words);
            }
        }
        Ok(())
    }

    /// Every combination of the tables of the values that code depends on. Their number was bounded where the code is used.
    fn cases_of(&self, code: Inst) -> Vec<Case> {
        let mut cases = vec![Case::default()];
        for value in opened(self.specializer.module, code) {
            let tables = self.found.flow.tables_of(self.specializer.module, value);
            let with = |case: &Case, table| {
                let mut case = case.clone();
                case.tables.push((value, table));
                case
            };
            cases = cases.iter().flat_map(|case| tables.iter().map(move |&table| with(case, table))).collect();
        }
        cases
    }
}
