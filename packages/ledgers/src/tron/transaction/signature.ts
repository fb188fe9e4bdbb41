import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { type JavaTronAddress, javaTronAddressOfKey, toJavaTronBase58 } from "../address.ts";
import type { JavaTronSubmission } from "./transaction.ts";

const SIGNATURE_BYTES = 65;
const RECOVERY_OFFSET = 27;
/** The default permissions of an account: owner, and active with the same key. */
const PERMISSIONS = [0, 2];

/** @param signature r, s, and the recovery id, plus 27 or not. @returns undefined if no key can be recovered */
const signerOf = (id: string, signature: Uint8Array): JavaTronAddress | undefined => {
  const last = signature[SIGNATURE_BYTES - 1] ?? 0;
  const recovery = last >= RECOVERY_OFFSET ? last - RECOVERY_OFFSET : last;
  if (recovery > 3) return undefined;
  try {
    const parsed = secp256k1.Signature.fromBytes(signature.subarray(0, SIGNATURE_BYTES - 1), "compact");
    return javaTronAddressOfKey(
      parsed.addRecoveryBit(recovery).recoverPublicKey(hexToBytes(id)).toBytes(false),
    );
  } catch {
    return undefined;
  }
};

/**
 * Requires exactly one signature, by the owner's key, over the id. Like nodes, this accepts a high s.
 * @source java-tron, TransactionCapsule.validateSignature and checkWeight
 */
export const checkJavaTronSignature = ({ id, transaction, signatures }: JavaTronSubmission): Ruling<void> => {
  const { owner, permissionId } = transaction;
  if (!PERMISSIONS.includes(permissionId)) return refusedWith("permission isn't exit");
  const [signature, ...more] = signatures;
  if (signature === undefined) return refusedWith("miss sig or contract");
  if (more.length > 0)
    return refusedWith(`Signature count is ${signatures.length} more than key counts of permission : 1`);
  if (signature.length !== SIGNATURE_BYTES) return refusedWith(`Signature size is ${signature.length}`);
  const signer = signerOf(id, signature);
  if (signer === undefined) return refusedWith("Could not recover public key from signature");
  if (signer === owner) return granted(undefined);
  return refusedWith(
    `${bytesToHex(signature)} is signed by ${toJavaTronBase58(signer)} but it is not contained of permission.`,
  );
};

/** Signs an id with a key, as wallets do. */
export const signJavaTronId = (id: string, secretKey: Uint8Array): Uint8Array => {
  const signed = secp256k1.sign(hexToBytes(id), secretKey, { prehash: false, format: "recovered" });
  return concatBytes(signed.subarray(1), Uint8Array.from([RECOVERY_OFFSET + (signed[0] ?? 0)]));
};
