// Measures the most expensive bodies that each operation accepts: the CPU time of the gateway's main thread, for which the
// sender holds up other tenants. Uses a throw-away cluster; some five minutes. Run alone: node_modules/.bin/tsx
// test/bench/costly-bodies.ts
// WRITE=1 writes the table into docs/benchmarks.md.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { organisationIdSchema } from "@conclave/custody";
import {
  CALLED_CONTRACT,
  COSTLY_BODIES,
  type CostlyWallet,
  type FuzzedOperation,
  largestBodies,
  operationsOf,
} from "@conclave/gateway/testing";
import { activateKeyImport, openDatabase } from "@conclave/platform/postgres";
import { type Cluster, createCluster, repositoryRoot } from "@conclave/testbed";
import { createTestClient, http } from "viem";
import { z } from "zod";

/** Number of times each body is sent; the median is shown. */
const ROUNDS = 5;
const BUDGET_MS = 20;
/** Only operations and bodies whose name contains this text. */
const ONLY = process.env["ONLY"] ?? "";
const NETWORKS = ["EthereumSepolia", "Bitcoin", "XrpLedger"] as const;
/** PUSH1 32, PUSH1 0, RETURN: answers every call with a zero. */
const ANSWERING = "0x60206000f3";
/** Operations that would end the caller's token. */
const ENDING = new Set(["logout", "logoutByPost"]);
const DOCUMENT = join(repositoryRoot(), "docs", "benchmarks.md");
const [BEGIN, END] = ["<!-- costly bodies: begin -->", "<!-- costly bodies: end -->"] as const;

const walletSchema = z.object({
  id: z.string(),
  signingKey: z.object({ id: z.string(), publicKey: z.string() }),
});

interface Sent {
  readonly operation: FuzzedOperation;
  readonly name: string;
  readonly path: string;
  readonly body: string;
  /** a policy to make before each round */
  readonly under?: string | undefined;
  /** whether it must succeed: otherwise the bench stops */
  readonly mustPass: boolean;
}

interface Row {
  readonly operation: string;
  readonly name: string;
  readonly bytes: number;
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** How long the idle gateway is measured. */
const IDLE_MS = 10_000;

/** CPU time of a process's main thread in milliseconds (proc(5), /proc/PID/schedstat). */
const mainThreadMs = (pid: number): number => {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
  return Number(nanoseconds) / 1e6;
};

/** Uses a new connection, because the gateway closes connections whose body it does not need to read. */
const post = (
  { description }: Cluster,
  { operation, path, body }: Pick<Sent, "operation" | "path" | "body">,
): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const asked = request(`${description.api.url}${path}`, {
      method: operation.method,
      agent: false,
      headers: {
        authorization: `Bearer ${description.developer.token}`,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      },
    });
    let status: number | undefined;
    asked.on("response", (answer) => {
      status = answer.statusCode;
      readText(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), reject);
    });
    // the answer may arrive before the whole body is sent
    asked.on("error", (error) => (status === undefined ? reject(error) : undefined));
    asked.end(body);
  });

/** @returns the answer, which contains the policy's id */
const makePolicy = async (cluster: Cluster, body: string): Promise<string> => {
  const { status, body: made } = await cluster.api.send("POST", "/v2/policies", JSON.parse(body));
  if (status !== 200) throw new Error(`a policy is not made: ${status} ${JSON.stringify(made)}`);
  return JSON.stringify(made);
};

/** Archives a policy, because all policies together may hold only two such lists. */
const archivePolicy = async (cluster: Cluster, made: string): Promise<void> => {
  const { id } = z.looseObject({ id: z.string() }).parse(JSON.parse(made));
  await cluster.api.send("DELETE", `/v2/policies/${id}`, {});
};

/** The share of a core that an idle gateway uses. */
const idleShare = async (pid: number): Promise<number> => {
  const [before, sinceMs] = [mainThreadMs(pid), performance.now()];
  await setTimeout(IDLE_MS);
  return (mainThreadMs(pid) - before) / (performance.now() - sinceMs);
};

/** @param idle `idleShare`, to subtract: during an answer that waits for 256 signatures, the gateway's idle work adds up */
const measure = async (cluster: Cluster, pid: number, idle: number, sent: Sent): Promise<Row> => {
  const taken: number[] = [];
  let answer = { status: 0, text: "" };
  for (let at = 0; at < ROUNDS; at++) {
    const guard = sent.under === undefined ? undefined : await makePolicy(cluster, sent.under);
    const [before, sinceMs] = [mainThreadMs(pid), performance.now()];
    answer = await post(cluster, sent);
    taken.push(mainThreadMs(pid) - before - idle * (performance.now() - sinceMs));
    if (sent.mustPass && answer.status !== 200) {
      throw new Error(`${sent.operation.id}, ${sent.name}: ${answer.status} ${answer.text}`);
    }
    if (guard !== undefined) await archivePolicy(cluster, guard);
    if (sent.mustPass && sent.operation.id === "createPolicy") await archivePolicy(cluster, answer.text);
  }
  const { operation, name, body } = sent;
  return { operation: operation.id, name, bytes: Buffer.byteLength(body), ...answer, ms: median(taken) };
};

