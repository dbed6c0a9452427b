// An access past an array that is a member of a struct, into the next member.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero' --arg u32=4
struct item { uint values[4], next; };
kernel void k(global uint *out, uint n) {
  struct item it;
  for (uint i = 0; i < 4; ++i) it.values[i] = i;
  it.next = 9;
  out[get_global_id(0)] = it.values[n] + it.next; // expect: U08
}
