import { createECDH } from "node:crypto";
import {
  CGGMP24,
  decode,
  type KeyShare,
  keyShareCodec,
  lagrangeAtZero,
  type PartyIndex,
  SECP256K1,
  type Signature,
} from "@conclave/threshold";
import { insecureKeyShares } from "@conclave/threshold/testing";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

const { Fn } = secp256k1.Point;

/** The coordinates of a public key of SEC 1, uncompressed: a byte, x, y. */
const X = { from: 1, to: 33 } as const;

/** A signature that was made, by the presignature that it spent. */
export interface MadeSignature {
  readonly keyId: string;
  /** the presignature, lower-case hex */
  readonly presignature: string;
  /** lower-case hex */
  readonly digest: string;
}

/** A key, and the shares of all parties. */
interface WholeKey {
  readonly keyId: string;
  readonly whole: bigint;
  readonly shares: readonly bigint[];
}

/** One party's share of a key. */
interface NotedShare {
  readonly keyId: string;
  readonly party: PartyIndex;
  readonly threshold: number;
}

/**
 * The whole secret keys of a simulated cluster, which no signer has. They stand in for the arithmetic of CGGMP24: a signature is real ECDSA,
 * and its nonce belongs to its presignature, so that a presignature that signs twice gives its key away here as well.
 */
export class IdealKeys {
  readonly #seed: string;
  readonly #secrets = new Map<string, WholeKey>();
  /** by their bytes: the points of a share are expensive to decode */
  readonly #shares = new Map<string, NotedShare>();
  readonly #made = new Map<string, MadeSignature>();
  /** of each signature that was made */
  readonly #digests = new Map<string, string>();

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Every signature that was made, each once. */
  get made(): readonly MadeSignature[] {
    return [...this.#made.values()];
  }

  /** Each key of which a share was used. */
  get secrets(): readonly WholeKey[] {
    return [...this.#secrets.values()];
  }

  /**
   * Learns a key from an encoded share of it.
   * @returns the key and the holder of the share
   */
  noteShare(encoded: Uint8Array): NotedShare {
    const bytes = bytesToHex(encoded);
    const known = this.#shares.get(bytes);
    if (known !== undefined) return known;
    const share = decode(keyShareCodec(CGGMP24), encoded);
    if (!share.ok) throw new Error("a share cannot be decoded");
    this.#note(share.value);
    const { self: party, info } = share.value;
    const noted = { keyId: info.keyId, party, threshold: info.threshold };
    this.#shares.set(bytes, noted);
    return noted;
  }

  #note({ info: { keyId, threshold, parties } }: KeyShare): void {
    if (this.#secrets.has(keyId)) return;
    const quorum = parties.slice(0, threshold);
    const shares = insecureKeyShares(threshold, parties, keyId);
    const weights = lagrangeAtZero(SECP256K1, quorum);
    const secret = quorum.reduce(
      (sum, party, at) =>
        Fn.add(sum, Fn.mul(weights[at] ?? 0n, shares.get(party)?.secretShare.reveal() ?? 0n)),
      0n,
    );
    const all = [...shares.values()].map(({ secretShare }) => secretShare.reveal());
    this.#secrets.set(keyId, { keyId, whole: secret, shares: all });
  }

  /**
   * Signs with a whole key.
   * @param presignature the session that made the presignature
   * @returns low-s, with recovery (SEC 1, section 4.1.3)
   */
  sign(keyId: string, presignature: Uint8Array, digest: Uint8Array): Signature {
    const secret = this.#secrets.get(keyId)?.whole;
    if (secret === undefined) throw new Error(`nobody holds a share of ${keyId}`);
    const nonce = Fn.create(
      BigInt(`0x${bytesToHex(sha256(concatBytes(utf8ToBytes(`${this.#seed}/${keyId}/`), presignature)))}`),
    );
    const { x, isOdd } = timesGenerator(nonce);
    const r = Fn.create(x);
    const s = Fn.mul(Fn.inv(nonce), Fn.add(Fn.create(BigInt(`0x${bytesToHex(digest)}`)), Fn.mul(r, secret)));
    const isHigh = s > Fn.ORDER / 2n;
    const made = { keyId, presignature: bytesToHex(presignature), digest: bytesToHex(digest) };
    this.#made.set(`${made.presignature}/${made.digest}`, made);
    const signature: Signature = { r, s: isHigh ? Fn.neg(s) : s, recovery: isOdd === isHigh ? 0 : 1 };
    this.#digests.set(nameOf(signature), made.digest);
    return signature;
  }

  /** The digest that a signature signs, lower-case hex; undefined where no whole key made it. */
  digestOf(signature: Pick<Signature, "r" | "s">): string | undefined {
    return this.#digests.get(nameOf(signature));
  }
}

const nameOf = ({ r, s }: Pick<Signature, "r" | "s">): string => `${r}/${s}`;

/** The point nonce·G by OpenSSL, of which a signature needs x and the parity of y. */
const timesGenerator = (nonce: bigint): { readonly x: bigint; readonly isOdd: boolean } => {
  const ecdh = createECDH("secp256k1");
  ecdh.setPrivateKey(nonce.toString(16).padStart(64, "0"), "hex");
  const point = ecdh.getPublicKey();
  return {
    x: BigInt(`0x${point.subarray(X.from, X.to).toString("hex")}`),
    isOdd: ((point.at(-1) ?? 0) & 1) === 1,
  };
};
