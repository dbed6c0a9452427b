//! Broken modules: operands, types and ops put anywhere. Every run ends with a report; none panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::common::{CROSS_WORKGROUP, F32, FUNCTION_STORAGE, Ty, U32, blocks, function};
use reconverge_interpret::{End, Interpreter, Launch, Value};
use reconverge_ir::{Builder, Class, Function, Inst, Module, Op};

/// A function with something of every family in it.
fn sample() -> (Module, Function) {
    let mut module = Module::new();
    let mut build = Builder::new(&mut module);
    let (u32_type, bool_type, float) = (U32.build(&mut build), build.bool_type(), F32.build(&mut build));
    let array = Ty::Array(&Ty::Struct(&[U32, F32]), 3).build(&mut build);
    let vector = Ty::Vector(&F32, 3).build(&mut build);
    let (zero, one, five) = {
        let mut word = |value| build.constant_word(u32_type, value);
        (word(0), word(1), word(5))
    };
    let declared = build.add_function(u32_type, &[u32_type]);
    let pointer = build.pointer_type(FUNCTION_STORAGE, array);
    let element_pointer = build.pointer_type(FUNCTION_STORAGE, u32_type);
    Ty::Pointer(CROSS_WORKGROUP, &U32).build(&mut build);
    let null = build.constant_null(array, &[]);
    let name = build.editor().text("GLSL.std.450");
    let import = build.editor().append_global(Op::ExtInstImport, None, &[name]);
    let (function, parameters) = function(&mut build, u32_type, &[u32_type]);
    let [entry, header, body, exit, done] = blocks(&mut build, function);
    let index = build.add_parameter(header, u32_type).inst();
    let sum = build.add_parameter(header, u32_type).inst();
    let result = build.add_parameter(done, u32_type).inst();
    build.at_end(entry);
    let [storage, literal0, literal1, fabs] = [FUNCTION_STORAGE, 0, 1, 4].map(|word| build.editor().word(word));
    let variable = build.variable(pointer, &[storage, null]);
    build.r#loop(&[header.inst(), done.inst(), body.inst(), literal0, zero, parameters[0]]);
    build.at_end(header);
    let more = build.u_less_than(bool_type, &[index, five]);
    build.branch_if(&[more, body.inst(), exit.inst()]);
    build.at_end(body);
    let limited = build.u_mod(u32_type, &[index, five]);
    let chain = build.access_chain(element_pointer, &[variable, one, zero]);
    let loaded = build.load(u32_type, &[chain]);
    let added = build.i_add(u32_type, &[loaded, sum]);
    build.store(&[chain, added]);
    let real = build.convert_u_to_f(float, &[added]);
    let triple = build.composite_construct(vector, &[real, real, real]);
    let shuffled = build.vector_shuffle(vector, &[triple, triple, literal1, literal0, literal1]);
    let dot = build.dot(float, &[triple, shuffled]);
    let positive = build.ext_inst(float, &[import, fabs, dot]);
    let inserted = build.composite_insert(vector, &[positive, triple, literal1]);
    let extracted = build.composite_extract(float, &[inserted, literal1]);
    let bits = build.bitcast(u32_type, &[extracted]);
    let field = build.bit_field_u_extract(u32_type, &[bits, one, five]);
    let called = build.function_call(u32_type, &[declared.inst(), field]);
    let chosen = build.select(u32_type, &[more, called, limited]);
    let atomic = build.atomic_i_add(u32_type, &[chain, one, zero, chosen]);
    let next = build.i_add(u32_type, &[index, one]);
    build.branch(&[header.inst(), next, atomic]);
    build.at_end(exit);
    build.branch(&[done.inst(), sum]);
    build.at_end(done);
    let case = build.editor().word(3);
    let [left, right] = blocks(&mut build, function);
    build.switch(&[result, left.inst(), case, right.inst()]);
    build.at_end(left);
    build.return_value(&[result]);
    build.at_end(right);
    build.unreachable(&[]);
    (module, function)
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

/// Changes one operand, type or op, or takes an instruction away.
fn break_one(module: &mut Module, function: Function, random: &mut Random) {
    let all: Vec<Inst> = (0..module.capacity()).map(Inst::new).filter(|&inst| module.is_live(inst)).collect();
    let inside: Vec<Inst> =
        module.blocks(function).flat_map(|block| module.children(block).collect::<Vec<Inst>>()).collect();
    let globals: Vec<Inst> = module.globals().filter(|&inst| module.op(inst).class() == Class::Type).collect();
    let victim = inside[random.below(inside.len())];
    let value = all[random.below(all.len())];
    let count = module.operand_count(victim);
    match random.below(8) {
        0 if module.op(victim).has_type() => module.edit().set_type(victim, globals[random.below(globals.len())]),
        1 if count > 0 => {
            let operands: Vec<Inst> = module.operands(victim).take(random.below(count)).collect();
            module.edit().set_operands(victim, &operands);
        }
        2 => {
            let op = Op::ALL[random.below(Op::ALL.len())];
            let usable = op > Op::SpecConstantOp && op != Op::Undef;
            if usable && op.has_type() && module.op(victim).has_type() {
                let operands: Vec<Inst> = module.operands(victim).collect();
                let ty = module.ty(victim);
                let position = reconverge_ir::Position::Before(victim);
                let other = module.edit().insert(position, op, ty, &operands);
                module.edit().replace_all_uses(victim, other);
            }
        }
        _ if count > 0 => module.edit().set_operand(victim, random.below(count), value),
        _ => {}
    }
}

#[test]
fn a_broken_module_never_panics() {
    let (module, function) = sample();
    let mut answer = |_: usize, _: Function, arguments: &[Value]| Ok(Some(arguments[0].clone()));
    let sound = Interpreter::new(&module).run(function, &Launch::new([Value::u32(7)]), &mut answer).unwrap();
    assert!(matches!(sound.only().end, End::Returned(Some(Value::Int { .. }))), "{}", sound.only().end);
    let mut ends = std::collections::BTreeSet::new();
    for seed in 1..=10_000u64 {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut broken = module.clone();
        let run = AssertUnwindSafe(|| {
            for _ in 0..=random.below(3) {
                break_one(&mut broken, function, &mut random);
            }
            let mut answer = |_: usize, _: Function, arguments: &[Value]| Ok(arguments.first().cloned());
            let launch = Launch::new([Value::u32(7)]).with_fuel(2000);
            let outcome = Interpreter::new(&broken).run(function, &launch, &mut answer);
            outcome.map(|outcome| format!("{:?}", outcome.only().end).split(['(', ' ']).next().map(str::to_owned))
        });
        match catch_unwind(run) {
            Ok(Ok(end)) => ends.extend(end),
            Ok(Err(_)) => {}
            Err(_) => panic!("seed {seed}"),
        }
    }
    let expected = ["Malformed", "OutOfFuel", "Refused", "Returned", "Undefined", "Unsupported"];
    assert!(expected.iter().all(|&end| ends.contains(end)), "{ends:?}");
}
