import { hexToBytes } from "@noble/hashes/utils.js";
import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { parseRippledAddress, RIPPLED_NOBODY, type RippledAddress } from "../address.ts";
import { isCarriedOutFlag } from "../rules/account-set.ts";
import { decodeRippledFields, type RippledDecoded } from "./codec.ts";
import type { RippledFields } from "./fields.ts";
import { rippledTransactionHash } from "./identity.ts";
import { checkRippledMemos } from "./memos.ts";
import { isRippledSignature } from "./signature.ts";
import { checkTemplate } from "./template.ts";
import type { RippledAct, RippledTransaction } from "./transaction.ts";
import { carriedOutType, otherType, type RippledTypeName } from "./type-names.ts";

const TRANSACTION_BYTES_MIN = 32;
/** A node accepts a megabyte; the transactions that this ledger implements stay below a tenth of this limit. */
export const RIPPLED_BLOB_BYTES_MAX = 32 * 1_024;

/** The first field of every transaction is its type: header 0x12 and two bytes. */
const TYPE_HEADER = 0x12;

/** A transaction, or the part of it that this ledger knows but does not implement. */
export type RippledSubmission =
  | { readonly kind: "transaction"; readonly transaction: RippledTransaction }
  | { readonly kind: "not-simulated"; readonly hash: string; readonly what: string };

const uint = (fields: RippledFields, name: string): number | undefined => {
  const value = fields[name];
  return typeof value === "number" ? value : undefined;
};

const hex = (fields: RippledFields, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === "string" ? value : undefined;
};

const account = (fields: RippledFields, name: string): RippledAddress | undefined =>
  parseRippledAddress(hex(fields, name) ?? "");

/** The drops of an amount; -1 for one that is not XRP, because every amount and fee below 0 is refused. */
const drops = (fields: RippledFields, name: string): bigint => BigInt(hex(fields, name) ?? -1);

const actOf = (type: RippledTypeName, fields: RippledFields): RippledAct => {
  switch (type) {
    case "Payment":
      return {
        kind: type,
        destination: account(fields, "Destination") ?? RIPPLED_NOBODY,
        amount: drops(fields, "Amount"),
        destinationTag: uint(fields, "DestinationTag"),
        hasSendMax: Object.hasOwn(fields, "SendMax"),
        hasDeliverMin: Object.hasOwn(fields, "DeliverMin"),
      };
    case "AccountSet":
      return {
        kind: type,
        setFlag: uint(fields, "SetFlag") ?? 0,
        clearFlag: uint(fields, "ClearFlag") ?? 0,
        domain: hex(fields, "Domain"),
        emailHash: hex(fields, "EmailHash"),
        messageKey: hex(fields, "MessageKey"),
      };
    case "SetRegularKey":
      return { kind: type, regularKey: account(fields, "RegularKey") };
    case "TicketCreate":
      return { kind: type, count: uint(fields, "TicketCount") ?? 0 };
  }
};

const transactionOf = (
  type: RippledTypeName,
  fields: RippledFields,
  blob: Uint8Array,
): RippledTransaction => {
  const [sequence, ticket] = [uint(fields, "Sequence") ?? 0, uint(fields, "TicketSequence")];
  return {
    hash: rippledTransactionHash(blob),
    type,
    account: account(fields, "Account") ?? RIPPLED_NOBODY,
    turn:
      sequence === 0 && ticket !== undefined
        ? { kind: "ticket", value: ticket }
        : { kind: "sequence", value: sequence },
    hasTwoTurns: sequence !== 0 && ticket !== undefined,
    fee: drops(fields, "Fee"),
    flags: uint(fields, "Flags") ?? 0,
    networkId: uint(fields, "NetworkID"),
    lastLedgerSequence: uint(fields, "LastLedgerSequence"),
    accountTxnId: hex(fields, "AccountTxnID"),
    signingPubKey: hexToBytes(hex(fields, "SigningPubKey") ?? ""),
    act: actOf(type, fields),
    fields,
    blob,
  };
};

