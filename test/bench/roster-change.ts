import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { carryOutOrder, createCluster, repositoryRoot, serveOrders } from "@conclave/testbed";

/**
 * Measures a change of the roster from 3 of 5 to 3 of 6 with many keys, half of them ECDSA and half Ed25519, with the parameters of tests:
 * new shares take no Paillier arithmetic. `tsx test/bench/roster-change.ts [keys]`.
 */
const KEYS = Number(process.argv[2] ?? "1000");
const AT_ONCE = 8;

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

const makeKeys = async (from: number): Promise<void> => {
  for (let at = from; at < KEYS; at += AT_ONCE) {
    const answer = await cluster.api.sendUntilServed("POST", "/keys", KINDS[at % 2]);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }
};
const madeFromMs = performance.now();
await Promise.all(Array.from({ length: AT_ONCE }, (_, from) => makeKeys(from)));
const made = (performance.now() - madeFromMs) / 1_000;
process.stdout.write(`${KEYS} keys made in ${made.toFixed(0)} s\n`);

const main = join(repositoryRoot(), "packages/cli/dist/main.js");
const child = spawn(process.execPath, [main, "roster", "change", "--add", "1", "--state", state], {
  stdio: ["ignore", "pipe", "inherit"],
});
const fromMs = performance.now();
const moves: number[] = [];
const notes: string[] = [];
for await (const line of createInterface({ input: child.stdout })) {
  const atMs = performance.now();
  if (line.includes(": moved, epoch")) moves.push(atMs);
  else notes.push(`${((atMs - fromMs) / 1_000).toFixed(1).padStart(7)} s  ${line}`);
}
process.stdout.write(`${notes.join("\n")}\n`);
const between = moves.slice(1).map((atMs, at) => atMs - (moves[at] ?? atMs));
const inOrder = between.toSorted((one, other) => one - other);
const at = (share: number): string => (inOrder[Math.floor(inOrder.length * share)] ?? 0).toFixed(0);
const whole = ((moves.at(-1) ?? 0) - (moves[0] ?? 0)) / between.length;
process.stdout.write(
  `${moves.length} keys moved: ${whole.toFixed(0)} ms a key, median ${at(0.5)} ms, 99 of 100 below ${at(0.99)} ms; the change took ${((performance.now() - fromMs) / 1_000).toFixed(0)} s\n`,
);
await orders.close();
