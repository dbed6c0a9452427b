// A struct by value, as argument and as result.
typedef struct { uint x; uint y; } pair;
pair swap(pair p);
kernel void struct_value(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    pair p = {in[i], (uint)i};
    pair q = swap(p);
    out[i] = q.x * 1000 + q.y;
}
