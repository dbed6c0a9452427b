// Shared memory with atomics and a compare-exchange, barriers, a loop with two exits, a switch, a table, a function that is not inlined.
static const uint weights[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };

StructuredBuffer<uint> keys : register(t0);
RWStructuredBuffer<uint> result : register(u0);

groupshared uint counts[8];
groupshared uint owner;

[noinline] uint weigh(uint key, uint rounds, out uint last) {
    uint sum = 0;
    last = key;
    for (uint round = 0; round < rounds; ++round) {
        last = last * 5 + weights[(key + round) & 7];
        if (last > 100000)
            break;
        sum += last;
    }
    return sum;
}

[numthreads(32, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
    if (lane < 8)
        counts[lane] = 0;
    if (lane == 0)
        owner = 0xffffffff;
    GroupMemoryBarrierWithGroupSync();
    uint key = keys[id.x];
    uint before;
    InterlockedAdd(counts[key & 7], 1);
    InterlockedCompareExchange(owner, 0xffffffff, lane, before);
    GroupMemoryBarrierWithGroupSync();
    uint last;
    uint value = weigh(key, lane & 15, last);
    switch (key & 3) {
    case 0: value += counts[lane & 7]; break;
    case 1: value ^= before; break;
    case 2: value -= last;
    default: value |= 1; break;
    }
    result[id.x] = value;
}
