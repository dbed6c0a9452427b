// An array that is a member of a struct, and a pointer to its end.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
struct item { uint values[4], next; };
kernel void k(global uint *out) {
  struct item it;
  uint sum = 0;
  for (uint i = 0; i < 4; ++i) it.values[i] = i;
  it.next = 9;
  for (uint *p = it.values; p != &it.values[4]; ++p) sum += *p;
  out[get_global_id(0)] = sum + it.next;
}
