/** RFC 6979, appendix A.2.5: ECDSA on P-256 with SHA-256, deterministic nonces. */
export const rfc6979 = {
  scalar: 'c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721',
  x: '60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6',
  y: '7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299',
  signatures: [
    {
      message: 'sample',
      r: 'efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716',
      s: 'f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8',
    },
    {
      message: 'test',
      r: 'f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367',
      s: '019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083',
    },
  ],
} as const;

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

/** WebAuthn Level 3, section 16 "Test Vectors": attestation `none` with ES256. Hexadecimal, relying party example.org. */
export const webauthn = {
  origin: 'https://example.org',
  rpId: 'example.org',
  scalar: '6e68e7a58484a3264f66b77f5d6dc5bc36a47085b615c9727ab334e8c369c2ee',
  aaguid: '8446ccb9ab1db374750b2367ff6f3a1f',
  credentialId: 'f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4',
  /** The registration's client data carries this member, as the standard allows. */
  extraData:
    'clientDataJSON may be extended with additional fields in the future, such as this: BkQeDjdcTBrXBiAwJTLE5Q',
  registration: {
    challenge: '00c30fb78531c464d2b6771dab8d7b603c01162f2fa486bea70f283ae556e130',
    clientDataJson:
      '7b2274797065223a22776562617574686e2e637265617465222c226368616c6c656e6765223a22414d4d507434557878475453746e63647134313759447742466938767049612d7077386f4f755657345441222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73652c22657874726144617461223a22636c69656e74446174614a534f4e206d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c207375636820617320746869733a20426b5165446a646354427258426941774a544c453551227d',
    attestationObject:
      'a363666d74646e6f6e656761747453746d74a068617574684461746158a4bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b559000000008446ccb9ab1db374750b2367ff6f3a1f0020f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4a5010203262001215820afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61225820930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220',
  },
  assertion: {
    challenge: '39c0e7521417ba54d43e8dc95174f423dee9bf3cd804ff6d65c857c9abf4d408',
    authenticatorData: 'bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b51900000000',
    clientDataJson:
      '7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a224f63446e55685158756c5455506f334a5558543049393770767a7a59425039745a63685879617630314167222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73657d',
    signature:
      '3046022100f50a4e2e4409249c4a853ba361282f09841df4dd4547a13a87780218deffcd380221008480ac0f0b93538174f575bf11a1dd5d78c6e486013f937295ea13653e331e87',
  },
} as const;

/**
 * A selection from Project Wycheproof (Apache-2.0), github.com/C2SP/wycheproof,
 * testvectors_v1/ecdsa_secp256r1_sha256_test.json: ECDSA on P-256 with SHA-256, DER signatures.
 * `id` is the file's tcId; messages, keys and signatures are hexadecimal.
 */
export interface WycheproofCase {
  id: number;
  says: string;
  message: string;
  signature: string;
  valid: boolean;
}

export interface WycheproofGroup {
  publicKey: string;
  cases: readonly WycheproofCase[];
}

const valid = (id: number, says: string, message: string, signature: string): WycheproofCase => ({
  id,
  says,
  message,
  signature,
  valid: true,
});
const invalid = (id: number, says: string, signature: string): WycheproofCase => ({
  id,
  says,
  message: '313233343030',
  signature,
  valid: false,
});

const R = '2ba3a8be6b94d5ec80a6d9d1190a436effe50d85a1eee859b8cc6af9bd5c2e18';
const S = '00b329f479a2bbd0a5c384ee1493b1f5186a87139cac5df4087c134b49156847db';

