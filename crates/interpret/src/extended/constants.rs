//! Constants as wide numbers, computed with 3000 bits and rounded.

use super::wide::Wide;

/// ln 2.
pub(super) const LN_2: Wide = Wide::from_bits(0x3fe6_2e42_fefa_39ef, 0x3c7a_bc9e_3b39_803f);

/// ln 10.
pub(super) const LN_10: Wide = Wide::from_bits(0x4002_6bb1_bbb5_5516, 0xbcaf_48ad_494e_a3e9);

/// 1 / ln 2.
pub(super) const LOG2_E: Wide = Wide::from_bits(0x3ff7_1547_652b_82fe, 0x3c77_77d0_ffda_0d24);

/// 1 / ln 10.
pub(super) const LOG10_E: Wide = Wide::from_bits(0x3fdb_cb7b_1526_e50e, 0x3c69_5355_baaa_fad3);

/// π.
pub(super) const PI: Wide = Wide::from_bits(0x4009_21fb_5444_2d18, 0x3ca1_a626_3314_5c07);

/// π / 2.
pub(super) const PI_OVER_2: Wide = Wide::from_bits(0x3ff9_21fb_5444_2d18, 0x3c91_a626_3314_5c07);

/// 1 / π.
pub(super) const ONE_OVER_PI: Wide = Wide::from_bits(0x3fd4_5f30_6dc9_c883, 0xbc76_b01e_c541_7056);

/// 2 / √π.
pub(super) const TWO_OVER_ROOT_PI: Wide = Wide::from_bits(0x3ff2_0dd7_5042_9b6d, 0x3c71_ae3a_914f_ed80);

/// 1 / √π.
pub(super) const ONE_OVER_ROOT_PI: Wide = Wide::from_bits(0x3fe2_0dd7_5042_9b6d, 0x3c61_ae3a_914f_ed80);

/// ½ ln 2π.
pub(super) const HALF_LN_TWO_PI: Wide = Wide::from_bits(0x3fed_67f1_c864_beb5, 0xbc86_5b5a_1b7f_f5df);

/// 180 / π.
pub(super) const DEGREES_PER_RADIAN: Wide = Wide::from_bits(0x404c_a5dc_1a63_c1f8, 0xbce1_e7ab_4564_05f9);

/// π / 180.
pub(super) const RADIANS_PER_DEGREE: Wide = Wide::from_bits(0x3f91_df46_a252_9d39, 0x3c15_c1d8_becd_d291);

