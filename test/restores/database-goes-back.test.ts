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
const START_MS = 180_000;
const END_MS = 240_000;
const TEST_MS = 900_000;
const ORCHESTRATOR = "orchestrator";
/** With these away too few are left to sign. */
const AWAY = ["signer-2", "signer-3"];
const ENDS: readonly string[] = ["Confirmed", "Failed", "Rejected"];

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
  cluster = await startCluster({ signers: 3, threshold: 2, networks });
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

/** @param named whether each payment bears an externalId, by which its client may ask for it again */
const send = async (times: bigint, named = false): Promise<readonly Sent[]> => {
  const sent: Sent[] = [];
  for (let each = 0; each < EACH; each += 1) {
    for (const [payments, wallet] of wallets) {
      const made = payments.native(times + BigInt(each));
      const externalId = `${payments.network} ${times} ${each}`;
      const payment = named ? { ...made, body: { ...made.body, externalId } } : made;
      sent.push({ wallet, payments, payment, request: await wallet.transfer(payment.body) });
    }
  }
  return sent;
};

/** Asks for each once more, as its client does. @returns the ids that the gateway answers */
const retry = (sent: readonly Sent[]): Promise<readonly string[]> =>
  Promise.all(
    sent.map(({ wallet, payments, payment }) =>
      waitUntil(async () => (await wallet.transfer(payment.body).catch(() => undefined))?.id, {
        what: () => `the gateway takes a payment on ${payments.network} again`,
        deadlineMs: END_MS,
        pollMs: 500,
      }),
    ),
  );

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

const copyDatabase = async (name: string): Promise<void> => {
  await cluster.kill("postgres");
  copy(cluster.layout.postgres, join(copies, name));
  await cluster.restart("postgres");
};

const putBack = async (name: string): Promise<void> => {
  await cluster.kill("postgres");
  copy(join(copies, name), cluster.layout.postgres);
  await cluster.restart("postgres");
};

/** Each has landed once, under the hash that it had before, and nobody was paid twice. */
const expectAsBefore = async (sent: readonly Sent[], before: readonly Request[]): Promise<void> => {
  const after = await ended(sent);
  const told = ({ status, reason, txHash }: Request) => `${status}, ${reason}, ${txHash}`;
  const changed = sent.flatMap(({ payments, request }, at) => {
    const [was, is] = [before[at], after[at]].map((each) => each && told(each));
    return was === is ? [] : [`${payments.network} ${request.id}: ${was} -> ${is}`];
  });
  expect(changed).toEqual([]);
  for (const { wallet, payments, payment } of sent) {
    const { recipient, amount } = payment.expected;
    expect(await payments.balance(wallet, recipient), payments.network).toBe(amount);
  }
};

/** The next test finds the wallets as they should be. */
const expectMore = async (times: bigint): Promise<void> => {
  for (const { status } of await ended(await send(times))) expect(status).toBe("Confirmed");
};

describe("INV-4 INV-5 the database loses its last minute, and every transfer ends as what it was", () => {
  it("goes back to before any was begun, and some were accepted, while the services run", {
    timeout: TEST_MS,
  }, async () => {
    cluster.pause(ORCHESTRATOR);
    const kept = await send(3n);
    await copyDatabase("accepted");
    const lost = await send(5n, true);
    const sent = [...kept, ...lost];
    cluster.resume(ORCHESTRATOR);
    const before = await ended(sent);
    for (const { status } of before) expect(status).toBe("Confirmed");
    await putBack("accepted");
    expect(await retry(lost)).toEqual(lost.map(({ request }) => request.id));
    await expectAsBefore(sent, before);
    await expectMore(7n);
  });

  it("goes back to a moment when they waited for signers, and the orchestrator starts anew", {
    timeout: TEST_MS,
  }, async () => {
    for (const signer of AWAY) cluster.pause(signer);
    const sent = await send(11n);
    await Promise.all(sent.map((each) => until(each, ({ reason }) => reason !== undefined)));
    await copyDatabase("waiting");
    for (const signer of AWAY) cluster.resume(signer);
    const before = await ended(sent);
    for (const { status } of before) expect(status).toBe("Confirmed");
    await cluster.kill(ORCHESTRATOR);
    await putBack("waiting");
    await cluster.restart(ORCHESTRATOR);
    await expectAsBefore(sent, before);
    await expectMore(17n);
  });
});
