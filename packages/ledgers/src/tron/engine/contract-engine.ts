import type { RunContract } from "../rules/applied.ts";

/**
 * An engine for the contracts of one chain. The machine is loaded with the first call: ledgers of other chains, and those whose
 * contracts nobody calls, do without its memory.
 * @param genesisId in hex, of block 0
 */
export const contractEngine = (genesisId: string): RunContract => {
  let machine: Promise<RunContract> | undefined;
  return async (call) => {
    machine ??= import("./run-contract.ts").then(({ javaTronMachine }) => javaTronMachine(genesisId));
    return (await machine)(call);
  };
};
