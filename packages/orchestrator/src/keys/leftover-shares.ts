import { type KeyId, keyIdSchema } from "@conclave/custody";
import { type Database, type Logger, readKey } from "@conclave/platform";
import type { Signer, Signers } from "@conclave/platform/coordination";
import type { PartyIndex } from "@conclave/threshold";
import type { Rotation } from "./rotation.ts";

/** Keys of one signer that are judged in one look: what one signer claims takes no other's turn. */
const PER_SIGNER = 8;
const LOOK_EVERY_MS = 2_000;

export interface LeftoverShares {
  readonly database: Database;
  readonly signers: Signers;
  readonly logger: Logger;
}

/**
 * Settles shares that a signer still calls pending because it was away when the others were told: those of a failed
 * key are discarded, those of one that came to be are activated. Nothing half-made stays behind.
 *
 * @param turns from the look before: each signer's own list is gone through in parts
 * @returns when to look again, in milliseconds
 */
export const settleLeftoverShares = async (
  work: LeftoverShares,
  turns: Rotation<PartyIndex>,
): Promise<number> => {
  const pending = work.signers.all().flatMap((signer) => {
    const status = work.signers.view().find(({ index }) => index === signer.index)?.status;
    const keys = status?.keys.filter(({ state }) => state === "pending") ?? [];
    const some = turns.take(signer.index, keys, PER_SIGNER);
    return some.map(({ keyId }) => ({ signer, keyId: keyIdSchema.safeParse(keyId).data }));
  });
  for (const { signer, keyId } of pending) {
    if (keyId !== undefined) await settle(work, signer, keyId);
  }
  return LOOK_EVERY_MS;
};

const settle = async ({ database, logger }: LeftoverShares, signer: Signer, keyId: KeyId): Promise<void> => {
  const key = await readKey(database, keyId);
  if (key === undefined || key.status === "Creating") return;
  const answer = key.status === "Failed" ? await signer.discardKey(keyId) : await signer.activateKey(keyId);
  logger.info(
    {
      signer: signer.index,
      keyId,
      key: key.status,
      answer: answer.ok ? answer.value.state : answer.problem.code,
    },
    "a pending share is settled",
  );
};
