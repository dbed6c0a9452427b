//! Constants of every kind, and values at module level.

use crate::common;
use crate::common::{F64, Ty, U32, U64, Unit};
use reconverge_interpret::{End, Value};
use reconverge_ir::{Builder, Inst, Op};

fn constant(ty: Ty, make: impl FnOnce(&mut Builder<'_>, Inst) -> Inst) -> End {
    let unit = Unit::new(&[], ty, |build, _| {
        let ty = ty.build(build);
        make(build, ty)
    });
    unit.end(&[])
}

fn value(ty: Ty, make: impl FnOnce(&mut Builder<'_>, Inst) -> Inst) -> Value {
    common::returned(constant(ty, make))
}

#[test]
fn scalars_have_the_bits_of_their_literal() {
    let words = |words: &'static [u32]| {
        move |build: &mut Builder<'_>, ty| {
            let literal = build.editor().literal(words);
            build.constant(ty, &[literal])
        }
    };
    assert_eq!(value(U32, words(&[7])), Value::u32(7));
    assert_eq!(value(U64, words(&[7, 9])), Value::u64(9 << 32 | 7));
    assert_eq!(value(Ty::Int(8), words(&[0xffff_fffe])), Value::int(8, 0xfe));
    assert_eq!(value(Ty::Float(16), words(&[0x3c00])), Value::float(16, 1.0));
    assert_eq!(value(F64, words(&[0, 0x3ff8_0000])), Value::f64(1.5));
    assert_eq!(value(Ty::Bool, |build, ty| build.constant_true(ty, &[])), Value::Bool(true));
    assert_eq!(value(Ty::Bool, |build, ty| build.spec_constant_false(ty, &[])), Value::Bool(false));
}

#[test]
fn null_and_undefined_values_are_of_every_type() {
    const SHAPE: Ty = Ty::Array(&Ty::Vector(&F64, 2), 3);
    let zeros = Value::composite(vec![Value::f64(0.0); 2]);
    assert_eq!(value(SHAPE, |build, ty| build.constant_null(ty, &[])), Value::composite(vec![zeros; 3]));
    assert_eq!(value(Ty::Bool, |build, ty| build.constant_null(ty, &[])), Value::Bool(false));
    assert_eq!(value(SHAPE, |build, ty| build.undef(ty, &[])), Value::Undefined);
    let at_module_level = |build: &mut Builder<'_>, ty| build.editor().append_global(Op::Undef, Some(ty), &[]);
    assert_eq!(value(U32, at_module_level), Value::Undefined);
}

#[test]
fn composites_hold_constants() {
    const PAIR: Ty = Ty::Array(&U32, 2);
    let made = value(PAIR, |build, ty| {
        let u32_type = U32.build(build);
        let parts = [build.constant_word(u32_type, 4), build.constant_word(u32_type, 5)];
        build.constant_composite(ty, &parts)
    });
    assert_eq!(made, Value::composite(vec![Value::u32(4), Value::u32(5)]));
    let short = constant(PAIR, |build, ty| {
        let u32_type = U32.build(build);
        let part = build.constant_word(u32_type, 4);
        build.constant_composite(ty, &[part])
    });
    assert!(matches!(short, End::Malformed { .. }));
}

#[test]
fn operations_on_specialization_constants_are_done() {
    let operation = |op: Op, words: [u32; 2]| {
        constant(U32, |build, ty| {
            let literals = words.map(|word| build.editor().word(word));
            let operands = literals.map(|literal| build.spec_constant(ty, &[literal]));
            let opcode = build.editor().word(u32::from(op.opcode().unwrap()));
            build.spec_constant_op(ty, &[opcode, operands[0], operands[1]])
        })
    };
    assert_eq!(operation(Op::IMul, [6, 7]), End::Returned(Some(Value::u32(42))));
    assert_eq!(operation(Op::ShiftLeftLogical, [1, 32]), End::Returned(Some(Value::Undefined)));
    assert!(matches!(operation(Op::UDiv, [1, 0]), End::Undefined { .. }));
    assert!(matches!(operation(Op::Kill, [1, 0]), End::Unsupported { .. }));
}

#[test]
fn the_length_of_an_array_may_be_computed() {
    let length = Unit::new(&[], U32, |build, _| {
        let u32_type = U32.build(build);
        let two = build.constant_word(u32_type, 2);
        let opcode = build.editor().word(u32::from(Op::IMul.opcode().unwrap()));
        let four = build.spec_constant_op(u32_type, &[opcode, two, two]);
        let array = build.type_array(&[u32_type, four]);
        let zeros = build.constant_null(array, &[]);
        let last = build.editor().word(3);
        build.composite_extract(u32_type, &[zeros, last])
    });
    assert_eq!(length.value(&[]), Value::u32(0));
}

#[test]
fn a_long_chain_of_constants_needs_no_stack() {
    let unit = Unit::new(&[], U32, |build, _| {
        let u32_type = U32.build(build);
        let one = build.constant_word(u32_type, 1);
        let opcode = build.editor().word(u32::from(Op::IAdd.opcode().unwrap()));
        (0..100_000).fold(one, |sum, _| build.spec_constant_op(u32_type, &[opcode, sum, one]))
    });
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(move || unit.value(&[])).unwrap();
    assert_eq!(thread.join().unwrap(), Value::u32(100_001));
}

#[test]
fn types_that_nest_too_deep_are_unsupported_but_harmless() {
    let unit = Unit::new(&[U32], U32, |build, parameters| {
        let u32_type = U32.build(build);
        let one = build.constant_word(u32_type, 1);
        let deep = (0..10_000).fold(u32_type, |element, _| build.type_array(&[element, one]));
        build.constant_null(deep, &[]);
        parameters[0]
    });
    assert_eq!(unit.value(&[Value::u32(3)]), Value::u32(3));
    let wide = constant(Ty::Array(&U64, 1 << 30), |build, ty| build.constant_null(ty, &[]));
    assert!(matches!(wide, End::Unsupported { .. }));
}
