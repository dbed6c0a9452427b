// One set of functions over unqualified pointers, called with global, local and private memory (OpenCL 2.0).
__attribute__((noinline)) static uint total(const uint *p, uint count)
{
    uint sum = 0;
    for (const uint *end = p + count; p != end; ++p)
        sum = sum * 31 + *p;
    return sum;
}
static void exchange(uint *a, uint *b)
{
    uint t = *a;
    *a = *b;
    *b = t;
}
static void order(uint *p, int count)
{
    for (int i = 1; i < count; ++i)
        for (int j = i; j > 0 && p[j - 1] > p[j]; --j)
            exchange(p + j, p + j - 1);
}
kernel void generic_pointers(global uint *data, global uint *out)
{
    local uint shared_words[64];
    uint own[8];
    uint gid = get_global_id(0), lid = get_local_id(0);
    for (uint k = 0; k < 8; ++k) {
        own[k] = data[gid * 8 + k] >> 3;
        shared_words[lid * 8 + k] = own[k] ^ (k * 77);
    }
    order(own, 8);
    order(shared_words + lid * 8, 8);
    order(data + gid * 8, 5);
    exchange(own, own + 7);
    exchange(&data[gid * 8 + 6], &data[gid * 8 + 7]);
    out[gid * 3] = total(own, 8);
    out[gid * 3 + 1] = total(shared_words + lid * 8, 8);
    out[gid * 3 + 2] = total(data + gid * 8, 8);
}
