// Evaluates what a struct argument describes; structs passed by value, with padding, nesting, arrays and a vector.
typedef struct {
    char kind;
    long offset;
    short steps[3];
    float scale;
} Inner;
typedef struct {
    uint seed;
    Inner inner[2];
    float4 color;
    uchar flags;
} Params;
typedef struct {
    ushort x, y;
} Small;
kernel void struct_by_value(Params p, global int *out, Small small, global float *colors)
{
    int gid = get_global_id(0);
    Inner chosen = p.inner[gid & 1];
    int value = chosen.kind + (int)chosen.offset + chosen.steps[gid % 3] * gid;
    if (p.flags & (1 << (gid & 7)))
        value += (int)(p.seed >> 16) + small.x;
    else
        value -= (int)p.seed % 1000 + small.y;
    Params copy = p;
    copy.inner[1].steps[gid % 3] += 7;
    value += copy.inner[(gid >> 1) & 1].steps[2];
    out[gid] = value + (int)(chosen.scale * 4.0f) + (int)sizeof(Params);
    colors[gid] = ((float *)&p.color)[gid & 3] + chosen.scale;
}
