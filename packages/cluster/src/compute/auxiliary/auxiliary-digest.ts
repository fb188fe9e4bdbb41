import { type AuxiliaryInfo, publicAuxiliaryDigest } from "@conclave/threshold";

/** SHA-256 over the public half of auxiliary info: signers store and report it, and run ids bind it. */
export const auxiliaryDigest = (info: AuxiliaryInfo): Uint8Array => publicAuxiliaryDigest(info);
