//! Every rule fires: for each a valid module, a small change, and that rule's code, alone.

use crate::common::{build, codes, show};
use reconverge_ir::{
    Block, Builder, Editor, Function, Inst, Module, Op, Position, Stage, function, terminator::operand,
};
use reconverge_verify::{Code, verify};

/// A rule of structured control flow, a valid function and one that breaks the rule. See `common` for the spelling.
#[rustfmt::skip]
const TABLES: &[(Code, &str, &str)] = &[
    (Code::R1, "e br a | a return", "e br a | a br e"),
    (Code::R3, "e br a | a br b | b return", "e br a | b return | a br b"),
    (Code::R8, "e br a | a return", "e if a a | a return"),
    (Code::R11, "e br h | h L m c br c | c br h | m return", "e br h | h L m c return | c br h | m return"),
    (Code::R14, "e br a | a br b | b return", "e br a | a br b | b br a"),
    (Code::R15, "e S m sw m 0:a | a br m | m return", "e sw m 0:a | a br m | m return"),
    (Code::R16, "e S m if a m | a br m | m return", "e if a m | a br m | m return"),
    (Code::R16,
        "e S x if b x | b L m b if b m | m br x | x return",
        "e if b x | b L m b if b m | m return | x return"),
    (Code::R17,
        "e S om if a om | a S im if x im | x br im | im br om | om return",
        "e S om if a om | a S om if x om | x br om | om return"),
    (Code::R18,
        "e S m if a b | a S am if x am | x br am | am br m | b br m | m return",
        "e S m if a b | a S am if x am | x br am | am br m | b br x | m return"),
    (Code::R19, "e br h | h L m c if b m | b br c | c br h | m return", "e br h | h L m c if b m | b if c h | c br h | m return"),
    (Code::R20, "e br c | c br h | h L m l if l m | l br h | m return", "e br c | c br h | h L m c if l m | l br h | m return"),
    (Code::R21,
        "e br h | h L m c br b | b S s if x s | x br s | s br c | c br l | l if h m | m return",
        "e br h | h L m c br b | b S s if x s | x br l | s br c | c br l | l if h m | m return"),
    (Code::R22,
        "e br h | h L m c if b m | b br c | c S d if r d | r br d | d br h | m return",
        "e br h | h L m c if b m | b br c | c S d if r d | r return | d br h | m return"),
    (Code::R23,
        "e S q if p x | p br h | h L m c br c | c br l | l br h | m return | x br q | q unreachable",
        "e S q if p x | p br h | h L m c br c | c br l | l br h | m return | x br l | q unreachable"),
    (Code::R24,
        "e S om if a om | a S im if x im | x br im | im br om | om return",
        "e S om if a om | a S im if x im | x br om | im br om | om return"),
    (Code::R25,
        "e br h1 | h1 L m1 c1 br h2 | h2 L m2 c2 br c2 | c2 if h2 m2 | m2 br c1 | c1 br h1 | m1 return",
        "e br h1 | h1 L m1 c1 br h2 | h2 L m2 c2 br c2 | c2 if h2 m1 | m2 br c1 | c1 br h1 | m1 return"),
    (Code::R25, "e br h | h L m h if h m | m return", "e br h | h L m h br m | m br h"),
    (Code::R26, "e br h | h L m c if b m | b br c | c br h | m return", "e br h | h L m c if b m | b br c | c br h | m br c"),
    (Code::R27,
        "e br h | h L m c br c | c br l | l if h m | m return",
        "e br h | h L m c br c | c br l | l S x if h m | m return | x unreachable"),
    (Code::R28, "e S m if a b | a br m | b return | m return", "e S m if a b | a br m | b return | m br b"),
    (Code::R29,
        "e br h | h L lm c br b | b S sm sw sm 0:x | x br c | sm br lm | c br h | lm return",
        "e br h | h L lm c br b | b S sm sw sm 0:c | sm br lm | c br h | lm return"),
    (Code::R30,
        "e S sm sw sm 0:x 1:y 2:z | x br y | y br sm | z br sm | sm return",
        "e S sm sw sm 0:x 1:y 2:z | x S q if y z | q unreachable | y br sm | z br sm | sm return"),
    (Code::R31,
        "e S sm sw d 0:x 1:y | d br sm | x br y | y br sm | sm return",
        "e S sm sw d 0:x 1:y | d br y | x br y | y br sm | sm return"),
    (Code::R32,
        "e S sm sw sm 0:x 1:y | x br y | y br sm | sm return",
        "e S sm sw sm 1:y 0:x | x br y | y br sm | sm return"),
    (Code::R33,
        "e S sm sw d 0:x 1:y 2:z | x br d | d br y | z br sm | y br sm | sm return",
        "e S sm sw d 0:x 2:z 1:y | x br d | d br y | z br sm | y br sm | sm return"),
    (Code::R34,
        "e S sm sw sm 0:x 2:x 1:y | x br sm | y br sm | sm return",
        "e S sm sw sm 0:x 1:y 2:x | x br sm | y br sm | sm return"),
];

