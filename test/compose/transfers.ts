import { CustodyApi, waitUntil } from "@conclave/testbed";
import { z } from "zod";
import { compose } from "./docker.ts";

const GATEWAY = "http://127.0.0.1:8080";
const CHAIN = "http://127.0.0.1:8545";
const CONFIRMED_MS = 180_000;
/** Keeps the polling below the limit of a thousand requests a minute for an organisation. */
const READ_MS = 200;
const COINS = "0x56bc75e2d63100000";

const developerSchema = z.looseObject({ token: z.string() });

/** A funded wallet of the development user that sends transfers. */
export interface Payer {
  readonly api: CustodyApi;
  /**
   * Sends one unit to a new address. @returns a function that waits until it is confirmed, and returns the milliseconds
   * since it was sent
   */
  send(): Promise<() => Promise<number>>;
  /** Sends one unit to a new address, and waits until it is confirmed. @returns milliseconds */
  pay(): Promise<number>;
  /** numbers of accepted and confirmed transfers */
  count(): Promise<{ readonly accepted: number; readonly confirmed: number }>;
}

const anvil = async (method: string, ...params: readonly unknown[]): Promise<void> => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  await fetch(CHAIN, { method: "POST", headers: { "content-type": "application/json" }, body });
};

export const openPayer = async (): Promise<Payer> => {
  const { token } = developerSchema.parse(JSON.parse(await compose("run", "--rm", "developer")));
  const api = new CustodyApi(GATEWAY, token, READ_MS);
  const wallet = await api.createWallet("EthereumSepolia", "compose test");
  await anvil("anvil_setBalance", wallet.address, COINS);
  const ids: string[] = [];
  let count = 0;
  const send = async (): Promise<() => Promise<number>> => {
    const began = performance.now();
    count += 1;
    const to = `0x${count.toString(16).padStart(40, "c0ffee")}`;
    const asked = await waitUntil(
      () => api.transfer(wallet.id, { kind: "Native", to, amount: "1" }).catch(() => undefined),
      { what: "a gateway that accepts", deadlineMs: CONFIRMED_MS, pollMs: READ_MS },
    );
    ids.push(asked.id);
    return async () => {
      await api.confirmed(asked, CONFIRMED_MS);
      return performance.now() - began;
    };
  };
  return {
    api,
    send,
    pay: async () => (await send())(),
    count: async () => {
      const states = await Promise.all(ids.map((id) => api.readTransfer(wallet.id, id)));
      return {
        accepted: ids.length,
        confirmed: states.filter(({ status }) => status === "Confirmed").length,
      };
    },
  };
};
