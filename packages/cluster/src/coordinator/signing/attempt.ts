import type { PartyIndex, SessionId } from "@conclave/threshold";
import type { SessionKey } from "../../control/session-key.ts";
import type { BegunSession } from "../accusation.ts";
import type { NamedDeadline } from "../clocks.ts";
import type { CoordinatorEffect, SigningPath } from "../effect.ts";
import type { EpochsSaid } from "../key-epochs.ts";
import type { FirstAnswers } from "../latency.ts";
import type { Votes } from "../silence.ts";

/** One session of one quorum that a signing coordinator began. */
export interface SigningAttempt extends NamedDeadline {
  readonly key: SessionKey;
  readonly id: SessionId;
  readonly quorum: readonly PartyIndex[];
  readonly path: SigningPath;
  readonly deadlineMs: number;
  /** when it is looked whether signers hold it up, on the coordinator's clock; undefined where no other may run beside it */
  readonly lookAtMs: number | undefined;
  /** signers with open streams */
  readonly open: ReadonlySet<PartyIndex>;
  /** signers that have said anything yet, and when */
  readonly heard: FirstAnswers;
  readonly epochs: EpochsSaid;
  /** whom each signer that gave up was waiting for */
  readonly votes: Votes;
}

/** Whether an event is of this attempt, and of a signer that still owes its final report. */
export const isOfAttempt = (
  attempt: SigningAttempt | undefined,
  { signer, session }: { readonly signer: PartyIndex; readonly session: SessionKey },
): attempt is SigningAttempt => attempt?.key === session && attempt.open.has(signer);

export const begunOf = ({ key, signersExpiresAtMs, quorum, path }: SigningAttempt): BegunSession => ({
  key,
  expiresAtMs: signersExpiresAtMs,
  parties: quorum,
  protocols: path.kind === "pooled" ? ["signing", "pooled-signing"] : ["signing"],
});

/** Closes the streams of an attempt, but for those that have ended already. */
export const cancelOf = (
  attempt: SigningAttempt | undefined,
  ended: readonly PartyIndex[],
): readonly CoordinatorEffect<never>[] =>
  attempt === undefined
    ? []
    : [...attempt.open]
        .filter((signer) => !ended.includes(signer))
        .map((signer) => ({ kind: "cancel", signer, session: attempt.key }));

/** The attempt as it is when a signer has sent its final report; undefined when that was the last one. */
export const withoutSigner = (attempt: SigningAttempt, signer: PartyIndex): SigningAttempt | undefined => {
  const open = new Set(attempt.open);
  open.delete(signer);
  return open.size === 0 ? undefined : { ...attempt, open };
};
