// Patches, mesh functions and object functions.
#pragma once

namespace metal {
// The control points of a patch.
template <class T> struct patch_control_point {
    T operator[](size_t) const;
    size_t size() const;
};

#if __METAL_VERSION__ >= 300
enum class topology { point, line, triangle };

// The numbers of a mesh are those that the language has.
template <class V, class P, uint NV, uint NP, topology T> struct mesh {
    static_assert(NV <= 256 && NP <= 512, "a mesh has 256 vertices and 512 primitives");
    void set_vertex(uint, V);
    void set_primitive(uint, P);
    void set_primitive_count(uint);
    void set_index(uint, uchar);
    void set_indices(uint, uchar2);
    void set_indices(uint, uchar4);
};
template <class V, uint NV, uint NP, topology T> struct mesh<V, void, NV, NP, T> {
    static_assert(NV <= 256 && NP <= 512, "a mesh has 256 vertices and 512 primitives");
    void set_vertex(uint, V);
    void set_primitive_count(uint);
    void set_index(uint, uchar);
    void set_indices(uint, uchar2);
    void set_indices(uint, uchar4);
};
struct mesh_grid_properties {
    void set_threadgroups_per_grid(uint3);
};
#endif
}
