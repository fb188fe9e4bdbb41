import { BlockTimer } from "../../block-timer.ts";
import { LedgerHost } from "../../host.ts";
import { adminRoutes } from "../../http/admin.ts";
import type { LedgerOptions, RunningLedger } from "../../http/running-ledger.ts";
import { serveLedger } from "../../http/serve-ledger.ts";
import { keepLedger } from "../../journal/journal.ts";
import { advanceXrpl, type RippledEvent } from "../advance.ts";
import { makeRippledGenesis } from "../genesis.ts";
import { rippledSeconds } from "../ripple-time.ts";
import { openXrpLedger, type RippledState } from "../state.ts";
import { rippledAdminActions, rippledAdminView } from "./admin.ts";
import { rippledRoutes } from "./routes.ts";
import { closeRippledLedgerNow, type RippledNode } from "./running.ts";
import { openRippledSockets } from "./sockets.ts";
import { RippledStreams } from "./streams.ts";

/**
 * Starts the ledger of a folder; without earlier state, the ledger holds only the faucet's XRP. JSON-RPC and WebSocket
 * are served on one port.
 * @param options chain: the network id, a decimal number; token: must be undefined, because rippled requires no
 * credentials
 */
export const startXrpLedger = async (options: LedgerOptions): Promise<RunningLedger> => {
  const { clock, chain, seed, blockMs, token, folder } = options;
  if (token !== undefined) {
    throw new RangeError("an XRP Ledger asks its callers for no token: leave it out");
  }
  const genesis = makeRippledGenesis(chain, seed);
  const kept = keepLedger<RippledState, RippledEvent>({
    folder,
    ledger: `XrpLedger ${genesis.networkId} of ${seed}`,
    open: () => openXrpLedger(genesis, rippledSeconds(clock.now())),
    advance: advanceXrpl,
  });
  const host = new LedgerHost({ ...kept, advance: advanceXrpl, clock });
  const node: RippledNode = { host, streams: new RippledStreams() };
  const timer = new BlockTimer(clock, blockMs, () => closeRippledLedgerNow(node));
  const admin = adminRoutes(rippledAdminActions(node, timer), () => rippledAdminView(node, timer));
  const sockets = openRippledSockets(node);
  return serveLedger({
    options,
    node: rippledRoutes(node),
    takeOver: sockets.takeOver,
    admin,
    timer,
    end: () => {
      host.stop();
      sockets.close();
    },
  });
};
