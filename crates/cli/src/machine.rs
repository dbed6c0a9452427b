//! `reconverge compile --target cpu` and `--target vc4`: kernels as machine code.

use std::time::{Duration, Instant};

use clap::ArgAction;
use reconverge::codegen::{CodegenError, MachineCode, Request};
use reconverge::ir::{Function, Module};
use reconverge::opencl::{ArgumentKind, FormatSource, ImageArgument, Kernel, SamplerSource};
use reconverge::{CompileOptions, Error, Lowering, Run, Step, Target, lower};

use crate::diagnostics::{Diagnostic, Reporter};
use crate::exit::Exit;
use crate::input::Input;
use crate::run::point_out_text;

/// The launches that a kernel is compiled for.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Machine code (docs/machine-code.md)")]
pub(crate) struct Flags {
    /// Size of a work-group, in up to three dimensions [default: that of the kernel, else 16]
    #[arg(long, value_name = "X[,Y,Z]", value_delimiter = ',', num_args = 1, action = ArgAction::Set, hide_short_help = true)]
    pub(crate) local_size: Vec<u32>,
    /// Bytes of each argument in local memory, in order; required if the kernel has such arguments
    #[arg(long, value_name = "BYTES,…", value_delimiter = ',', num_args = 1, action = ArgAction::Set, hide_short_help = true)]
    pub(crate) local_memory: Vec<u32>,
}

/// A kernel as machine code.
pub(crate) struct Code {
    pub(crate) code: Box<dyn MachineCode>,
    pub(crate) interface: String,
    /// The function that it was made of.
    pub(crate) function: Function,
    /// The time of selection and assembly.
    pub(crate) time: Duration,
}

/// The error of a kernel that is not written.
pub(crate) enum NoCode {
    /// The command line does not fit the kernel.
    Usage(String),
    /// A pass failed.
    Pass(Error),
    /// The kernel does not fit the machine.
    Refused(CodegenError),
}

impl From<CodegenError> for NoCode {
    fn from(error: CodegenError) -> NoCode {
        NoCode::Refused(error)
    }
}

/// Reports the error of code generation.
pub(crate) fn report(error: &CodegenError, input: &Input, reporter: Reporter) -> Exit {
    let mut diagnostic = Diagnostic {
        code: error.code,
        message: error.to_string(),
        file: Some(input.name.clone()),
        ..Diagnostic::default()
    };
    point_out_text(&mut diagnostic, &error.place, input);
    reporter.report(&[diagnostic]);
    error.code.kind.into()
}

/// The error of a flag about machine code for a target that has none.
pub(crate) fn unmet_need(target: Target, flag: &str) -> Option<String> {
    let targets = || flags_of(Target::all().filter(|target| target.back_end().is_some()));
    target.back_end().is_none().then(|| format!("{flag} requires {}", targets()))
}

/// The flags that choose targets.
pub(crate) fn flags_of(targets: impl Iterator<Item = Target>) -> String {
    targets.map(|target| format!("--target {}", target.name())).collect::<Vec<_>>().join(" or ")
}

/// What a report shows of machine code: the code, or the reason in the kernel why there is none.
pub(crate) fn made(code: &Result<Option<Code>, NoCode>) -> Result<Option<&Code>, &CodegenError> {
    match code {
        Ok(code) => Ok(code.as_ref()),
        Err(NoCode::Refused(error)) => Err(error),
        Err(NoCode::Usage(_) | NoCode::Pass(_)) => Ok(None),
    }
}

/// The passes of a back end as they run.
pub(crate) struct Inspected<'a> {
    pub(crate) options: &'a CompileOptions,
    pub(crate) run: &'a mut Run,
    pub(crate) observe: &'a mut dyn FnMut(&Step, &Module),
}

/// Checks that the code is for known formats and samplers: a launch of machine code cannot set them.
fn require_formats(kernel: &Kernel) -> Result<(), NoCode> {
    for (number, argument) in kernel.arguments.iter().enumerate() {
        let (what, flag) = match argument.kind {
            ArgumentKind::Image(ImageArgument { format: FormatSource::Specialized { .. }, .. }) => {
                ("the format of an image", format!("--image-format {number}=rgba8"))
            }
            ArgumentKind::Sampler(SamplerSource::Specialized(_)) => {
                ("a sampler", format!("--sampler {number}=clamp_to_edge,linear"))
            }
            _ => continue,
        };
        return Err(NoCode::Usage(format!(
            "machine code needs {what} for argument {number} of {}: add {flag}",
            kernel.name
        )));
    }
    Ok(())
}

