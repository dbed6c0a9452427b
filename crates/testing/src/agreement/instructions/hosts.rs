//! Declarations that an instruction may use: types, constants, variables and values of all kinds, as SPIR-V assembly, for shaders and
//! kernels.
//!
//! Only the declarations that an instruction uses are part of its module.

use std::fmt::Write as _;

/// The host of a module: it is a shader or an OpenCL kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Host {
    /// Logical addressing; the execution model is chosen for each module.
    Shader,
    /// Physical addressing of 64 bits.
    Kernel,
}

const SCALARS: [(&str, &str); 10] = [
    ("bool", "OpTypeBool"),
    ("u8", "OpTypeInt 8 0"),
    ("u16", "OpTypeInt 16 0"),
    ("u32", "OpTypeInt 32 0"),
    ("u64", "OpTypeInt 64 0"),
    ("f16", "OpTypeFloat 16"),
    ("f32", "OpTypeFloat 32"),
    ("f64", "OpTypeFloat 64"),
    ("i32", "OpTypeInt 32 1"),
    ("i64", "OpTypeInt 64 1"),
];
/// Kernels have no signed types: the last two of the scalars.
const KERNEL_SCALARS: usize = 8;

/// Name and operands of image types.
const SHADER_IMAGES: [(&str, &str); 14] = [
    ("1d", "%f32 1D 0 0 0 1 Unknown"),
    ("2d", "%f32 2D 0 0 0 1 Unknown"),
    ("2di", "%i32 2D 0 0 0 1 Unknown"),
    ("3d", "%f32 3D 0 0 0 1 Unknown"),
    ("cube", "%f32 Cube 0 0 0 1 Unknown"),
    ("2da", "%f32 2D 0 1 0 1 Unknown"),
    ("depth", "%f32 2D 1 0 0 1 Unknown"),
    ("ms", "%f32 2D 0 0 1 1 Unknown"),
    ("buffer", "%f32 Buffer 0 0 0 1 Unknown"),
    ("st2d", "%f32 2D 0 0 0 2 Rgba32f"),
    ("stu", "%u32 2D 0 0 0 2 R32ui"),
    ("st3d", "%f32 3D 0 0 0 2 Unknown"),
    ("stms", "%u32 2D 0 0 1 2 R32ui"),
    ("pass", "%f32 SubpassData 0 0 0 2 Unknown"),
];
const KERNEL_IMAGES: [(&str, &str); 5] = [
    ("read2d", "%void 2D 0 0 0 0 Unknown ReadOnly"),
    ("write2d", "%void 2D 0 0 0 0 Unknown WriteOnly"),
    ("read1d", "%void 1D 0 0 0 0 Unknown ReadOnly"),
    ("read3d", "%void 3D 0 0 0 0 Unknown ReadOnly"),
    ("depth", "%void 2D 1 0 0 0 Unknown ReadOnly"),
];

impl Host {
    /// The declarations and the body, from the first type on.
    pub(super) fn assembly(self) -> String {
        let mut text = Text { globals: String::new(), body: String::new(), annotations: String::new() };
        text.global("%void = OpTypeVoid");
        match self {
            Host::Shader => text.shader(),
            Host::Kernel => text.kernel(),
        }
        let Text { globals, body, annotations } = text;
        let parameters: Vec<&str> = body.lines().filter(|line| line.contains("OpFunctionParameter")).collect();
        let types: String =
            parameters.iter().filter_map(|line| line.rsplit(' ').next()).fold(String::new(), |all, ty| all + " " + ty);
        let body: Vec<&str> = body.lines().filter(|line| !line.contains("OpFunctionParameter")).collect();
        format!(
            "{annotations}{globals}%fn = OpTypeFunction %void{types}\n%main = OpFunction %void None %fn\n{}\n%entry = OpLabel\n{}\nOpReturn\nOpFunctionEnd\n",
            parameters.join("\n"),
            body.join("\n")
        )
    }
}

struct Text {
    globals: String,
    body: String,
    annotations: String,
}

impl Text {
    fn global(&mut self, line: &str) {
        writeln!(self.globals, "{line}").expect("a string takes all");
    }

    fn body(&mut self, line: &str) {
        writeln!(self.body, "{line}").expect("a string takes all");
    }

    fn annotation(&mut self, line: &str) {
        writeln!(self.annotations, "{line}").expect("a string takes all");
    }

    fn scalars(&mut self, count: usize, sizes: &[usize]) -> Vec<String> {
        let mut names = Vec::new();
        for (name, ty) in &SCALARS[..count] {
            self.global(&format!("%{name} = {ty}"));
            names.push((*name).to_owned());
            match *name {
                "bool" => self.global("%bool_1 = OpConstantTrue %bool\n%bool_2 = OpConstantFalse %bool"),
                _ => (1..=4).for_each(|number| self.global(&format!("%{name}_{number} = OpConstant %{name} {number}"))),
            }
            for size in sizes {
                let parts = format!(" %{name}_1").repeat(*size);
                self.global(&format!("%v{size}{name} = OpTypeVector %{name} {size}"));
                self.global(&format!("%v{size}{name}_1 = OpConstantComposite %v{size}{name}{parts}"));
                names.push(format!("v{size}{name}"));
            }
        }
        self.global("%u32_8 = OpConstant %u32 8\n%u32_64 = OpConstant %u32 64\n%u32_264 = OpConstant %u32 264");
        self.global("%chosen = OpSpecConstant %u32 3\n%chosen_bool = OpSpecConstantTrue %bool");
        names
    }

