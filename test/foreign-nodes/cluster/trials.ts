import { type CustodyApi, waitUntil } from "@conclave/testbed";
import type { AnyRequest, AnyWallet } from "@conclave/testbed/families";
import type { Column, Trial } from "../table.ts";
import { fundedWallet, type ServedNode } from "./served-node.ts";

const LANDED_MS = 120_000;
/** a signer treats a deadline as past only some minutes later, by its own clock */
const BUILT_AGAIN_MS = 1_500_000;
const EXPLAINED_MS = 90_000;
const POLL_MS = 250;
/** number of times that bytes must be submitted while they are not forwarded */
const TIMES_SWALLOWED = 3;

interface Tried {
  readonly api: CustodyApi;
  readonly served: ServedNode;
}

const expectThat = (isSo: boolean, otherwise: string): void => {
  if (!isSo) throw new Error(otherwise);
};

const inWords = ({ id, status, reason }: AnyRequest): string =>
  `${id} is ${status}: ${reason ?? "no reason"}`;

const ENDED: readonly string[] = ["Failed", "Rejected"];

/** Reads a transfer until the condition holds; fails with the transfer's reason if it ended otherwise. */
const until = (
  wallet: AnyWallet,
  sent: AnyRequest,
  what: string,
  isSo: (now: AnyRequest) => boolean,
  deadlineMs = LANDED_MS,
): Promise<AnyRequest> => {
  let last = inWords(sent);
  return waitUntil(
    async () => {
      const now = await wallet.until(sent, () => true);
      last = inWords(now);
      if (isSo(now)) return now;
      expectThat(!ENDED.includes(now.status), last);
      return undefined;
    },
    { what: () => `${what} (${last})`, deadlineMs, pollMs: POLL_MS },
  );
};

const isConfirmed = ({ status }: AnyRequest): boolean => status === "Confirmed";

/** Tests every kind of transfer: the node must show what was asked for, at the API's fee. */
const transfers = async ({ api, served }: Tried): Promise<string> => {
  const { driver } = served.kind;
  const wallet = await fundedWallet(api, served);
  const done: string[] = [];
  for (const { kind, body, expected } of await driver.kinds(served.urls, wallet)) {
    const { txHash, fee } = await wallet.confirmed(body);
    const seen = await driver.read(served.urls, txHash);
    const differences = [
      [seen.sender, wallet.address],
      [seen.recipient, expected.recipient],
      [seen.amount, expected.amount],
      [seen.token, expected.token],
      [seen.fee, BigInt(fee)],
      [seen.isSigned, true],
    ].filter(([one, other]) => one !== other);
    expectThat(
      differences.length === 0,
      `${kind}: the node has ${differences.map((pair) => pair.map(String).join(", not ")).join("; ")}`,
    );
    done.push(`${kind} (fee ${fee})`);
  }
  return done.join(", ");
};

/** Tests that a transfer lands again, once, after its block is undone. */
const reorganisation = async ({ api, served }: Tried): Promise<string> => {
  const { kind, node, clock, urls } = served;
  const wallet = await fundedWallet(api, served);
  const { body, expected } = kind.driver.native(3n * kind.driver.least);
  await clock.hold();
  const sent = await wallet.transfer(body);
  const first = await until(wallet, sent, "bytes", ({ status }) => status === "Broadcasted");
  const txHash = first.txHash ?? "";
  await node.mine(1);
  const before = await kind.driver.read(urls, txHash);
  expectThat(before.recipient === expected.recipient, "it has not landed");
  const wasConfirmed = kind.confirmsAtOnce === true;
  if (wasConfirmed) await until(wallet, sent, "the first confirmation", isConfirmed);
  await node.reorganise?.();
  expectThat((await kind.driver.balance(urls, expected.recipient)) === 0n, "the block was not undone");
  if (wasConfirmed) await until(wallet, sent, "Broadcasted again", ({ status }) => status === "Broadcasted");
  clock.release();
  const last = await until(wallet, sent, "a second confirmation", isConfirmed);
  expectThat(last.txHash === txHash, `it landed as ${last.txHash}, not as ${txHash}`);
  const paid = await kind.driver.balance(urls, expected.recipient);
  expectThat(paid === expected.amount, `${paid} was paid, not ${expected.amount}`);
  return `${wasConfirmed ? "taken back from Confirmed" : "undone before it was confirmed"}, landed once again`;
};

/**
 * Tests a node that accepts transactions but forwards none: the request's state stays right, and it lands once when the node
 * forwards it.
 */
const swallowed = async ({ api, served }: Tried): Promise<string> => {
  const { kind, front, urls } = served;
  const wallet = await fundedWallet(api, served);
  const { body, expected } = kind.driver.native(5n * kind.driver.least);
  front.swallow();
  const sent = await wallet.transfer(body);
  const before = front.swallowed();
  const waiting = await until(
    wallet,
    sent,
    "bytes that are handed over again",
    ({ txHash }) => txHash !== undefined && front.swallowed() >= before + TIMES_SWALLOWED,
  ).finally(() => front.forward());
  expectThat(waiting.status === "Broadcasted", `while nothing is handed on, ${inWords(waiting)}`);
  const last = await until(wallet, sent, "a confirmation", isConfirmed);
  expectThat(last.txHash === waiting.txHash, "other bytes landed");
  const paid = await kind.driver.balance(urls, expected.recipient);
  expectThat(paid === expected.amount, `${paid} was paid, not ${expected.amount}`);
  return `handed over ${front.swallowed() - before} times, landed once`;
};

