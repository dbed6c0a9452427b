// From a plane of luminance and one of color differences at half the size to RGB, as players do.
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void image_yuv(read_only image2d_t luma, read_only image2d_t chroma, write_only image2d_t rgb)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float y = read_imagef(luma, edge, at).x;
    float2 uv = read_imagef(chroma, edge, at / 2).xy - 0.5f;
    float4 color = (float4)(y + 1.5748f * uv.y, y - 0.1873f * uv.x - 0.4681f * uv.y, y + 1.8556f * uv.x, 1.0f);
    write_imagef(rgb, at, color);
}
