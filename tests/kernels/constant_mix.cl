// Interpolates from a table that is either a module constant or a constant argument: pointers to both meet.
constant int builtin[9] = {0, 10, 40, 90, 160, 250, 360, 490, 640};
static int sample(constant int *table, int at)
{
    int k = at >> 4, f = at & 15;
    return (table[k] * (16 - f) + table[k + 1] * f) >> 4;
}
kernel void constant_mix(constant int *given, constant float4 *colors, global int *out, global float *shades, int limit)
{
    int gid = get_global_id(0);
    constant int *table = gid < limit ? builtin : given;
    int sum = sample(table, gid & 127);
    for (int k = 0; k < 3; ++k) {
        if (sum & 1)
            table = table == builtin ? given : builtin;
        sum += sample(table, (gid * 5 + k * 17) & 127);
    }
    out[gid] = sum;
    shades[gid] = colors[gid & 3].y + colors[(gid >> 2) & 3].w;
}
