//! The functions rewritten: values as structs of a tag and words, calls as switches.
//!
//! First the instructions, with the types as they are; a value whose type is dynamic already is an array of words. Then the types: each
//! type of values of interface type becomes a struct, each dynamic type an array of words, and everything made of them follows, since types
//! are unique. Linear in the code and in the cases of the calls.

use reconverge_ir::{Block, Builder, Class, Function, Inst, Module, Op, Position, Stage, view};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::StorageClass;

use super::expressions::{Case, image, interface_of_value, opened, subject};
use super::meanings::Found;
use super::reach;
use super::words::{Representation, array_of_words, extract, word_type, words_type};
use crate::{GenericsError, GenericsErrorKind, Specializer};

/// Rewrites all functions.
pub(super) fn lower(specializer: &mut Specializer<'_>, found: &Found) -> Result<(), GenericsError> {
    let mut lowering = Lowering {
        representation: Representation { words: FxHashMap::default(), address_words: address_words(specializer.module) },
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
    for inst in lowering.instructions() {
        lowering.instruction(inst)?;
    }
    lowering.replace_types();
    lowering.remove_dynamic_code();
    Ok(())
}

struct Lowering<'a, 'm> {
    specializer: &'a mut Specializer<'m>,
    found: &'a Found,
    representation: Representation,
    /// By witness table: the tag of values with it.
    tags: FxHashMap<Inst, u32>,
    /// By dynamic type: the number of words of its values.
    dynamic_words: FxHashMap<Inst, u32>,
    /// What took the place of the instructions that were rewritten.
    replaced: FxHashMap<Inst, Inst>,
}

/// A value on its way from a dynamic type to the type in one case, or back.
#[derive(Clone, Copy)]
struct Passed {
    value: Inst,
    dynamic: Inst,
    concrete: Inst,
}

impl Lowering<'_, '_> {
    fn instructions(&self) -> Vec<Inst> {
        reach::instructions(self.specializer.module, &self.found.functions)
    }

    /// Deletes the functions with values of interface type that no call reaches: nothing is known of these values.
    fn remove_unused_functions(&mut self) {
        let module = &mut *self.specializer.module;
        let is_used: FxHashSet<Function> = self.found.functions.iter().copied().collect();
        let unused = module.functions().filter(|function| !is_used.contains(function));
        let unused: Vec<Function> = unused.filter(|&function| module.stage(function) == Stage::Generic).collect();
        unused.into_iter().for_each(|function| module.edit().delete(function));
    }

    /// At each place where types are told apart, one reaches it.
    fn check_types(&self) -> Result<(), GenericsError> {
        let without = |inst: &Inst| self.found.images.get(inst).is_some_and(Vec::is_empty);
        match self.instructions().into_iter().find(without) {
            Some(inst) => Err(self.without_type(inst)),
            None => Ok(()),
        }
    }

    /// Values of interface type have no layout, so memory with a layout cannot hold them.
    fn check_memory(&self) -> Result<(), GenericsError> {
        let pointers = self.specializer.module.descendants(self.specializer.module.root()).filter(|&ty| self.specializer.module.op(ty) == Op::TypePointer);
        for pointer in pointers {
            let Some(ty) = view::TypePointer::of(self.specializer.module, pointer) else { continue };
            let is_free = matches!(
                ty.storage_class,
                Some(StorageClass::Function | StorageClass::Private | StorageClass::Workgroup)
            );
            if !is_free && self.holds_existentials(ty.pointee) {
                let message = "a value of interface type has no layout, so only variables of functions, private and workgroup \
                               variables can hold it";
                return Err(GenericsError::new(GenericsErrorKind::Value, pointer, message));
            }
        }
        Ok(())
    }

    fn holds_existentials(&self, ty: Inst) -> bool {
        let mut open = vec![ty];
        let mut seen = FxHashSet::default();
        while let Some(part) = open.pop() {
            if matches!(self.specializer.module.op(part), Op::TypeExistential) || !opened(self.specializer.module, part).is_empty() {
                return true;
            }
            if self.specializer.module.op(part).is_type() && self.specializer.module.op(part) != Op::TypePointer && seen.insert(part) {
                open.extend(self.specializer.module.operands(part));
            }
        }
        false
    }

    fn interfaces(&self) -> Vec<Inst> {
        let types = self.specializer.module.globals().filter_map(|ty| view::TypeExistential::of(self.specializer.module, ty));
        types.map(|ty| ty.interface).collect()
    }

    fn number_tables(&mut self) {
        for interface in self.interfaces() {
            let tables = self.found.flow.tables_for(self.specializer.module, interface);
            self.tags.extend(tables.into_iter().zip(0..));
        }
    }

    /// The words of each interface: those of its largest type. Interfaces whose types hold values of another come after that one.
    fn size_interfaces(&mut self) -> Result<(), GenericsError> {
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
    fn size_dynamic_types(&mut self) -> Result<(), GenericsError> {
        for inst in self.instructions() {
            if self.specializer.module.op(inst).class() != Class::TypeLevel || opened(self.specializer.module, inst).is_empty() {
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

    fn instruction(&mut self, inst: Inst) -> Result<(), GenericsError> {
        match self.specializer.module.op(inst) {
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
    fn make(&mut self, inst: Inst) -> Result<(), GenericsError> {
        let Some(made) = view::MakeExistential::of(self.specializer.module, inst) else { return Ok(()) };
        let interface = interface_of_value(self.specializer.module, inst);
        let count = interface.and_then(|interface| self.representation.words.get(&interface).copied()).unwrap_or(0);
        let value_type = self.specializer.module.ty(made.value).expect("invariant: a value has a type");
        let is_words = self.dynamic_words.contains_key(&value_type);
        let cases = self.found.images.get(&inst);
        let tag = match cases {
            Some(cases) => self.dynamic_tag(inst, cases),
            None => {
                let tag = self.tags.get(&made.witness).copied().unwrap_or(0);
                let mut build = Builder::new(self.specializer.module);
                let word = word_type(&mut build);
                build.constant_word(word, tag)
            }
        };
        let mut build = Builder::new(self.specializer.module);
        build.before(inst);
        let mut words = Vec::new();
        if is_words {
            let word = word_type(&mut build);
            let own = self.dynamic_words[&value_type];
            words = extract(&mut build, made.value, &vec![word; own as usize]);
        } else {
            self.representation.pack(&mut build, made.value, &mut words)?;
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
        let ((first, table), rest) = cases.split_first().expect("invariant: a type reaches the place");
        let number = self.case_number(inst, first);
        let mut build = Builder::new(self.specializer.module);
        build.before(inst);
        let word = word_type(&mut build);
        let truth = build.bool_type();
        let mut tag = build.constant_word(word, self.tags.get(table).copied().unwrap_or(0));
        for (case, table) in rest {
            let literal = self.number_of(case);
            let mut build = Builder::new(self.specializer.module);
            build.before(inst);
            let wanted = build.constant_word(word, literal);
            let this = build.constant_word(word, self.tags.get(table).copied().unwrap_or(0));
            let is_this = build.i_equal(truth, &[number, wanted]);
            tag = build.select(word, &[is_this, this, tag]);
        }
        tag
    }

    /// `extract_value` ⇒ the words.
    fn open_value(&mut self, inst: Inst) {
        let Some(opened) = view::ExtractValue::of(self.specializer.module, inst) else { return };
        let ty = self.specializer.module.ty(inst).expect("invariant: a value has a type");
        let mut build = Builder::new(self.specializer.module);
        build.before(inst);
        let one = build.editor().word(1);
        let words = build.composite_extract(ty, &[opened.existential, one]);
        self.replace(inst, words);
    }

    fn call(&mut self, call: Inst) -> Result<(), GenericsError> {
        let found = self.found;
        let Some(cases) = found.images.get(&call) else { return Ok(()) };
        let (case, callee) = cases.first().expect("invariant: a type reaches the place");
        if cases.len() == 1 {
            return self.direct_call(call, *callee);
        }
        let number = self.case_number(call, case);
        let block = self.specializer.module.block_of(call).expect("invariant: a call is in a block");
        let block = self.leave_edge_block(block, call);
        let mut targets = Vec::new();
        let mut last: Inst = block.into();
        for _ in cases {
            last = self.specializer.module.edit().insert(Position::After(last), Op::Block, None, &[]);
            targets.push(last);
        }
        let join = self.specializer.module.edit().insert(Position::After(last), Op::Block, None, &[]);
        self.move_rest(call, join);
        for ((_, callee), &target) in cases.iter().zip(&targets) {
            let mut build = Builder::new(self.specializer.module);
            build.at_end(target);
            let jump = build.branch(&[join]);
            let result = self.concrete_call(call, *callee, jump)?;
            if let Some(result) = result {
                self.specializer.module.edit().set_operands(jump, &[join, result]);
            }
        }
        let literals: Vec<u32> = cases.iter().map(|(case, _)| self.number_of(case)).collect();
        let mut edit = self.specializer.module.edit();
        let [others @ .., default] = targets.as_slice() else { unreachable!("invariant: there are two cases or more") };
        let mut operands = vec![number, *default, join, edit.word(0)];
        for (&target, &literal) in others.iter().zip(&literals) {
            operands.extend([edit.word(literal), target]);
        }
        edit.append(block, Op::StructuredSwitch, None, &operands);
        self.finish_call(call, join);
        Ok(())
    }

    /// The value of the call is what the cases pass to the block where they meet.
    fn finish_call(&mut self, call: Inst, join: Inst) {
        let ty = self.specializer.module.ty(call).expect("invariant: a call has a type");
        if self.specializer.module.op(ty) != Op::TypeVoid {
            let mut edit = self.specializer.module.edit();
            let parameter = edit.insert(Position::AtStart(join), Op::BlockParameter, Some(ty), &[]);
            self.replace(call, parameter);
        } else {
            self.specializer.module.edit().delete(call);
        }
    }

    /// A block that can end in a switch, and has the call: an edge block keeps only its parameters.
    fn leave_edge_block(&mut self, block: Block, call: Inst) -> Block {
        if self.specializer.module.op(block) != Op::EdgeBlock {
            return block;
        }
        let rest = self.specializer.module.edit().insert(Position::After(block.into()), Op::Block, None, &[]);
        let first = self.specializer.module.children(block).find(|&inst| self.specializer.module.op(inst) != Op::BlockParameter);
        let mut next = first;
        while let Some(inst) = next {
            next = self.specializer.module.next(inst);
            self.specializer.module.edit().move_to(inst, Position::AtEnd(rest));
        }
        self.specializer.module.edit().append(block, Op::Branch, None, &[rest]);
        self.specializer.module.block_of(call).expect("invariant: the call was moved to a block")
    }

    /// Moves what comes after a call to another block.
    fn move_rest(&mut self, call: Inst, to: Inst) {
        let mut next = self.specializer.module.next(call);
        while let Some(inst) = next {
            next = self.specializer.module.next(inst);
            self.specializer.module.edit().move_to(inst, Position::AtEnd(to));
        }
    }

    fn direct_call(&mut self, call: Inst, callee: Inst) -> Result<(), GenericsError> {
        match self.concrete_call(call, callee, call)? {
            Some(result) => self.replace(call, result),
            None => self.specializer.module.edit().delete(call),
        }
        Ok(())
    }

    /// The call in one case: arguments unpacked, the result packed, written before `place`. The result, unless it is void.
    fn concrete_call(&mut self, call: Inst, callee: Inst, place: Inst) -> Result<Option<Inst>, GenericsError> {
        let module = &*self.specializer.module;
        let called = view::FunctionCall::of(module, call).expect("invariant: it is a call");
        let arguments = called.arguments.to_vec();
        let signature = view::Function::of(module, callee).and_then(|callee| view::TypeFunction::of(module, callee.function_type));
        let Some(signature) = signature else {
            let message = "expected a function that fulfils the requirement";
            return Err(GenericsError::new(GenericsErrorKind::Value, call, message));
        };
        let (result, parameters) = (signature.result, signature.parameters.to_vec());
        let mut passed = Vec::new();
        let mut returned = Vec::new();
        for (&value, &concrete) in arguments.iter().zip(&parameters) {
            let dynamic = self.specializer.module.ty(value).expect("invariant: an argument has a type");
            let each = Passed { value, dynamic, concrete };
            match self.is_pointer_to_dynamic(each) {
                Some(pointees) => {
                    let copy = self.copy_in(call, pointees, place)?;
                    returned.push((copy, pointees));
                    passed.push(copy);
                }
                None => passed.push(self.to_concrete(call, each, place)?),
            }
        }
        if returned.len() > 1 && !self.are_distinct_variables(returned.iter().map(|(_, pointees)| pointees.value)) {
            let message = "expected at most one pointer to a value of unknown type, or pointers to different variables";
            return Err(GenericsError::new(GenericsErrorKind::Value, call, message));
        }
        let mut operands = vec![callee];
        operands.extend(passed);
        let mut edit = self.specializer.module.edit();
        let location = edit.module().explicit_location(call);
        let made = edit.insert(Position::Before(place), Op::FunctionCall, Some(result), &operands);
        edit.set_location(made, location);
        for (copy, pointees) in returned {
            self.copy_out(call, copy, pointees, place)?;
        }
        if self.specializer.module.op(result) == Op::TypeVoid {
            return Ok(None);
        }
        let dynamic = self.specializer.module.ty(call).expect("invariant: a call has a type");
        self.to_dynamic(call, Passed { value: made, dynamic, concrete: result }, place).map(Some)
    }

    fn are_distinct_variables(&self, pointers: impl Iterator<Item = Inst>) -> bool {
        let mut seen = FxHashSet::default();
        let mut pointers = pointers;
        pointers.all(|pointer| self.specializer.module.op(pointer) == Op::Variable && seen.insert(pointer))
    }

    /// The pointee types, if a pointer to a value of dynamic type is passed for one to a value of its type.
    fn is_pointer_to_dynamic(&self, passed: Passed) -> Option<Passed> {
        let dynamic = view::TypePointer::of(self.specializer.module, passed.dynamic)?.pointee;
        let concrete = view::TypePointer::of(self.specializer.module, passed.concrete)?.pointee;
        (dynamic != concrete).then_some(Passed { value: passed.value, dynamic, concrete })
    }

    /// A variable with the value that a pointer points to, in its own type.
    fn copy_in(&mut self, call: Inst, pointees: Passed, place: Inst) -> Result<Inst, GenericsError> {
        if self.specializer.module.storage_class(pointees.value) != Some(StorageClass::Function) {
            let message = "expected a pointer to a variable of a function, since the value is copied for the call";
            return Err(GenericsError::new(GenericsErrorKind::Value, call, message));
        }
        let function = self.specializer.module.function_of(call).expect("invariant: a call is in a function");
        let entry = self.specializer.module.entry(function).expect("invariant: a function with a call has a body");
        let mut build = Builder::new(self.specializer.module);
        let pointer = build.pointer_type(StorageClass::Function, pointees.concrete);
        let class = build.editor().word(StorageClass::Function as u32);
        let variable = build.editor().insert(Position::AtStart(entry.into()), Op::Variable, Some(pointer), &[class]);
        build.before(place);
        let value = build.load(pointees.dynamic, &[pointees.value]);
        let value = self.to_concrete(call, Passed { value, ..pointees }, place)?;
        let mut build = Builder::new(self.specializer.module);
        build.before(place);
        build.store(&[variable, value]);
        Ok(variable)
    }

    fn copy_out(&mut self, call: Inst, copy: Inst, pointees: Passed, place: Inst) -> Result<(), GenericsError> {
        let mut build = Builder::new(self.specializer.module);
        build.before(place);
        let value = build.load(pointees.concrete, &[copy]);
        let value = self.to_dynamic(call, Passed { value, ..pointees }, place)?;
        let mut build = Builder::new(self.specializer.module);
        build.before(place);
        build.store(&[pointees.value, value]);
        Ok(())
    }

    /// A value of the type that it has in one case.
    fn to_concrete(&mut self, call: Inst, passed: Passed, place: Inst) -> Result<Inst, GenericsError> {
        if passed.dynamic == passed.concrete {
            return Ok(passed.value);
        }
        let Some(&count) = self.dynamic_words.get(&passed.dynamic) else { return Err(self.composite(call)) };
        let mut build = Builder::new(self.specializer.module);
        build.before(place);
        let word = word_type(&mut build);
        let words = extract(&mut build, passed.value, &vec![word; count as usize]);
        self.representation.unpack(&mut build, passed.concrete, &mut words.into_iter())
    }

    /// A value as words, if its type is dynamic.
    fn to_dynamic(&mut self, call: Inst, passed: Passed, place: Inst) -> Result<Inst, GenericsError> {
        if passed.dynamic == passed.concrete {
            return Ok(passed.value);
        }
        let Some(&count) = self.dynamic_words.get(&passed.dynamic) else { return Err(self.composite(call)) };
        let mut build = Builder::new(self.specializer.module);
        build.before(place);
        let mut words = Vec::new();
        self.representation.pack(&mut build, passed.value, &mut words)?;
        Ok(array_of_words(&mut build, passed.dynamic, &mut words, count))
    }

    fn composite(&self, call: Inst) -> GenericsError {
        let message = "a call through a value of interface type passes values of its type, and not composites of them";
        GenericsError::new(GenericsErrorKind::Value, call, message)
    }

    fn without_type(&self, inst: Inst) -> GenericsError {
        let code = super::meanings::dynamic_code(self.specializer.module, inst);
        let values = code.map(|code| opened(self.specializer.module, code)).unwrap_or_default();
        let unknown = values.into_iter().find(|&value| self.found.flow.tables_of(self.specializer.module, value).is_empty());
        let name = unknown.and_then(|value| self.specializer.module.name(interface_of_value(self.specializer.module, value)?));
        let message = match name {
            Some(name) => format!("no type that implements the interface `{name}` reaches this place"),
            None => "no type that implements the interface reaches this place".to_owned(),
        };
        GenericsError::new(GenericsErrorKind::NoType, inst, message)
    }

    /// The number of the case at run time: the tag, or several tags as digits of one number.
    fn case_number(&mut self, inst: Inst, case: &Case) -> Inst {
        let mut number = None;
        for &(value, table) in &case.tables {
            let base = self.base(table);
            let value = self.replaced.get(&value).copied().unwrap_or(value);
            let mut build = Builder::new(self.specializer.module);
            build.before(inst);
            let word = word_type(&mut build);
            let tag = extract(&mut build, value, &[word])[0];
            number = Some(match number {
                None => tag,
                Some(number) => {
                    let base = build.constant_word(word, base);
                    let shifted = build.i_mul(word, &[number, base]);
                    build.i_add(word, &[shifted, tag])
                }
            });
        }
        number.expect("invariant: dynamic code depends on a value")
    }

    /// The number of a case, as [`Lowering::case_number`] computes it.
    fn number_of(&self, case: &Case) -> u32 {
        let digits = case.tables.iter().map(|&(_, table)| (self.base(table), self.tags[&table]));
        digits.fold(0, |number, (base, tag)| number.wrapping_mul(base).wrapping_add(tag))
    }

    /// How many tags the interface of a table has.
    fn base(&self, table: Inst) -> u32 {
        let interface = super::expressions::interface(self.specializer.module, table).expect("invariant: a table has an interface");
        self.found.flow.tables_for(self.specializer.module, interface).len() as u32
    }

    fn replace(&mut self, old: Inst, new: Inst) {
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
            self.specializer.module.globals().filter(|&ty| self.specializer.module.op(ty) == Op::TypeExistential).collect();
        for ty in types {
            let interface = view::TypeExistential::of(self.specializer.module, ty).map(|ty| ty.interface);
            let words = interface.and_then(|interface| self.representation.words.get(&interface).copied());
            let name = interface.and_then(|interface| self.specializer.module.name(interface));
            let mut build = Builder::new(self.specializer.module);
            let members = [word_type(&mut build), words_type(&mut build, words.unwrap_or(0))];
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
        let mut dead: Vec<Inst> = self
            .instructions()
            .into_iter()
            .filter(|&inst| self.specializer.module.op(inst).is_generic())
            .collect();
        dead.reverse();
        dead.into_iter().for_each(|inst| self.specializer.module.edit().delete(inst));
    }
}

/// How many words an address takes in this module.
fn address_words(module: &Module) -> Option<u32> {
    let models = module.globals().filter_map(|inst| view::MemoryModel::of(module, inst));
    match models.last()?.addressing_model? {
        spirv::AddressingModel::Physical32 => Some(1),
        spirv::AddressingModel::Physical64 | spirv::AddressingModel::PhysicalStorageBuffer64 => Some(2),
        spirv::AddressingModel::Logical => None,
    }
}
