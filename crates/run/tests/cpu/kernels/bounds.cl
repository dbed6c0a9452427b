// Kernels that leave their buffers and arrays where their arguments say so, and kernels that do not end.
// clang-22 -O1 -cl-std=CL2.0 --target=spirv64 -Xclang -finclude-default-header -fno-discard-value-names -c bounds.cl -o bounds.spv

kernel void contiguous(global int *out, global const int *in, int shift) {
    int i = get_global_id(0);
    out[i + shift] = in[i] + 1;
}

kernel void gathered(global int *out, global const int *in, global const int *indexes) {
    int i = get_global_id(0);
    out[i] = in[indexes[i]];
}

kernel void guarded(global int *out, global const int *in, global const int *indexes, int count) {
    int i = get_global_id(0);
    int k = indexes[i];
    if (k >= 0 && k < count)
        out[i] = in[k];
}

kernel void bytes(global char *out, global const short *in, int shift) {
    int i = get_global_id(0);
    out[i] = in[i + shift];
}

kernel void counted(global int *counters, global const int *indexes) {
    atomic_inc(&counters[indexes[get_global_id(0)]]);
}

kernel void of_work_item(global int *out, global const int *indexes) {
    int table[8];
    for (int k = 0; k < 8; k++)
        table[k] = k * 3;
    int i = get_global_id(0);
    table[indexes[i]] += 5;
    int sum = 0;
    for (int k = 0; k < 8; k++)
        sum += table[k];
    out[i] = sum;
}

kernel void of_work_group(global int *out, int shift) {
    local int row[64];
    int i = get_local_id(0);
    row[i + shift] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = row[i];
}

kernel void null_pointer(global int *out, global const int *which) {
    int i = get_global_id(0);
    global int *to = which[i] == 7 ? (global int *)0 : out;
    to[i] = 3;
}

kernel void endless(global int *out, int step) {
    uint x = get_global_id(0);
    do {
        x = x * 1664525u + 1013904223u;
    } while ((x & 1) || step);
    out[get_global_id(0)] = x;
}
