//! Forms of vector instructions: what an operation is called for each kind of vector register.
//!
//! Uniform floating-point numbers are computed by the packed forms on `xmm`, in lane 0: one table serves scalar code and vectors. Forms with
//! a VEX prefix reach registers 0 to 15; functions that may use AVX-512 have EVEX forms only. A form that an instruction set lacks is
//! `INVALID`; `emulate.rs` has what replaces it.

use iced_x86::Code;

/// A kind of vector register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// 128 bits, without AVX-512: lane 0 of a uniform value.
    VexXmm,
    /// 256 bits, without AVX-512.
    VexYmm,
    /// 128 bits, with AVX-512: lane 0 of a uniform value.
    EvexXmm,
    /// 512 bits.
    EvexZmm,
}

/// The element that a memory operand can have instead of a vector, with AVX-512.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Broadcast {
    None,
    B32,
    B64,
}

impl Shape {
    /// Returns whether only lane 0 counts.
    pub(super) fn is_uniform(self) -> bool {
        matches!(self, Shape::VexXmm | Shape::EvexXmm)
    }

    /// Returns whether instructions are those of AVX-512.
    pub(super) fn is_evex(self) -> bool {
        matches!(self, Shape::EvexXmm | Shape::EvexZmm)
    }

    /// The bytes of a register.
    pub(super) fn bytes(self) -> usize {
        match self {
            Shape::VexXmm | Shape::EvexXmm => 16,
            Shape::VexYmm => 32,
            Shape::EvexZmm => 64,
        }
    }
}

macro_rules! vector_ops {
    ($($op:ident: $broadcast:ident, [$vex_xmm:ident, $vex_ymm:ident, $evex_xmm:ident, $evex_zmm:ident];)*) => {
        /// An instruction on vectors, by its mnemonic.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum VectorOp {
            $($op,)*
        }

        impl VectorOp {
            /// The forms: VEX `xmm` and `ymm`, EVEX `xmm` and `zmm`.
            fn forms(self) -> [Code; 4] {
                match self {
                    $(VectorOp::$op => [Code::$vex_xmm, Code::$vex_ymm, Code::$evex_xmm, Code::$evex_zmm],)*
                }
            }

            /// The kinds of memory operands besides a vector.
            pub(super) fn broadcast(self) -> Broadcast {
                match self {
                    $(VectorOp::$op => Broadcast::$broadcast,)*
                }
            }
        }
    };
}

impl VectorOp {
    /// The form for a kind of register.
    pub(super) fn code(self, shape: Shape) -> Code {
        self.forms()[shape as usize]
    }

    /// Returns whether the result is a mask.
    pub(super) fn is_comparison(self) -> bool {
        use VectorOp::{Vcmppd, Vcmpps, Vpcmpd, Vpcmpeqd, Vpcmpeqq, Vpcmpgtd, Vpcmpgtq, Vpcmpq, Vpcmpud, Vpcmpuq};
        matches!(
            self,
            Vcmpps | Vcmppd | Vpcmpd | Vpcmpq | Vpcmpud | Vpcmpuq | Vpcmpeqd | Vpcmpeqq | Vpcmpgtd | Vpcmpgtq
        )
    }

    /// Returns whether there is a form for a kind of register.
    pub(super) fn exists(self, shape: Shape) -> bool {
        self.code(shape) != Code::INVALID
    }
}

