import {
  type ActiveKey,
  type CreateKeyBody,
  fail,
  judgeKeyFormat,
  judgeKeyOptions,
  type Key,
  type KeyId,
  ok,
  type Result,
} from "@conclave/custody";
import { appendToOutbox, insertKey, keyRequest, readKey } from "@conclave/platform";
import type { Dependencies } from "./dependencies.ts";
import { newKey, ownerOfNewKey } from "./new-key.ts";
import { hearSettlement } from "./settlement.ts";
import type { Viewer } from "./viewer.ts";

/**
 * Creates a key: the row, its authorisation and its request commit together, then it waits for the signers.
 * @returns the active key; what `judgeKeyFormat` and `judgeKeyOptions` refuse, DelegateUnknown; the signers' problem; or
 *   RequestInProgress when the key takes longer than callers wait
 */
export const createKey = async (
  dependencies: Dependencies,
  caller: Viewer,
  body: CreateKeyBody,
): Promise<Result<ActiveKey>> => {
  const { database, bus, settlementWaitMs, stopping } = dependencies;
  const options = judgeKeyOptions(body);
  if (!options.ok) return options;
  const scheme = judgeKeyFormat(body);
  if (!scheme.ok) return scheme;
  const owner = await ownerOfNewKey(database, caller, body);
  if (!owner.ok) return owner;

  const isDelegable = body.delayDelegation === true;
  const key = newKey(dependencies, caller, scheme.value, {
    name: body.name,
    delegatedTo: owner.value,
    isDelegable,
  });
  const settlement = await hearSettlement(bus, key.id);
  try {
    await database.transaction(async (connection) => {
      await insertKey(connection, key);
      await appendToOutbox(connection, keyRequest(key.id));
    });
    await settlement.wait(settlementWaitMs, stopping);
    return outcomeOf(await readKey(database, key.id), key.id);
  } finally {
    settlement.stop();
  }
};

const outcomeOf = (key: Key | undefined, keyId: KeyId): Result<ActiveKey> => {
  switch (key?.status) {
    case undefined:
    case "Archived":
      return fail("KeyNotFound", { keyId });
    case "Active":
      return ok(key);
    case "Failed":
      return { ok: false, problem: key.problem };
    case "Creating":
      return fail("RequestInProgress", { keyId });
  }
};
