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
