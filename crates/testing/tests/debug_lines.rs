//! Lines and scopes stay true: random shaders with debug information of each form, at every level. Each instruction has a line of its
//! own before, so that the line of a store tells which one it was, and the scope tells in which function it stood.

use std::collections::HashMap;

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format, compile};
use reconverge_ir::{Block, Function, Inst, Location, Module, Op, Position};
use reconverge_spirv::{ReadOptions, WriteOptions, read, write};
use reconverge_testing::is_deep;
use reconverge_testing::judge::{Environment, Validator};
use reconverge_testing::lanes::{Demand, Inputs, Shader, driver_program};

/// How debug information is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// `OpLine` alone.
    Line,
    /// `OpLine`, and `DebugScope` of `OpenCL.DebugInfo.100`.
    OpenCl,
    /// `DebugLine` and `DebugScope` of `NonSemantic.Shader.DebugInfo.100`.
    Shader,
}

/// Numbers of extended instructions.
mod number {
    pub(super) const COMPILATION_UNIT: u32 = 1;
    pub(super) const TYPE_FUNCTION: u32 = 8;
    pub(super) const FUNCTION: u32 = 20;
    pub(super) const SOURCE: u32 = 35;
    pub(super) const FUNCTION_DEFINITION: u32 = 101;
}

/// Writes debug information into a module.
struct Dresser<'m> {
    module: &'m mut Module,
    form: Form,
    void: Inst,
    file: Inst,
    set: Option<Inst>,
    source: Inst,
    line: u32,
}

impl Dresser<'_> {
    fn dress(module: &mut Module, form: Form) {
        let mut editor = module.edit();
        let [name, text] = ["file.comp", "void"].map(|text| editor.text(text));
        let [file, _] = [name, text].map(|text| {
            let string = editor.create(Op::String, None, &[text]);
            editor.place_global(string);
            string
        });
        let void = editor.unique(Op::TypeVoid, None, &[]);
        let set = match form {
            Form::Line => None,
            Form::OpenCl => Some("OpenCL.DebugInfo.100"),
            Form::Shader => Some("NonSemantic.Shader.DebugInfo.100"),
        };
        if form == Form::Shader {
            let extension = editor.text("SPV_KHR_non_semantic_info");
            let extension = editor.create(Op::Extension, None, &[extension]);
            editor.place_global(extension);
        }
        let set = set.map(|set| {
            let name = editor.text(set);
            let import = editor.create(Op::ExtInstImport, None, &[name]);
            editor.place_global(import);
            import
        });
        let mut dresser = Dresser { module, form, void, file, set, source: file, line: 0 };
        dresser.source = dresser.global(number::SOURCE, &[file]);
        let functions: Vec<Function> = dresser.module.functions().collect();
        functions.into_iter().for_each(|function| dresser.function(function));
    }

    /// A number as the set wants it: a literal or a constant.
    fn number(&mut self, word: u32) -> Inst {
        let mut editor = self.module.edit();
        if self.form != Form::Shader {
            return editor.word(word);
        }
        let [width, sign, word] = [32, 0, word].map(|word| editor.word(word));
        let ty = editor.unique(Op::TypeInt, None, &[width, sign]);
        editor.unique(Op::Constant, Some(ty), &[word])
    }

    fn global(&mut self, number: u32, operands: &[Inst]) -> Inst {
        let Some(set) = self.set else { return self.file };
        let mut editor = self.module.edit();
        let mut all = vec![set, editor.word(number)];
        all.extend(operands);
        let inst = editor.create(Op::ExtInst, Some(self.void), &all);
        editor.place_global(inst);
        inst
    }

    fn function(&mut self, function: Function) {
        let [zero, one, four] = [0, 1, 4].map(|word| self.number(word));
        let unit = self.global(number::COMPILATION_UNIT, &[one, four, self.source, four]);
        let ty = self.global(number::TYPE_FUNCTION, &[zero, self.void]);
        let (file, source) = (self.file, self.source);
        let mut operands = vec![file, ty, source, one, one, unit, file, zero, one];
        if self.form == Form::OpenCl {
            operands.push(function.into());
        }
        let described = self.global(number::FUNCTION, &operands);
        let blocks: Vec<Block> = self.module.blocks(function).collect();
        for &block in &blocks {
            let inside: Vec<Inst> = self.module.children(block).collect();
            inside.into_iter().for_each(|inst| self.locate(inst, described));
        }
        if let (Form::Shader, Some(set), Some(&entry)) = (self.form, self.set, blocks.first()) {
            let first = self.module.children(entry).find(|&inst| self.module.op(inst) != Op::Variable);
            let first = first.expect("a block has a terminator");
            let mut editor = self.module.edit();
            let number = editor.word(number::FUNCTION_DEFINITION);
            let operands = [set, number, described, function.into()];
            editor.insert(Position::Before(first), Op::ExtInst, Some(self.void), &operands);
        }
    }

    fn locate(&mut self, inst: Inst, function: Inst) {
        self.line += 1;
        let mut location = Location::at(self.file, self.line, 0);
        if let Some(set) = self.set {
            location.scope = Some(self.module.edit().unique(Op::DebugScope, None, &[set, function]));
        }
        if let (Form::Shader, Some(set)) = (self.form, self.set) {
            let [line, column] = [self.line, 0].map(|word| self.number(word));
            let operands = [set, self.source, line, line, column, column];
            location.range = Some(self.module.edit().unique(Op::DebugLine, None, &operands));
            location.line = None;
        }
        self.module.edit().set_location(inst, Some(location));
    }
}

