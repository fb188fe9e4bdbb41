import type { ChainMove } from "@conclave/testbed";
import type { Command } from "commander";
import { networkName } from "../../arguments/network-name.ts";
import { type ClusterOption, operating, stateFolder } from "../../cluster-option.ts";
import { blockCount } from "./block-count.ts";
import { durationSeconds } from "./duration.ts";

const DEFAULT_NETWORK = "EthereumSepolia";

interface ChainOptions extends ClusterOption {
  readonly network: string;
}

/** Adds the commands that move the chains of local networks. */
export const addChainCommands = (program: Command): void => {
  const chain = program.command("chain").description("make, replace and date blocks of local networks");
  const moving = (command: Command): Command =>
    operating(command).option("--network <network>", "whose chain", networkName, DEFAULT_NETWORK);
  const moved = async (options: ChainOptions, move: ChainMove): Promise<void> => {
    const { moveLocalChain } = await import("./move.ts");
    await moveLocalChain(stateFolder(options), options.network, move);
  };
  moving(chain.command("mine"))
    .description("make blocks of what waits, at once")
    .option("--blocks <n>", "how many", blockCount, 1)
    .action((options: ChainOptions & { readonly blocks: number }) =>
      moved(options, { kind: "mine", blocks: options.blocks }),
    );
  moving(chain.command("advance"))
    .description("move the chain's clock forward and make a block; services keep the real time")
    .argument("<duration>", "such as 90s, 15m, 1h or 2d", durationSeconds)
    .action((seconds: number, options: ChainOptions) => moved(options, { kind: "advance", seconds }));
  moving(chain.command("reorganise"))
    .description("replace the latest blocks, as a fork of the chain does")
    .argument("<blocks>", "how many", blockCount)
    .action((blocks: number, options: ChainOptions) => moved(options, { kind: "reorganise", blocks }));
};