vector_ops! {
    Vaddps: B32,
        [VEX_Vaddps_xmm_xmm_xmmm128, VEX_Vaddps_ymm_ymm_ymmm256, EVEX_Vaddps_xmm_k1z_xmm_xmmm128b32, EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er];
    Vaddpd: B64,
        [VEX_Vaddpd_xmm_xmm_xmmm128, VEX_Vaddpd_ymm_ymm_ymmm256, EVEX_Vaddpd_xmm_k1z_xmm_xmmm128b64, EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er];
    Vsubps: B32,
        [VEX_Vsubps_xmm_xmm_xmmm128, VEX_Vsubps_ymm_ymm_ymmm256, EVEX_Vsubps_xmm_k1z_xmm_xmmm128b32, EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er];
    Vsubpd: B64,
        [VEX_Vsubpd_xmm_xmm_xmmm128, VEX_Vsubpd_ymm_ymm_ymmm256, EVEX_Vsubpd_xmm_k1z_xmm_xmmm128b64, EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er];
    Vmulps: B32,
        [VEX_Vmulps_xmm_xmm_xmmm128, VEX_Vmulps_ymm_ymm_ymmm256, EVEX_Vmulps_xmm_k1z_xmm_xmmm128b32, EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er];
    Vmulpd: B64,
        [VEX_Vmulpd_xmm_xmm_xmmm128, VEX_Vmulpd_ymm_ymm_ymmm256, EVEX_Vmulpd_xmm_k1z_xmm_xmmm128b64, EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er];
    Vdivps: B32,
        [VEX_Vdivps_xmm_xmm_xmmm128, VEX_Vdivps_ymm_ymm_ymmm256, EVEX_Vdivps_xmm_k1z_xmm_xmmm128b32, EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er];
    Vdivpd: B64,
        [VEX_Vdivpd_xmm_xmm_xmmm128, VEX_Vdivpd_ymm_ymm_ymmm256, EVEX_Vdivpd_xmm_k1z_xmm_xmmm128b64, EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er];
    Vminps: B32,
        [VEX_Vminps_xmm_xmm_xmmm128, VEX_Vminps_ymm_ymm_ymmm256, EVEX_Vminps_xmm_k1z_xmm_xmmm128b32, EVEX_Vminps_zmm_k1z_zmm_zmmm512b32_sae];
    Vminpd: B64,
        [VEX_Vminpd_xmm_xmm_xmmm128, VEX_Vminpd_ymm_ymm_ymmm256, EVEX_Vminpd_xmm_k1z_xmm_xmmm128b64, EVEX_Vminpd_zmm_k1z_zmm_zmmm512b64_sae];
    Vmaxps: B32,
        [VEX_Vmaxps_xmm_xmm_xmmm128, VEX_Vmaxps_ymm_ymm_ymmm256, EVEX_Vmaxps_xmm_k1z_xmm_xmmm128b32, EVEX_Vmaxps_zmm_k1z_zmm_zmmm512b32_sae];
    Vmaxpd: B64,
        [VEX_Vmaxpd_xmm_xmm_xmmm128, VEX_Vmaxpd_ymm_ymm_ymmm256, EVEX_Vmaxpd_xmm_k1z_xmm_xmmm128b64, EVEX_Vmaxpd_zmm_k1z_zmm_zmmm512b64_sae];
    Vfmadd213ps: B32,
        [VEX_Vfmadd213ps_xmm_xmm_xmmm128, VEX_Vfmadd213ps_ymm_ymm_ymmm256, EVEX_Vfmadd213ps_xmm_k1z_xmm_xmmm128b32, EVEX_Vfmadd213ps_zmm_k1z_zmm_zmmm512b32_er];
    Vfmadd213pd: B64,
        [VEX_Vfmadd213pd_xmm_xmm_xmmm128, VEX_Vfmadd213pd_ymm_ymm_ymmm256, EVEX_Vfmadd213pd_xmm_k1z_xmm_xmmm128b64, EVEX_Vfmadd213pd_zmm_k1z_zmm_zmmm512b64_er];
    Vfnmadd213ps: B32,
        [VEX_Vfnmadd213ps_xmm_xmm_xmmm128, VEX_Vfnmadd213ps_ymm_ymm_ymmm256, EVEX_Vfnmadd213ps_xmm_k1z_xmm_xmmm128b32, EVEX_Vfnmadd213ps_zmm_k1z_zmm_zmmm512b32_er];
    Vfnmadd213pd: B64,
        [VEX_Vfnmadd213pd_xmm_xmm_xmmm128, VEX_Vfnmadd213pd_ymm_ymm_ymmm256, EVEX_Vfnmadd213pd_xmm_k1z_xmm_xmmm128b64, EVEX_Vfnmadd213pd_zmm_k1z_zmm_zmmm512b64_er];
    Vfmadd132ps: B32,
        [VEX_Vfmadd132ps_xmm_xmm_xmmm128, VEX_Vfmadd132ps_ymm_ymm_ymmm256, EVEX_Vfmadd132ps_xmm_k1z_xmm_xmmm128b32, EVEX_Vfmadd132ps_zmm_k1z_zmm_zmmm512b32_er];
    Vfmadd132pd: B64,
        [VEX_Vfmadd132pd_xmm_xmm_xmmm128, VEX_Vfmadd132pd_ymm_ymm_ymmm256, EVEX_Vfmadd132pd_xmm_k1z_xmm_xmmm128b64, EVEX_Vfmadd132pd_zmm_k1z_zmm_zmmm512b64_er];
    Vsqrtps: B32,
        [VEX_Vsqrtps_xmm_xmmm128, VEX_Vsqrtps_ymm_ymmm256, EVEX_Vsqrtps_xmm_k1z_xmmm128b32, EVEX_Vsqrtps_zmm_k1z_zmmm512b32_er];
    Vsqrtpd: B64,
        [VEX_Vsqrtpd_xmm_xmmm128, VEX_Vsqrtpd_ymm_ymmm256, EVEX_Vsqrtpd_xmm_k1z_xmmm128b64, EVEX_Vsqrtpd_zmm_k1z_zmmm512b64_er];
    Vrsqrt14ps: B32,
        [INVALID, INVALID, EVEX_Vrsqrt14ps_xmm_k1z_xmmm128b32, EVEX_Vrsqrt14ps_zmm_k1z_zmmm512b32];
    Vrndscaleps: B32,
        [VEX_Vroundps_xmm_xmmm128_imm8, VEX_Vroundps_ymm_ymmm256_imm8, EVEX_Vrndscaleps_xmm_k1z_xmmm128b32_imm8, EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae];
    Vrndscalepd: B64,
        [VEX_Vroundpd_xmm_xmmm128_imm8, VEX_Vroundpd_ymm_ymmm256_imm8, EVEX_Vrndscalepd_xmm_k1z_xmmm128b64_imm8, EVEX_Vrndscalepd_zmm_k1z_zmmm512b64_imm8_sae];
    Vscalefps: B32,
        [INVALID, INVALID, EVEX_Vscalefps_xmm_k1z_xmm_xmmm128b32, EVEX_Vscalefps_zmm_k1z_zmm_zmmm512b32_er];
    Vscalefpd: B64,
        [INVALID, INVALID, EVEX_Vscalefpd_xmm_k1z_xmm_xmmm128b64, EVEX_Vscalefpd_zmm_k1z_zmm_zmmm512b64_er];
    Vpaddd: B32,
        [VEX_Vpaddd_xmm_xmm_xmmm128, VEX_Vpaddd_ymm_ymm_ymmm256, EVEX_Vpaddd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32];
    Vpaddq: B64,
        [VEX_Vpaddq_xmm_xmm_xmmm128, VEX_Vpaddq_ymm_ymm_ymmm256, EVEX_Vpaddq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64];
    Vpsubd: B32,
        [VEX_Vpsubd_xmm_xmm_xmmm128, VEX_Vpsubd_ymm_ymm_ymmm256, EVEX_Vpsubd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32];
    Vpsubq: B64,
        [VEX_Vpsubq_xmm_xmm_xmmm128, VEX_Vpsubq_ymm_ymm_ymmm256, EVEX_Vpsubq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64];
    Vpmulld: B32,
        [VEX_Vpmulld_xmm_xmm_xmmm128, VEX_Vpmulld_ymm_ymm_ymmm256, EVEX_Vpmulld_xmm_k1z_xmm_xmmm128b32, EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32];
    Vpmullq: B64,
        [INVALID, INVALID, EVEX_Vpmullq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpmullq_zmm_k1z_zmm_zmmm512b64];
    Vpmuludq: B64,
        [VEX_Vpmuludq_xmm_xmm_xmmm128, VEX_Vpmuludq_ymm_ymm_ymmm256, EVEX_Vpmuludq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpmuludq_zmm_k1z_zmm_zmmm512b64];
    Vpmuldq: B64,
        [VEX_Vpmuldq_xmm_xmm_xmmm128, VEX_Vpmuldq_ymm_ymm_ymmm256, EVEX_Vpmuldq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpmuldq_zmm_k1z_zmm_zmmm512b64];
    Vpminsd: B32,
        [VEX_Vpminsd_xmm_xmm_xmmm128, VEX_Vpminsd_ymm_ymm_ymmm256, EVEX_Vpminsd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32];
    Vpminsq: B64,
        [INVALID, INVALID, EVEX_Vpminsq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpminsq_zmm_k1z_zmm_zmmm512b64];
    Vpminud: B32,
        [VEX_Vpminud_xmm_xmm_xmmm128, VEX_Vpminud_ymm_ymm_ymmm256, EVEX_Vpminud_xmm_k1z_xmm_xmmm128b32, EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32];
    Vpminuq: B64,
        [INVALID, INVALID, EVEX_Vpminuq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpminuq_zmm_k1z_zmm_zmmm512b64];
    Vpmaxsd: B32,
        [VEX_Vpmaxsd_xmm_xmm_xmmm128, VEX_Vpmaxsd_ymm_ymm_ymmm256, EVEX_Vpmaxsd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32];
    Vpmaxsq: B64,
        [INVALID, INVALID, EVEX_Vpmaxsq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpmaxsq_zmm_k1z_zmm_zmmm512b64];
    Vpmaxud: B32,
        [VEX_Vpmaxud_xmm_xmm_xmmm128, VEX_Vpmaxud_ymm_ymm_ymmm256, EVEX_Vpmaxud_xmm_k1z_xmm_xmmm128b32, EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32];
    Vpmaxuq: B64,
        [INVALID, INVALID, EVEX_Vpmaxuq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpmaxuq_zmm_k1z_zmm_zmmm512b64];
    Vpandd: B32,
        [VEX_Vpand_xmm_xmm_xmmm128, VEX_Vpand_ymm_ymm_ymmm256, EVEX_Vpandd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32];
    Vpandq: B64,
        [VEX_Vpand_xmm_xmm_xmmm128, VEX_Vpand_ymm_ymm_ymmm256, EVEX_Vpandq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64];
    Vpandnd: B32,
        [VEX_Vpandn_xmm_xmm_xmmm128, VEX_Vpandn_ymm_ymm_ymmm256, EVEX_Vpandnd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpandnd_zmm_k1z_zmm_zmmm512b32];
    Vpandnq: B64,
        [VEX_Vpandn_xmm_xmm_xmmm128, VEX_Vpandn_ymm_ymm_ymmm256, EVEX_Vpandnq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpandnq_zmm_k1z_zmm_zmmm512b64];
    Vpord: B32,
        [VEX_Vpor_xmm_xmm_xmmm128, VEX_Vpor_ymm_ymm_ymmm256, EVEX_Vpord_xmm_k1z_xmm_xmmm128b32, EVEX_Vpord_zmm_k1z_zmm_zmmm512b32];
    Vporq: B64,
        [VEX_Vpor_xmm_xmm_xmmm128, VEX_Vpor_ymm_ymm_ymmm256, EVEX_Vporq_xmm_k1z_xmm_xmmm128b64, EVEX_Vporq_zmm_k1z_zmm_zmmm512b64];
    Vpxord: B32,
        [VEX_Vpxor_xmm_xmm_xmmm128, VEX_Vpxor_ymm_ymm_ymmm256, EVEX_Vpxord_xmm_k1z_xmm_xmmm128b32, EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32];
    Vpxorq: B64,
        [VEX_Vpxor_xmm_xmm_xmmm128, VEX_Vpxor_ymm_ymm_ymmm256, EVEX_Vpxorq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64];
    Vpabsd: B32,
        [VEX_Vpabsd_xmm_xmmm128, VEX_Vpabsd_ymm_ymmm256, EVEX_Vpabsd_xmm_k1z_xmmm128b32, EVEX_Vpabsd_zmm_k1z_zmmm512b32];
    Vpabsq: B64,
        [INVALID, INVALID, EVEX_Vpabsq_xmm_k1z_xmmm128b64, EVEX_Vpabsq_zmm_k1z_zmmm512b64];
    Vplzcntd: B32,
        [INVALID, INVALID, EVEX_Vplzcntd_xmm_k1z_xmmm128b32, EVEX_Vplzcntd_zmm_k1z_zmmm512b32];
    Vplzcntq: B64,
        [INVALID, INVALID, EVEX_Vplzcntq_xmm_k1z_xmmm128b64, EVEX_Vplzcntq_zmm_k1z_zmmm512b64];
    Vpopcntd: B32,
        [INVALID, INVALID, EVEX_Vpopcntd_xmm_k1z_xmmm128b32, EVEX_Vpopcntd_zmm_k1z_zmmm512b32];
    Vpopcntq: B64,
        [INVALID, INVALID, EVEX_Vpopcntq_xmm_k1z_xmmm128b64, EVEX_Vpopcntq_zmm_k1z_zmmm512b64];
    Vpsllvd: B32,
        [VEX_Vpsllvd_xmm_xmm_xmmm128, VEX_Vpsllvd_ymm_ymm_ymmm256, EVEX_Vpsllvd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpsllvd_zmm_k1z_zmm_zmmm512b32];
    Vpsllvq: B64,
        [VEX_Vpsllvq_xmm_xmm_xmmm128, VEX_Vpsllvq_ymm_ymm_ymmm256, EVEX_Vpsllvq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpsllvq_zmm_k1z_zmm_zmmm512b64];
    Vpsrlvd: B32,
        [VEX_Vpsrlvd_xmm_xmm_xmmm128, VEX_Vpsrlvd_ymm_ymm_ymmm256, EVEX_Vpsrlvd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpsrlvd_zmm_k1z_zmm_zmmm512b32];
    Vpsrlvq: B64,
        [VEX_Vpsrlvq_xmm_xmm_xmmm128, VEX_Vpsrlvq_ymm_ymm_ymmm256, EVEX_Vpsrlvq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpsrlvq_zmm_k1z_zmm_zmmm512b64];
    Vpsravd: B32,
        [VEX_Vpsravd_xmm_xmm_xmmm128, VEX_Vpsravd_ymm_ymm_ymmm256, EVEX_Vpsravd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpsravd_zmm_k1z_zmm_zmmm512b32];
    Vpsravq: B64,
        [INVALID, INVALID, EVEX_Vpsravq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpsravq_zmm_k1z_zmm_zmmm512b64];
    Vpslld: B32,
        [VEX_Vpslld_xmm_xmm_imm8, VEX_Vpslld_ymm_ymm_imm8, EVEX_Vpslld_xmm_k1z_xmmm128b32_imm8, EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8];
    Vpsllq: B64,
        [VEX_Vpsllq_xmm_xmm_imm8, VEX_Vpsllq_ymm_ymm_imm8, EVEX_Vpsllq_xmm_k1z_xmmm128b64_imm8, EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8];
    Vpsrld: B32,
        [VEX_Vpsrld_xmm_xmm_imm8, VEX_Vpsrld_ymm_ymm_imm8, EVEX_Vpsrld_xmm_k1z_xmmm128b32_imm8, EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8];
    Vpsrlq: B64,
        [VEX_Vpsrlq_xmm_xmm_imm8, VEX_Vpsrlq_ymm_ymm_imm8, EVEX_Vpsrlq_xmm_k1z_xmmm128b64_imm8, EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8];
    Vpsrad: B32,
        [VEX_Vpsrad_xmm_xmm_imm8, VEX_Vpsrad_ymm_ymm_imm8, EVEX_Vpsrad_xmm_k1z_xmmm128b32_imm8, EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8];
    Vpsraq: B64,
        [INVALID, INVALID, EVEX_Vpsraq_xmm_k1z_xmmm128b64_imm8, EVEX_Vpsraq_zmm_k1z_zmmm512b64_imm8];
    Vpshufb: None,
        [VEX_Vpshufb_xmm_xmm_xmmm128, VEX_Vpshufb_ymm_ymm_ymmm256, EVEX_Vpshufb_xmm_k1z_xmm_xmmm128, EVEX_Vpshufb_zmm_k1z_zmm_zmmm512];
    Vpsadbw: None,
        [VEX_Vpsadbw_xmm_xmm_xmmm128, VEX_Vpsadbw_ymm_ymm_ymmm256, EVEX_Vpsadbw_xmm_xmm_xmmm128, EVEX_Vpsadbw_zmm_zmm_zmmm512];
    Vcvtdq2ps: B32,
        [VEX_Vcvtdq2ps_xmm_xmmm128, VEX_Vcvtdq2ps_ymm_ymmm256, EVEX_Vcvtdq2ps_xmm_k1z_xmmm128b32, EVEX_Vcvtdq2ps_zmm_k1z_zmmm512b32_er];
    Vcvtudq2ps: B32,
        [INVALID, INVALID, EVEX_Vcvtudq2ps_xmm_k1z_xmmm128b32, EVEX_Vcvtudq2ps_zmm_k1z_zmmm512b32_er];
    Vcvttps2dq: B32,
        [VEX_Vcvttps2dq_xmm_xmmm128, VEX_Vcvttps2dq_ymm_ymmm256, EVEX_Vcvttps2dq_xmm_k1z_xmmm128b32, EVEX_Vcvttps2dq_zmm_k1z_zmmm512b32_sae];
    Vcvttps2udq: B32,
        [INVALID, INVALID, EVEX_Vcvttps2udq_xmm_k1z_xmmm128b32, EVEX_Vcvttps2udq_zmm_k1z_zmmm512b32_sae];
    Vcvtqq2pd: B64,
        [INVALID, INVALID, EVEX_Vcvtqq2pd_xmm_k1z_xmmm128b64, EVEX_Vcvtqq2pd_zmm_k1z_zmmm512b64_er];
    Vcvtuqq2pd: B64,
        [INVALID, INVALID, EVEX_Vcvtuqq2pd_xmm_k1z_xmmm128b64, EVEX_Vcvtuqq2pd_zmm_k1z_zmmm512b64_er];
    Vcvttpd2qq: B64,
        [INVALID, INVALID, EVEX_Vcvttpd2qq_xmm_k1z_xmmm128b64, EVEX_Vcvttpd2qq_zmm_k1z_zmmm512b64_sae];
    Vcvttpd2uqq: B64,
        [INVALID, INVALID, EVEX_Vcvttpd2uqq_xmm_k1z_xmmm128b64, EVEX_Vcvttpd2uqq_zmm_k1z_zmmm512b64_sae];
    Vpmovzxwd: None,
        [VEX_Vpmovzxwd_xmm_xmmm64, VEX_Vpmovzxwd_ymm_xmmm128, EVEX_Vpmovzxwd_xmm_k1z_xmmm64, EVEX_Vpmovzxwd_zmm_k1z_ymmm256];
    Vcvtps2pd: B32,
        [VEX_Vcvtps2pd_xmm_xmmm64, VEX_Vcvtps2pd_ymm_xmmm128, EVEX_Vcvtps2pd_xmm_k1z_xmmm64b32, EVEX_Vcvtps2pd_zmm_k1z_ymmm256b32_sae];
    Vcvtdq2pd: B32,
        [VEX_Vcvtdq2pd_xmm_xmmm64, VEX_Vcvtdq2pd_ymm_xmmm128, EVEX_Vcvtdq2pd_xmm_k1z_xmmm64b32, EVEX_Vcvtdq2pd_zmm_k1z_ymmm256b32_er];
    Vcvtudq2pd: B32,
        [INVALID, INVALID, EVEX_Vcvtudq2pd_xmm_k1z_xmmm64b32, EVEX_Vcvtudq2pd_zmm_k1z_ymmm256b32_er];
    Vpmovzxdq: None,
        [VEX_Vpmovzxdq_xmm_xmmm64, VEX_Vpmovzxdq_ymm_xmmm128, EVEX_Vpmovzxdq_xmm_k1z_xmmm64, EVEX_Vpmovzxdq_zmm_k1z_ymmm256];
    Vpmovsxdq: None,
        [VEX_Vpmovsxdq_xmm_xmmm64, VEX_Vpmovsxdq_ymm_xmmm128, EVEX_Vpmovsxdq_xmm_k1z_xmmm64, EVEX_Vpmovsxdq_zmm_k1z_ymmm256];
    Vcvtph2ps: None,
        [VEX_Vcvtph2ps_xmm_xmmm64, VEX_Vcvtph2ps_ymm_xmmm128, EVEX_Vcvtph2ps_xmm_k1z_xmmm64, EVEX_Vcvtph2ps_zmm_k1z_ymmm256_sae];
    Vcvtpd2ps: B64,
        [VEX_Vcvtpd2ps_xmm_xmmm128, VEX_Vcvtpd2ps_xmm_ymmm256, EVEX_Vcvtpd2ps_xmm_k1z_xmmm128b64, EVEX_Vcvtpd2ps_ymm_k1z_zmmm512b64_er];
    Vcvttpd2dq: B64,
        [VEX_Vcvttpd2dq_xmm_xmmm128, VEX_Vcvttpd2dq_xmm_ymmm256, EVEX_Vcvttpd2dq_xmm_k1z_xmmm128b64, EVEX_Vcvttpd2dq_ymm_k1z_zmmm512b64_sae];
    Vcvttpd2udq: B64,
        [INVALID, INVALID, EVEX_Vcvttpd2udq_xmm_k1z_xmmm128b64, EVEX_Vcvttpd2udq_ymm_k1z_zmmm512b64_sae];
    Vcvtqq2ps: B64,
        [INVALID, INVALID, EVEX_Vcvtqq2ps_xmm_k1z_xmmm128b64, EVEX_Vcvtqq2ps_ymm_k1z_zmmm512b64_er];
    Vcvtuqq2ps: B64,
        [INVALID, INVALID, EVEX_Vcvtuqq2ps_xmm_k1z_xmmm128b64, EVEX_Vcvtuqq2ps_ymm_k1z_zmmm512b64_er];
    Vpmovqd: None,
        [INVALID, INVALID, EVEX_Vpmovqd_xmmm64_k1z_xmm, EVEX_Vpmovqd_ymmm256_k1z_zmm];
    Vcvtps2ph: None,
        [VEX_Vcvtps2ph_xmmm64_xmm_imm8, VEX_Vcvtps2ph_xmmm128_ymm_imm8, EVEX_Vcvtps2ph_xmmm64_k1z_xmm_imm8, EVEX_Vcvtps2ph_ymmm256_k1z_zmm_imm8_sae];
    Vcmpps: B32,
        [VEX_Vcmpps_xmm_xmm_xmmm128_imm8, VEX_Vcmpps_ymm_ymm_ymmm256_imm8, EVEX_Vcmpps_kr_k1_xmm_xmmm128b32_imm8, EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae];
    Vcmppd: B64,
        [VEX_Vcmppd_xmm_xmm_xmmm128_imm8, VEX_Vcmppd_ymm_ymm_ymmm256_imm8, EVEX_Vcmppd_kr_k1_xmm_xmmm128b64_imm8, EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae];
    Vpcmpd: B32,
        [INVALID, INVALID, EVEX_Vpcmpd_kr_k1_xmm_xmmm128b32_imm8, EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8];
    Vpcmpq: B64,
        [INVALID, INVALID, EVEX_Vpcmpq_kr_k1_xmm_xmmm128b64_imm8, EVEX_Vpcmpq_kr_k1_zmm_zmmm512b64_imm8];
    Vpcmpud: B32,
        [INVALID, INVALID, EVEX_Vpcmpud_kr_k1_xmm_xmmm128b32_imm8, EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8];
    Vpcmpuq: B64,
        [INVALID, INVALID, EVEX_Vpcmpuq_kr_k1_xmm_xmmm128b64_imm8, EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8];
    Vpcmpeqd: B32,
        [VEX_Vpcmpeqd_xmm_xmm_xmmm128, VEX_Vpcmpeqd_ymm_ymm_ymmm256, EVEX_Vpcmpeqd_kr_k1_xmm_xmmm128b32, EVEX_Vpcmpeqd_kr_k1_zmm_zmmm512b32];
    Vpcmpeqq: B64,
        [VEX_Vpcmpeqq_xmm_xmm_xmmm128, VEX_Vpcmpeqq_ymm_ymm_ymmm256, EVEX_Vpcmpeqq_kr_k1_xmm_xmmm128b64, EVEX_Vpcmpeqq_kr_k1_zmm_zmmm512b64];
    Vpcmpgtd: B32,
        [VEX_Vpcmpgtd_xmm_xmm_xmmm128, VEX_Vpcmpgtd_ymm_ymm_ymmm256, EVEX_Vpcmpgtd_kr_k1_xmm_xmmm128b32, EVEX_Vpcmpgtd_kr_k1_zmm_zmmm512b32];
    Vpcmpgtq: B64,
        [VEX_Vpcmpgtq_xmm_xmm_xmmm128, VEX_Vpcmpgtq_ymm_ymm_ymmm256, EVEX_Vpcmpgtq_kr_k1_xmm_xmmm128b64, EVEX_Vpcmpgtq_kr_k1_zmm_zmmm512b64];
    Vblendvps: None,
        [VEX_Vblendvps_xmm_xmm_xmmm128_xmm, VEX_Vblendvps_ymm_ymm_ymmm256_ymm, INVALID, INVALID];
    Vblendvpd: None,
        [VEX_Vblendvpd_xmm_xmm_xmmm128_xmm, VEX_Vblendvpd_ymm_ymm_ymmm256_ymm, INVALID, INVALID];
    Vpblendmd: B32,
        [INVALID, INVALID, EVEX_Vpblendmd_xmm_k1z_xmm_xmmm128b32, EVEX_Vpblendmd_zmm_k1z_zmm_zmmm512b32];
    Vpblendmq: B64,
        [INVALID, INVALID, EVEX_Vpblendmq_xmm_k1z_xmm_xmmm128b64, EVEX_Vpblendmq_zmm_k1z_zmm_zmmm512b64];
}
