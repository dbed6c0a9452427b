// Reads an image through a sampler that the program declares: texels, the width of the image.
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void image_read(read_only image2d_t picture, global float4 *out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    out[at.y * get_image_width(picture) + at.x] = read_imagef(picture, nearest, at);
}
