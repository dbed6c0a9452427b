// A switch whose cases call into other files.
uint add(uint x, uint y);
uint sub(uint x, uint y);
uint mul(uint x, uint y);
kernel void switch_of_calls(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    uint x = in[i], y = (uint)i;
    switch (x & 3) {
    case 0: out[i] = add(x, y); break;
    case 1: out[i] = sub(x, y); break;
    case 2: out[i] = mul(x, y); break;
    default: out[i] = add(sub(x, y), mul(x, y)); break;
    }
}
