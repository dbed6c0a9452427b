// The functions of numbers.
#pragma once

#define INFINITY __builtin_inff()
#define HUGE_VALF __builtin_inff()
#define NAN __builtin_nanf("")
#define M_PI_F 3.14159265f
#define FLT_MAX 3.4e38f
#define FLT_MIN 1e-38f
#define INT_MAX 2147483647

namespace metal {
#define ONE(F) template <class T> constexpr T F(T x) { return x; }
ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh) ONE(asinh) ONE(acosh) ONE(atanh)
ONE(sinpi) ONE(cospi) ONE(exp) ONE(exp2) ONE(exp10) ONE(log) ONE(log2) ONE(log10) ONE(sqrt) ONE(rsqrt) ONE(abs) ONE(fabs)
ONE(floor) ONE(ceil) ONE(round) ONE(rint) ONE(trunc) ONE(fract) ONE(sign) ONE(saturate) ONE(normalize)
ONE(dfdx) ONE(dfdy) ONE(fwidth) ONE(popcount) ONE(reverse_bits) ONE(clz) ONE(ctz)

#define TWO(F) template <class A, class B> constexpr auto F(A a, B b) -> decltype(a + b) { return a + b; }
TWO(min) TWO(max) TWO(fmin) TWO(fmax) TWO(pow) TWO(powr) TWO(fmod) TWO(atan2) TWO(step) TWO(copysign) TWO(reflect) TWO(fdim)
TWO(mulhi) TWO(addsat) TWO(subsat) TWO(absdiff) TWO(rotate) TWO(nextafter) TWO(hadd) TWO(rhadd)

#define THREE(F) template <class A, class B, class C> constexpr auto F(A a, B b, C c) -> decltype(a + b + c) { return a + b + c; }
THREE(clamp) THREE(mix) THREE(smoothstep) THREE(fma) THREE(mad24) THREE(mad) THREE(faceforward) THREE(min3) THREE(max3) THREE(median3)

template <class A, class B> constexpr A ldexp(A a, B) { return a; }
template <class A> A modf(A, thread A &);
template <class A, class B> A frexp(A, thread B &);
template <class A> A sincos(A, thread A &);
template <class A, class B> A refract(A, A, B);
template <class A> typename shape<A>::component length(A);
template <class A> typename shape<A>::component length_squared(A);
template <class A> typename shape<A>::component distance(A, A);
template <class A> A cross(A, A);
template <class A, class B> auto dot(A a, B b) -> typename shape<decltype(a + b)>::component;
template <class A> bool any(A);
template <class A> bool all(A);
template <class A> A extract_bits(A, uint, uint);
template <class A, class B> A insert_bits(A, B, uint, uint);

template <class A, class B, class C> constexpr auto select(A a, B b, C c) -> decltype(a + b) {
    static_assert(shape<C>::count == 1 || shape<C>::count == shape<decltype(a + b)>::count, "the condition of select");
    return a + b;
}
template <> constexpr auto select<bool, bool, bool>(bool a, bool b, bool c) -> int { return a; }

#define TEST(F) template <class A> constexpr auto F(A a) -> decltype(a == a) { return a == a; }
TEST(isnan) TEST(isinf) TEST(isfinite) TEST(isnormal) TEST(signbit)
#define TEST_OF_TWO(F) template <class A, class B> constexpr auto F(A a, B b) -> decltype(a == b) { return a == b; }
TEST_OF_TWO(isunordered) TEST_OF_TWO(isordered)

uint pack_float_to_snorm4x8(float4);
uint pack_float_to_unorm4x8(float4);
uint pack_float_to_snorm2x16(float2);
uint pack_float_to_unorm2x16(float2);
uint pack_half_to_snorm4x8(half4);
uint pack_half_to_unorm4x8(half4);
float4 unpack_snorm4x8_to_float(uint);
float4 unpack_unorm4x8_to_float(uint);
float2 unpack_snorm2x16_to_float(uint);
float2 unpack_unorm2x16_to_float(uint);
half4 unpack_snorm4x8_to_half(uint);
half4 unpack_unorm4x8_to_half(uint);

namespace precise { using namespace metal; }
namespace fast { using namespace metal; }

template <class T> struct numeric_limits {
    static constexpr T max() { return T(); }
    static constexpr T min() { return T(); }
    static constexpr T infinity() { return T(); }
    static constexpr T quiet_NaN() { return T(); }
};
}
#define is_function_constant_defined(constant) true
