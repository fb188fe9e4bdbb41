import { type KeyId, keyIdSchema } from "@conclave/custody";
import { type Database, type Logger, readKey, UnreadableRow } from "@conclave/platform";
import type { Signer, Signers } from "@conclave/platform/coordination";
import { pendingShareNotSettled, pendingShareSettled } from "../log/key-events.ts";
import type { Leftovers } from "./leftovers.ts";

const LOOK_EVERY_MS = 2_000;

export interface LeftoverShares {
  readonly database: Database;
  readonly signers: Pick<Signers, "all" | "live">;
  readonly logger: Logger;
}

/**
 * Settles shares that a signer still reports as pending because it was away when the others learnt the outcome: those
 * of a failed key are discarded, those of an active key are activated.
 *
 * @param leftovers continues the list of pending keys of each signer where the last look ended
 * @returns the pause until the next look, in milliseconds
 */
export const settleLeftoverShares = async (work: LeftoverShares, leftovers: Leftovers): Promise<number> => {
  const live = work.signers.live();
  const answering = work.signers.all().filter(({ index }) => live.includes(index));
  const pending = await Promise.all(
    answering.map(async (signer) => ({ signer, keys: await leftovers.next(signer) })),
  );
  for (const { signer, keys } of pending) {
    for (const { keyId: said } of keys) {
      const keyId = keyIdSchema.safeParse(said).data;
      if (keyId === undefined) continue;
      await settle(work, signer, keyId).catch((err: unknown) => {
        if (!(err instanceof UnreadableRow)) throw err;
        pendingShareNotSettled(work.logger, { err, keyId });
      });
    }
  }
  return LOOK_EVERY_MS;
};

const settle = async ({ database, logger }: LeftoverShares, signer: Signer, keyId: KeyId): Promise<void> => {
  const key = await readKey(database, keyId);
  if (key === undefined || key.status === "Creating") return;
  const answer = key.status === "Failed" ? await signer.discardKey(keyId) : await signer.activateKey(keyId);
  const said = answer.ok ? answer.value.state : answer.problem.code;
  pendingShareSettled(logger, { signer: signer.index, keyId, key: key.status, answer: said });
};