/// A valid module that has something for every change below.
///
/// ```text
/// func callee: u32 (u32) { entry: sum = add, twice = add, return_value }
/// func main: void () {
///   entry: variable, call, image and sampler, sampled image, sample, loop header
///   header: switch 0: case, 1: other, merge after
///   after (edge to break), latch, done(parameter)
/// }
/// ```
struct Example {
    module: Module,
    callee: Function,
    main: Function,
    blocks: Vec<Block>,
    sum: Inst,
    twice: Inst,
    variable: Inst,
    call: Inst,
    sample: Inst,
    seven: Inst,
    spare: Inst,
    u32_type: Inst,
    bool_type: Inst,
}

impl Example {
    fn new() -> Example {
        let mut module = Module::new();
        let mut build = Builder::new(&mut module);
        // SPIR-V 1.6, whose rules are the strictest.
        let header = [0x0001_0600, 0, 0].map(|word| build.editor().word(word));
        build.spirv_header(&header);
        let (void, u32_type, bool_type) = (build.void_type(), build.int_type(32), build.bool_type());
        let (seven, condition) = (build.constant_word(u32_type, 7), build.constant_bool(true));
        let callee = build.add_function(u32_type, &[u32_type]);
        let entry = build.add_block(callee);
        let parameter = build.module().parameters(callee).next().expect("there is a parameter").inst();
        build.at_end(entry);
        let sum = build.i_add(u32_type, &[parameter, seven]);
        let twice = build.i_add(u32_type, &[sum, sum]);
        build.return_value(&[twice]);

        let main = build.add_function(void, &[]);
        build.editor().set_stage(main, Stage::Structured);
        let blocks: Vec<Block> = (0..7).map(|_| build.add_block(main)).collect();
        let [entry, header, case, other, after, latch, done] = blocks[..] else { unreachable!("seven blocks") };
        build.add_parameter(done, u32_type);
        build.at_end(entry);
        let class = build.editor().word(7);
        let pointer = build.pointer_type(7, u32_type);
        let variable = build.variable(pointer, &[class]);
        let call = build.function_call(u32_type, &[callee.inst(), seven]);
        let sample = build_sample(&mut build);
        let control = build.editor().word(0);
        build.r#loop(&[header.inst(), done.inst(), latch.inst(), control]);
        build.at_end(header);
        build.branch(&[case.inst()]);
        build.at_end(case);
        let labels = [build.editor().word(0), build.editor().word(1)];
        let spare = build.float_type(16);
        build.structured_switch(&[
            seven,
            after.inst(),
            after.inst(),
            control,
            labels[0],
            other.inst(),
            labels[1],
            other.inst(),
        ]);
        build.at_end(other);
        build.return_();
        build.at_end(after);
        build.branch(&[latch.inst()]);
        build.at_end(latch);
        let exit = build.editor().insert(Position::After(latch.inst()), Op::EdgeBlock, None, &[]);
        let back = build.editor().insert(Position::After(latch.inst()), Op::EdgeBlock, None, &[]);
        build.branch_if(&[condition, back, exit]);
        build.editor().append(back, Op::Branch, None, &[header.inst()]);
        build.editor().append(exit, Op::Branch, None, &[done.inst(), seven]);
        build.at_end(done);
        build.return_();
        Example { module, callee, main, blocks, sum, twice, variable, call, sample, seven, spare, u32_type, bool_type }
    }

