//! The options after `; test pass`: the pass, and how it runs.

use reconverge::opencl::{BufferOffsets, Driver, Fma, GlobalOffset, Int64, KernelOptions, LaunchConstant, Pointers};
use reconverge::pipeline;
use reconverge_legalize::Machine;
use reconverge_restructure::Options;
use reconverge_rewrite::pass::Pass;
use reconverge_run::launch::format_named;

use super::steps::STEPS;

/// A pass and how it runs.
#[derive(Debug)]
pub(super) struct Setting {
    /// The tested pass.
    pub(super) pass: &'static Pass,
    /// The passes before it, so that a test of a late pass may begin with an OpenCL kernel.
    pub(super) first: Vec<&'static Pass>,
    /// Options of the structurizer.
    pub(super) structurize: Options,
    /// Options of the kernel passes.
    pub(super) kernel: KernelOptions,
    /// The machine of passes that legalize lanes; else it is that of the kernels.
    machine: Option<Machine>,
}

impl Setting {
    /// Reads `NAME [option=value …]`.
    pub(super) fn parse(words: &[&str]) -> Result<Setting, String> {
        let (name, settings) = words.split_first().ok_or("no pass is named")?;
        let mut setting = Setting {
            pass: pass(name)?,
            first: Vec::new(),
            structurize: Options::default(),
            kernel: KernelOptions::default(),
            machine: None,
        };
        for word in settings {
            let (name, value) = word.split_once('=').ok_or_else(|| format!("`{word}` does not read `option=value`"))?;
            setting.set(name, value)?;
        }
        Ok(setting)
    }

    /// The machine that passes legalize for: that of the kernels, without what `machine=` takes away.
    pub(super) fn machine(&self) -> Machine {
        self.machine.unwrap_or_else(|| self.kernel.machine())
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = || value.parse::<u32>().map_err(|_| format!("`{value}` is no number"));
        match (name, value) {
            ("after", names) => self.first = names.split(',').map(pass).collect::<Result<_, _>>()?,
            ("nesting_limit", _) => self.structurize.nesting_limit = number()?,
            ("chain_limit", _) => self.structurize.chain_limit = number()?,
            ("block_limit", _) => self.structurize.block_limit = number()? as usize,
            ("split_blocks", _) => self.structurize.split_blocks = number()?,
            ("kernel", name) => self.kernel.kernels.push(name.to_owned()),
            ("global_offset", "passed") => self.kernel.global_offset = GlobalOffset::Passed,
            ("pointers", "bindings") => self.kernel.pointers = Pointers::Bindings,
            ("buffer_offsets", "passed") => self.kernel.buffer_offsets = BufferOffsets::Passed,
            ("int64", "split") => self.kernel.int64 = Int64::Split,
            ("machine", "cpu") => self.machine = Some(reconverge_codegen::CPU_MACHINE),
            ("machine", "vc4") => self.machine = Some(reconverge_codegen::VC4_MACHINE),
            ("fma", "fused") => self.kernel.fma = Fma::Fused,
            ("fma", "exact") => self.kernel.fma = Fma::Exact,
            ("driver", name) => {
                self.kernel.driver = Driver::from_name(name).ok_or_else(|| format!("unknown driver {name}"))?;
            }
            ("image", _) => {
                let (argument, format) = argument(value)?;
                self.kernel.launch_constants.push((argument, LaunchConstant::Format(format_named(format)?)));
            }
            ("sampler", _) => {
                let (argument, bits) = argument(value)?;
                let bits = bits.parse().map_err(|_| format!("`{bits}` are no bits of a sampler"))?;
                self.kernel.launch_constants.push((argument, LaunchConstant::Sampler(bits)));
            }
            ("push_constant_limit", _) => self.kernel.push_constant_limit = number()?,
            ("inline_limit", _) => self.kernel.inline_limit = number()? as usize,
            _ => return Err(format!("unknown option {name}={value}")),
        }
        Ok(())
    }
}

/// The number of an argument, and what stands behind its colon.
fn argument(value: &str) -> Result<(usize, &str), String> {
    let (argument, rest) = value.split_once(':').ok_or("expected an argument, like 0:rgba8")?;
    Ok((argument.parse().map_err(|_| format!("`{argument}` is no number"))?, rest))
}

/// The pass or step of a name.
fn pass(name: &str) -> Result<&'static Pass, String> {
    let step = || STEPS.iter().find(|step| step.name == name);
    pipeline::find(name).or_else(step).ok_or_else(|| format!("unknown pass {name}"))
}
