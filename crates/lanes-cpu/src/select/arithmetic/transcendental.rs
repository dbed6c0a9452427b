//! Transcendental functions of 32-bit floats.

use spirv::GlslStd450Op as Glsl;

use super::lanes::Lanes;
use crate::machine::VReg;

impl Lanes<'_, '_> {
    pub(super) fn transcendental(&mut self, _op: Glsl, _a: VReg) -> Option<VReg> {
        None
    }

    pub(super) fn transcendental_of_two(&mut self, _op: Glsl, _a: VReg, _b: VReg) -> Option<VReg> {
        None
    }
}
