// The built-in functions of OpenCL that kernels of the hunt call, for the machine that judges. Atomic operations are plain ones: one
// work-item runs at a time.

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#define OVER __attribute__((overloadable))

// T: the type, U: its unsigned one, B: bits, W and UW: of twice the size, or the same for 64 bits.
#define COMMON(T, U, B)                                                                                   \
    OVER T min(T a, T b) { return a < b ? a : b; }                                                        \
    OVER T max(T a, T b) { return a > b ? a : b; }                                                        \
    OVER T hadd(T a, T b) { return (T)((a >> 1) + (b >> 1) + (a & b & 1)); }                              \
    OVER T rhadd(T a, T b) { return (T)((a >> 1) + (b >> 1) + ((a | b) & 1)); }                           \
    OVER T rotate(T a, T b) {                                                                             \
        uint by = (uint)b & (B - 1);                                                                      \
        return (T)(U)(by == 0 ? (U)a : (U)((U)((U)a << by) | (U)((U)a >> (B - by))));                     \
    }                                                                                                     \
    OVER T clz(T a) {                                                                                     \
        T zeros = 0;                                                                                      \
        for (int bit = B - 1; bit >= 0 && !((U)a >> bit & 1); bit--) zeros++;                             \
        return zeros;                                                                                     \
    }                                                                                                     \
    OVER T popcount(T a) {                                                                                \
        T ones = 0;                                                                                       \
        for (int bit = 0; bit < B; bit++) ones += (T)((U)a >> bit & 1);                                   \
        return ones;                                                                                      \
    }                                                                                                     \
    OVER U abs_diff(T a, T b) { return a > b ? (U)((U)a - (U)b) : (U)((U)b - (U)a); }

#define SIGNED(T, U, B)                                                                                   \
    COMMON(T, U, B)                                                                                       \
    OVER U abs(T a) { return a < 0 ? (U)(0 - (U)a) : (U)a; }                                              \
    OVER T add_sat(T a, T b) {                                                                            \
        T sum = (T)((U)a + (U)b), most = (T)((U)-1 >> 1);                                                 \
        return (a < 0) == (b < 0) && (sum < 0) != (a < 0) ? (a < 0 ? (T)~most : most) : sum;              \
    }                                                                                                     \
    OVER T sub_sat(T a, T b) {                                                                            \
        T difference = (T)((U)a - (U)b), most = (T)((U)-1 >> 1);                                          \
        return (a < 0) != (b < 0) && (difference < 0) != (a < 0) ? (a < 0 ? (T)~most : most) : difference; \
    }

#define UNSIGNED(T, B)                                                                                    \
    COMMON(T, T, B)                                                                                       \
    OVER T abs(T a) { return a; }                                                                         \
    OVER T add_sat(T a, T b) { return (T)(a + b) < a ? (T)-1 : (T)(a + b); }                              \
    OVER T sub_sat(T a, T b) { return a < b ? (T)0 : (T)(a - b); }

SIGNED(char, uchar, 8)
SIGNED(short, ushort, 16)
SIGNED(int, uint, 32)
SIGNED(long, ulong, 64)
UNSIGNED(uchar, 8)
UNSIGNED(ushort, 16)
UNSIGNED(uint, 32)
UNSIGNED(ulong, 64)

#define HIGH(T, W, B) OVER T mul_hi(T a, T b) { return (T)((W)a * (W)b >> B); }

HIGH(char, int, 8)
HIGH(uchar, uint, 8)
HIGH(short, int, 16)
HIGH(ushort, uint, 16)
HIGH(int, long, 32)
HIGH(uint, ulong, 32)

OVER ulong mul_hi(ulong a, ulong b) {
    ulong low = (a & 0xffffffff) * (b & 0xffffffff);
    ulong first = (a >> 32) * (b & 0xffffffff) + (low >> 32);
    ulong second = (a & 0xffffffff) * (b >> 32) + (first & 0xffffffff);
    return (a >> 32) * (b >> 32) + (first >> 32) + (second >> 32);
}

OVER long mul_hi(long a, long b) {
    ulong high = mul_hi((ulong)a, (ulong)b);
    return (long)(high - (a < 0 ? (ulong)b : 0) - (b < 0 ? (ulong)a : 0));
}

#define ATOMIC(SPACE)                                                                                     \
    OVER uint atomic_add(volatile SPACE uint *to, uint by) { uint old = *to; *to = old + by; return old; } \
    OVER uint atomic_sub(volatile SPACE uint *to, uint by) { uint old = *to; *to = old - by; return old; }

ATOMIC(__global)
ATOMIC(__local)
