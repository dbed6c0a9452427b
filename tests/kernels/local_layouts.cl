// Local arrays of two dimensions, of structs, a local struct and a local scalar; also views of their bytes.
typedef struct {
    uchar rank;
    ushort codes[3];
    float4 color;
    uint total;
} Cell;
kernel void local_layouts(global const uint *in, global uint *out)
{
    local uint grid[4][5];
    local Cell cells[4];
    local struct {
        ulong sum;
        char text[6];
    } head;
    local uint winner;
    uint gid = get_global_id(0), lid = get_local_id(0), x = in[gid];
    grid[lid >> 2][lid & 3] = x & 0xFFFF;
    if ((lid & 3) == 0) {
        local Cell *c = &cells[lid >> 2];
        c->rank = (uchar)x;
        for (int k = 0; k < 3; ++k)
            c->codes[k] = (ushort)(x >> (k * 5));
        c->color = (float4)((float)(x & 7), 1.0f, 2.0f, 3.0f);
        grid[lid >> 2][4] = x >> 20;
    }
    if (lid == 0) {
        head.sum = 0;
        winner = 0;
        for (int k = 0; k < 6; ++k)
            head.text[k] = (char)('a' + k);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < 4) {
        uint t = 0;
        for (int k = 0; k < 5; ++k)
            t += grid[lid][k] ^ grid[k & 3][lid];
        cells[lid].total = t + cells[3 - lid].codes[lid % 3];
        cells[lid].color.yzw *= 2.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 5) {
        for (uint k = 0; k < 4; ++k) {
            head.sum += (ulong)cells[k].total << (k * 8);
            if (cells[k].total > cells[winner].total)
                winner = k;
        }
        *(local ushort *)&head.text[2] = 0x4142;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    Cell mine = cells[(lid + winner) & 3];
    out[gid] = (uint)head.sum + (uint)(head.sum >> 32) * 3 + head.text[lid % 6] * 1000000 + mine.rank + (uint)(mine.color.x + mine.color.z);
}
