//! Calls of dynamic code: a switch over the cases, each with a call of its own.
//!
//! ```text
//! block ^b:                                       block ^b:
//!   %r = function_call %area, %x                    structured_switch %tag default ^2 merge ^join [0 ^1]
//!   rest                                          block ^1: %c = a circle from the words of %x
//!                                          ⇒                %0 = function_call %circle.area, %c; branch ^join(%0)
//!                                                 block ^2: …; branch ^join(%1)
//!                                                 block ^join(%r): rest
//! ```
//!
//! An argument of a type that is known only at run time is unpacked for each case, and a result of such a type is packed. A pointer to one is
//! replaced by a variable of the type in the case, with a copy before and after the call. A call with one case stays a call.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Block, Builder, Inst, Op, Position, view};
use rustc_hash::FxHashSet;
use spirv::StorageClass;

use super::expressions::{Case, interface};
use super::lower::Lowering;
use super::words::{array_of_words, extract, word_type};
use crate::GenericsCode;

/// A value on its way from a dynamic type to the type in one case, or back.
#[derive(Clone, Copy)]
struct Passed {
    value: Inst,
    dynamic: Inst,
    concrete: Inst,
}

impl Lowering<'_, '_> {
    pub(super) fn call(&mut self, call: Inst) -> Result<(), Diagnostic> {
        let found = self.found;
        let Some(cases) = found.images.get(&call) else { return Ok(()) };
        let (case, callee) = cases.first().expect("invariant: a type reaches the place");
        if cases.len() == 1 {
            return self.direct_call(call, *callee);
        }
        let number = self.case_number(call, case);
        let block = self.module().block_of(call).expect("invariant: a call is in a block");
        let block = self.leave_edge_block(block, call);
        let mut targets = Vec::new();
        let mut last: Inst = block.into();
        for _ in cases {
            last = self.specializer.module.edit().insert(Position::After(last), Op::Block, None, &[]);
            targets.push(last);
        }
        let join = self.specializer.module.edit().insert(Position::After(last), Op::Block, None, &[]);
        self.move_from(self.module().next(call), join);
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
        let ty = self.module().ty(call).expect("invariant: a call has a type");
        if self.module().op(ty) != Op::TypeVoid {
            let mut edit = self.specializer.module.edit();
            let parameter = edit.insert(Position::AtStart(join), Op::BlockParameter, Some(ty), &[]);
            self.replace(call, parameter);
        } else {
            self.specializer.module.edit().delete(call);
        }
    }

    /// A block that can end in a switch, and has the call: an edge block keeps only its parameters.
    fn leave_edge_block(&mut self, block: Block, call: Inst) -> Block {
        if self.module().op(block) != Op::EdgeBlock {
            return block;
        }
        let rest = self.specializer.module.edit().insert(Position::After(block.into()), Op::Block, None, &[]);
        let first = self.module().children(block).nth(self.module().parameters(block).count());
        self.move_from(first, rest);
        self.specializer.module.edit().append(block, Op::Branch, None, &[rest]);
        self.module().block_of(call).expect("invariant: the call was moved to a block")
    }

    /// Moves an instruction and those after it to another block.
    fn move_from(&mut self, first: Option<Inst>, to: Inst) {
        let mut next = first;
        while let Some(inst) = next {
            next = self.module().next(inst);
            self.specializer.module.edit().move_to(inst, Position::AtEnd(to));
        }
    }

    fn direct_call(&mut self, call: Inst, callee: Inst) -> Result<(), Diagnostic> {
        match self.concrete_call(call, callee, call)? {
            Some(result) => self.replace(call, result),
            None => self.specializer.module.edit().delete(call),
        }
        Ok(())
    }

