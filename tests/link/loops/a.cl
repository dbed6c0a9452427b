// A loop that calls a function of another file.
uint advance(uint x, uint k);
kernel void loops(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    uint x = in[i];
    for (uint k = 0; k < (i & 7) + 1; k++) x = advance(x, k);
    out[i] = x;
}
