// Sums of the ids of all dimensions, products with constants among them, in a work-group of one work-item in two dimensions.
kernel void flat_ranges(global uint *out, global const uint *in)
{
    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    size_t at = (z * get_global_size(1) + y) * get_global_size(0) + x;
    out[at * 3] = x * 7 + y * 13 + z * 17;
    out[at * 3 + 1] = get_local_id(0) + 100 * get_local_id(1) + 10000 * get_local_id(2) + 1000000 * get_local_linear_id();
    uint sum = in[at % 24];
    for (uint i = 0; i < (sum & 15); i++) {
        if (sum >> i & 1)
            sum = sum * 1664525u + i;
        else
            sum ^= (uint)get_local_id(0) * 31u + (uint)y;
        if (sum % 11 == 3)
            break;
    }
    out[at * 3 + 2] = sum;
}
