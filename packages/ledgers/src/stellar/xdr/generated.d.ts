/** The module of the SDK with the types of the protocol and nothing else; the SDK declares their types elsewhere. */
declare module "@stellar/stellar-base/lib/generated/curr_generated.js" {
  import type { xdr } from "@stellar/stellar-base";

  const generated: typeof xdr & { readonly default?: typeof xdr };
  export = generated;
}
