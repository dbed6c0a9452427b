//! Random programs with interfaces and generics, each in three forms that compute the same.
//!
//! A program has interfaces with methods and an associated type, structs that implement all of them, a generic struct whose implementation
//! depends on that of its parameter, generic functions that call methods and each other, and a kernel that uses them on values of types
//! that its input chooses.
//!
//! | form | what its calls are |
//! |---|---|
//! | [`Form::Plain`] | calls of functions that were written out for each type: no generics, no interfaces |
//! | [`Form::Static`] | requests for generics, for types that the kernel chooses by branches |
//! | [`Form::Dynamic`] | calls through values of interface type: in parameters, variables and arrays |

mod body;
mod calls;
mod kernel;
mod text;

use crate::random::Random;

/// The form of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Without generics and interfaces.
    Plain,
    /// With generics, specialized for types.
    Static,
    /// With values of interface type.
    Dynamic,
}

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    interfaces: Vec<Interface>,
    structs: Vec<Struct>,
    functions: Vec<Generic>,
    uses: Vec<Use>,
}

/// An interface: its methods, and whether it has an associated type, which a method makes and another takes.
#[derive(Clone, Debug)]
struct Interface {
    methods: Vec<Method>,
    has_element: bool,
}

/// A method: the number of its parameters, and whether it returns a value of the type itself or a number.
#[derive(Clone, Copy, Debug)]
struct Method {
    parameters: usize,
    returns_this: bool,
}

/// The type of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Field {
    Word,
    Long,
    Short,
    Float,
    Boolean,
    Pair,
    Array,
}

impl Field {
    const ALL: [Field; 7] =
        [Field::Word, Field::Long, Field::Short, Field::Float, Field::Boolean, Field::Pair, Field::Array];
}

/// A struct with the implementations of all interfaces.
#[derive(Clone, Debug)]
struct Struct {
    fields: Vec<Field>,
    implementations: Vec<Implementation>,
}

/// The element type, and for each method the formulas of what it returns: one, or one for each field.
#[derive(Clone, Debug)]
struct Implementation {
    element: Field,
    make_element: Formula,
    take_element: Formula,
    methods: Vec<Vec<Formula>>,
}

/// Steps over a list of numbers, which each step extends; the last number is the result.
#[derive(Clone, Debug)]
struct Formula {
    steps: Vec<Step>,
}

/// An operation on two numbers of the list, chosen modulo its length, or on one and a constant.
#[derive(Clone, Copy, Debug)]
struct Step {
    op: &'static str,
    left: usize,
    right: Result<usize, u32>,
}

/// A generic function of a value and a number, for types that implement an interface.
#[derive(Clone, Debug)]
struct Generic {
    interface: usize,
    statements: Vec<Statement>,
}

/// A statement of a generic function on its value and its number.
#[derive(Clone, Debug)]
enum Statement {
    /// The number becomes that of a method, which takes the number for each parameter.
    Number { method: usize },
    /// The value becomes that of a method.
    Value { method: usize },
    /// An element is made and taken.
    Element,
    /// An earlier function with the value.
    Call { function: usize },
    /// An earlier function with the value in the generic struct.
    Wrapped { function: usize },
    /// A method for some numbers, and another for the others.
    Choice { bit: u32, yes: usize, no: usize },
    /// A method, up to three times.
    Repeat { method: usize },
}

/// A statement of the kernel: it passes one of several values of some types, which the number chooses, to a function.
#[derive(Clone, Debug)]
struct Use {
    function: usize,
    structs: Vec<usize>,
    formulas: Vec<Vec<Formula>>,
    carrier: Carrier,
}

/// The way in which a value of interface type reaches the call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Carrier {
    /// As argument of a block, then opened for a request.
    Value,
    /// As argument of a block, then of a function that takes values of interface type.
    Argument,
    /// Through a variable.
    Variable,
    /// Through an element of an array.
    Array,
}

