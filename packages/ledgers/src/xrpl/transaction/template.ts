import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import type { RippledFields } from "./fields.ts";
import { RIPPLED_MEMO_FIELDS } from "./memos.ts";
import type { RippledTypeName } from "./type-names.ts";

interface Template {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** @source rippled, src/libxrpl/protocol/TxFormats.cpp */
const OF_ALL: Template = {
  required: ["TransactionType", "Account", "Sequence", "Fee", "SigningPubKey"],
  optional: [
    "Flags",
    "SourceTag",
    "PreviousTxnID",
    "LastLedgerSequence",
    "AccountTxnID",
    "OperationLimit",
    "Memos",
    "TicketSequence",
    "TxnSignature",
    "NetworkID",
  ],
};

const TEMPLATES: Readonly<Record<RippledTypeName, Template>> = {
  Payment: {
    required: ["Destination", "Amount"],
    optional: ["SendMax", "InvoiceID", "DestinationTag", "DeliverMin"],
  },
  AccountSet: {
    required: [],
    optional: [
      "EmailHash",
      "WalletLocator",
      "WalletSize",
      "MessageKey",
      "Domain",
      "TransferRate",
      "SetFlag",
      "ClearFlag",
      "TickSize",
      "NFTokenMinter",
    ],
  },
  SetRegularKey: { required: [], optional: ["RegularKey"] },
  TicketCreate: { required: ["TicketCount"], optional: [] },
};

/** The names of all fields that this ledger reads. */
export const RIPPLED_FIELD_NAMES: ReadonlySet<string> = new Set([
  ...[OF_ALL, ...Object.values(TEMPLATES)].flatMap(({ required, optional }) => [...required, ...optional]),
  "Memo",
  ...RIPPLED_MEMO_FIELDS,
]);

/** Whether a transaction has every field that its type requires, and no others than the optional ones. */
export const checkTemplate = (type: RippledTypeName, fields: RippledFields): Ruling<undefined> => {
  const own = TEMPLATES[type];
  const required = [...OF_ALL.required, ...own.required];
  const missing = required.find((name) => !Object.hasOwn(fields, name));
  if (missing !== undefined) return refusedWith(`Field '${missing}' is required but missing.`);
  const known = new Set([...required, ...OF_ALL.optional, ...own.optional]);
  const foreign = Object.keys(fields).find((name) => !known.has(name));
  return foreign === undefined
    ? granted(undefined)
    : refusedWith(`Field '${foreign}' found in disallowed location.`);
};
