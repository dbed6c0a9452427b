// An image that a kernel reads and writes: neighbours of even columns become averages.
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
kernel void image_update(read_write image2d_t grid)
{
    int2 at = (int2)(2 * get_global_id(0), get_global_id(1));
    float4 sum = read_imagef(grid, at) + read_imagef(grid, at + (int2)(1, 0));
    write_imagef(grid, at, sum * 0.5f);
}