    fn terminator(&self, block: usize) -> Inst {
        self.module.terminator(self.blocks[block]).expect("the block ends").inst()
    }

    fn edit(&mut self) -> Editor<'_> {
        self.module.edit()
    }
}

trait Return {
    fn return_(&mut self);
}

impl Return for Builder<'_> {
    fn return_(&mut self) {
        self.emit(Op::Return, None, &[]);
    }
}

fn build_sample(build: &mut Builder<'_>) -> Inst {
    let float = build.float_type(32);
    let word = |build: &mut Builder<'_>, word| build.editor().word(word);
    let [dim, zero, one] = [1, 0, 1].map(|value| word(build, value));
    let image_type = build.type_image(&[float, dim, zero, zero, zero, one, zero]);
    let sampler_type = build.type_sampler(&[]);
    let sampled_type = build.type_sampled_image(&[image_type]);
    let two = word(build, 2);
    let pair = build.type_vector(&[float, two]);
    let four = word(build, 4);
    let color = build.type_vector(&[float, four]);
    let parts = [image_type, sampler_type, pair].map(|ty| build.undef(ty, &[]));
    let sampled = build.sampled_image(sampled_type, &parts[..2]);
    build.image_sample_implicit_lod(color, &[sampled, parts[2]])
}

/// A rule and a change that breaks it.
type Mutation = (Code, fn(&mut Example));

