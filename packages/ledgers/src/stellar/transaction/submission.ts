import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { granted, type Ruling } from "../../ruling.ts";
import type { HorizonMuxedAccount } from "../xdr/account.ts";
import { decodeXdr, encodeXdr } from "../xdr/codec.ts";
import {
  type HorizonSignature,
  type HorizonTransaction,
  xdrEnvelope,
  xdrSignaturePayload,
} from "../xdr/envelope.ts";

/** A fee bump around a transaction: somebody pays more for it. */
export interface HorizonBump {
  readonly source: HorizonMuxedAccount;
  /** stroops */
  readonly fee: bigint;
  readonly hash: Uint8Array;
  readonly signatures: readonly HorizonSignature[];
}

/** A transaction as somebody sent it. */
export interface HorizonSubmission {
  /** the envelope's XDR */
  readonly bytes: Uint8Array;
  /** of the envelope with its signatures, in hexadecimal: what a queue knows it by */
  readonly envelopeHash: string;
  /** of what is signed: the fee bump's if there is one. In hexadecimal */
  readonly id: string;
  readonly transaction: HorizonTransaction;
  /** the hash that the transaction's own signatures sign */
  readonly hash: Uint8Array;
  readonly signatures: readonly HorizonSignature[];
  readonly bump: HorizonBump | undefined;
}

/** Reads an envelope. @returns why it is none, or what of it this ledger does not carry out */
export const readSubmission = (bytes: Uint8Array, networkId: Uint8Array): Ruling<HorizonSubmission> => {
  const decoded = decodeXdr(xdrEnvelope, bytes);
  if (!decoded.ok) return decoded;
  const { type, value } = decoded.value;
  const inner = type === "transaction" ? value : value.feeBump.inner;
  const tagged = { type: "transaction" as const, value: inner.transaction };
  const hash = sha256(encodeXdr(xdrSignaturePayload, { networkId, tagged }));
  const bump =
    type === "transaction"
      ? undefined
      : {
          source: value.feeBump.feeSource,
          fee: value.feeBump.fee,
          hash: sha256(
            encodeXdr(xdrSignaturePayload, { networkId, tagged: { type: "feeBump", value: value.feeBump } }),
          ),
          signatures: value.signatures,
        };
  const { transaction, signatures } = inner;
  const id = bytesToHex(bump?.hash ?? hash);
  return granted({ bytes, envelopeHash: bytesToHex(sha256(bytes)), id, transaction, hash, signatures, bump });
};