/** Like `swallowed`, until the bytes are dead: the request is built again, although the node still claims to accept it. */
const pastItsDeadline = async ({ api, served }: Tried): Promise<string> => {
  const { kind, front, urls } = served;
  const wallet = await fundedWallet(api, served);
  const { body, expected } = kind.driver.native(7n * kind.driver.least);
  front.swallow();
  const began = performance.now();
  const sent = await wallet.transfer(body);
  const first = await until(wallet, sent, "bytes", ({ txHash }) => txHash !== undefined);
  const isNew = ({ txHash }: AnyRequest): boolean => txHash !== undefined && txHash !== first.txHash;
  await until(wallet, sent, "bytes that are built again", isNew, BUILT_AGAIN_MS).finally(() =>
    front.forward(),
  );
  const seconds = Math.round((performance.now() - began) / 1_000);
  await until(wallet, sent, "a confirmation", isConfirmed);
  const paid = await kind.driver.balance(urls, expected.recipient);
  expectThat(paid === expected.amount, `${paid} was paid, not ${expected.amount}`);
  return `built again after ${seconds} s, landed once`;
};

const OPERATIONS = [
  ["abort", "PUT"],
  ["cancel", "POST"],
  ["speed-up", "POST"],
] as const;
const BUILT_AGAIN = "the service: it is built again";

/** Names what freed a wallet whose bytes a node refuses permanently; undefined so far if nothing did. */
const freedBy = ({ status, reason }: AnyRequest): string | undefined => {
  // the first bytes are always refused, so other bytes have landed
  if (status === "Confirmed") return BUILT_AGAIN;
  if (status === "Failed") return "the service: it fails";
  return OPERATIONS.find(([name]) => reason?.includes(name))?.[0];
};

/**
 * Tests a node that refuses the signed bytes permanently: either the service frees the wallet, or the request's reason names an
 * operation that does.
 */
const refused = async ({ api, served }: Tried): Promise<string> => {
  const { kind, front, urls } = served;
  const wallet = await fundedWallet(api, served);
  const { body, expected } = kind.driver.native(11n * kind.driver.least);
  front.refuseNext(kind.finalRefusal);
  const sent = await wallet.transfer(body);
  let last = inWords(sent);
  const named = await waitUntil(
    async () => {
      const now = await wallet.until(sent, () => true);
      last = inWords(now);
      return freedBy(now);
    },
    {
      what: () => `a reason that names what frees the wallet (${last})`,
      deadlineMs: kind.expires ? BUILT_AGAIN_MS : EXPLAINED_MS,
      pollMs: POLL_MS,
    },
  );
  expectThat(front.refused() > 0, "no bytes were refused");
  const [name, method] = OPERATIONS.find(([one]) => one === named) ?? [];
  if (name !== undefined && method !== undefined) {
    const path = `/wallets/${wallet.id}/transfers/${sent.id}/${name}`;
    const answer = await api.send(method, path, {});
    expectThat(answer.status === 200, `${name} answers ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  await wallet.confirmed(kind.driver.native(2n * kind.driver.least).body);
  const paid = await kind.driver.balance(urls, expected.recipient);
  const due = named === BUILT_AGAIN || named === "speed-up" ? expected.amount : 0n;
  expectThat(paid === due, `the transfer that was refused has paid ${paid}, not ${due}`);
  return `freed by ${named}`;
};

/** Runs one trial with a node. @returns its result */
const tryOne = async (
  tried: Tried,
  column: Column,
  work: (given: Tried) => Promise<string>,
): Promise<Trial> => {
  const node = tried.served.kind.name;
  process.stderr.write(`foreign-nodes: ${node}, ${column}\n`);
  const trial = await work(tried).then(
    (found): Trial => ({ node, column, isGood: true, found }),
    (cause: unknown): Trial => ({
      node,
      column,
      isGood: false,
      found: cause instanceof Error ? cause.message : String(cause),
    }),
  );
  process.stderr.write(`foreign-nodes: ${node}, ${column}: ${trial.isGood ? "yes" : "NO"}, ${trial.found}\n`);
  return trial;
};

/** Says why a trial does not apply to a node. */
const cannot = ({ served }: Tried, column: Column, found: string): Trial => ({
  node: served.kind.name,
  column,
  isGood: true,
  found,
});
const FINAL_AT_ONCE = "cannot: its blocks are final as soon as they are made";
const NO_DEADLINE = "cannot: its transactions have none";

/** Runs all trials with a node in a cluster, in sequence. */
export const tryNode = async (api: CustodyApi, served: ServedNode): Promise<readonly Trial[]> => {
  const tried = { api, served };
  return [
    await tryOne(tried, "transfers", transfers),
    served.node.reorganise === undefined
      ? cannot(tried, "reorganisation", FINAL_AT_ONCE)
      : await tryOne(tried, "reorganisation", reorganisation),
    await tryOne(tried, "swallowed", swallowed),
    served.kind.expires
      ? await tryOne(tried, "past its deadline", pastItsDeadline)
      : cannot(tried, "past its deadline", NO_DEADLINE),
    await tryOne(tried, "refused", refused),
  ];
};