export const wycheproof: readonly WycheproofGroup[] = [
  {
    publicKey:
      '0404aaec73635726f213fb8a9e64da3b8632e41495a944d0045b522eba7240fad587d9315798aaa3a5ba01775787ced05eaaf7b4e09fc81d6d1aa546e8365d525d',
    cases: [
      valid(
        1,
        'empty message',
        '',
        '3045022100b292a619339f6e567a305c951c0dcbcc42d16e47f219f9e98e76e09d8770b34a02200177e60492c5a8242f76f07bfe3661bde59ec2a17ce5bd2dab2abebdf89a62e2',
      ),
      valid(
        2,
        'high s',
        '4d7367',
        '30450220530bd6b0c9af2d69ba897f6b5fb59695cfbf33afe66dbadcf5b8d2a2a6538e23022100d85e489cb7a161fd55ededcedbf4cc0c0987e3e3f0f242cae934c72caa3f43e9',
      ),
      valid(
        3,
        'both integers with a leading zero',
        '313233343030',
        '3046022100a8ea150cb80125d7381c4c1f1da8e9de2711f9917060406a73d7904519e51388022100f3ab9fa68bd47973a73b2d40480c2ba50c22c9d76ec217257288293285449b86',
      ),
      valid(
        4,
        'message of zeros',
        '0000000000000000000000000000000000000000',
        '3045022100986e65933ef2ed4ee5aada139f52b70539aaf63f00a91f29c69178490d57fb7102203dafedfb8da6189d372308cbf1489bbbdabf0c0217d1c0ff0f701aaa7a694b9c',
      ),
    ],
  },
  {
    publicKey:
      '042927b10512bae3eddcfe467828128bad2903269919f7086069c8c4df6c732838c7787964eaac00e5921fb1498a60f4606766b3d9685001558d1a974e7341513e',
    cases: [
      valid(
        5,
        'signature malleability',
        '313233343030',
        `30440220${R}02204cd60b855d442f5b3c7b11eb6c4e0ae7525fe710fab9aa7c77a67f79e6fadd76`,
      ),
      invalid(
        6,
        'encoding of s misses its leading zero',
        `30440220${R}0220b329f479a2bbd0a5c384ee1493b1f5186a87139cac5df4087c134b49156847db`,
      ),
      valid(7, 'valid', '313233343030', `30450220${R}0221${S}`),
      invalid(8, 'length of the sequence in long form', `3081450220${R}0221${S}`),
      invalid(9, 'length of the sequence with a leading zero', `308200450220${R}0221${S}`),
      invalid(10, 'length of the sequence one too many', `30460220${R}0221${S}`),
      invalid(11, 'length of the sequence one too few', `30440220${R}0221${S}`),
      invalid(12, 'uint32 overflow in the length of the sequence', `308501000000450220${R}0221${S}`),
      invalid(14, 'length of the sequence 2**31 - 1', `30847fffffff0220${R}0221${S}`),
      invalid(107, 'leading ff in r', `30460221ff${R}0221${S}`),
      invalid(108, 'r replaced by infinity', `30260901800221${S}`),
      invalid(109, 'r replaced by zero', `30260201000221${S}`),
      invalid(110, 'flipped bit in s', `30430220${R}${S.slice(0, -1)}a`),
      invalid(114, 'length of s in long form', `30460220${R}028121${S}`),
      invalid(115, 'length of s with a leading zero', `30470220${R}02820021${S}`),
      invalid(116, 'length of s one too many', `30450220${R}0222${S}`),
      invalid(117, 'length of s one too few', `30450220${R}0220${S}`),
      invalid(126, 'indefinite length without an end', `30450220${R}0280${S}`),
      invalid(285, 'r and s are lists', '300a30030201003003020100'),
      invalid(286, 'r is 0.25', '3008090380fe01020100'),
      invalid(287, 'r is not a number', '3006090142020100'),
      invalid(288, 'r is true', '3006010101020100'),
      invalid(290, 'r is null', '30050500020100'),
      invalid(292, 'r is the text 0', '30060c0130020100'),
      valid(
        295,
        "edge case for Shamir's multiplication",
        '3639383139',
        '3044022064a1aab5000d0e804f3e2fc02bdee9be8ff312334e2ba16d11547c97711c898e02206af015971cc30be6d1a206d4e013e0997772a2f91d73286ffd683b9bb2cf4f1b',
      ),
      valid(
        296,
        'special case hash',
        '343236343739373234',
        '3044022016aea964a2f6506d6f78c81c91fc7e8bded7d397738448de1e19a0ec580bf2660220252cd762130c6667cfe8b7bc47d27d78391e8e80c578d1cd38c3ff033be928e9',
      ),
      valid(
        299,
        'special case hash, both integers with a leading zero',
        '33393439343031323135',
        '3046022100bfab3098252847b328fadf2f89b95c851a7f0eb390763378f37e90119d5ba3dd022100bdd64e234e832b1067c2d058ccb44d978195ccebb65c2aaf1e2da9b8b4987e3b',
      ),
    ],
  },
  {
    publicKey:
      '042829c31faa2e400e344ed94bca3fcd0545956ebcfe8ad0f6dfa5ff8effffffffa01aafaf000e52585855afa7676ade284113099052df57e7eb3bd37ebeb9222e',
    cases: [
      valid(
        459,
        "x of the key ends in 1's",
        '4d657373616765',
        '304602210096843dd03c22abd2f3b782b170239f90f277921becc117d0404a8e4e36230c28022100f2be378f526f74a543f67165976de9ed9a31214eb4d7e6db19e1ede123dd991d',
      ),
    ],
  },
  {
    publicKey:
      '0400000003fa15f963949d5f03a6f5c7f86f9e0015eeb23aebbff1173937ba748e1099872070e8e87c555fa13659cca5d7fadcfcb0023ea889548ca48af2ba7e71',
    cases: [
      valid(
        464,
        'x of the key is small',
        '4d657373616765',
        '304402206b01332ddb6edfa9a30a1321d5858e1ee3cf97e263e669f8de5e9652e76ff3f702205939545fced457309a6a04ace2bd0f70139c8f7d86b02cb1cc58f9e69e96cd5a',
      ),
    ],
  },
  {
    publicKey:
      '04bcbb2914c79f045eaa6ecbbc612816b3be5d2d6796707d8125e9f851c18af015fffffffeecad44b6f05d15b33146549c2297b522a5eed8430cff596758e6c43d',
    cases: [
      valid(
        469,
        'y of the key is large',
        '4d657373616765',
        '3046022100d7d70c581ae9e3f66dc6a480bf037ae23f8a1e4a2136fe4b03aa69f0ca25b35602210089c460f8a5a5c2bbba962c8a3ee833a413e85658e62a59e2af41d9127cc47224',
      ),
    ],
  },
];
