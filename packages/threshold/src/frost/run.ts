import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { KeyShare } from "../keygen/key-share.ts";
import { requireQuorum } from "../keygen/quorum.ts";
import { keyDigest } from "../redistribution/key-digest.ts";
import type { SessionId } from "../session/envelope.ts";
import type { Step } from "../session/round.ts";
import { hashFields } from "../transcript.ts";
import type { Ciphersuite, SigningKey } from "./ciphersuite.ts";

/** The largest message, in bytes: any transaction of the chains we know, many times over. */
export const FROST_MESSAGE_BYTES_MAX: number = 64 * 1024;

/** What startFrostSigning needs. */
export interface FrostSigningConfig<P extends GroupPoint<P>> {
  /**
   * Never used before, and derived from everything that the signers must agree on (session-id.ts), message, key and
   * epoch included: honest signers who were told different things then never meet. Without that they blame each other.
   */
  readonly session: SessionId;
  readonly self: PartyIndex;
  /** exactly t of the key's parties, self included, ascending */
  readonly signers: readonly PartyIndex[];
  /** of any FROST scheme */
  readonly key: KeyShare<P>;
  /**
   * What this signer itself authorised, at most FROST_MESSAGE_BYTES_MAX bytes: the whole message for Ed25519, the
   * signature hash that it computed itself for Bitcoin. Never what a coordinator says is to be signed (P21).
   */
  readonly message: Uint8Array;
}

/** What stays fixed during one signing. */
export interface FrostRun<P extends GroupPoint<P>> extends FrostSigningConfig<P> {
  readonly suite: Ciphersuite<P>;
  readonly signingKey: SigningKey<P>;
  /** the other signers, ascending */
  readonly peers: readonly PartyIndex[];
  /** what is asked for, under which key and of whom: 32 bytes, the same for all who were told the same */
  readonly request: Uint8Array;
}

export const REQUEST_BYTES = 32;

/** H(sid, all that is public of the key, signers, message) */
const requestOf = <P extends GroupPoint<P>>({
  session,
  signers,
  key,
  message,
}: FrostSigningConfig<P>): Uint8Array =>
  hashFields("FROST request", [session, keyDigest(key.info), signers, message]);

/**
 * The run of a configuration.
 *
 * @throws RangeError when the key is not for FROST, the quorum does not fit it, or the message is too long: a bug of
 *   the caller, peers choose none of it
 */
export const frostRun = <P extends GroupPoint<P>>(config: FrostSigningConfig<P>): FrostRun<P> => {
  const { self, signers, key } = config;
  const { scheme } = key.info;
  if (scheme.frost === undefined) throw new RangeError(`a key of ${scheme.name} makes no FROST signatures`);
  requireQuorum(key, self, signers);
  if (config.message.length > FROST_MESSAGE_BYTES_MAX)
    throw new RangeError(`message of ${config.message.length} bytes, at most ${FROST_MESSAGE_BYTES_MAX}`);
  const own = { ...config, message: Uint8Array.from(config.message) }; // the caller's buffer may change
  const peers = signers.filter((signer) => signer !== self);
  const signingKey = scheme.frost.signingKey(key.info.publicKey);
  return { ...own, suite: scheme.frost, signingKey, peers, request: requestOf(own) };
};

export type Refusal = Exclude<Step<never>, { readonly kind: "next" | "output" }>;

export const accuse = (culprit: PartyIndex, check: string): Refusal => ({
  kind: "fault",
  accusation: { culprit, check },
});

/** What names nobody. */
export const abort = (check: string): Refusal => ({ kind: "abort", check });
