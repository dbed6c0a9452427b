// A variable of program scope that another file defines and reads.
extern constant uint seed;
uint next(uint x);
kernel void global_counter(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    out[i] = next(in[i]) + seed;
}
