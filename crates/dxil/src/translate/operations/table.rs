//! Every operation that is translated: its number, overloads, arguments, effect, convergence, and what it becomes.
//!
//! A signature is the result and then the arguments after the number of the operation, a letter each:
//!
//! | letter | type | | letter | type |
//! |---|---|---|---|---|
//! | `o` | the overload | | `v` | no result |
//! | `i` `l` `1` | an integer of 32 or 64 bits; a boolean | | `R` | four of the overload and a status |
//! | `w` `h` `f` `d` | 16 bits, a half, a float, a double | | `C` | a row of a constant buffer |
//! | `H` | a resource | | `P` `Q` | two or four integers of 32 bits |
//! | `b` | a constant of 8 bits | | `O` | four of the overload |
//! | | | | `K` | an integer of 32 bits and a boolean |
//!
//! An overload is one of `1` (boolean), `w` (16 bits), `i`, `l`, `h` (half), `f`, `d`; an operation without them has none.

use reconverge_ir::Op;
use spirv::GlslStd450Op;

use super::Lowering::{Core, Custom, Extended};
use super::{
    Convergence, Convergence::*, Effect, Effect::*, Lowering, atomics, bits, buffers, conversions, derivatives, images,
    math, rows, sizes, threads, waves,
};
use crate::translate::interface;

/// An operation.
pub(in crate::translate) struct Row {
    /// The number, the first argument of a call.
    pub(in crate::translate) number: u32,
    /// The name that DXIL gives it.
    pub(in crate::translate) name: &'static str,
    /// Letters of the types that it exists for; empty if it has no overloads.
    pub(in crate::translate) overloads: &'static str,
    /// The result and the arguments.
    pub(in crate::translate) signature: &'static str,
    /// The memory effect.
    pub(in crate::translate) effect: Effect,
    /// The lanes that take part in it.
    pub(in crate::translate) convergence: Convergence,
    /// The lowering.
    pub(in crate::translate) lowering: Lowering,
}

macro_rules! rows {
    ($( $number:literal $name:ident $overloads:literal $signature:literal $effect:ident $convergence:ident $lowering:expr; )*) => {
        &[ $( Row {
            number: $number,
            name: stringify!($name),
            overloads: $overloads,
            signature: $signature,
            effect: $effect,
            convergence: $convergence,
            lowering: $lowering,
        }, )* ]
    };
}

