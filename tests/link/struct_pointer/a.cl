// A struct behind a pointer, declared in both files.
typedef struct { uint x; uint y; } pair;
uint sum(global const pair *p);
kernel void struct_pointer(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    out[i] = sum((global const pair *)in + i / 2) + i;
}
