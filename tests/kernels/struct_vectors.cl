// Shades spheres whose structs hold float3, char4, double-word and half-word vectors (padding of three-vectors).
typedef struct {
    float3 center;
    float radius;
    char4 normal;
    ushort3 code;
    ulong2 id;
} Sphere;
kernel void struct_vectors(global const Sphere *spheres, global float4 *shade, global ulong *ids)
{
    uint gid = get_global_id(0);
    Sphere s = spheres[gid], t = spheres[(gid + 5) % get_global_size(0)];
    float3 way = t.center - s.center;
    int4 n = {s.normal.x * t.normal.x, s.normal.y * t.normal.y, s.normal.z * t.normal.z, s.normal.w * t.normal.w};
    shade[gid].xyz = way * s.radius + (float3)((float)n.x, (float)n.y, (float)(n.z + n.w));
    shade[gid].w = dot(way, way);
    ushort3 c = s.code ^ t.code.zxy;
    ids[gid] = (s.id.x + t.id.y) ^ ((ulong)c.x << 32 | (ulong)c.y << 16 | c.z);
}
