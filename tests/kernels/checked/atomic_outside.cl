// An atomic operation outside of the buffer.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  atomic_add(out + 8, 1u); // expect: U08
}
