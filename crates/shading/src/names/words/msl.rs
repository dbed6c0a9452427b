//! The words of MSL that no declaration takes for its name. They are sorted and separated by blanks.

/// Keywords, reserved words, and names of types.
///
/// C++14, chapter 2.11, and the Metal Shading Language Specification 3.2, chapters 2 and 4.
pub(super) const KEYWORDS: &str = "
CHAR_BIT CHAR_MAX CHAR_MIN DBL_DECIMAL_DIG DBL_DIG DBL_EPSILON DBL_MANT_DIG DBL_MAX DBL_MAX_10_EXP DBL_MAX_EXP DBL_MIN
DBL_MIN_10_EXP DBL_MIN_EXP DBL_RADIX FLT_DECIMAL_DIG FLT_DIG FLT_EPSILON FLT_MANT_DIG FLT_MAX FLT_MAX_10_EXP FLT_MAX_EXP FLT_MIN
FLT_MIN_10_EXP FLT_MIN_EXP FLT_RADIX FP_ILOGB0 FP_ILOGBNAN HALF_DECIMAL_DIG HALF_DIG HALF_EPSILON HALF_MANT_DIG HALF_MAX
HALF_MAX_10_EXP HALF_MAX_EXP HALF_MIN HALF_MIN_10_EXP HALF_MIN_EXP HALF_RADIX HUGE_VAL HUGE_VALF HUGE_VALH INFINITY INT_MAX
INT_MIN LLONG_MAX LLONG_MIN LONG_MAX LONG_MIN MAXDOUBLE MAXFLOAT MAXHALF M_1_PI M_1_PI_F M_1_PI_H M_2_PI M_2_PI_F M_2_PI_H
M_2_SQRTPI M_2_SQRTPI_F M_2_SQRTPI_H M_E M_E_F M_E_H M_LN10 M_LN10_F M_LN10_H M_LN2 M_LN2_F M_LN2_H M_LOG10E M_LOG10E_F
M_LOG10E_H M_LOG2E M_LOG2E_F M_LOG2E_H M_PI M_PI_2 M_PI_2_F M_PI_2_H M_PI_4 M_PI_4_F M_PI_4_H M_PI_F M_PI_H M_SQRT1_2
M_SQRT1_2_F M_SQRT1_2_H M_SQRT2 M_SQRT2_F M_SQRT2_H NAN SCHAR_MAX SCHAR_MIN SHRT_MAX SHRT_MIN UCHAR_MAX UINT_MAX ULLONG_MAX
ULONG_MAX USHRT_MAX acceleration_structure acceleration_structure_user_instance_descriptor alignas alignof and and_eq array
array_ref as_type asm assert atomic atomic_bool atomic_flag atomic_float atomic_int atomic_uint atomic_ulong auto bfloat bfloat2
bfloat3 bfloat4 bitand bitor bool bool2 bool3 bool4 border_color break case catch char char16_t char2 char3 char32_t char4
char8_t class co_await co_return co_yield command_buffer compare_func compl complex compute_command compute_pipeline_state
concept const const_cast constant consteval constexpr constinit continue decltype default delete depth2d depth2d_array
depth2d_ms depth2d_ms_array depthcube depthcube_array device do double dynamic_cast else enable_if enum explicit export extern
false fast float float2 float2x2 float2x3 float2x4 float3 float3x2 float3x3 float3x4 float4 float4x2 float4x3 float4x4 for
fragment friend goto gradient2d gradient3d gradientcube half half2 half2x2 half2x3 half2x4 half3 half3x2 half3x3 half3x4 half4
half4x2 half4x3 half4x4 if imageblock imaginary inline instance_acceleration_structure instancing int int16_t int2 int3 int32_t
int4 int64_t int8_t interpolant intersection_function_table intersection_params intersection_query intersection_result
intersector intptr_t is_null_texture kernel level2d level3d llong llong2 llong3 llong4 long long2 long3 long4 mag_filter main
matrix mem_flags memory_order memory_order_acq_rel memory_order_acquire memory_order_relaxed memory_order_release
memory_order_seq_cst mesh_grid_properties metal min_filter min_lod_clamp mip_filter mutable namespace new noexcept not not_eq
nullptr nullptr_t numeric_limits object_data operator or or_eq packed_bfloat2 packed_bfloat3 packed_bfloat4 packed_bool2
packed_bool3 packed_bool4 packed_char2 packed_char3 packed_char4 packed_float2 packed_float3 packed_float4 packed_half2
packed_half3 packed_half4 packed_int2 packed_int3 packed_int4 packed_long2 packed_long3 packed_long4 packed_short2 packed_short3
packed_short4 packed_uchar2 packed_uchar3 packed_uchar4 packed_uint2 packed_uint3 packed_uint4 packed_ulong2 packed_ulong3
packed_ulong4 packed_ushort2 packed_ushort3 packed_ushort4 packed_vec patch_control_point precise
primitive_acceleration_structure private protected ptrdiff_t public quad r16snorm r16unorm r8snorm r8unorm raster_order_group
ray_data register reinterpret_cast render_command render_pipeline_state requires restrict return rg11b10f rg8snorm rg8unorm
rgb10a2 rgb9e5 rgba8snorm rgba8unorm sampler short short2 short3 short4 signed simdgroup_bfloat8x8 simdgroup_float8x8
simdgroup_half8x8 simdgroup_matrix size_t sizeof srgba8unorm static static_assert static_cast struct switch template texture1d
texture1d_array texture2d texture2d_array texture2d_ms texture2d_ms_array texture3d texture_buffer texturecube texturecube_array
this thread thread_local thread_scope threadgroup threadgroup_imageblock throw triangle_data true try typedef typeid typename
uchar uchar2 uchar3 uchar4 uint uint16_t uint2 uint3 uint32_t uint4 uint64_t uint8_t uintptr_t ullong ullong2 ullong3 ullong4
ulong ulong2 ulong3 ulong4 union unsigned ushort ushort2 ushort3 ushort4 using vec vertex virtual visible_function_table void
volatile wchar_t while xor xor_eq
";

