import { BlockTimer } from "../../block-timer.ts";
import type { LedgerClock } from "../../clock.ts";
import { LedgerHost } from "../../host.ts";
import { adminRoutes } from "../../http/admin.ts";
import { type ListenOptions, listenHttp } from "../../http/listen.ts";
import type { RunningLedger } from "../../http/running-ledger.ts";
import { advanceAlgorand } from "../advance.ts";
import { makeAlgodGenesis } from "../genesis.ts";
import { openAlgorandLedger } from "../state.ts";
import { adminActions, adminView, mineNow } from "./admin.ts";
import { algodRoutes } from "./routes.ts";

const LOOPBACK = "127.0.0.1";

export interface AlgorandLedgerOptions {
  readonly clock: LedgerClock;
  /** in every transaction; 1 to 64 characters */
  readonly genesisId: string;
  /** any text; it makes the genesis hash and the faucet's key */
  readonly seed: string;
  /** 0 makes blocks by hand only */
  readonly blockMs: number;
  /** where algod's interface is served */
  readonly listen: ListenOptions;
  /** the admin endpoint's port, on loopback; 0 takes a free one */
  readonly adminPort: number;
  /** what callers of algod's interface must send; undefined asks for none */
  readonly token: string | undefined;
}

/** Starts a ledger with nothing in it but the faucet's money. */
export const startAlgorandLedger = async (options: AlgorandLedgerOptions): Promise<RunningLedger> => {
  const { clock, genesisId, seed, blockMs, listen, adminPort, token } = options;
  const opened = BigInt(Math.floor(clock.now() / 1_000));
  const state = openAlgorandLedger(makeAlgodGenesis(genesisId, seed), opened);
  const host = new LedgerHost({ state, advance: advanceAlgorand, clock });
  const timer = new BlockTimer(clock, blockMs, () => mineNow(host));
  const admin = adminRoutes(adminActions(host, timer), () => adminView(host, timer));
  const algod = await listenHttp(algodRoutes(host, token), listen);
  const control = await listenHttp(admin, { host: LOOPBACK, port: adminPort });
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
