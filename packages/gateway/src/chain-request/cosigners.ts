import {
  type ChainWallet,
  fail,
  judgeKeyUser,
  type KeyId,
  type KeyScheme,
  ok,
  type Result,
  type UserId,
} from "@conclave/custody";
import { type Connection, readKey } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";

/**
 * The cosigners that the networks file names. Each must be an active key of the wallet's own organisation (INV-11),
 * with which the requester may sign, and whose scheme no other key of the transaction has.
 * @returns KeyNotFound, KeyDelegated or KeySchemeMismatch
 */
export const cosignersOf = async (
  { families, chains }: Pick<Dependencies, "families" | "chains">,
  connection: Connection,
  wallet: ChainWallet,
  userId: UserId,
): Promise<Result<readonly KeyId[]>> => {
  const entry = chains.get(wallet.network)?.network;
  if (entry === undefined) return ok([]);
  const cosigners = families.familyOf(entry.network).cosignersOf(entry);
  const schemes = new Set<KeyScheme>([wallet.signingKey.scheme]);
  for (const keyId of cosigners) {
    const key = await readKey(connection, keyId);
    if (key?.status !== "Active" || key.orgId !== wallet.orgId) {
      return fail("KeyNotFound", { keyId, orgId: wallet.orgId });
    }
    const user = judgeKeyUser(key, userId);
    if (!user.ok) return user;
    if (schemes.has(key.scheme)) return fail("KeySchemeMismatch", { keyId, scheme: key.scheme });
    schemes.add(key.scheme);
  }
  return ok(cosigners);
};
