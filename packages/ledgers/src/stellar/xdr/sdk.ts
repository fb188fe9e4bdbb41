/// <reference path="./generated.d.ts" />
import generated from "@stellar/stellar-base/lib/generated/curr_generated.js";

/**
 * The protocol's types, which xdrgen generates for the SDK from Stellar's definitions. The rest of the SDK (keys,
 * addresses, builders) is not imported: it would take four times as long to load, and three times the memory.
 *
 * Node makes the exports of a CommonJS module its default export; vitest has a further default inside it.
 */
export const xdr = generated.default ?? generated;
