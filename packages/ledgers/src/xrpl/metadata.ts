import type { LedgerJson } from "../json.ts";
import { accountFields, accountIndex, ticketFields, ticketIndex } from "./account-root.ts";
import type { RippledAddress } from "./address.ts";
import { type RippledAccount, type RippledBooks, rippledAccountIn } from "./books.ts";
import type { RippledEngineResult } from "./engine-result.ts";
import type { RippledTransaction } from "./transaction/transaction.ts";

type Fields = Readonly<Record<string, LedgerJson>>;

interface AffectedNode {
  readonly index: string;
  readonly json: LedgerJson;
}

/** The fields of a new entry; metadata leaves out those that are 0 or absent. */
const newFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== 0));

/** The former values of the fields that changed. */
const previousFields = (before: Fields, after: Fields): Fields =>
  Object.fromEntries(
    Object.entries(before).filter(([name, value]) => value !== undefined && value !== after[name]),
  );

const created = (LedgerEntryType: string, index: string, fields: Fields): AffectedNode => ({
  index,
  json: { CreatedNode: { LedgerEntryType, LedgerIndex: index, NewFields: newFields(fields) } },
});

const accountNode = (
  address: RippledAddress,
  before: RippledAccount | undefined,
  after: RippledAccount,
): AffectedNode => {
  const [index, fields] = [accountIndex(address), accountFields(address, after)];
  if (before === undefined) return created("AccountRoot", index, fields);
  return {
    index,
    json: {
      ModifiedNode: {
        LedgerEntryType: "AccountRoot",
        LedgerIndex: index,
        FinalFields: fields,
        PreviousFields: previousFields(accountFields(address, before), fields),
        PreviousTxnID: before.previousTxnId === "" ? undefined : before.previousTxnId,
        PreviousTxnLgrSeq: before.previousTxnId === "" ? undefined : before.previousTxnLedger,
      },
    },
  };
};

const ticketNodes = (
  address: RippledAddress,
  before: readonly number[],
  after: readonly number[],
): readonly AffectedNode[] => [
  ...after
    .filter((ticket) => !before.includes(ticket))
    .map((ticket) => created("Ticket", ticketIndex(address, ticket), ticketFields(address, ticket))),
  ...before
    .filter((ticket) => !after.includes(ticket))
    .map((ticket) => {
      const index = ticketIndex(address, ticket);
      const DeletedNode = {
        LedgerEntryType: "Ticket",
        LedgerIndex: index,
        FinalFields: ticketFields(address, ticket),
      };
      return { index, json: { DeletedNode } };
    }),
];

export interface RippledMetadataOptions {
  readonly transaction: RippledTransaction;
  readonly result: RippledEngineResult;
  /** the books before the transaction */
  readonly before: RippledBooks;
  /** an overlay with its changes */
  readonly after: RippledBooks;
  /** its index in the ledger, from 0 */
  readonly index: number;
}

/**
 * The metadata of a transaction: its result and the entries that it changed. Owner directories are left out.
 * @source https://xrpl.org/docs/references/protocol/transactions/metadata
 */
export const rippledMetadataOf = ({
  transaction,
  result,
  before,
  after,
  index,
}: RippledMetadataOptions): LedgerJson => {
  const nodes = [...after.accounts].flatMap(([address, account]) => {
    const was = rippledAccountIn(before, address);
    return [accountNode(address, was, account), ...ticketNodes(address, was?.tickets ?? [], account.tickets)];
  });
  const { act } = transaction;
  return {
    AffectedNodes: nodes.sort((one, other) => (one.index < other.index ? -1 : 1)).map(({ json }) => json),
    TransactionIndex: index,
    TransactionResult: result,
    delivered_amount: act.kind === "Payment" && result === "tesSUCCESS" ? act.amount.toString() : undefined,
  };
};