    /// Types that are made of others, with values.
    fn composites(&mut self) -> Vec<String> {
        self.global(
            "%array = OpTypeArray %f32 %u32_3\n%pair = OpTypeStruct %f32 %u32\n%carry = OpTypeStruct %u32 %u32",
        );
        self.global(
            "%mixed = OpTypeStruct %v2f32 %v2u32\n%twice = OpTypeStruct %f32 %f32\n%sparse = OpTypeStruct %u32 %v4f32",
        );
        ["array", "pair", "carry", "mixed", "twice", "sparse"].map(str::to_owned).to_vec()
    }

    /// A null, a constant and an undefined value of a type, and variables of it.
    fn values(&mut self, ty: &str, storage: &str) {
        self.global(&format!("%{ty}_null = OpConstantNull %{ty}"));
        self.global(&format!("%pf_{ty} = OpTypePointer Function %{ty}\n%pw_{ty} = OpTypePointer Workgroup %{ty}"));
        self.global(&format!("%workgroup_{ty} = OpVariable %pw_{ty} Workgroup"));
        self.body(&format!("%local_{ty} = OpVariable %pf_{ty} Function"));
        if storage == "Private" {
            self.global(&format!(
                "%pp_{ty} = OpTypePointer Private %{ty}\n%private_{ty} = OpVariable %pp_{ty} Private"
            ));
        } else {
            self.global(&format!("%pc_{ty} = OpTypePointer {storage} %{ty}\n%pg_{ty} = OpTypePointer Generic %{ty}"));
            self.body(&format!("%far_{ty} = OpFunctionParameter %pc_{ty}"));
        }
    }

    fn loads(&mut self, ty: &str, storage: &str) {
        match storage {
            "Private" => self.body(&format!("%any_{ty} = OpLoad %{ty} %private_{ty}")),
            _ => {
                self.body(&format!("%any_{ty} = OpLoad %{ty} %far_{ty} Aligned 1"));
                self.body(&format!("%generic_{ty} = OpPtrCastToGeneric %pg_{ty} %far_{ty}"));
            }
        }
        self.body(&format!("%undefined_{ty} = OpUndef %{ty}"));
    }

    fn shader(&mut self) {
        let mut names = self.scalars(SCALARS.len(), &[2, 3, 4]);
        for size in 2..=4 {
            let columns = format!(" %v{size}f32_1").repeat(size);
            self.global(&format!("%m{size} = OpTypeMatrix %v{size}f32 {size}"));
            self.global(&format!("%m{size}_1 = OpConstantComposite %m{size}{columns}"));
            names.push(format!("m{size}"));
        }
        self.global("%m23 = OpTypeMatrix %v2f32 3\n%signed_mixed = OpTypeStruct %f32 %i32\n%signed_carry = OpTypeStruct %i32 %i32");
        names.extend(["m23", "signed_mixed", "signed_carry"].map(str::to_owned));
        names.extend(self.composites());
        names.iter().for_each(|ty| self.values(ty, "Private"));
        names.iter().for_each(|ty| self.loads(ty, "Private"));
        self.resources();
        self.interface();
        self.rays();
    }

    fn resources(&mut self) {
        self.global("%sampler = OpTypeSampler\n%pu_sampler = OpTypePointer UniformConstant %sampler\n%u_sampler = OpVariable %pu_sampler UniformConstant");
        self.annotation("OpDecorate %u_sampler DescriptorSet 0\nOpDecorate %u_sampler Binding 0");
        self.body("%any_sampler = OpLoad %sampler %u_sampler");
        for (name, operands) in SHADER_IMAGES {
            self.global(&format!(
                "%im_{name} = OpTypeImage {operands}\n%pu_{name} = OpTypePointer UniformConstant %im_{name}"
            ));
            self.global(&format!("%u_{name} = OpVariable %pu_{name} UniformConstant"));
            self.annotation(&format!("OpDecorate %u_{name} DescriptorSet 0\nOpDecorate %u_{name} Binding 1"));
            if name == "pass" {
                self.annotation("OpDecorate %u_pass InputAttachmentIndex 0");
            }
            self.body(&format!("%image_{name} = OpLoad %im_{name} %u_{name}"));
            if operands.contains("1 Unknown") && name != "buffer" {
                self.global(&format!("%si_{name} = OpTypeSampledImage %im_{name}"));
                self.body(&format!("%sampled_{name} = OpSampledImage %si_{name} %image_{name} %any_sampler"));
            }
        }
        self.global("%pi_u32 = OpTypePointer Image %u32");
        self.body("%texel = OpImageTexelPointer %pi_u32 %u_stu %v2u32_1 %u32_null");
        for (part, size) in [("u32", 4), ("f32", 4), ("i32", 4), ("u64", 8), ("f64", 8), ("v4f32", 16)] {
            self.global(&format!(
                "%row_{part} = OpTypeRuntimeArray %{part}\n%block_{part} = OpTypeStruct %{part} %row_{part}"
            ));
            self.annotation(&format!("OpDecorate %row_{part} ArrayStride {size}\nOpDecorate %block_{part} Block"));
            self.annotation(&format!(
                "OpMemberDecorate %block_{part} 0 Offset 0\nOpMemberDecorate %block_{part} 1 Offset 16"
            ));
            self.global(&format!("%ps_block_{part} = OpTypePointer StorageBuffer %block_{part}\n%ps_{part} = OpTypePointer StorageBuffer %{part}"));
            self.global(&format!("%s_{part} = OpVariable %ps_block_{part} StorageBuffer"));
            self.annotation(&format!("OpDecorate %s_{part} DescriptorSet 0\nOpDecorate %s_{part} Binding 2"));
            self.body(&format!("%place_{part} = OpAccessChain %ps_{part} %s_{part} %u32_null"));
            self.body(&format!("%loaded_{part} = OpLoad %{part} %place_{part}"));
        }
    }

