// A library: resources as variables, structs in memory, vectors, several entry points.
RaytracingAccelerationStructure scene : register(t0);
RWTexture2D<float4> target : register(u0);
struct Payload { float4 color; };

[shader("raygeneration")] void generate() {
    RayDesc ray;
    ray.Origin = float3(DispatchRaysIndex().xy, 0);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0.001;
    ray.TMax = 1000;
    Payload payload = { float4(0, 0, 0, 0) };
    TraceRay(scene, 0, 255, 0, 1, 0, ray, payload);
    target[DispatchRaysIndex().xy] = payload.color.wzyx;
}

[shader("miss")] void sky(inout Payload payload) {
    payload.color = float4(0.5, 0.25, 1, 1);
}
