import { Hono } from "hono";
import { BlockTimer } from "../../block-timer.ts";
import { LedgerHost } from "../../host.ts";
import { adminRoutes } from "../../http/admin.ts";
import type { ConnectionBindings } from "../../http/lost-reply.ts";
import type { LedgerOptions, RunningLedger } from "../../http/running-ledger.ts";
import { serveLedger } from "../../http/serve-ledger.ts";
import { keepLedger } from "../../journal/journal.ts";
import { advanceBitcoin, type BitcoindEvent } from "../advance.ts";
import { makeBitcoindGenesis } from "../genesis.ts";
import { type BitcoindState, openBitcoinLedger } from "../state.ts";
import { bitcoinAdminActions, bitcoinAdminView, mineBlockNow } from "./admin.ts";
import { esploraRoutes } from "./esplora-routes.ts";
import { rpcRoute } from "./rpc-route.ts";

/**
 * Starts the ledger of a folder; without earlier state, the ledger holds only the faucet's outputs.
 * @param options chain: as bitcoind's `-chain`, such as "regtest"; token: user and password, joined by a colon
 */
export const startBitcoinLedger = async (options: LedgerOptions): Promise<RunningLedger> => {
  const { clock, chain, seed, blockMs, token, folder } = options;
  const genesis = makeBitcoindGenesis(chain, seed);
  const kept = keepLedger<BitcoindState, BitcoindEvent>({
    folder,
    ledger: `Bitcoin ${genesis.network.chain} of ${seed}`,
    open: () => openBitcoinLedger(genesis),
    advance: advanceBitcoin,
  });
  const host = new LedgerHost({ ...kept, advance: advanceBitcoin, clock });
  const timer = new BlockTimer(clock, blockMs, () => mineBlockNow(host));
  const admin = adminRoutes(bitcoinAdminActions(host, timer), () => bitcoinAdminView(host, timer));
  const routes = new Hono<ConnectionBindings>()
    .route("/", rpcRoute(host, token))
    .route("/", esploraRoutes(host));
  return serveLedger({
    options,
    node: routes,
    admin,
    timer,
    end: () => host.stop(),
  });
};
