import { sha512_256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { toBase32 } from "../address.ts";
import { encodeCanonical, type MsgpackMap, type MsgpackValue } from "../msgpack.ts";

/** The bytes that are signed or hashed: a prefix for the type of the value, and its canonical encoding. */
export const domainSeparated = (prefix: string, value: MsgpackValue): Uint8Array =>
  concatBytes(utf8ToBytes(prefix), encodeCanonical(value));

const digestOf = (prefix: string, value: MsgpackValue): Uint8Array =>
  sha512_256(domainSeparated(prefix, value));

/** @param fields of the transaction, without its signature */
export const messageToSign = (fields: MsgpackMap): Uint8Array => domainSeparated("TX", fields);

export const submissionId = (fields: MsgpackMap): string => toBase32(digestOf("TX", fields));

/** SHA-512/256 of a block's header. */
export const headerDigest = (header: MsgpackMap): Uint8Array => digestOf("BH", header);

/** The id of a group: the digest of its transactions' digests, each taken without its group. */
export const groupDigest = (transactions: readonly MsgpackMap[]): Uint8Array => {
  const digests = transactions.map((fields) =>
    digestOf("TX", new Map([...fields].filter(([key]) => key !== "grp"))),
  );
  return digestOf("TG", new Map([["txlist", digests]]));
};