/// The coefficients of ln Γ(2 + z) by powers of z from the first on: 1 − γ, then (−1)^k (ζ(k) − 1) / k.
pub(super) const LN_GAMMA_AT_2: [Wide; 60] = [
    Wide::from_bits(0x3fdb_0ee6_0720_93ce, 0x3c56_cb90_701f_bfab),
    Wide::from_bits(0x3fd4_a34c_c4a6_0fa6, 0x3c71_873d_8912_200c),
    Wide::from_bits(0xbfb1_3e00_1a55_7607, 0x3c5f_b68b_e2f8_821f),
    Wide::from_bits(0x3f95_1322_ac7d_8483, 0x3c3a_fc89_088c_b729),
    Wide::from_bits(0xbf7e_404f_c218_f5f2, 0x3c1e_4a62_7cf1_eb34),
    Wide::from_bits(0x3f67_add6_eadb_6c30, 0xbbf5_b782_8c7f_d7f4),
    Wide::from_bits(0xbf53_8ac5_c2bf_8e08, 0x3be8_a4c1_cfd9_cec8),
    Wide::from_bits(0x3f40_b36a_f863_96e9, 0xbbe0_698d_6c89_2967),
    Wide::from_bits(0xbf2d_3fd4_c76d_2fc8, 0x3bbc_7c55_cfcc_bb83),
    Wide::from_bits(0x3f1a_127b_0f17_d65a, 0x3ba9_d309_aa70_0268),
    Wide::from_bits(0xbf07_8de5_bd7c_81ef, 0x3b7a_2054_1cde_47a6),
    Wide::from_bits(0x3ef5_80dc_ee66_eb02, 0x3b82_6057_4b25_8f72),
    Wide::from_bits(0xbee3_cbc9_63ce_2243, 0x3b8e_a56e_6c7d_5329),
    Wide::from_bits(0x3ed2_597a_39f3_4aac, 0xbb7b_f911_462a_7d81),
    Wide::from_bits(0xbec1_1b2e_b767_9541, 0xbb4c_76b0_e65a_c63a),
    Wide::from_bits(0x3eb0_064c_deb2_2f0f, 0x3b4d_0156_affd_bc11),
    Wide::from_bits(0xbe9e_2600_d93c_fd2f, 0x3b31_30ac_39e5_c106),
    Wide::from_bits(0x3e8c_76bb_b3f0_7a4d, 0x3b2d_9a2b_7776_9b52),
    Wide::from_bits(0xbe7a_f5a6_cbbf_8a97, 0xbb19_5f22_7e96_d83e),
    Wide::from_bits(0x3e69_9b93_c207_0b0f, 0x3b00_3271_6473_6428),
    Wide::from_bits(0xbe58_62c7_34df_3eac, 0xbafb_3280_2bec_0da0),
    Wide::from_bits(0x3e47_469d_accf_adcd, 0xbae3_69d3_88ce_baa9),
    Wide::from_bits(0xbe36_434a_8447_aead, 0xba8a_f72e_df87_6fcd),
    Wide::from_bits(0x3e25_55a8_77ff_d2c3, 0xbac8_7506_5f26_a43b),
    Wide::from_bits(0xbe14_7b16_7925_8d0e, 0xbab0_4f36_e0e8_54e4),
    Wide::from_bits(0x3e03_b15d_2b2f_c10c, 0xba9d_79f6_feee_b28b),
    Wide::from_bits(0xbdf2_f69a_9fab_e3e0, 0x3a9a_162a_b374_c789),
    Wide::from_bits(0x3de2_4932_a337_434c, 0x3a80_6082_9c24_508f),
    Wide::from_bits(0xbdd1_a7c2_6ec2_523c, 0xba74_f4eb_db4a_04b5),
    Wide::from_bits(0x3dc1_1116_e693_ed98, 0xba6c_7034_d49e_7fc7),
    Wide::from_bits(0xbdb0_8424_cbc5_43d8, 0xba44_0ef8_20db_c9ea),
    Wide::from_bits(0x3da0_0002_6e3f_644f, 0x3a43_546a_6054_c889),
    Wide::from_bits(0xbd8f_07c5_14fc_9f0a, 0xb9f7_5b6b_e545_ac09),
    Wide::from_bits(0x3d7e_1e20_26aa_fcd8, 0xba16_2a85_8653_8620),
    Wide::from_bits(0xbd6d_41d5_6e5e_e2e2, 0x39f4_3894_d27c_ed5e),
    Wide::from_bits(0x3d5c_71c7_f6f1_0e37, 0xb9f0_1074_764d_33f2),
    Wide::from_bits(0xbd4b_acf9_a27b_c89b, 0x39d4_a5a2_15e0_508e),
    Wide::from_bits(0x3d3a_f287_18a1_0d6e, 0x39c4_0d7f_1b84_2cb8),
    Wide::from_bits(0xbd2a_41a4_5603_e5b6, 0x39c6_2be9_cf21_2d90),
    Wide::from_bits(0x3d19_9999_c071_6ee9, 0xb9b3_9e10_f904_35bb),
    Wide::from_bits(0xbd08_f9c1_a8df_9d78, 0x3989_da56_d447_1920),
    Wide::from_bits(0x3cf8_6186_28d2_8905, 0xb989_d7d4_ee5a_8873),
    Wide::from_bits(0xbce7_d05f_4c31_c560, 0xb987_1bba_0b7c_c338),
    Wide::from_bits(0x3cd7_45d1_7b56_ba4a, 0x3979_d38b_c00d_70a3),
    Wide::from_bits(0xbcc6_c16c_1b4d_6456, 0xb96a_ed17_2e5c_90f6),
    Wide::from_bits(0x3cb6_42c8_5c02_3d9d, 0xb95d_e052_190d_7af6),
    Wide::from_bits(0xbca5_c988_2d82_5e9d, 0x3949_723f_1bf2_40bf),
    Wide::from_bits(0x3c95_5555_5698_a866, 0x392c_f5c8_6497_50a4),
    Wide::from_bits(0xbc84_e5e0_a802_2bc9, 0x3912_8b9d_c88f_5b02),
    Wide::from_bits(0x3c74_7ae1_4838_081f, 0xb91d_f461_3064_2634),
    Wide::from_bits(0xbc64_1414_146e_3e31, 0xb8fe_4773_ea13_0b4a),
    Wide::from_bits(0x3c53_b13b_13ec_2f3a, 0x38c4_1c5b_07ad_14b9),
    Wide::from_bits(0xbc43_521c_fb52_0859, 0xb8e2_25b1_0aa3_cbb1),
    Wide::from_bits(0x3c32_f684_bdba_6a99, 0x38c1_6d56_185a_5f46),
    Wide::from_bits(0xbc22_9e41_29f4_9674, 0x38c3_1ef0_9617_8691),
    Wide::from_bits(0x3c12_4924_9253_f4cc, 0xb8b1_174f_0934_ca7b),
    Wide::from_bits(0xbc01_f704_7dc8_348b, 0xb8aa_9b66_238f_6e9b),
    Wide::from_bits(0x3bf1_a7b9_611f_1f7c, 0xb892_fb4a_702f_db04),
    Wide::from_bits(0xbbe1_5b1e_5f78_318f, 0xb880_aadc_2fea_d6bf),
    Wide::from_bits(0x3bd1_1111_1113_0f6c, 0x3861_688c_be37_62f8),
];

