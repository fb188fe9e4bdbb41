import type { PartyIndex } from "@conclave/threshold";
import type { EpochHandover } from "../../control/epoch-handover.ts";

/**
 * One round of showing a certificate to signers, some of whom wait for the handovers of others. Once all have answered,
 * those that wait are shown it again, with all handovers: the more handovers signers have, the more requests they can
 * sign.
 */
export interface HandoverRound {
  /** signers that were shown the certificate last and have not answered yet */
  readonly asked: ReadonlySet<PartyIndex>;
  /** signers that wait for the handovers of others */
  readonly waiting: ReadonlySet<PartyIndex>;
  /** the first handover of each signer: after it gave up its share, a signer knows less */
  readonly handovers: ReadonlyMap<PartyIndex, EpochHandover>;
  /** how many handovers were shown last */
  readonly shown: number;
}

/** The first round: these signers are shown the certificate, without handovers. */
export const openRound = (signers: Iterable<PartyIndex>): HandoverRound => ({
  asked: new Set(signers),
  waiting: new Set(),
  handovers: new Map(),
  shown: 0,
});

/** A signer's answer; both fields absent if it gave no answer, or refused. */
interface RoundAnswer {
  readonly handover?: EpochHandover | undefined;
  readonly isWaiting?: boolean | undefined;
}

/** The round after one signer's answer. */
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

/** Whether all have answered, and there are new handovers for those that wait. */
export const isOver = ({ asked, waiting, handovers, shown }: HandoverRound): boolean =>
  asked.size === 0 && waiting.size > 0 && handovers.size > shown;

/** The next round: these signers are shown the certificate again, with all handovers so far. */
export const nextRound = (round: HandoverRound, signers: Iterable<PartyIndex>): HandoverRound => ({
  ...round,
  asked: new Set(signers),
  shown: round.handovers.size,
});
