// For code that tests every chain family from outside: the demo, benchmarks and tests. Loads the chains' SDKs.
export { command, type FamilyDriver, type KindOfTransfer } from "./families/driver.ts";
export { FAMILY_DRIVERS } from "./families/every-driver.ts";
export {
  type AnyArrival,
  type AnyRequest,
  type AnyWallet,
  makeWallet,
  openWallet,
} from "./families/wallet.ts";
