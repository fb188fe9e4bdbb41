import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { freePorts } from "@conclave/platform";
import { waitUntil } from "@conclave/testbed";
import algosdk from "algosdk";
import { z } from "zod";
import { ledgerDriver } from "../drivers/ledger-driver.ts";
import { ALGOD_TOKEN, ALGORAND_RULES } from "../fronts/algorand-rules.ts";
import type { ForeignKind, RunningNode } from "../node.ts";
import { nodeFolder, startNodeProcess } from "./node-process.ts";

const run = promisify(execFile);
const MICROALGOS = 1_000_000n;
const FEE_CAP = "100000";
const RULES = "conclave-quick";
/** nanoseconds: a lone node makes a round about this often */
const ROUND_NS = 1_000_000_000;
const ROUND_DEADLINE_MS = 20_000;
const POLL_MS = 50;
/** a transaction is valid for 200 rounds */
const LIFETIME_ROUNDS = 202;
const TEST_MS = 1_800_000;
const MOST_OUTPUT = 64 * 1024 * 1024;

const protocolsSchema = z.record(z.string(), z.record(z.string(), z.unknown()));

/** The main network's newest consensus rules, with shorter rounds. */
const quickRules = async (goal: string): Promise<object> => {
  const { stdout } = await run(goal, ["protocols"], { maxBuffer: MOST_OUTPUT });
  const known = protocolsSchema.parse(JSON.parse(stdout));
  const named = (name: string) => name.startsWith("https://github.com/algorandfoundation/specs/tree/");
  const upgrades = z.record(z.string(), z.unknown());
  // the newest rules are those for which no upgrade is approved
  const newest = Object.entries(known).filter(
    ([name, { ApprovedUpgrades }]) =>
      named(name) && Object.keys(upgrades.nullish().parse(ApprovedUpgrades) ?? {}).length === 0,
  );
  const [, params] = newest.at(-1) ?? [];
  if (params === undefined) throw new Error("goal tells no rules");
  return {
    ...params,
    ApprovedUpgrades: {},
    DynamicFilterTimeout: false,
    AgreementFilterTimeout: ROUND_NS,
    AgreementFilterTimeoutPeriod0: ROUND_NS,
  };
};

/** Creates a network of one node, whose account has all the money. @returns the node's folder */
const makeNetwork = async (goal: string, folder: string): Promise<string> => {
  const template = join(folder, "template.json");
  const wallet = { Name: "Rich", ParticipationOnly: false };
  writeFileSync(
    template,
    JSON.stringify({
      Genesis: {
        NetworkName: "conclave",
        ConsensusProtocol: RULES,
        LastPartKeyRound: 10_000,
        Wallets: [{ Name: "Rich", Stake: 100, Online: true }],
      },
      Nodes: [{ Name: "Node", IsRelay: false, Wallets: [wallet] }],
    }),
  );
  // goal reads unknown rules from a folder in this form
  writeFileSync(join(folder, "consensus.json"), JSON.stringify({ [RULES]: await quickRules(goal) }));
  const network = join(folder, "network");
  await run(goal, ["network", "create", "-d", folder, "-r", network, "-n", "conclave", "-t", template]);
  return join(network, "Node");
};

const ADDRESS = /[A-Z2-7]{58}/;
const MNEMONIC = /"([a-z ]+)"/;

/** The account with the money. kmd keeps its key, and goal starts and stops kmd. */
const richAccount = async (goal: string, data: string): Promise<algosdk.Account> => {
  const listed = await run(goal, ["account", "list", "-d", data]);
  const [address = ""] = ADDRESS.exec(listed.stdout) ?? [];
  const exported = await run(goal, ["account", "export", "-d", data, "-a", address]);
  await run(goal, ["kmd", "stop", "-d", data]);
  return algosdk.mnemonicToSecretKey(MNEMONIC.exec(exported.stdout)?.[1] ?? "");
};

const pay = async (client: algosdk.Algodv2, from: algosdk.Account, to: string, units: bigint) => {
  const payment = algosdk.makePaymentTxnWithSuggestedParamsFromObject({
    sender: from.addr,
    receiver: to,
    amount: units,
    note: crypto.getRandomValues(new Uint8Array(8)),
    suggestedParams: await client.getTransactionParams().do(),
  });
  await client.sendRawTransaction(payment.signTxn(from.sk)).do();
};

/** Waits for this many rounds, and until no transaction is pending. */
const waitingForRounds =
  (client: algosdk.Algodv2) =>
  async (rounds: number): Promise<void> => {
    const until = (await client.status().do()).lastRound + BigInt(rounds);
    await waitUntil(
      async () => {
        const { lastRound } = await client.status().do();
        if (lastRound < until) return undefined;
        return (await client.pendingTransactionsInformation().do()).totalTransactions === 0
          ? true
          : undefined;
      },
      { what: `round ${until} of algod`, deadlineMs: ROUND_DEADLINE_MS * (rounds + 1), pollMs: POLL_MS },
    );
  };

const start = async (path: string): Promise<RunningNode> => {
  const goal = join(dirname(path), "goal");
  const folder = nodeFolder("algod");
  const data = await makeNetwork(goal, folder);
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  writeFileSync(join(data, "algod.token"), ALGOD_TOKEN);
  const config = z.looseObject({}).parse(JSON.parse(readFileSync(join(data, "config.json"), "utf8")));
  const own = { EndpointAddress: `127.0.0.1:${port}`, GossipFanout: 0, DNSBootstrapID: "", NetAddress: "" };
  writeFileSync(join(data, "config.json"), JSON.stringify({ ...config, ...own }));
  const client = new algosdk.Algodv2(ALGOD_TOKEN, "http://127.0.0.1", port);
  const node = await startNodeProcess({
    name: "algod",
    folder,
    command: path,
    args: ["-d", data],
    answers: async () => (await client.status().do()).lastRound > 0n,
  });
  const rich = await richAccount(goal, data);
  const { genesisHash, genesisID } = await client.getTransactionParams().do();
  const { build } = await client.versionsCheck().do();
  const mine = waitingForRounds(client);
  return {
    url,
    version: `${build.major}.${build.minor}.${build.buildNumber}`,
    entry: (network, algodUrl) => ({
      network,
      family: "Algorand",
      ...{ genesisId: genesisID, genesisHash: Buffer.from(genesisHash ?? []).toString("base64") },
      ...{ algodUrl, algodToken: ALGOD_TOKEN, feeCap: FEE_CAP },
    }),
    fund: async (address, units) => {
      await pay(client, rich, address, units);
      await mine(1);
    },
    mine,
    stop: () => node.stop(),
  };
};

/** go-algorand's node, alone on its network, with rounds of a second. */
export const ALGOD: ForeignKind = {
  name: "go-algorand",
  variable: "CONCLAVE_ALGOD",
  names: "its algod, with goal and kmd beside it",
  command: "algod",
  network: "Algorand",
  makesBlocks: true,
  funds: 1_000n * MICROALGOS,
  suite: {
    file: "Algorand",
    finalAfter: 1,
    outlivedAfter: LIFETIME_ROUNDS,
    testMs: TEST_MS,
  },
  driver: ledgerDriver("Algorand"),
  rules: ALGORAND_RULES,
  // data/pools/transactionPool.go
  finalRefusal: "TransactionPool.Remember: transaction: malformed",
  expires: true,
  start,
};
