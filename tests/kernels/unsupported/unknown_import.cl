// Unsupported: calls a function that is neither defined in the program nor known to OpenCL C.
uint library_hash(uint x, global const uint *table);
kernel void unknown_import(global const uint *table, global uint *out)
{
    uint gid = get_global_id(0);
    out[gid] = library_hash(gid, table);
}
