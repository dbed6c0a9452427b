//! The words of WGSL that no declaration takes for its name. They are sorted and separated by blanks.

/// Keywords, reserved words, and names of types.
///
/// The WebGPU Shading Language, chapters 15.1 and 15.2, and types and enumerants, chapter 15.4 and 15.5.
pub(super) const KEYWORDS: &str = "
NULL Self abstract acceleration_structure active alias alignas alignof array as asm asm_fragment async atomic attribute auto
await become bgra8unorm binding_array bool break case cast catch class co_await co_return co_yield coherent column_major common
compile compile_fragment concept const const_assert const_cast consteval constexpr constinit continue continuing crate debugger
decltype default delete demote demote_to_helper diagnostic discard do dynamic_cast else enable enum explicit export extends
extern external f16 f32 fallthrough false filter final finally fn for friend from function fxgroup get goto groupshared highp
i16 i32 i8 if impl implements import inline input_attachment instanceof interface layout let loop lowp macro macro_rules mat2x2
mat2x2f mat2x2h mat2x3 mat2x3f mat2x3h mat2x4 mat2x4f mat2x4h mat3x2 mat3x2f mat3x2h mat3x3 mat3x3f mat3x3h mat3x4 mat3x4f
mat3x4h mat4x2 mat4x2f mat4x2h mat4x3 mat4x3f mat4x3h mat4x4 mat4x4f mat4x4h match mediump meta mod module move mut mutable
namespace new nil noexcept noinline nointerpolation non_coherent noncoherent noperspective null nullptr of operator override
package packoffset partition pass patch pixelfragment precise precision premerge priv private protected ptr pub public r16float
r16sint r16snorm r16uint r16unorm r32float r32sint r32uint r8sint r8snorm r8uint r8unorm ray_desc ray_intersection ray_query
read read_write readonly ref regardless register reinterpret_cast require requires resource restrict return rg11b10ufloat
rg16float rg16sint rg16snorm rg16uint rg16unorm rg32float rg32sint rg32uint rg8sint rg8snorm rg8uint rg8unorm rgb10a2uint
rgb10a2unorm rgba16float rgba16sint rgba16snorm rgba16uint rgba16unorm rgba32float rgba32sint rgba32uint rgba8sint rgba8snorm
rgba8uint rgba8unorm sampler sampler_comparison self set shared sizeof smooth snorm static static_assert static_cast std storage
struct subpass_input subroutine super switch target template texel_buffer texture_1d texture_2d texture_2d_array texture_3d
texture_cube texture_cube_array texture_depth_2d texture_depth_2d_array texture_depth_cube texture_depth_cube_array
texture_depth_multisampled_2d texture_external texture_multisampled_2d texture_storage_1d texture_storage_2d
texture_storage_2d_array texture_storage_3d this thread_local throw trait true try type typedef typeid typename typeof u16 u32
u8 uniform union unless unorm unsafe unsized use using var varying vec2 vec2f vec2h vec2i vec2u vec3 vec3f vec3h vec3i vec3u
vec4 vec4f vec4h vec4i vec4u virtual volatile wgsl where while with workgroup write writeonly yield
";

/// Functions of the language: chapter 17.
pub(super) const FUNCTIONS: &str = "
abs acos acosh all any arrayLength asin asinh atan atan2 atanh atomicAdd atomicAnd atomicCompareExchangeWeak atomicExchange
atomicLoad atomicMax atomicMin atomicOr atomicStore atomicSub atomicXor bitcast ceil clamp cos cosh countLeadingZeros
countOneBits countTrailingZeros cross degrees determinant distance dot dot4I8Packed dot4U8Packed dpdx dpdxCoarse dpdxFine dpdy
dpdyCoarse dpdyFine exp exp2 extractBits f64 faceForward firstLeadingBit firstTrailingBit floor fma fract frexp fwidth
fwidthCoarse fwidthFine i64 inputAttachmentLoad insertBits inverse inverseSqrt isInf isNan ldexp length log log2 max min mix
modf normalize outerProduct pack2x16float pack2x16snorm pack2x16unorm pack4x8snorm pack4x8unorm pack4xI8 pack4xI8Clamp pack4xU8
pack4xU8Clamp pow push_constant quadBroadcast quadSwapDiagonal quadSwapX quadSwapY quantizeToF16 r64uint radians
rayQueryConfirmIntersection rayQueryGenerateIntersection rayQueryGetCandidateIntersection rayQueryGetCommittedIntersection
rayQueryInitialize rayQueryProceed rayQueryTerminate reflect refract reverseBits round saturate select sign sin sinh smoothstep
sqrt step storageBarrier subgroupAdd subgroupAll subgroupAnd subgroupAny subgroupBallot subgroupBallotBitCount subgroupBroadcast
subgroupBroadcastFirst subgroupElect subgroupExclusiveAdd subgroupExclusiveMul subgroupInclusiveAdd subgroupInclusiveMul
subgroupMatrixLoad subgroupMatrixStore subgroupMax subgroupMin subgroupMul subgroupOr subgroupShuffle subgroupShuffleDown
subgroupShuffleUp subgroupShuffleXor subgroupXor tan tanh textureBarrier textureDimensions textureGather textureGatherCompare
textureLoad textureNumLayers textureNumLevels textureNumSamples textureSample textureSampleBaseClampToEdge textureSampleBias
textureSampleCompare textureSampleCompareLevel textureSampleGrad textureSampleLevel textureStore transpose trunc u64
unpack2x16float unpack2x16snorm unpack2x16unorm unpack4x8snorm unpack4x8unorm unpack4xI8 unpack4xU8 workgroupBarrier
workgroupUniformLoad
";
