//! Formats of the texels of images: which channels there are, and how each is stored (OpenCL 3.0, section 5.3.1.1).

/// The format of an image.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ImageFormat {
    /// The channels.
    pub order: ChannelOrder,
    /// How a channel is stored.
    pub data_type: ChannelType,
}

/// The channels of a texel, in memory order. The values are those of OpenCL (`cl_channel_order`), which `get_image_channel_order` returns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u32)]
pub enum ChannelOrder {
    /// Red.
    R = 0x10b0,
    /// Alpha.
    A = 0x10b1,
    /// Red, green.
    Rg = 0x10b2,
    /// Red, alpha.
    Ra = 0x10b3,
    /// Red, green, blue: packed types alone.
    Rgb = 0x10b4,
    /// Red, green, blue, alpha.
    Rgba = 0x10b5,
    /// Blue, green, red, alpha.
    Bgra = 0x10b6,
    /// Alpha, red, green, blue.
    Argb = 0x10b7,
    /// One number for all four channels.
    Intensity = 0x10b8,
    /// One number for red, green and blue.
    Luminance = 0x10b9,
    /// Red; outside of the image, alpha is 0.
    Rx = 0x10ba,
    /// Red, green; outside of the image, alpha is 0.
    Rgx = 0x10bb,
    /// Red, green, blue; outside of the image, alpha is 0: packed types alone.
    Rgbx = 0x10bc,
    /// A depth.
    Depth = 0x10bd,
    /// Red, green, blue and a byte without meaning, with the transfer function of sRGB.
    Srgbx = 0x10c0,
    /// Red, green, blue, alpha, with the transfer function of sRGB.
    Srgba = 0x10c1,
    /// Blue, green, red, alpha, with the transfer function of sRGB.
    Sbgra = 0x10c2,
    /// Alpha, blue, green, red.
    Abgr = 0x10c3,
}

/// The storage of a channel. The values are those of OpenCL (`cl_channel_type`), which `get_image_channel_data_type` returns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u32)]
pub enum ChannelType {
    /// 8 bits for −1 to 1.
    Snorm8 = 0x10d0,
    /// 16 bits for −1 to 1.
    Snorm16 = 0x10d1,
    /// 8 bits for 0 to 1.
    Unorm8 = 0x10d2,
    /// 16 bits for 0 to 1.
    Unorm16 = 0x10d3,
    /// Red, green, blue in 5, 6, 5 bits of 16, red in the highest.
    Unorm565 = 0x10d4,
    /// Red, green, blue in 5 bits each of 16, the highest unused.
    Unorm555 = 0x10d5,
    /// Red, green, blue in 10 bits each of 32, the two highest unused.
    Unorm101010 = 0x10d6,
    /// Signed integers of 8 bits.
    Sint8 = 0x10d7,
    /// Signed integers of 16 bits.
    Sint16 = 0x10d8,
    /// Integers of 32 bits.
    Sint32 = 0x10d9,
    /// Unsigned integers of 8 bits.
    Uint8 = 0x10da,
    /// Unsigned integers of 16 bits.
    Uint16 = 0x10db,
    /// Unsigned integers of 32 bits.
    Uint32 = 0x10dc,
    /// Half precision.
    Half = 0x10dd,
    /// Single precision.
    Float = 0x10de,
}

impl ImageFormat {
    /// Bytes of a texel; `None` if there is no such format.
    pub fn texel_size(self) -> Option<u32> {
        use ChannelOrder as Order;
        use ChannelType as Type;
        let channels = self.order.channels();
        let is_packed_order = matches!(self.order, Order::Rgb | Order::Rgbx);
        let bytes = self.data_type.bytes();
        let is_allowed = match self.data_type {
            Type::Unorm565 | Type::Unorm555 | Type::Unorm101010 => return is_packed_order.then_some(bytes),
            _ if is_packed_order => false,
            kind => match self.order {
                Order::Bgra | Order::Argb | Order::Abgr => {
                    matches!(kind, Type::Unorm8 | Type::Snorm8 | Type::Sint8 | Type::Uint8)
                }
                Order::Intensity | Order::Luminance => kind.is_normalized() || matches!(kind, Type::Half | Type::Float),
                Order::Depth => matches!(kind, Type::Unorm16 | Type::Float),
                Order::Srgbx | Order::Srgba | Order::Sbgra => kind == Type::Unorm8,
                _ => true,
            },
        };
        is_allowed.then_some(bytes * channels)
    }

