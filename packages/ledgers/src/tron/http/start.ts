import { BlockTimer } from "../../block-timer.ts";
import { LedgerHost } from "../../host.ts";
import { adminRoutes } from "../../http/admin.ts";
import type { LedgerOptions, RunningLedger } from "../../http/running-ledger.ts";
import { serveLedger } from "../../http/serve-ledger.ts";
import { keepLedger } from "../../journal/journal.ts";
import { advanceTron, type JavaTronEvent } from "../advance.ts";
import { contractEngine } from "../engine/contract-engine.ts";
import { makeJavaTronGenesis } from "../genesis.ts";
import { type JavaTronState, openTronLedger } from "../state.ts";
import { javaTronAdminActions, javaTronAdminView } from "./admin.ts";
import { javaTronRoutes } from "./routes.ts";
import { JavaTronNode } from "./running.ts";

/**
 * Starts the ledger of a folder; without earlier state, the ledger holds only the faucet's TRX.
 * @param options chain: any name, at most 64 characters; block 0 is derived from it and the seed
 */
export const startTronLedger = async (options: LedgerOptions): Promise<RunningLedger> => {
  const { clock, chain, seed, blockMs, token, folder } = options;
  const genesis = makeJavaTronGenesis(chain, seed);
  const kept = keepLedger<JavaTronState, JavaTronEvent>({
    folder,
    ledger: `Tron ${chain} of ${seed}`,
    open: () => openTronLedger(genesis, clock.now()),
    advance: advanceTron,
  });
  const host = new LedgerHost({ ...kept, advance: advanceTron, clock });
  const node = new JavaTronNode(host, contractEngine(genesis.block.id));
  const timer = new BlockTimer(clock, blockMs, () => node.mineByClock());
  const admin = adminRoutes(javaTronAdminActions(node, timer), () => javaTronAdminView(node, timer));
  return serveLedger({
    options,
    node: javaTronRoutes(node, token),
    admin,
    timer,
    end: () => host.stop(),
  });
};
