// A branch to functions of two other files.
uint even(uint x);
uint odd(uint x);
kernel void branches(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    out[i] = in[i] % 2 ? odd(in[i]) : even(in[i]);
}
