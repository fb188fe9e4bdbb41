import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { TRON_KEY, TRON_SECRET_KEY, TRON_SENDER } from "@conclave/chains/testing";
import { freePorts } from "@conclave/platform";
import { waitUntil } from "@conclave/testbed";
import { z } from "zod";
import { ledgerDriver } from "../drivers/ledger-driver.ts";
import { TRON_RULES } from "../fronts/tron-rules.ts";
import type { ForeignKind, RunningNode } from "../node.ts";
import { nodeFolder, startNodeProcess } from "./node-process.ts";

const SUN = 1_000_000n;
const FEE_CAP = "100000000";
/** its only witness makes a block every three seconds */
const BLOCK_MS = 3_000;
const BLOCK_DEADLINE_MS = 240_000;
const POLL_MS = 200;
/** a transaction is valid for five minutes and up to 66 s more, by its tag; blocks come every three seconds */
const LIFETIME_BLOCKS = 125;
/** enough for several validity times */
const TEST_MS = 1_800_000;
const RICHES = 90_000_000_000_000_000n;

/** Chain parameters that the main network's committee has enabled, and that contracts need. */
const COMMITTEE = [
  "allowCreationOfContracts",
  "allowMultiSign",
  "allowDelegateResource",
  "allowSameTokenName",
  "allowTvmTransferTrc10",
  "allowTvmConstantinople",
  "allowTvmSolidity059",
  "allowTvmIstanbul",
  "allowTvmLondon",
  "allowTvmCompatibleEvm",
  "allowTvmShangHai",
  "allowTvmCancun",
];

interface Ports {
  readonly http: number;
  readonly solidity: number;
  readonly others: readonly number[];
}

/** The configuration of a chain with one witness, which also holds all the money. */
const configOf = ({ http, solidity, others }: Ports): object => {
  const [peers = 0, grpc = 0, grpcSolid = 0, grpcPbft = 0, pbft = 0, backup = 0] = others;
  const account = (accountName: string, address: string, balance: bigint) => ({
    accountName,
    accountType: "AssetIssue",
    address,
    balance: String(balance),
  });
  return {
    net: { type: "mainnet" },
    storage: { "db.engine": "LEVELDB", "db.directory": "database", "index.directory": "index" },
    node: {
      // with a fixed address it does not look for its own on the internet
      discovery: { enable: false, persist: false, external: { ip: "127.0.0.1" } },
      // shielded transactions need large data, and are not tested here
      fullNodeAllowShieldedTransaction: false,
      backup: { port: backup, priority: 8, members: [] },
      listen: { port: peers },
      minParticipationRate: 0,
      p2p: { version: 20_261 },
      active: [],
      passive: [],
      http: {
        fullNodeEnable: true,
        fullNodePort: http,
        solidityEnable: true,
        solidityPort: solidity,
        PBFTEnable: false,
        PBFTPort: pbft,
      },
      rpc: {
        // accepts transactions even without peers
        minEffectiveConnection: 0,
        enable: true,
        port: grpc,
        solidityEnable: true,
        solidityPort: grpcSolid,
        PBFTEnable: false,
        PBFTPort: grpcPbft,
      },
    },
    seed: { node: { "ip.list": [] } },
    genesis: {
      block: {
        assets: [
          account("Zion", TRON_SENDER, RICHES),
          account("Sun", "TXmVpin5vq5gdZsciyyjdZgKRUju4st1wM", 0n),
          account("Blackhole", "TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy", -(2n ** 63n)),
        ],
        witnesses: [{ address: TRON_SENDER, url: "http://127.0.0.1", voteCount: 100_000 }],
        timestamp: "0",
        parentHash: `0x${"e5".repeat(32)}`,
      },
    },
    localwitness: [TRON_SECRET_KEY],
    block: { needSyncCheck: false, maintenanceTimeInterval: 21_600_000, proposalExpireTime: 259_200_000 },
    vm: { supportConstant: true, maxEnergyLimitForConstant: 100_000_000, minTimeRatio: 0, maxTimeRatio: 100 },
    committee: Object.fromEntries(COMMITTEE.map((name) => [name, 1])),
  };
};

const blockSchema = z.object({
  block_header: z.object({ raw_data: z.object({ number: z.int().default(0) }) }),
});
const genesisSchema = z.object({ blockID: z.string() });
const pendingSchema = z.object({ pendingSize: z.int() });
const madeSchema = z.looseObject({ txID: z.string() });
const takenSchema = z.object({ result: z.boolean().default(false) });

type Ask = (path: string, body?: object) => Promise<unknown>;

