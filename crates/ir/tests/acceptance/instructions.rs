//! Instructions in general: S1, S3, S20, S23.

use reconverge_ir::compare::compare;
use reconverge_ir::text::{parse, print, print_inst};
use reconverge_ir::{
    Builder, Class, Copies, Handle, Inst, Module, Op, OperandKind, Parameter, Position, Quantity, Terminator, Type,
    fingerprint,
};

use super::support::{Start, start};

/// An instruction of any op with operands as its signature says, somewhere in a module of its own.
fn one_of(op: Op) -> (Module, Inst) {
    let Start { mut module, u32_type, function, blocks, .. } = start(2);
    let value = Builder::new(&mut module).constant_word(u32_type, 9);
    let mut edit = module.edit();
    let mut operands = Vec::new();
    for entry in op.signature() {
        let times = if entry.quantity == Quantity::Many { 2 } else { 1 };
        for _ in 0..times {
            match entry.kind {
                OperandKind::Text => operands.push(edit.text("text")),
                OperandKind::Successor | OperandKind::Merge => operands.push(blocks[1].into()),
                OperandKind::Case => operands.extend([edit.word(3), blocks[1].into()]),
                kind if kind.is_literal() => operands.push(edit.word(2)),
                _ => operands.push(value),
            }
        }
    }
    let ty = op.has_type().then_some(u32_type);
    let inst = match op.class() {
        Class::Literal if op == Op::LiteralText => edit.text("text"),
        Class::Literal => edit.literal(&[1, 2]),
        Class::Decoration => {
            let decoration = edit.unique(op, None, &operands);
            edit.decorate(function, decoration);
            decoration
        }
        Class::ModuleInstruction | Class::Type | Class::Constant => edit.append_global(op, ty, &operands),
        _ => match op {
            Op::Module => edit.module().root(),
            Op::Generic | Op::Interface => edit.append_global(op, ty, &operands),
            Op::Function => function.into(),
            Op::Block => blocks[0].into(),
            Op::EdgeBlock => edit.append(function, op, None, &[]),
            Op::FunctionParameter => edit.insert(Position::AtStart(function.into()), op, ty, &[]),
            _ => edit.append(blocks[0], op, ty, &operands),
        },
    };
    (module, inst)
}

fn without_result(line: &str) -> &str {
    line.split_once(" = ").map_or(line, |(_, right)| right)
}

#[test]
fn s01_one_walk_copies_hashes_prints_and_compares_every_op() {
    let mut fingerprints = Vec::new();
    for &op in Op::ALL.iter().filter(|op| op.class() != Class::Removed) {
        let (mut module, inst) = one_of(op);
        assert_eq!(module.op(inst), op);
        let printed = print(&module);
        let again = parse(&printed).unwrap_or_else(|error| panic!("{}: {error}\n{printed}", op.name()));
        assert_eq!(print(&again), printed, "{}", op.name());
        compare(&module, &again).unwrap_or_else(|difference| panic!("{}: {difference}", op.name()));
        assert_eq!(fingerprint(&module), fingerprint(&again), "{}", op.name());
        fingerprints.push(fingerprint(&module));
        if op.is_hoistable() || op.is_container() {
            continue;
        }
        let copy = module.edit().copy(&[inst], &mut Copies::new())[0];
        assert_ne!(copy, inst);
        module.edit().move_to(copy, Position::After(inst));
        let lines = [inst, copy].map(|inst| print_inst(&module, inst));
        assert_eq!(without_result(&lines[0]), without_result(&lines[1]));
    }
    // Module, function, block, function parameter, literals: what the start has, or what stands nowhere.
    fingerprints.sort_unstable();
    fingerprints.dedup();
    assert!(fingerprints.len() + 6 >= Op::ALL.len() - Class::Removed.ops().len(), "{}", fingerprints.len());
}

#[test]
fn s01_a_copied_function_is_like_its_original() {
    let source = "
        %u32 = type_int 32, 0
        %bool = type_bool
        %file = string \"f\"
        func %f: %u32 (%n: %u32) {
        block ^entry:
          %size = type_array %u32, %n
          loop ^header(%n) break ^done continue ^header control 0 at %file 1:2
        block ^header(%i: %u32 {decorate RelaxedPrecision}):
          %value: %size = undef
          %c: %bool = undef at none
          branch_if %c ^back ^done
        edge ^back:
          branch ^header(%i)
        block ^done:
          return_value %i
        }";
    let module = parse(source).unwrap();
    let mut twice = module.clone();
    let function = twice.functions().next().unwrap().inst();
    let copy = twice.edit().copy(&[function], &mut Copies::new())[0];
    twice.edit().place_global(copy);
    let names: Vec<Inst> = twice.descendants(function).collect();
    let inside: Vec<Inst> = twice.descendants(copy).collect();
    assert_eq!(names.len(), inside.len());
    for &inst in &inside {
        assert!(
            twice.operands(inst).chain(twice.ty(inst)).all(|operand| !names.contains(&operand)),
            "{inst} uses the original"
        );
    }
    twice.edit().delete(function);
    compare(&module, &twice).unwrap_or_else(|difference| panic!("{difference}"));
    assert_eq!(fingerprint(&module), fingerprint(&twice));
}

