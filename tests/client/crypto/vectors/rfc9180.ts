/**
 * RFC 9180 test vectors, mode base, DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, first encryption (sequence number 0).
 * AES-128-GCM: appendix A.3.1. AES-256-GCM: not printed in the RFC, but part of its published vector file
 * (github.com/cfrg/draft-irtf-cfrg-hpke, test-vectors.json); keys as in Go's src/crypto/hpke/testdata/rfc9180.json,
 * ciphertext as in Tink's HPKE test vectors, which agree on the seed and the recipient's key.
 */
const info = '4f6465206f6e2061204772656369616e2055726e';
const plaintext = '4265617574792069732074727574682c20747275746820626561757479';
const aad = '436f756e742d30';

export const rfc9180 = {
  aes128Gcm: {
    info,
    plaintext,
    aad,
    ephemeralSeed: '4270e54ffd08d79d5928020af4686d8f6b7d35dbe470265f1f5aa22816ce860e',
    recipientScalar: 'f3ce7fdae57e1a310d87f1ebbde6f328be0a99cdbcadf4d6589cf29de4b8ffd2',
    recipientPublic:
      '04fe8c19ce0905191ebc298a9245792531f26f0cece2460639e8bc39cb7f706a826a779b4cf969b8a0e539c7f62fb3d30ad6aa8f80e30f1d128aafd68a2ce72ea0',
    enc: '04a92719c6195d5085104f469a8b9814d5838ff72b60501e2c4466e5e67b325ac98536d7b61a1af4b78e5b7f951c0900be863c403ce65c9bfcb9382657222d18c4',
    ciphertext: '5ad590bb8baa577f8619db35a36311226a896e7342a6d836d8b7bcd2f20b6c7f9076ac232e3ab2523f39513434',
  },
  aes256Gcm: {
    info,
    plaintext,
    aad,
    ephemeralSeed: 'a90d3417c3da9cb6c6ae19b4b5dd6cc9529a4cc24efb7ae0ace1f31887a8cd6c',
    recipientScalar: '317f915db7bc629c48fe765587897e01e282d3e8445f79f27f65d031a88082b2',
    recipientPublic:
      '04abc7e49a4c6b3566d77d0304addc6ed0e98512ffccf505e6a8e3eb25c685136f853148544876de76c0f2ef99cdc3a05ccf5ded7860c7c021238f9e2073d2356c',
    enc: '04c06b4f6bebc7bb495cb797ab753f911aff80aefb86fd8b6fcc35525f3ab5f03e0b21bd31a86c6048af3cb2d98e0d3bf01da5cc4c39ff5370d331a4f1f7d5a4e0',
    ciphertext: '58c61a45059d0c5704560e9d88b564a8b63f1364b8d1fcb3c4c6ddc1d291742465e902cd216f8908da49f8f96f',
  },
} as const;