const asking =
  (urlOf: (path: string) => string): Ask =>
  async (path, body = {}) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${urlOf(path)}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    return answer.json();
  };

/** Waits for blocks up to a solid one, and until no transaction is pending. */
const waitingForBlocks =
  (ask: Ask) =>
  async (blocks: number): Promise<void> => {
    const height = async (room: string) =>
      blockSchema.parse(await ask(`/${room}/getnowblock`)).block_header.raw_data.number;
    const until = (await height("wallet")) + blocks;
    await waitUntil(
      async () => {
        const { pendingSize } = pendingSchema.parse(await ask("/wallet/getpendingsize"));
        return pendingSize === 0 && (await height("walletsolidity")) >= until ? true : undefined;
      },
      {
        what: `block ${until} of java-tron`,
        deadlineMs: BLOCK_DEADLINE_MS + 2 * blocks * BLOCK_MS,
        pollMs: POLL_MS,
      },
    );
  };

const signature = (id: string): string => {
  const { r, s, recovery } = TRON_KEY.sign(Buffer.from(id, "hex"));
  const word = (value: bigint): string => value.toString(16).padStart(64, "0");
  return `${word(r)}${word(s)}${(27 + recovery).toString(16)}`;
};

const landedSchema = z.object({ id: z.string() });

/**
 * Pays, and waits until the payment's block is solid: a busy witness may include it in a later block, and does not show pending
 * transactions.
 */
const pay = async (ask: Ask, to: string, units: bigint): Promise<void> => {
  const parties = { owner_address: TRON_SENDER, to_address: to, visible: true };
  const made = madeSchema.parse(
    await ask("/wallet/createtransaction", { ...parties, amount: Number(units) }),
  );
  const said = await ask("/wallet/broadcasttransaction", { ...made, signature: [signature(made.txID)] });
  if (!takenSchema.parse(said).result) throw new Error(`java-tron does not pay: ${JSON.stringify(said)}`);
  const landed = () => ask("/walletsolidity/gettransactioninfobyid", { value: made.txID });
  await waitUntil(async () => (landedSchema.safeParse(await landed()).success ? true : undefined), {
    what: `java-tron's payment ${made.txID}`,
    deadlineMs: BLOCK_DEADLINE_MS,
    pollMs: POLL_MS,
  });
};

const start = async (jar: string): Promise<RunningNode> => {
  const folder = nodeFolder("java-tron");
  const [http = 0, solidity = 0, ...others] = await freePorts(8);
  const config = join(folder, "node.conf");
  writeFileSync(config, JSON.stringify(configOf({ http, solidity, others })));
  const urlOf = (path: string): string =>
    `http://127.0.0.1:${path.startsWith("/walletsolidity") ? solidity : http}`;
  const ask = asking(urlOf);
  const mine = waitingForBlocks(ask);
  const node = await startNodeProcess({
    name: "java-tron",
    folder,
    command: "java",
    args: ["-Xmx1g", "-jar", jar, "-c", config, "-d", join(folder, "data"), "--witness"],
    answers: async () =>
      blockSchema.parse(await ask("/walletsolidity/getnowblock")).block_header.raw_data.number > 0,
  });
  const { blockID } = genesisSchema.parse(await ask("/wallet/getblock", { id_or_num: "0" }));
  const info = z.object({ configNodeInfo: z.object({ codeVersion: z.string() }) });
  return {
    url: urlOf("/wallet"),
    urlOf,
    version: info.parse(await ask("/wallet/getnodeinfo")).configNodeInfo.codeVersion,
    entry: (network, fullNodeUrl) => ({
      network,
      family: "Tron",
      ...{ genesisBlock: blockID, fullNodeUrl, feeCap: FEE_CAP },
    }),
    fund: (address, units) => pay(ask, address, units),
    mine,
    stop: () => node.stop(),
  };
};

/** java-tron as the only witness of a chain, so that every block is final at once. */
export const JAVA_TRON: ForeignKind = {
  name: "java-tron",
  variable: "CONCLAVE_JAVA_TRON",
  names: "its FullNode.jar",
  network: "Tron",
  makesBlocks: true,
  funds: 20_000n * SUN,
  suite: {
    file: "Tron",
    finalAfter: 1,
    outlivedAfter: LIFETIME_BLOCKS,
    testMs: TEST_MS,
  },
  driver: ledgerDriver("Tron"),
  rules: TRON_RULES,
  // Wallet.broadcastTransaction: a signature that is not of the account's key
  finalRefusal: "SIGERROR: Validate signature error: sig error",
  expires: true,
  start,
};
