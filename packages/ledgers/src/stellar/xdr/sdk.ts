/// <reference path="./generated.d.ts" />
import generated from "@stellar/stellar-base/lib/generated/curr_generated.js";

/**
 * The types of the protocol as xdrgen writes them for the SDK, from Stellar's own definitions. The rest of the SDK (keys, addresses,
 * builders) stays out: with it the import takes four times as long and three times the memory.
 *
 * Node gives a CommonJS module's exports as the default, vitest the default among them.
 */
export const xdr = generated.default ?? generated;
