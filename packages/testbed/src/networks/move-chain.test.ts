import { SYSTEM_CLOCK, startAlgorandLedger } from "@conclave/ledgers";
import { freePorts } from "@conclave/platform";
import { expect, it } from "vitest";
import { moveChain } from "./move-chain.ts";

const NOWHERE = { url: "http://127.0.0.1:1", adminUrl: "http://127.0.0.1:1" };
const SERVED = [
  { network: "Polygon", ...NOWHERE },
  { network: "Algorand", ...NOWHERE },
];

it("INV-9 refuses a network without a local node, with those that have one", async () => {
  for (const network of ["Tron", "Nowhere"]) {
    await expect(moveChain(SERVED, network, { kind: "mine", blocks: 1 })).rejects.toMatchObject({
      message: `this cluster has no local node of ${network}, so nobody can move its chain`,
      remedy: expect.stringContaining("Polygon, Algorand"),
    });
  }
});

it("says that a node does not answer", async () => {
  await expect(moveChain(SERVED, "Polygon", { kind: "mine", blocks: 1 })).rejects.toThrow(
    "the node of Polygon does not answer",
  );
});

it("replaces no block where blocks are final at once, and says why", async () => {
  const [port = 0, adminPort = 0] = await freePorts(2);
  const ledger = await startAlgorandLedger({
    clock: SYSTEM_CLOCK,
    chain: "conclave-v1",
    seed: "test",
    blockMs: 0,
    listen: { host: "127.0.0.1", port },
    adminPort,
    token: undefined,
  });
  try {
    const served = [
      { network: "Algorand", url: ledger.url, adminUrl: ledger.adminUrl },
      ...SERVED.slice(0, 1),
    ];
    const before = await moveChain(served, "Algorand", { kind: "mine", blocks: 3 });
    const after = await moveChain(served, "Algorand", { kind: "advance", seconds: 7_200 });
    expect(after.height).toBe(before.height + 1);
    expect(after.time.getTime() - before.time.getTime()).toBeGreaterThanOrEqual(7_200_000 - 1_000);
    await expect(moveChain(served, "Algorand", { kind: "reorganise", blocks: 1 })).rejects.toMatchObject({
      message: "Algorand has no reorganisations: a block is final when it is made",
      remedy: "Blocks can be replaced on Polygon.",
    });
  } finally {
    await ledger.stop();
  }
});
