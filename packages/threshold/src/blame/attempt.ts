import { concatBytes, numberToBytesBE } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { type Codec, convert, countedList, fixedBytes, struct, text, uint, variableBytes } from "../codec.ts";
import { PARTIES_MAX, type PartyIndex, partyCodec } from "../fault.ts";
import { KEY_ID_BYTES_MAX } from "../keygen/key-share.ts";
import { type SchemeName, withScheme } from "../scheme.ts";
import { SESSION_ID_BYTES, type SessionId } from "../session/envelope.ts";
import { sessionId } from "../session/session-id.ts";

/** The protocols of a cluster's sessions, in the order of the wire format. */
const ATTEMPT_PROTOCOLS = [
  "auxiliary",
  "key-generation",
  "key-import",
  "key-export",
  "key-refresh",
  "key-reshare",
  "presigning",
  "signing",
  "pooled-signing",
] as const;
/** The protocol of an attempt, by its name. */
export type AttemptProtocol = (typeof ATTEMPT_PROTOCOLS)[number];

/** All inputs of one run's id, except the parties' identity keys, which are in the roster. */
export interface Attempt {
  /** the session id of the command, 32 bytes */
  readonly given: Uint8Array;
  /** the deadline that all parties received, Unix milliseconds */
  readonly expiresAtMs: number;
  readonly protocol: AttemptProtocol;
  /**
   * name of the security level; parties of different levels derive different run ids, so they share no run
   */
  readonly level: string;
  /** the key's scheme; CGGMP24 when the run is not about one key */
  readonly scheme: SchemeName;
  /** empty when the run is not about one key */
  readonly keyId: string;
  readonly epoch: number;
  /** ascending, distinct */
  readonly parties: readonly PartyIndex[];
  /** t of the cluster */
  readonly threshold: number;
  /** n of the cluster */
  readonly total: number;
  /** all further values that the parties must agree on, each of a fixed length at its position: agreed-values.ts */
  readonly agreed: readonly Uint8Array[];
}

/** The identity keys of a cluster by party: Ed25519, 32 bytes each. */
export type IdentityRoster = ReadonlyMap<PartyIndex, { readonly identity: Uint8Array }>;

const TIME_BYTES = 8;
const LEVEL_BYTES_MAX = 32;
const AGREED_MAX = 16;
const AGREED_BYTES_MAX = 64;
const SCHEMES: readonly SchemeName[] = ["CGGMP24", "FROST-Ed25519", "FROST-BIP340", "FROST-Taproot"];

/**
 * The id under which all parties of an attempt run their session. Two ids are equal only if all fields and
 * all identity keys are equal. So a message signed under it belongs to this attempt and to no other (INV-7,
 * P11).
 *
 * @returns undefined when a party is not in the roster
 */
export const attemptSession = (attempt: Attempt, roster: IdentityRoster): SessionId | undefined => {
  const { given, expiresAtMs, protocol, level, scheme, keyId, epoch, threshold, total, agreed } = attempt;
  const parties = attempt.parties.flatMap((index) => {
    const identity = roster.get(index)?.identity;
    return identity === undefined ? [] : [{ index, identity }];
  });
  if (parties.length !== attempt.parties.length) return undefined;
  return sessionId({
    execution: concatBytes(
      given,
      numberToBytesBE(BigInt(expiresAtMs), TIME_BYTES),
      sha256(utf8ToBytes(level)),
      ...agreed,
    ),
    protocol: scheme === "CGGMP24" ? protocol : `${protocol}/${scheme}`,
    keyId,
    epoch,
    parties,
    threshold,
    total,
    curve: withScheme(scheme, ({ curve }) => curve.name),
  });
};

const named = <Name extends string>(names: readonly Name[], what: string): Codec<Name> =>
  convert(
    uint(1),
    (at) => names[at],
    (name) => names.indexOf(name),
    what,
  );

/** Whether the parties are strictly ascending, as in every session that a signer begins. */
export const isAscending = (parties: readonly PartyIndex[]): boolean =>
  parties.every((party, at) => at === 0 || party > (parties[at - 1] ?? party));

const partiesCodec: Codec<readonly PartyIndex[]> = convert(
  countedList(partyCodec, PARTIES_MAX),
  (parties) => (isAscending(parties) ? parties : undefined),
  (parties) => parties,
  "parties are not ascending",
);

export const attemptCodec: Codec<Attempt> = struct<Attempt>({
  given: fixedBytes(SESSION_ID_BYTES),
  expiresAtMs: uint(6),
  protocol: named(ATTEMPT_PROTOCOLS, "not a protocol"),
  level: text(LEVEL_BYTES_MAX),
  scheme: named(SCHEMES, "not a scheme"),
  keyId: text(KEY_ID_BYTES_MAX),
  epoch: uint(4),
  parties: partiesCodec,
  threshold: uint(1),
  total: uint(1),
  agreed: countedList(variableBytes(AGREED_BYTES_MAX), AGREED_MAX),
});
