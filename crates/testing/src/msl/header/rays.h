// Queries of rays, from 2.4.
#pragma once

namespace metal {
namespace raytracing {
#if __METAL_VERSION__ >= 240
struct instancing {};
struct triangle_data {};
template <class... T> struct acceleration_structure {};
typedef acceleration_structure<instancing> instance_acceleration_structure;
enum class forced_opacity { none, opaque, non_opaque };
enum class triangle_cull_mode { none, front, back };
enum class opacity_cull_mode { none, opaque, non_opaque };
enum class geometry_cull_mode { none, triangle, bounding_box };
enum class intersection_type { none, triangle, bounding_box };
struct ray { ray(float3, float3, float, float) {} };
struct intersection_params {
    void force_opacity(forced_opacity) {}
    void accept_any_intersection(bool) {}
    void set_triangle_cull_mode(triangle_cull_mode) {}
    void set_opacity_cull_mode(opacity_cull_mode) {}
    void set_geometry_cull_mode(geometry_cull_mode) {}
};
// What is asked of the candidate and of what is committed.
#define OF_BOTH(T, F) T get_candidate_##F(); T get_committed_##F();
template <class... T> struct intersection_query {
    void reset(ray, instance_acceleration_structure, uint, intersection_params);
    bool next();
    void abort();
    void commit_bounding_box_intersection(float);
    void commit_triangle_intersection();
    OF_BOTH(intersection_type, intersection_type)
    OF_BOTH(uint, user_instance_id)
    OF_BOTH(uint, instance_id)
    OF_BOTH(uint, geometry_id)
    OF_BOTH(uint, primitive_id)
    OF_BOTH(float2, triangle_barycentric_coord)
    OF_BOTH(float3, ray_direction)
    OF_BOTH(float3, ray_origin)
    OF_BOTH(float4x3, object_to_world_transform)
    OF_BOTH(float4x3, world_to_object_transform)
    float get_ray_min_distance();
    float get_candidate_triangle_distance();
    float get_committed_distance();
    bool is_candidate_triangle_front_facing();
    bool is_committed_triangle_front_facing();
    bool is_candidate_non_opaque_bounding_box();
    float3 get_world_space_ray_direction();
    float3 get_world_space_ray_origin();
};
#endif
}
}