    fn interface(&mut self) {
        for (number, ty) in ["f32", "v4f32", "v2f32"].into_iter().enumerate() {
            for class in ["Input", "Output"] {
                self.global(&format!(
                    "%p{class}_{ty} = OpTypePointer {class} %{ty}\n%{class}_{ty} = OpVariable %p{class}_{ty} {class}"
                ));
                self.annotation(&format!("OpDecorate %{class}_{ty} Location {number}"));
            }
            self.body(&format!("%in_{ty} = OpLoad %{ty} %Input_{ty}"));
        }
    }

    fn rays(&mut self) {
        self.global("%structure = OpTypeAccelerationStructureKHR\n%pu_structure = OpTypePointer UniformConstant %structure\n%u_structure = OpVariable %pu_structure UniformConstant");
        self.annotation("OpDecorate %u_structure DescriptorSet 0\nOpDecorate %u_structure Binding 3");
        self.body("%any_structure = OpLoad %structure %u_structure");
        self.global("%query = OpTypeRayQueryKHR\n%pp_query = OpTypePointer Private %query\n%any_query = OpVariable %pp_query Private");
        for class in
            ["RayPayloadKHR", "IncomingRayPayloadKHR", "HitAttributeKHR", "CallableDataKHR", "TaskPayloadWorkgroupEXT"]
        {
            self.global(&format!(
                "%p{class} = OpTypePointer {class} %v4f32\n%any_{class} = OpVariable %p{class} {class}"
            ));
        }
        self.global("%matrix_use = OpConstant %u32 0\n%cooperative = OpTypeCooperativeMatrixKHR %f32 %u32_3 %u32_8 %u32_8 %u32_2");
        self.global("%cooperative_null = OpConstantNull %cooperative");
    }

    fn kernel(&mut self) {
        let mut names = self.scalars(KERNEL_SCALARS, &[2, 3, 4, 8]);
        names.extend(self.composites());
        names.iter().for_each(|ty| self.values(ty, "CrossWorkgroup"));
        names.iter().for_each(|ty| self.loads(ty, "CrossWorkgroup"));
        let opaque = [
            ("event", "OpTypeEvent"),
            ("device_event", "OpTypeDeviceEvent"),
            ("reserved", "OpTypeReserveId"),
            ("queue", "OpTypeQueue"),
            ("in_pipe", "OpTypePipe ReadOnly"),
            ("out_pipe", "OpTypePipe WriteOnly"),
            ("sampler", "OpTypeSampler"),
        ];
        for (name, ty) in opaque {
            self.global(&format!("%{name} = {ty}\n%pf_{name} = OpTypePointer Function %{name}\n%pg_{name} = OpTypePointer Generic %{name}"));
            self.body(&format!(
                "%any_{name} = OpFunctionParameter %{name}\n%local_{name} = OpVariable %pf_{name} Function"
            ));
            self.body(&format!("%generic_{name} = OpPtrCastToGeneric %pg_{name} %local_{name}"));
        }
        self.global("%event_null = OpConstantNull %event\n%pu_u32 = OpTypePointer UniformConstant %u32\n%table_u32 = OpVariable %pu_u32 UniformConstant %u32_1");
        for (name, operands) in KERNEL_IMAGES {
            self.global(&format!("%im_{name} = OpTypeImage {operands}"));
            self.body(&format!("%image_{name} = OpFunctionParameter %im_{name}"));
            if operands.ends_with("ReadOnly") {
                self.global(&format!("%si_{name} = OpTypeSampledImage %im_{name}"));
                self.body(&format!("%sampled_{name} = OpSampledImage %si_{name} %image_{name} %any_sampler"));
            }
        }
    }
}
