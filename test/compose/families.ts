import { type CustodyApi, waitUntil } from "@conclave/testbed";
import { z } from "zod";
import { compose } from "./docker.ts";

/** In the smallest unit of each of these chains: enough to create an account and pay its fees. */
const COINS = "1000000000";
const AMOUNT = "1000000";
const FUND = ["node", "services/ledger/dist/bundle/fund.js"];
const CONFIRMED_MS = 180_000;

const walletSchema = z.looseObject({ id: z.string(), address: z.string() });
const transferSchema = z.looseObject({ id: z.string(), status: z.string(), reason: z.string().optional() });

const ask = async <T>(
  api: CustodyApi,
  schema: z.ZodType<T>,
  ...words: readonly [string, string, object?]
) => {
  const { status, body } = await api.send(...words);
  if (status !== 200) throw new Error(`${words[0]} ${words[1]} answers ${status}: ${JSON.stringify(body)}`);
  return schema.parse(body);
};

const openWallet = async (api: CustodyApi, network: string) => {
  // a new key needs all signers; on a busy machine, one may be out of sight for a moment
  const wallet = await waitUntil(
    () =>
      ask(api, walletSchema, "POST", "/wallets", { network, name: "compose test" }).catch(() => undefined),
    { what: `a wallet on ${network}`, deadlineMs: CONFIRMED_MS, pollMs: 500 },
  );
  await compose("exec", "-T", `ledger-${network.toLowerCase()}`, ...FUND, wallet.address, COINS);
  return wallet;
};

/** Sends from one new wallet of a network to another, funded by the faucet of its node, and waits until it is confirmed. */
export const payOn = async (api: CustodyApi, network: string): Promise<void> => {
  const from = await openWallet(api, network);
  const { address: to } = await openWallet(api, network);
  const path = `/wallets/${from.id}/transfers`;
  const { id } = await ask(api, transferSchema, "POST", path, { kind: "Native", to, amount: AMOUNT });
  await waitUntil(
    async () => {
      const { status, reason } = await ask(api, transferSchema, "GET", `${path}/${id}`);
      if (status === "Failed" || status === "Rejected") throw new Error(`it is ${status}: ${reason}`);
      return status === "Confirmed" ? true : undefined;
    },
    { what: `a transfer on ${network}`, deadlineMs: CONFIRMED_MS, pollMs: 200 },
  );
};
