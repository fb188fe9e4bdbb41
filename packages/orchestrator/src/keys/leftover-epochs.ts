import { AUXILIARY_SUBJECT, type RosterMember, readCertificate } from "@conclave/cluster";
import type { Logger } from "@conclave/platform";
import type { Signer, Signers } from "@conclave/platform/coordination";
import type { PartyIndex } from "@conclave/threshold";

/** Pending epochs judged in one look. */
const BATCH = 32;
const LOOK_EVERY_MS = 2_000;

export interface LeftoverEpochs {
  readonly roster: ReadonlyMap<PartyIndex, RosterMember>;
  readonly signers: Pick<Signers, "all" | "view" | "live">;
  readonly logger: Pick<Logger, "info">;
}

interface Straggler {
  readonly index: PartyIndex;
  /** a key's id, or AUXILIARY_SUBJECT */
  readonly subject: string;
  /** that waits there for its certificate */
  readonly epoch: number;
}

/**
 * Brings signers to an epoch that were away when the others went to it, and whose operator has gone: shows them the
 * certificate that those keep. It holds the receipts of all signers, so nobody's word is taken. An epoch of which nobody
 * shows a certificate is the operator's to settle.
 *
 * @returns when to look again, in milliseconds
 */
export const settleLeftoverEpochs = async (work: LeftoverEpochs): Promise<number> => {
  const { signers } = work;
  const live = signers.live();
  const waiting = signers.all().flatMap(({ index }): readonly Straggler[] => {
    const status = signers.view().find((signer) => signer.index === index)?.status;
    if (status === undefined || !live.includes(index)) return [];
    return [
      ...status.pendingAuxiliary.map(({ epoch }) => ({ index, subject: AUXILIARY_SUBJECT, epoch })),
      ...status.next.map(({ keyId, epoch }) => ({ index, subject: keyId, epoch })),
    ];
  });
  for (const straggler of waiting.slice(0, BATCH)) await settle(work, straggler);
  return LOOK_EVERY_MS;
};

const settle = async (work: LeftoverEpochs, { index, subject, epoch }: Straggler): Promise<void> => {
  const { signers, logger } = work;
  const behind = signers.all().find((signer) => signer.index === index);
  const others = signers.all().filter((signer) => signer.index !== index);
  if (behind === undefined) return;
  const certificates = await Promise.all(
    others.map((signer) => certificateFrom(work, signer, subject, epoch)),
  );
  const certificate = certificates.find((each) => each !== undefined);
  if (certificate === undefined) return;
  const answer = await behind.switchEpoch(certificate);
  const said = answer.ok ? answer.value : answer.problem.code;
  logger.info(
    { signer: index, subject, epoch, answer: said },
    "a signer was shown the certificate of an epoch",
  );
};

/** The certificate of this epoch or a later one; nothing else that a signer answers is taken. */
const certificateFrom = async (
  { roster }: LeftoverEpochs,
  signer: Signer,
  subject: string,
  epoch: number,
): Promise<Uint8Array | undefined> => {
  const answer = await signer.getCertificate(subject);
  if (!answer.ok || answer.value === undefined) return undefined;
  const certificate = readCertificate(roster, answer.value);
  const isNewer = certificate?.subject === subject && certificate.to >= epoch;
  return isNewer ? answer.value : undefined;
};
