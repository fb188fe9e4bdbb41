import { type KeyId, type KeyScheme, keyIdSchema, userIdSchema } from "@conclave/custody";
import { changeKey, freshId, insertKey } from "@conclave/platform";
import type { World } from "./world.ts";

const DATE = "2026-01-02T03:04:05.678Z";

/**
 * Stores an active key of the world's organisation, as if signers had made it.
 * @param publicKey in the form of its scheme
 */
export const activateKey = async (
  { database, caller }: Pick<World, "database" | "caller">,
  scheme: KeyScheme,
  publicKey: Uint8Array,
): Promise<KeyId> => {
  const id = freshId(keyIdSchema, "key");
  await database.transaction(async (connection) => {
    await insertKey(connection, {
      id,
      orgId: caller.orgId,
      name: undefined,
      scheme,
      origin: "generated",
      requester: { userId: freshId(userIdSchema, "us") },
      authorisation: { payload: new Uint8Array(1), signature: new Uint8Array(64) },
      isDelegable: false,
      delegatedTo: undefined,
      dateCreated: DATE,
      status: "Creating",
    });
    const digits = Buffer.from(publicKey).toString("hex");
    await changeKey(connection, id, {
      kind: "Activated",
      publicKey: digits,
      addresses: new Map(),
      date: DATE,
    });
  });
  return id;
};
