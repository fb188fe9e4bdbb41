export {
  type BlamedSigner,
  type CoordinationOutcome,
  type Machine,
  SharedStandings,
  type WithStandings,
} from "@conclave/cluster";
export { type Coordination, coordinate, linkOver } from "./coordination.ts";
export { faultRecordOf, type ProvenDeviation } from "./fault-record.ts";
export { livesOf } from "./lives-of.ts";
export type { Signer } from "./signer.ts";
export { isClockOff, Signers, type SignerView } from "./signers.ts";
