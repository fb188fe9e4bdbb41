import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Cluster, waitUntil } from "@conclave/testbed";
import {
  type AnyRequest,
  type AnyWallet,
  FAMILY_DRIVERS,
  type KindOfTransfer,
  makeWallet,
} from "@conclave/testbed/families";
import { getAddress } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freshReceiver } from "../integration/funded-wallet.ts";
import { startCluster, stateFolder } from "../integration/throw-away-cluster.ts";

const COINS = "1000";
const EACH = 2;
const SIGNERS = [1, 2, 3];
const START_MS = 180_000;
const END_MS = 300_000;
const TEST_MS = 1_200_000;
const ENDS: readonly string[] = ["Confirmed", "Failed", "Rejected"];
/** From then on an orchestrator asks chains that count no transactions what a wallet has sent since a request was authorised. */
const LATE_MS = 30_000;

const requestSchema = z.object({
  status: z.string(),
  reason: z.string().optional(),
  txHash: z.string().optional(),
});
type Request = z.infer<typeof requestSchema>;

/** A network as the test needs it: a payment to somebody whom nobody has paid, and a balance. */
interface Payments {
  readonly network: string;
  readonly native: (times: bigint) => KindOfTransfer;
  readonly balance: (wallet: AnyWallet, address: string) => Promise<bigint>;
}

interface Sent {
  readonly wallet: AnyWallet;
  readonly payments: Payments;
  readonly payment: KindOfTransfer;
  readonly request: AnyRequest;
}

const copies = stateFolder();
let cluster: Cluster;
let wallets: readonly (readonly [Payments, AnyWallet])[];

const evm: Payments = {
  network: "EthereumSepolia",
  native: (times) => {
    const [to, amount] = [freshReceiver(), 1_000n * times];
    const body = { kind: "Native", to, amount: amount.toString() };
    return { kind: "Native", body, expected: { recipient: to, amount, token: undefined } };
  },
  balance: (_, address) => cluster.chain.client.getBalance({ address: getAddress(address) }),
};
const others = FAMILY_DRIVERS.map(
  (driver): Payments => ({
    network: driver.network,
    native: (times) => driver.native(times * driver.least),
    balance: ({ urls }, address) => driver.balance(urls, address),
  }),
);

beforeAll(async () => {
  const networks = [evm, ...others].map(({ network }) => network);
  cluster = await startCluster({ signers: SIGNERS.length, threshold: 2, networks });
  const made = [evm, ...others].map(async (payments) => {
    const wallet = await makeWallet(cluster, payments.network, COINS);
    await wallet.confirmed(payments.native(2n).body);
    return [payments, wallet] as const;
  });
  wallets = await Promise.all(made);
}, START_MS);
afterAll(async () => {
  await cluster?.stop();
  rmSync(copies, { recursive: true, force: true });
}, START_MS);

const send = async (times: bigint): Promise<readonly Sent[]> => {
  const sent: Sent[] = [];
  for (let each = 0; each < EACH; each += 1) {
    for (const [payments, wallet] of wallets) {
      const payment = payments.native(times + BigInt(each));
      sent.push({ wallet, payments, payment, request: await wallet.transfer(payment.body) });
    }
  }
  return sent;
};

/** Reads a transfer until it is so. While the database is away the gateway says so. */
const until = ({ wallet, payments, request }: Sent, isSo: (now: Request) => boolean): Promise<Request> => {
  const path = `/wallets/${wallet.id}/transfers/${request.id}`;
  let last = "never read";
  return waitUntil(
    async () => {
      const answer = await cluster.api.send("GET", path).catch(() => undefined);
      if (answer?.status !== 200) return undefined;
      const now = requestSchema.parse(answer.body);
      last = `${now.status}: ${now.reason ?? ""}`;
      return isSo(now) ? now : undefined;
    },
    { what: () => `${payments.network} ${path} (last seen: ${last})`, deadlineMs: END_MS, pollMs: 500 },
  );
};

const ended = (sent: readonly Sent[]): Promise<readonly Request[]> =>
  Promise.all(sent.map((each) => until(each, ({ status }) => ENDS.includes(status))));

const copy = (from: string, to: string): void => {
  rmSync(to, { recursive: true, force: true });
  execFileSync("cp", ["-a", from, to]);
};

/** All that a restore puts back. The chains stay as they are. */
const PROCESSES = ["orchestrator", ...SIGNERS.map((index) => `signer-${index}`), "postgres"];
const places = (): readonly (readonly [string, string])[] => [
  [cluster.layout.postgres, "postgres"],
  ...SIGNERS.map((index) => [cluster.layout.signer(index), `signer-${index}`] as const),
];

/** Kills everything that keeps something, has all of it copied or put back, and starts everything again. */
const whileStopped = async (change: (place: string, kept: string) => void): Promise<void> => {
  for (const name of PROCESSES) await cluster.kill(name);
  for (const [place, name] of places()) change(place, join(copies, name));
  for (const name of PROCESSES.toReversed()) await cluster.restart(name);
};

/** Each has landed once, under the hash that it had before, and nobody was paid twice. */
const expectAsBefore = async (sent: readonly Sent[], before: readonly Request[]): Promise<void> => {
  const after = await Promise.allSettled(
    sent.map((each) => until(each, ({ status }) => ENDS.includes(status))),
  );
  const told = ({ status, reason, txHash }: Request) => `${status}, ${reason}, ${txHash}`;
  const changed = sent.flatMap(({ payments, request }, at) => {
    const [was, is] = [before[at], after[at]];
    const now = is?.status === "fulfilled" ? told(is.value) : `never ended: ${is?.reason}`;
    return was !== undefined && told(was) === now
      ? []
      : [`${payments.network} ${request.id}: ${was && told(was)} -> ${now}`];
  });
  const paid: string[] = [];
  for (const { wallet, payments, payment } of sent) {
    const { recipient, amount } = payment.expected;
    const has = await payments.balance(wallet, recipient);
    if (has !== amount) paid.push(`${payments.network}: ${has} in the place of ${amount}`);
  }
  expect([changed, paid]).toEqual([[], []]);
};

describe("INV-4 INV-5 all signers' stores and the database go back to one moment, and the chains stay", () => {
  it("before any transfer was begun: each ends as what it was, paid once", { timeout: TEST_MS }, async () => {
    cluster.pause("orchestrator");
    const sent = await send(3n);
    const sentMs = Date.now();
    await whileStopped(copy);
    const before = await ended(sent);
    for (const { status } of before) expect(status).toBe("Confirmed");
    await waitUntil(async () => (Date.now() - sentMs > LATE_MS ? true : undefined), {
      what: () => "until the requests are late",
      deadlineMs: END_MS,
      pollMs: 500,
    });
    await whileStopped((place, kept) => copy(kept, place));
    await expectAsBefore(sent, before);
    for (const { status } of await ended(await send(7n))) expect(status).toBe("Confirmed");
  });
});
