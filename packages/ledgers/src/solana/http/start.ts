import { BlockTimer } from "../../block-timer.ts";
import { LedgerHost } from "../../host.ts";
import { adminRoutes } from "../../http/admin.ts";
import type { LedgerOptions, RunningLedger } from "../../http/running-ledger.ts";
import { serveLedger } from "../../http/serve-ledger.ts";
import { keepLedger } from "../../journal/journal.ts";
import { type AgaveEvent, advanceSolana } from "../advance.ts";
import { loadLiteSvmEngine } from "../engine/lite-svm.ts";
import { makeAgaveGenesis } from "../genesis.ts";
import { type AgaveState, openSolanaLedger } from "../state.ts";
import { agaveAdminActions, agaveAdminView } from "./admin.ts";
import { agaveRoutes } from "./routes.ts";
import { type AgaveNode, mineAgaveNow } from "./running.ts";
import { openAgaveSockets } from "./sockets.ts";
import { AgaveSubscriptions } from "./subscriptions.ts";

/**
 * Starts the ledger of a folder; without earlier state, the ledger holds only the faucet's SOL. JSON-RPC and WebSocket
 * are served on one port.
 * @param options chain: any name, from which the genesis hash is derived; token: must be undefined, because a Solana node
 * requires no credentials
 */
export const startSolanaLedger = async (options: LedgerOptions): Promise<RunningLedger> => {
  const { clock, chain, seed, blockMs, token, folder } = options;
  if (token !== undefined) {
    throw new RangeError("a Solana ledger asks its callers for no token: leave it out");
  }
  const genesis = makeAgaveGenesis(chain, seed);
  const engine = await loadLiteSvmEngine();
  const advance = (state: AgaveState, event: AgaveEvent) => advanceSolana(engine, state, event);
  const kept = keepLedger<AgaveState, AgaveEvent>({
    folder,
    ledger: `Solana ${chain} of ${seed}`,
    open: () => openSolanaLedger(genesis, Math.floor(clock.now() / 1_000)),
    advance,
  });
  const host = new LedgerHost({ ...kept, advance, clock });
  const node: AgaveNode = { engine, host, subscriptions: new AgaveSubscriptions() };
  const timer = new BlockTimer(clock, blockMs, () => mineAgaveNow(node));
  const admin = adminRoutes(agaveAdminActions(node, timer), () => agaveAdminView(node, timer));
  const sockets = openAgaveSockets(node);
  return serveLedger({
    options,
    node: agaveRoutes(node),
    takeOver: sockets.takeOver,
    admin,
    timer,
    end: () => {
      host.stop();
      sockets.close();
    },
  });
};
