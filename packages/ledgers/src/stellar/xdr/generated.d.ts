/** The SDK's module with only the protocol's generated types; the SDK publishes no declarations for it. */
declare module "@stellar/stellar-base/lib/generated/curr_generated.js" {
  import type { xdr } from "@stellar/stellar-base";

  const generated: typeof xdr & { readonly default?: typeof xdr };
  export = generated;
}
