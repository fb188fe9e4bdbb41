import { fail, ok, type Result } from "../errors.ts";
import type { FamilyTable, JudgedTransfer } from "../families/rules.ts";
import { familyOf, type Network } from "../network.ts";
import type { TransferBody } from "./transfer-body.ts";

/**
 * Judges the body of a transfer on the network of its wallet (service interface, Transfer asset from wallet).
 * @param sender the wallet's address
 * @returns the first refusal in this order: PriorityNotSupported, MemoNotSupported, TransferKindNotSupported,
 * a refusal of the family, and RecipientUnsuitable unless the body insists
 */
export const judgeTransfer = (
  families: FamilyTable,
  network: Network,
  body: TransferBody,
  sender: string,
): Result<JudgedTransfer> => {
  const rules = families.find(familyOf(network));
  if ("priority" in body && body.priority !== undefined && rules?.takesPriority !== true) {
    return fail("PriorityNotSupported", { field: "priority", network });
  }
  if ("memo" in body && body.memo !== undefined && rules?.takesMemo !== true) {
    return fail("MemoNotSupported", { field: "memo", network });
  }
  if (rules === undefined) return fail("TransferKindNotSupported", { field: "kind", network, kinds: [] });
  const judged = rules.judgeTransfer(network, body, sender);
  if (!judged.ok || body.sendAnyway === true) return judged;
  const recipient = rules.judgeRecipient?.(network, judged.value.transfer) ?? ok(undefined);
  return recipient.ok ? judged : recipient;
};
