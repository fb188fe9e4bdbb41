import { concatBytes } from "@noble/curves/utils.js";
import {
  parseStellarReceiver,
  stellarAddress,
  stellarContractAddress,
  stellarContractId,
} from "../rules/address.ts";
import { writeAccount } from "../xdr/account.ts";
import { type XdrReader, XdrUnreadable } from "../xdr/xdr-reader.ts";
import { wordXdr } from "../xdr/xdr-write.ts";

const WORD_BYTES = 32;
/** SCAddressType */
const ACCOUNT = 0;
const CONTRACT = 1;
/** PUBLIC_KEY_TYPE_ED25519 */
const ED25519 = 0;

/** Reads an SCAddress that names an account or a contract. @returns its strkey */
export const readContractAddress = (reader: XdrReader): string => {
  const type = reader.uint32();
  if (type === CONTRACT) return stellarContractAddress(reader.bytes(WORD_BYTES));
  if (type !== ACCOUNT || reader.uint32() !== ED25519) {
    throw new XdrUnreadable("an address in it is neither an account's nor a contract's");
  }
  return stellarAddress(reader.bytes(WORD_BYTES));
};

/** Writes an SCAddress. @throws TypeError for an address that was not validated */
export const writeContractAddress = (address: string): Uint8Array => {
  const receiver = parseStellarReceiver(address, "address");
  if (!receiver.ok) throw new TypeError("an address was not judged");
  return receiver.value.kind === "contract"
    ? concatBytes(wordXdr(CONTRACT), stellarContractId(address))
    : concatBytes(wordXdr(ACCOUNT), writeAccount(address));
};
