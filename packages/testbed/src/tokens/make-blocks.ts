import { commandLedger } from "../networks/ledger-command.ts";
import type { NodeUrls } from "../networks/local-network.ts";

/** Has a simulated ledger make blocks of what waits. */
export const makeBlocks = async ({ adminUrl }: NodeUrls, blocks: number): Promise<void> => {
  await commandLedger(adminUrl, "mine", { blocks });
};
