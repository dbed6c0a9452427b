// A vertex shader: system values, arrays of outputs, elements that share a row.
Buffer<float4> offsets : register(t0);
cbuffer Camera : register(b0) { float4x4 view; };
struct Vertex { float4 position : SV_Position; float values[3] : VALUES; float2 a : A; float b : B; };

Vertex main(float4 position : POSITION, uint vertex : SV_VertexID, uint instance : SV_InstanceID) {
    Vertex result;
    result.position = mul(view, position + offsets[instance]);
    for (uint i = 0; i < 3; ++i)
        result.values[i] = position[i] * vertex;
    result.a = position.xy;
    result.b = position.w;
    return result;
}
