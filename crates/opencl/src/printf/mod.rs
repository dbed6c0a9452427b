//! Replaces `printf` by records in a buffer, which the host formats.
//!
//! ```text
//! ^b: …                                       ^b:       …  %used = atomic_load %buffer[0]
//!     %r = printf "%d %f", %n, %x                       branch_if (%used + 3 <= %capacity) ^reserve ^full
//!     …                                       ^reserve: %start = atomic_i_add %buffer[0], 3
//!                                   ⇒                   branch_if (%start + 3 <= %capacity) ^store ^end
//!                                             ^store:   %buffer[2 + %start] = 1; … = %n; … = bits of %x
//!                                                       branch ^rest(0)
//!                                             ^end:     branch_if (%start < %capacity) ^mark ^full
//!                                             ^mark:    %buffer[2 + %start] = 0
//!                                                       branch ^full
//!                                             ^full:    atomic_i_add %buffer[1], 1
//!                                                       branch ^rest(-1)
//!                                             ^rest(%r): …
//! ```
//!
//! Blocks on critical edges are left out above. The buffer is a variable of the program, so every host has it among the program data; [`crate::Printf`] describes it. Formats and strings
//! are literals, and the records name them by number. A lane looks at the count before it reserves, so that the count stays near the
//! capacity however many lanes print. *Requires* inlined calls: a string that a function gets is a literal then, unless it goes through a private
//! variable. Linear in the arguments and the characters.

mod format;
mod literals;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Builder, Inst, Module, Op};
use rustc_hash::FxHashMap;
use spirv::{MemorySemantics, OpenclStd100Op, Scope, StorageClass};

use crate::blocks::{add_blocks, split_behind};
use crate::scalars::{convert_unsigned, integer, word};
use crate::{Context, Printf, PrintfArgument, PrintfCall, PrintfKind, error};
use format::{Class, Directive};

/// The words before the records.
const HEAD: u32 = 2;

/// The least and the greatest size of the buffer, in bytes.
const SIZES: std::ops::RangeInclusive<u32> = 64..=1 << 27;

/// Replaces all calls of `printf`. Returns whether there was one.
///
/// # Errors
/// A format or a string that is no literal, an unknown directive, an argument that does not fit its directive; the size of the buffer is out of range.
pub fn printf(module: &mut Module, context: &mut Context) -> Result<bool, Diagnostic> {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let instructions = blocks.flat_map(|block| module.children(block));
    let is_call = |&inst: &Inst| module.opencl_op(inst) == Some(OpenclStd100Op::printf);
    let calls: Vec<Inst> = instructions.filter(is_call).collect();
    let Some(&first) = calls.first() else { return Ok(false) };
    let bytes = context.options.printf_buffer;
    if bytes == 0 {
        return Err(error::unsupported(first, "printf on this target"));
    }
    if !SIZES.contains(&bytes) {
        let (least, greatest) = (SIZES.start(), SIZES.end());
        return Err(error::limit(first, format!("a buffer of {bytes} bytes for printf: {least} to {greatest}")));
    }
    let printf = Printf { capacity: bytes / 4, ..Printf::default() };
    let buffer = add_buffer(&mut Builder::new(module), printf.capacity);
    let mut records = Records {
        buffer,
        printf,
        calls: FxHashMap::default(),
        numbers: FxHashMap::default(),
        strings: FxHashMap::default(),
    };
    // The calls of a block are split off from its end, so every instruction moves once.
    for inst in calls.into_iter().rev() {
        records.replace(module, inst)?;
    }
    context.printf = Some((buffer, records.printf));
    Ok(true)
}

/// The variable with the head and the records.
fn add_buffer(build: &mut Builder<'_>, capacity: u32) -> Inst {
    let u32_type = build.int_type(32);
    let length = build.constant_word(u32_type, HEAD + capacity);
    let array = build.type_array(&[u32_type, length]);
    build.global_variable(StorageClass::CrossWorkgroup, array)
}

