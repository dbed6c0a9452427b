short narrow(char a, uchar b) { return (short)(a * 3 - b); }
