import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const ENTRY = 0x02014b50;

/** The files of a zip archive (stored or deflated, no zip64). @throws RangeError where it is none */
export function unzip(zip: Buffer): readonly { readonly name: string; readonly content: Buffer }[] {
  let end = zip.length - 22;
  while (zip.readUInt32LE(end) !== END) end -= 1;
  const files = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0 && zip.readUInt32LE(at) === ENTRY; left -= 1) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      zip.readUInt16LE(at + offset),
    );
    const name = zip.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
    const header = zip.readUInt32LE(at + 42);
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    const packed = zip.subarray(start, start + zip.readUInt32LE(at + 20));
    files.push({ name, content: zip.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed) });
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return files;
}