const MUTATIONS: &[Mutation] = &[
    (Code::I01, |example| {
        let sum = example.sum;
        example.edit().delete(sum);
    }),
    (Code::I01, |example| {
        let sum = example.sum;
        example.edit().detach(sum);
    }),
    (Code::I02, |example| {
        let (block, into) = (example.blocks[6], example.blocks[5]);
        example.edit().move_to(block, Position::AtStart(into.inst()));
    }),
    (Code::I03, |example| {
        let (sum, seven) = (example.sum, example.seven);
        example.edit().set_operands(sum, &[seven]);
    }),
    (Code::I03, |example| {
        let (sum, seven) = (example.sum, example.seven);
        example.edit().set_operands(sum, &[seven, seven, seven]);
    }),
    (Code::I03, |example| {
        let sum = example.sum;
        let literal = example.edit().word(3);
        example.edit().set_operand(sum, 1, literal);
    }),
    (Code::I04, |example| {
        let (sum, ty) = (example.sum, example.u32_type);
        example.edit().set_operand(sum, 1, ty);
    }),
    (Code::I04, |example| {
        let (sum, seven) = (example.sum, example.seven);
        example.edit().set_type(sum, seven);
    }),
    (Code::I05, |example| {
        let (spare, block) = (example.spare, example.blocks[0]);
        example.edit().move_to(spare, Position::AtStart(block.inst()));
    }),
    (Code::I06, |example| {
        let (callee, main_type) = (example.callee, example.module.operand(example.main, function::FUNCTION_TYPE));
        let call = example.call;
        example.edit().delete(call);
        example.edit().set_operand(callee, function::FUNCTION_TYPE, main_type);
    }),
    (Code::I07, |example| {
        let (call, callee) = (example.call, example.callee);
        example.edit().set_operands(call, &[callee.inst()]);
    }),
    (Code::I07, |example| {
        let (call, ty) = (example.call, example.bool_type);
        example.edit().set_type(call, ty);
    }),
    (Code::I08, |example| {
        let parameter = example.module.parameters(example.blocks[6]).next().expect("there is a parameter");
        let terminator = example.terminator(6);
        let ty = example.u32_type;
        let value = example.edit().insert(Position::Before(terminator), Op::Undef, Some(ty), &[]);
        example.edit().move_to(parameter, Position::After(value));
    }),
    (Code::I09, |example| {
        let (terminator, foreign) =
            (example.terminator(4), example.module.entry(example.callee).expect("the callee has a body"));
        example.edit().set_operand(terminator, operand::TARGET, foreign);
    }),
    (Code::I10, |example| {
        let (latch, header) = (example.terminator(5), example.blocks[1]);
        example.edit().set_operand(latch, operand::TRUE, header);
    }),
    (Code::I11, |example| {
        let (other, ty) = (example.blocks[3], example.u32_type);
        example.edit().insert(Position::AtStart(other.inst()), Op::BlockParameter, Some(ty), &[]);
    }),
    (Code::I12, |example| {
        let (terminator, target) = (example.terminator(0), example.blocks[1].inst());
        example.edit().delete(terminator);
        let entry = example.blocks[0];
        let way = example.edit().insert(Position::After(entry.inst()), Op::EdgeBlock, None, &[]);
        let operands: Vec<Inst> = [target, example.blocks[6].inst(), example.blocks[5].inst()].into();
        let control = example.edit().word(0);
        example.edit().append(way, Op::Loop, None, &[operands[0], operands[1], operands[2], control]);
        example.edit().append(entry, Op::Branch, None, &[target]);
    }),
    (Code::I03, |example| {
        let end = example.terminator(6);
        let i_add = example.edit().word(128);
        example.edit().insert(Position::Before(end), Op::OpaquePlain, None, &[i_add]);
    }),
    (Code::L1, |example| {
        let (latch, ty) = (example.terminator(5), example.bool_type);
        example.edit().insert(Position::Before(latch), Op::LaunchedLanes, Some(ty), &[]);
    }),
    (Code::L2, |example| {
        let main = example.main;
        example.edit().set_stage(main, Stage::Masked);
    }),
    (Code::L3, |example| {
        let (callee, ty, seven) = (example.callee, example.bool_type, example.seven);
        let entry = example.module.entry(callee).expect("there is a body");
        let end = example.module.terminator(entry).expect("the block has an end").inst();
        let mut build = Builder::new(&mut example.module);
        build.editor().set_stage(callee, Stage::Masked);
        build.editor().delete(end);
        let arms = [(); 2].map(|()| build.add_block(callee));
        for arm in arms {
            build.at_end(arm);
            build.return_value(&[seven]);
        }
        let lanes = build.editor().append(entry, Op::LaunchedLanes, Some(ty), &[]);
        build.editor().append(entry, Op::BranchIf, None, &[lanes, arms[0].inst(), arms[1].inst()]);
    }),
    (Code::I13, |example| {
        let ty = example.u32_type;
        let structure = example.edit().append_global(Op::TypeStruct, None, &[ty]);
        example.edit().set_operand(structure, 0, structure);
    }),
    (Code::I14, |example| {
        let (ty, count) = (example.u32_type, example.edit().word(5));
        example.edit().append_global(Op::TypeVector, None, &[ty, count]);
    }),
    (Code::R1, |example| {
        let (entry, ty) = (example.blocks[0], example.u32_type);
        example.edit().insert(Position::AtStart(entry.inst()), Op::BlockParameter, Some(ty), &[]);
    }),
    (Code::R2, |example| {
        let terminator = example.terminator(3);
        example.edit().delete(terminator);
    }),
    (Code::R2, |example| {
        let terminator = example.terminator(3);
        example.edit().insert(Position::Before(terminator), Op::Return, None, &[]);
    }),
    (Code::R4, |example| {
        let (sum, twice) = (example.sum, example.twice);
        example.edit().move_to(sum, Position::After(twice));
    }),
    (Code::R4, |example| {
        let (sum, block) = (example.sum, example.blocks[2]);
        example.edit().move_to(sum, Position::AtStart(block.inst()));
    }),
    (Code::R4, |example| {
        let (late, ty, seven) = (example.terminator(3), example.u32_type, example.seven);
        let value = example.edit().insert(Position::Before(late), Op::IAdd, Some(ty), &[seven, seven]);
        let used = example.terminator(4);
        example.edit().insert(Position::Before(used), Op::IAdd, Some(ty), &[value, value]);
    }),
    // What holds the definition lives, but stands nowhere.
    (Code::R4, |example| {
        let sum = example.sum;
        let block = example.edit().create(Op::Block, None, &[]);
        example.edit().move_to(sum, Position::AtEnd(block));
    }),
    // What holds the definition is a function, but stands where no functions are.
    (Code::R4, |example| {
        let (root, callee, sum, ty) = (example.module.root(), example.callee, example.sum, example.u32_type);
        let used = example.terminator(4);
        example.edit().move_to(callee, Position::AtStart(root));
        example.edit().insert(Position::Before(used), Op::IAdd, Some(ty), &[sum, sum]);
    }),
    (Code::R5, |example| {
        let (done, ty) = (example.blocks[6], example.u32_type);
        example.edit().insert(Position::AtStart(done.inst()), Op::BlockParameter, Some(ty), &[]);
    }),
    (Code::R5, |example| {
        let (parameter, ty) =
            (example.module.parameters(example.blocks[6]).next().expect("there is a parameter"), example.bool_type);
        example.edit().set_type(parameter, ty);
    }),
    (Code::R6, |example| {
        let (sample, block) = (example.sample, example.blocks[2]);
        example.edit().move_to(sample, Position::AtStart(block.inst()));
    }),
    (Code::R7, |example| {
        let (variable, block) = (example.variable, example.blocks[2]);
        example.edit().move_to(variable, Position::AtStart(block.inst()));
    }),
    (Code::R7, |example| {
        let (variable, call) = (example.variable, example.call);
        example.edit().move_to(variable, Position::After(call));
    }),
    (Code::R7, |example| {
        let (variable, ty) = (example.variable, example.u32_type);
        example.edit().set_type(variable, ty);
    }),
    (Code::R7, |example| {
        let (variable, pointee) = (example.variable, example.u32_type);
        let private = Builder::new(&mut example.module).pointer_type(6, pointee);
        example.edit().set_type(variable, private);
    }),
    (Code::R8, |example| {
        let (latch, seven) = (example.terminator(5), example.seven);
        example.edit().set_operand(latch, operand::CONDITION, seven);
    }),
    (Code::R8, |example| {
        let latch = example.terminator(5);
        let operands: Vec<Inst> = example.module.operands(latch).collect();
        let weight = example.edit().word(1);
        example.edit().set_operands(latch, &[operands[0], operands[1], operands[2], weight]);
    }),
    (Code::R9, |example| {
        let switch = example.terminator(2);
        let first = example.module.operand(switch, operand::STRUCTURED_SWITCH_CASES);
        example.edit().set_operand(switch, operand::STRUCTURED_SWITCH_CASES + 2, first);
    }),
    (Code::R9, |example| {
        let switch = example.terminator(2);
        let wide = example.edit().literal(&[0, 0]);
        example.edit().set_operand(switch, operand::STRUCTURED_SWITCH_CASES, wide);
    }),
    (Code::R9, |example| {
        let switch = example.terminator(2);
        let mut build = Builder::new(&mut example.module);
        let condition = build.constant_bool(true);
        build.editor().set_operand(switch, operand::CONDITION, condition);
    }),
    (Code::R10, |example| {
        let terminator = example.terminator(6);
        let (seven, done) = (example.seven, example.blocks[6]);
        example.edit().delete(terminator);
        example.edit().append(done, Op::ReturnValue, None, &[seven]);
    }),
    (Code::R10, |example| {
        let terminator = example.terminator(6);
        let (main, done) = (example.main, example.blocks[6]);
        example.edit().delete(terminator);
        example.edit().append(done, Op::Kill, None, &[]);
        let operands = [example.edit().word(5), main.inst(), example.edit().text("main")];
        example.edit().append_global(Op::EntryPoint, None, &operands);
    }),
    (Code::R12, |example| {
        let (terminator, latch) = (example.terminator(0), example.blocks[5]);
        example.edit().set_operand(terminator, operand::BREAK, latch);
    }),
    (Code::R12, |example| {
        let terminator = example.terminator(0);
        let control = example.edit().word(3);
        example.edit().set_operand(terminator, operand::LOOP_CONTROL, control);
    }),
    (Code::R12, |example| {
        let terminator = example.terminator(0);
        let control = example.edit().literal(&[1 << 4 | 1 << 6, 9, 0]);
        example.edit().set_operand(terminator, operand::LOOP_CONTROL, control);
    }),
];

