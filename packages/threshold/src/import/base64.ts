const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES: ReadonlyMap<string, number> = new Map([...ALPHABET].map((letter, value) => [letter, value]));
const STANDARD = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Standard base64 with padding (RFC 4648 section 4). */
export const encodeBase64 = (bytes: Uint8Array): string => {
  const letters: string[] = [];
  for (let at = 0; at < bytes.length; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const filled = Math.min(bytes.length - at, 3) + 1;
    for (let sextet = 0; sextet < 4; sextet++) {
      letters.push(sextet < filled ? ALPHABET.charAt((group >> (18 - 6 * sextet)) & 63) : "=");
    }
  }
  return letters.join("");
};

/**
 * Decodes standard base64 with padding; undefined for everything else: another alphabet, missing padding,
 * white space, non-zero bits after the last byte (one text for each value, P20), or more than `bytesMax`
 * bytes.
 */
export const decodeBase64 = (text: string, bytesMax: number): Uint8Array | undefined => {
  if (text.length > 4 * Math.ceil(bytesMax / 3) || !STANDARD.test(text)) return undefined;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  for (let group = 0; 4 * group < text.length; group++) {
    let bits = 0;
    for (let sextet = 0; sextet < 4; sextet++) {
      bits = (bits << 6) | (VALUES.get(text.charAt(4 * group + sextet)) ?? 0);
    }
    bytes.set([bits >> 16, (bits >> 8) & 255, bits & 255].slice(0, bytes.length - 3 * group), 3 * group);
  }
  return bytes.length <= bytesMax && encodeBase64(bytes) === text ? bytes : undefined;
};
