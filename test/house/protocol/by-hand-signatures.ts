import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { encodeWritten, sha256ByHand, unsigned } from "./by-hand.ts";

/** Envelopes and signatures as docs/protocol.md defines them, with node:crypto and no code of this repository. */

/** The header of an envelope in the form of the vectors. */
export interface WrittenHeader {
  readonly session: string;
  readonly round: number;
  readonly kind: number;
  readonly from: number;
  readonly to: number;
}

const PKCS8 = { ed25519: "302e020100300506032b657004220420", x25519: "302e020100300506032b656e04220420" };
const SPKI = { ed25519: "302a300506032b6570032100", x25519: "302a300506032b656e032100" };
type Algorithm = keyof typeof PKCS8;

const privateKey = (algorithm: Algorithm, seed: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(PKCS8[algorithm] + seed, "hex"), format: "der", type: "pkcs8" });

const publicKey = (algorithm: Algorithm, key: string): KeyObject =>
  createPublicKey({ key: Buffer.from(SPKI[algorithm] + key, "hex"), format: "der", type: "spki" });

const publicHex = (key: KeyObject): string =>
  createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32).toString("hex");

/** the Ed25519 signature, in hex */
export const signByHand = (message: Uint8Array, seed: string): string =>
  sign(null, message, privateKey("ed25519", seed)).toString("hex");

export const isSignedByHand = (message: Uint8Array, signature: string, key: string): boolean =>
  verify(null, message, publicKey("ed25519", key), Buffer.from(signature, "hex"));

export const identityByHand = (seed: string): string => publicHex(privateKey("ed25519", seed));

/** session ‖ round ‖ kind ‖ from ‖ to: 38 bytes */
export const headerByHand = ({ session, round, kind, from, to }: WrittenHeader): Buffer =>
  Buffer.concat([
    Buffer.from(session, "hex"),
    unsigned(round, 1),
    unsigned(kind, 1),
    unsigned(from, 2),
    unsigned(to, 2),
  ]);

/** the bytes that the sender of an envelope signs */
export const signedByHand = ({ session, round, kind, from, to }: WrittenHeader, payload: Buffer): Buffer =>
  encodeWritten({
    list: [
      { text: "conclave/v1/envelope" },
      { bytes: session },
      ...[round, kind, from, to].map((value) => ({ integer: String(value) })),
      { bytes: sha256ByHand(payload).toString("hex") },
    ],
  });

/** header ‖ length of the payload ‖ payload ‖ signature */
export const envelopeByHand = (header: WrittenHeader, payload: Buffer, signature: string): Buffer =>
  Buffer.concat([headerByHand(header), unsigned(payload.length, 4), payload, Buffer.from(signature, "hex")]);

/**
 * HChaCha20: a ChaCha20 block without its final addition, here subtracted again. OpenSSL's ChaCha20 takes counter and nonce as
 * 16 bytes, which are words 12 to 15 of the state; the constants are words 0 to 3.
 */
const hchacha20 = (key: Buffer, nonce: Buffer): Buffer => {
  const block = createCipheriv("chacha20", key, nonce).update(Buffer.alloc(64));
  const constants = Buffer.from("expand 32-byte k", "latin1");
  const word = (from: Buffer, at: number): number => from.readUInt32LE(4 * at);
  const key2 = Buffer.alloc(32);
  for (let at = 0; at < 4; at++) {
    key2.writeUInt32LE((word(block, at) - word(constants, at)) >>> 0, 4 * at);
    key2.writeUInt32LE((word(block, 12 + at) - word(nonce, at)) >>> 0, 16 + 4 * at);
  }
  return key2;
};

/** Opens a sealed payload: ephemeral key ‖ ciphertext ‖ tag. @throws Error if it cannot be opened */
export const openByHand = (header: WrittenHeader, payload: Buffer, receiverSeed: string): string => {
  const own = privateKey("x25519", receiverSeed);
  const ephemeral = payload.subarray(0, 32).toString("hex");
  const shared = diffieHellman({ privateKey: own, publicKey: publicKey("x25519", ephemeral) });
  const info = encodeWritten({
    list: [
      { text: "conclave/v1/seal" },
      { bytes: ephemeral },
      { bytes: publicHex(own) },
      { bytes: headerByHand(header).toString("hex") },
    ],
  });
  const derived = Buffer.from(hkdfSync("sha256", shared, Buffer.alloc(0), info, 56));
  const nonce = derived.subarray(32);
  const subkey = hchacha20(derived.subarray(0, 32), nonce.subarray(0, 16));
  const iv = Buffer.concat([Buffer.alloc(4), nonce.subarray(16)]);
  const cipher = createDecipheriv("chacha20-poly1305", subkey, iv, { authTagLength: 16 });
  cipher.setAuthTag(payload.subarray(-16));
  cipher.setAAD(headerByHand(header), { plaintextLength: payload.length - 48 });
  return Buffer.concat([cipher.update(payload.subarray(32, -16)), cipher.final()]).toString("hex");
};
