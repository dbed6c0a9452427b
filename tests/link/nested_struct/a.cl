// A struct with a struct and an array inside.
typedef struct { uint tag; struct { uint low, high; } range; uint rest[3]; } record;
void fill(record *r, uint seed);
uint digest(const record *r);
kernel void nested_struct(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    record r;
    fill(&r, in[i]);
    out[i] = digest(&r);
}
