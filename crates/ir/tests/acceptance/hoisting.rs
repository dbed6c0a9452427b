//! Types and constants: S10 to S15.

use reconverge_ir::text::print;
use reconverge_ir::{Builder, Inst, Module, Op};

use super::support::{Start, start};

const FUNCTION_STORAGE: u32 = 7;

fn pointer(module: &mut Module, to: Inst) -> Inst {
    Builder::new(module).pointer_type(FUNCTION_STORAGE, to)
}

#[test]
fn s10_a_type_is_made_once() {
    let Start { mut module, u32_type, blocks, .. } = start(1);
    let seven = Builder::new(&mut module).constant_word(u32_type, 7);
    let types = [pointer(&mut module, u32_type), Builder::new(&mut module).float_type(32)];
    let count = module.capacity();
    for _ in 0..500_000 {
        let mut build = Builder::new(&mut module);
        build.at_end(blocks[0]);
        assert_eq!(build.pointer_type(FUNCTION_STORAGE, u32_type), types[0]);
        assert_eq!(build.constant_word(u32_type, 7), seven);
    }
    assert_eq!(module.capacity(), count, "a million requests made nothing");
    assert_eq!(module.parent(types[0]), Some(module.root()));
}

#[test]
fn s10_structs_and_specialization_constants_are_nominal() {
    let Start { mut module, u32_type, .. } = start(0);
    let mut edit = module.edit();
    let literal = edit.word(1);
    for op in [Op::TypeStruct, Op::SpecConstant] {
        let ty = op.has_type().then_some(u32_type);
        let operand = if op.has_type() { literal } else { u32_type };
        let (first, second) = (edit.append_global(op, ty, &[operand]), edit.append_global(op, ty, &[operand]));
        assert_ne!(first, second);
    }
}

#[test]
fn s10_decorations_are_part_of_a_type_and_names_are_not() {
    let Start { mut module, u32_type, .. } = start(0);
    let mut edit = module.edit();
    let (stride, four) = (edit.word(6), edit.word(4));
    let decoration = edit.unique(Op::Decorate, None, &[stride, four]);
    let plain = edit.unique(Op::TypeRuntimeArray, None, &[u32_type]);
    let strided = edit.unique_decorated(Op::TypeRuntimeArray, None, &[u32_type], &[decoration]);
    assert_ne!(plain, strided);
    edit.set_name(plain, "array");
    assert_eq!(edit.unique(Op::TypeRuntimeArray, None, &[u32_type]), plain);
    edit.decorate(plain, decoration);
    assert_eq!(module.resolve(plain), strided, "decorated alike they are one");
    assert_eq!(module.name(strided).as_deref(), Some("array"), "the name goes over");
}

/// The example of Slang's IR design: `%x` local, `%3 = Ptr(%x)`, `%4 = Array(%3)`, `%5 = Var` of that type.
struct Seed {
    module: Module,
    int: Inst,
    int_pointer: Inst,
    x: Inst,
    pointer: Inst,
    array: Inst,
    variable: Inst,
}

fn seed() -> Seed {
    let Start { mut module, u32_type: int, blocks, .. } = start(1);
    let int_pointer = pointer(&mut module, int);
    let length = Builder::new(&mut module).constant_word(int, 4);
    let mut edit = module.edit();
    let x = edit.append(blocks[0], Op::Undef, Some(int), &[]);
    let pointer = pointer(&mut module, x);
    let array = module.edit().unique(Op::TypeArray, None, &[pointer, length]);
    let storage = module.edit().word(FUNCTION_STORAGE);
    let variable = module.edit().append(blocks[0], Op::Variable, Some(array), &[storage]);
    for (inst, name) in [(x, "x"), (pointer, "3"), (array, "array"), (variable, "v"), (int_pointer, "p"), (int, "int")]
    {
        module.edit().set_name(inst, name);
    }
    Seed { module, int, int_pointer, x, pointer, array, variable }
}

#[test]
fn s11_the_seed_example() {
    let mut seed = seed();
    let module = &mut seed.module;
    let block = module.parent(seed.variable);
    assert_eq!([seed.pointer, seed.array].map(|inst| module.parent(inst)), [block; 2], "they depend on %x");
    module.edit().set_operand(seed.pointer, 1, seed.int);
    assert_eq!(module.resolve(seed.pointer), seed.int_pointer, "%3 is %p now");
    assert_eq!(module.op(seed.pointer), Op::Merged);
    assert_eq!(module.operand(seed.array, 0), seed.int_pointer);
    assert_eq!(module.parent(seed.array), Some(module.root()), "%4 went to the module");
    assert_eq!(module.ty(seed.variable), Some(seed.array));
    let printed = print(module);
    let place = |what: &str| printed.find(what).unwrap_or_else(|| panic!("{what} in\n{printed}"));
    let places =
        ["%int = ", "%p = type_pointer Function, %int", "%array = type_array %p", "func ", "%x: ", "%v: %array"];
    assert!(places.map(place).is_sorted(), "{printed}");
}

