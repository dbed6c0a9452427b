// The median of nine neighbours, by a sorting network in vectors.
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
#define SORT(a, b) { uint4 low = min(a, b); b = max(a, b); a = low; }
kernel void image_median(read_only image2d_t in, write_only image2d_t out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    uint4 v[9];
    for (int i = 0; i < 9; i++)
        v[i] = read_imageui(in, edge, at + (int2)(i % 3 - 1, i / 3 - 1));
    SORT(v[1], v[2]) SORT(v[4], v[5]) SORT(v[7], v[8]) SORT(v[0], v[1]) SORT(v[3], v[4]) SORT(v[6], v[7])
    SORT(v[1], v[2]) SORT(v[4], v[5]) SORT(v[7], v[8]) SORT(v[0], v[3]) SORT(v[5], v[8]) SORT(v[4], v[7])
    SORT(v[3], v[6]) SORT(v[1], v[4]) SORT(v[2], v[5]) SORT(v[4], v[7]) SORT(v[4], v[2]) SORT(v[6], v[4]) SORT(v[4], v[2])
    write_imageui(out, at, v[4]);
}
