// Textures, depth textures, texture buffers and samplers.
#pragma once

namespace metal {
enum class access { sample, read, write, read_write };
enum class component { x, y, z, w };
enum class coord { normalized, pixel };
enum class filter { nearest, linear };
enum class mip_filter { none, nearest, linear };
enum class mag_filter { nearest, linear, bicubic };
enum class min_filter { nearest, linear, bicubic };
enum class address { clamp_to_zero, clamp_to_edge, clamp_to_border, repeat, mirrored_repeat };
enum class compare_func { none, never, less, less_equal, greater, greater_equal, equal, not_equal, always };
struct sampler {
    template <class... A> constexpr sampler(A...) {}
    constexpr sampler() = default;
};

struct level { constexpr explicit level(float) {} };
struct bias { constexpr explicit bias(float) {} };
struct min_lod_clamp { constexpr explicit min_lod_clamp(float) {} };
struct gradient2d { gradient2d(float2, float2) {} };
struct gradient3d { gradient3d(float3, float3) {} };
struct gradientcube { gradientcube(float3, float3) {} };

#define SIZES \
    uint get_width(uint = 0) const __generic; uint get_height(uint = 0) const __generic; uint get_depth(uint = 0) const __generic; \
    uint get_array_size() const __generic; uint get_num_mip_levels() const __generic; uint get_num_samples() const __generic; \
    void fence() __generic;
// C: coordinates of samples; I: of texels; LAYER: `, uint` where there are layers; R: what a sample or a read is.
#define TEXTURE(NAME, C, I, LAYER, R) \
    template <class T, access A = access::sample> struct NAME { \
        SIZES \
        template <class... O> R sample(sampler, C LAYER, O...) const __generic; \
        template <class... O> vec<T, 4> gather(sampler, C LAYER, O...) const __generic; \
        template <class... O> T sample_compare(sampler, C LAYER, float, O...) const __generic; \
        template <class... O> vec<T, 4> gather_compare(sampler, C LAYER, float, O...) const __generic; \
        template <class... O> R read(I LAYER, O...) const __generic; \
        template <class... O> void write(vec<T, 4>, I LAYER, O...) const __generic; \
        LODS(C) \
        ATOMICS(I LAYER) \
    };
#if __METAL_VERSION__ >= 220
#define LODS(C) float calculate_clamped_lod(sampler, C) const __generic; float calculate_unclamped_lod(sampler, C) const __generic;
#else
#define LODS(C)
#endif
#if __METAL_VERSION__ >= 310
#define ATOMIC(F, ...) template <class... O> vec<T, 4> F(__VA_ARGS__, O...) const __generic;
#define ATOMICS(...) \
    ATOMIC(atomic_fetch_add, __VA_ARGS__) ATOMIC(atomic_fetch_sub, __VA_ARGS__) ATOMIC(atomic_fetch_min, __VA_ARGS__) ATOMIC(atomic_fetch_max, __VA_ARGS__) ATOMIC(atomic_fetch_and, __VA_ARGS__) \
    ATOMIC(atomic_fetch_or, __VA_ARGS__) ATOMIC(atomic_fetch_xor, __VA_ARGS__) ATOMIC(atomic_exchange, __VA_ARGS__) ATOMIC(atomic_load, __VA_ARGS__) \
    template <class... O> void atomic_store(vec<T, 4>, __VA_ARGS__, O...) const __generic; \
    template <class... O> bool atomic_compare_exchange_weak(__VA_ARGS__, thread vec<T, 4> *, O...) const __generic;
#else
#define ATOMICS(...)
#endif
#define COMMA ,
#define FOUR vec<T COMMA 4>
TEXTURE(texture1d, float, uint, , FOUR)
TEXTURE(texture1d_array, float, uint, COMMA uint, FOUR)
TEXTURE(texture2d, float2, uint2, , FOUR)
TEXTURE(texture2d_array, float2, uint2, COMMA uint, FOUR)
TEXTURE(texture3d, float3, uint3, , FOUR)
TEXTURE(texturecube, float3, uint2, , FOUR)
TEXTURE(texturecube_array, float3, uint2, COMMA uint, FOUR)
TEXTURE(depth2d, float2, uint2, , T)
TEXTURE(depth2d_array, float2, uint2, COMMA uint, T)
TEXTURE(depthcube, float3, uint2, , T)
TEXTURE(depthcube_array, float3, uint2, COMMA uint, T)
#if __METAL_VERSION__ >= 210
TEXTURE(texture_buffer, float, uint, , FOUR)
#endif
#define OF_SAMPLES(NAME, P, R) template <class T, access A = access::read> struct NAME { SIZES R read(P, uint) const __generic; };
OF_SAMPLES(texture2d_ms, uint2, FOUR)
OF_SAMPLES(depth2d_ms, uint2, T)
OF_SAMPLES(texture2d_ms_array, uint2 COMMA uint, FOUR)
OF_SAMPLES(depth2d_ms_array, uint2 COMMA uint, T)

void discard_fragment();
float2 get_sample_position(uint);
uint get_num_samples();
bool simd_is_helper_thread();
}
