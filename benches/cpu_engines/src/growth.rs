//! How the time to compile grows with the size of a kernel.
//!
//! Three families of kernels, each a list of N equal parts, are compiled at sizes that double. The exponent is the slope of the line through
//! the times on logarithmic axes, by least squares: 1 is linear.

use std::fmt::Write as _;

use reconverge::Format;
use reconverge_run::{Argument, Buffer, CpuKernel, CpuOptions, Element, Launch, Role, Rule, bind};

use crate::clock::timed;
use crate::engines::lower;

const SIZES: [usize; 8] = [800, 1_600, 3_200, 6_400, 12_800, 25_600, 51_200, 102_400];
const ROUNDS: usize = 3;
/// Larger sizes are not measured once a kernel takes longer.
const LIMIT: f64 = 20_000.0;

/// What a kernel consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Family {
    /// Arithmetic without branches, on 16 values that stay live.
    Arithmetic,
    /// Divergent ifs, one after another.
    Ifs,
    /// Divergent loops, one after another.
    Loops,
}

/// The times of a family.
pub(crate) struct Growth {
    pub(crate) family: Family,
    /// Instructions in the function, and milliseconds.
    pub(crate) times: Vec<(usize, f64)>,
    /// Why larger sizes have no time.
    pub(crate) end: Option<String>,
}

impl Family {
    const ALL: [Family; 3] = [Family::Arithmetic, Family::Ifs, Family::Loops];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Family::Arithmetic => "arithmetic, 16 live values",
            Family::Ifs => "divergent ifs in a row",
            Family::Loops => "divergent loops in a row",
        }
    }
}

impl Growth {
    pub(crate) fn exponent(&self) -> f64 {
        let points: Vec<(f64, f64)> = self.times.iter().map(|&(size, time)| ((size as f64).ln(), time.ln())).collect();
        let count = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (x, y) = (mean(|point| point.0), mean(|point| point.1));
        let covariance: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
        let variance: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
        covariance / variance
    }
}

/// Measures all families.
pub(crate) fn measure() -> Vec<Growth> {
    Family::ALL.into_iter().map(measure_family).collect()
}

fn measure_family(family: Family) -> Growth {
    let mut growth = Growth { family, times: Vec::new(), end: None };
    for size in SIZES {
        eprintln!("{}: {size} instructions", family.name());
        let kernel = Writer::default().kernel(family, size);
        let mut best = f64::INFINITY;
        for _ in 0..ROUNDS {
            match compile(&kernel.text) {
                Ok(time) => best = best.min(time),
                Err(error) => {
                    growth.end = Some(error);
                    return growth;
                }
            }
            if best > LIMIT / 10.0 {
                break;
            }
        }
        growth.times.push((kernel.instructions, best));
        if best > LIMIT {
            growth.end = Some(format!("more than {} s", LIMIT / 1e3));
            break;
        }
    }
    growth
}

/// Milliseconds from SPIR-V to code that runs.
fn compile(assembly: &str) -> Result<f64, String> {
    let module = reconverge::read(assembly.as_bytes(), Format::ASSEMBLY).map_err(|error| error.message())?;
    let spirv = reconverge::write(&module, Format::SPIRV).map_err(|error| error.message())?;
    let output = Buffer { name: None, element: Element::U32, count: 1 << 10, rule: Rule::Zero, role: Role::Output };
    let launch = Launch {
        global: [1 << 10, 1, 1],
        local: Some([64, 1, 1]),
        arguments: vec![Argument::Buffer(output)],
        ..Launch::default()
    };
    let (time, compiled) = timed(|| {
        let (module, reflection) = lower(&spirv)?;
        let binding = bind(&launch, &reflection).map_err(|error| error.to_string())?;
        CpuKernel::compile_bound(&module, &binding, CpuOptions::default()).map_err(|error| error.to_string())
    });
    compiled.map(|_| time)
}

/// Writes a kernel in SPIR-V assembly.
#[derive(Default)]
struct Writer {
    text: String,
    instructions: usize,
    names: usize,
}