/// Stirling's series: B₂ₖ / (2k (2k − 1)).
pub(super) const STIRLING: [Wide; 16] = [
    Wide::from_bits(0x3fb5_5555_5555_5555, 0x3c55_5555_5555_5555),
    Wide::from_bits(0xbf66_c16c_16c1_6c17, 0x3bff_49f4_9f49_f49f),
    Wide::from_bits(0x3f4a_01a0_1a01_a01a, 0x3b8a_01a0_1a01_a01a),
    Wide::from_bits(0xbf43_8138_1381_3814, 0x3bef_b1fb_1fb1_fb20),
    Wide::from_bits(0x3f4b_951e_2b18_ff23, 0x3be5_c3a9_ce01_b952),
    Wide::from_bits(0xbf5f_6ab0_d999_3c7d, 0x3bff_8255_3c99_9b0e),
    Wide::from_bits(0x3f7a_41a4_1a41_a41a, 0x3c10_6906_9069_0690),
    Wide::from_bits(0xbf9e_4286_cb0f_5398, 0x3c21_efcd_ab89_6745),
    Wide::from_bits(0x3fc6_fe96_381e_0680, 0xbc27_9e24_05a7_1f88),
    Wide::from_bits(0xbff6_4767_0118_1f3a, 0x3c72_4246_319d_a678),
    Wide::from_bits(0x402a_ce44_322c_e006, 0xbcc6_2c2b_1bbc_dd32),
    Wide::from_bits(0xc063_9b25_25cc_cc1b, 0x3d05_2604_768a_30fc),
    Wide::from_bits(0x40a1_2234_e81b_4e82, 0xbd42_c5f9_2c5f_92c6),
    Wide::from_bits(0xc0e1_a198_ae1c_4ab8, 0x3d64_c012_227b_696e),
    Wide::from_bits(0x4125_1a20_89a6_e11a, 0x3dbc_219e_e4fd_c447),
    Wide::from_bits(0xc16d_1089_b142_d357, 0xbe0e_2030_b4d5_de20),
];

/// The fractional bits of 2 / π, 64 in each word, after one word of zeros.
pub(super) const TWO_OVER_PI: [u64; 21] = [
    0,
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
    0xf0cf_bc20_9af4_361d,
];
