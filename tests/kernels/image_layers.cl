// Layers of an array, chosen by a float that is rounded; integers with a sign.
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void image_layers(read_only image2d_array_t in, global int4 *out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    int4 sum = 0;
    for (int layer = -1; layer <= (int)get_image_array_size(in); layer++)
        sum += (layer + 2) * read_imagei(in, edge, (float4)(at.x + 0.5f, at.y + 0.5f, layer + 0.25f, 0.0f));
    out[at.y * get_image_width(in) + at.x] = sum;
}
