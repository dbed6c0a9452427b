//! Literals: words and strings.
//!
//! A literal is an instruction like every other and the only kind with a payload. Equal literals are one instruction. A string is stored in
//! SPIR-V's own packing (section 2.2.1): UTF-8 in little-endian words, ended by at least one zero byte.

/// The words of a string literal.
pub fn text_words(text: &[u8]) -> Vec<u32> {
    let mut bytes = text.to_vec();
    bytes.push(0);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

/// The bytes of a string literal, up to its first zero.
pub fn text_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).take_while(|&byte| byte != 0).collect()
}
