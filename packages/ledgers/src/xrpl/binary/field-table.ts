export type RippledFieldType =
  | "UInt8"
  | "UInt16"
  | "UInt32"
  | "Hash128"
  | "Hash256"
  | "Amount"
  | "Blob"
  | "AccountID"
  | "STObject"
  | "STArray";

export interface RippledField {
  readonly name: string;
  readonly type: RippledFieldType;
  /** with `nth`, what the wire names the field by, and what fields are sorted by */
  readonly typeCode: number;
  readonly nth: number;
}

const TYPE_CODES: Readonly<Record<RippledFieldType, number>> = {
  UInt16: 1,
  UInt32: 2,
  Hash128: 4,
  Hash256: 5,
  Amount: 6,
  Blob: 7,
  AccountID: 8,
  STObject: 14,
  STArray: 15,
  UInt8: 16,
};

/** @source rippled, include/xrpl/protocol/detail/sfields.macro */
const FIELDS: readonly (readonly [string, RippledFieldType, number])[] = [
  ["TransactionType", "UInt16", 2],
  ["NetworkID", "UInt32", 1],
  ["Flags", "UInt32", 2],
  ["SourceTag", "UInt32", 3],
  ["Sequence", "UInt32", 4],
  ["TransferRate", "UInt32", 11],
  ["WalletSize", "UInt32", 12],
  ["DestinationTag", "UInt32", 14],
  ["LastLedgerSequence", "UInt32", 27],
  ["OperationLimit", "UInt32", 29],
  ["SetFlag", "UInt32", 33],
  ["ClearFlag", "UInt32", 34],
  ["TicketCount", "UInt32", 40],
  ["TicketSequence", "UInt32", 41],
  ["EmailHash", "Hash128", 1],
  ["PreviousTxnID", "Hash256", 5],
  ["WalletLocator", "Hash256", 7],
  ["AccountTxnID", "Hash256", 9],
  ["InvoiceID", "Hash256", 17],
  ["Amount", "Amount", 1],
  ["Fee", "Amount", 8],
  ["SendMax", "Amount", 9],
  ["DeliverMin", "Amount", 10],
  ["MessageKey", "Blob", 2],
  ["SigningPubKey", "Blob", 3],
  ["TxnSignature", "Blob", 4],
  ["Domain", "Blob", 7],
  ["MemoType", "Blob", 12],
  ["MemoData", "Blob", 13],
  ["MemoFormat", "Blob", 14],
  ["Account", "AccountID", 1],
  ["Destination", "AccountID", 3],
  ["RegularKey", "AccountID", 8],
  ["NFTokenMinter", "AccountID", 9],
  ["Memo", "STObject", 10],
  ["Memos", "STArray", 9],
  ["TickSize", "UInt8", 16],
];

/**
 * Fields of transactions that this ledger knows by name and does not carry out: a transaction with one of
 * them is refused in these words.
 */
const UNREAD: ReadonlyMap<string, string> = new Map([
  ["15/3", "multisignatures (the field Signers)"],
  ["18/1", "paths of issued currencies (the field Paths)"],
  ["19/5", "credentials (the field CredentialIDs)"],
  ["5/34", "permissioned domains (the field DomainID)"],
  ["8/12", "delegated permissions (the field Delegate)"],
]);

const keyOf = (typeCode: number, nth: number): string => `${typeCode}/${nth}`;

const BY_NAME: ReadonlyMap<string, RippledField> = new Map(
  FIELDS.map(([name, type, nth]) => [name, { name, type, typeCode: TYPE_CODES[type], nth }]),
);

const BY_KEY: ReadonlyMap<string, RippledField> = new Map(
  [...BY_NAME.values()].map((field) => [keyOf(field.typeCode, field.nth), field]),
);

export const rippledFieldAt = (typeCode: number, nth: number): RippledField | undefined =>
  BY_KEY.get(keyOf(typeCode, nth));

/** The name of a field that is known and not read; undefined if it is not known at all. */
export const unreadFieldAt = (typeCode: number, nth: number): string | undefined =>
  UNREAD.get(keyOf(typeCode, nth));

/** @throws RangeError if there is no such field: names come from this program */
export const rippledFieldNamed = (name: string): RippledField => {
  const field = BY_NAME.get(name);
  if (field === undefined) throw new RangeError(`there is no field ${name}`);
  return field;
};

/** The canonical order: by type, then by number. */
export const compareFields = (one: RippledField, other: RippledField): number =>
  one.typeCode - other.typeCode || one.nth - other.nth;
