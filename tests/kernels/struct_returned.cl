// Multiplies Gaussian integers modulo a prime; small and large structs returned by functions that are not inlined.
typedef struct {
    uint re, im;
} Gauss;
typedef struct {
    Gauss power[6];
    ushort count;
} Powers;
#define P 10007u
__attribute__((noinline)) static Gauss times(Gauss a, Gauss b)
{
    Gauss r;
    r.re = (a.re * b.re + (P - a.im) * b.im) % P;
    r.im = (a.re * b.im + a.im * b.re) % P;
    return r;
}
__attribute__((noinline)) static Powers powers(Gauss base, uint count)
{
    Powers all;
    all.power[0] = (Gauss){1, 0};
    all.count = 1;
    for (uint k = 1; k < 6; ++k)
        all.power[k] = (Gauss){0, k};
    while (all.count < count) {
        all.power[all.count] = times(all.power[all.count - 1], base);
        all.count++;
    }
    return all;
}
__attribute__((noinline)) static uint norm(const Gauss *g)
{
    return (g->re * g->re + g->im * g->im) % P;
}
kernel void struct_returned(global const Gauss *in, global uint *out)
{
    uint gid = get_global_id(0), sum = 0;
    Gauss g = {in[gid].re % P, in[gid].im % P};
    Powers p = powers(g, 2 + gid % 5);
    for (uint k = 0; k < 6; ++k)
        sum = sum * 3 + norm(&p.power[(k + gid) % 6]);
    out[gid] = sum;
    out[gid + get_global_size(0)] = powers(p.power[3], 3).power[2].im + p.count;
}
