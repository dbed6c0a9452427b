// Determinant modulo a prime by elimination; the rows of a private matrix are swapped as pointers to pointers.
#define P 10007u
static uint power(uint b, uint e)
{
    uint r = 1;
    for (; e; e >>= 1, b = b * b % P)
        if (e & 1)
            r = r * b % P;
    return r;
}
static void swap_rows(private uint **a, private uint **b)
{
    private uint *t = *a;
    *a = *b;
    *b = t;
}
kernel void row_pointers(global const uint *in, global uint *out)
{
    uint gid = get_global_id(0), m[4][4];
    private uint *rows[4];
    for (uint k = 0; k < 16; ++k)
        m[k / 4][k % 4] = in[gid * 16 + k] % ((gid & 1) ? 3 : P);
    for (int k = 0; k < 4; ++k)
        rows[k] = m[k];
    uint det = 1, swaps = 0;
    for (int c = 0; c < 4; ++c) {
        int pivot = c;
        while (pivot < 4 && rows[pivot][c] == 0)
            ++pivot;
        if (pivot == 4) {
            det = 0;
            break;
        }
        if (pivot != c) {
            swap_rows(&rows[pivot], &rows[c]);
            ++swaps;
        }
        det = det * rows[c][c] % P;
        uint inverse = power(rows[c][c], P - 2);
        for (int r = c + 1; r < 4; ++r) {
            uint f = rows[r][c] * inverse % P;
            for (int k = c; k < 4; ++k)
                rows[r][k] = (rows[r][k] + (P - f) * rows[c][k]) % P;
        }
    }
    if (swaps & 1)
        det = (P - det) % P;
    out[gid * 2] = det;
    out[gid * 2 + 1] = swaps * 10 + (uint)(rows[3] - m[0]);
}