/// Functions of the language: chapters 5 and 6.
pub(super) const FUNCTIONS: &str = "
abs abs_diff absdiff access acos acosh address addsat all any asin asinh atan atan2 atanh atomic_compare_exchange_weak_explicit
atomic_exchange_explicit atomic_fetch_add_explicit atomic_fetch_and_explicit atomic_fetch_max_explicit atomic_fetch_min_explicit
atomic_fetch_or_explicit atomic_fetch_sub_explicit atomic_fetch_xor_explicit atomic_load_explicit atomic_max_explicit
atomic_min_explicit atomic_store_explicit atomic_thread_fence bias bitselect ceil clamp clz component copysign cos cosh cospi
cross ctz determinant dfdx dfdy discard_fragment distance distance_squared divide dot erf exp exp10 exp2 extract_bits fabs
faceforward fdim filter floor fma fmax fmax3 fmedian3 fmin fmin3 fmod fract frexp fwidth get_num_samples get_sample_position
hadd ilogb insert_bits interpolation is_function_constant_defined is_same isfinite isinf isnan isnormal isordered isunordered j0
j1 ldexp length length_squared level lgamma log log10 log2 mad24 madhi madsat max max3 median3 mesh min min3 mix modf mul24
mulhi nextafter normalize null_sampler os_log pack_float_to_snorm2x16 pack_float_to_snorm4x8 pack_float_to_srgb_unorm4x8
pack_float_to_unorm2x16 pack_float_to_unorm4x8 pack_half_to_snorm4x8 pack_half_to_unorm4x8 patch popcount pow powr
quad_active_threads_mask quad_all quad_and quad_any quad_ballot quad_broadcast quad_broadcast_first quad_is_first quad_max
quad_min quad_or quad_prefix_exclusive_product quad_prefix_exclusive_sum quad_prefix_inclusive_product quad_prefix_inclusive_sum
quad_product quad_shuffle quad_shuffle_and_fill_down quad_shuffle_and_fill_up quad_shuffle_down quad_shuffle_rotate_down
quad_shuffle_rotate_up quad_shuffle_up quad_shuffle_xor quad_sum quad_xor ray reflect refract reverse_bits rhadd rint rotate
round rsqrt saturate select sign signbit simd simd_active_threads_mask simd_all simd_and simd_any simd_ballot simd_broadcast
simd_broadcast_first simd_is_first simd_is_helper_thread simd_max simd_min simd_or simd_prefix_exclusive_product
simd_prefix_exclusive_sum simd_prefix_inclusive_product simd_prefix_inclusive_sum simd_product simd_shuffle
simd_shuffle_and_fill_down simd_shuffle_and_fill_up simd_shuffle_down simd_shuffle_rotate_down simd_shuffle_rotate_up
simd_shuffle_up simd_shuffle_xor simd_sum simd_vote simd_xor simdgroup_barrier simdgroup_load simdgroup_multiply
simdgroup_multiply_accumulate simdgroup_store sin sincos sinh sinpi smoothstep sqrt std step subsat tan tanh tanpi tgamma
threadgroup_barrier threads_per_simdgroup transpose trunc tuple unpack_snorm2x16_to_float unpack_snorm2x16_to_half
unpack_snorm4x8_to_float unpack_snorm4x8_to_half unpack_srgb_unorm4x8_to_float unpack_unorm2x16_to_float
unpack_unorm2x16_to_half unpack_unorm4x8_to_float unpack_unorm4x8_to_half wait_event y0 y1
";
