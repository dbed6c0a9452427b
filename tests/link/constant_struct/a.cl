// Constants of a struct type in another file.
typedef struct { uint x; uint y; } pair;
extern constant pair limits[2];
kernel void constant_struct(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    out[i] = min(max(in[i], limits[i & 1].x), limits[i & 1].y);
}
