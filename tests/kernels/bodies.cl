// Steps of bodies that attract each other; float4 in local memory, rsqrt, loops over tiles with barriers.
kernel void bodies(global const float4 *from, global float4 *to, global float4 *velocity, local float4 *tile, float step)
{
    uint gid = get_global_id(0), lid = get_local_id(0), width = get_local_size(0);
    float4 me = from[gid];
    float3 pull = (float3)(0.0f);
    for (uint t = 0; t < get_num_groups(0); ++t) {
        tile[lid] = from[t * width + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < width; ++k) {
            float3 d = tile[k].xyz - me.xyz;
            float near = rsqrt(dot(d, d) + 0.5f);
            pull += d * (tile[k].w * near * near * near);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float4 v = velocity[gid];
    v.xyz += pull * step;
    velocity[gid] = v;
    to[gid] = (float4)(me.xyz + v.xyz * step, me.w);
}
