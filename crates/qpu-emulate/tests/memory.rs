//! Regions of memory.

use reconverge_qpu_emulate::{Memory, MemoryError};

#[test]
fn regions_do_not_overlap() {
    let mut memory = Memory::new();
    memory.add(100, vec![1; 20]).unwrap();
    memory.add(80, vec![2; 20]).unwrap();
    memory.add(120, vec![]).unwrap();
    assert_eq!(memory.add(119, vec![0]), Err(MemoryError::Overlap));
    assert_eq!(memory.add(70, vec![0; 11]), Err(MemoryError::Overlap));
    assert_eq!(memory.add(60, vec![0; 100]), Err(MemoryError::Overlap));
    memory.add(u32::MAX - 3, vec![3; 4]).unwrap();
    assert_eq!(memory.add(u32::MAX, vec![0; 2]), Err(MemoryError::BeyondAddressSpace));
}

#[test]
fn accesses_lie_in_one_region() {
    let mut memory = Memory::new();
    memory.add(100, (0..20).collect()).unwrap();
    memory.add(120, vec![9; 4]).unwrap();
    assert_eq!(memory.word(102), Some(0x0504_0302));
    assert_eq!(memory.word(116), Some(0x1312_1110));
    assert_eq!(memory.word(118), None);
    assert_eq!(memory.word(99), None);
    assert_eq!(memory.word(120), Some(0x0909_0909));
    assert_eq!(memory.word(121), None);
    assert_eq!(memory.bytes(118), Some(&[18, 19][..]));
    assert_eq!(memory.bytes(99), None);
    assert_eq!(memory.bytes(200), None);
}
