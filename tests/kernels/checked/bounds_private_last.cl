// The last element of a private array.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero' --arg u32=3
kernel void k(global uint *out, uint n) {
  uint list[4] = {1, 2, 3, 4};
  out[get_global_id(0)] = list[n];
}
