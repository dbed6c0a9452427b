// A sum of floats with compare-exchange.
// run: --global 8 --local 8 --arg 'out:u32[1]=zero'
kernel void k(global uint *out) {
  uint old = 0, expected;
  do {
    expected = old;
    old = atomic_cmpxchg(out, expected, as_uint(as_float(expected) + 1.0f));
  } while (old != expected);
}
