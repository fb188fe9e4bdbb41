import { base32nopad } from "@scure/base";

/** The text form of a public key: 56 characters, "G" first, with a checksum. @source SEP-23 */
export type HorizonAddress = string & { readonly __brand: "HorizonAddress" };
/** The text form of a contract's id: 56 characters, "C" first, with a checksum. @source SEP-23 */
export type HorizonContract = string & { readonly __brand: "HorizonContract" };

const KEY_BYTES = 32;
const CHECKSUM_BYTES = 2;
const ADDRESS_CHARACTERS = 56;
/** version bytes, which determine the first letter */
const ACCOUNT = 6 << 3;
const CONTRACT = 2 << 3;
const PRE_AUTHORIZED = 19 << 3;
const HASH = 23 << 3;
const SIGNED_PAYLOAD = 15 << 3;
const CRC16_POLYNOMIAL = 0x1021;

/** CRC16-XModem. */
const checksum = (bytes: Uint8Array): number => {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ CRC16_POLYNOMIAL;
    }
    crc &= 0xffff;
  }
  return crc;
};

const lettered = (version: number, bytes: Uint8Array): string => {
  const all = new Uint8Array(1 + bytes.length + CHECKSUM_BYTES);
  all[0] = version;
  all.set(bytes, 1);
  const crc = checksum(all.subarray(0, 1 + bytes.length));
  all[1 + bytes.length] = crc & 0xff;
  all[2 + bytes.length] = crc >> 8;
  return base32nopad.encode(all);
};

const written = (version: number, bytes: Uint8Array): string => {
  if (bytes.length !== KEY_BYTES) throw new RangeError("a key or an id has 32 bytes");
  return lettered(version, bytes);
};

const bytesIn = (text: string): Uint8Array => base32nopad.decode(text).subarray(1, 1 + KEY_BYTES);

const isWritten = (version: number, text: string): boolean => {
  if (text.length !== ADDRESS_CHARACTERS || !/^[A-Z2-7]+$/.test(text)) return false;
  return written(version, bytesIn(text)) === text;
};

/** @param publicKey 32 bytes */
export const horizonAddress = (publicKey: Uint8Array): HorizonAddress =>
  written(ACCOUNT, publicKey) as HorizonAddress;

/** @param id 32 bytes */
export const horizonContract = (id: Uint8Array): HorizonContract => written(CONTRACT, id) as HorizonContract;

const isHorizonAddress = (text: string): text is HorizonAddress => isWritten(ACCOUNT, text);

/** @returns the address if the text is one and its checksum is right */
export const parseHorizonAddress = (text: string): HorizonAddress | undefined =>
  isHorizonAddress(text) ? text : undefined;

/** The 32 bytes of an address. */
export const bytesOfAddress = (address: HorizonAddress | HorizonContract): Uint8Array => bytesIn(address);

/** The text form of a signer that is not an account. @param signer its XDR without the type */
export const signerText = (kind: "preAuthorized" | "hash" | "signedPayload", signer: Uint8Array): string => {
  const versions = { preAuthorized: PRE_AUTHORIZED, hash: HASH, signedPayload: SIGNED_PAYLOAD };
  return lettered(versions[kind], signer);
};
