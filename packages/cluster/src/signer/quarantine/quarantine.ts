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

/** The public facts of a quarantine, by which a signer refuses to sign with a peer. */
export interface Quarantined extends Omit<QuarantineRecord, "version"> {
  readonly signer: PartyIndex;
}

const nameOf = (culprit: PartyIndex): string => RECORDS.quarantine.name(String(culprit));

const erasing = (culprits: readonly PartyIndex[]): readonly string[] => culprits.map(nameOf);

/**
 * Sessions of a quorum, which end. Other sessions take all signers; among them is auxiliary generation, which lifts
 * quarantines.
 */
const isOfQuorum = ({ purpose: { protocol } }: OpenSession): boolean =>
  protocol === "presigning" || protocol === "signing";

/**
 * Puts a peer in quarantine after this signer proved that it deviated (P15): this signer signs nothing with it from now
 * on. The cheat may have learned about the auxiliary information in use, and another attempt would teach it more. The
 * quarantine is durable before anything else follows from the proof. Presignatures with the peer are burnt, and other
 * sessions with it are refused. The first proof stays on record; later ones are ignored.
 *
 * A signer that sent its peers two different messages finds itself as the culprit; then it puts nobody in quarantine.
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

/** Ends the sessions of quorums with peers in quarantine, each call with the refusal that a new call would get. */
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
 * Ends all quarantines: a cheat's knowledge is of the auxiliary information that the signers now replace.
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
 * Lifts the quarantines that the operator named, each by the digest of its evidence: another cheat of the same peer has
 * another digest.
 *
 * @param state at its start, with the stored quarantines
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

/** The quarantines, ascending by signer. */
export const shownQuarantines = ({ quarantine }: Pick<SignerState, "quarantine">): readonly Quarantined[] =>
  [...quarantine]
    .map(([signer, { version: _, ...why }]) => ({ signer, ...why }))
    .sort((one, other) => one.signer - other.signer);
