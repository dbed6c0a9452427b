//! The registry of codes: the groups that the crates of the library declare, in the order of lists.

use reconverge_diagnostic::Group;

use reconverge_diagnose as diagnose;
use reconverge_link as link;
use reconverge_optimize as optimize;
use reconverge_restructure as restructure;
use reconverge_rewrite as rewrite;
use reconverge_spirv as spirv;
use reconverge_verify as verify;

use crate::{error, ir, opencl, structurize};

/// The codes of all messages of the library. Groups with one title belong together.
pub fn code_groups() -> Vec<Group> {
    let mut groups = vec![
        diagnose::Code::GROUP,
        verify::Code::GROUP,
        error::InternalCode::GROUP,
        opencl::RepairCode::GROUP,
        opencl::KernelCode::GROUP,
        opencl::DriverCode::GROUP,
    ];
    #[cfg(feature = "dxil")]
    groups.extend([reconverge_dxil::Code::GROUP, crate::dxil::DxilCode::GROUP, reconverge_dxil::AssumptionCode::GROUP]);
    groups.extend([
        spirv::ReadCode::GROUP,
        ir::text::ErrorCode::GROUP,
        ir::binary::ErrorCode::GROUP,
        ir::ImportCode::GROUP,
        link::Code::GROUP,
        spirv::WriteCode::GROUP,
        error::OutputCode::GROUP,
    ]);
    #[cfg(feature = "shading")]
    groups.push(reconverge_shading::WriteCode::GROUP);
    groups.extend([
        structurize::LimitCode::GROUP,
        restructure::StructurizeCode::GROUP,
        reconverge_control_tree::TreeCode::GROUP,
        error::ErrorCode::GROUP,
        ir::StageCode::GROUP,
        reconverge_generics::GenericsCode::GROUP,
        rewrite::GrowthCode::GROUP,
        optimize::structured::DemandCode::GROUP,
        structurize::text::ErrorCode::GROUP,
    ]);
    groups.push(structurize::DocumentCode::GROUP);
    #[cfg(feature = "shading")]
    groups.extend([reconverge_shading::ReadCode::GROUP, reconverge_shading::UniformityRule::GROUP]);
    #[cfg(feature = "codegen")]
    groups.extend([
        reconverge_codegen::CodegenCode::GROUP,
        reconverge_codegen::CpuCode::GROUP,
        reconverge_codegen::Vc4Code::GROUP,
        reconverge_lanes::LanesCode::GROUP,
    ]);
    groups.push(spirv::AssemblyCode::GROUP);
    groups
}
