import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { carryOutOrder, createCluster, repositoryRoot, serveOrders } from "@conclave/testbed";

/**
 * Measures roster changes with many keys, half ECDSA and half Ed25519. It uses the test parameters, because new shares need no
 * Paillier arithmetic. `tsx test/bench/roster-change.ts [keys] [changes]`.
 */
const KEYS = Number(process.argv[2] ?? "1000");
const AT_ONCE = 8;

const removed = [1, 3, 5, 6].flatMap((index) => ["--remove", `signer-${index}`]);
const CHANGES = [
  { name: "3 of 5 to 3 of 6", words: ["--add", "1"] },
  { name: "3 of 6 to 4 of 7", words: ["--add", "1", "--threshold", "4"] },
  { name: "4 of 7 to 2 of 3", words: [...removed, "--threshold", "2"] },
].slice(0, Number(process.argv[3] ?? "3"));

const KINDS = [
  { scheme: "ECDSA", curve: "secp256k1" },
  { scheme: "EdDSA", curve: "ed25519" },
] as const;

const state = mkdtempSync(join(tmpdir(), "conclave-bench-"));
await using cluster = await createCluster({
  state,
  disposable: true,
  parameters: "INSECURE-TEST",
  presignatures: 0,
  requestsPerMinute: 0,
});
const orders = await serveOrders(cluster.layout.run, (order, say) => carryOutOrder(cluster, order, say));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const makeKeys = async (from: number): Promise<void> => {
  for (let at = from; at < KEYS; at += AT_ONCE) {
    const answer = await cluster.api.sendUntilServed("POST", "/keys", KINDS[at % 2]);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }
};
const madeFromMs = performance.now();
await Promise.all(Array.from({ length: AT_ONCE }, (_, from) => makeKeys(from)));
say(`${KEYS} keys made in ${((performance.now() - madeFromMs) / 1_000).toFixed(0)} s`);

/** Performs one change. @returns when each key was moved, and all other output with its time */
const change = async (words: readonly string[]) => {
  const main = join(repositoryRoot(), "packages/cli/dist/main.js");
  const child = spawn(process.execPath, [main, "roster", "change", ...words, "--state", state], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const fromMs = performance.now();
  const moves: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const atMs = performance.now();
    if (line.includes(": moved, epoch")) moves.push(atMs);
    else say(`${((atMs - fromMs) / 1_000).toFixed(1).padStart(7)} s  ${line}`);
  }
  return { moves, seconds: (performance.now() - fromMs) / 1_000 };
};

for (const { name, words } of CHANGES) {
  const { moves, seconds } = await change(words);
  const between = moves.slice(1).map((atMs, at) => atMs - (moves[at] ?? atMs));
  const inOrder = between.toSorted((one, other) => one - other);
  const at = (share: number): string => (inOrder[Math.floor(inOrder.length * share)] ?? 0).toFixed(0);
  const mean = ((moves.at(-1) ?? 0) - (moves[0] ?? 0)) / between.length;
  say(
    `${name}: ${moves.length} keys moved: ${mean.toFixed(0)} ms a key, median ${at(0.5)} ms, 99 of 100 below ${at(0.99)} ms; the change took ${seconds.toFixed(0)} s`,
  );
}
await orders.close();
