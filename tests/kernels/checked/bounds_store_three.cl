// vstore3 writes three elements, no fourth.
// run: --global 4 --local 4 --arg 'out:u32[12]=zero'
kernel void k(global uint *out) {
  vstore3((uint3)(1, 2, 3), get_global_id(0), out);
}
