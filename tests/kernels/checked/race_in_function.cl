// The two accesses are in a function.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
void put(global uint *place, uint value) {
  *place = value; // expect: run-race
}
kernel void k(global uint *out) {
  put(out + get_global_id(0) / 2, get_global_id(0));
}
