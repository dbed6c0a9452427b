// Breadth-first search per group over a graph in global memory; queues in local memory whose pointers swap, counts by atomics.
kernel void local_queue(global const ushort *edges, global uint *distance, uint degree, uint nodes)
{
    local ushort queues[2][32];
    local uint counts[2], seen[32];
    local ushort *now = queues[0], *next = queues[1];
    local uint *now_count = &counts[0], *next_count = &counts[1];
    uint lid = get_local_id(0), group = get_group_id(0);
    for (uint k = lid; k < 32; k += 8)
        seen[k] = k == group ? 0 : 0xFFFFFFFFu;
    if (lid == 0) {
        now[0] = (ushort)group;
        *now_count = 1;
        *next_count = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint level = 1; *now_count != 0; ++level) {
        for (uint k = lid; k < *now_count * degree; k += 8) {
            uint to = edges[now[k / degree] * degree + k % degree] % nodes;
            if (atomic_cmpxchg(&seen[to], 0xFFFFFFFFu, level) == 0xFFFFFFFFu)
                next[atomic_inc(next_count)] = (ushort)to;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        local ushort *t = now;
        now = next;
        next = t;
        local uint *c = now_count;
        now_count = next_count;
        next_count = c;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid == 0)
            *next_count = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint k = lid; k < nodes; k += 8)
        distance[group * nodes + k] = seen[k];
}
