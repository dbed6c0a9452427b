// Rotates and multiplies small matrices; two- and three-dimensional private arrays with dynamic indices.
kernel void private_matrix(global const uint *in, global uint *out, uint turns)
{
    uint gid = get_global_id(0);
    uint m[4][4], r[4][4], levels[2][3][4];
    for (uint y = 0; y < 4; ++y)
        for (uint x = 0; x < 4; ++x) {
            m[y][x] = in[gid * 16 + y * 4 + x] & 15;
            levels[(x + y) & 1][(x * y + gid) % 3][x] = m[y][x];
        }
    for (uint z = 0; z < 2; ++z)
        for (uint x = 0; x < 4; ++x)
            levels[z][(gid + z) % 3][x] = z + x;
    for (uint t = 0; t < turns + (gid & 1); ++t) {
        for (uint y = 0; y < 4; ++y)
            for (uint x = 0; x < 4; ++x) {
                uint s = 0;
                for (uint k = 0; k < 4; ++k)
                    s += m[y][k] * m[k][x];
                r[x][3 - y] = s & 255;
            }
        for (uint k = 0; k < 16; ++k)
            ((uint *)m)[k] = r[k >> 2][k & 3] + (k == 5 ? gid : 0);
    }
    uint at = in[gid * 16];
    out[gid * 2] = m[at & 3][(at >> 2) & 3] + 1000 * m[(at >> 4) & 3][(at >> 6) & 3];
    out[gid * 2 + 1] = levels[at & 1][(gid + (at & 1)) % 3][(at >> 1) & 3];
}
