// Takes numbers apart through unions of float, int, short and byte members, in private and global memory.
typedef union {
    float f;
    uint u;
    int i;
    ushort h[2];
    uchar b[4];
} Word;
typedef union {
    struct {
        uint low, high;
    } part;
    ulong whole;
    Word words[2];
} Wide;
kernel void union_punning(global Word *words, global uint *out)
{
    uint gid = get_global_id(0);
    Word w = words[gid], v;
    v.u = (w.u & 0x007FFFFF) | 0x3F800000;
    v.f = v.f * 2.0f;
    uint a = v.u >> 23;
    v.b[gid & 3] ^= 0x55;
    v.h[1] += v.b[0];
    Wide wide;
    wide.words[0] = w;
    wide.words[1] = v;
    wide.whole = wide.whole * 3 + gid;
    wide.words[gid & 1].b[2] = 0xEE;
    out[gid * 3] = wide.part.high;
    out[gid * 3 + 1] = wide.part.low ^ a;
    out[gid * 3 + 2] = (w.i < 0) + 2u * v.h[0];
    words[gid].h[1] = w.h[0];
    words[gid].b[0] = (uchar)(w.f < 0.0f ? 1 : 2);
}
