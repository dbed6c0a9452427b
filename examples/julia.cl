// A picture: how fast the points of the plane leave a Julia set.
kernel void julia(write_only image2d_t picture, float2 c)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float2 size = (float2)(get_global_size(0), get_global_size(1));
    float2 z = (convert_float2(at) + 0.5f - 0.5f * size) * (3.0f / size.x);
    int steps = 0;
    while (dot(z, z) < 16.0f && steps < 200) {
        z = (float2)(z.x * z.x - z.y * z.y, 2.0f * z.x * z.y) + c;
        steps++;
    }
    float speed = steps == 200 ? 0.0f : (float)steps / 60.0f;
    write_imagef(picture, at, (float4)(speed * speed, speed, sqrt(speed), 1.0f));
}
