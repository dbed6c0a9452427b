//! Variables, loads, stores, access chains, pointers, buffers, atomics.

use crate::common::{CROSS_WORKGROUP, F32, FUNCTION_STORAGE, PRIVATE, Ty, U32, U64, Unit, WORKGROUP, function};
use reconverge_interpret::{Argument, Contents, End, Launch, UndefinedBehaviour, Value, no_externals, run};
use reconverge_ir::{Builder, Inst, Module, Op};

fn local(build: &mut Builder<'_>, pointee: Ty, initializer: Option<Inst>) -> Inst {
    let ty = Ty::Pointer(FUNCTION_STORAGE, &U32);
    let ty = match pointee {
        Ty::Int(32) => ty.build(build),
        other => {
            let pointee = other.build(build);
            build.pointer_type(FUNCTION_STORAGE, pointee)
        }
    };
    let storage = build.editor().word(FUNCTION_STORAGE);
    let operands: Vec<Inst> = std::iter::once(storage).chain(initializer).collect();
    build.variable(ty, &operands)
}

fn element(build: &mut Builder<'_>, (base, pointee): (Inst, Ty), indices: &[Inst], op: Op) -> Inst {
    let pointee = pointee.build(build);
    let ty = build.pointer_type(FUNCTION_STORAGE, pointee);
    let operands: Vec<Inst> = std::iter::once(base).chain(indices.iter().copied()).collect();
    build.emit(op, Some(ty), &operands)
}

fn behaviour(end: &End) -> Option<UndefinedBehaviour> {
    match end {
        End::Undefined { behaviour, .. } => Some(*behaviour),
        _ => None,
    }
}

#[test]
fn what_is_stored_is_loaded() {
    const INNER: Ty = Ty::Struct(&[Ty::Int(8), Ty::Vector(&F32, 3), Ty::Bool]);
    const SHAPE: Ty = Ty::Array(&Ty::Float(16), 3);
    for (ty, value) in [
        (Ty::Bool, Value::Bool(true)),
        (Ty::Int(16), Value::int(16, 0xbeef)),
        (U64, Value::u64(u64::MAX - 1)),
        (Ty::Float(16), Value::float(16, -2.5)),
        (SHAPE, Value::composite([1.0, 2.0, 3.0].map(|value| Value::float(16, value)).to_vec())),
        (SHAPE, Value::composite(vec![Value::float(16, 1.0), Value::Undefined, Value::float(16, 3.0)])),
    ] {
        let unit = Unit::new(&[ty], ty, |build, parameters| {
            let variable = local(build, ty, None);
            build.store(&[variable, parameters[0]]);
            let ty = ty.build(build);
            build.load(ty, &[variable])
        });
        assert_eq!(unit.value(std::slice::from_ref(&value)), value);
    }
    let unit = Unit::new(&[Ty::Int(8), Ty::Vector(&F32, 3), Ty::Bool], Ty::Bool, |build, parameters| {
        let ty = INNER.build(build);
        let pointer = build.pointer_type(FUNCTION_STORAGE, ty);
        let storage = build.editor().word(FUNCTION_STORAGE);
        let made = build.composite_construct(ty, parameters);
        let variable = build.variable(pointer, &[storage, made]);
        let loaded = build.load(ty, &[variable]);
        let last = build.editor().word(2);
        let result = Ty::Bool.build(build);
        build.composite_extract(result, &[loaded, last])
    });
    let vector = Value::composite([1.0, 2.0, 3.0].map(Value::f32).to_vec());
    assert_eq!(unit.value(&[Value::int(8, 5), vector, Value::Bool(true)]), Value::Bool(true));
}

#[test]
fn memory_that_nobody_wrote_is_undefined() {
    let unit = Unit::new(&[], U32, |build, _| {
        let variable = local(build, U32, None);
        let ty = U32.build(build);
        build.load(ty, &[variable])
    });
    assert_eq!(unit.value(&[]), Value::Undefined);
}

const MATRIX: Ty = Ty::Array(&Ty::Array(&U32, 3), 2);

