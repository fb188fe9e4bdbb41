import type { RippledAddress } from "../address.ts";
import type { RippledFields } from "./fields.ts";
import type { RippledTypeName } from "./type-names.ts";

export interface RippledPayment {
  readonly kind: "Payment";
  readonly destination: RippledAddress;
  /** drops as in the transaction, which may be 0 or negative */
  readonly amount: bigint;
  readonly destinationTag: number | undefined;
  readonly hasSendMax: boolean;
  readonly hasDeliverMin: boolean;
}

export interface RippledAccountSet {
  readonly kind: "AccountSet";
  readonly setFlag: number;
  readonly clearFlag: number;
  /** upper-case hex; "" removes the value; undefined leaves it unchanged */
  readonly domain: string | undefined;
  readonly emailHash: string | undefined;
  readonly messageKey: string | undefined;
}

export interface RippledSetRegularKey {
  readonly kind: "SetRegularKey";
  /** undefined removes it */
  readonly regularKey: RippledAddress | undefined;
}

export interface RippledTicketCreate {
  readonly kind: "TicketCreate";
  readonly count: number;
}

export type RippledAct = RippledPayment | RippledAccountSet | RippledSetRegularKey | RippledTicketCreate;

/**
 * The number that a transaction uses up, so that it is in a ledger at most once: the account's next sequence number, or a
 * ticket.
 */
export type RippledTurn =
  | { readonly kind: "sequence"; readonly value: number }
  | { readonly kind: "ticket"; readonly value: number };

export interface RippledTransaction {
  /** SHA-512 half of the signed bytes, 64 upper-case characters */
  readonly hash: string;
  readonly type: RippledTypeName;
  readonly account: RippledAddress;
  readonly turn: RippledTurn;
  /** has both a sequence number and a ticket */
  readonly hasTwoTurns: boolean;
  /** drops as in the transaction, which may be negative; -1 also stands for a fee that is not XRP: both are refused */
  readonly fee: bigint;
  readonly flags: number;
  readonly networkId: number | undefined;
  readonly lastLedgerSequence: number | undefined;
  readonly accountTxnId: string | undefined;
  readonly signingPubKey: Uint8Array;
  readonly act: RippledAct;
  readonly fields: RippledFields;
  readonly blob: Uint8Array;
}
