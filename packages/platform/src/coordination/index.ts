export {
  type BlamedSigner,
  type Coordination,
  coordinate,
  type Machine,
  type MachineStep,
  type Observer,
  type Outcome,
} from "./coordination.ts";
export { membersOf } from "./roster-members.ts";
export type { Signer } from "./signer.ts";
export { Signers, type SignerView } from "./signers.ts";