/// The line of an instruction, and the function of its scope.
fn place(module: &Module, inst: Inst) -> (Option<u32>, Option<Inst>) {
    let Some(location) = module.location(inst) else { return (None, None) };
    let range = location.range.and_then(|range| module.literal_word(module.operand(range, 2)));
    let function = location.scope.map(|scope| module.operand(scope, 1));
    (location.line.map(|line| line.line).or(range), function)
}

fn stores(module: &Module) -> Vec<Inst> {
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    blocks.flat_map(|block| module.children(block)).filter(|&inst| module.op(inst) == Op::Store).collect()
}

/// What the program says, and how many of its stores were looked at and how many of these were inlined.
fn hold(seed: u64, form: Form, level: Level, validator: &Validator) -> (usize, usize) {
    let inputs = Inputs::new(4, seed);
    let shader = Shader::new(&driver_program(seed, Demand::Promised), &inputs, 64).expect("it can be written");
    let mut module = read(&shader.spirv, &ReadOptions::default()).expect("it can be read");
    Dresser::dress(&mut module, form);
    let bytes = write(&module, &WriteOptions::default()).expect("it can be written");
    let place_of = |message: String| format!("seed {seed}, {form:?}, {level:?}: {message}");
    if level == Level::None {
        validator.validate(&bytes, Environment::Vulkan1_3).unwrap_or_else(|message| panic!("{}", place_of(message)));
    }
    // Read anew, so that functions have the ids that they are known by behind.
    let before = read(&bytes, &ReadOptions::default()).expect("it can be read");
    let known: HashMap<u32, Option<Inst>> = stores(&before)
        .into_iter()
        .map(|store| place(&before, store))
        .map(|(line, function)| (line.expect("every store has a line"), function))
        .collect();
    let options = CompileOptions::new().level(level);
    let output = compile(&bytes, Format::SPIRV, Format::SPIRV, &options);
    let output = output.unwrap_or_else(|error| panic!("{}", place_of(error.to_string())));
    validator.validate(&output.bytes, Environment::Vulkan1_3).unwrap_or_else(|message| panic!("{}", place_of(message)));
    let after = read(&output.bytes, &ReadOptions::default()).expect("it can be read");
    let mut inlined = 0;
    for &store in &stores(&after) {
        let (line, function) = place(&after, store);
        let was = line.and_then(|line| known.get(&line));
        assert!(was.is_some(), "{}", place_of(format!("a store has line {line:?}, which no store had")));
        assert_eq!(was, Some(&function), "{}", place_of(format!("the scope of the store of line {line:?}")));
        let scope = after.location(store).and_then(|location| location.scope);
        inlined += usize::from(scope.is_some_and(|scope| after.operand_count(scope) > 2));
    }
    (stores(&after).len(), inlined)
}

#[test]
fn every_store_keeps_its_line_and_its_scope() {
    let validator = Validator::find().unwrap_or_else(|message| panic!("{message}"));
    for form in [Form::Line, Form::OpenCl, Form::Shader] {
        let (mut seen, mut inlined) = (0, 0);
        for seed in 0..if is_deep() { 2_000 } else { 25 } {
            for level in [Level::None, Level::Speed, Level::Size] {
                let (stores, moved) = hold(seed, form, level, &validator);
                seen += stores;
                inlined += moved;
            }
        }
        assert!(seen > 250, "{form:?}: {seen} stores");
        assert!(form == Form::Line || inlined > 25, "{form:?}: {inlined} inlined stores of {seen}");
    }
}
