// Edit distance of two short texts; two private rows whose pointers are swapped for each letter.
kernel void double_buffer_private(global const uchar *letters, global uint *out)
{
    uint gid = get_global_id(0);
    global const uchar *s = letters + gid * 8, *t = letters + ((gid * 5 + 3) % get_global_size(0)) * 8;
    uint n = 4 + gid % 5, m = 8 - gid % 3;
    uint row0[9], row1[9];
    private uint *above = row0, *current = row1;
    for (uint j = 0; j <= m; ++j)
        above[j] = j;
    for (uint i = 1; i <= n; ++i) {
        current[0] = i;
        for (uint j = 1; j <= m; ++j) {
            uint best = above[j - 1] + (s[i - 1] % 4 == t[j - 1] % 4 ? 0 : 1);
            best = min(best, above[j] + 1);
            best = min(best, current[j - 1] + 1);
            current[j] = best;
        }
        private uint *swap = above;
        above = current;
        current = swap;
    }
    out[2 * gid] = above[m];
    out[2 * gid + 1] = current[m] * 16 + (above == row0 ? 1 : 2);
}
