// Factorials, powers and roots modulo a 61-bit prime; 64-bit multiplication, division, shifts, comparisons, mul_hi.
#define P 2305843009213693951UL
static ulong times(ulong a, ulong b)
{
    ulong low = a * b, high = mul_hi(a, b);
    ulong r = (low & P) + ((low >> 61) | (high << 3));
    r = (r & P) + (r >> 61);
    return r >= P ? r - P : r;
}
kernel void wide_integers(global const ulong *in, global ulong *out, global long *signed_out)
{
    uint gid = get_global_id(0);
    ulong x = in[gid] * 0x9E3779B97F4A7C15UL % P, r = 1;
    for (uint e = gid + 3; e; e >>= 1, x = times(x, x))
        if (e & 1)
            r = times(r, x);
    ulong root = 0;
    for (int bit = 31; bit >= 0; --bit) {
        ulong t = root | 1UL << bit;
        if (t * t <= r)
            root = t;
    }
    out[gid * 3] = r;
    out[gid * 3 + 1] = root;
    out[gid * 3 + 2] = r / (x >> 40 | 1) + r % (x | 1);
    long s = (long)(r << 3) - (long)(x << 5), d = (long)(gid % 7) - 3;
    signed_out[gid * 4] = s >> (gid & 63);
    signed_out[gid * 4 + 1] = d ? s / (d * 12345678901L) : -s % 1000000007L;
    signed_out[gid * 4 + 2] = mul_hi(s, (long)root) + (s < d ? 1 : 0);
    signed_out[gid * 4 + 3] = (int)s * (long)(int)r + (uint)s;
}
