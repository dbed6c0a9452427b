// Functions of one name that are local to their files.
static uint local_step(uint x) { return x + 10; }
uint other(uint x);
kernel void static_twins(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    out[i] = local_step(in[i]) ^ other(in[i]);
}
