import { BlockTimer } from "../../block-timer.ts";
import { LedgerHost } from "../../host.ts";
import { adminRoutes } from "../../http/admin.ts";
import { listenHttp } from "../../http/listen.ts";
import type { LedgerOptions, RunningLedger } from "../../http/running-ledger.ts";
import { advanceAlgorand } from "../advance.ts";
import { makeAlgodGenesis } from "../genesis.ts";
import { openAlgorandLedger } from "../state.ts";
import { adminActions, adminView, mineNow } from "./admin.ts";
import { algodRoutes } from "./routes.ts";

const LOOPBACK = "127.0.0.1";

/** Starts a ledger with nothing in it but the faucet's money. @param options chain: the genesis id, at most 64 characters */
export const startAlgorandLedger = async (options: LedgerOptions): Promise<RunningLedger> => {
  const { clock, chain, seed, blockMs, listen, adminPort, token } = options;
  const opened = BigInt(Math.floor(clock.now() / 1_000));
  const state = openAlgorandLedger(makeAlgodGenesis(chain, seed), opened);
  const host = new LedgerHost({ state, advance: advanceAlgorand, clock });
  const timer = new BlockTimer(clock, blockMs, () => mineNow(host));
  const admin = adminRoutes(adminActions(host, timer), () => adminView(host, timer));
  const algod = await listenHttp(algodRoutes(host, token), listen);
  const control = await listenHttp(admin, { host: LOOPBACK, port: adminPort }).catch(
    async (error: unknown) => {
      await algod.close();
      throw error;
    },
  );
  timer.start();
  return {
    url: algod.url,
    adminUrl: control.url,
    stop: async () => {
      timer.hold();
      host.stop();
      await Promise.all([algod.close(), control.close()]);
    },
  };
};
