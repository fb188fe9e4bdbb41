export type { BlamedSigner, CoordinationOutcome, Machine } from "@conclave/cluster";
export { type Coordination, coordinate } from "./coordination.ts";
export type { Signer } from "./signer.ts";
export { Signers, type SignerView } from "./signers.ts";
