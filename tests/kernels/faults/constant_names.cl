// A constant table of strings of different lengths: clang 22 writes an OpConstantComposite whose constituents have other types.
constant char *constant names[4] = {"a", "four", "letters", "of"};
kernel void constant_names(global uint *out)
{
    uint gid = get_global_id(0), sum = 0;
    for (constant char *p = names[gid & 3]; *p; ++p)
        sum = sum * 31 + *p;
    out[gid] = sum;
}
