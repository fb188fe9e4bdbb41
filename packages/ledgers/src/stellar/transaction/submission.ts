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

/** A fee bump around a transaction, for which another account pays more. */
export interface HorizonBump {
  readonly source: HorizonMuxedAccount;
  /** stroops */
  readonly fee: bigint;
  readonly hash: Uint8Array;
  readonly signatures: readonly HorizonSignature[];
}

/** A submitted transaction, decoded. */
export interface HorizonSubmission {
  /** the envelope's XDR */
  readonly bytes: Uint8Array;
  /** hash of the envelope with its signatures, in hexadecimal; the queue identifies it by this */
  readonly envelopeHash: string;
  /** hash that is signed, of the fee bump if there is one, in hexadecimal */
  readonly id: string;
  readonly transaction: HorizonTransaction;
  /** the hash that the transaction's own signatures sign */
  readonly hash: Uint8Array;
  readonly signatures: readonly HorizonSignature[];
  readonly bump: HorizonBump | undefined;
}

/** Decodes an envelope. @returns a refusal if it is malformed, or has a part that this ledger does not implement */
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