    /// The call in one case: arguments unpacked, the result packed, written before `place`. The result, unless it is void.
    fn concrete_call(&mut self, call: Inst, callee: Inst, place: Inst) -> Result<Option<Inst>, Diagnostic> {
        let module = self.module();
        let called = view::FunctionCall::of(module, call).expect("invariant: it is a call");
        let arguments = called.arguments.to_vec();
        let signature =
            view::Function::of(module, callee).and_then(|callee| view::TypeFunction::of(module, callee.function_type));
        let Some(signature) = signature else {
            let message = "expected a function that fulfils the requirement";
            return Err(Diagnostic::new(GenericsCode::Value, call, message));
        };
        let (result, parameters) = (signature.result, signature.parameters.to_vec());
        let mut passed = Vec::new();
        let mut returned = Vec::new();
        for (&value, &concrete) in arguments.iter().zip(&parameters) {
            let dynamic = self.module().ty(value).expect("invariant: an argument has a type");
            let each = Passed { value, dynamic, concrete };
            match self.pointees(each) {
                Some(pointees) => {
                    let copy = self.copy_in(call, pointees, place)?;
                    returned.push((copy, pointees));
                    passed.push(copy);
                }
                None => passed.push(self.unpacked(call, each, place)?),
            }
        }
        if returned.len() > 1 && !self.are_distinct_variables(returned.iter().map(|(_, pointees)| pointees.value)) {
            let message = "expected at most one pointer to a value of unknown type, or pointers to different variables";
            return Err(Diagnostic::new(GenericsCode::Value, call, message));
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
        if self.module().op(result) == Op::TypeVoid {
            return Ok(None);
        }
        let dynamic = self.module().ty(call).expect("invariant: a call has a type");
        self.packed(call, Passed { value: made, dynamic, concrete: result }, place).map(Some)
    }

    fn are_distinct_variables(&self, pointers: impl Iterator<Item = Inst>) -> bool {
        let mut seen = FxHashSet::default();
        let mut pointers = pointers;
        pointers.all(|pointer| self.module().op(pointer) == Op::Variable && seen.insert(pointer))
    }

    /// The pointee types, if a pointer to a value of dynamic type is passed for one to a value of its type.
    fn pointees(&self, passed: Passed) -> Option<Passed> {
        let dynamic = view::TypePointer::of(self.module(), passed.dynamic)?.pointee;
        let concrete = view::TypePointer::of(self.module(), passed.concrete)?.pointee;
        (dynamic != concrete).then_some(Passed { value: passed.value, dynamic, concrete })
    }

    /// A variable with the value that a pointer points to, in its own type.
    fn copy_in(&mut self, call: Inst, pointees: Passed, place: Inst) -> Result<Inst, Diagnostic> {
        if self.module().storage_class(pointees.value) != Some(StorageClass::Function) {
            let message = "expected a pointer to a variable of a function, since the value is copied for the call";
            return Err(Diagnostic::new(GenericsCode::Value, call, message));
        }
        let function = self.module().function_of(call).expect("invariant: a call is in a function");
        let entry = self.module().entry(function).expect("invariant: a function with a call has a body");
        let mut build = Builder::new(self.specializer.module);
        let pointer = build.pointer_type(StorageClass::Function, pointees.concrete);
        let class = build.editor().word(StorageClass::Function as u32);
        let variable = build.editor().insert(Position::AtStart(entry.into()), Op::Variable, Some(pointer), &[class]);
        build.before(place);
        let value = build.load(pointees.dynamic, &[pointees.value]);
        let value = self.unpacked(call, Passed { value, ..pointees }, place)?;
        let mut build = Builder::new(self.specializer.module);
        build.before(place);
        build.store(&[variable, value]);
        Ok(variable)
    }

    fn copy_out(&mut self, call: Inst, copy: Inst, pointees: Passed, place: Inst) -> Result<(), Diagnostic> {
        let mut build = Builder::new(self.specializer.module);
        build.before(place);
        let value = build.load(pointees.concrete, &[copy]);
        let value = self.packed(call, Passed { value, ..pointees }, place)?;
        let mut build = Builder::new(self.specializer.module);
        build.before(place);
        build.store(&[pointees.value, value]);
        Ok(())
    }

    /// A value of the type that it has in one case.
    fn unpacked(&mut self, call: Inst, passed: Passed, place: Inst) -> Result<Inst, Diagnostic> {
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
    fn packed(&mut self, call: Inst, passed: Passed, place: Inst) -> Result<Inst, Diagnostic> {
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

    fn composite(&self, call: Inst) -> Diagnostic {
        let message = "a call through a value of interface type passes values of its type, and not composites of them";
        Diagnostic::new(GenericsCode::Value, call, message)
    }

    /// The number of the case at run time: the tag, or several tags as digits of one number.
    pub(super) fn case_number(&mut self, inst: Inst, case: &Case) -> Inst {
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
    pub(super) fn number_of(&self, case: &Case) -> u32 {
        let digits = case.tables.iter().map(|&(_, table)| (self.base(table), self.tag(table)));
        digits.fold(0, |number, (base, tag)| number.wrapping_mul(base).wrapping_add(tag))
    }

    /// The number of tags that the interface of a table has.
    fn base(&self, table: Inst) -> u32 {
        let interface = interface(self.module(), table).expect("invariant: a table has an interface");
        self.found.flow.tables_for(self.module(), interface).len() as u32
    }
}
