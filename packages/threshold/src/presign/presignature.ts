import {
  type Codec,
  convert,
  countedList,
  fixedBytes,
  pointCodec,
  scalarCodec,
  struct,
  text,
  uint,
  uncompressedPointCodec,
} from "../codec.ts";
import { PARTIES_MAX, type PartyIndex, partyIndex } from "../fault.ts";
import { GENERATOR, multiply, type Point, sumPoints } from "../group.ts";
import { KEY_ID_BYTES_MAX } from "../keygen/key-share.ts";
import { Secret } from "../secret.ts";
import { type Envelope, envelopeCodec, SESSION_ID_BYTES, type SessionId } from "../session/envelope.ts";
import { nonceScalar } from "../sign/nonce-scalar.ts";
import { hashFields } from "../transcript.ts";

/** One signer's additive shares of γ^-1 and of γ^-1·x. */
export interface NonceShares {
  /** k~_i */
  readonly k: bigint;
  /** χ~_i */
  readonly chi: bigint;
}

/** The same shares times Γ, by which partial signatures are checked. */
export interface PublicNonceShares {
  /** Δ~_j = k~_j·Γ */
  readonly k: Point;
  /** S~_j = χ~_j·Γ */
  readonly chi: Point;
}

/**
 * A presignature: a signature that lacks only the message, for one message (INV-2, P6). It is bound to its
 * session, key, epoch and signers. startSigning takes its secret, once for each value, and uses it for only
 * one partial signature. Its bytes (presignatureCodec) have no such protection: a caller that stores them
 * must ensure single use.
 */
export interface Presignature {
  readonly session: SessionId;
  readonly self: PartyIndex;
  /** ascending, self included */
  readonly signers: readonly PartyIndex[];
  readonly keyId: string;
  readonly epoch: number;
  readonly publicKey: Point;
  /** Γ = γ·G, the point of the signature's nonce */
  readonly Gamma: Point;
  /** of every signer */
  readonly publics: ReadonlyMap<PartyIndex, PublicNonceShares>;
  /**
   * The last signed messages of all signers, with the echoes of the others: they show third parties by which
   * values a partial signature is checked. Kept until the presignature is spent; empty when an older version
   * made it.
   */
  readonly testimony: readonly Envelope[];
  readonly secret: Secret<NonceShares>;
}

/**
 * The id of a presignature, 32 bytes: a hash of the session that made it. So all its signers compute the same
 * id, and none of them can choose it.
 */
export const presignatureId = (session: SessionId): Uint8Array => hashFields("presignature", [session]);

/**
 * The formats of stored presignatures. The first had compressed points, whose square roots cost more than the
 * rest of an online round. The second had no testimony of the other signers.
 */
const FORMATS = { compressed: 1, uncompressed: 2, testified: 3 } as const;
/** A broadcast of each of 64 signers, and the others' echoes. */
const TESTIMONY_MAX = 2 * PARTIES_MAX;

interface StoredPresignature {
  readonly format: number;
  readonly session: SessionId;
  readonly self: number;
  readonly keyId: string;
  readonly epoch: number;
  readonly publicKey: Point;
  readonly Gamma: Point;
  readonly publics: readonly { readonly party: number; readonly k: Point; readonly chi: Point }[];
  readonly k: bigint;
  readonly chi: bigint;
  readonly testimony: readonly Envelope[];
}

type StoredFields = Omit<StoredPresignature, "format" | "testimony">;

const fieldsCodec = (point: Codec<Point>): Codec<StoredFields> =>
  struct<StoredFields>({
    session: fixedBytes(SESSION_ID_BYTES),
    self: uint(1),
    keyId: text(KEY_ID_BYTES_MAX),
    epoch: uint(4),
    publicKey: point,
    Gamma: point,
    publics: countedList(struct({ party: uint(1), k: point, chi: point }), PARTIES_MAX),
    k: scalarCodec,
    chi: scalarCodec,
  });
const formatCodec = uint(1);
const uncompressed = fieldsCodec(uncompressedPointCodec);
const compressed = fieldsCodec(pointCodec);

