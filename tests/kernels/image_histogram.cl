// A histogram in local memory, without a sampler.
kernel void image_histogram(read_only image2d_t in, volatile global uint *bins, local uint *part)
{
    int item = get_local_id(0);
    part[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int2 size = get_image_dim(in);
    for (int n = get_global_id(0); n < size.x * size.y; n += get_global_size(0))
        atomic_inc(&part[read_imageui(in, (int2)(n % size.x, n / size.x)).x >> 4]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[item], part[item]);
}
