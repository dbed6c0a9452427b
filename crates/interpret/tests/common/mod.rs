//! What the tests build their programs with.

pub(crate) mod image;
pub(crate) mod kernel;

use reconverge_interpret::{End, Interpreter, Launch, Outcome, Value, no_externals, run};
use reconverge_ir::{Block, Builder, Function, Inst, Module, Op};

/// A type, spelled short.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ty {
    Bool,
    Int(u8),
    Float(u8),
    Vector(&'static Ty, u32),
    Matrix(&'static Ty, u32),
    Array(&'static Ty, u32),
    Struct(&'static [Ty]),
    Pointer(u32, &'static Ty),
}

pub(crate) const U32: Ty = Ty::Int(32);
pub(crate) const U64: Ty = Ty::Int(64);
pub(crate) const F32: Ty = Ty::Float(32);
pub(crate) const F64: Ty = Ty::Float(64);
pub(crate) const FUNCTION_STORAGE: u32 = 7;
pub(crate) const CROSS_WORKGROUP: u32 = 5;
pub(crate) const WORKGROUP: u32 = 4;
pub(crate) const PRIVATE: u32 = 6;

impl Ty {
    pub(crate) fn build(self, build: &mut Builder<'_>) -> Inst {
        match self {
            Ty::Bool => build.bool_type(),
            Ty::Int(width) => build.int_type(u32::from(width)),
            Ty::Float(width) => build.float_type(u32::from(width)),
            Ty::Vector(element, count) | Ty::Matrix(element, count) => {
                let is_matrix = matches!(self, Ty::Matrix(..));
                let operands = [element.build(build), build.editor().word(count)];
                build.emit(if is_matrix { Op::TypeMatrix } else { Op::TypeVector }, None, &operands)
            }
            Ty::Array(element, count) => {
                let u32_type = U32.build(build);
                let operands = [element.build(build), build.constant_word(u32_type, count)];
                build.emit(Op::TypeArray, None, &operands)
            }
            Ty::Struct(members) => {
                let operands: Vec<Inst> = members.iter().map(|member| member.build(build)).collect();
                build.emit(Op::TypeStruct, None, &operands)
            }
            Ty::Pointer(storage, pointee) => {
                let pointee = pointee.build(build);
                build.pointer_type(storage, pointee)
            }
        }
    }
}

/// A module with a function to run.
pub(crate) struct Unit {
    pub module: Module,
    pub function: Function,
}

impl Unit {
    /// One block that returns what `body` builds.
    pub(crate) fn new(parameters: &[Ty], result: Ty, body: impl FnOnce(&mut Builder<'_>, &[Inst]) -> Inst) -> Unit {
        let mut module = Module::new();
        let mut build = Builder::new(&mut module);
        let types: Vec<Inst> = parameters.iter().map(|ty| ty.build(&mut build)).collect();
        let result = result.build(&mut build);
        let (function, parameters) = function(&mut build, result, &types);
        let entry = build.add_block(function);
        build.at_end(entry);
        let value = body(&mut build, &parameters);
        build.return_value(&[value]);
        Unit { module, function }
    }

    /// One op on the parameters, with literals behind them.
    pub(crate) fn op(op: Op, parameters: &[Ty], result: Ty, literals: &[u32]) -> Unit {
        Unit::new(parameters, result, |build, parameters| {
            let ty = result.build(build);
            let mut operands = parameters.to_vec();
            for &literal in literals {
                operands.push(build.editor().word(literal));
            }
            build.emit(op, Some(ty), &operands)
        })
    }

    pub(crate) fn end(&self, arguments: &[Value]) -> End {
        self.outcome(&Launch::new(arguments.to_vec())).lanes.remove(0).end
    }

    pub(crate) fn outcome(&self, launch: &Launch) -> Outcome {
        run(&self.module, self.function, launch, &mut no_externals).expect("the launch fits the function")
    }

    /// The value that the function returns.
    pub(crate) fn value(&self, arguments: &[Value]) -> Value {
        returned(self.end(arguments))
    }

    /// The values that the function returns for each list of arguments.
    pub(crate) fn values(&self, arguments: impl IntoIterator<Item = Vec<Value>>) -> Vec<Value> {
        let interpreter = Interpreter::new(&self.module);
        let one = |arguments| {
            let outcome = interpreter.run(self.function, &Launch::new(arguments), &mut no_externals);
            returned(outcome.expect("the launch fits the function").lanes.remove(0).end)
        };
        arguments.into_iter().map(one).collect()
    }
}

/// A function without blocks, and its parameters.
pub(crate) fn function(build: &mut Builder<'_>, result: Inst, parameters: &[Inst]) -> (Function, Vec<Inst>) {
    let function = build.add_function(result, parameters);
    let parameters = build.module().parameters(function).map(|parameter| parameter.inst()).collect();
    (function, parameters)
}

/// Blocks of a function.
pub(crate) fn blocks<const COUNT: usize>(build: &mut Builder<'_>, function: Function) -> [Block; COUNT] {
    std::array::from_fn(|_| build.add_block(function))
}

pub(crate) fn returned(end: End) -> Value {
    match end {
        End::Returned(Some(value)) => value,
        end => panic!("expected a value, but the lane {end}"),
    }
}

/// Bit patterns where integer arithmetic of a width has its corners, and some random ones.
pub(crate) fn integers(width: u8) -> Vec<u64> {
    let top = 1u64 << (width - 1);
    let mask = u64::MAX >> (64 - width);
    let mut patterns =
        vec![0, 1, 2, 3, 7, top - 1, top, top + 1, mask, mask - 1, u64::from(width), u64::from(width) - 1, 0x5a];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..8 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        patterns.push(state);
    }
    patterns.iter().map(|pattern| pattern & mask).collect()
}

/// Floats where arithmetic has its corners.
pub(crate) fn floats() -> Vec<f64> {
    let positive = [
        0.0,
        1.0,
        1.5,
        2.5,
        0.1,
        3.75,
        1e-3,
        7.0,
        255.0,
        65504.0,
        1e10,
        1e-40,
        3.4e38,
        1e300,
        5e-324,
        f64::INFINITY,
        f64::NAN,
    ];
    positive.iter().flat_map(|&value| [value, -value]).collect()
}
