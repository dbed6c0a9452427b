// Two files that call each other without recursion.
uint inner(uint x);
uint helper(uint x) { return x * x + 1; }
kernel void back_and_forth(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    out[i] = inner(in[i] % 100);
}
