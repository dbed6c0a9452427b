//! The registers of the periphery. Reading or writing one has an effect.

/// A register that is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReadPort {
    /// The next word of the uniforms, the same for all lanes.
    Uniform,
    /// The number of the lane, 0 to 15.
    ElementNumber,
    /// The number of the QPU.
    QpuNumber,
    /// The next row of the vertex pipe memory that was set up to be read.
    Vpm,
    /// Waits until the load by DMA is done. The value means nothing.
    DmaLoadWait,
    /// Waits until the store by DMA is done. The value means nothing.
    DmaStoreWait,
    /// Waits for the mutex and takes it. The value means nothing.
    MutexAcquire,
    /// `r4`: the result of the special functions unit, or what a load through the texture unit returned.
    Result,
    /// `r5`: what was written to [`WritePort::Broadcast`].
    Broadcast,
}

/// A register that is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WritePort {
    /// Lane 0 goes to all lanes of `r5`.
    Broadcast,
    /// The address of the next uniform.
    UniformsAddress,
    /// The next row of the vertex pipe memory that was set up to be written.
    Vpm,
    /// The setup of reads of the vertex pipe memory, or of DMA loads.
    VpmReadSetup,
    /// The setup of writes of the vertex pipe memory, or of DMA stores.
    VpmWriteSetup,
    /// Begins a load by DMA from the address of lane 0.
    DmaLoadAddress,
    /// Begins a store by DMA to the address of lane 0.
    DmaStoreAddress,
    /// Gives the mutex back.
    MutexRelease,
    /// Begins a reciprocal.
    Reciprocal,
    /// Begins a reciprocal square root.
    ReciprocalSqrt,
    /// Begins a power of two.
    Exp2,
    /// Begins a logarithm to the base two.
    Log2,
    /// Begins a load of the words at the addresses of all lanes through texture unit 0.
    TmuAddress,
    /// The texture units are swapped for half of the QPUs if it is zero.
    TmuNoSwap,
    /// Tells the host that the program ends.
    HostInterrupt,
}

impl WritePort {
    /// Returns whether the special functions unit begins, whose result is [`ReadPort::Result`].
    pub fn is_special_function(self) -> bool {
        matches!(self, WritePort::Reciprocal | WritePort::ReciprocalSqrt | WritePort::Exp2 | WritePort::Log2)
    }
}
