//! Compiles the kernels by clang, runs them on each engine, and compares every component of every result.

use std::collections::BTreeMap;

use reconverge::opencl::{Driver, GlobalOffset, KernelOptions, Reflection};
use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format, ir};
use reconverge_front_ends::{Language, Settings, Source, SourceKind, compile};
use reconverge_run::launch::{Argument, Buffer, Element, Launch, Role, Rule};
use reconverge_run::vulkan::DeviceChoice;
use reconverge_run::{CpuOptions, InterpreterOptions, VulkanOptions, interpret, run_on_cpu};

use super::case::Case;
use super::exact::WORD;
use super::number::{Number, Type};
use super::row::{Row, Wanted};
use super::source::{Content, Group, ITEMS, SCRATCH};
use crate::device;
use crate::random::Random;

/// The engine that runs kernels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Engine {
    /// The interpreter, on the kernel as it came.
    Interpreter,
    /// This CPU.
    Cpu,
    /// Mesa's software driver.
    Lavapipe,
}

impl Engine {
    /// Every engine.
    pub const ALL: [Engine; 3] = [Engine::Interpreter, Engine::Cpu, Engine::Lavapipe];
}

/// The results of the functions.
#[derive(Default, Debug)]
pub struct Report {
    /// The number of results that were compared.
    pub compared: usize,
    /// Kernels that an engine refuses, with its reason.
    pub refused: BTreeMap<(Engine, String), usize>,
    /// The differences and failures.
    pub faults: Vec<String>,
}

/// The numbers of work-items in a group; it divides that of the launch.
pub(super) const LOCAL: u32 = 8;

/// Compiles kernels to one module.
pub(super) fn module_of(kernels: impl IntoIterator<Item = String>) -> Result<Vec<u8>, String> {
    let mut text =
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n".to_owned();
    text.extend(kernels);
    let kind = SourceKind { language: Language::OPENCL_C, stage: None };
    let settings = Settings { standard: Some("CL3.0".to_owned()), arguments: vec!["-w".into()], ..Settings::default() };
    let source = Source { kind, path: None, text: text.as_bytes() };
    compile(source, &settings, &mut |_| ())
        .map(|compiled| compiled.module)
        .map_err(|error| format!("{error}\n{}", error.messages()))
}

/// Runs the kernels of a module on the engines.
pub(super) fn judge(spirv: &[u8], groups: &[Group], engines: &[Engine], report: &mut Report) {
    for (index, group) in groups.iter().enumerate() {
        let operands = group.operands(&mut Random::new(index as u64 + 1000 * group.count as u64));
        let launch = launch(group, &operands);
        for &engine in engines {
            if let Some(output) = report.output_of(run(spirv, &launch, engine), engine, &describe(group)) {
                compare(group, &operands, &output, engine, report);
            }
        }
    }
}

/// Runs the kernels of cases on the engines.
pub(super) fn judge_cases(spirv: &[u8], cases: &[Case], engines: &[Engine], report: &mut Report) {
    for case in cases {
        let launch = case.launch();
        let what = format!("{}: {}", case.name, case.what);
        for &engine in engines {
            if let Some(output) = report.output_of(run(spirv, &launch, engine), engine, &what) {
                report.compared += case.output.1;
                let fault = case.fault(&output);
                report.faults.extend(fault.map(|fault| format!("{engine:?}, {what}: {fault}")));
            }
        }
    }
}

impl Report {
    /// Returns the output of a kernel. Notes a refusal or a failure.
    fn output_of(&mut self, ran: Result<Vec<u8>, (bool, String)>, engine: Engine, what: &str) -> Option<Vec<u8>> {
        match ran {
            Ok(output) => return Some(output),
            Err((true, reason)) => *self.refused.entry((engine, reason)).or_default() += 1,
            Err((false, reason)) => self.faults.push(format!("{engine:?}, {what}: {reason}")),
        }
        None
    }
}

fn describe(group: &Group) -> String {
    let row = &group.rows[0];
    let operands: Vec<&str> = row.operands.iter().map(|ty| ty.name()).collect();
    format!("{}: {} × {} → {}, {} …", group.name, operands.join(", "), group.count, row.result.name(), row.text)
}

/// A buffer with this content.
pub(super) fn buffer(bytes: Vec<u8>, role: Role) -> Argument {
    let (count, rule) = (bytes.len(), Rule::Bytes(bytes));
    Argument::Buffer(Buffer { name: None, element: Element::U8, count, rule, role })
}

fn launch(group: &Group, operands: &[Vec<Vec<Number>>]) -> Launch {
    let row = &group.rows[0];
    let inputs = row.operands.iter().enumerate().map(|(index, &ty)| {
        let values = operands.iter().flat_map(|item| &item[index]);
        buffer(values.flat_map(|&value| ty.write(value)).collect(), Role::Input)
    });
    // A vector of three has the size of one of four.
    let width = group.count.next_power_of_two();
    let scratch = SCRATCH.iter().filter(|pointer| group.has(pointer)).filter_map(|pointer| match pointer.content {
        Content::None => None,
        Content::Values => Some(buffer(vec![0; ITEMS * width * row.operand().bytes()], Role::Input)),
        Content::Words => Some(buffer(vec![0; ITEMS * width * WORD.bytes()], Role::Input)),
        Content::Operands => {
            let values = operands.iter().flat_map(|item| &item[0]);
            Some(buffer(values.flat_map(|&value| row.operand().write(value)).collect(), Role::Input))
        }
    });
    let size = group.rows.len() * ITEMS * group.results() * row.result.bytes();
    let arguments = inputs.chain(scratch).chain([buffer(vec![0; size], Role::Output)]).collect();
    let global = [ITEMS as u64, 1, 1];
    Launch { kernel: Some(group.name.clone()), global, local: Some([LOCAL, 1, 1]), arguments, ..Launch::default() }
}

