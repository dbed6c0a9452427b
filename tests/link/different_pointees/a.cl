// One pointer that the files see with different types.
uint first_bytes(global const uchar *p);
kernel void different_pointees(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    out[i] = first_bytes((global const uchar *)(in + i));
}
