import type { HorizonAddress } from "./address.ts";
import { sourceOfOperation } from "./operations/operation.ts";
import { feeSourceOf } from "./transaction/fees.ts";
import type { HorizonSubmission } from "./transaction/submission.ts";
import type { HorizonChanges, HorizonMeta } from "./xdr/meta.ts";
import type { HorizonOperation } from "./xdr/operation.ts";

const namedIn = ({ body }: HorizonOperation): readonly HorizonAddress[] => {
  switch (body.type) {
    case "createAccount":
      return [body.value.destination];
    case "payment":
      return [body.value.destination.account];
    case "accountMerge":
      return [body.value.account];
    case "allowTrust":
    case "setTrustLineFlags":
      return [body.value.trustor];
    default:
      return [];
  }
};

const changedIn = (changes: HorizonChanges): readonly HorizonAddress[] =>
  changes.flatMap((change): readonly HorizonAddress[] => {
    if (change.type === "removed") return change.value.type === "account" ? [change.value.value.account] : [];
    const { data } = change.value;
    if (data.type === "account") return [data.value.address];
    return data.type === "trustLine" ? [data.value.account] : [];
  });

/** Every account that a transaction involves. @source stellar/go, participants */
export const participantsOf = (
  submission: HorizonSubmission,
  fees: HorizonChanges,
  meta: HorizonMeta,
): ReadonlySet<HorizonAddress> => {
  const { transaction } = submission;
  return new Set([
    transaction.source.account,
    feeSourceOf(submission),
    ...transaction.operations.flatMap((operation) => [
      sourceOfOperation(operation, transaction),
      ...namedIn(operation),
    ]),
    ...changedIn(fees),
    ...meta.operations.flatMap(({ changes }) => changedIn(changes)),
  ]);
};
