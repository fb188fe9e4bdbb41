import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import {
  type ApiTransfer,
  type ApiTransferBody,
  type ApiWallet,
  type Cluster,
  clustersFolder,
  createCluster,
  DEVELOPMENT_CHAIN_ID,
  LaunchError,
  type StockReport,
  typedCommand,
  waitUntil,
} from "@conclave/testbed";
import { nextStopRequest } from "../stop-request.ts";
import { table } from "../table.ts";
import { familyScenes, type KindRow } from "./family-scenes.ts";
import { decodeIndependently } from "./independent-check.ts";
import { Narrator } from "./narrator.ts";
import { signersAtWork } from "./signers-at-work.ts";

const PAYEE = "0x00000000000000000000000000000000c0ffee00";
const ONE_ETHER = 10n ** 18n;
const FIRST_AMOUNT = 10n ** 16n;
const TOKEN_SUPPLY = 5_000_000_000n;
const TOKEN_AMOUNT = 1_234_567n;
const THIRD_AMOUNT = 2n * 10n ** 16n;
/** A three-of-five signature takes seconds; this allows for a slow machine. */
const CONFIRM_MS = 240_000;
const WAIT_REASON_MS = 60_000;
/** For one presignature in each of five sets of three signers, on two cores. */
const STOCK_MS = 240_000;

interface Story {
  readonly cluster: Cluster;
  readonly narrator: Narrator;
  /** confirmed transfers, one of each kind */
  readonly rows: KindRow[];
}

interface Expected {
  readonly nonce: number;
  readonly value: bigint;
  readonly to: string;
  readonly token?: { readonly to: string; readonly amount: bigint };
}

const verify = async (
  { cluster, narrator, rows }: Story,
  name: string,
  wallet: ApiWallet,
  transfer: ApiTransfer,
  expected: Expected,
): Promise<void> => {
  narrator.equal(`${name} status`, transfer.status, "Confirmed");
  if (transfer.txHash === undefined) return narrator.check(`${name} is on chain`, "it has no hash", false);
  const decoded = decodeIndependently(await cluster.chain.rawTransaction(transfer.txHash));
  narrator.equal(
    `${name} sender, recovered by ethers`,
    decoded.from.toLowerCase(),
    wallet.address.toLowerCase(),
  );
  narrator.equal(`${name} hash, computed by ethers`, decoded.hash, transfer.txHash);
  narrator.equal(`${name} chain id`, String(decoded.chainId), String(DEVELOPMENT_CHAIN_ID));
  narrator.equal(`${name} account nonce`, String(decoded.nonce), String(expected.nonce));
  narrator.equal(`${name} value in wei`, String(decoded.value), String(expected.value));
  narrator.equal(`${name} destination`, decoded.to.toLowerCase(), expected.to.toLowerCase());
  if (expected.token !== undefined) {
    narrator.equal(`${name} payee in the call`, decoded.token?.to.toLowerCase() ?? "none", expected.token.to);
    narrator.equal(`${name} units in the call`, String(decoded.token?.amount), String(expected.token.amount));
  }
  rows.push({
    network: cluster.description.chain.network,
    kind: name,
    txHash: transfer.txHash,
    fee: transfer.fee ?? "none",
    status: transfer.status,
    sender: decoded.from,
  });
  narrator.check(`${name} fee really paid, in wei`, transfer.fee ?? "none", BigInt(transfer.fee ?? 0) > 0n);
};

const send = async (
  { cluster, narrator }: Story,
  wallet: ApiWallet,
  body: ApiTransferBody,
): Promise<ApiTransfer> => {
  const transfer = await cluster.api.transfer(wallet.id, body);
  narrator.say(`POST /wallets/${wallet.id}/transfers ${JSON.stringify(body)}`);
  narrator.say(`→ ${transfer.id}, ${transfer.status}`);
  return transfer;
};