/// The calls and strings so far.
struct Records {
    buffer: Inst,
    printf: Printf,
    /// The index of each call.
    calls: FxHashMap<PrintfCall, usize>,
    /// The index of each string.
    numbers: FxHashMap<Vec<u8>, u32>,
    /// The index as a value of each pointer to a string.
    strings: FxHashMap<Inst, Inst>,
}

/// An argument, and what a record holds of it.
struct Passed {
    value: Inst,
    kept: PrintfArgument,
}

impl Records {
    fn replace(&mut self, module: &mut Module, inst: Inst) -> Result<(), Diagnostic> {
        let Some(call) = view::ExtInst::of(module, inst) else { return Ok(()) };
        let mut operands: Vec<Inst> = call.operands.to_vec();
        if operands.is_empty() {
            return Err(error::rejected(inst, "printf without a format"));
        }
        let arguments = operands.split_off(1);
        let Some(format) = literals::literal(module, operands[0]) else {
            return Err(error::unsupported(inst, "printf with a format that is no string literal"));
        };
        let directives = format::directives(&format).map_err(|text| {
            let text = String::from_utf8_lossy(text);
            error::unsupported(inst, format!("the directive \"{text}\" of printf"))
        })?;
        let mut passed = Vec::new();
        for (number, directive) in directives.iter().enumerate() {
            let Some(&argument) = arguments.get(number) else {
                return Err(misfit(inst, directive, "has no argument"));
            };
            passed.push(self.passed(module, (inst, argument), directive)?);
        }
        let kept = passed.iter().map(|passed| passed.kept).collect();
        let call = PrintfCall { format, arguments: kept };
        let next = self.printf.calls.len();
        let number = *self.calls.entry(call.clone()).or_insert(next);
        if number == next {
            self.printf.calls.push(call);
        }
        let mut build = Builder::new(module);
        build.before(inst);
        let u32_type = build.int_type(32);
        let mut words = vec![build.constant_word(u32_type, number as u32 + 1)];
        for passed in passed {
            add_words(&mut build, passed, &mut words);
        }
        self.write(module, inst, &words);
        Ok(())
    }

    /// What a record holds of an argument.
    fn passed(
        &mut self,
        module: &mut Module,
        (inst, argument): (Inst, Inst),
        directive: &Directive<'_>,
    ) -> Result<Passed, Diagnostic> {
        let argument = unwidened(module, argument);
        let Some(ty) = module.ty(argument) else { return Err(misfit(inst, directive, "has no value")) };
        let (component, components) = module.components(ty);
        let kind = match (directive.class, module.type_view(component)) {
            (Class::Integer, Some(TypeView::Int { .. })) => PrintfKind::Integer,
            (Class::Float, Some(TypeView::Float { .. })) => PrintfKind::Float,
            (Class::Pointer, Some(TypeView::Pointer { .. })) => PrintfKind::Pointer,
            (Class::String, Some(TypeView::Pointer { .. })) => PrintfKind::String,
            _ => return Err(misfit(inst, directive, "has an argument of another type")),
        };
        if components != directive.components {
            let what = format!("is for {} components, and its argument has {components}", directive.components);
            return Err(misfit(inst, directive, &what));
        }
        let (value, width) = match kind {
            PrintfKind::String => (self.string(module, inst, argument, 0)?, 32),
            PrintfKind::Pointer => (argument, 64),
            // A half is printed as a float.
            PrintfKind::Float => (argument, module.width(component).unwrap_or(32).max(32)),
            PrintfKind::Integer => (argument, module.width(component).unwrap_or(32)),
        };
        Ok(Passed { value, kept: PrintfArgument { kind, width, components } })
    }

