import type { RippledAddress } from "../address.ts";
import type { RippledFields } from "./fields.ts";
import type { RippledTypeName } from "./type-names.ts";

export interface RippledPayment {
  readonly kind: "Payment";
  readonly destination: RippledAddress;
  /** drops, as signed: it may be 0 or below */
  readonly amount: bigint;
  readonly destinationTag: number | undefined;
  readonly hasSendMax: boolean;
  readonly hasDeliverMin: boolean;
}

export interface RippledAccountSet {
  readonly kind: "AccountSet";
  readonly setFlag: number;
  readonly clearFlag: number;
  /** upper-case hex; "" takes away what is there; undefined leaves it */
  readonly domain: string | undefined;
  readonly emailHash: string | undefined;
  readonly messageKey: string | undefined;
}

export interface RippledSetRegularKey {
  readonly kind: "SetRegularKey";
  /** undefined takes it away */
  readonly regularKey: RippledAddress | undefined;
}

export interface RippledTicketCreate {
  readonly kind: "TicketCreate";
  readonly count: number;
}

export type RippledAct = RippledPayment | RippledAccountSet | RippledSetRegularKey | RippledTicketCreate;

/**
 * The number that a transaction consumes so that it stands in a ledger once: the account's next number, or a
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
  /** both a sequence number and a ticket were named */
  readonly hasTwoTurns: boolean;
  /** drops, as signed: it may be below 0; -1 stands for a fee that is not in XRP, and is refused alike */
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
