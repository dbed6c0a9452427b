// Local memory that holds pointers to global memory, and a local struct with a pointer to local memory.
typedef struct {
    local uint *best;
    global const uint *row;
    uint length;
} Desk;
kernel void pointers_in_local(global const uint *in, global uint *out, uint width)
{
    global const uint *local rows[8];
    local uint scores[8];
    local Desk desk;
    uint lid = get_local_id(0), gid = get_global_id(0);
    rows[(lid * 3) & 7] = in + (get_group_id(0) * 8 + lid) * width;
    scores[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    global const uint *row = rows[(lid + 1) & 7];
    for (uint k = 0; k < width; ++k)
        scores[lid] += row[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0) {
        desk.best = scores;
        for (uint k = 1; k < 8; ++k)
            if (scores[k] > *desk.best)
                desk.best = scores + k;
        desk.row = rows[desk.best - scores];
        desk.length = width - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[gid] = *desk.best + (desk.best == scores + lid ? 1000000 : 0) + desk.row[lid % desk.length] * 3;
}
