import { problem } from "@conclave/custody";
import { type Evidence, encode, evidenceCodec, type PartyIndex } from "@conclave/threshold";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { SignerEffect } from "../effect.ts";
import { burnWhere } from "../presigning/burn.ts";
import { type QuarantineRecord, RECORDS } from "../records/record.ts";
import {
  andThen,
  endWith,
  type OpenSession,
  type SignerState,
  type SignerStep,
  unchanged,
} from "../state.ts";

/** Why a signer signs nothing with a peer, as it may be shown: nothing of it is secret. */
export interface Quarantined extends Omit<QuarantineRecord, "version"> {
  readonly signer: PartyIndex;
}

const nameOf = (culprit: PartyIndex): string => RECORDS.quarantine.name(String(culprit));

const erasing = (culprits: readonly PartyIndex[]): readonly string[] => culprits.map(nameOf);

/** Sessions of a quorum: they end. The others take all signers; auxiliary generation is among them, and lifts quarantines. */
const isOfQuorum = ({ purpose: { protocol } }: OpenSession): boolean =>
  protocol === "presigning" || protocol === "signing";

/**
 * Signs nothing with a peer from now on, since this signer proved that it deviated (P15): what it learned by that is of the auxiliary
 * information in use, and another attempt would teach it more. That is durable before anything else follows from the proof.
 * Presignatures with the peer are burnt, and other sessions with it end as refused. The first proof stands; a later one adds nothing.
 *
 * A signer whose peers heard two things of it finds itself the culprit; it puts nobody in quarantine for that.
 *
 * @param evidence of a fault that others can check too (cannotBeShown is false of its check)
 */
export const putInQuarantine = (state: SignerState, evidence: Evidence, nowMs: number): SignerStep => {
  const { accused: culprit, check } = evidence;
  if (culprit === state.config.self || state.quarantine.has(culprit)) return unchanged(state);
  const record: QuarantineRecord = {
    version: 1,
    check,
    evidence: bytesToHex(sha256(encode(evidenceCodec, evidence))),
    auxiliaryEpoch: state.auxiliary?.epoch ?? 0,
    provenAtMs: nowMs,
  };
  const write: SignerEffect = {
    kind: "store",
    record: nameOf(culprit),
    value: RECORDS.quarantine.write(record),
  };
  const quarantine = new Map(state.quarantine).set(culprit, record);
  const burnt = burnWhere({ ...state, quarantine }, ({ signers }) => signers.includes(culprit));
  return { state: burnt, effects: [write] };
};

/** Ends the sessions of quorums with peers in quarantine, each call with the refusal that a new one would meet. */
export const endSessionsWithQuarantined = (state: SignerState): SignerStep => {
  let step = unchanged(state);
  for (const session of state.sessions.values()) {
    const culprit = isOfQuorum(session) ? quarantinedOf(state, session.parties) : undefined;
    if (culprit === undefined) continue;
    step = andThen(step, (next) =>
      next.sessions.has(session.run)
        ? endWith(next, session, { kind: "refusal", problem: problem("PeerFault", { culprit }) })
        : unchanged(next),
    );
  }
  return step;
};

/** The first of these signers that is in quarantine; undefined when none is. */
export const quarantinedOf = (
  { quarantine }: Pick<SignerState, "quarantine">,
  signers: readonly PartyIndex[],
): PartyIndex | undefined => signers.find((index) => quarantine.has(index));

/**
 * No signer is in quarantine any more: what a cheat learned is of auxiliary information that is about to go.
 *
 * @returns the records that the write of the new auxiliary information erases
 */
export const withoutQuarantine = (
  state: SignerState,
): { readonly state: SignerState; readonly erases: readonly string[] } => ({
  state: { ...state, quarantine: new Map() },
  erases: erasing([...state.quarantine.keys()]),
});

/**
 * Lifts what the operator had lifted, each by the digest of its evidence: another cheat of the same peer has another one.
 *
 * @param state at its start, with quarantines as they are stored
 */
export const liftQuarantines = (state: SignerState): SignerStep => {
  const lifted = state.config.liftedEvidence ?? [];
  const over = [...state.quarantine].filter(([, { evidence }]) => lifted.includes(evidence));
  if (over.length === 0) return unchanged(state);
  const culprits = over.map(([culprit]) => culprit);
  const quarantine = new Map([...state.quarantine].filter(([culprit]) => !culprits.includes(culprit)));
  return {
    state: { ...state, quarantine },
    effects: [{ kind: "batch", puts: [], erases: erasing(culprits), sync: true }],
  };
};

/** Ascending by signer. */
export const shownQuarantines = ({ quarantine }: Pick<SignerState, "quarantine">): readonly Quarantined[] =>
  [...quarantine]
    .map(([signer, { version: _, ...why }]) => ({ signer, ...why }))
    .sort((one, other) => one.signer - other.signer);
