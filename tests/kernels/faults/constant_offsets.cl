// A constant table of pointers into another one: clang 22 types their byte offsets as if they counted elements.
constant uint pool[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
typedef struct {
    constant uint *first;
    uint count;
} Part;
constant Part parts[3] = {{pool + 2, 3}, {&pool[7], 5}, {pool + 5, 6}};
kernel void constant_offsets(global uint *out)
{
    uint gid = get_global_id(0), sum = 0;
    constant Part *p = &parts[gid % 3];
    for (uint k = 0; k < p->count; ++k)
        sum = sum * 10 + p->first[(k + gid) % p->count];
    out[gid] = sum;
}
