//! Inputs for a function that nothing was given for: shaders, and functions of libraries.
//!
//! The first lanes of one work-group. What all lanes see, and what each has alone, are pseudo-random numbers, small ones, since programs
//! branch on these; images answer as a function of their operands. They depend on the number of the variable, of the lane and of the
//! element, so that the same function has the same inputs in every state of the module and on every machine.
//!
//! Recursive over types, whose nesting is bounded by their declarations.

use reconverge_interpret::{Argument, Contents, End, Images, Interpreter, Launch, Value, no_externals};
use reconverge_ir::decoration::{Binding, BuiltIn, DescriptorSet, Location};
use reconverge_ir::view::TypeView;
use reconverge_ir::{Function, Inst, Module, Op};
use spirv::StorageClass;

use super::data::{LaneLimits, LaneRun};
use super::recorder::{Ending, LaneRecorder};

/// The number of elements of an array of unknown length.
const RUNTIME_LENGTH: usize = 1024;
/// The most numbers in a variable; a larger one is undefined.
const NUMBERS_LIMIT: usize = 1 << 18;
/// Words of memory that a pointer parameter points to.
const WORDS: usize = 1024;
/// Integers are below this; floating-point numbers are eighths of them.
const BELOW: u64 = 9;
/// The seed of images.
const SEED: u64 = 1;

/// Runs a function of a module, with inputs that depend on its interface alone, and records its lanes.
///
/// # Errors
/// The reason why it cannot run: it has no body, or a parameter or variable has no known values.
pub fn run_function(module: &Module, function: Function) -> Result<LaneRun, String> {
    if !module.is_live(function) || module.entry(function).is_none() {
        return Err("The function is not there.".to_owned());
    }
    let mut launch = Launch {
        lanes: LaneLimits::LANES,
        fuel: LaneLimits::INSTRUCTIONS / LaneLimits::LANES as u64,
        images: Some(Images::arbitrary(SEED)),
        contents: contents(module),
        ..Launch::default()
    };
    for (index, parameter) in module.parameters(function).enumerate() {
        let argument = argument(module, parameter.inst(), index, &mut launch.buffers);
        launch.arguments.push(argument.ok_or_else(|| format!("No values are known for parameter {index}."))?);
    }
    let mut recorder = LaneRecorder::new(module);
    let ran = Interpreter::new(module).run_observed(function, &launch, &mut no_externals, &mut recorder);
    let outcome = ran.map_err(|error| format!("The interpreter does not run it: {error}."))?;
    let end = |lane: usize| &outcome.lanes[lane].end;
    Ok(recorder.finish(|lane| Ending { text: end(lane).to_string(), is_limit: matches!(end(lane), End::OutOfFuel(_)) }))
}

/// The contents of the variables of the interface.
fn contents(module: &Module) -> Vec<Contents> {
    let mut contents = Vec::new();
    for variable in module.globals() {
        let (Some(class), Some(ty)) = (module.storage_class(variable), module.pointee(variable)) else { continue };
        if module.op(variable) != Op::Variable || module.decorated(variable).find::<BuiltIn>().is_some() {
            continue;
        }
        let number = number_of(module, variable);
        let lanes = match class {
            StorageClass::Input => (0..LaneLimits::LANES).map(Some).collect(),
            StorageClass::Uniform | StorageClass::StorageBuffer | StorageClass::PushConstant => vec![None],
            _ => continue,
        };
        for lane in lanes {
            let mut numbers = Numbers::new(number, lane.unwrap_or(0));
            contents.extend(numbers.value(module, ty).map(|value| Contents { variable, lane, value }));
        }
    }
    contents
}

/// A number that a variable keeps from pass to pass: its place in the interface, or that of its instruction.
fn number_of(module: &Module, variable: Inst) -> u64 {
    let decorated = module.decorated(variable);
    let place = decorated.find().map(|Binding(binding)| {
        let set = decorated.find().map_or(0, |DescriptorSet(set)| set);
        u64::from(set) << 32 | u64::from(binding)
    });
    let place = place.or_else(|| decorated.find().map(|Location(location)| u64::from(location)));
    place.unwrap_or(variable.index() as u64)
}

fn argument(module: &Module, parameter: Inst, index: usize, buffers: &mut Vec<Vec<u8>>) -> Option<Argument> {
    let ty = module.ty(parameter)?;
    if let Some(TypeView::Pointer { .. }) = module.type_view(ty) {
        let mut numbers = Numbers::new(index as u64, 0);
        buffers.push((0..WORDS).flat_map(|_| (numbers.next() as u32).to_le_bytes()).collect());
        return Some(Argument::Buffer(buffers.len() - 1));
    }
    let values = (0..LaneLimits::LANES).map(|lane| Numbers::new(index as u64, lane).value(module, ty));
    values.collect::<Option<Vec<Value>>>().map(Argument::PerLane)
}

/// Small pseudo-random numbers: a linear congruential generator (Knuth, MMIX), of which the high bits are used.
struct Numbers {
    state: u64,
    /// The number of elements that may be added.
    left: usize,
}

impl Numbers {
    fn new(number: u64, lane: usize) -> Numbers {
        let state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ lane as u64;
        let mut numbers = Numbers { state, left: NUMBERS_LIMIT };
        numbers.next();
        numbers
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % BELOW
    }

    /// A value of a type; `None` for types other than numbers and their composites, and for too many numbers.
    fn value(&mut self, module: &Module, ty: Inst) -> Option<Value> {
        self.left = self.left.checked_sub(1)?;
        match module.type_view(ty)? {
            TypeView::Bool => Some(Value::Bool(self.next() % 2 == 1)),
            TypeView::Int { width, .. } => Some(Value::int(width as u8, self.next())),
            TypeView::Float { width, .. } => Some(Value::float(width as u8, self.next() as f64 / 8.0)),
            TypeView::Struct { members } => {
                let members: Option<Vec<Value>> = members.iter().map(|member| self.value(module, member)).collect();
                members.map(Value::composite)
            }
            view => {
                let count = match view {
                    TypeView::Vector { count, .. } | TypeView::Matrix { count, .. } => count as usize,
                    TypeView::Array { length, .. } => module.literal_word(length).map(|length| length as usize)?,
                    TypeView::RuntimeArray { .. } => RUNTIME_LENGTH,
                    _ => return None,
                };
                let element = module.element_type(ty).filter(|_| count <= self.left)?;
                (0..count).map(|_| self.value(module, element)).collect::<Option<Vec<Value>>>().map(Value::composite)
            }
        }
    }
}
