import { BlockTimer } from "../../block-timer.ts";
import { LedgerHost } from "../../host.ts";
import { adminRoutes } from "../../http/admin.ts";
import type { LedgerOptions, RunningLedger } from "../../http/running-ledger.ts";
import { serveLedger } from "../../http/serve-ledger.ts";
import { keepLedger } from "../../journal/journal.ts";
import { advanceStellar, type HorizonEvent } from "../advance.ts";
import { makeHorizonGenesis } from "../genesis.ts";
import { type HorizonState, openStellarLedger } from "../state.ts";
import { closeNow, horizonAdminActions, horizonAdminView } from "./admin.ts";
import { horizonRoutes } from "./routes.ts";

/**
 * Starts the ledger of a folder; without earlier state, the ledger holds only the faucet's money. Horizon is served at
 * `/`, Stellar RPC at `/rpc`.
 * @param options chain: the network's passphrase, at most 64 characters
 */
export const startStellarLedger = async (options: LedgerOptions): Promise<RunningLedger> => {
  const { clock, chain, seed, blockMs, token, folder } = options;
  const kept = keepLedger<HorizonState, HorizonEvent>({
    folder,
    ledger: `Stellar ${chain} of ${seed}`,
    open: () => openStellarLedger(makeHorizonGenesis(chain, seed), BigInt(Math.floor(clock.now() / 1_000))),
    advance: advanceStellar,
  });
  const host = new LedgerHost({ ...kept, advance: advanceStellar, clock });
  const timer = new BlockTimer(clock, blockMs, () => closeNow(host));
  const admin = adminRoutes(horizonAdminActions(host, timer), () => horizonAdminView(host, timer));
  return serveLedger({
    options,
    node: horizonRoutes(host, token),
    admin,
    timer,
    end: () => host.stop(),
  });
};