impl Flags {
    /// Returns whether any of the flags is given.
    pub(crate) fn is_given(&self) -> bool {
        !self.local_size.is_empty() || !self.local_memory.is_empty()
    }

    /// Makes code of the only kernel of a compiled module, for the target of the options. None if the options end before the code is selected.
    pub(crate) fn compile(&self, module: &mut Module, inspected: Inspected<'_>) -> Result<Option<Code>, NoCode> {
        let Inspected { options, run, observe } = inspected;
        let Some(back_end) = options.target.back_end() else { return Ok(None) };
        if run.steps.last().is_some_and(|step| options.stop_after.as_deref() == Some(step.pass)) {
            return Ok(None);
        }
        let Some(reflection) = run.reflection.clone() else {
            let target = options.target.name();
            return Err(NoCode::Usage(format!("--target {target} compiles OpenCL kernels, and the module has none")));
        };
        let names = || reflection.kernels.iter().map(|kernel| kernel.name.as_str()).collect::<Vec<_>>().join(", ");
        let [kernel] = reflection.kernels.as_slice() else {
            let target = options.target.name();
            return Err(NoCode::Usage(format!(
                "--target {target} compiles one kernel: choose one of {} with --kernel",
                names()
            )));
        };
        require_formats(kernel)?;
        let local = self.local_size(kernel)?;
        let request =
            Request { constants: self.constants(kernel, local)?, ..Request::new(kernel.name.as_str(), local) };
        let lowering = Lowering { back_end, function: request.function(module)?, facts: back_end.facts(&request)? };
        lower(module, &lowering, options, run, observe).map_err(NoCode::Pass)?;
        if options.stop_after.is_some() {
            return Ok(None);
        }
        let start = Instant::now();
        let code = back_end.assemble(module, lowering.function, &request)?;
        let (interface, time) = (code.interface(kernel, reflection.program_data.as_ref()), start.elapsed());
        Ok(Some(Code { code, interface, function: lowering.function, time }))
    }

    fn local_size(&self, kernel: &Kernel) -> Result<[u32; 3], NoCode> {
        let required = kernel.fixed_size();
        if self.local_size.is_empty() {
            return Ok(required.unwrap_or([16, 1, 1]));
        }
        let usage = |message: String| Err(NoCode::Usage(message));
        if self.local_size.len() > 3 {
            return usage(format!(
                "--local-size has {} numbers: a work-group has three dimensions",
                self.local_size.len()
            ));
        }
        let mut size = [1; 3];
        size[..self.local_size.len()].copy_from_slice(&self.local_size);
        if size.contains(&0) {
            return usage("--local-size has a zero: every dimension is at least 1".to_owned());
        }
        match required {
            Some(required) if required != size => {
                usage(format!("the kernel {} requires work-groups of {required:?}, not {size:?}", kernel.name))
            }
            _ => Ok(size),
        }
    }

    fn constants(&self, kernel: &Kernel, local: [u32; 3]) -> Result<Vec<(u32, u32)>, NoCode> {
        let locals = kernel.local_arguments();
        if self.local_memory.len() != locals.len() {
            let (name, arguments, sizes) = (&kernel.name, locals.len(), self.local_memory.len());
            let given = if sizes == 0 { String::new() } else { format!("; {sizes} sizes are given") };
            let message = match arguments {
                0 => {
                    format!("--local-memory has {sizes} sizes, and the kernel {name} has no arguments in local memory")
                }
                1 => format!(
                    "the kernel {name} needs --local-memory with the bytes of its argument in local memory{given}"
                ),
                _ => format!(
                    "the kernel {name} needs --local-memory with the bytes of its {arguments} arguments in local memory, in order{given}"
                ),
            };
            return Err(NoCode::Usage(message));
        }
        let mut constants = kernel.size_constants(local, 3);
        for (argument, &bytes) in locals.iter().zip(&self.local_memory) {
            let constant = argument.constant(bytes.into());
            constants.push(constant.map_err(|error| NoCode::Usage(format!("--local-memory: {error}")))?);
        }
        Ok(constants)
    }
}