/// Stores `10 * i + j` everywhere in a 2 × 3 array and loads at the indices that the parameters say.
fn indexed(op: Op) -> Unit {
    Unit::new(&[U32, U32], U32, move |build, parameters| {
        let u32_type = U32.build(build);
        let array = local(build, MATRIX, None);
        for i in 0..2 {
            for j in 0..3 {
                let indices = [build.constant_word(u32_type, i), build.constant_word(u32_type, j)];
                let place = element(build, (array, U32), &indices, Op::AccessChain);
                let value = build.constant_word(u32_type, 10 * i + j);
                build.store(&[place, value]);
            }
        }
        let place = element(build, (array, U32), parameters, op);
        build.load(u32_type, &[place])
    })
}

#[test]
fn access_chains_find_elements_and_see_when_there_is_none() {
    for op in [Op::AccessChain, Op::InBoundsAccessChain] {
        let unit = indexed(op);
        for i in 0..4 {
            for j in 0..5 {
                let end = unit.end(&[Value::u32(i), Value::u32(j)]);
                if i < 2 && j < 3 {
                    assert_eq!(end, End::Returned(Some(Value::u32(10 * i + j))));
                } else {
                    assert_eq!(behaviour(&end), Some(UndefinedBehaviour::OutOfBounds), "{i} {j}");
                }
            }
        }
        let negative = unit.end(&[Value::u32(1), Value::i32(-1)]);
        assert_eq!(behaviour(&negative), Some(UndefinedBehaviour::OutOfBounds));
        let undefined = unit.end(&[Value::Undefined, Value::u32(0)]);
        assert_eq!(behaviour(&undefined), Some(UndefinedBehaviour::UndefinedAddress));
    }
}

#[test]
fn a_pointer_out_of_bounds_is_no_harm_until_it_is_used() {
    let unit = Unit::new(&[U32], U32, |build, parameters| {
        let array = local(build, MATRIX, None);
        element(build, (array, U32), &[parameters[0], parameters[0]], Op::AccessChain);
        parameters[0]
    });
    assert_eq!(unit.value(&[Value::u32(77)]), Value::u32(77));
}

#[test]
fn pointer_access_chains_move_both_ways() {
    let unit = Unit::new(&[U32], U32, |build, parameters| {
        let u32_type = U32.build(build);
        let array = local(build, Ty::Array(&U32, 4), None);
        let indices = [0, 1, 2, 3].map(|index| build.constant_word(u32_type, index));
        for index in indices {
            let place = element(build, (array, U32), &[index], Op::AccessChain);
            build.store(&[place, index]);
        }
        let middle = element(build, (array, U32), &[indices[2]], Op::AccessChain);
        let place = element(build, (middle, U32), &[parameters[0]], Op::PtrAccessChain);
        build.load(u32_type, &[place])
    });
    for offset in -2..2 {
        assert_eq!(unit.value(&[Value::i32(offset)]), Value::i32(2 + offset));
    }
    for offset in [-3, 2, i32::MIN, i32::MAX] {
        assert_eq!(behaviour(&unit.end(&[Value::i32(offset)])), Some(UndefinedBehaviour::OutOfBounds));
    }
}

