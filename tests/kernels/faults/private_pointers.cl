// Merges four sorted rows; private arrays of global pointers, indexed dynamically, read, advanced and swapped.
kernel void private_pointers(global const uint *a, global const uint *b, global const uint *c, global uint *out, uint count)
{
    uint gid = get_global_id(0);
    global const uint *heads[4], *tails[4];
    for (uint k = 0; k < 4; ++k) {
        heads[k] = (k == 0 ? a : k == 1 ? b : k == 2 ? c : a + 16) + gid * count;
        tails[k] = heads[k] + count - (k == 3 ? gid % count : 0);
    }
    for (uint k = 0; k < 3 * count + 1; ++k) {
        int best = -1;
        for (int j = 0; j < 4; ++j)
            if (heads[j] != tails[j] && (best < 0 || *heads[j] < *heads[best]))
                best = j;
        if (best < 0) {
            out[gid * (3 * count + 1) + k] = 7777;
            continue;
        }
        out[gid * (3 * count + 1) + k] = *heads[best] * 4 + (uint)best;
        heads[best] += 1;
        if (k == gid) {
            global const uint *h = heads[best], *t = tails[best];
            heads[best] = heads[3 - best];
            tails[best] = tails[3 - best];
            heads[3 - best] = h;
            tails[3 - best] = t;
        }
    }
}