#[test]
fn s01_differences_are_found() {
    let text = "
        %u32 = type_int 32, 0
        %one: %u32 = constant 1
        %two: %u32 = constant 2
        func %f: %u32 (%n: %u32 {decorate RelaxedPrecision}) {
        block ^entry:
          %sum: %u32 = i_add %n, %one
          return_value %sum
        }";
    let module = parse(text).unwrap();
    let reordered =
        text.replace("%one: %u32 = constant 1", "").replace("constant 2", "constant 2\n%one: %u32 = constant 1");
    compare(&module, &parse(&reordered).unwrap()).unwrap_or_else(|difference| panic!("{difference}"));
    assert_eq!(fingerprint(&module), fingerprint(&parse(&reordered).unwrap()));
    let changes = [
        ("i_add %n, %one", "i_add %one, %n", "operands"),
        ("i_add %n, %one", "i_sub %n, %one", "ops"),
        ("%sum", "%total", "names"),
        ("constant 2", "constant 3", "types and constants"),
        ("%two: %u32 = constant 2", "", "numbers of types and constants"),
        ("decorate RelaxedPrecision", "decorate NoSignedWrap", "decorations"),
        ("i_add %n, %one", "i_add %n, %one at none", "locations"),
        ("return_value", "nop\nreturn_value", "children"),
    ];
    for (from, to, _) in changes {
        let other = parse(&text.replace(from, to)).unwrap();
        assert!(compare(&module, &other).is_err() && compare(&other, &module).is_err(), "{from} => {to}");
        assert_ne!(fingerprint(&module), fingerprint(&other), "{from} => {to}");
    }
}

#[test]
fn s03_classes_are_ranges() {
    let mut next = 0;
    for &class in Class::ALL {
        assert!(!class.ops().is_empty());
        for &op in class.ops() {
            assert_eq!((op as usize, op.class()), (next, class), "{}", op.name());
            next += 1;
        }
    }
    assert_eq!(next, Op::ALL.len());
    for &op in Op::ALL {
        assert_eq!(Type::accepts(op), Class::Type.ops().contains(&op));
        assert_eq!(Terminator::accepts(op), Class::Terminator.ops().contains(&op));
        assert_eq!(Parameter::accepts(op), [Op::FunctionParameter, Op::BlockParameter].contains(&op));
    }
}

#[test]
fn s20_decorations_survive_copy_and_text() {
    let text = "\
%u32 = type_int 32, 0
%float = type_float 32
%7 = type_function %u32
%scope: %u32 = constant 5
%node = type_struct %u32, %float {member_name 0 \"a b\", member_decorate 1 Offset 4, decorate 60000 1 \"x\", decorate_id UniformId %scope, \
decorate_string UserSemantic \"SV_\\xff\"}

func %f: %u32 () type %7 control 0 stage graph {decorate LinkageAttributes \"f\" 0} {
block ^entry {decorate 60001}:
  %x: %u32 = undef {decorate RelaxedPrecision}
  return_value %x {decorate 60002}
}
";
    let mut module = parse(text).unwrap();
    assert_eq!(print(&module), text);
    let function = module.functions().next().unwrap().inst();
    let copy = module.edit().copy(&[function], &mut Copies::new())[0];
    let originals: Vec<Inst> = module.descendants(function).collect();
    for (original, copied) in originals.into_iter().zip(module.descendants(copy)) {
        assert_eq!(module.decorations(original), module.decorations(copied));
    }
}

#[test]
fn s23_an_instruction_takes_28_bytes_and_an_operand_16() {
    let Start { mut module, u32_type, function, parameter, .. } = start(0);
    let mut build = Builder::new(&mut module);
    let mut value = parameter;
    for index in 0..5_000 {
        let block = build.add_block(function);
        build.at_end(block);
        let constant = build.constant_word(u32_type, index);
        for _ in 0..10 {
            value = build.i_add(u32_type, &[value, constant]);
        }
        build.return_value(&[value]);
    }
    let used = module.memory();
    let all: Vec<Inst> = (0..module.capacity()).map(Inst::new).collect();
    let operand_bytes = |&inst: &Inst| {
        // The type is an operand, and a list of children is two. A literal has words instead.
        let slots = module.operand_count(inst)
            + usize::from(module.ty(inst).is_some())
            + 2 * usize::from(module.op(inst).is_container());
        let words = if module.op(inst).is_literal() { 1 + module.literal_words(inst).len() } else { 0 };
        16 * slots + 4 * words
    };
    assert_eq!(used.instruction_bytes, 28 * all.len());
    assert_eq!(used.operand_bytes, all.iter().map(operand_bytes).sum::<usize>());
}

/// What was deleted has no slots, so no list of children either; nothing may be written where it was.
#[test]
#[should_panic(expected = "nothing can be placed in what was deleted")]
fn nothing_is_placed_in_what_was_deleted() {
    let text =
        "%void = type_void\nfunc %f: %void () {\nblock ^a:\n  return\n}\nfunc %g: %void () {\nblock ^b:\n  return\n}\n";
    let mut module = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let functions: Vec<_> = module.functions().collect();
    let block = module.entry(functions[1]).expect("it has one");
    module.edit().delete(functions[0]);
    module.edit().move_to(block, Position::AtEnd(functions[0].into()));
}

#[test]
fn a_number_that_is_free_stays_free_when_it_is_deleted() {
    let mut module = Module::with_numbers(8);
    module.edit().delete(Inst::new(5));
    assert!(module.edit().is_vacant(5));
    module.edit().create_numbered(5, Op::TypeVoid, None, &[], &[]);
    assert_eq!(module.op(Inst::new(5)), Op::TypeVoid);
}
