import { AUXILIARY_SUBJECT, type RosterMember, readCertificate } from "@conclave/cluster";
import type { Logger } from "@conclave/platform";
import type { Signer, Signers } from "@conclave/platform/coordination";
import { heldKey } from "@conclave/platform/grpc";
import type { IdentityRoster, PartyIndex } from "@conclave/threshold";
import { certificateShown } from "../log/session-events.ts";
import type { Leftovers } from "./leftovers.ts";

const LOOK_EVERY_MS = 2_000;

export interface LeftoverEpochs {
  readonly roster: ReadonlyMap<PartyIndex, RosterMember>;
  /** the identities of earlier times, the latest first */
  readonly past?: readonly IdentityRoster[];
  readonly signers: Pick<Signers, "all" | "view" | "live">;
  readonly logger: Pick<Logger, "info">;
}

interface Straggler {
  readonly index: PartyIndex;
  /** a key's id, or AUXILIARY_SUBJECT */
  readonly subject: string;
  /** epochs that wait for a certificate at the signer */
  readonly epochs: ReadonlySet<number>;
}

/**
 * Brings signers that missed a switch to a new epoch to it, after the operator's command has ended: shows them the
 * certificate that the others keep. It holds the receipts of all signers, so no signer need be trusted. An epoch
 * without a certificate is left to the operator.
 *
 * @param leftovers continues the list of waiting epochs of each signer where the last look ended
 * @returns the pause until the next look, in milliseconds
 */
export const settleLeftoverEpochs = async (work: LeftoverEpochs, leftovers: Leftovers): Promise<number> => {
  const { signers } = work;
  const live = signers.live();
  const answering = signers.all().filter(({ index }) => live.includes(index));
  const waiting = await Promise.all(answering.map((signer) => waitingAt(work, signer, leftovers)));
  for (const straggler of waiting.flat()) await settle(work, straggler);
  return LOOK_EVERY_MS;
};

/** Returns some of the epochs that wait at a signer for a certificate, according to the signer. */
const waitingAt = async (
  { signers }: LeftoverEpochs,
  signer: Signer,
  leftovers: Leftovers,
): Promise<readonly Straggler[]> => {
  const { index } = signer;
  const status = signers.view().find((each) => each.index === index)?.status;
  const auxiliary = { subject: AUXILIARY_SUBJECT, next: status?.pendingAuxiliary ?? [] };
  const keys = await leftovers.next(signer);
  return [auxiliary, ...keys.map(({ keyId, next }) => ({ subject: keyId, next }))]
    .filter(({ next }) => next.length > 0)
    .map(({ subject, next }) => ({ index, subject, epochs: new Set(next.map(({ epoch }) => epoch)) }));
};

/**
 * Brings a signer to the current epoch of one key at once, after signing found it in an earlier epoch than others.
 * Without effect if the signer is not behind: it holds no waiting epoch, or no signer shows a certificate.
 */
export const bringToEpoch = async (
  work: LeftoverEpochs,
  signer: PartyIndex,
  keyId: string,
): Promise<void> => {
  const behind = work.signers.all().find(({ index }) => index === signer);
  const key = behind === undefined ? undefined : await heldKey(behind, keyId);
  if (key?.ok !== true || key.value.next.length === 0) return;
  await settle(work, {
    index: signer,
    subject: keyId,
    epochs: new Set(key.value.next.map(({ epoch }) => epoch)),
  });
};

const settle = async (work: LeftoverEpochs, straggler: Straggler): Promise<void> => {
  const { signers, logger } = work;
  const { index, subject } = straggler;
  const behind = signers.all().find((signer) => signer.index === index);
  const others = signers.all().filter((signer) => signer.index !== index);
  if (behind === undefined) return;
  const shown = await Promise.all(others.map((signer) => certificateFrom(work, signer, straggler)));
  const latest = shown
    .flatMap((each) => each ?? [])
    .sort((one, other) => other.epoch - one.epoch || other.handovers - one.handovers)[0];
  if (latest === undefined) return;
  const { certificate, epoch } = latest;
  const answer = await behind.switchEpoch(certificate);
  const said = answer.ok ? answer.value.epoch : answer.problem.code;
  certificateShown(logger, { signer: index, subject, epoch, answer: said });
};

interface Shown {
  readonly certificate: Uint8Array;
  readonly epoch: number;
  /** number of handovers in the certificate: signers that join a key wait for some */
  readonly handovers: number;
}

/** The certificate of a waiting epoch, from one signer; any other answer is ignored. */
const certificateFrom = async (
  { roster, past }: LeftoverEpochs,
  signer: Signer,
  { subject, epochs }: Straggler,
): Promise<Shown | undefined> => {
  const answer = await signer.getCertificate(subject);
  if (!answer.ok || answer.value === undefined) return undefined;
  const read = readCertificate(roster, answer.value, { past });
  const isWanted = read?.subject === subject && epochs.has(read.to);
  return isWanted
    ? { certificate: answer.value, epoch: read.to, handovers: read.handovers.length }
    : undefined;
};
