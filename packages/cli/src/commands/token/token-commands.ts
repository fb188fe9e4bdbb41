import type { Command } from "commander";
import { type ClusterOption, operating, stateFolder } from "../../cluster-option.ts";
import { wholeNumber } from "../../whole-number.ts";

interface CreateOptions extends ClusterOption {
  readonly network: string;
  readonly kind: string;
  readonly symbol?: string;
  readonly decimals?: number;
  readonly supply?: string;
}

/** Adds the commands that make tokens on local networks. */
export const addTokenCommands = (program: Command): void => {
  const token = program
    .command("token")
    .description("make tokens on local networks; `fund --token` pays them");
  operating(token.command("create"))
    .description("make a token of a kind of transfer, such as Erc20 or Erc721")
    .requiredOption("--network <network>", "such as Polygon")
    .requiredOption("--kind <kind>", "such as Erc20; a wrong one lists those of the network")
    .option("--symbol <symbol>", "what people call it; DEV by default, DEVC for collectibles")
    .option("--decimals <n>", "decimal places; 6 by default", wholeNumber)
    .option("--supply <tokens>", "how many whole tokens there are; 1000000000 by default")
    .action(async ({ network, kind, symbol, decimals, supply, ...options }: CreateOptions) => {
      const { createToken } = await import("./create.ts");
      await createToken(stateFolder(options), { network, kind, symbol, decimals, supply });
    });
  operating(token.command("list"))
    .description("list the tokens that were made")
    .option("--json", "as JSON", false)
    .action(async (options: ClusterOption & { readonly json: boolean }) => {
      const { listTokens } = await import("./list.ts");
      listTokens(stateFolder(options), options.json);
    });
};
