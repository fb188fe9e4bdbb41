import { concatBytes } from "@noble/curves/utils.js";
import { stellarAddress, stellarPublicKey } from "../rules/address.ts";
import { type XdrReader, XdrUnreadable } from "./xdr-reader.ts";
import { wordXdr } from "./xdr-write.ts";

const KEY_BYTES = 32;
/** PUBLIC_KEY_TYPE_ED25519 and KEY_TYPE_ED25519 */
const ED25519 = 0;
/** KEY_TYPE_MUXED_ED25519 */
const MUXED = 0x100;

/** Reads an AccountID, or a MuxedAccount without a multiplexing id. @returns its address */
export const readAccount = (reader: XdrReader, name: string): string => {
  const type = reader.uint32();
  if (type === MUXED) throw new XdrUnreadable(`its ${name} is a muxed account`);
  if (type !== ED25519) throw new XdrUnreadable(`its ${name} is no account`);
  return stellarAddress(reader.bytes(KEY_BYTES));
};

/** Writes an AccountID, or a MuxedAccount without a multiplexing id. @throws TypeError for an address that was not validated */
export const writeAccount = (address: string): Uint8Array =>
  concatBytes(wordXdr(ED25519), stellarPublicKey(address));