impl Program {
    /// The program of a seed.
    pub fn random(seed: u64) -> Program {
        let random = &mut Random::new(seed);
        let interfaces: Vec<Interface> = (0..random.between(1, 3)).map(|_| interface(random)).collect();
        let structs: Vec<Struct> = (0..random.between(1, 4)).map(|_| structure(random, &interfaces)).collect();
        let mut functions: Vec<Generic> = Vec::new();
        for _ in 0..random.between(1, 5) {
            let next = generic(random, &interfaces, &functions);
            functions.push(next);
        }
        let uses = (0..random.between(1, 4)).map(|_| a_use(random, &structs, &functions)).collect();
        Program { interfaces, structs, functions, uses }
    }

    /// The program in the text form of the IR: a kernel `main` with two buffers of 32-bit numbers, the output and the input.
    pub fn text(&self, form: Form) -> String {
        text::write(self, form)
    }
}

fn interface(random: &mut Random) -> Interface {
    let mut methods = vec![Method { parameters: random.below(3), returns_this: false }];
    for _ in 0..random.below(3) {
        methods.push(Method { parameters: random.below(3), returns_this: random.chance(40) });
    }
    Interface { methods, has_element: random.chance(40) }
}

fn structure(random: &mut Random, interfaces: &[Interface]) -> Struct {
    let fields: Vec<Field> = (0..random.between(1, 4)).map(|_| *random.choose(&Field::ALL)).collect();
    let implementations = interfaces.iter().map(|interface| implementation(random, interface, fields.len())).collect();
    Struct { fields, implementations }
}

fn implementation(random: &mut Random, interface: &Interface, fields: usize) -> Implementation {
    let results = |method: &Method| if method.returns_this { fields } else { 1 };
    Implementation {
        element: *random.choose(&Field::ALL),
        make_element: formula(random),
        take_element: formula(random),
        methods: interface
            .methods
            .iter()
            .map(|method| (0..results(method)).map(|_| formula(random)).collect())
            .collect(),
    }
}

fn formula(random: &mut Random) -> Formula {
    let ops = ["i_add", "i_sub", "i_mul", "bitwise_xor", "bitwise_and", "bitwise_or"];
    let mut step = |_| Step {
        op: random.choose::<&str>(&ops),
        left: random.below(8),
        right: if random.chance(60) { Ok(random.below(8)) } else { Err(random.word() as u32 >> 12) },
    };
    let steps = (0..3).map(&mut step).collect();
    Formula { steps }
}

fn generic(random: &mut Random, interfaces: &[Interface], earlier: &[Generic]) -> Generic {
    let number = random.below(interfaces.len());
    let interface = &interfaces[number];
    let of_kind = |returns_this: bool| -> Vec<usize> {
        (0..interface.methods.len()).filter(|&index| interface.methods[index].returns_this == returns_this).collect()
    };
    let (numbers, values) = (of_kind(false), of_kind(true));
    let callable: Vec<usize> = (0..earlier.len()).filter(|&index| earlier[index].interface == number).collect();
    let statements = (0..random.between(1, 5)).map(|_| {
        let method = *random.choose(&numbers);
        match random.below(9) {
            0 if !values.is_empty() => Statement::Value { method: *random.choose(&values) },
            1 if interface.has_element => Statement::Element,
            2 if !callable.is_empty() => Statement::Call { function: *random.choose(&callable) },
            3 if !callable.is_empty() => Statement::Wrapped { function: *random.choose(&callable) },
            4 => Statement::Choice { bit: 1 << random.below(5), yes: method, no: *random.choose(&numbers) },
            5 => Statement::Repeat { method },
            _ => Statement::Number { method },
        }
    });
    Generic { interface: number, statements: statements.collect() }
}

fn a_use(random: &mut Random, structs: &[Struct], functions: &[Generic]) -> Use {
    let chosen: Vec<usize> = (0..random.between(1, 3)).map(|_| random.below(structs.len())).collect();
    let formulas =
        chosen.iter().map(|&index| structs[index].fields.iter().map(|_| formula(random)).collect()).collect();
    let carriers = [Carrier::Value, Carrier::Argument, Carrier::Variable, Carrier::Array];
    Use { function: random.below(functions.len()), structs: chosen, formulas, carrier: *random.choose(&carriers) }
}
