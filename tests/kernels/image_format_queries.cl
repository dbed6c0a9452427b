// What a kernel can ask of an image, with the constants of the language.
kernel void image_format_queries(read_only image2d_t a, read_only image3d_t b, write_only image1d_array_t c, global int *out)
{
    out[0] = get_image_width(a);
    out[1] = get_image_height(a);
    out[2] = get_image_channel_data_type(a) == CLK_UNORM_INT8;
    out[3] = get_image_channel_order(a) == CLK_BGRA;
    out[4] = get_image_depth(b);
    out[5] = get_image_dim(b).y;
    out[6] = get_image_channel_data_type(b) - CLK_SNORM_INT8;
    out[7] = get_image_channel_order(b) - CLK_R;
    out[8] = get_image_width(c);
    out[9] = (int)get_image_array_size(c);
    out[10] = get_image_channel_data_type(c) == CLK_HALF_FLOAT;
    out[11] = get_image_channel_order(c) == CLK_RG;
}
