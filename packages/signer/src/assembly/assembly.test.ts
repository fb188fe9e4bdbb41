import { attachSignatures, buildTransfer, evmTransferSchema } from "@conclave/chains/evm";
import { CONFIRMING_MS_MAX } from "@conclave/cluster";
import {
  type AuthorisedKey,
  type AuthorisedTransfer,
  allowWithoutPolicies,
  type SchemeSignature,
} from "@conclave/custody";
import { testParties } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { AssembledCluster } from "../testing/assembled-cluster.ts";
import { keyRequest, NETWORK, transferRequest } from "../testing/cluster.ts";

const SIZE = 3;
const THRESHOLD = 2;
const ALONE_MS = 500;
const [ONE, TWO, THREE] = testParties(SIZE);
if (ONE === undefined || TWO === undefined || THREE === undefined) throw new Error("there are three");

const dated = (cluster: AssembledCluster) => ({
  policy: allowWithoutPolicies(cluster.date()),
  dateRequested: cluster.date(),
});

/** A key request and a transfer with that key, dated by the cluster's clock. */
const requestsOf = (cluster: AssembledCluster) => {
  const key: AuthorisedKey = { ...keyRequest(THRESHOLD), ...dated(cluster) };
  return { key, transfer: () => ({ ...transferRequest(key), ...dated(cluster) }) };
};

const unsigned = ({ transfer }: AuthorisedTransfer, nonce: bigint): Uint8Array =>
  buildTransfer({
    chainId: NETWORK.chainId,
    nonce,
    fees: { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n },
    gasLimit: 21_000n,
    transfer: evmTransferSchema.parse(transfer),
  });

/** Has a transfer signed, and the signature verified with the key. */
const signed = (
  cluster: AssembledCluster,
  transfer: AuthorisedTransfer,
  nonce: bigint,
  publicKey: Uint8Array,
): Promise<readonly SchemeSignature[]> => {
  const bytes = unsigned(transfer, nonce);
  return cluster.signTransfer(
    transfer,
    bytes,
    (signatures) => attachSignatures(bytes, signatures, [publicKey]).ok,
  );
};

test("signers of one process make a key and sign with it, and one that starts again from its store signs too", async () => {
  const cluster = new AssembledCluster("a restart", SIZE, THRESHOLD);
  await cluster.start();
  expect(await cluster.makeAuxiliary()).toBe(1);
  const { key, transfer } = requestsOf(cluster);
  const publicKey = await cluster.makeKey(key);
  expect(await signed(cluster, transfer(), 0n, publicKey)).toHaveLength(1);

  await cluster.stopSigner(TWO);
  await cluster.until(() => !cluster.signers.live().includes(TWO));
  await cluster.startSigner(TWO);
  expect(cluster.statusOf(TWO)).toMatchObject({ state: "starting", keyCount: 1, auxiliaryEpoch: 1 });
  await cluster.until(() => cluster.signers.live().includes(TWO));
  expect(cluster.statusOf(TWO)).toMatchObject({ state: "ready", connectedPeers: [ONE, THREE] });
  await cluster.stopSigner(THREE); // without whom the one that started again has to sign
  await cluster.until(() => cluster.signers.live().length === THRESHOLD);
  expect(await signed(cluster, transfer(), 1n, publicKey)).toHaveLength(1);
});

test("one seed gives one run: every envelope with its bytes and its time, over the whole signers", async () => {
  const first = new AssembledCluster("a seed", SIZE, THRESHOLD);
  const { key } = requestsOf(first);
  const runOf = async (cluster: AssembledCluster): Promise<readonly string[]> => {
    await cluster.start();
    await cluster.makeAuxiliary();
    await cluster.makeKey(key);
    return cluster.delivered;
  };
  const delivered = await runOf(first);
  expect(delivered.length).toBeGreaterThan(SIZE * THRESHOLD);
  expect(await runOf(new AssembledCluster("a seed", SIZE, THRESHOLD))).toEqual(delivered);
  expect(await runOf(new AssembledCluster("another seed", SIZE, THRESHOLD))).not.toEqual(delivered);
});

test("a signer is ready when its peers have confirmed its store, and not before", async () => {
  const cluster = new AssembledCluster("peers", SIZE, THRESHOLD);
  const startMs = cluster.world.nowMs();
  await cluster.startSigner(ONE);
  await cluster.until(() => cluster.world.nowMs() >= startMs + ALONE_MS);
  expect(cluster.statusOf(ONE)?.state).toBe("starting");
  for (const peer of [TWO, THREE]) await cluster.startSigner(peer);
  await cluster.until(() => cluster.statusOf(ONE)?.state === "ready");
  expect(cluster.world.nowMs()).toBeLessThan(startMs + CONFIRMING_MS_MAX);
});

test("a signer whose machine is of another boot begins another life", async () => {
  const cluster = new AssembledCluster("a boot", SIZE, THRESHOLD);
  await cluster.start();
  const before = cluster.statusOf(ONE)?.life;
  expect(before).toBeDefined();
  cluster.bootId = "the second boot";
  await cluster.until(() => String(cluster.statusOf(ONE)?.life) !== String(before));
});