    /// The index of a string, or of the string that a condition selects, which is computed beside the select. The depth is that of the selects.
    fn string(&mut self, module: &mut Module, inst: Inst, pointer: Inst, depth: u32) -> Result<Inst, Diagnostic> {
        if let Some(&known) = self.strings.get(&pointer) {
            return Ok(known);
        }
        if let Some(text) = literals::literal(module, pointer) {
            let next = self.printf.strings.len() as u32;
            let index = *self.numbers.entry(text.clone()).or_insert(next);
            if index == next {
                self.printf.strings.push(text);
            }
            let mut build = Builder::new(module);
            let u32_type = build.int_type(32);
            return Ok(build.constant_word(u32_type, index));
        }
        let mut selected = pointer;
        if module.op(selected) == Op::Bitcast {
            selected = module.operand(selected, 0);
        }
        let Some(select) = view::Select::of(module, selected).filter(|_| depth < DEEPEST_SELECT) else {
            let message = "printf of a string that is no literal, and no choice between literals";
            return Err(error::unsupported(inst, message));
        };
        let condition = select.condition;
        let [accept, reject] = [select.true_value, select.false_value];
        let accept = self.string(module, inst, accept, depth + 1)?;
        let reject = self.string(module, inst, reject, depth + 1)?;
        let mut build = Builder::new(module);
        build.before(selected);
        let u32_type = build.int_type(32);
        let index = build.select(u32_type, &[condition, accept, reject]);
        self.strings.insert(pointer, index);
        Ok(index)
    }

    /// Writes a record in place of a call.
    fn write(&self, module: &mut Module, inst: Inst, words: &[Inst]) {
        let before = module.block_of(inst).expect("invariant: a call stands in a block");
        let rest = split_behind(module, inst);
        let ty = module.ty(inst).expect("invariant: printf has a result");
        let mut build = Builder::new(module);
        let [reserve, store, end, mark, outside, no_room, full] = add_blocks(&mut build, before);
        let (u32_type, bool_type) = (build.int_type(32), build.bool_type());
        let result = build.add_parameter(rest, ty).inst();
        let [printed, lost] = [0, u64::MAX].map(|value| integer(&mut build, ty, value));
        let scope = word(&mut build, Scope::Device);
        let relaxed = word(&mut build, MemorySemantics::empty());
        let constant = |build: &mut Builder<'_>, value: u32| build.constant_word(u32_type, value);
        let (count, capacity) = (words.len() as u32, self.printf.capacity);
        let size = constant(&mut build, count);
        // A record that is larger than the buffer never fits.
        let last = constant(&mut build, capacity.saturating_sub(count));
        let fits_at_all = count <= capacity;

        build.at_end(before);
        let zero = constant(&mut build, 0);
        let used = self.place(&mut build, zero);
        let count_before = build.atomic_load(u32_type, &[used, scope, relaxed]);
        let has_room = match fits_at_all {
            true => build.u_less_than_equal(bool_type, &[count_before, last]),
            false => build.constant_bool(false),
        };
        build.branch_if(&[has_room, reserve.into(), no_room.into()]);

        build.at_end(reserve);
        let start = build.atomic_i_add(u32_type, &[used, scope, relaxed, size]);
        let fits = build.u_less_than_equal(bool_type, &[start, last]);
        build.branch_if(&[fits, store.into(), end.into()]);

        build.at_end(store);
        for (number, &value) in words.iter().enumerate() {
            self.put(&mut build, (start, number as u32), value);
        }
        build.branch(&[rest.into(), printed]);

        build.at_end(end);
        let capacity = constant(&mut build, capacity);
        let is_inside = build.u_less_than(bool_type, &[start, capacity]);
        build.branch_if(&[is_inside, mark.into(), outside.into()]);

        build.at_end(mark);
        self.put(&mut build, (start, 0), zero);
        build.branch(&[full.into()]);

        // No edge is critical.
        for block in [outside, no_room] {
            build.at_end(block);
            build.branch(&[full.into()]);
        }

        build.at_end(full);
        let one = constant(&mut build, 1);
        let lost_calls = self.place(&mut build, one);
        build.atomic_i_add(u32_type, &[lost_calls, scope, relaxed, one]);
        build.branch(&[rest.into(), lost]);

        build.editor().replace_all_uses(inst, result);
        reconverge_rewrite::removal::remove(module, inst);
    }

