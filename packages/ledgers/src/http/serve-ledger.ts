import type { Hono } from "hono";
import type { BlockTimer } from "../block-timer.ts";
import { listenHttp, type TakeOver } from "./listen.ts";
import type { ConnectionBindings } from "./lost-reply.ts";
import type { LedgerOptions, RunningLedger } from "./running-ledger.ts";

const LOOPBACK = "127.0.0.1";

/** The HTTP interfaces of a ledger, and its parts that have to be stopped with them. */
export interface ServedLedger {
  readonly options: Pick<LedgerOptions, "listen" | "adminPort">;
  /** the node's interface */
  readonly node: Hono<ConnectionBindings>;
  /** takes over connections that upgrade to another protocol on the node's port */
  readonly takeOver?: TakeOver;
  readonly admin: Hono<ConnectionBindings>;
  readonly timer: BlockTimer;
  /** ends all waiting requests, before connections are closed */
  readonly end: () => void;
}

/** Serves a ledger's two interfaces, and then starts automatic blocks. */
export const serveLedger = async (served: ServedLedger): Promise<RunningLedger> => {
  const { options, timer } = served;
  const node = await listenHttp(served.node, options.listen, served.takeOver);
  const admin = await listenHttp(served.admin, { host: LOOPBACK, port: options.adminPort }).catch(
    async (error: unknown) => {
      await node.close();
      throw error;
    },
  );
  timer.start();
  return {
    url: node.url,
    adminUrl: admin.url,
    stop: async () => {
      timer.hold();
      served.end();
      await Promise.all([node.close(), admin.close()]);
    },
  };
};
