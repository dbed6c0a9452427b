// A rotation about the center: what comes from outside of the image has the color of the border.
constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
kernel void image_warp(read_only image2d_t in, global float4 *out, float c, float s)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float2 center = (float2)(get_image_width(in), get_image_height(in)) * 0.5f;
    float2 from = convert_float2(at) + 0.5f - center;
    float2 p = (float2)(c * from.x - s * from.y, s * from.x + c * from.y) + center;
    out[at.y * get_global_size(0) + at.x] = read_imagef(in, border, p);
}
