import { BlockTimer } from "../../block-timer.ts";
import { LedgerHost } from "../../host.ts";
import { adminRoutes } from "../../http/admin.ts";
import { listenHttp } from "../../http/listen.ts";
import type { LedgerOptions, RunningLedger } from "../../http/running-ledger.ts";
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

const LOOPBACK = "127.0.0.1";

/**
 * Starts a ledger from its folder; with nothing in it but the faucet's XRP where there is none. JSON-RPC and WebSocket are served on one port.
 * @param options chain: the network id, a decimal number; token: undefined, for rippled asks its callers for nothing
 */
export const startXrpLedger = async (options: LedgerOptions): Promise<RunningLedger> => {
  const { clock, chain, seed, blockMs, listen, adminPort, token, folder } = options;
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
  const rippled = await listenHttp(rippledRoutes(node), listen, sockets.takeOver);
  const control = await listenHttp(admin, { host: LOOPBACK, port: adminPort }).catch(
    async (error: unknown) => {
      await rippled.close();
      throw error;
    },
  );
  timer.start();
  return {
    url: rippled.url,
    adminUrl: control.url,
    stop: async () => {
      timer.hold();
      host.stop();
      sockets.close();
      await Promise.all([rippled.close(), control.close()]);
    },
  };
};
