import { equalBytes } from "@noble/curves/utils.js";
import { type Codec, decode, fixedBytes } from "./codec.ts";
import type { PartyIndex } from "./fault.ts";
import type { Expectation, Inbox } from "./session/round.ts";
import { accuse, type FaultStep } from "./session/steps.ts";

/**
 * Commit and open, the first two rounds of key generation, redistribution and auxiliary generation: every
 * party commits to its opening in round 1, with echo, and opens it in round 2. So no party can choose its
 * values after it has seen another's (P12).
 */

/** The length of a commitment V_i: a hash of transcript.ts. */
export const COMMITMENT_BYTES = 32;

/** The length of a mask u_i, which hides the rest of an opening, and of each contribution to joint randomness. */
export const RANDOMIZER_BYTES = 32;

/** The messages that round 1 expects: a commitment of every party. The echo makes all parties agree on them. */
export const COMMITMENT_ROUND: Expectation = {
  broadcast: "echo",
  direct: "none",
  payloadBytesMax: COMMITMENT_BYTES,
};

/** The commitments of all peers in round 1. */
export type Commitments = ReadonlyMap<PartyIndex, Uint8Array>;

/** The rules by which the parties of one protocol run commit and open. */
export interface OpeningRules<Opening> {
  /** prefix of the names of checks, such as "keygen" */
  readonly protocol: string;
  readonly codec: Codec<Opening>;
  /** V_i: binds the session, the parameters of the run, the party and its opening */
  readonly commit: (party: PartyIndex, opening: Opening) => Uint8Array;
}

/**
 * Reads the commitments of round 1.
 *
 * @param bytesOf the length of a peer's message: 0 for a peer that commits to nothing
 * @returns the commitments by peer, or the fault of the first peer whose message has another length
 */
export const readCommitments = (
  protocol: string,
  peers: readonly PartyIndex[],
  inbox: Inbox,
  bytesOf: (peer: PartyIndex) => number = () => COMMITMENT_BYTES,
): Commitments | FaultStep => {
  const commitments = new Map<PartyIndex, Uint8Array>();
  for (const peer of peers) {
    const commitment = decode(fixedBytes(bytesOf(peer)), inbox.broadcast(peer));
    if (!commitment.ok) return accuse(peer, `${protocol}/1 decoding: ${commitment.reason}`);
    commitments.set(peer, commitment.value);
  }
  return commitments;
};

/**
 * Reads a peer's opening in round 2; or its fault, when the opening does not decode or does not match its
 * commitment.
 */
export const readOpening = <Opening>(
  { protocol, codec, commit }: OpeningRules<Opening>,
  commitments: Commitments,
  from: PartyIndex,
  inbox: Inbox,
): { readonly opening: Opening } | FaultStep => {
  const opening = decode(codec, inbox.broadcast(from));
  if (!opening.ok) return accuse(from, `${protocol}/2 decoding: ${opening.reason}`);
  const commitment = commitments.get(from);
  if (commitment === undefined || !equalBytes(commit(from, opening.value), commitment)) {
    return accuse(from, `${protocol}/2 opening of V`);
  }
  return { opening: opening.value };
};

/**
 * The exclusive-or of all parties' contributions: uniform if one of them is, because every party committed to
 * its own.
 */
export const jointRandomness = (contributions: readonly Uint8Array[]): Uint8Array => {
  const sum = new Uint8Array(RANDOMIZER_BYTES);
  for (const contribution of contributions) {
    for (const [at, byte] of contribution.entries()) sum[at] = (sum[at] ?? 0) ^ byte;
  }
  return sum;
};
