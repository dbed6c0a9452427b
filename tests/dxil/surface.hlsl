// A pixel shader: textures, samplers, a constant buffer, derivatives, discard, loop hints, an inlined function, several targets.
struct Light { float3 position; float range; float3 color; uint kind; };
cbuffer Scene : register(b0) { Light lights[4]; uint light_count; float cutoff; };
Texture2D<float4> albedo : register(t0);
Texture2DArray<float> shadow : register(t1);
SamplerState smooth : register(s0);
SamplerComparisonState compare : register(s1);

struct Pixel { float4 position : SV_Position; float3 world : WORLD; nointerpolation uint layer : LAYER; float2 uv : TEXCOORD0; };
struct Targets { float4 color : SV_Target0; uint id : SV_Target1; };

float brightness(float3 way, uint kind) {
    if (kind == 1)
        return 1.0;
    return saturate(way.y);
}

Targets main(Pixel pixel, bool front : SV_IsFrontFace) {
    float4 base = albedo.Sample(smooth, pixel.uv);
    if (base.a < cutoff)
        discard;
    float3 sum = 0.05 * base.rgb;
    [loop] for (uint i = 0; i < light_count; ++i) {
        float3 way = lights[i].position - pixel.world;
        [branch] if (dot(way, way) > lights[i].range)
            continue;
        float lit = shadow.SampleCmpLevelZero(compare, float3(pixel.uv, pixel.layer), way.z);
        sum += lights[i].color * lit * brightness(way, lights[i].kind);
    }
    Targets targets;
    targets.color = float4(front ? sum : -sum, fwidth(pixel.uv.x));
    targets.id = pixel.layer;
    return targets;
}
