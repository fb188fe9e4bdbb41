import { bytesToNumberBE, concatBytes, numberToBytesBE } from "@noble/curves/utils.js";
import { shake256 } from "@noble/hashes/sha3.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { absolute, areUnits, bitLength, isUnit } from "./arithmetic/integers.ts";
import { ORDER } from "./group.ts";

/** A point of any curve. */
interface EncodablePoint {
  readonly is0: () => boolean;
  readonly toBytes: () => Uint8Array;
}

/** A value that a transcript absorbs. Points may be the identity; nested lists keep their structure. */
export type Field = string | bigint | number | Uint8Array | EncodablePoint | readonly Field[];

/**
 * The context that every proof absorbs first, so that no proof can be replayed in another session, by another
 * party, to another verifier, or at another position of the protocol (P11).
 */
export interface ProofContext {
  /** the session's id, 32 bytes */
  readonly session: Uint8Array;
  readonly epoch: number;
  readonly prover: number;
  /** the only party that can check the proof, or "all" */
  readonly verifier: number | "all";
  /** which proof of the protocol this is, such as "presign/1 K" */
  readonly position: string;
}

const TAG = { text: 1, integer: 2, bytes: 3, point: 4, list: 5 } as const;
const FRAME_HEAD_BYTES = 5;
const REJECTIONS_MAX = 10_000;

/** Tag, length in 4 bytes, body. */
const frame = (tag: number, body: Uint8Array): Uint8Array => {
  const framed = new Uint8Array(FRAME_HEAD_BYTES + body.length);
  framed[0] = tag;
  new DataView(framed.buffer).setUint32(1, body.length);
  framed.set(body, FRAME_HEAD_BYTES);
  return framed;
};

const integerBody = (value: bigint): Uint8Array => {
  const magnitude = absolute(value);
  const bytes =
    magnitude === 0n ? new Uint8Array(0) : numberToBytesBE(magnitude, Math.ceil(bitLength(magnitude) / 8));
  return concatBytes(Uint8Array.of(value < 0n ? 1 : 0), bytes);
};

const isList = (field: Field): field is readonly Field[] => Array.isArray(field);

/**
 * Encodes a field injectively: type tag, 4-byte length, bytes. Two different lists of fields never give the same bytes, so
 * moving a boundary between fields changes the challenge (P3, the alpha-shuffle of TSSHOCK).
 */
export const encodeField = (field: Field): Uint8Array => {
  if (typeof field === "string") return frame(TAG.text, utf8ToBytes(field));
  if (typeof field === "bigint") return frame(TAG.integer, integerBody(field));
  if (typeof field === "number") return frame(TAG.integer, integerBody(BigInt(field)));
  if (field instanceof Uint8Array) return frame(TAG.bytes, field);
  if (isList(field)) return frame(TAG.list, concatBytes(...field.map(encodeField)));
  return frame(TAG.point, field.is0() ? new Uint8Array(0) : field.toBytes());
};

/** A 32-byte digest of the fields under a domain (SHAKE256), for commitments, session ids and confirmations. */
export const hashFields = (domain: string, fields: readonly Field[]): Uint8Array =>
  shake256(encodeField(["conclave/v1", domain, fields]), { dkLen: 32 });

/** Samples challenges from a stream of bytes that depends on every field. */
interface Challenge {
  /** uniform in [0, bound) */
  readonly below: (bound: bigint) => bigint;
  /** uniform in [0, q) of secp256k1 */
  readonly scalar: () => bigint;
  /** uniform in [-bound, bound] */
  readonly symmetric: (bound: bigint) => bigint;
  /** independent fair bits */
  readonly bits: (count: number) => readonly boolean[];
  /** independent elements of Z*_modulus */
  readonly units: (modulus: bigint, count: number) => readonly bigint[];
}

/**
 * The Fiat–Shamir challenge of a proof.
 *
 * @param domain the proof's name, such as "Πenc-elg"
 * @param context session, epoch, parties and position of the proof
 * @param fields the whole statement (verifier's N^, s, t included), the parameters, and every commitment
 */
export const challenge = (domain: string, context: ProofContext, fields: readonly Field[]): Challenge => {
  const { session, epoch, prover, verifier, position } = context;
  const stream = shake256.create();
  stream.update(encodeField(["conclave/v1", domain, session, epoch, prover, verifier, position, fields]));

  const below = (bound: bigint): bigint => {
    const bits = bitLength(bound - 1n);
    const excess = BigInt((8 - (bits % 8)) % 8);
    for (let tries = 0; tries < REJECTIONS_MAX; tries++) {
      const candidate = bits === 0 ? 0n : bytesToNumberBE(stream.xof(Math.ceil(bits / 8))) >> excess;
      if (candidate < bound) return candidate;
    }
    throw new Error("challenge stream exhausted");
  };
  const units = (modulus: bigint, count: number): readonly bigint[] => {
    let found: readonly bigint[] = [];
    for (let tries = 0; tries < REJECTIONS_MAX; tries++) {
      const drawn = Array.from({ length: count - found.length }, () => below(modulus));
      // nearly always all are units, which one gcd with their product shows
      found = [
        ...found,
        ...(areUnits(drawn, modulus) ? drawn : drawn.filter((value) => isUnit(value, modulus))),
      ];
      if (found.length === count) return found;
    }
    throw new Error("challenge stream exhausted");
  };
  return {
    below,
    scalar: () => below(ORDER),
    symmetric: (bound) => below(2n * bound + 1n) - bound,
    bits: (count) => Array.from({ length: count }, () => (stream.xof(1)[0] ?? 0) >> 7 === 1),
    units,
  };
};