const createFundedWallet = async ({ cluster, narrator }: Story) => {
  narrator.chapter("All five signers make a key together. Nobody ever holds it.");
  const wallet = await cluster.api.createWallet("EthereumSepolia", "demo");
  narrator.say(`wallet ${wallet.id}, address ${wallet.address}, public key ${wallet.signingKey.publicKey}`);
  await cluster.chain.setBalance(wallet.address, ONE_ETHER);
  const token = await cluster.chain.giveTokens(wallet.address, TOKEN_SUPPLY);
  narrator.say(`the development chain gives it 1 ETH and ${TOKEN_SUPPLY} units of the ERC-20 ${token}`);
  return { wallet, token };
};

const leavesSome = ({ sets }: StockReport, dead: number): boolean =>
  sets.some((set) => set.ready > 0 && !set.signers.includes(dead));

const stockWith = ({ cluster }: Story, isEnough: (held: StockReport) => boolean): Promise<StockReport> =>
  waitUntil(
    async () => {
      const held = await cluster.stock();
      return held !== undefined && isEnough(held) ? held : undefined;
    },
    { what: "presignatures to be ready", deadlineMs: STOCK_MS, pollMs: 100 },
  );

/** Waits until the death of any one signer would leave ready presignatures. */
const stockUp = async (story: Story): Promise<void> => {
  const { cluster, narrator } = story;
  narrator.chapter("In the background the signers make presignatures, among several sets of three.");
  const { signers } = cluster.description;
  const stock = await stockWith(story, (held) => signers.every(({ index }) => leavesSome(held, index)));
  for (const { signers: set, ready } of stock.sets) narrator.say(`signers ${set.join(", ")}: ${ready} ready`);
  narrator.check("any one signer could die and leave presignatures", `${stock.ready} ready`, stock.ready > 0);
};

const signedFromPool = async ({ cluster }: Story): Promise<number> =>
  (await cluster.stock())?.signed.pooled ?? 0;

const firstTransfer = async (story: Story, wallet: ApiWallet): Promise<void> => {
  const { cluster, narrator } = story;
  narrator.chapter("First transfer: ether, signed by three of five with a presignature of the pool.");
  const sentAt = performance.now();
  const sent = await send(story, wallet, { kind: "Native", to: PAYEE, amount: String(FIRST_AMOUNT) });
  await cluster.api.follow(sent, ({ txHash }) => txHash !== undefined, CONFIRM_MS);
  narrator.say(`on its way to the chain after ${Math.round(performance.now() - sentAt)} ms`);
  const done = await cluster.api.confirmed(sent, CONFIRM_MS);
  await verify(story, "Native", wallet, done, { nonce: 0, value: FIRST_AMOUNT, to: PAYEE });
  narrator.equal("signatures from the pool", String(await signedFromPool(story)), "1");
};

const secondTransfer = async (story: Story, wallet: ApiWallet, contract: `0x${string}`): Promise<string> => {
  const { cluster, narrator } = story;
  const victim = "signer-2";
  narrator.chapter(
    "Second transfer: an ERC-20, while one signer is dead. Sets without it have presignatures.",
  );
  // the first transfer may have used the only presignature without the victim
  await stockWith(story, (held) =>
    cluster.description.signers.every(({ id, index }) => id !== victim || leavesSome(held, index)),
  );
  narrator.say(`kill -9 ${victim}`);
  await cluster.kill(victim);
  const body = { kind: "Erc20", contract, to: PAYEE, amount: String(TOKEN_AMOUNT) } as const;
  const sent = await send(story, wallet, body);
  const done = await cluster.api.confirmed(sent, CONFIRM_MS);
  const token = { to: PAYEE, amount: TOKEN_AMOUNT };
  await verify(story, "Erc20", wallet, done, { nonce: 1, value: 0n, to: contract, token });
  const received = await cluster.chain.tokenBalance(contract, PAYEE);
  narrator.equal("units that the payee holds", String(received), String(TOKEN_AMOUNT));
  narrator.equal("signatures from the pool", String(await signedFromPool(story)), "2");
  return victim;
};

