// Multiplies matrices of small integers by tiles of 8 x 8 in local memory; short inputs, 64-bit sums, edges that do not fill a tile.
kernel void matrix_tiles(global const short *a, global const short *b, global long *c, uint rows, uint inner, uint columns)
{
    local short left[8][8], right[8][8];
    uint x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    long sum = 0;
    for (uint t = 0; t < inner; t += 8) {
        left[ly][lx] = y < rows && t + lx < inner ? a[y * inner + t + lx] : 0;
        right[ly][lx] = x < columns && t + ly < inner ? b[(t + ly) * columns + x] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < 8; ++k)
            sum += (long)left[ly][k] * right[k][lx] * 1000003L;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x < columns && y < rows)
        c[y * columns + x] = sum;
}
