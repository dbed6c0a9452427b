//! S21: what is printed reads back as the same, for random modules.

use reconverge_ir::compare::compare;
use reconverge_ir::text::{parse, print};
use reconverge_ir::{Block, Builder, Edge, Function, Inst, Location, Module, Op, Position, Stage, fingerprint};

use super::support::Random;

const NAMES: [&str; 8] = ["x", "y", "main", "f(vf4;", "0", "17", "a.b", "é"];

/// A module with everything in it that the text form knows, in no sensible order.
struct Generator {
    random: Random,
    module: Module,
    types: Vec<Inst>,
    values: Vec<Inst>,
    file: Inst,
}

fn random_module(seed: u64) -> Module {
    let mut random = Random::new(seed);
    let mut module = Module::with_numbers(random.below(3) as u32 * 10);
    let text = module.edit().text("file \u{1} \" name");
    let file = module.edit().append_global(Op::String, None, &[text]);
    let mut build = Builder::new(&mut module);
    let types = vec![build.int_type(32), build.bool_type(), build.float_type(32)];
    let values = vec![build.constant_word(types[0], 1), build.constant_bool(true)];
    let mut generator = Generator { random, module, types, values, file };
    generator.globals();
    for _ in 0..generator.random.below(4) {
        generator.function();
    }
    generator.notes();
    generator.module
}

impl Generator {
    fn chance(&mut self, one_in: usize) -> bool {
        self.random.below(one_in) == 0
    }

    fn ty(&mut self) -> Inst {
        self.types[self.random.below(self.types.len())]
    }

    fn value(&mut self) -> Inst {
        self.values[self.random.below(self.values.len())]
    }

    fn globals(&mut self) {
        for _ in 0..self.random.below(12) {
            let (ty, value) = (self.ty(), self.value());
            let class = self.random.below(14) as u32;
            let word = self.module.edit().word(class);
            let mut edit = self.module.edit();
            match self.random.below(7) {
                0 => self.types.push(edit.unique(Op::TypePointer, None, &[word, ty])),
                1 => self.types.push(edit.append_global(Op::TypeStruct, None, &[ty, ty])),
                2 => self.types.push(edit.unique(Op::TypeArray, None, &[ty, value])),
                3 => self.values.push(edit.append_global(Op::Variable, Some(ty), &[word, value])),
                4 => self.values.push(edit.append_global(Op::SpecConstant, Some(ty), &[word])),
                5 => {
                    let long = edit.literal(&[class, 2, 3][..self.random.below(4)]);
                    self.values.push(edit.unique(Op::Constant, Some(ty), &[long]));
                }
                _ => _ = edit.append_global(Op::Capability, None, &[word]),
            }
        }
    }

    fn function(&mut self) {
        let types: Vec<Inst> = (0..self.random.below(3)).map(|_| self.ty()).collect();
        let result = self.ty();
        let function = Builder::new(&mut self.module).add_function(result, &types);
        let blocks: Vec<Block> =
            (0..self.random.below(6)).map(|_| Builder::new(&mut self.module).add_block(function)).collect();
        let stage = Stage::ALL[self.random.below(3)];
        self.module.edit().set_stage(function, stage);
        let outside = self.values.len();
        self.values.extend(self.module.parameters(function).map(Inst::from));
        self.values.push(function.into());
        for &block in &blocks {
            if self.chance(3) {
                let ty = self.ty();
                self.values.push(Builder::new(&mut self.module).add_parameter(block, ty).into());
            }
            self.fill(function, block, &blocks);
        }
        if !blocks.is_empty() && self.chance(2) {
            let first: Option<Edge> = self.module.out_edges(blocks[0]).next();
            first.into_iter().for_each(|edge| _ = self.module.edit().split_edge(edge));
        }
        self.values.truncate(outside);
        self.values.push(function.into());
    }

