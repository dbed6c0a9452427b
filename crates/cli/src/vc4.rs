//! `reconverge compile --target vc4`: kernels as words of the QPUs.

use reconverge::ir::Module;
use reconverge::opencl::{ArgumentKind, Kernel, LocalSize, Reflection};
use reconverge_qpu_check::disassemble;
use reconverge_run::{RunError, compile_for_vc4, vc4_reflection_json};

use crate::diagnostics::{Diagnostic, Reporter};
use crate::exit::Exit;
use crate::input::Input;
use crate::run::point_out_text;

/// What a kernel is compiled for.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "With --target vc4 (docs/qpu.md)")]
pub(crate) struct Flags {
    /// Size of a work-group, in up to three dimensions [default: that of the kernel, else 16]
    #[arg(long, value_name = "X,Y,Z", value_delimiter = ',', num_args = 1..=3, hide_short_help = true)]
    local_size: Vec<u32>,
    /// Bytes of each argument in local memory, in order [default: one element]
    #[arg(long, value_name = "BYTES,…", value_delimiter = ',', hide_short_help = true)]
    local_memory: Vec<u32>,
}

/// How words are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CodeForm {
    /// 64-bit words, little-endian.
    Words,
    /// Text that `vc4asm` assembles.
    Assembly,
}

/// A kernel as it is written.
pub(crate) struct Code {
    pub(crate) bytes: Vec<u8>,
    pub(crate) reflection: String,
}

/// Why a kernel is not written.
pub(crate) enum NoCode {
    /// The command line does not fit the kernel.
    Usage(String),
    /// The kernel does not fit the chip.
    Refused(RunError),
}

/// Reports why a kernel has no code.
pub(crate) fn report(error: &RunError, input: &Input, reporter: Reporter) -> Exit {
    let mut diagnostic = Diagnostic {
        code: error.code(),
        message: error.to_string(),
        file: Some(input.name.clone()),
        ..Diagnostic::default()
    };
    if let RunError::Vc4Unsupported { place, .. } = error {
        point_out_text(&mut diagnostic, place, input);
    }
    reporter.report(&[diagnostic]);
    match error {
        RunError::Vc4Unsupported { .. } => Exit::Unsupported,
        RunError::Vc4Limit(_) => Exit::Limit,
        _ => Exit::Rejected,
    }
}

impl Flags {
    /// The first flag that was given.
    pub(crate) fn first(&self) -> Option<&'static str> {
        let flags = [("--local-size", !self.local_size.is_empty()), ("--local-memory", !self.local_memory.is_empty())];
        flags.into_iter().find_map(|(flag, is_said)| is_said.then_some(flag))
    }

    /// Makes words of the only kernel of a compiled module.
    pub(crate) fn compile(&self, module: &Module, reflection: &Reflection, form: CodeForm) -> Result<Code, NoCode> {
        let names = || reflection.kernels.iter().map(|kernel| kernel.name.as_str()).collect::<Vec<_>>().join(", ");
        let [kernel] = reflection.kernels.as_slice() else {
            let message = format!("code for the VC4 is one kernel: choose one of {} with --kernel", names());
            return Err(NoCode::Usage(message));
        };
        let local = self.local_size(kernel)?;
        let constants = self.constants(kernel, local)?;
        let program = compile_for_vc4(module, &kernel.name, &constants, local).map_err(NoCode::Refused)?;
        let bytes = match form {
            CodeForm::Words => program.words.iter().flat_map(|word| word.to_le_bytes()).collect(),
            CodeForm::Assembly => disassemble(&program.words).into_bytes(),
        };
        Ok(Code { bytes, reflection: vc4_reflection_json(&program, kernel) })
    }

    fn local_size(&self, kernel: &Kernel) -> Result<[u32; 3], NoCode> {
        let required = match kernel.local_size {
            LocalSize::Fixed(size) => Some(size),
            LocalSize::Specialized(_) => kernel.required_local_size,
        };
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
        let mut constants: Vec<(u32, u32)> = kernel.work_dim.map(|id| (id, 3)).into_iter().collect();
        if let LocalSize::Specialized(ids) = kernel.local_size {
            constants.extend(ids.into_iter().zip(local));
        }
        let locals: Vec<(u32, u32)> = kernel
            .arguments
            .iter()
            .filter_map(|argument| match argument.kind {
                ArgumentKind::Local { spec_id, alignment } => Some((spec_id, alignment.max(1))),
                _ => None,
            })
            .collect();
        if self.local_memory.len() > locals.len() {
            let message = format!(
                "--local-memory has {} sizes, and the kernel {} has {} arguments in local memory",
                self.local_memory.len(),
                kernel.name,
                locals.len()
            );
            return Err(NoCode::Usage(message));
        }
        for (&(id, alignment), &bytes) in locals.iter().zip(&self.local_memory) {
            let rounded = bytes.checked_next_multiple_of(alignment);
            let rounded =
                rounded.ok_or_else(|| NoCode::Usage("--local-memory must be smaller than 4 GiB".to_owned()))?;
            constants.push((id, rounded));
        }
        Ok(constants)
    }
}
