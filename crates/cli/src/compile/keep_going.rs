//! `--keep-going`: the kernels of a module that can be compiled, without the others.
//!
//! ```text
//! a, b, c, d: refused     ⇒     a, b: compiled     c, d: refused     ⇒     c: refused, reported     d: compiled
//! ```
//!
//! A trial compiles some of the kernels of the module as it is read. Kernels that fail together are halved until one fails alone. Of n kernels, f
//! that fail cost at most 2 f log n + 1 trials.

use reconverge::ir::{Module, view};
use reconverge::{CompileOptions, Error};
use serde_json::json;

use super::Job;
use crate::exit::Exit;
use crate::input::merges_of;

/// The error of a trial, with the module as the failing pass left it.
struct Failed {
    error: Error,
    module: Module,
}

impl Job<'_> {
    /// Compiles the kernels that can be compiled. The exit code is that of the first kernel that cannot.
    pub(super) fn keep_going(mut self) -> Result<(), Exit> {
        let Err(of_all) = self.attempt(&self.kernels) else { return self.run() };
        let mut rest = vec![self.all_kernels()?];
        let (mut compiled, mut refused) = (Vec::new(), Vec::new());
        while let Some(kernels) = rest.pop() {
            match (self.attempt(&kernels), &kernels[..]) {
                (Ok(()), _) => compiled.extend(kernels),
                (Err(failed), [only]) => refused.push((only.clone(), failed)),
                (Err(_), _) => {
                    let (left, right) = kernels.split_at(kernels.len() / 2);
                    rest.extend([right.to_vec(), left.to_vec()]);
                }
            }
        }
        // What concerns the module as a whole fails with every kernel.
        if compiled.is_empty() {
            return Err(self.refuse(&of_all.error, Some(&of_all.module)));
        }
        let mut exits = refused.iter().map(|(_, failed)| self.refuse(&failed.error, Some(&failed.module)));
        let exit = exits.next().unwrap_or(Exit::Done);
        exits.for_each(drop);
        let names: Vec<&str> = refused.iter().map(|(name, _)| name.as_str()).collect();
        let all = names.len() + compiled.len();
        let text = format!("{} of {all} kernels cannot be compiled: {}", names.len(), names.join(", "));
        self.reporter.remark(&text, &json!({ "kind": "keep-going", "refused": names, "compiled": compiled }));
        self.kernels = compiled;
        self.run()?;
        exit.result()
    }

    /// Compiles some kernels, and forgets the result.
    fn attempt(&self, kernels: &[String]) -> Result<(), Box<Failed>> {
        let read = self.input.read_repaired(merges_of(self.arguments.strip_merges));
        let mut module = match read {
            Ok((read, _)) => read.module,
            Err(error) => return Err(Box::new(Failed { error, module: Module::new() })),
        };
        let options = self.options();
        let kernel = options.kernel.clone().kernels(kernels.to_vec());
        let options: CompileOptions = options.kernel(kernel);
        match reconverge::run(&mut module, &options, &mut |_, _| {}) {
            Ok(_) => Ok(()),
            Err(error) => Err(Box::new(Failed { error, module })),
        }
    }

    /// The names of the kernels: those that flags name, or those of the module.
    fn all_kernels(&self) -> Result<Vec<String>, Exit> {
        if !self.kernels.is_empty() {
            return Ok(self.kernels.clone());
        }
        let module = self.input.module().map_err(|error| self.refuse(&error, None))?;
        let entries = module.globals().filter_map(|global| view::EntryPoint::of(&module, global));
        Ok(entries.map(|entry| entry.name.to_string()).collect())
    }
}