/// A kernel on one buffer: `body` gets a pointer to its first word.
fn kernel(body: impl FnOnce(&mut Builder<'_>, Inst)) -> Unit {
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    let (void, pointer) = (build.void_type(), Ty::Pointer(CROSS_WORKGROUP, &U32).build(&mut build));
    let (function, parameters) = function(&mut build, void, &[pointer]);
    let entry = build.add_block(function);
    build.at_end(entry);
    body(&mut build, parameters[0]);
    build.r#return(&[]);
    Unit { module, function }
}

fn on_buffer(unit: &Unit, words: &[u32]) -> (End, Vec<u32>) {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let launch = Launch { arguments: vec![Argument::Buffer(0)], buffers: vec![bytes], ..Launch::default() };
    let outcome = unit.outcome(&launch);
    let words =
        outcome.buffers[0].bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")));
    (outcome.lanes[0].end.clone(), words.collect())
}

#[test]
fn buffers_are_read_and_written() {
    let unit = kernel(|build, buffer| {
        let u32_type = U32.build(build);
        let pointer = Ty::Pointer(CROSS_WORKGROUP, &U32).build(build);
        let one = build.constant_word(u32_type, 1);
        let second = build.in_bounds_ptr_access_chain(pointer, &[buffer, one]);
        let values = [build.load(u32_type, &[buffer]), build.load(u32_type, &[second])];
        let sum = build.i_add(u32_type, &values);
        build.store(&[second, sum]);
    });
    assert_eq!(on_buffer(&unit, &[3, 4, 5]), (End::Returned(None), vec![3, 7, 5]));
    assert_eq!(behaviour(&on_buffer(&unit, &[3]).0), Some(UndefinedBehaviour::OutOfBounds));
}

#[test]
fn memory_is_bytes_that_any_type_may_look_at() {
    let unit = kernel(|build, buffer| {
        let byte = Ty::Int(8).build(build);
        let byte_pointer = Ty::Pointer(CROSS_WORKGROUP, &Ty::Int(8)).build(build);
        let u32_type = U32.build(build);
        let index = build.constant_word(u32_type, 5);
        let bytes = build.bitcast(byte_pointer, &[buffer]);
        let place = build.in_bounds_ptr_access_chain(byte_pointer, &[bytes, index]);
        let value = build.constant_word(byte, 0xaa);
        build.store(&[place, value]);
    });
    assert_eq!(on_buffer(&unit, &[1, 0x1122_3344]), (End::Returned(None), vec![1, 0x1122_aa44]));
}

#[test]
fn pointers_become_integers_and_come_back() {
    let unit = kernel(|build, buffer| {
        let (u32_type, u64_type) = (U32.build(build), U64.build(build));
        let pointer = Ty::Pointer(CROSS_WORKGROUP, &U32).build(build);
        let four = build.editor().literal(&[4, 0]);
        let four = build.constant(u64_type, &[four]);
        let address = build.convert_ptr_to_u(u64_type, &[buffer]);
        let moved = build.i_add(u64_type, &[address, four]);
        let second = build.convert_u_to_ptr(pointer, &[moved]);
        let storage = build.editor().word(FUNCTION_STORAGE);
        let holder_type = build.pointer_type(FUNCTION_STORAGE, pointer);
        let holder = build.variable(holder_type, &[storage, second]);
        let again = build.load(pointer, &[holder]);
        let difference = build.ptr_diff(u32_type, &[again, buffer]);
        let bool_type = build.bool_type();
        let equal = build.ptr_equal(bool_type, &[again, second]);
        let unequal = build.ptr_not_equal(bool_type, &[again, buffer]);
        let both = build.logical_and(bool_type, &[equal, unequal]);
        let zero = build.constant_word(u32_type, 0);
        let result = build.select(u32_type, &[both, difference, zero]);
        build.store(&[again, result]);
    });
    assert_eq!(on_buffer(&unit, &[9, 9]), (End::Returned(None), vec![9, 1]));
}

#[test]
fn copies_take_values_and_bytes() {
    let unit = kernel(|build, buffer| {
        let (u32_type, pointer) = (U32.build(build), Ty::Pointer(CROSS_WORKGROUP, &U32).build(build));
        let [one, two, eight] = [1, 2, 8].map(|word| build.constant_word(u32_type, word));
        let second = build.ptr_access_chain(pointer, &[buffer, one]);
        let third = build.ptr_access_chain(pointer, &[buffer, two]);
        build.copy_memory(&[second, buffer]);
        build.copy_memory_sized(&[third, buffer, eight]);
    });
    assert_eq!(on_buffer(&unit, &[1, 2, 3, 4, 5]), (End::Returned(None), vec![1, 1, 1, 1, 5]));
}

#[test]
fn a_lifetime_that_ends_takes_the_bytes() {
    let unit = Unit::new(&[U32], U32, |build, parameters| {
        let variable = local(build, U32, Some(parameters[0]));
        let size = build.editor().word(0);
        build.lifetime_stop(&[variable, size]);
        let ty = U32.build(build);
        build.load(ty, &[variable])
    });
    assert_eq!(unit.value(&[Value::u32(1)]), Value::Undefined);
}

#[test]
fn atomics_give_what_was_there_before() {
    let old = 0x8000_0001_u32;
    let rows: [(Op, u32, u32); 13] = [
        (Op::AtomicIAdd, 5, old + 5),
        (Op::AtomicISub, 5, old - 5),
        (Op::AtomicAnd, 0xf000_0000, 0x8000_0000),
        (Op::AtomicOr, 0xf0, 0x8000_00f1),
        (Op::AtomicXor, 0xff, 0x8000_00fe),
        (Op::AtomicUMin, 5, 5),
        (Op::AtomicUMax, 5, old),
        (Op::AtomicSMin, 5, old),
        (Op::AtomicSMax, 5, 5),
        (Op::AtomicExchange, 5, 5),
        (Op::AtomicIIncrement, 0, old + 1),
        (Op::AtomicIDecrement, 0, old - 1),
        (Op::AtomicLoad, 0, old),
    ];
    for (op, operand, expected) in rows {
        let unit = kernel(|build, buffer| {
            let u32_type = U32.build(build);
            let pointer = Ty::Pointer(CROSS_WORKGROUP, &U32).build(build);
            let [zero, one, value] = [0, 1, operand].map(|word| build.constant_word(u32_type, word));
            let second = build.ptr_access_chain(pointer, &[buffer, one]);
            let mut operands = vec![buffer, zero, zero];
            if op.signature().len() == 4 {
                operands.push(value);
            }
            let before = build.emit(op, Some(u32_type), &operands);
            build.atomic_store(&[second, zero, zero, before]);
        });
        assert_eq!(on_buffer(&unit, &[old, 0]), (End::Returned(None), vec![expected, old]), "{op:?}");
    }
}

#[test]
fn compare_exchange_stores_only_if_equal() {
    let unit = kernel(|build, buffer| {
        let u32_type = U32.build(build);
        let [zero, expected, new] = [0, 7, 8].map(|word| build.constant_word(u32_type, word));
        build.atomic_compare_exchange(u32_type, &[buffer, zero, zero, zero, new, expected]);
        let bool_type = build.bool_type();
        build.atomic_flag_test_and_set(bool_type, &[buffer, zero, zero]);
    });
    let without_flag = kernel(|build, buffer| {
        let u32_type = U32.build(build);
        let [zero, expected, new] = [0, 7, 8].map(|word| build.constant_word(u32_type, word));
        build.atomic_compare_exchange(u32_type, &[buffer, zero, zero, zero, new, expected]);
    });
    assert_eq!(on_buffer(&unit, &[7]).1, [1]);
    assert_eq!(on_buffer(&without_flag, &[7]).1, [8]);
    assert_eq!(on_buffer(&without_flag, &[6]).1, [6]);
}

#[test]
fn variables_at_module_level_have_initializers_contents_and_owners() {
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    let u32_type = build.int_type(32);
    let seven = build.constant_word(u32_type, 7);
    let global = |build: &mut Builder<'_>, storage: u32, initializer: Option<Inst>| {
        let ty = build.pointer_type(storage, u32_type);
        let storage = build.editor().word(storage);
        let operands: Vec<Inst> = std::iter::once(storage).chain(initializer).collect();
        build.editor().append_global(Op::Variable, Some(ty), &operands)
    };
    let own = global(&mut build, PRIVATE, Some(seven));
    let shared = global(&mut build, WORKGROUP, None);
    let input = global(&mut build, 1, None);
    let (function, _) = function(&mut build, u32_type, &[]);
    let entry = build.add_block(function);
    build.at_end(entry);
    let values = [own, shared, input].map(|variable| build.load(u32_type, &[variable]));
    let part = build.i_add(u32_type, &values[..2]);
    let sum = build.i_add(u32_type, &[part, values[2]]);
    build.store(&[own, sum]);
    build.store(&[shared, sum]);
    build.return_value(&[sum]);
    let contents = |variable, lane, value| Contents { variable, lane, value: Value::u32(value) };
    let launch = Launch {
        lanes: 2,
        contents: vec![contents(shared, None, 100), contents(input, Some(0), 1), contents(input, Some(1), 2)],
        observed: vec![own, shared],
        ..Launch::default()
    };
    let outcome = run(&module, function, &launch, &mut no_externals).unwrap();
    let ends: Vec<End> = outcome.lanes.iter().map(|lane| lane.end.clone()).collect();
    assert_eq!(ends, [108, 117].map(|value| End::Returned(Some(Value::u32(value)))));
    assert_eq!(
        outcome.variables,
        [contents(own, Some(0), 108), contents(own, Some(1), 117), contents(shared, None, 117)]
    );
    assert_eq!(outcome.variable(own, 1), Some(&Value::u32(117)));
    assert_eq!(outcome.variable(shared, 1), Some(&Value::u32(117)));
    let wrong =
        Launch { contents: vec![Contents { variable: own, lane: None, value: Value::u64(1) }], ..Launch::default() };
    assert!(run(&module, function, &wrong, &mut no_externals).is_err());
}

