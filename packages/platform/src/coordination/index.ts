export {
  type BlamedSigner,
  type Coordination,
  type CoordinationOutcome,
  coordinate,
  type Machine,
  type MachineStep,
  type Observer,
} from "./coordination.ts";
export type { Signer } from "./signer.ts";
export { Signers, type SignerView } from "./signers.ts";
