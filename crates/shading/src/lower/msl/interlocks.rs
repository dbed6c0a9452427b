//! Interlocks of fragments: the language orders accesses to resources, by an attribute of each.
//!
//! ```text
//! begin interlock; load and store %image; end interlock      ⇒      texture2d<float, access::read_write> image [[texture(0), raster_order_group(0)]]
//! ```
//!
//! Fragments of one pixel access all resources of a group one after the other, from the first access to the last one, in the order of their
//! primitives. So whatever such an entry point writes is in one group, and the instructions that begin and end the interlock are nothing.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, view};
use spirv::ExecutionMode as Mode;

use super::super::function::Body;
use super::super::uses::is_address;
use super::super::{Entry, Lowering};
use crate::write::WriteCode;

/// The numbers of the instructions that begin and end an interlock.
const INTERLOCK: [u32; 2] = [5364, 5365];

impl Lowering<'_> {
    /// Finds the resources that fragments access in the order of their primitives.
    pub(super) fn find_ordered(&mut self) -> Result<(), Diagnostic> {
        let (ordered, others): (Vec<&Entry>, Vec<&Entry>) =
            self.entries.iter().partition(|entry| self.interlock(entry).is_some());
        let mut found = Vec::new();
        for entry in ordered {
            self.check_interlock(entry)?;
            let is_written = |&variable: &Inst| {
                self.msl.is_written(variable) || self.handle(variable).writes || self.uses.overlaps(variable)
            };
            let written: Vec<Inst> = self.variables_of(entry.function).into_iter().filter(is_written).collect();
            if let Some(&unordered) = written.iter().find(|&&variable| self.is_unbounded_variable(variable)) {
                let message = "an interlock of an array of resources without a length in MSL";
                return self.refuse(WriteCode::Op, unordered, message);
            }
            found.extend(written);
            if let Some(&address) = self.msl.written.iter().filter(|&&root| is_address(self.source, root)).min() {
                return self.refuse(WriteCode::Op, address, "an interlock of memory behind an address in MSL");
            }
        }
        for entry in others {
            let used = self.variables_of(entry.function);
            if let Some(&shared) = found.iter().find(|variable| used.contains(variable)) {
                let message =
                    "a resource of an interlock in another entry point in MSL: write them apart, by `--entry`";
                return self.refuse(WriteCode::Op, shared, message);
            }
        }
        self.msl.ordered.extend(found);
        Ok(())
    }

    fn interlock(&self, entry: &Entry) -> Option<Mode> {
        let modes = self.source.globals().filter_map(|inst| view::Mode::of(self.source, inst));
        let modes = modes.filter(|mode| mode.function == entry.function.inst()).filter_map(|mode| mode.mode);
        modes.into_iter().find(|mode| {
            matches!(
                mode,
                Mode::PixelInterlockOrderedEXT
                    | Mode::PixelInterlockUnorderedEXT
                    | Mode::SampleInterlockOrderedEXT
                    | Mode::SampleInterlockUnorderedEXT
                    | Mode::ShadingRateInterlockOrderedEXT
                    | Mode::ShadingRateInterlockUnorderedEXT
            )
        })
    }

    /// A fragment shader that runs for each sample is ordered with those of the same sample.
    fn check_interlock(&self, entry: &Entry) -> Result<(), Diagnostic> {
        let mode = self.interlock(entry);
        if matches!(mode, Some(Mode::ShadingRateInterlockOrderedEXT | Mode::ShadingRateInterlockUnorderedEXT)) {
            let message = "an interlock of the fragments of several pixels in MSL";
            return self.refuse(WriteCode::Op, entry.inst, message);
        }
        let is_of_pixel = matches!(mode, Some(Mode::PixelInterlockOrderedEXT | Mode::PixelInterlockUnorderedEXT));
        let mut capabilities = self.source.globals().filter_map(|inst| view::Capability::of(self.source, inst));
        let runs_for_samples = capabilities.any(|one| one.capability == Some(spirv::Capability::SampleRateShading));
        match is_of_pixel && runs_for_samples {
            true => {
                let message = "an interlock of all samples of a pixel in a shader that may run for each sample, in MSL";
                self.refuse(WriteCode::Op, entry.inst, message)
            }
            false => Ok(()),
        }
    }
}

impl Body<'_, '_> {
    /// Returns whether an instruction begins or ends an interlock.
    pub(super) fn is_interlock(&self, inst: Inst) -> bool {
        view::Opaque::of(self.source, inst).is_some_and(|opaque| INTERLOCK.contains(&opaque.opcode))
    }
}