    /// The format of two numbers of OpenCL, if there is one.
    pub fn from_codes(order: u32, data_type: u32) -> Option<ImageFormat> {
        let order = ChannelOrder::ALL.into_iter().find(|&known| known as u32 == order)?;
        let data_type = ChannelType::ALL.into_iter().find(|&known| known as u32 == data_type)?;
        Some(ImageFormat { order, data_type }).filter(|format| format.texel_size().is_some())
    }

    /// All formats.
    pub fn all() -> impl Iterator<Item = ImageFormat> {
        let pairs = ChannelOrder::ALL
            .into_iter()
            .flat_map(|order| ChannelType::ALL.into_iter().map(move |data_type| ImageFormat { order, data_type }));
        pairs.filter(|format| format.texel_size().is_some())
    }
}

impl ChannelOrder {
    /// The least number: SPIR-V counts orders from 0, in the same sequence.
    pub const FIRST: u32 = ChannelOrder::R as u32;

    /// All of them.
    pub const ALL: [ChannelOrder; 18] = [
        ChannelOrder::R,
        ChannelOrder::A,
        ChannelOrder::Rg,
        ChannelOrder::Ra,
        ChannelOrder::Rgb,
        ChannelOrder::Rgba,
        ChannelOrder::Bgra,
        ChannelOrder::Argb,
        ChannelOrder::Intensity,
        ChannelOrder::Luminance,
        ChannelOrder::Rx,
        ChannelOrder::Rgx,
        ChannelOrder::Rgbx,
        ChannelOrder::Depth,
        ChannelOrder::Srgbx,
        ChannelOrder::Srgba,
        ChannelOrder::Sbgra,
        ChannelOrder::Abgr,
    ];

    /// The channels in memory, for types that are not packed.
    pub const fn channels(self) -> u32 {
        match self {
            ChannelOrder::R
            | ChannelOrder::A
            | ChannelOrder::Intensity
            | ChannelOrder::Luminance
            | ChannelOrder::Rx
            | ChannelOrder::Depth => 1,
            ChannelOrder::Rg | ChannelOrder::Ra | ChannelOrder::Rgx => 2,
            ChannelOrder::Rgb | ChannelOrder::Rgbx => 3,
            _ => 4,
        }
    }
}

impl ChannelType {
    /// The least number: SPIR-V counts types from 0, in the same sequence.
    pub const FIRST: u32 = ChannelType::Snorm8 as u32;

    /// All of them.
    pub const ALL: [ChannelType; 15] = [
        ChannelType::Snorm8,
        ChannelType::Snorm16,
        ChannelType::Unorm8,
        ChannelType::Unorm16,
        ChannelType::Unorm565,
        ChannelType::Unorm555,
        ChannelType::Unorm101010,
        ChannelType::Sint8,
        ChannelType::Sint16,
        ChannelType::Sint32,
        ChannelType::Uint8,
        ChannelType::Uint16,
        ChannelType::Uint32,
        ChannelType::Half,
        ChannelType::Float,
    ];

    /// The bytes of a channel, or of the texel if it is packed.
    pub const fn bytes(self) -> u32 {
        match self {
            ChannelType::Snorm8 | ChannelType::Unorm8 | ChannelType::Sint8 | ChannelType::Uint8 => 1,
            ChannelType::Snorm16
            | ChannelType::Unorm16
            | ChannelType::Sint16
            | ChannelType::Uint16
            | ChannelType::Half
            | ChannelType::Unorm565
            | ChannelType::Unorm555 => 2,
            _ => 4,
        }
    }

    /// Returns whether all channels share one number.
    pub const fn is_packed(self) -> bool {
        matches!(self, ChannelType::Unorm565 | ChannelType::Unorm555 | ChannelType::Unorm101010)
    }

    /// Returns whether a channel is an integer that stands for a fraction.
    pub const fn is_normalized(self) -> bool {
        matches!(self, ChannelType::Snorm8 | ChannelType::Snorm16 | ChannelType::Unorm8 | ChannelType::Unorm16)
    }

    /// Returns whether kernels read and write it as integers.
    pub const fn is_integer(self) -> bool {
        matches!(
            self,
            ChannelType::Sint8
                | ChannelType::Sint16
                | ChannelType::Sint32
                | ChannelType::Uint8
                | ChannelType::Uint16
                | ChannelType::Uint32
        )
    }
}
