//! What a compilation reports besides errors: findings about the input, what was done, and times.

use std::time::Duration;

use reconverge::ir::Module;
use reconverge::{CompileOptions, Run};
use serde_json::json;

use super::Job;
use crate::findings;
use crate::lowering::PointerForm;

/// The times of a compilation beside those of its passes.
pub(super) struct Around {
    pub(super) read: Duration,
    pub(super) verify: Duration,
    /// Selection and assembly; zero for a target without machine code.
    pub(super) assemble: Duration,
    pub(super) write: Duration,
}

impl Job<'_> {
    /// Reports what the passes found in the input.
    pub(super) fn report_findings(&self, run: &Run, module: &Module, options: &CompileOptions) {
        findings::report_repairs(&run.repairs, self.input, self.reporter);
        self.tell_repaired(run);
        let library = findings::of_library(run, options.target, self.input, module);
        self.reporter.report(library.as_slice());
        self.tell_bindings(run);
        self.reporter.report(&findings::of_barriers(run, self.input, module));
        self.reporter.report(&findings::of_uneven_barriers(module, options.kernel.driver, self.input));
    }

    /// Reports what was done and written, if the reporter is verbose.
    pub(super) fn detail_run(&self, run: &Run, module: &Module) {
        for step in run.steps.iter().filter(|step| step.functions_changed > 0) {
            let (pass, changed) = (step.pass, step.functions_changed);
            let number = step.optimization.map_or_else(String::new, |number| format!(" (optimization {number})"));
            let text = format!("{pass}{number}: functions changed {changed}");
            let object = json!({
                "kind": "pass", "pass": pass, "optimization": step.optimization, "functions_changed": changed,
            });
            self.reporter.detail(&text, &object);
        }
        let (file, functions) = (self.arguments.output.display().to_string(), module.functions().count());
        let object = json!({ "kind": "written", "file": file, "functions": functions });
        self.reporter.detail(&format!("wrote {file}: functions {functions}"), &object);
    }

    /// Reports the functions that were not structured in the input.
    fn tell_repaired(&self, run: &Run) {
        // The findings are about the module as it was read, which no longer exists.
        if !run.repaired.is_empty()
            && let Ok((origin, _)) = self.input.repaired_module()
        {
            self.reporter.report(&findings::of_repaired(&run.repaired, self.input, &origin));
        }
    }

    /// Reports that pointers of kernels are bindings, if no flag requests it.
    fn tell_bindings(&self, run: &Run) {
        let Some(format) = self.output_format().module_format() else { return };
        let pointers = self.arguments.pointers_of(Some(self.output_format()));
        if run.reflection.is_some() && self.arguments.pointers.is_none() && pointers == PointerForm::Bindings {
            let text = format!(
                "note: in {} pointers of kernels become bindings, as with --pointers bindings; --reflection lists the bindings",
                format.title()
            );
            self.reporter
                .remark(&text, &json!({ "kind": "pointers", "pointers": "bindings", "format": format.name() }));
        }
    }

    pub(super) fn report_times(&self, run: &Run, around: &Around) {
        let passes = run.steps.iter().map(|step| (step.pass, step.time, Some(step.functions_changed)));
        let in_passes: Duration = run.steps.iter().map(|step| step.time).sum();
        let all = around.read + around.verify + around.assemble + around.write + in_passes;
        let totals = [("all passes", in_passes), ("all", all)].map(|(name, time)| (name, time, None));
        let before = [("read", around.read, None), ("verify", around.verify, None)];
        let assemble = (around.assemble > Duration::ZERO).then_some(("assemble", around.assemble, None));
        let after = assemble.into_iter().chain([("write", around.write, None)]).chain(totals);
        for (name, time, changed) in before.into_iter().chain(passes).chain(after) {
            let note = changed.map_or_else(String::new, |count| format!("  ({count} functions changed)"));
            let text = format!("{:>10.3} ms  {name}{note}", time.as_secs_f64() * 1e3);
            let object = json!({
                "kind": "time", "step": name, "microseconds": u64::try_from(time.as_micros()).unwrap_or(u64::MAX),
                "functions_changed": changed,
            });
            self.reporter.note(&text, &object);
        }
    }
}
