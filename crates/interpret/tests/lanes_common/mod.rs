//! What the tests of operations that lanes execute together are built with.

use reconverge_interpret::{Argument, Contents, End, Images, Interpreter, Launch, Outcome, Value, no_externals};
use reconverge_ir::{Function, Inst, Module};

/// Types and constants that every program has.
const HEAD: &str = "%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%f32 = type_float 32
%u32x2 = type_vector %u32, 2
%u32x3 = type_vector %u32, 3
%u32x4 = type_vector %u32, 4
%f32x2 = type_vector %f32, 2
%f32x3 = type_vector %f32, 3
%f32x4 = type_vector %f32, 4
%true: %bool = constant_true
%c0: %u32 = constant 0
%c1: %u32 = constant 1
%c2: %u32 = constant 2
%c3: %u32 = constant 3
%c4: %u32 = constant 4
%c5: %u32 = constant 5
%c8: %u32 = constant 8
%c16: %u32 = constant 16
%f0: %f32 = constant 0
";

/// A module whose function `f` is run.
pub(crate) struct Program {
    pub module: Module,
    pub function: Function,
}

impl Program {
    /// `text` behind the types and constants.
    pub(crate) fn new(text: &str) -> Program {
        let text = format!("{HEAD}{text}");
        let module = reconverge_ir::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let function = module.functions().find(|&function| module.name(function).as_deref() == Some("f"));
        Program { function: function.expect("a function called f"), module }
    }

    /// A function of one block that computes `%result`; `globals` stand before it.
    pub(crate) fn of(globals: &str, (parameters, ty): (&str, &str), body: &str) -> Program {
        Program::new(&format!(
            "{globals}
func %f: {ty} ({parameters}) stage structured {{
block ^entry:
{body}
  return_value %result
}}
"
        ))
    }

    /// The same, executed by those lanes alone whose first parameter is true; the others return undefined.
    pub(crate) fn of_some(globals: &str, (parameters, ty): (&str, &str), body: &str) -> Program {
        Program::new(&format!(
            "{globals}
%absent: {ty} = undef
func %f: {ty} (%there: %bool, {parameters}) stage structured {{
block ^entry:
  if %there ^then ^otherwise merge ^join
block ^then:
{body}
  branch ^join(%result)
block ^otherwise:
  branch ^join(%absent)
block ^join(%value: {ty}):
  return_value %value
}}
"
        ))
    }

    pub(crate) fn run(&self, launch: &Launch) -> Outcome {
        let outcome = Interpreter::new(&self.module).run(self.function, launch, &mut no_externals);
        outcome.unwrap_or_else(|error| panic!("the launch fits: {error}"))
    }

    /// What each lane returns.
    pub(crate) fn values(&self, launch: &Launch) -> Vec<Value> {
        self.run(launch).lanes.into_iter().map(|lane| returned(lane.end)).collect()
    }

    /// The instruction at module level of that name.
    pub(crate) fn global(&self, name: &str) -> Inst {
        let found = self.module.globals().find(|&inst| self.module.name(inst).as_deref() == Some(name));
        found.unwrap_or_else(|| panic!("no {name}"))
    }

    pub(crate) fn contents(&self, name: &str, value: Value) -> Contents {
        Contents { variable: self.global(name), lane: None, value }
    }
}

pub(crate) fn returned(end: End) -> Value {
    match end {
        End::Returned(Some(value)) => value,
        end => panic!("expected a value, but the lane {end}"),
    }
}

/// As many lanes as each argument has values, with these arguments.
pub(crate) fn lanes(arguments: Vec<Vec<Value>>) -> Launch {
    let lanes = arguments.first().map_or(1, Vec::len);
    Launch { lanes, arguments: arguments.into_iter().map(Argument::PerLane).collect(), ..Launch::default() }
}

pub(crate) fn with_images(launch: Launch, images: Images) -> Launch {
    Launch { images: Some(images), ..launch }
}

pub(crate) fn words(values: &[u32]) -> Vec<Value> {
    values.iter().map(|&value| Value::u32(value)).collect()
}

pub(crate) fn floats(values: &[f32]) -> Vec<Value> {
    values.iter().map(|&value| Value::f32(value)).collect()
}

pub(crate) fn flags(values: &[bool]) -> Vec<Value> {
    values.iter().map(|&value| Value::Bool(value)).collect()
}

pub(crate) fn vector(components: &[f32]) -> Value {
    Value::composite(floats(components))
}

pub(crate) fn word_vector(components: &[u32]) -> Value {
    Value::composite(words(components))
}

/// Pseudo-random numbers (xorshift, Marsaglia 2003).
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn word(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as u32
    }
}
