// Calls through four files.
uint one(uint x);
kernel void call_chain(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    out[i] = one(in[i]);
}
