// An atomic operation on the null pointer.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero' --arg u32=0
kernel void k(global uint *out, uint n) {
  volatile global uint *p = n ? out : 0;
  atomic_inc(p); // expect: U07
}
