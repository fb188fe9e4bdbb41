import { type AuxiliaryInfo, publicAuxiliaryDigest } from "@conclave/threshold";

/** SHA-256 over the public half of auxiliary info, as stored, reported, and bound by the ids of runs. */
export const auxiliaryDigest = (info: AuxiliaryInfo): Uint8Array => publicAuxiliaryDigest(info);