/// The operations, in the order of their numbers.
pub(in crate::translate) const OPERATIONS: &[Row] = rows! {
    4 LoadInput "wihf" "oiibi" Pure Alone Custom(interface::load_input);
    5 StoreOutput "wihf" "viibo" Writes Alone Custom(interface::store_output);
    6 FAbs "hfd" "oo" Pure Alone Extended(GlslStd450Op::FAbs);
    7 Saturate "hfd" "oo" Pure Alone Custom(math::saturate);
    8 IsNaN "hf" "1o" Pure Alone Core(Op::IsNan);
    9 IsInf "hf" "1o" Pure Alone Core(Op::IsInf);
    10 IsFinite "hf" "1o" Pure Alone Custom(math::is_finite);
    11 IsNormal "hf" "1o" Pure Alone Custom(math::is_normal);
    12 Cos "hf" "oo" Pure Alone Extended(GlslStd450Op::Cos);
    13 Sin "hf" "oo" Pure Alone Extended(GlslStd450Op::Sin);
    14 Tan "hf" "oo" Pure Alone Extended(GlslStd450Op::Tan);
    15 Acos "hf" "oo" Pure Alone Extended(GlslStd450Op::Acos);
    16 Asin "hf" "oo" Pure Alone Extended(GlslStd450Op::Asin);
    17 Atan "hf" "oo" Pure Alone Extended(GlslStd450Op::Atan);
    18 Hcos "hf" "oo" Pure Alone Extended(GlslStd450Op::Cosh);
    19 Hsin "hf" "oo" Pure Alone Extended(GlslStd450Op::Sinh);
    20 Htan "hf" "oo" Pure Alone Extended(GlslStd450Op::Tanh);
    21 Exp "hf" "oo" Pure Alone Extended(GlslStd450Op::Exp2);
    22 Frc "hf" "oo" Pure Alone Extended(GlslStd450Op::Fract);
    23 Log "hf" "oo" Pure Alone Extended(GlslStd450Op::Log2);
    24 Sqrt "hf" "oo" Pure Alone Extended(GlslStd450Op::Sqrt);
    25 Rsqrt "hf" "oo" Pure Alone Extended(GlslStd450Op::InverseSqrt);
    26 Round_ne "hf" "oo" Pure Alone Extended(GlslStd450Op::RoundEven);
    27 Round_ni "hf" "oo" Pure Alone Extended(GlslStd450Op::Floor);
    28 Round_pi "hf" "oo" Pure Alone Extended(GlslStd450Op::Ceil);
    29 Round_z "hf" "oo" Pure Alone Extended(GlslStd450Op::Trunc);
    30 Bfrev "wil" "oo" Pure Alone Custom(bits::reverse);
    31 Countbits "wil" "io" Pure Alone Custom(bits::count);
    32 FirstbitLo "wil" "io" Pure Alone Custom(bits::lowest);
    33 FirstbitHi "wil" "io" Pure Alone Custom(bits::highest);
    34 FirstbitSHi "wil" "io" Pure Alone Custom(bits::highest_signed);
    35 FMax "hfd" "ooo" Pure Alone Extended(GlslStd450Op::NMax);
    36 FMin "hfd" "ooo" Pure Alone Extended(GlslStd450Op::NMin);
    37 IMax "wil" "ooo" Pure Alone Custom(math::signed_max);
    38 IMin "wil" "ooo" Pure Alone Custom(math::signed_min);
    39 UMax "wil" "ooo" Pure Alone Custom(math::unsigned_max);
    40 UMin "wil" "ooo" Pure Alone Custom(math::unsigned_min);
    41 IMul "i" "Poo" Pure Alone Custom(math::signed_product);
    42 UMul "i" "Poo" Pure Alone Custom(math::unsigned_product);
    43 UDiv "i" "Poo" Pure Alone Custom(math::quotient);
    44 UAddc "i" "Koo" Pure Alone Custom(math::sum_with_carry);
    45 USubb "i" "Koo" Pure Alone Custom(math::difference_with_borrow);
    46 FMad "hfd" "oooo" Pure Alone Custom(math::float_multiply_add);
    47 Fma "d" "oooo" Pure Alone Extended(GlslStd450Op::Fma);
    48 IMad "wil" "oooo" Pure Alone Custom(math::int_multiply_add);
    49 UMad "wil" "oooo" Pure Alone Custom(math::int_multiply_add);
    50 Msad "il" "oooo" Pure Alone Custom(math::masked_difference);
    51 Ibfe "il" "oooo" Pure Alone Custom(bits::extract_signed);
    52 Ubfe "il" "oooo" Pure Alone Custom(bits::extract_unsigned);
    53 Bfi "i" "ooooo" Pure Alone Custom(bits::insert);
    54 Dot2 "hf" "ooooo" Pure Alone Custom(math::dot);
    55 Dot3 "hf" "ooooooo" Pure Alone Custom(math::dot);
    56 Dot4 "hf" "ooooooooo" Pure Alone Custom(math::dot);
    58 CBufferLoad "wilhfd" "oHii" Reads Alone Custom(rows::load_constant);
    59 CBufferLoadLegacy "wilhfd" "CHi" Reads Alone Custom(rows::load_row);
    60 Sample "hf" "RHHffffiiif" Reads Derivative Custom(images::sample);
    61 SampleBias "hf" "RHHffffiiiff" Reads Derivative Custom(images::sample_bias);
    62 SampleLevel "hf" "RHHffffiiif" Reads Alone Custom(images::sample_level);
    63 SampleGrad "hf" "RHHffffiiifffffff" Reads Alone Custom(images::sample_gradient);
    64 SampleCmp "hf" "RHHffffiiiff" Reads Derivative Custom(images::sample_compare);
    65 SampleCmpLevelZero "hf" "RHHffffiiif" Reads Alone Custom(images::sample_compare_level_zero);
    66 TextureLoad "wihf" "RHiiiiiii" Reads Alone Custom(images::load);
    67 TextureStore "wihf" "vHiiioooob" Writes Alone Custom(images::store);
    68 BufferLoad "wihf" "RHii" Reads Alone Custom(buffers::load);
    69 BufferStore "wihf" "vHiioooob" Writes Alone Custom(buffers::store);
    70 BufferUpdateCounter "" "iHb" Writes Alone Custom(atomics::update_counter);
    71 CheckAccessFullyMapped "i" "1o" Pure Alone Custom(sizes::is_mapped);
    72 GetDimensions "" "QHi" Reads Alone Custom(sizes::dimensions);
    73 TextureGather "wihf" "RHHffffiii" Reads Alone Custom(images::gather);
    74 TextureGatherCmp "hf" "RHHffffiiif" Reads Alone Custom(images::gather_compare);
    78 AtomicBinOp "il" "oHiiiio" Writes Alone Custom(atomics::change);
    79 AtomicCompareExchange "il" "oHiiioo" Writes Alone Custom(atomics::compare_exchange);
    80 Barrier "" "vi" Writes Group Custom(threads::barrier);
    81 CalculateLOD "f" "oHHfff1" Pure Derivative Custom(sizes::level_of_detail);
    82 Discard "" "v1" Writes Alone Custom(threads::discard);
    83 DerivCoarseX "hf" "oo" Pure Derivative Custom(derivatives::coarse_x);
    84 DerivCoarseY "hf" "oo" Pure Derivative Custom(derivatives::coarse_y);
    85 DerivFineX "hf" "oo" Pure Derivative Custom(derivatives::fine_x);
    86 DerivFineY "hf" "oo" Pure Derivative Custom(derivatives::fine_y);
    87 EvalSnapped "hf" "oiibii" Pure Alone Custom(interface::interpolate_at_offset);
    88 EvalSampleIndex "hf" "oiibi" Pure Alone Custom(interface::interpolate_at_sample);
    89 EvalCentroid "hf" "oiib" Pure Alone Custom(interface::interpolate_at_centroid);
    90 SampleIndex "i" "o" Pure Alone Custom(interface::sample_index);
    91 Coverage "i" "o" Pure Alone Custom(interface::coverage);
    93 ThreadId "i" "oi" Pure Alone Custom(threads::global_id);
    94 GroupId "i" "oi" Pure Alone Custom(threads::group_id);
    95 ThreadIdInGroup "i" "oi" Pure Alone Custom(threads::local_id);
    96 FlattenedThreadIdInGroup "i" "o" Pure Alone Custom(threads::local_index);
    101 MakeDouble "d" "oii" Pure Alone Custom(conversions::make_double);
    102 SplitDouble "d" "Po" Pure Alone Custom(conversions::split_double);
    108 PrimitiveID "i" "o" Pure Alone Custom(interface::primitive_id);
    110 WaveIsFirstLane "" "1" Pure Wave Custom(waves::is_first);
    111 WaveGetLaneIndex "" "i" Pure Alone Custom(waves::lane_index);
    112 WaveGetLaneCount "" "i" Pure Alone Custom(waves::lane_count);
    113 WaveAnyTrue "" "11" Pure Wave Custom(waves::any);
    114 WaveAllTrue "" "11" Pure Wave Custom(waves::all);
    115 WaveActiveAllEqual "1wilhfd" "1o" Pure Wave Custom(waves::all_equal);
    116 WaveActiveBallot "" "Q1" Pure Wave Custom(waves::ballot);
    117 WaveReadLaneAt "1wilhfd" "ooi" Pure Wave Custom(waves::read_lane);
    118 WaveReadLaneFirst "1wilhfd" "oo" Pure Wave Custom(waves::read_first);
    119 WaveActiveOp "wilhfd" "oobb" Pure Wave Custom(waves::reduce);
    120 WaveActiveBit "il" "oob" Pure Wave Custom(waves::reduce_bits);
    121 WavePrefixOp "wilhfd" "oobb" Pure Wave Custom(waves::scan);
    122 QuadReadLaneAt "1wilhfd" "ooi" Pure Quad Custom(waves::quad_read);
    123 QuadOp "wilhfd" "oob" Pure Quad Custom(waves::quad_swap);
    124 BitcastI16toF16 "" "hw" Pure Alone Custom(conversions::bitcast);
    125 BitcastF16toI16 "" "wh" Pure Alone Custom(conversions::bitcast);
    126 BitcastI32toF32 "" "fi" Pure Alone Custom(conversions::bitcast);
    127 BitcastF32toI32 "" "if" Pure Alone Custom(conversions::bitcast);
    128 BitcastI64toF64 "" "dl" Pure Alone Custom(conversions::bitcast);
    129 BitcastF64toI64 "" "ld" Pure Alone Custom(conversions::bitcast);
    130 LegacyF32ToF16 "" "if" Pure Alone Custom(conversions::single_to_half);
    131 LegacyF16ToF32 "" "fi" Pure Alone Custom(conversions::half_to_single);
    132 LegacyDoubleToFloat "" "fd" Pure Alone Core(Op::FConvert);
    133 LegacyDoubleToSInt32 "" "id" Pure Alone Core(Op::ConvertFToS);
    134 LegacyDoubleToUInt32 "" "id" Pure Alone Core(Op::ConvertFToU);
    135 WaveAllBitCount "" "i1" Pure Wave Custom(waves::count);
    136 WavePrefixBitCount "" "i1" Pure Wave Custom(waves::prefix_count);
    138 ViewID "i" "o" Pure Alone Custom(interface::view_index);
    139 RawBufferLoad "wilhfd" "RHiibi" Reads Alone Custom(buffers::load_raw);
    140 RawBufferStore "wilhfd" "vHiioooobi" Writes Alone Custom(buffers::store_raw);
    162 Dot2AddHalf "f" "oohhhh" Pure Alone Custom(math::dot_of_halves);
    163 Dot4AddI8Packed "i" "oiii" Pure Alone Custom(math::signed_dot_of_bytes);
    164 Dot4AddU8Packed "i" "oiii" Pure Alone Custom(math::unsigned_dot_of_bytes);
    165 WaveMatch "1wilhfd" "Qo" Pure Wave Custom(waves::matching);
    166 WaveMultiPrefixOp "wilhfd" "ooiiiibb" Pure Wave Custom(waves::multi_prefix);
    167 WaveMultiPrefixBitCount "" "i1iiii" Pure Wave Custom(waves::multi_prefix_count);
    219 Unpack4x8 "wi" "Obi" Pure Alone Custom(conversions::unpack_bytes);
    220 Pack4x8 "wi" "iboooo" Pure Alone Custom(conversions::pack_bytes);
    221 IsHelperLane "1" "o" Reads Alone Custom(interface::is_helper);
    222 QuadVote "1" "oob" Pure Quad Custom(waves::quad_vote);
};
