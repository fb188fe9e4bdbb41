import { Transaction } from "ethers";

/** The point that a signature's nonce gave (r of ECDSA, R of Ed25519 and BIP-340), in hex, and what was signed with it. */
export interface NonceUse {
  readonly nonce: string;
  /** the signed bytes of the transaction, and which of its signatures */
  readonly message: string;
}

const R_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** TRON writes the signature at the end: r, s and the recovery id. */
const TRON_SIGNATURE_BYTES = 65;
/** "sig" and 64 bytes, in Algorand's MessagePack. */
const ALGORAND_SIGNATURE = Buffer.from("a3736967c440", "hex");
/** TxnSignature of 64 bytes, in the XRP Ledger's serialisation. */
const XRPL_SIGNATURE = Buffer.from("7440", "hex");
/** A sequence of two integers of about 32 bytes: DER, as Bitcoin and the XRP Ledger write ECDSA. */
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
    // the second integer follows at once, or these bytes are something else
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

/** Every nonce in a signed transaction. @param hex its bytes, without 0x */
export const nonceUses = (network: string, hex: string): readonly NonceUse[] =>
  noncesOf(network, hex).map((nonce, at) => ({ nonce, message: `${at} ${hex}` }));
