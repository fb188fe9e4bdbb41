import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { KeyShare } from "../keygen/key-share.ts";
import { requireSigners } from "../keygen/require-signers.ts";
import { keyDigest } from "../redistribution/key-digest.ts";
import type { SessionId } from "../session/envelope.ts";
import { hashFields } from "../transcript.ts";
import type { Ciphersuite, SigningKey } from "./ciphersuite.ts";

/** The largest message, in bytes: many times the size of any transaction of a supported chain. */
export const FROST_MESSAGE_BYTES_MAX: number = 64 * 1024;

/** The configuration of startFrostSigning. */
export interface FrostSigningConfig<P extends GroupPoint<P>> {
  /**
   * Never used before, and derived from everything that the signers must agree on (session-id.ts), including
   * message, key and epoch: so honest signers with different requests are never in one session, where they
   * would blame each other.
   */
  readonly session: SessionId;
  readonly self: PartyIndex;
  /** exactly t of the key's parties, self included, ascending */
  readonly signers: readonly PartyIndex[];
  /** of any FROST scheme */
  readonly key: KeyShare<P>;
  /**
   * The message that this signer itself authorised, at most FROST_MESSAGE_BYTES_MAX bytes: the whole message
   * for Ed25519, the signature hash that it computed itself for Bitcoin. Never a message that a coordinator
   * supplied (P21).
   */
  readonly message: Uint8Array;
  /**
   * The root of BIP-341's script tree that this signer itself authorised, 32 bytes: the tweaked key verifies
   * the signatures. Undefined for an empty tree, and for every key but a Taproot key.
   */
  readonly merkleRoot?: Uint8Array;
}

/** The parameters of one signing, known to all its rounds. */
export interface FrostRun<P extends GroupPoint<P>> extends FrostSigningConfig<P> {
  readonly suite: Ciphersuite<P>;
  readonly signingKey: SigningKey<P>;
  /** the other signers, ascending */
  readonly peers: readonly PartyIndex[];
  /** a hash of message, key, tweak and signers, 32 bytes: equal for all signers with the same request */
  readonly request: Uint8Array;
}

/** The length of the hash of a request. */
export const REQUEST_BYTES = 32;

/** H(sid, public part of the key, signers, message), and the merkle root if there is one */
export const requestOf = <P extends GroupPoint<P>>({
  session,
  signers,
  key,
  message,
  merkleRoot,
}: {
  readonly session: SessionId;
  readonly signers: readonly PartyIndex[];
  readonly key: Pick<KeyShare<P>, "info">;
  readonly message: Uint8Array;
  readonly merkleRoot?: Uint8Array | undefined;
}): Uint8Array => {
  const tweak = merkleRoot === undefined ? [] : [merkleRoot];
  return hashFields("FROST request", [session, keyDigest(key.info), signers, message, ...tweak]);
};

/**
 * Makes the run of a configuration.
 *
 * @throws RangeError when the key is not for FROST, the quorum does not fit it, the message is too long, or a
 * merkle root is given for a key without a tweak: a bug of the caller, because peers choose none of these
 */
export const frostRun = <P extends GroupPoint<P>>(config: FrostSigningConfig<P>): FrostRun<P> => {
  const { self, signers, key } = config;
  const { scheme } = key.info;
  if (scheme.frost === undefined) throw new RangeError(`a key of ${scheme.name} makes no FROST signatures`);
  requireSigners(key, self, signers);
  if (config.message.length > FROST_MESSAGE_BYTES_MAX)
    throw new RangeError(`message of ${config.message.length} bytes, at most ${FROST_MESSAGE_BYTES_MAX}`);
  // copied, since the caller may change its buffers
  const tweak = config.merkleRoot === undefined ? {} : { merkleRoot: Uint8Array.from(config.merkleRoot) };
  const own = { ...config, message: Uint8Array.from(config.message), ...tweak };
  const peers = signers.filter((signer) => signer !== self);
  const signingKey = scheme.frost.signingKey(key.info.publicKey, own.merkleRoot);
  return { ...own, suite: scheme.frost, signingKey, peers, request: requestOf(own) };
};
