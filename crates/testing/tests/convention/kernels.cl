// Kernels that are called by the interface of their code. Made with the command of tests/kernels/build.sh, at -O2.

// The arguments end after what the code reads.
kernel void reads_nothing(int8 p, int8 q, global int *a)
{
}

// The differences are the same for all work-items of a work-group, and the ids are not small where there is any number of work-groups.
kernel void start_of_group(global uint *out)
{
    size_t at = get_global_id(0);
    out[2 * at] = (uint)(get_global_id(0) - get_local_id(0));
    out[2 * at + 1] = (uint)get_global_id(0) - (uint)get_local_id(0);
}
