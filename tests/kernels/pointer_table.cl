// Merges four sorted rows; a private array of addresses, indexed dynamically and cast back to pointers.
static uint head(uintptr_t row, uint at)
{
    return ((global const uint *)row)[at];
}
kernel void pointer_table(global const uint *a, global const uint *b, global const uint *c, global uint *out, uint count)
{
    uint gid = get_global_id(0);
    uintptr_t rows[4];
    uint done[4];
    for (uint k = 0; k < 4; ++k) {
        rows[k] = (uintptr_t)((k == 0 ? a : k == 1 ? b : k == 2 ? c : a + 16) + gid * count);
        done[k] = k == 3 ? gid % count : 0;
    }
    for (uint k = 0; k < 3 * count + 1; ++k) {
        int best = -1;
        for (int j = 0; j < 4; ++j)
            if (done[j] != count && (best < 0 || head(rows[j], done[j]) < head(rows[best], done[best])))
                best = j;
        out[gid * (3 * count + 1) + k] = head(rows[best], done[best]) * 4 + (uint)best;
        ++done[best];
    }
}
