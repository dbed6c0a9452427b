int widen(short s) { return s * 5 - 1; }