const thirdTransfer = async (story: Story, wallet: ApiWallet, dead: string): Promise<void> => {
  const { cluster, narrator } = story;
  const second = "signer-4";
  narrator.chapter(
    "Third transfer: the last three have no presignature, and one is killed while they make it.",
  );
  narrator.say(`kill -9 ${second}`);
  await cluster.kill(second);
  const sent = await send(story, wallet, { kind: "Native", to: PAYEE, amount: String(THIRD_AMOUNT) });
  const busy = await signersAtWork(cluster);
  const third = busy[0]?.id ?? "none";
  narrator.say(`${busy.map(({ id, stage }) => `${id} is at ${stage}`).join(", ")}; kill -9 ${third}`);
  await cluster.kill(third);
  narrator.check("killed in mid-signature", third, busy.length > 0);
  narrator.say("With two signers left, nobody can sign. It waits, and says why.");
  const waiting = await cluster.api.follow(
    sent,
    ({ reason }) => reason?.includes("waiting") === true,
    WAIT_REASON_MS,
  );
  const gone = [dead, second, third];
  const named = gone.every((id) => waiting.reason?.includes(id) === true);
  narrator.check(
    `third transfer waits (${waiting.status})`,
    waiting.reason ?? "",
    named && waiting.status === "Executing",
  );
  narrator.equal(
    "transactions on chain meanwhile",
    String(await cluster.chain.transactionCount(wallet.address)),
    "2",
  );
  narrator.say(`start ${gone.join(", ")} again`);
  await Promise.all(gone.map((id) => cluster.restart(id)));
  const done = await cluster.api.confirmed(sent, CONFIRM_MS);
  await verify(story, "Native, after kills", wallet, done, { nonce: 2, value: THIRD_AMOUNT, to: PAYEE });
};

const perform = async (story: Story): Promise<void> => {
  const { cluster, narrator } = story;
  const { wallet, token } = await createFundedWallet(story);
  await stockUp(story);
  await firstTransfer(story, wallet);
  const dead = await secondTransfer(story, wallet, token);
  await thirdTransfer(story, wallet, dead);
  narrator.chapter("What is on chain now.");
  narrator.equal(
    "wei that the payee holds",
    String(await cluster.chain.balance(PAYEE)),
    String(FIRST_AMOUNT + THIRD_AMOUNT),
  );
  narrator.equal(
    "transactions of the wallet",
    String(await cluster.chain.transactionCount(wallet.address)),
    "3",
  );
};

/** Prints the last table: the confirmed transfers, with the sender as an independent library decodes it. */
const printTransfers = ({ narrator, rows }: Story): void => {
  narrator.chapter("The transfers, each with its sender as a library that is not ours reads it.");
  const head = ["network", "kind", "status", "fee", "transaction", "sender"];
  const cells = rows.map(({ network, kind, status, fee, txHash, sender }) => [
    ...[network, kind, status, fee, txHash, sender],
  ]);
  narrator.print(table(head, cells));
};

const throwAwayFolder = (): string => {
  const parent = clustersFolder();
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, "demo-"));
};

/**
 * `conclave demo`: runs all scenes on a temporary cluster with full-size parameters.
 * @param hasFamilies whether a transfer of each kind on a network of each other family follows
 * @returns whether all results were as expected
 */
export const demo = async (hasFamilies: boolean): Promise<boolean> => {
  const narrator = new Narrator((line) => process.stdout.write(`${line}\n`));
  const stop = nextStopRequest();
  narrator.say("A throw-away cluster of five signers with real 3072-bit parameters is started.");
  await using cluster = await createCluster({
    state: throwAwayFolder(),
    disposable: true,
    ports: "free",
    networks: hasFamilies ? "all" : [],
    signal: stop.signal,
    onProgress: ({ text }) => narrator.say(text),
  });
  const interrupted = stop.requested.then(() => {
    throw new LaunchError("the demo was interrupted", `Run it again with \`${typedCommand("demo")}\`.`);
  });
  const story: Story = { cluster, narrator, rows: [] };
  const scenes = async (): Promise<void> => {
    await perform(story);
    if (hasFamilies) story.rows.push(...(await familyScenes(cluster, narrator)));
  };
  await Promise.race([scenes(), interrupted]);
  narrator.chapter("The cluster is stopped and forgotten.");
  printTransfers(story);
  return narrator.conclude();
};