/** Allows imports for the developer's organisation, so that their bodies are read too. */
const allowImport = async ({ layout, description }: Cluster): Promise<void> => {
  const database = openDatabase({ url: readFileSync(layout.databaseUrl, "utf8"), name: "bench" });
  try {
    await activateKeyImport(database, organisationIdSchema.parse(description.developer.orgId), true);
  } finally {
    await database.close();
  }
};

/** A path with ids of existing resources, where the bench has made them. */
const pathOf = ({ path, parameters }: FuzzedOperation, ids: ReadonlyMap<string, string>): string =>
  parameters.reduce((text, { name }) => text.replace(`{${name}}`, ids.get(name) ?? "x"), path);

/** The body without whitespace. */
const textOf = (body: unknown): string => JSON.stringify(body);

const cluster = await createCluster({
  state: mkdtempSync(join(tmpdir(), "conclave-costly-")),
  disposable: true,
  parameters: "INSECURE-TEST",
  signers: 3,
  threshold: 2,
  presignatures: 0,
  requestsPerMinute: 0,
  keyImport: "allowed",
  keyExport: "allowed",
  networks: ["Bitcoin", "XrpLedger"],
  ports: "free",
});
try {
  const gateway = cluster.status().find(({ name }) => name.startsWith("gateway"));
  if (gateway === undefined) throw new Error("the cluster has no gateway");
  await allowImport(cluster);
  const chain = createTestClient({ mode: "anvil", transport: http(cluster.description.chain.rpcUrl) });
  await chain.setCode({ address: CALLED_CONTRACT, bytecode: ANSWERING });
  const wallets = new Map<string, CostlyWallet & { readonly id: string; readonly keyId: string }>();
  for (const network of NETWORKS) {
    const made = await cluster.api.send("POST", "/wallets", { network, name: "costly" });
    const { id, signingKey } = walletSchema.parse(made.body);
    wallets.set(network, { id, keyId: signingKey.id, network, publicKey: signingKey.publicKey });
  }
  const [evm] = wallets.values();
  const document = operationsOf((await cluster.api.send("GET", "/openapi.json")).body);
  const ids = new Map([
    ["walletId", evm?.id ?? ""],
    ["keyId", evm?.keyId ?? ""],
    ["network", "EthereumSepolia"],
  ]);
  const largest = document.operations.flatMap((operation): readonly Sent[] =>
    operation.body === undefined || ENDING.has(operation.id)
      ? []
      : largestBodies(operation.body, document.schemas).map((body) => ({
          operation,
          name: "the largest by its schema",
          path: pathOf(operation, ids),
          body: textOf(body),
          mustPass: false,
        })),
  );
  const costly = COSTLY_BODIES.map(
    ({ operation: id, name, network = "EthereumSepolia", body, under }): Sent => {
      const operation = document.operations.find((one) => one.id === id);
      const wallet = wallets.get(network);
      if (operation === undefined || wallet === undefined) throw new Error(`there is no ${id} of ${network}`);
      const path = pathOf(operation, new Map([...ids, ["walletId", wallet.id]]));
      return {
        operation,
        name,
        path,
        body: textOf(body(wallet)),
        under: under && textOf(under()),
        mustPass: true,
      };
    },
  );
  const idle = await idleShare(gateway.pid);
  process.stderr.write(`idle: ${(idle * 1000).toFixed(1)} ms a second\n`);
  const rows: Row[] = [];
  for (const sent of [...largest, ...costly].filter(({ operation, name }) =>
    `${operation.id} ${name}`.includes(ONLY),
  )) {
    const row = await measure(cluster, gateway.pid, idle, sent);
    process.stderr.write(
      `${row.operation}\t${row.name}\t${row.bytes}\t${row.status}\t${row.ms.toFixed(1)}\t${row.text.slice(0, 400)}\n`,
    );
    rows.push(row);
  }
  const header = [
    "| operation | body | bytes | answer | ms of the main thread |",
    "|---|---|---:|---:|---:|",
  ];
  const lines = rows.map(
    ({ operation, name, bytes, status, ms }) =>
      `| ${operation} | ${name} | ${bytes} | ${status} | ${ms.toFixed(1)} |`,
  );
  const table = [...header, ...lines].join("\n");
  process.stdout.write(`${table}\n`);
  const over = rows.filter(({ ms }) => ms > BUDGET_MS);
  process.stdout.write(`${over.length} of ${rows.length} take more than ${BUDGET_MS} ms\n`);
  if (process.env["WRITE"] === "1") {
    const text = readFileSync(DOCUMENT, "utf8");
    const [before = "", rest = ""] = text.split(BEGIN);
    writeFileSync(DOCUMENT, `${before}${BEGIN}\n${table}\n${END}${rest.split(END)[1] ?? ""}`);
  }
} finally {
  await cluster.stop();
}
