export { loadSettings, parametersOf, type SignerSettings } from "./config.ts";
export { type RunningSigner, type SignerOptions, startSigner } from "./signer.ts";
