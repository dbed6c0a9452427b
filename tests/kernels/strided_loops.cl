// Sums over a work-group's stride, twice: two loops with one guard, which some packs of lanes enter with no lane.
kernel void strided_loops(global uint *out, uint n) {
    uint sum = 1;
    for (uint i = get_local_id(0); i < n; i += 16)
        sum = sum * 5 + i;
    for (uint i = get_local_id(0); i < n; i += 16)
        sum = sum * 7 + i;
    out[get_global_id(0)] = sum;
}