const testimonyCodec = countedList(envelopeCodec, TESTIMONY_MAX);

/** Writes uncompressed points and the testimony; also reads the older formats in existing pools. */
const storedCodec: Codec<StoredPresignature> = {
  write: (sink, stored) => {
    formatCodec.write(sink, stored.format);
    uncompressed.write(sink, stored);
    testimonyCodec.write(sink, stored.testimony);
  },
  read: (source) => {
    const format = source.part("format", formatCodec);
    const fields = format === FORMATS.compressed ? compressed : uncompressed;
    const read = fields.read(source);
    const testimony = format === FORMATS.testified ? source.part("testimony", testimonyCodec) : [];
    return { format, ...read, testimony };
  },
};

/** P10: indices are ascending, hence distinct, and not zero. */
const parsePublics = (
  stored: StoredPresignature["publics"],
): ReadonlyMap<PartyIndex, PublicNonceShares> | undefined => {
  const publics = new Map<PartyIndex, PublicNonceShares>();
  let previous = 0;
  for (const { party, k, chi } of stored) {
    const index = partyIndex(party);
    if (index === undefined || index <= previous) return undefined;
    publics.set(index, { k, chi });
    previous = index;
  }
  return publics.size < 2 ? undefined : publics;
};

/** Whether Σ Δ~_j = G and Σ S~_j = X, as presigning checked, and Γ yields a nonce. */
const isConsistent = ({ self, publicKey, Gamma, publics }: Presignature): boolean => {
  const all = [...publics.values()];
  return (
    publics.has(self) &&
    nonceScalar(Gamma) !== undefined &&
    sumPoints(all.map((each) => each.k)).equals(GENERATOR) &&
    sumPoints(all.map((each) => each.chi)).equals(publicKey)
  );
};

/**
 * Whether our shares fit our Δ~_i = k~_i·Γ and S~_i = χ~_i·Γ. Callers check this when a presignature enters
 * the pool, and not again before a signature: it detects only our own mistakes, because forged bytes would
 * not unseal, and a multiplication by a secret costs as much as the rest of an online round.
 */
export const holdsOwnShares = ({ self, Gamma, publics, secret }: Presignature): boolean => {
  const own = publics.get(self);
  const { k, chi } = secret.reveal();
  return own !== undefined && multiply(Gamma, k).equals(own.k) && multiply(Gamma, chi).equals(own.chi);
};

const parse = (stored: StoredPresignature): Presignature | undefined => {
  const { format, session, keyId, epoch, publicKey, Gamma, k, chi, testimony } = stored;
  const publics = parsePublics(stored.publics);
  const self = partyIndex(stored.self);
  const isKnown = Object.values(FORMATS).some((known) => known === format);
  if (!isKnown || publics === undefined || self === undefined) return undefined;
  const presignature: Presignature = {
    session,
    self,
    signers: [...publics.keys()],
    keyId,
    epoch,
    publicKey,
    Gamma,
    publics,
    testimony,
    secret: new Secret({ k, chi }),
  };
  return isConsistent(presignature) ? presignature : undefined;
};

/**
 * Encodes a presignature to canonical bytes for a pool. A decoded presignature has a consistent public part.
 * The bytes are secret, and more dangerous than a key share, because two uses reveal the key (P6). So their
 * holder
 * - seals them before storing them, and destroys them if its store turns out to be an old copy;
 * - takes the secret of the encoded value, so that the bytes are the only copy;
 * - removes them and writes a tombstone with the digest, in one durable step, before decoding them to sign;
 * - decodes them to sign once, and only with a digest of a message that this signer read itself (P7).
 */
export const presignatureCodec: Codec<Presignature> = convert(
  storedCodec,
  parse,
  ({ session, self, keyId, epoch, publicKey, Gamma, publics, testimony, secret }) => ({
    format: FORMATS.testified,
    session,
    self,
    keyId,
    epoch,
    publicKey,
    Gamma,
    publics: [...publics].map(([party, shares]) => ({ party, ...shares })),
    ...secret.reveal(),
    testimony,
  }),
  "not a consistent presignature",
);
