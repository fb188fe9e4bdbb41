import { Transaction } from "ethers";

/** A signature's nonce commitment (r of ECDSA, R of Ed25519 and BIP-340), in hex, with the message that it signed. */
export interface NonceUse {
  readonly nonce: string;
  /** the transaction's signed bytes, with the index of the signature in it */
  readonly message: string;
}

const R_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** TRON puts the signature last: r, s and the recovery id. */
const TRON_SIGNATURE_BYTES = 65;
/** MessagePack of Algorand's signature field: "sig" and the head of 64 bytes. */
const ALGORAND_SIGNATURE = Buffer.from("a3736967c440", "hex");
/** The XRP Ledger's serialisation of TxnSignature with 64 bytes. */
const XRPL_SIGNATURE = Buffer.from("7440", "hex");
/** A DER sequence of two integers of about 32 bytes: an ECDSA signature of Bitcoin or the XRP Ledger. */
const DER = /30(?:4[0-9a-f])02(1[f]|20|21)/g;

const after = (bytes: Buffer, mark: Buffer): readonly string[] => {
  const at = bytes.indexOf(mark);
  const start = at + mark.length;
  return at < 0 ? [] : [bytes.subarray(start, start + R_BYTES).toString("hex")];
};

const inDer = (hex: string): readonly string[] =>
  [...hex.matchAll(DER)].flatMap(({ index, 0: head, 1: length = "" }) => {
    if (index % 2 === 1) return [];
    const start = index + head.length;
    const end = start + 2 * Number.parseInt(length, 16);
    // a DER signature has its second integer right here; other bytes are no signature
    return hex.slice(end, end + 2) === "02" ? [hex.slice(start, end).padStart(64, "0").slice(-64)] : [];
  });

const noncesOf = (network: string, hex: string): readonly string[] => {
  const bytes = Buffer.from(hex, "hex");
  switch (network) {
    case "Algorand":
      return after(bytes, ALGORAND_SIGNATURE);
    case "Stellar":
      return [bytes.subarray(-SIGNATURE_BYTES).subarray(0, R_BYTES).toString("hex")];
    case "Solana":
      return [bytes.subarray(1, 1 + R_BYTES).toString("hex")];
    case "Tron":
      return [bytes.subarray(-TRON_SIGNATURE_BYTES).subarray(0, R_BYTES).toString("hex")];
    case "Bitcoin":
      return inDer(hex);
    case "XrpLedger":
      return [...inDer(hex), ...after(bytes, XRPL_SIGNATURE)];
    default: {
      const { signature } = Transaction.from(`0x${hex}`);
      return signature === null ? [] : [signature.r.slice(2)];
    }
  }
};

/** All nonces in a signed transaction. @param hex its bytes, without 0x */
export const nonceUses = (network: string, hex: string): readonly NonceUse[] =>
  noncesOf(network, hex).map((nonce, at) => ({ nonce, message: `${at} ${hex}` }));
