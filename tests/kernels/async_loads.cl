// Fills local memory with async_work_group_copy and its strided form, of words, bytes, vectors; one event for all; prefetch.
kernel void async_loads(global const uint *in, global uint *out, global const float4 *vectors, global const uchar *bytes, local float4 *quads)
{
    local uint tile[64], columns[16];
    local uchar text[40];
    uint lid = get_local_id(0), gid = get_global_id(0), group = get_group_id(0);
    prefetch(in + group * 64, 64);
    event_t first = async_work_group_copy(tile, in + group * 64, 64, 0);
    event_t both = async_work_group_strided_copy(columns, in + group * 3, 16, 7, first);
    wait_group_events(1, &both);
    uint sum = columns[15 - lid];
    for (uint k = lid; k < 64; k += 16)
        sum = sum * 3 + tile[k ^ 5];
    event_t events[2];
    events[0] = async_work_group_copy(text, bytes + group, 40, both);
    events[1] = async_work_group_copy(quads, vectors + group * 8, 8, events[0]);
    wait_group_events(2, events);
    for (uint k = 0; k < 40; ++k)
        sum = sum * 3 + text[(k + lid) % 40];
    out[gid] = sum + (uint)(quads[lid & 7].w + quads[(lid + 3) & 7].x * 1000.0f);
}
