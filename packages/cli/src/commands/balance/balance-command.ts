import type { Command } from "commander";
import { networkName } from "../../arguments/network-name.ts";
import { type ClusterOption, operating, stateFolder } from "../../cluster-option.ts";
import type { BalanceAsked } from "./balance.ts";

/** Adds the command that shows what a wallet or an address holds. */
export const addBalanceCommand = (program: Command): void => {
  operating(program.command("balance <holder>"))
    .description("show what a wallet, by its id, name or address, or any address of a local network holds")
    .option("--network <network>", "where; a wallet that is the only one called so has its own", networkName)
    .option("--json", "as JSON", false)
    .action(async (holder: string, options: ClusterOption & BalanceAsked) => {
      const { balance } = await import("./balance.ts");
      await balance(stateFolder(options), holder, options);
    });
};
