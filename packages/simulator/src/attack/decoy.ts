import { AUTHORISATION_AGE_MS_MAX, isoNow, type SignedAuthorisation } from "@conclave/custody";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { Transaction } from "ethers";
import { z } from "zod";
import type { SimulatedAuthority } from "../client/authority.ts";
import type { AskedSigning } from "./asked-signing.ts";

/** A request that the authority signed and the client withdrew. The attacker asks signers to sign it. */
export interface Decoy {
  readonly authorisation: SignedAuthorisation;
  readonly to: string;
}

/** The first byte of a transaction that an account numbers (EIP-2718, EIP-1559). */
const NUMBERED = 2;

/** Whether an account numbers the transaction, so that the attacker can change its number. Transactions that spend coins are replayed alone. */
export const isNumbered = ({ unsigned }: Pick<AskedSigning, "unsigned">): boolean => unsigned[0] === NUMBERED;

const contentSchema = z.looseObject({ kind: z.literal("transfer") });

const AMOUNT = 1n;
const DIGITS = 40;

export interface DecoyFacts {
  /** each has a recipient of its own */
  readonly number: number;
  /** a fresh id */
  readonly requestId: string;
  /** Unix milliseconds: from then on the authorisation is too old */
  readonly lapsesAtMs: number;
}

/**
 * Has the authority sign a request like an earlier one, to a recipient of its own.
 * @returns undefined where the earlier one is no transfer
 */
export const decoyOf = (
  authority: SimulatedAuthority,
  like: AskedSigning,
  { number, requestId, lapsesAtMs }: DecoyFacts,
): Decoy | undefined => {
  const text = new TextDecoder().decode(like.authorisation.payload);
  const parsed = contentSchema.safeParse(JSON.parse(text));
  if (!parsed.success) return undefined;
  const to = `0xdec0${number.toString(16).padStart(DIGITS - 4, "0")}`;
  const date = isoNow({ nowMs: () => lapsesAtMs - AUTHORISATION_AGE_MS_MAX });
  const content = {
    ...parsed.data,
    requestId,
    transfer: { kind: "Native", to, amount: AMOUNT.toString() },
    dateRequested: date,
    dateAuthorised: date,
  };
  return { authorisation: authority.authorise(content), to };
};

/** The unsigned bytes of an earlier transaction with another recipient, amount and account number. */
export const payloadFor = ({ to }: Pick<Decoy, "to">, like: AskedSigning, nonce: number): Uint8Array => {
  const transaction = Transaction.from(`0x${bytesToHex(like.unsigned)}`);
  transaction.to = to;
  transaction.value = AMOUNT;
  transaction.nonce = nonce;
  return hexToBytes(transaction.unsignedSerialized.slice(2));
};

/** The unsigned bytes of a transaction with another account number. */
export const renumbered = ({ unsigned }: Pick<AskedSigning, "unsigned">, nonce: number): Uint8Array => {
  const transaction = Transaction.from(`0x${bytesToHex(unsigned)}`);
  transaction.nonce = nonce;
  return hexToBytes(transaction.unsignedSerialized.slice(2));
};
