// A PNG as a browser writes it in a quarter of the bytes: 256 colours are enough for text on flat grounds.

import { deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const CHANNELS: Record<number, number> = { 2: 3, 6: 4 }; // of the colour types that a screenshot has

/** The picture in few colours and few bytes; one that is of another form stays as it is. */
export function packed(png: Buffer): Buffer {
  const chunks = chunksOf(png);
  const header = chunks.find((one) => one.name === "IHDR")?.data;
  if (!header || header[8] !== 8) return png;
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const channels = CHANNELS[header[9] as number];
  if (!channels) return png;
  const raw = inflateSync(Buffer.concat(chunks.filter((one) => one.name === "IDAT").map((one) => one.data)));
  const pixels = unfiltered(raw, width * channels, height, channels);
  const found = paletteOf(pixels, channels);
  if (!found) return png;
  const small = Buffer.from(header);
  small[9] = 3; // places in a palette
  const data = deflateSync(plain(found.places, width, height), { level: 9, memLevel: 9 });
  return Buffer.concat([SIGNATURE, chunk("IHDR", small), chunk("PLTE", found.colours), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
}

function chunksOf(png: Buffer): { name: string; data: Buffer }[] {
  const found = [];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const name = png.toString("latin1", at + 4, at + 8);
    if (name === "IHDR" || name === "IDAT") found.push({ name, data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return found;
}

function unfiltered(raw: Buffer, stride: number, height: number, channels: number): Buffer {
  const out = Buffer.alloc(stride * height);
  for (let row = 0; row < height; row += 1) {
    const how = raw[row * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const here = row * stride + x;
      const left = x >= channels ? (out[here - channels] as number) : 0;
      const above = row ? (out[here - stride] as number) : 0;
      const corner = row && x >= channels ? (out[here - stride - channels] as number) : 0;
      const guess = how === 1 ? left : how === 2 ? above : how === 3 ? (left + above) >> 1 : how === 4 ? paeth(left, above, corner) : 0;
      out[here] = (raw[row * (stride + 1) + 1 + x] as number) + guess;
    }
  }
  return out;
}

function paeth(left: number, above: number, corner: number): number {
  const p = left + above - corner;
  const [a, b, c] = [Math.abs(p - left), Math.abs(p - above), Math.abs(p - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

/** Each pixel's place among the colours, where these are few: colours that nearly nobody has go to the nearest that many have. */
function paletteOf(pixels: Buffer, channels: number): { colours: Buffer; places: Buffer } | null {
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += channels) {
    if (channels === 4 && pixels[at + 3] !== 255) return null;
    const colour = pixels.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  // A dot of a bright colour has few pixels and tells much.
  const weight = ([colour, many]: [number, number]) => many * (1 + vividness(colour) / 8);
  const most = [...counts].sort((one, other) => weight(other) - weight(one)).map(([colour]) => colour);
  const chosen = most.slice(0, 256);
  const place = new Map(chosen.map((colour, at) => [colour, at]));
  for (const colour of most.slice(256)) place.set(colour, nearest(colour, chosen));
  const places = Buffer.alloc(pixels.length / channels);
  for (let at = 0; at < places.length; at += 1) places[at] = place.get(pixels.readUIntBE(at * channels, 3)) as number;
  const colours = Buffer.alloc(chosen.length * 3);
  chosen.forEach((colour, at) => colours.writeUIntBE(colour, at * 3, 3));
  return { colours, places };
}

function vividness(colour: number): number {
  const parts = [(colour >> 16) & 255, (colour >> 8) & 255, colour & 255];
  return Math.max(...parts) - Math.min(...parts);
}

function nearest(colour: number, among: number[]): number {
  let best = 0;
  let least = Infinity;
  among.forEach((other, at) => {
    const far = [16, 8, 0].reduce((sum, shift) => sum + (((colour >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
    if (far < least) [best, least] = [at, far];
  });
  return best;
}

function plain(rows: Buffer, stride: number, height: number): Buffer {
  const out = Buffer.alloc((stride + 1) * height);
  for (let row = 0; row < height; row += 1) rows.copy(out, row * (stride + 1) + 1, row * stride, (row + 1) * stride);
  return out;
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

function crc32(data: Buffer): number {
  let crc = ~0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
