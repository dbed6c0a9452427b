// Mirrored tiles: two textures, each with its sampler, one of them chosen by the work-item.
constant sampler_t repeat = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST;
constant sampler_t mirror = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_NEAREST;
kernel void image_tiles(read_only image2d_t left, read_only image2d_t right, global float4 *out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float2 p = (convert_float2(at) + 0.25f) / 5.0f - 1.0f;
    float4 color = (at.x & 1) ? read_imagef(left, repeat, p) : read_imagef(right, mirror, p);
    out[at.y * get_global_size(0) + at.x] = color;
}