const FIELDS_NOT_CARRIED_OUT = ["TransferRate", "TickSize", "NFTokenMinter", "WalletLocator", "WalletSize"];
/** The transaction flags with which AccountSet changed settings before SetFlag and ClearFlag existed. */
const OLD_ACCOUNT_SET_FLAGS = 0x003f_0000;

/** The flag of an AccountSet that this ledger does not implement, if there is one. */
const flagsNotCarriedOut = (type: RippledTypeName, fields: RippledFields): string | undefined => {
  if (type !== "AccountSet") return undefined;
  const flag = ["SetFlag", "ClearFlag"].find((name) => !isCarriedOutFlag(uint(fields, name) ?? 0));
  if (flag !== undefined) return `${flag} ${uint(fields, flag)}`;
  return ((uint(fields, "Flags") ?? 0) & OLD_ACCOUNT_SET_FLAGS) === 0
    ? undefined
    : "the Flags of AccountSet; it has SetFlag and ClearFlag";
};

/** The part of a transaction that this ledger does not implement, if there is one. */
const notCarriedOut = (type: RippledTypeName, fields: RippledFields): string | undefined => {
  const isIssued = ["Amount", "SendMax", "DeliverMin"].some((name) => typeof fields[name] === "object");
  if (isIssued) return "payments of issued currencies and tokens";
  const name = FIELDS_NOT_CARRIED_OUT.find((each) => Object.hasOwn(fields, each));
  return name === undefined ? flagsNotCarriedOut(type, fields) : `the field ${name}`;
};

/** Whether the transaction must be signed, for a submission, or not, for a simulation. */
export type RippledSigning = "signed" | "unsigned";

/** A node's checks that need no ledger. @source rippled, apply.cpp: checkValidity */
const checkLocally = (
  { fields, toSign, memosBytes }: Extract<RippledDecoded, { readonly kind: "fields" }>,
  signing: RippledSigning,
): Ruling<undefined> => {
  const key = hexToBytes(hex(fields, "SigningPubKey") ?? "");
  const signature = hex(fields, "TxnSignature");
  const isAsItShouldBe =
    signing === "unsigned"
      ? signature === undefined
      : signature !== undefined && isRippledSignature(key, toSign, hexToBytes(signature));
  const checked = isAsItShouldBe
    ? checkRippledMemos(fields["Memos"], memosBytes)
    : refusedWith("Invalid signature.");
  return checked.ok ? checked : refusedWith(`fails local checks: ${checked.message}`);
};

/**
 * Decodes a transaction, and verifies its signature if it must have one.
 * @returns the transaction, or a refusal in rippled's words for the error invalidTransaction
 * @source rippled, src/xrpld/rpc/handlers/Submit.cpp
 */
export const readRippledTransaction = (
  blob: Uint8Array,
  signing: RippledSigning = "signed",
): Ruling<RippledSubmission> => {
  if (blob.length < TRANSACTION_BYTES_MIN || blob.length > RIPPLED_BLOB_BYTES_MAX) {
    return refusedWith("Transaction length invalid");
  }
  const code = blob[0] === TYPE_HEADER ? ((blob[1] ?? 0) << 8) | (blob[2] ?? 0) : undefined;
  const notSimulated = (what: string): Ruling<RippledSubmission> =>
    granted({ kind: "not-simulated", hash: rippledTransactionHash(blob), what });
  const other = code === undefined ? undefined : otherType(code);
  if (other !== undefined) return notSimulated(`transactions of type ${other}`);
  const decoded = decodeRippledFields(blob);
  if (!decoded.ok) return decoded;
  if (decoded.value.kind === "not-simulated") return notSimulated(decoded.value.what);
  const { fields } = decoded.value;
  const type = carriedOutType(uint(fields, "TransactionType") ?? -1);
  if (type === undefined) return refusedWith("Invalid transaction type");
  const fits = checkTemplate(type, fields);
  if (!fits.ok) return fits;
  const unread = notCarriedOut(type, fields);
  if (unread !== undefined) return notSimulated(unread);
  const valid = checkLocally(decoded.value, signing);
  return valid.ok ? granted({ kind: "transaction", transaction: transactionOf(type, fields, blob) }) : valid;
};