const HEAD: &str = r#"OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %kernel "kernel" %ids
OpDecorate %ids Constant
OpDecorate %ids BuiltIn GlobalInvocationId
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%bool = OpTypeBool
%void = OpTypeVoid
%ids_type = OpTypeVector %u64 3
%pointer = OpTypePointer CrossWorkgroup %u32
%ids_pointer = OpTypePointer Input %ids_type
%signature = OpTypeFunction %void %pointer
%zero = OpConstant %u32 0
%one = OpConstant %u32 1
%seven = OpConstant %u32 7
%ids = OpVariable %ids_pointer Input
%kernel = OpFunction %void None %signature
%out = OpFunctionParameter %pointer
%entry = OpLabel
%all_ids = OpLoad %ids_type %ids Aligned 32
%id = OpCompositeExtract %u64 %all_ids 0
%start = OpUConvert %u32 %id
%place = OpInBoundsPtrAccessChain %pointer %out %id
"#;

impl Writer {
    /// A kernel of about that many instructions.
    fn kernel(mut self, family: Family, size: usize) -> Writer {
        self.text += HEAD;
        self.instructions = 4;
        let result = match family {
            Family::Arithmetic => self.arithmetic(size),
            Family::Ifs => self.ifs(size),
            Family::Loops => self.loops(size),
        };
        self.line(format_args!("OpStore %place {result} Aligned 4"));
        self.line(format_args!("OpReturn"));
        self.text += "OpFunctionEnd\n";
        self
    }

    fn arithmetic(&mut self, size: usize) -> String {
        let mut live: Vec<String> = (0..16).map(|_| self.value("OpIAdd %u32 %start %seven")).collect();
        for index in 0.. {
            if self.instructions >= size {
                break;
            }
            let (at, next) = (index % 16, (index + 5) % 16);
            let product = self.value(&format!("OpIMul %u32 {} {}", live[at], live[next]));
            live[at] = self.value(&format!("OpBitwiseXor %u32 {product} {}", live[(index + 11) % 16]));
        }
        live.into_iter().reduce(|sum, value| self.value(&format!("OpIAdd %u32 {sum} {value}"))).unwrap_or_default()
    }

    fn ifs(&mut self, size: usize) -> String {
        let (mut x, mut block) = ("%start".to_owned(), "%entry".to_owned());
        while self.instructions < size {
            let bits = self.value(&format!("OpBitwiseAnd %u32 {x} %seven"));
            let condition = self.value(&format!("OpIEqual %bool {bits} %one"));
            let [then, merge] = [(); 2].map(|()| self.name());
            self.line(format_args!("OpBranchConditional {condition} {then} {merge}"));
            self.line(format_args!("{then} = OpLabel"));
            let product = self.value(&format!("OpIMul %u32 {x} %seven"));
            self.line(format_args!("OpBranch {merge}"));
            self.line(format_args!("{merge} = OpLabel"));
            let phi = self.value(&format!("OpPhi %u32 {x} {block} {product} {then}"));
            x = self.value(&format!("OpIAdd %u32 {phi} %one"));
            block = merge;
        }
        x
    }

    fn loops(&mut self, size: usize) -> String {
        let (mut x, mut block) = ("%start".to_owned(), "%entry".to_owned());
        while self.instructions < size {
            let [header, body, exit, phi, sum, count, next] = [(); 7].map(|()| self.name());
            let limit = self.value(&format!("OpBitwiseAnd %u32 {x} %seven"));
            self.line(format_args!("OpBranch {header}"));
            self.line(format_args!("{header} = OpLabel"));
            self.line(format_args!("{phi} = OpPhi %u32 {x} {block} {sum} {body}"));
            self.line(format_args!("{count} = OpPhi %u32 %zero {block} {next} {body}"));
            let condition = self.value(&format!("OpULessThan %bool {count} {limit}"));
            self.line(format_args!("OpBranchConditional {condition} {body} {exit}"));
            self.line(format_args!("{body} = OpLabel"));
            self.line(format_args!("{sum} = OpIMul %u32 {phi} %seven"));
            self.line(format_args!("{next} = OpIAdd %u32 {count} %one"));
            self.line(format_args!("OpBranch {header}"));
            self.line(format_args!("{exit} = OpLabel"));
            x = self.value(&format!("OpIAdd %u32 {phi} %one"));
            block = exit;
        }
        x
    }

    /// An instruction with a result; gives the name of the result.
    fn value(&mut self, instruction: &str) -> String {
        let name = self.name();
        self.line(format_args!("{name} = {instruction}"));
        name
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.text, "{line}");
        self.instructions += 1;
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("%v{}", self.names)
    }
}
