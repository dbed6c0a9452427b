// Numbers of 16, 32 and 64 bits and their conversions, comparisons of floats, special values, local arrays with dynamic indices.
ByteAddressBuffer input : register(t0);
RWByteAddressBuffer output : register(u0);

[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    uint at = id.x + 8 * id.y;
    float f = asfloat(input.Load(4 * at));
    int64_t wide = int64_t(asint(f)) * 1234567890123ll;
    uint64_t logical = uint64_t(at) << (at & 63);
    float16_t half = float16_t(f) * 0.1h + float16_t(at);
    int16_t small = int16_t(at) - 300;
    double d = double(f) * 1.0e-3L + 2.5L;
    float values[6] = { f, f * 2, 1.0 / f, sqrt(abs(f)), 0.1, 1.0e30 };
    float sum = 0;
    for (uint i = 0; i < (at & 7); ++i) {
        values[i % 6] += float(half);
        sum += values[(i * 5) % 6];
    }
    bool odd = (wide < 0) != (f >= sum);
    uint bits = uint(wide >> 32) ^ uint(logical) ^ asuint(sum) ^ uint(small);
    if (isnan(f) || f == 1.0 / 0.0)
        bits = 0x7fc00000;
    output.Store2(8 * at, uint2(odd ? bits : ~bits, uint(int(d))));
}
