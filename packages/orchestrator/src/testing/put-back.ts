import { TEST_SECRET_KEY } from "@conclave/chains/testing";
import type { SchemeSignature, Transfer, TransferId } from "@conclave/custody";
import { readTransfer } from "@conclave/platform";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hexToBytes } from "viem/utils";
import { expect } from "vitest";
import { carryOutRequest, type RequestHandler } from "../chain-requests/work.ts";
import { followOnce } from "./follow-once.ts";
import type { World } from "./world.ts";

/** A request's columns as they were before it was signed. */
export const NOT_SIGNED = `signed_transaction = null, tx_hash = null, block_number = null, block_hash = null, fee = null,
  date_broadcasted = null, date_confirmed = null, date_settled = null`;
/** A request's columns as they were before it was built. */
export const NOT_BUILT = `${NOT_SIGNED}, status = 'Pending', sequence = null, exclusion = null, unsigned_transaction = null, details = null`;

/** Puts transfers back to an earlier moment, as a restored database has them. @param to assignments to columns */
export const putBack = async (
  { database }: Pick<World, "database">,
  to: string,
  ...transfers: readonly Pick<Transfer, "id">[]
): Promise<void> => {
  const ids = transfers.map(({ id }) => id);
  await database.execute(`update chain_requests set ${to} where id = any($1)`, [ids]);
};

/** Signs with the test key as threshold signers do: with a different signature each time. */
export const signAnew = (digest: Uint8Array): SchemeSignature => {
  const form = { prehash: false, lowS: true, format: "recovered", extraEntropy: true } as const;
  const bytes = secp256k1.sign(digest, hexToBytes(`0x${TEST_SECRET_KEY}`), form);
  const { r, s, recovery = 0 } = secp256k1.Signature.fromBytes(bytes, "recovered");
  return { scheme: "CGGMP24", r, s, recovery: recovery === 0 ? 0 : 1 };
};

/** Carries a transfer out, and makes blocks, until nothing is left to do. */
export const carryToItsEnd = async (
  { database, anvil }: World,
  handler: RequestHandler,
  id: TransferId,
): Promise<Transfer> => {
  const read = async (): Promise<Transfer> =>
    (await readTransfer(database, id)) ?? expect.fail("the transfer is gone");
  for (let round = 0; round < 8; round += 1) {
    await carryOutRequest(handler, id);
    await anvil.control.mine({ blocks: 1 });
    await followOnce(handler);
    const now = await read();
    if (now.status === "Confirmed" || now.status === "Failed") return now;
  }
  return read();
};
