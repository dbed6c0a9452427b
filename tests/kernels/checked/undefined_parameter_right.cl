// A function writes a variable through a pointer.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
void set(uint *p) { *p = 1; }
kernel void k(global uint *out) {
  uint x;
  set(&x);
  out[get_global_id(0)] = x;
}
