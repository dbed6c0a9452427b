// Rounds pointers up and down by casting them to integers; masks, differences and null tests.
kernel void align_mask(global uint4 *pool, global uint *out, local uint4 *line)
{
    uint gid = get_global_id(0), lid = get_local_id(0);
    global uchar *bytes = (global uchar *)(pool + 4 * gid) + (gid * 7) % 29;
    uintptr_t raw = (uintptr_t)bytes;
    global uint *up = (global uint *)((raw + 15) & ~(uintptr_t)15);
    global uchar *down = (global uchar *)(raw & ~(uintptr_t)7);
    up[0] = gid * 3 + 1;
    up[1] = (uint)((uintptr_t)up - raw);
    *((global uchar *)(pool + 4 * gid) + 60) = (uchar)(bytes - down);
    line[lid] = (uint4)(lid, lid + 1, lid + 2, lid + 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    local uint *odd = (local uint *)line + lid * 3 + 1;
    size_t low = (size_t)odd & 15;
    local uint4 *whole = (local uint4 *)((size_t)odd - low);
    global uint *nothing = (gid & 3) ? out : 0;
    out[2 * gid] = (uint)low + 100 * (*whole).y + (nothing ? 10000 : 0);
    out[2 * gid + 1] = ((raw & 1) != 0) + 2 * ((int)(raw % 3 == (raw + 3) % 3));
}