    /// Stores a word of a record.
    fn put(&self, build: &mut Builder<'_>, (start, number): (Inst, u32), value: Inst) {
        let u32_type = build.int_type(32);
        let number = build.constant_word(u32_type, HEAD + number);
        let index = build.i_add(u32_type, &[start, number]);
        let place = self.place(build, index);
        build.store(&[place, value]);
    }

    /// The place of a word of the buffer.
    fn place(&self, build: &mut Builder<'_>, index: Inst) -> Inst {
        let u32_type = build.int_type(32);
        let pointer = build.pointer_type(StorageClass::CrossWorkgroup, u32_type);
        build.in_bounds_access_chain(pointer, &[self.buffer, index])
    }
}

/// A number before it became a double, if it was one of 32 bits: C widens the arguments of such calls, and a record needs no double.
fn unwidened(module: &Module, argument: Inst) -> Inst {
    let width = |value: Inst| module.ty(value).and_then(|ty| module.width(module.components(ty).0));
    match module.op(argument) {
        Op::FConvert if width(argument) == Some(64) && width(module.operand(argument, 0)) <= Some(32) => {
            module.operand(argument, 0)
        }
        _ => argument,
    }
}

/// The words of a constant number, so that no operation needs its type.
fn constant_words(build: &mut Builder<'_>, value: Inst, width: u32) -> Option<Vec<Inst>> {
    let is_wide = build.module().op(value) == Op::Constant && width == 64;
    let words = build.module().constant_words(value).filter(|_| is_wide)?.to_vec();
    let u32_type = build.int_type(32);
    Some(words.into_iter().map(|word| build.constant_word(u32_type, word)).collect())
}

/// The deepest nest of selects among strings.
const DEEPEST_SELECT: u32 = 16;

fn misfit(inst: Inst, directive: &Directive<'_>, what: &str) -> Diagnostic {
    let text = String::from_utf8_lossy(directive.text);
    error::rejected(inst, format!("the directive \"{text}\" of printf {what}"))
}

/// Adds the words of an argument.
fn add_words(build: &mut Builder<'_>, Passed { value, kept }: Passed, words: &mut Vec<Inst>) {
    let parts: Vec<Inst> = match kept.components {
        1 => vec![value],
        count => (0..count).map(|number| component(build, value, number)).collect(),
    };
    for part in parts {
        if let Some(known) = constant_words(build, part, kept.width) {
            words.extend(known);
            continue;
        }
        let bits = bits(build, part, kept);
        let u32_type = build.int_type(32);
        words.push(convert_unsigned(build, bits, u32_type));
        if kept.width > 32 {
            let u64_type = build.int_type(64);
            let half = integer(build, u64_type, 32);
            let high = build.shift_right_logical(u64_type, &[bits, half]);
            words.push(convert_unsigned(build, high, u32_type));
        }
    }
}

fn component(build: &mut Builder<'_>, vector: Inst, number: u32) -> Inst {
    let ty = build.module().ty(vector).expect("invariant: a vector has a type");
    let (component, _) = build.module().components(ty);
    let number = build.editor().word(number);
    build.composite_extract(component, &[vector, number])
}

/// The bits of a scalar as an integer.
fn bits(build: &mut Builder<'_>, value: Inst, kept: PrintfArgument) -> Inst {
    let integer_type = build.int_type(kept.width);
    match kept.kind {
        PrintfKind::Integer | PrintfKind::String => value,
        PrintfKind::Pointer => build.convert_ptr_to_u(integer_type, &[value]),
        PrintfKind::Float => {
            let ty = build.module().ty(value).expect("invariant: a number has a type");
            let is_half = build.module().width(ty) == Some(16);
            let float = build.float_type(kept.width);
            let value = if is_half { build.f_convert(float, &[value]) } else { value };
            build.bitcast(integer_type, &[value])
        }
    }
}
