// Packs and unpacks calendar entries; bit-fields, signed and unsigned, across units, in global and private memory.
#pragma OPENCL EXTENSION __cl_clang_bitfields : enable
typedef struct {
    uint minute : 6;
    uint hour : 5;
    int zone : 5;
    uint day : 9;
    uint flag : 1;
    uint year : 12;
    int delta : 7;
} Entry;
kernel void bit_fields(global Entry *entries, global int *out, uint amount)
{
    uint gid = get_global_id(0);
    Entry e = entries[gid];
    uint minutes = e.minute % 60 + amount;
    e.minute = minutes % 60;
    uint hours = e.hour % 24 + minutes / 60;
    e.hour = hours % 24;
    if (hours >= 24) {
        e.day++;
        e.flag ^= 1;
    }
    e.delta -= 3;
    e.zone = e.zone / 2;
    entries[gid].delta = e.delta * 2;
    entries[gid].zone += 1;
    entries[gid].hour = e.hour;
    entries[gid].year |= 5;
    out[gid * 2] = e.delta * 1000 + e.zone;
    out[gid * 2 + 1] = (int)(e.minute + e.hour * 100 + e.day * 10000 + (e.flag ? 10000000 : 0)) + (int)e.year;
}
