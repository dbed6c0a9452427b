// Kernels that try to leave their memory.
// clang-22 -O2 -cl-std=CL2.0 --target=spirv64 -Xclang -finclude-default-header -c safe.cl -o safe.spv
kernel void write_at(global int *out, ulong where) {
    *(global int *)where = 5;
    out[0] = 1;
}

kernel void write_each(global int *out, global const ulong *where) {
    *(global int *)where[get_global_id(0)] = 5;
    out[0] = 1;
}

kernel void write_narrow(global char *out, global const ulong *where, ulong shift) {
    *(global char *)(where[get_global_id(0)] + shift) = 5;
    out[0] = 1;
}

kernel void read_each(global int *out, global const ulong *where) {
    out[get_global_id(0)] = *(global const int *)where[get_global_id(0)];
}

kernel void read_narrow(global uchar *out, global const ulong *where) {
    out[get_global_id(0)] = *(global const uchar *)where[get_global_id(0)];
}

kernel void add_at(global int *out, ulong where) {
    out[0] = atomic_add((volatile global int *)where, 1);
}

kernel void add_each(global int *out, global const ulong *where) {
    out[0] = atomic_max((volatile global int *)where[get_global_id(0)], 7);
}

// Computed from the address of the buffer: the distance is that to other memory.
kernel void far(global int *out, long index) {
    out[index] = 5;
}

kernel void far_each(global int *out, global const long *index) {
    out[index[get_global_id(0)]] = 5;
}

kernel void far_row(global int *out, long index) {
    out[index + get_global_id(0)] = 5;
}

kernel void far_gather(global int *out, global const int *index, long base) {
    out[base + index[get_global_id(0)]] = 5;
}

// In steps, so that no step is far.
kernel void walk(global int *out, long step, int count) {
    global int *at = out;
    for (int i = 0; i < count; i++) {
        at += step;
        if (i == count - 1) *at = 5;
    }
}

kernel void chosen(global int *out, ulong where, int which) {
    global int *at = which ? (global int *)where : out;
    *at = 5;
}

// A pointer that another work-item, or the host, wrote to memory.
struct node {
    global struct node *next;
    int value;
};

kernel void follow(global int *out, global struct node *first) {
    first->next->value = 5;
    out[0] = 1;
}

global int *__attribute__((noinline)) moved(global int *from, ulong by) {
    return by > 1000 ? (global int *)((ulong)from ^ by) : from;
}

kernel void returned(global int *out, ulong by) {
    *moved(out, by) = 5;
}

kernel void ids(global int *out) {
    out[get_global_id(0)] = 1 + (int)get_global_id(0);
}

kernel void sizes(global int *out, local int *scratch) {
    size_t item = get_local_id(0);
    scratch[item] = (int)item;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = scratch[get_local_size(0) - 1 - item];
}

// Of the lanes of a pack, all but the last are before the array.
kernel void backwards(global int *out, int shift, int value) {
    local int scratch[64];
    int item = get_local_id(0);
    scratch[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    scratch[shift - item] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = scratch[item];
}

kernel void forwards(global int *out, int shift, int value) {
    local int scratch[64];
    int item = get_local_id(0);
    scratch[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    scratch[shift + 7 * item] = value;
    atomic_add(&scratch[3 * shift - 5 * item], value);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = scratch[item];
}

kernel void own(global int *out, int shift, int value) {
    int scratch[40];
    for (int i = 0; i < 40; i++) scratch[i] = i;
    int item = get_local_id(0);
    scratch[shift + item] = value;
    scratch[shift] += value;
    scratch[2 * shift - 3 * item] ^= value;
    int sum = 0;
    for (int i = 0; i < 40; i++) sum += scratch[i];
    out[get_global_id(0)] = sum;
}

constant int table[5] = {1, 2, 3, 4, 5};

kernel void looked_up(global int *out, int shift) {
    out[get_global_id(0)] = table[shift + (int)get_local_id(0)];
}
