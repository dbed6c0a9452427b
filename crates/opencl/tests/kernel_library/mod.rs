//! What the tests of the kernel library share: a function that holds one instruction, lowered and run for many operands at once.

use reconverge_diagnostic::Diagnostic;
use reconverge_interpret::{Argument, End, Interpreter, Launch, Value, no_externals};
use reconverge_ir::{Function, Module, text};
use reconverge_opencl::{Context, KernelOptions, extended_instructions, missing_conversions};
use reconverge_verify::verify;

/// Types that the programs begin with.
pub(crate) const HEAD: &str = "\
capability Kernel
%set = ext_inst_import \"OpenCL.std\"
memory_model Physical64, OpenCL
%void = type_void
%bool = type_bool
%i8 = type_int 8, 0
%i16 = type_int 16, 0
%i32 = type_int 32, 0
%i64 = type_int 64, 0
%f16 = type_float 16
%f32 = type_float 32
%f64 = type_float 64
";

/// A function that holds one line `%r: … = …` about the parameters `%a`, `%b`, `%c`.
pub(crate) fn function_of(result: &str, parameters: &[&str], line: &str) -> String {
    let names = ["%a", "%b", "%c", "%d"];
    let parameters: Vec<String> = parameters.iter().zip(names).map(|(ty, name)| format!("{name}: %{ty}")).collect();
    format!(
        "{HEAD}{}func %f: %{result} ({}) {{
         block ^entry:
           %r: %{result} = {line}
           return_value %r
         }}",
        vectors(),
        parameters.join(", ")
    )
}

/// Vector types: `i8x4` and so on.
pub(crate) fn vectors() -> String {
    let mut lines = String::new();
    for scalar in ["bool", "i8", "i16", "i32", "i64", "f16", "f32", "f64"] {
        for count in [2, 3, 4, 8, 16] {
            lines += &format!("%{scalar}x{count} = type_vector %{scalar}, {count}\n");
        }
    }
    lines
}

/// The module of a text, which must be valid.
pub(crate) fn parsed(source: &str) -> Module {
    let module = read(source);
    check_verified(&module);
    module
}

/// The module of a text, which must be valid once what compilers leave out is put in.
fn repaired(source: &str) -> Module {
    let mut module = read(source);
    missing_conversions(&mut module).unwrap_or_else(|error| panic!("{error}\n{source}"));
    check_verified(&module);
    module
}

/// The module of a text, valid or not.
pub(crate) fn read(source: &str) -> Module {
    text::parse(source).unwrap_or_else(|error| panic!("{error:?}\n{source}"))
}

/// The verifier finds nothing.
pub(crate) fn check_verified(module: &Module) {
    if let Some(finding) = verify(module).first() {
        panic!("{finding}\n{}", text::print(module));
    }
}

/// The module after a pass, which must be valid and give the pass nothing more to do.
pub(crate) fn after(source: &str, pass: fn(&mut Module, &mut Context) -> Result<bool, Diagnostic>) -> Module {
    let mut module = repaired(source);
    let mut context = Context::new(KernelOptions::default());
    pass(&mut module, &mut context).unwrap_or_else(|error| panic!("{error}\n{source}"));
    check_verified(&module);
    let again = pass(&mut module, &mut context);
    assert_eq!(again, Ok(false), "{}", text::print(&module));
    module
}

/// [`after`] for the extended instructions.
pub(crate) fn lowered(source: &str) -> Module {
    after(source, extended_instructions)
}

/// What the pass says that it cannot lower.
pub(crate) fn refused(source: &str, pass: fn(&mut Module, &mut Context) -> Result<bool, Diagnostic>) -> String {
    let mut module = parsed(source);
    match pass(&mut module, &mut Context::new(KernelOptions::default())) {
        Ok(_) => panic!("not refused\n{}", text::print(&module)),
        Err(error) => error.message,
    }
}

/// The function named `%f`.
pub(crate) fn subject(module: &Module) -> Function {
    let found = module.functions().find(|&function| module.name(function).as_deref() == Some("f"));
    found.expect("the function `%f`")
}

/// What a function gives for each row of arguments.
pub(crate) fn results(module: &Module, rows: &[Vec<Value>]) -> Vec<Value> {
    let interpreter = Interpreter::new(module);
    let function = subject(module);
    let mut results = Vec::new();
    for rows in rows.chunks(16_384) {
        let columns = (0..rows[0].len()).map(|index| rows.iter().map(|row| row[index].clone()).collect());
        let launch =
            Launch { lanes: rows.len(), arguments: columns.map(Argument::PerLane).collect(), ..Launch::default() };
        let outcome = interpreter.run(function, &launch, &mut no_externals).unwrap_or_else(|error| panic!("{error}"));
        for (lane, row) in outcome.lanes.into_iter().zip(rows) {
            match lane.end {
                End::Returned(Some(value)) => results.push(value),
                end => panic!("{end:?} for {row:?}\n{}", text::print(module)),
            }
        }
    }
    results
}

/// A random number generator: xorshift with 64 bits.
pub(crate) struct Random(pub u64);

impl Random {
    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Bits that are often few, all, near a power of two, or near a limit.
    pub(crate) fn bits(&mut self, width: u32) -> u64 {
        let mask = u64::MAX >> (64 - width);
        let random = self.next();
        let near = (1_u64 << (random >> 8 & 63)).wrapping_add((random >> 16) % 5).wrapping_sub(2);
        mask & match random % 6 {
            0 => near,
            1 => near.wrapping_neg(),
            2 => (random >> 16) % 5,
            3 => (mask >> 1).wrapping_add((random >> 16) % 5).wrapping_sub(2),
            _ => self.next(),
        }
    }

    /// The bits of a float: any, special ones, and near whole numbers.
    pub(crate) fn float_bits(&mut self, width: u32) -> u64 {
        let random = self.next();
        match random % 8 {
            0 => Value::float(width as u8, ((random >> 8) % 64) as f64 / 4.0 - 8.0).float_bits(),
            1 => {
                let special = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1.0, -1.0, 0.5];
                Value::float(width as u8, special[(random >> 8) as usize % special.len()]).float_bits()
            }
            2 => self.next() & (0xf | 1 << (width - 1)),
            _ => self.next() & (u64::MAX >> (64 - width)),
        }
    }
}

/// The bits of what is known to be a scalar.
pub(crate) trait Bits {
    /// The bits of a float.
    fn float_bits(&self) -> u64;
    /// The bits of an integer or float.
    fn scalar_bits(&self) -> u64;
}

impl Bits for Value {
    fn float_bits(&self) -> u64 {
        match self {
            Value::Float { bits, .. } => *bits,
            other => panic!("{other:?} is no float"),
        }
    }

    fn scalar_bits(&self) -> u64 {
        match self {
            Value::Float { bits, .. } | Value::Int { bits, .. } => *bits,
            other => panic!("{other:?} is no scalar"),
        }
    }
}
