// What a kernel needs of OpenCL, for code of this machine.
static global size_t native_id[2];
#define get_global_id(dimension) native_id[dimension]
#define exp(x) __builtin_expf(x)
#define log(x) __builtin_logf(x)
#define sqrt(x) __builtin_sqrtf(x)
#define rsqrt(x) (1.0f / __builtin_sqrtf(x))
#define fabs(x) __builtin_fabsf(x)
#define clz(x) ((x) ? (uint)__builtin_clz(x) : 32u)
#define mul_hi(x, y) (uint)(((ulong)(x) * (ulong)(y)) >> 32)
