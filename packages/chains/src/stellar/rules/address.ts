import { fail, ok, type Result } from "@conclave/custody";
import { decodeStrkey, encodeStrkey } from "./strkey.ts";

const ACCOUNT_BYTES = 32;

/**
 * The address of a Stellar account (SEP-23): a strkey G… of its Ed25519 key. It is the same on every network.
 * @param publicKey 32 bytes of Ed25519
 * @throws RangeError when it has another length
 */
export const stellarAddress = (publicKey: Uint8Array): string => encodeStrkey("account", publicKey);

/** The address of a contract, a strkey C…. @param contractId 32 bytes @throws RangeError when it has another length */
export const stellarContractAddress = (contractId: Uint8Array): string =>
  encodeStrkey("contract", contractId);

/** The public key in an account's address that was validated before. @throws TypeError when it is no such address */
export const stellarPublicKey = (address: string): Uint8Array => {
  const decoded = decodeStrkey(address);
  if (decoded.kind !== "account") throw new TypeError("an address was not judged");
  return decoded.payload;
};

/** The id in a contract's address that was validated before. @throws TypeError when it is no such address */
export const stellarContractId = (address: string): Uint8Array => {
  const decoded = decodeStrkey(address);
  if (decoded.kind !== "contract") throw new TypeError("an address was not judged");
  return decoded.payload;
};

/** Nobody holds this account's key: coins sent there are lost. */
const ZERO_ADDRESS = stellarAddress(new Uint8Array(ACCOUNT_BYTES));

/** The possible receivers: an account (G…), or a contract (C…). */
export interface StellarReceiver {
  readonly kind: "account" | "contract";
  readonly address: string;
}

/**
 * Judges the address of a receiver.
 *
 * A muxed address (M…, SEP-23) combines an account with a number for the account's owner. It is refused, and the refusal names
 * account and memo: policies compare accounts, and a memo tells the receiver the same number.
 * @param field the request's field that holds it, shown in the problem
 * @returns the account or contract, in its one spelling; AddressInvalid, also for the zero address, or AddressChecksum
 */
export const parseStellarReceiver = (text: string, field: string): Result<StellarReceiver> => {
  const decoded = decodeStrkey(text);
  switch (decoded.kind) {
    case "account":
    case "contract":
      return text === ZERO_ADDRESS
        ? fail("AddressInvalid", { field }, "The zero address belongs to nobody: coins sent there are lost.")
        : ok({ kind: decoded.kind, address: text });
    case "muxed": {
      const account = stellarAddress(decoded.payload.slice(0, ACCOUNT_BYTES));
      const memo = new DataView(decoded.payload.buffer, ACCOUNT_BYTES).getBigUint64(0).toString();
      return fail(
        "AddressInvalid",
        { field, account, memo },
        `Muxed addresses are not taken: send to ${account} with the memo ${memo}.`,
      );
    }
    case "checksum":
      return fail("AddressChecksum", { field });
    case "invalid":
      return fail("AddressInvalid", { field });
  }
};

/**
 * Judges the address of an account.
 * @param field the request's field that holds it, shown in the problem
 * @returns the address, which has one spelling; AddressInvalid, also for a contract or a muxed address; AddressChecksum
 */
export const parseStellarAccount = (text: string, field: string): Result<string> => {
  const receiver = parseStellarReceiver(text, field);
  if (!receiver.ok) return receiver;
  return receiver.value.kind === "account"
    ? ok(receiver.value.address)
    : fail("AddressInvalid", { field }, "The address is a contract's: an account (G…) is needed here.");
};