/// The output of a kernel; else whether it is refused, and why.
fn run(spirv: &[u8], launch: &Launch, engine: Engine) -> Result<Vec<u8>, (bool, String)> {
    let buffers = match engine {
        Engine::Interpreter => {
            let mut module = reconverge::read(spirv, Format::SPIRV).map_err(|error| (false, error.to_string()))?;
            reconverge::repair(&mut module).map_err(|error| (false, error.to_string()))?;
            let ran = interpret(&module, launch, InterpreterOptions::default());
            let ran = ran.map_err(|error| (false, error.to_string()))?;
            if let Some(failure) = ran.failure {
                return Err((false, failure.to_string()));
            }
            ran.buffers
        }
        Engine::Cpu => {
            let (_, module, reflection) = compiled(spirv, launch, KernelOptions::default().driver)?;
            let ran = run_on_cpu(&module, &reflection, launch, CpuOptions::default());
            ran.map_err(|error| (error.code().name.contains("unsupported"), error.to_string()))?.buffers
        }
        Engine::Lavapipe => {
            let (bytes, _, reflection) = compiled(spirv, launch, Driver::LAVAPIPE)?;
            let device = DeviceChoice::Name("llvmpipe".to_owned());
            let options = VulkanOptions { device, ..VulkanOptions::default() };
            let ran = device::run(&bytes, &reflection, launch, &options);
            ran.map_err(|error| (error.code().name.contains("device"), error.to_string()))?.buffers
        }
    };
    Ok(buffers.into_iter().next_back().expect("invariant: the output is the last argument"))
}

fn compiled(
    spirv: &[u8],
    launch: &Launch,
    driver: Driver,
) -> Result<(Vec<u8>, ir::Module, Reflection), (bool, String)> {
    let global_offset = if launch.offset == [0; 3] { GlobalOffset::Zero } else { GlobalOffset::Passed };
    let kernel = KernelOptions::new().kernels(launch.kernel.clone()).driver(driver).global_offset(global_offset);
    let options = CompileOptions::new().kernel(kernel).level(Level::Speed);
    let output = reconverge::compile(spirv, Format::SPIRV, Format::SPIRV, &options);
    let output = output.map_err(|error| (false, error.to_string()))?;
    let reflection = output.run.reflection.ok_or((false, "the module has no kernel".to_owned()))?;
    Ok((output.bytes, output.module, reflection))
}

/// Compares every component. Of each function, the first that differs is reported.
fn compare(group: &Group, operands: &[Vec<Vec<Number>>], output: &[u8], engine: Engine, report: &mut Report) {
    let (results, size) = (group.results(), group.rows[0].result.bytes());
    for (index, row) in group.rows.iter().enumerate() {
        let fault = operands.iter().enumerate().find_map(|(item, operands)| {
            let bounded = |wanted: Vec<Wanted>| -> Vec<Wanted> {
                wanted.into_iter().map(|wanted| row.bounded(wanted, engine)).collect()
            };
            let wanted = bounded(row.wanted(operands));
            let flushed = (engine == Engine::Lavapipe).then(|| flushed(row, operands)).flatten().map(bounded);
            wanted.iter().enumerate().find_map(|(component, &wanted)| {
                let at = ((index * ITEMS + item) * results + component) * size;
                let found = row.result.read(&output[at..at + size]);
                let also = flushed.as_ref().is_some_and(|flushed| flushed[component].accepts(row.result, found));
                let is_right = wanted.accepts(row.result, found) || also || may_be_flushed(engine, row, wanted, found);
                (!is_right).then_some((operands, component, wanted, found))
            })
        });
        report.compared += ITEMS * results;
        if let Some((operands, component, wanted, found)) = fault {
            let operands: Vec<Number> =
                operands.iter().map(|operand| operand[component.min(operand.len() - 1)]).collect();
            report.faults.push(format!(
                "{engine:?}, {} components of {}, `{}` of {operands:?}: {found:?}, not {wanted:?}",
                group.count,
                row.operand().name(),
                row.text
            ));
        }
    }
}

/// The expected results if denormal operands count as zero, as devices may do in 16 and 32 bits.
fn flushed(row: &Row, operands: &[Vec<Number>]) -> Option<Vec<Wanted>> {
    let is_denormal = |ty: Type, value: Number| match value {
        Number::Float(value) => ty.bits() < 64 && value != 0.0 && value.abs() < ty.least_normal(),
        Number::Int(_) => false,
    };
    let mut is_changed = false;
    let operands: Vec<Vec<Number>> = operands
        .iter()
        .zip(&row.operands)
        .map(|(operand, &ty)| {
            let values = operand.iter().map(|&value| match is_denormal(ty, value) {
                true => {
                    is_changed = true;
                    Number::Float(0.0)
                }
                false => value,
            });
            values.collect()
        })
        .collect();
    is_changed.then(|| row.wanted(&operands))
}

/// Returns whether a device may return zero for a denormal result.
fn may_be_flushed(engine: Engine, row: &Row, wanted: Wanted, found: Number) -> bool {
    let is_small = |exact: f64| exact.abs() < row.result.least_normal();
    engine == Engine::Lavapipe
        && row.result.is_float()
        && row.result.bits() < 64
        && found == Number::Float(0.0)
        && matches!(wanted, Wanted::Float { exact, .. } | Wanted::Near { exact, .. } if is_small(exact))
}
