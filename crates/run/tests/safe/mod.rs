//! Safe functions are safe: this module has no `unsafe`, and tries to reach memory that it does not give away.
//!
//! Memory of the process that a kernel is told about stays as it is, in every form of the code, checked or not. A launch that is not the one
//! that a kernel was compiled for is an error.
#![forbid(unsafe_code)]

mod misfits;
mod outside;
mod races;

use std::ptr;
use std::sync::OnceLock;

use reconverge::{CompileOptions, Format, Level};
use reconverge_ir::Module;
use reconverge_opencl::Reflection;
use reconverge_run::{Argument, CpuKernel, CpuOptions, Launch, RunError};

use super::cpu::bounds::FORMS;
use super::cpu::case::root;

/// The kernels of `safe.cl`.
fn compiled() -> (Module, Reflection) {
    static ONCE: OnceLock<(Module, Reflection)> = OnceLock::new();
    ONCE.get_or_init(compile).clone()
}

fn compile() -> (Module, Reflection) {
    let spirv = std::fs::read(root().join("crates/run/tests/safe/kernels/safe.spv")).expect("the kernels are there");
    let mut module = reconverge::read(&spirv, Format::SPIRV).expect("the kernels are valid");
    let run = reconverge::run(&mut module, &CompileOptions::new().level(Level::None), &mut |_, _| ())
        .expect("they are compiled");
    (module, run.reflection.expect("there are kernels"))
}

/// A launch of work-groups of 64, from the arguments of the command line.
fn launch(kernel: &str, groups: u64, arguments: &[&str]) -> Launch {
    Launch {
        kernel: Some(kernel.to_owned()),
        global: [64 * groups, 1, 1],
        local: Some([64, 1, 1]),
        arguments: arguments.iter().map(|text| Argument::from_flag(text).expect("the argument is valid")).collect(),
        ..Launch::default()
    }
}

/// Launches of one kernel, with other contents alone, in every form of this CPU, guarded and checked.
fn in_all_forms(launches: &[Launch], mut look: impl FnMut(&str, Result<Vec<Vec<u8>>, RunError>)) {
    let (module, reflection) = compiled();
    let first = launches.first().expect("there is a launch");
    let mut count = 0;
    for (width, vectors) in FORMS {
        for is_checked in [false, true] {
            let options =
                CpuOptions { width: Some(width), vectors: Some(vectors), is_checked, ..CpuOptions::default() };
            let form = format!("{:?} {width}×{vectors}, checked: {is_checked}", first.kernel);
            match CpuKernel::compile(&module, &reflection, first, options) {
                Ok(kernel) => {
                    for launch in launches {
                        let measured = kernel.launch(&reflection, launch, 1);
                        look(&form, measured.map(|measured| measured.buffers));
                    }
                }
                // This CPU has no vectors of this width.
                Err(RunError::NoCode(error)) if error.message.contains("cannot run here") => continue,
                Err(error) => panic!("{form}: {error}"),
            }
            count += 1;
        }
    }
    assert!(count > 0, "one lane is always possible");
}

/// Memory of this process that no launch is given, and its address.
struct Victim {
    words: Box<[i32; 64]>,
}

const KEPT: i32 = 1_000_000;

impl Victim {
    fn new() -> Victim {
        Victim { words: Box::new([KEPT; 64]) }
    }

    fn address(&self) -> u64 {
        ptr::from_ref(&*self.words) as u64
    }

    fn assert_kept(&self, form: &str) {
        // What is read is what is in memory, not what the compiler knows.
        assert_eq!(*std::hint::black_box(&self.words), Box::new([KEPT; 64]), "{form}");
    }
}
