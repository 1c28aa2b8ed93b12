/** The content of a file in a message: its octets without their transfer encoding. `sevenbit explain` has no module to ask. */

/** The octets, or nothing if the encoding is another one. */
export function contentOf(body: Uint8Array, encoding: string): Uint8Array<ArrayBuffer> | undefined {
  switch (encoding) {
    case "7bit":
    case "8bit":
    case "binary":
      return body.slice();
    case "base64":
      return base64(body);
    case "quoted-printable":
      return quotedPrintable(body);
    default:
      return undefined;
  }
}

/** Base64 up to its padding, whatever else is between its characters. */
function base64(body: Uint8Array): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(Math.ceil((body.length * 3) / 4));
  let [length, bits, count] = [0, 0, 0];
  for (const octet of body) {
    const value = VALUES[octet]!;
    if (octet === 0x3d) break;
    if (value < 0) continue;
    bits = (bits << 6) | value;
    if (++count % 4 !== 1) made[length++] = (bits >> (6 - 2 * ((count - 1) % 4))) & 0xff;
  }
  return made.slice(0, length);
}

const VALUES = new Int8Array(256).fill(-1);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].forEach((letter, value) => (VALUES[letter.charCodeAt(0)] = value));

function quotedPrintable(body: Uint8Array): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(body.length);
  let length = 0;
  for (let at = 0; at < body.length; at++) {
    if (body[at] !== 0x3d) {
      made[length++] = body[at]!;
      continue;
    }
    const [soft] = /^=[ \t]*\r?\n/.exec(String.fromCharCode(...body.subarray(at, at + 80))) ?? [];
    const hex = String.fromCharCode(body[at + 1] ?? 0, body[at + 2] ?? 0);
    if (soft) at += soft.length - 1;
    else if (/^[0-9A-Fa-f]{2}$/.test(hex)) {
      made[length++] = parseInt(hex, 16);
      at += 2;
    } else made[length++] = 0x3d;
  }
  return made.slice(0, length);
}
