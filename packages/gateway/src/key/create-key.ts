import {
  type ActiveKey,
  type CreateKeyBody,
  judgeKeyFormat,
  judgeKeyOptions,
  type Result,
} from "@conclave/custody";
import type { Dependencies } from "../dependencies.ts";
import type { Viewer } from "../people/viewer.ts";
import { requestKey } from "./key-request.ts";
import { newKey, ownerOfNewKey } from "./new-key.ts";

/**
 * Creates a key: commits the row, its authorisation and its due row together, then waits for the signers.
 * @returns the active key; refusals of `judgeKeyFormat` and `judgeKeyOptions`, DelegateUnknown; the signers' problem;
 * or RequestInProgress when the key takes longer than callers wait
 */
export const createKey = async (
  dependencies: Dependencies,
  caller: Viewer,
  body: CreateKeyBody,
): Promise<Result<ActiveKey>> => {
  const options = judgeKeyOptions(body);
  if (!options.ok) return options;
  const scheme = judgeKeyFormat(body);
  if (!scheme.ok) return scheme;
  const owner = await ownerOfNewKey(dependencies.database, caller, body);
  if (!owner.ok) return owner;

  const isDelegable = body.delayDelegation === true;
  const key = newKey(dependencies, caller, scheme.value, {
    name: body.name,
    delegatedTo: owner.value,
    isDelegable,
  });
  return requestKey(dependencies, key);
};
