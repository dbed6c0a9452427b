// Work-item functions in each file.
uint place(void);
uint group(void);
kernel void built_ins(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    out[i] = place() * 100 + group() + in[i];
}