/// So many selections, one in the other.
fn nested(depth: usize) -> String {
    let open: Vec<String> = (0..depth).map(|i| format!("s{i} S m{i} if s{} m{i}", i + 1)).collect();
    let close: Vec<String> = (0..depth)
        .rev()
        .map(|i| format!("m{i} {}", if i == 0 { "return".to_owned() } else { format!("br m{}", i - 1) }))
        .collect();
    format!("{} | s{depth} br m{} | {}", open.join(" | "), depth - 1, close.join(" | "))
}

#[test]
fn the_valid_modules_are_valid() {
    for (code, valid, _) in TABLES {
        let findings = verify(&build(valid));
        assert!(findings.is_empty(), "base of {code}: {}", show(&findings));
    }
    let findings = verify(&Example::new().module);
    assert!(findings.is_empty(), "{}", show(&findings));
}

#[test]
fn each_change_breaks_its_rule_and_no_other() {
    let mut wrong = String::new();
    for (code, _, broken) in TABLES {
        let module = build(broken);
        if codes(&module) != [*code] {
            wrong += &format!("{code}: {}\n", show(&verify(&module)));
        }
    }
    for (number, (code, change)) in MUTATIONS.iter().enumerate() {
        let mut example = Example::new();
        change(&mut example);
        if codes(&example.module) != [*code] {
            wrong += &format!("{number}, {code}: {}\n", show(&verify(&example.module)));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn nesting_has_a_limit() {
    assert!(verify(&build(&nested(1023))).is_empty());
    assert_eq!(codes(&build(&nested(1025))), [Code::R13]);
}

#[test]
fn every_rule_has_a_change() {
    let changed = |code: &Code| {
        TABLES.iter().any(|row| row.0 == *code) || MUTATIONS.iter().any(|row| row.0 == *code) || *code == Code::R13
    };
    // What compares two versions of a module has tests of its own, in `motion/`.
    let is_motion = |code: &Code| (Code::C1..=Code::C6).contains(code);
    // Rules of types and of whole modules have theirs in `rules.rs`.
    let is_typing = |code: &Code| (Code::T01..=Code::E05).contains(code);
    // Rules of type-level code have theirs in `generics.rs`.
    let is_generic = |code: &Code| (Code::G01..=Code::G08).contains(code);
    let is_elsewhere = |code: &Code| is_motion(code) || is_typing(code) || is_generic(code);
    let missing: Vec<&Code> = Code::ALL.iter().filter(|code| !is_elsewhere(code) && !changed(code)).collect();
    assert!(missing.is_empty(), "no change breaks {missing:?}");
}

#[test]
fn findings_tell_where_and_what() {
    let mut example = Example::new();
    let (latch, header) = (example.terminator(5), example.blocks[1]);
    example.edit().set_operand(latch, operand::TRUE, header);
    let findings = verify(&example.module);
    let finding = &findings[0];
    assert_eq!((finding.function, finding.block), (Some(example.main), Some(example.blocks[5])));
    assert_eq!(finding.edge, Some((example.blocks[5], header)));
    assert_eq!(finding.inst, Some(latch));
    assert!(finding.context.contains("branch_if"), "{}", finding.context);
    assert_eq!(finding.suggestion.as_deref(), Some(Code::I10.suggestion()));
}
