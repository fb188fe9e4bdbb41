import { fail, type Result } from "../errors.ts";
import type { FamilyTable, JudgedTransfer } from "../families/rules.ts";
import { familyOf, type Network, takesMemo, takesPriority } from "../network.ts";
import type { TransferBody } from "./transfer-body.ts";

/**
 * Judges what a transfer asks for on the network of its wallet (service interface, Transfer asset from wallet).
 * @param sender the wallet's address
 * @returns PriorityNotSupported, MemoNotSupported, TransferKindNotSupported, or what the family refuses, whichever is met
 *   first in this order
 */
export const judgeTransfer = (
  families: FamilyTable,
  network: Network,
  body: TransferBody,
  sender: string,
): Result<JudgedTransfer> => {
  const family = familyOf(network);
  if ("priority" in body && body.priority !== undefined && !takesPriority(family)) {
    return fail("PriorityNotSupported", { field: "priority", network });
  }
  if ("memo" in body && body.memo !== undefined && !takesMemo(family)) {
    return fail("MemoNotSupported", { field: "memo", network });
  }
  const rules = families.find(family);
  const kinds = rules?.transferKinds ?? [];
  return rules !== undefined && kinds.includes(body.kind)
    ? rules.judgeTransfer(network, body, sender)
    : fail("TransferKindNotSupported", { field: "kind", network, kinds });
};