    fn fill(&mut self, function: Function, block: Block, blocks: &[Block]) {
        for _ in 0..self.random.below(5) {
            let (ty, a, b) = (self.ty(), self.value(), self.value());
            let mut edit = self.module.edit();
            let inst = match self.random.below(5) {
                0 => edit.append(block, Op::Undef, Some(ty), &[]),
                1 => edit.append(block, Op::OpaqueTyped, Some(ty), &[a, b]),
                2 => edit.append(block, Op::Store, None, &[a, b]),
                3 => {
                    let local = edit.unique(Op::TypeArray, None, &[ty, a]);
                    edit.append(block, Op::Undef, Some(local), &[])
                }
                _ => edit.append(block, Op::IAdd, Some(ty), &[a, b]),
            };
            if self.module.op(inst).has_result() {
                self.values.push(inst);
            }
        }
        let targets: Vec<Inst> = (0..3).map(|_| blocks[self.random.below(blocks.len())].into()).collect();
        let value = self.value();
        let word = self.module.edit().literal(&[4, 8][..self.random.below(3)]);
        let operands = [value, targets[0], targets[1], targets[2], word];
        let mut edit = self.module.edit();
        match self.random.below(8) {
            0 => edit.append(block, Op::Branch, None, &[targets[0], value, value]),
            1 => edit.append(block, Op::BranchIf, None, &operands[..3]),
            2 => edit.append(block, Op::If, None, &operands),
            3 => edit.append(block, Op::Loop, None, &[targets[0], targets[1], targets[2], word, value]),
            4 => edit.append(block, Op::Switch, None, &[value, targets[0], word, targets[1], word, targets[2]]),
            5 => {
                edit.append(block, Op::StructuredSwitch, None, &[value, targets[0], targets[1], word, word, targets[2]])
            }
            6 => edit.append(block, Op::FunctionCall, None, &[function.into()]),
            _ => edit.append(block, Op::Unreachable, None, &[]),
        };
    }

    /// Names, decorations and locations, here and there.
    fn notes(&mut self) {
        let all: Vec<Inst> = self.module.descendants(self.module.root()).collect();
        for inst in all {
            if self.chance(3) {
                self.module.edit().set_name(inst, NAMES[self.random.below(NAMES.len())]);
            }
            if self.chance(5) {
                let kind = self.random.below(50) as u32;
                let operands = [self.module.edit().word(kind), self.values[0]];
                let decoration = self.module.edit().unique(Op::Decorate, None, &operands);
                self.module.edit().decorate(inst, decoration);
            }
            if self.chance(4) && self.module.is_live(inst) {
                let line = Location::at(self.file, self.random.below(99) as u32, 3);
                let location = if self.chance(4) { Location::NONE } else { line };
                self.module.edit().set_location(inst, Some(location));
            }
        }
    }
}

#[test]
fn s21_random_modules_read_back_as_they_were() {
    for seed in 1..=400 {
        let module = random_module(seed);
        let printed = print(&module);
        assert_eq!(print(&random_module(seed)), printed, "seed {seed}: two runs differ");
        let again = parse(&printed).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{printed}"));
        assert_eq!(print(&again), printed, "seed {seed}");
        compare(&module, &again).unwrap_or_else(|difference| panic!("seed {seed}: {difference}\n{printed}"));
        assert_eq!(fingerprint(&module), fingerprint(&again), "seed {seed}\n{printed}");
        crate::binary::settle(&module);
    }
}

#[test]
fn s21_numbers_are_kept() {
    let text = "%9 = type_void\n%2 = type_function %9\n\nfunc %7: %9 () type %2 control 0 stage graph {\nblock ^4:\n  return\n}\n";
    let mut module = parse(text).unwrap();
    assert_eq!(module.op(Inst::new(4)), Op::Block);
    assert_eq!(module.number_bound(), 10);
    assert_eq!(print(&module), text);
    let block = module.cast::<Block>(Inst::new(4)).unwrap();
    let terminator = module.terminator(block).unwrap();
    module.edit().insert(Position::Before(terminator.into()), Op::Undef, Some(Inst::new(9)), &[]);
    assert!(print(&module).contains("%10: %9 = undef"), "new ones get the next free number");
}
