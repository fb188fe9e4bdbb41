import { BlockTimer } from "../../block-timer.ts";
import { LedgerHost } from "../../host.ts";
import { adminRoutes } from "../../http/admin.ts";
import type { LedgerOptions, RunningLedger } from "../../http/running-ledger.ts";
import { serveLedger } from "../../http/serve-ledger.ts";
import { keepLedger } from "../../journal/journal.ts";
import { type AlgodEvent, advanceAlgorand } from "../advance.ts";
import { makeAlgodGenesis } from "../genesis.ts";
import { type AlgodState, openAlgorandLedger } from "../state.ts";
import { adminActions, adminView, mineNow } from "./admin.ts";
import { algodRoutes } from "./routes.ts";

/**
 * Starts the ledger of a folder; without earlier state, the ledger holds only the faucet's money. @param options chain:
 * the genesis id, at most 64 characters
 */
export const startAlgorandLedger = async (options: LedgerOptions): Promise<RunningLedger> => {
  const { clock, chain, seed, blockMs, token, folder } = options;
  const kept = keepLedger<AlgodState, AlgodEvent>({
    folder,
    ledger: `Algorand ${chain} of ${seed}`,
    open: () => openAlgorandLedger(makeAlgodGenesis(chain, seed), BigInt(Math.floor(clock.now() / 1_000))),
    advance: advanceAlgorand,
  });
  const host = new LedgerHost({ ...kept, advance: advanceAlgorand, clock });
  const timer = new BlockTimer(clock, blockMs, () => mineNow(host));
  const admin = adminRoutes(adminActions(host, timer), () => adminView(host, timer));
  return serveLedger({
    options,
    node: algodRoutes(host, token),
    admin,
    timer,
    end: () => host.stop(),
  });
};
