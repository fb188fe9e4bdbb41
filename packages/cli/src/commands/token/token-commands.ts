import { TOKEN_KINDS } from "@conclave/testbed/launch";
import { type Command, Option } from "commander";
import { decimalPlaces, wholeCoins } from "../../arguments/coins.ts";
import { networkName } from "../../arguments/network-name.ts";
import { type ClusterOption, operating, stateFolder } from "../../cluster-option.ts";

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
    .requiredOption("--network <network>", "such as Polygon", networkName)
    .addOption(
      new Option("--kind <kind>", "the kind of transfer that moves it")
        .choices(TOKEN_KINDS.map(({ kind }) => kind))
        .makeOptionMandatory(),
    )
    .option("--symbol <symbol>", "what people call it; DEV by default, DEVC for collectibles")
    .option("--decimals <n>", "decimal places; 6 by default", decimalPlaces)
    .option("--supply <tokens>", "how many whole tokens there are; 1000000000 by default", wholeCoins)
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
