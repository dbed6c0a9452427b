// What programs of csmith call. Every operation is defined: sums wrap, shifts have a mask, and what has no quotient is divided by one. No
// branch asks, since LLVM's code for SPIR-V divides in front of it.

typedef char int8_t;
typedef uchar uint8_t;
typedef short int16_t;
typedef ushort uint16_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;

// T: the type, S: how csmith says its signedness, B: bits, W: the unsigned type in which it wraps, OVER: what else has no quotient.
#define SAFE(T, S, B, W, OVER)                                                                            \
    static T safe_unary_minus_func_##T##_##S(T a) { return (T)(0 - (W)a); }                               \
    static T safe_add_func_##T##_##S##_##S(T a, T b) { return (T)((W)a + (W)b); }                         \
    static T safe_sub_func_##T##_##S##_##S(T a, T b) { return (T)((W)a - (W)b); }                         \
    static T safe_mul_func_##T##_##S##_##S(T a, T b) { return (T)((W)a * (W)b); }                         \
    static T safe_div_func_##T##_##S##_##S(T a, T b) { return (T)(a / (b == 0 || (OVER) ? (T)1 : b)); }   \
    static T safe_mod_func_##T##_##S##_##S(T a, T b) { return (T)(a % (b == 0 || (OVER) ? (T)1 : b)); }   \
    SHIFTS(T, S, B, W, s, int)                                                                            \
    SHIFTS(T, S, B, W, u, uint)

#define SHIFTS(T, S, B, W, BY, BT)                                                                        \
    static T safe_lshift_func_##T##_##S##_##BY(T a, BT b) { return (T)((W)a << ((uint)b & (B - 1))); }    \
    static T safe_rshift_func_##T##_##S##_##BY(T a, BT b) { return (T)(a >> ((uint)b & (B - 1))); }

#define LEAST(T, B) (b == (T)-1 && a == (T)(1UL << (B - 1)))

SAFE(int8_t, s, 8, uint, LEAST(char, 8))
SAFE(int16_t, s, 16, uint, LEAST(short, 16))
SAFE(int32_t, s, 32, uint, LEAST(int, 32))
SAFE(int64_t, s, 64, ulong, LEAST(long, 64))
SAFE(uint8_t, u, 8, uint, 0)
SAFE(uint16_t, u, 16, uint, 0)
SAFE(uint32_t, u, 32, uint, 0)
SAFE(uint64_t, u, 64, ulong, 0)

#define platform_main_begin()
#define crc32_gentab()
#define transparent_crc(value, name, print) *checksum = (*checksum ^ (ulong)(value)) * 0x9e3779b97f4a7c15UL
#define platform_main_end(value, print)
