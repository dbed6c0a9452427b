// Reflects rays: dot, cross, length, distance, normalize, of two, three and four elements, and the fast variants.
kernel void geometry(global const float3 *rays, global const float4 *planes, global float *out, global float *reflected)
{
    uint gid = get_global_id(0);
    float3 r = rays[gid], n = normalize(planes[gid].xyz);
    float3 t = r - 2.0f * dot(r, n) * n, c = cross(r, n);
    float4 four = (float4)(t, 1.0f), other = planes[gid];
    vstore3(t, gid, reflected);
    global float *o = out + gid * 8;
    o[0] = dot(c, r);
    o[1] = length(c);
    o[2] = distance(four, other);
    o[3] = fast_length(r.xy) + fast_distance(t, r);
    o[4] = dot(fast_normalize(r), n);
    o[5] = cross(four, other).w + cross(four, other).y;
    o[6] = length(r.x) + dot(r.x, r.y) + length(r.xy);
    o[7] = normalize(other).z + normalize(r.yz).x;
}
