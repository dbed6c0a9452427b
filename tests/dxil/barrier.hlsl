// A barrier that not all threads of a group reach.
RWStructuredBuffer<uint> words : register(u0);

groupshared uint others[64];

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint thread : SV_GroupIndex) {
    others[thread] = words[id.x];
    if (words[id.x] > 7) {
        GroupMemoryBarrierWithGroupSync();
        words[id.x] = others[63 - thread];
    }
}
