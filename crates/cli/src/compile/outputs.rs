//! The outputs of a compilation: the module, graphs or machine code, with the reflection, the rule for `make`, and the report.

use std::borrow::Cow;

use reconverge::ir::text::{self, Printer};
use reconverge::ir::{Function, Module};
use reconverge::{Addition, Error, Format, Run, reflection_json, strip_lines, with_text};
use reconverge_diagnose::Sources;
use serde_json::json;

use super::{Compiled, Job};
use crate::exit::Exit;
use crate::lowering::PointerForm;
use crate::machine::Code;
use crate::output::{self, Output};
use crate::output_format::Contents;
use crate::recording::{Ended, Recording, in_format_of};

impl Job<'_> {
    /// Writes the module, and the reflection with it.
    pub(super) fn write(&self, module: &Module, run: &Run, code: Option<Code>) -> Result<(), Exit> {
        let format = match (self.output_format().contents, code) {
            (Contents::Module(format), _) => format,
            (Contents::Graphs, _) => return self.write_dot(module),
            (Contents::Code { bytes, .. }, Some(code)) => return self.write_code(&code, &bytes(&*code.code)),
            (Contents::Code { .. }, None) => {
                unreachable!("invariant: its flags need a target with code, and no earlier stop")
            }
        };
        let module = &*self.without_lines(module);
        let written = reconverge::write_described(module, format, &self.options);
        let asks_for_addresses = [Format::WGSL, Format::HLSL, Format::MSL].contains(&format)
            && run.reflection.is_some()
            && self.arguments.pointers == Some(PointerForm::Addresses);
        let written = written.map_err(|error| match asks_for_addresses {
            true => self.reporter.wrong_usage(format!(
                "{} has no addresses, which --pointers addresses asks for: leave it out, or give --pointers bindings",
                format.title()
            )),
            false => self.refuse(&error, Some(module)),
        })?;
        let text = || {
            let known = run.reflection.as_ref().map(reflection_json).or_else(|| self.interface.get().cloned());
            match &written.interface {
                Some(text) => Some(with_text(known.as_deref(), text)),
                None => known,
            }
        };
        let reflection = self.arguments.reflection.as_deref().and_then(|path| Some((path, text()?)));
        if reflection.is_none() && self.arguments.reflection.is_some() {
            let name = &self.input.name;
            let text = format!("note: {name}: there is no reflection, because the module has no OpenCL kernel");
            self.reporter.remark(&text, &json!({ "kind": "reflection", "file": name, "written": false }));
        }
        let mut outputs = vec![Output { path: &self.arguments.output, bytes: &written.bytes }];
        outputs.extend(reflection.iter().map(|(path, text)| Output { path, bytes: text.as_bytes() }));
        self.write_all(&outputs)
    }

    /// Prints what writing adds to what the module does.
    pub(super) fn explain_writing(&self, module: &Module) {
        let Contents::Module(format) = self.output_format().contents else { return };
        let sources = Sources::new(module);
        // The module is written by now, so this is no error.
        for Addition { function, place, kind, message } in
            reconverge::additions(module, format, &self.options).unwrap_or_default()
        {
            let place = place.filter(|inst| inst.index() < module.capacity()).and_then(|inst| sources.place(inst));
            let place = place.map_or_else(String::new, |place| format!(" ({place})"));
            self.reporter.note(
                &format!("{function}{place}: {message}"),
                &json!({ "kind": "why", "function": function, "block": null, "reason": kind, "message": message }),
            );
        }
    }

    /// The module as it is written. The lines of a source are for messages, unless they are requested.
    fn without_lines<'m>(&self, module: &'m Module) -> Cow<'m, Module> {
        if !self.input.is_source || self.arguments.source.keeps_lines() || self.arguments.written.has("lines") {
            return Cow::Borrowed(module);
        }
        let mut stripped = module.clone();
        strip_lines(&mut stripped);
        Cow::Owned(stripped)
    }

    /// Writes outputs, and the rule with what they depend on.
    fn write_all(&self, outputs: &[Output<'_>]) -> Result<(), Exit> {
        let rule = self.arguments.dependencies.rule(&self.arguments.output, std::slice::from_ref(self.input));
        let rule = rule.iter().map(|(path, bytes)| Output { path, bytes });
        let outputs: Vec<Output<'_>> = outputs.iter().copied().chain(rule).collect();
        output::write_or_report(&outputs, self.reporter)
    }

    /// Writes the report, also of a compilation that failed.
    pub(super) fn write_report(
        &self,
        recording: Recording,
        ran: Result<Compiled<'_>, &Error>,
        module: &Module,
    ) -> Result<(), Exit> {
        let Some(path) = &self.arguments.report else { return Ok(()) };
        let code = ran.map_or(Ok(None), |compiled| compiled.code);
        let (ran, format) = (ran.map(|compiled| compiled.run), self.output_format());
        let report = recording.finish(&Ended { ran, module, code, launch: None, format });
        let text = in_format_of(&report, path);
        output::write_or_report(&[Output { path, bytes: text.as_bytes() }], self.reporter)
    }

    /// Writes machine code, and its interface with it.
    fn write_code(&self, code: &Code, bytes: &[u8]) -> Result<(), Exit> {
        let mut outputs = vec![Output { path: &self.arguments.output, bytes }];
        let path = self.arguments.reflection.as_deref();
        outputs.extend(path.map(|path| Output { path, bytes: code.interface.as_bytes() }));
        self.write_all(&outputs)
    }

    /// Writes the control flow graphs of the named functions, or of all.
    fn write_dot(&self, module: &Module) -> Result<(), Exit> {
        let printer = Printer::new(module);
        let name = |function: Function| printer.operand_text(function.into());
        let asked = self.arguments.written.all("function");
        let is_called =
            |function: Function, wanted: &str| wanted.trim_start_matches('%') == name(function).trim_start_matches('%');
        let missing = asked.iter().find(|wanted| !module.functions().any(|function| is_called(function, wanted)));
        if let Some(missing) = missing {
            let names = module.functions().map(name).collect::<Vec<_>>().join(", ");
            let message = format!("no function {missing} in the output; there are {names}");
            return Err(self.reporter.wrong_usage(message));
        }
        let is_asked =
            |&function: &Function| asked.is_empty() || asked.iter().any(|wanted| is_called(function, wanted));
        let functions: Vec<Function> = module.functions().filter(is_asked).collect();
        let text = text::dot(module, functions);
        self.write_all(&[Output { path: &self.arguments.output, bytes: text.as_bytes() }])
    }
}