#[test]
fn an_array_of_unknown_length_is_as_long_as_its_contents() {
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    let u32_type = build.int_type(32);
    let words = build.type_runtime_array(&[u32_type]);
    let block = build.type_struct(&[u32_type, words]);
    let pointer = build.pointer_type(12, block);
    let storage = build.editor().word(12);
    let variable = build.editor().append_global(Op::Variable, Some(pointer), &[storage]);
    let (function, parameters) = function(&mut build, u32_type, &[u32_type]);
    let entry = build.add_block(function);
    build.at_end(entry);
    let member = build.editor().word(1);
    let length = build.array_length(u32_type, &[variable, member]);
    let one = build.constant_word(u32_type, 1);
    let word_pointer = build.pointer_type(12, u32_type);
    let place = build.access_chain(word_pointer, &[variable, one, parameters[0]]);
    let value = build.load(u32_type, &[place]);
    build.store(&[place, length]);
    build.return_value(&[value]);
    let words = |words: &[u32]| Value::composite(words.iter().map(|&word| Value::u32(word)).collect());
    let value = Value::composite(vec![Value::u32(5), words(&[10, 20, 30])]);
    let launch = |index| Launch {
        contents: vec![Contents { variable, lane: None, value: value.clone() }],
        observed: vec![variable],
        ..Launch::new([Value::u32(index)])
    };
    let outcome = run(&module, function, &launch(2), &mut no_externals).unwrap();
    assert_eq!(outcome.only().end, End::Returned(Some(Value::u32(30))));
    assert_eq!(outcome.variable(variable, 0), Some(&Value::composite(vec![Value::u32(5), words(&[10, 20, 3])])));
    let outside = run(&module, function, &launch(3), &mut no_externals).unwrap();
    assert_eq!(behaviour(&outside.only().end), Some(UndefinedBehaviour::OutOfBounds));
}

