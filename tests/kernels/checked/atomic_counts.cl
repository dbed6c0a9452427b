// Many atomic operations on one word.
// run: --global 32 --local 8 --arg 'out:u32[4]=zero'
kernel void k(global uint *out) {
  atomic_inc(out);
  atomic_max(out + 1, (uint)get_global_id(0));
  atomic_or(out + 2, 1u << get_global_id(0));
  atomic_xor(out + 3, (uint)get_global_id(0));
}
