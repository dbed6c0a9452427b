// Two kernels in one file that share functions, constants and a struct: one fills a table, the other one searches it.
typedef struct {
    uint key;
    ushort next, used;
} Slot;
constant uint salts[3] = {0x9E3779B9u, 0x85EBCA6Bu, 0xC2B2AE35u};
static uint mix_key(uint x, private uint *rounds)
{
    for (uint k = 0; k < 3; ++k) {
        x = (x ^ (x >> 15)) * salts[k];
        *rounds += x & 1;
    }
    return x ^ (x >> 13);
}
static void store(Slot *s, uint key, uint at)
{
    uint rounds = 0;
    s->key = mix_key(key, &rounds);
    s->next = (ushort)at;
    s->used = (ushort)(rounds + 1);
}
kernel void two_kernels_fill(global Slot *table, uint stride)
{
    uint gid = get_global_id(0);
    Slot s;
    store(&s, gid * stride, (gid * 5 + 1) % (uint)get_global_size(0));
    table[gid] = s;
}
kernel void two_kernels_find(global const Slot *table, global uint *out, uint count)
{
    local uint best[8];
    uint lid = get_local_id(0), at = get_global_id(0) % count, rounds = 0;
    uint goal = mix_key(at, &rounds) & 7;
    best[lid] = 0;
    for (uint k = 0; k < count; ++k) {
        Slot s = table[at];
        if ((s.key & 7) == goal)
            best[lid] = max(best[lid], s.key);
        at = s.next % count;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = best[lid ^ 1] ^ (rounds * 16 + table[at].used);
}