#[test]
fn s11_a_chain_of_a_thousand_cascades() {
    for twin in [false, true] {
        let Start { mut module, u32_type, blocks, .. } = start(1);
        let x = module.edit().append(blocks[0], Op::Undef, Some(u32_type), &[]);
        let chain = |module: &mut Module, from: Inst| -> Vec<Inst> {
            let mut links = vec![from];
            (0..1_000).for_each(|index| links.push(pointer(module, links[index])));
            links.split_off(1)
        };
        let local = chain(&mut module, x);
        let global = if twin { chain(&mut module, u32_type) } else { Vec::new() };
        assert!(local.iter().all(|&inst| module.parent(inst) == Some(blocks[0].inst())));
        let count = module.capacity();
        module.edit().set_operand(local[0], 1, u32_type);
        assert_eq!(module.capacity(), count, "nothing is made on the way");
        for (index, &inst) in local.iter().enumerate() {
            assert_eq!(module.parent(module.resolve(inst)), Some(module.root()));
            assert_eq!(module.resolve(inst), *global.get(index).unwrap_or(&inst));
        }
        assert_eq!(module.children(blocks[0]).count(), 1, "only %x is left");
        assert_eq!(chain(&mut module, u32_type).last(), Some(&module.resolve(local[999])));
    }
}

#[test]
fn s12_an_operand_cannot_be_written_without_the_cascade() {
    // Every public way to write an operand of a type, one after the other; after each the type is the one that exists.
    let ways: [fn(&mut Seed); 4] = [
        |seed| seed.module.edit().set_operand(seed.pointer, 1, seed.int),
        |seed| {
            let storage = seed.module.operand(seed.pointer, 0);
            seed.module.edit().set_operands(seed.pointer, &[storage, seed.int]);
        },
        |seed| seed.module.edit().replace_all_uses(seed.x, seed.int),
        |seed| {
            let edge = seed.module.uses(seed.x).next().unwrap();
            seed.module.edit().set_operand(edge.user, 1, seed.int);
        },
    ];
    for way in ways {
        let mut seed = seed();
        way(&mut seed);
        assert_eq!(seed.module.resolve(seed.pointer), seed.int_pointer);
        assert_eq!(seed.module.parent(seed.array), Some(seed.module.root()));
    }
}

#[test]
fn s13_replacing_all_uses_cascades() {
    let mut seed = seed();
    seed.module.edit().replace_all_uses(seed.x, seed.int);
    assert_eq!(seed.module.operand(seed.array, 0), seed.int_pointer);
    assert_eq!(seed.module.parent(seed.array), Some(seed.module.root()));
    assert!(!seed.module.is_used(seed.x));
}

#[test]
fn s14_a_gathered_list_is_what_stood_there() {
    // The loop of the seed: it walks the function and replaces `%3`, whereupon the next one, `%4`, moves out of the function.
    let mut seed = seed();
    let block = seed.module.parent(seed.x).unwrap();
    let children: Vec<Inst> = seed.module.children(block).collect();
    let mut visited = Vec::new();
    for &inst in &children {
        visited.push(inst);
        if inst == seed.pointer {
            seed.module.edit().replace_all_uses(inst, seed.int_pointer);
        }
    }
    assert_eq!(visited, [seed.x, seed.pointer, seed.array, seed.variable]);
    let rest: Vec<Inst> = seed.module.children(block).collect();
    assert_eq!(rest, [seed.x, seed.pointer, seed.variable]);
}

#[test]
fn s15_a_stale_handle_means_the_survivor() {
    let mut seed = seed();
    let module = &mut seed.module;
    let block = module.parent(seed.x).unwrap();
    module.edit().replace_all_uses(seed.x, seed.int);
    let storage = module.edit().word(FUNCTION_STORAGE);
    let variable = module.edit().append(block, Op::Variable, Some(seed.pointer), &[storage]);
    assert_ne!(module.ty(variable), Some(seed.pointer));
    assert_eq!(module.ty(variable), Some(seed.int_pointer));
    let array = module.edit().unique(Op::TypeRuntimeArray, None, &[seed.pointer]);
    assert_eq!(module.operand(array, 0), seed.int_pointer);
    module.edit().set_type(variable, seed.pointer);
    assert_eq!(module.ty(variable), Some(seed.int_pointer));
    module.edit().set_name(seed.pointer, "renamed");
    assert_eq!(module.name(seed.int_pointer).as_deref(), Some("renamed"));
}

#[test]
fn s15_a_number_is_given_once() {
    let mut module = Module::with_numbers(8);
    for round in 0..3_000 {
        let inst = module.edit().append_global(Op::Nop, None, &[]);
        module.edit().delete(inst);
        assert_eq!(module.edit().is_vacant(5), round == 0);
        if round == 0 {
            let void = module.edit().create_numbered(5, Op::TypeVoid, None, &[], &[]);
            assert_eq!(void, Inst::new(5));
            let wide: Vec<Inst> = vec![void; 2_000];
            let gone = module.edit().append_global(Op::TypeStruct, None, &wide);
            module.edit().delete(gone);
            module.edit().delete(void);
        }
    }
    assert!(module.edit().is_vacant(6));
}
