import type { Logger } from "@conclave/platform";
import type { Signer, Signers } from "@conclave/platform/coordination";
import type { PartyIndex } from "@conclave/threshold";

/** Shares judged in one look. */
const BATCH = 32;
const LOOK_EVERY_MS = 2_000;

export interface LeftoverEpochs {
  readonly signers: Pick<Signers, "all" | "view" | "live" | "threshold">;
  readonly logger: Pick<Logger, "info">;
}

interface NextShare {
  readonly index: PartyIndex;
  readonly keyId: string;
  readonly epoch: number;
}

/**
 * Brings signers to a key's new epoch that were away when the others activated it, and whose operator has gone. It takes
 * t signers that say they are in it: t-1 may lie, and one honest signer in it means that all held its shares once, so that it is
 * only ever activated further. A change that fewer have activated is the operator's to settle.
 *
 * @returns when to look again, in milliseconds
 */
export const settleLeftoverEpochs = async (work: LeftoverEpochs): Promise<number> => {
  const { signers } = work;
  const live = signers.live();
  const waiting = signers.all().flatMap(({ index }): readonly NextShare[] => {
    const status = signers.view().find((signer) => signer.index === index)?.status;
    return (status?.next ?? []).map(({ keyId, epoch }) => ({ index, keyId, epoch }));
  });
  for (const share of waiting.slice(0, BATCH)) {
    if (live.includes(share.index)) await settle(work, share);
  }
  return LOOK_EVERY_MS;
};

const settle = async (
  { signers, logger }: LeftoverEpochs,
  { index, keyId, epoch }: NextShare,
): Promise<void> => {
  const behind = signers.all().find((signer) => signer.index === index);
  const others = signers.all().filter((signer) => signer.index !== index);
  if (behind === undefined) return;
  const held = await Promise.all(others.map((signer) => activeEpoch(signer, keyId)));
  if (held.filter((its) => its >= epoch).length < signers.threshold) return;
  const answer = await behind.activateKey(keyId, epoch);
  const said = answer.ok ? answer.value : answer.problem.code;
  logger.info({ signer: index, keyId, epoch, answer: said }, "a share of a new epoch is settled");
};

/** What a signer answers to an activation that names no epoch changes nothing about a key that is active. */
const activeEpoch = async (signer: Signer, keyId: string): Promise<number> => {
  const answer = await signer.activateKey(keyId);
  return answer.ok && answer.value.state === "active" ? answer.value.epoch : 0;
};
