import type { RunContract } from "../rules/applied.ts";

/**
 * Runs the contracts of one chain. The machine is loaded at the first call, so that ledgers without contract calls need
 * no memory for it.
 * @param genesisId in hex, of block 0
 */
export const contractEngine = (genesisId: string): RunContract => {
  let machine: Promise<RunContract> | undefined;
  return async (call) => {
    machine ??= import("./run-contract.ts").then(({ javaTronMachine }) => javaTronMachine(genesisId));
    return (await machine)(call);
  };
};
