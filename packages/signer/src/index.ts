export { type AssembledSigner, assembleSigner } from "./assembly/assembly.ts";
export type {
  ComputeHost,
  ComputeListener,
  PeerLinks,
  ServedSigner,
  Serving,
  SignerParts,
} from "./assembly/parts.ts";
export { loadSettings, parametersOf, type SignerSettings } from "./config.ts";
export { openRecordsIn, type SignerRecords } from "./records.ts";
export { type RunningSigner, type SignerOptions, startSigner } from "./signer.ts";