#[test]
fn offsets_and_strides_are_those_that_are_declared() {
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    let (void, u32_type) = (build.void_type(), build.int_type(32));
    let [decoration, word16] = [6, 16].map(|word| build.editor().word(word));
    let stride = build.editor().unique(Op::Decorate, None, &[decoration, word16]);
    let four = build.constant_word(u32_type, 4);
    let array = build.editor().unique_decorated(Op::TypeArray, None, &[u32_type, four], &[stride]);
    let block = build.type_struct(&[array, u32_type]);
    for (member, offset) in [(0u32, 8), (1, 0)] {
        let operands = [member, 35, offset].map(|word| build.editor().word(word));
        let note = build.editor().unique(Op::MemberDecorate, None, &operands);
        build.editor().decorate(block, note);
    }
    let pointer = build.pointer_type(CROSS_WORKGROUP, block);
    let (function, parameters) = function(&mut build, void, &[pointer]);
    let entry = build.add_block(function);
    build.at_end(entry);
    let word_pointer = build.pointer_type(CROSS_WORKGROUP, u32_type);
    let [zero, one, two, mark] = [0, 1, 2, 0xaa].map(|word| build.constant_word(u32_type, word));
    for place in [&[parameters[0], zero, two][..], &[parameters[0], one]] {
        let place = build.access_chain(word_pointer, place);
        build.store(&[place, mark]);
    }
    build.r#return(&[]);
    let unit = Unit { module, function };
    let (end, words) = on_buffer(&unit, &[0; 16]);
    assert_eq!(end, End::Returned(None));
    let written: Vec<usize> = (0..16).filter(|&index| words[index] == 0xaa).collect();
    assert_eq!(written, [0, (8 + 2 * 16) / 4]);
}
