import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { SigningKey } from "ethers";
import { z } from "zod";

// The client's side of an import and an export of a key, written from the wire interface with nothing of our
// own: ethers has the points, node:crypto the rest.

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** How many signers sign together: the cluster's, and 3 where nobody said. */
const THRESHOLD = Number(process.env["CONCLAVE_THRESHOLD"] ?? 3);
const TAG_BYTES = 16;
const POINT_BYTES = 33;
const NONCE = Buffer.alloc(12);

const mod = (value: bigint): bigint => ((value % ORDER) + ORDER) % ORDER;

const power = (base: bigint, exponent: bigint): bigint => {
  let [result, square] = [1n, mod(base)];
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
};

const hex32 = (scalar: bigint): string => scalar.toString(16).padStart(64, "0");
const keyOf = (scalar: bigint): SigningKey => new SigningKey(`0x${hex32(scalar)}`);
const bytesOf = (hex: string): Buffer => Buffer.from(hex.replace(/^0x/, ""), "hex");
export const randomScalar = (): bigint => mod(BigInt(`0x${randomBytes(40).toString("hex")}`));

/** HKDF over the whole compressed point, the sign of y included. */
const cipherKey = (own: SigningKey, other: Buffer): Buffer => {
  const shared = own.computeSharedSecret(`0x${other.toString("hex")}`);
  const compressed = bytesOf(SigningKey.computePublicKey(shared, true));
  return Buffer.from(hkdfSync("sha256", compressed, "DFNS_KEY_IMPORT", "ENCRYPTION_KEY", 32));
};

const seal = (plaintext: string, encryptionKey: string): string => {
  const ephemeral = keyOf(randomScalar());
  const receiver = Buffer.from(encryptionKey, "base64").subarray(1);
  const cipher = createCipheriv("aes-256-gcm", cipherKey(ephemeral, receiver), NONCE);
  const text = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
  return Buffer.concat([text, cipher.getAuthTag(), bytesOf(ephemeral.compressedPublicKey)]).toString(
    "base64",
  );
};

/** A signer as the cluster lists it. */
export interface ListedKey {
  readonly signerId: string;
  readonly encryptionKey: string;
}

/** The signer of a secp256k1 key: ECDSA, or Schnorr as the internal key of Taproot outputs. */
type Protocol = "CGGMP24" | "FROST_BITCOIN";

interface Sharding {
  readonly protocol?: Protocol;
  /** any so many shares give the key */
  readonly threshold?: number;
}

/** The body of an import: a key in shares, each for one of the listed signers. */
export const shardKey = (
  secret: bigint,
  signers: readonly ListedKey[],
  { protocol = "CGGMP24", threshold = THRESHOLD }: Sharding = {},
) => {
  const coefficients = [secret, ...Array.from({ length: threshold - 1 }, randomScalar)];
  const valueAt = (x: number): bigint =>
    coefficients.reduceRight((sum, coefficient) => mod(sum * BigInt(x) + coefficient), 0n);
  const sorted = [...signers].sort((a, b) =>
    Buffer.compare(Buffer.from(a.signerId, "base64"), Buffer.from(b.signerId, "base64")),
  );
  const publicShares = sorted.map((_, at) => {
    return { curve: "secp256k1", point: keyOf(valueAt(at + 1)).publicKey.slice(2) };
  });
  const shares = sorted.map(({ signerId, encryptionKey }, at) => {
    const secretShare = { curve: "secp256k1", scalar: hex32(valueAt(at + 1)) };
    const plaintext = {
      version: 1,
      secret_share: secretShare,
      public_shares: publicShares,
      chain_code: null,
    };
    return { signerId, encryptedKeyShare: seal(JSON.stringify(plaintext), encryptionKey) };
  });
  const words = { protocol, curve: "secp256k1" } as const;
  return { ...words, minSigners: threshold, encryptedKeyShares: shares };
};

const scalarSchema = z.strictObject({
  curve: z.literal("secp256k1"),
  scalar: z.string().regex(/^[0-9a-f]{64}$/),
});
const exportedSchema = z.object({ version: z.literal(1), index: scalarSchema, secret_share: scalarSchema });

/** A client that a key is handed out to. */
export class KeyReceiver {
  readonly #key = keyOf(randomScalar());

  /** the public key, in the form in which the body of an export request takes it */
  get encryptionKey(): string {
    return Buffer.concat([Buffer.of(1), bytesOf(this.#key.compressedPublicKey)]).toString("base64");
  }

  /** The key that these envelopes make up, base64 as they are answered. */
  keyFrom(envelopes: readonly string[]): bigint {
    const shares = envelopes.map((envelope) => this.#open(Buffer.from(envelope, "base64")));
    return shares.reduce((sum, { at, value }) => {
      const others = shares.filter((other) => other.at !== at);
      const lambda = others.reduce(
        (product, other) => mod(product * other.at * power(mod(other.at - at), ORDER - 2n)),
        1n,
      );
      return mod(sum + lambda * value);
    }, 0n);
  }

  #open(envelope: Buffer): { readonly at: bigint; readonly value: bigint } {
    const tagAt = envelope.length - POINT_BYTES - TAG_BYTES;
    const pointAt = envelope.length - POINT_BYTES;
    const decipher = createDecipheriv("aes-256-gcm", cipherKey(this.#key, envelope.subarray(pointAt)), NONCE);
    decipher.setAuthTag(envelope.subarray(tagAt, pointAt));
    const text = Buffer.concat([decipher.update(envelope.subarray(0, tagAt)), decipher.final()]);
    const { index, secret_share } = exportedSchema.parse(JSON.parse(text.toString("utf8")));
    return { at: BigInt(`0x${index.scalar}`), value: BigInt(`0x${secret_share.scalar}`) };
  }
}
