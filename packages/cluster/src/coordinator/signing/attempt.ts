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
  /**
   * on the coordinator's clock: when to check whether signers hold the attempt up; undefined where no second attempt
   * may run beside it
   */
  readonly lookAtMs: number | undefined;
  /** signers with open streams */
  readonly open: ReadonlySet<PartyIndex>;
  /** the time of each signer's first report */
  readonly heard: FirstAnswers;
  readonly epochs: EpochsSaid;
  /** for each signer that gave up, the peers that it waited for */
  readonly votes: Votes;
}

/** Whether an event belongs to this attempt, and to a signer whose final report is missing. */
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

/** Closes the streams of an attempt except those that have ended. */
export const cancelOf = (
  attempt: SigningAttempt | undefined,
  ended: readonly PartyIndex[],
): readonly CoordinatorEffect<never>[] =>
  attempt === undefined
    ? []
    : [...attempt.open]
        .filter((signer) => !ended.includes(signer))
        .map((signer) => ({ kind: "cancel", signer, session: attempt.key }));

/** The attempt after a signer has sent its final report; undefined when that was the last report. */
export const withoutSigner = (attempt: SigningAttempt, signer: PartyIndex): SigningAttempt | undefined => {
  const open = new Set(attempt.open);
  open.delete(signer);
  return open.size === 0 ? undefined : { ...attempt, open };
};
