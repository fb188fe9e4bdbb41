import type { PartyIndex } from "@conclave/threshold";
import type { EpochHandover } from "../../control/epoch-handover.ts";

/**
 * A certificate is shown to signers, some of whom wait for the handovers of others. Once all have answered, those that wait are shown it again,
 * with all handovers: signers clear requests the better the more of them they hear.
 */
export interface HandoverRound {
  /** that were shown the certificate last and have not answered yet */
  readonly asked: ReadonlySet<PartyIndex>;
  /** that wait for the handovers of others */
  readonly waiting: ReadonlySet<PartyIndex>;
  /** the first of each signer: one that gave its share up afterwards knows less */
  readonly handovers: ReadonlyMap<PartyIndex, EpochHandover>;
  /** how many of them were shown last */
  readonly shown: number;
}

/** The first round: to these signers, without handovers. */
export const openRound = (signers: Iterable<PartyIndex>): HandoverRound => ({
  asked: new Set(signers),
  waiting: new Set(),
  handovers: new Map(),
  shown: 0,
});

/** A signer's answer; all absent where it gave no answer, or refused. */
interface RoundAnswer {
  readonly handover?: EpochHandover | undefined;
  readonly isWaiting?: boolean | undefined;
}

/** With one signer's answer. */
export const afterAnswer = (
  { asked, waiting, handovers, shown }: HandoverRound,
  signer: PartyIndex,
  { handover, isWaiting = false }: RoundAnswer,
): HandoverRound => ({
  asked: without(asked, signer),
  waiting: isWaiting ? new Set(waiting).add(signer) : without(waiting, signer),
  handovers:
    handover === undefined || handovers.has(signer) ? handovers : new Map(handovers).set(signer, handover),
  shown,
});

const without = (signers: ReadonlySet<PartyIndex>, one: PartyIndex): ReadonlySet<PartyIndex> =>
  new Set([...signers].filter((signer) => signer !== one));

/** Whether all have answered, and those that wait have something new to see. */
export const isOver = ({ asked, waiting, handovers, shown }: HandoverRound): boolean =>
  asked.size === 0 && waiting.size > 0 && handovers.size > shown;

/** The certificate is shown once more, to these signers, with all handovers so far. */
export const nextRound = (round: HandoverRound, signers: Iterable<PartyIndex>): HandoverRound => ({
  ...round,
  asked: new Set(signers),
  shown: round.handovers.size,
});
