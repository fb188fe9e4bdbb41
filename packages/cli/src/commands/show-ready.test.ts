import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProcessTable, stateLayout } from "@conclave/testbed";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { showRunning } from "./show-ready.ts";

let state: string;
let table: ProcessTable;
let orchestrator: Server;
let url: string;
let epoch: number;
let written: string;
beforeEach(async () => {
  state = mkdtempSync(join(tmpdir(), "conclave-shown-"));
  const { run } = stateLayout(state);
  mkdirSync(run, { recursive: true });
  table = new ProcessTable(run);
  epoch = 1;
  written = "";
  orchestrator = createServer((_, response) => {
    const pool = { ready: 0, consumed: 0 };
    const status = { auxiliaryEpoch: epoch, cpuMicroseconds: 0, residentBytes: 0, sessions: [], pool };
    const signers = [{ index: 1, id: "signer-1", live: true, status }];
    const presignatures = { ready: 0, sets: [], signed: { pooled: 0, interactive: 0 } };
    response.end(JSON.stringify({ signers, presignatures }));
  });
  orchestrator.listen(0, "127.0.0.1");
  await once(orchestrator, "listening");
  const address = orchestrator.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  url = `http://127.0.0.1:${address.port}`;
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  orchestrator.close();
  rmSync(state, { recursive: true });
});

const describeIt = (): void => {
  const access = {
    userId: "us-1",
    token: "t.o.k",
    tokenFile: "/a/token",
    credential: { id: "c", keyFile: "/a/key" },
  };
  const description = {
    clusterId: "cluster-1",
    state,
    parameters: "CGGMP24-128",
    threshold: 2,
    api: { url },
    orchestrator: { url },
    chain: { network: "EthereumSepolia", chainId: 11155111, rpcUrl: url, development: true },
    networks: [],
    developer: { orgId: "or-1", ...access, serviceAccount: access },
    signers: [{ id: "signer-1", index: 1, address: "127.0.0.1:9101" }],
  };
  writeFileSync(stateLayout(state).description, JSON.stringify(description));
};

describe("a start of a cluster", () => {
  it("shows nothing where none runs", async () => {
    describeIt();
    expect(await showRunning(state, { json: false })).toBe(false);
    expect(written).toBe("");
  });

  it("shows one that runs already, with its signers as they are now", async () => {
    await table.acquire();
    describeIt();
    expect(await showRunning(state, { json: false })).toBe(true);
    expect(written).toContain("signer-1        127.0.0.1:9101   ready\n");
    expect(written).toContain("It runs already, with the settings of its start; `make down NAME=");
  });

  it("of another size than the one that runs is refused", async () => {
    await table.acquire();
    describeIt();
    await expect(showRunning(state, { json: false, signers: 7 })).rejects.toThrow("runs with 2 of 1 signers");
    await expect(showRunning(state, { json: false, threshold: 3 })).rejects.toThrow(
      "runs with 2 of 1 signers",
    );
    expect(await showRunning(state, { json: false, signers: 1, threshold: 2 })).toBe(true);
  });

  it("shows all members of the description as JSON", async () => {
    await table.acquire();
    describeIt();
    await showRunning(state, { json: true });
    expect(JSON.parse(written)).toMatchObject({ clusterId: "cluster-1", developer: { userId: "us-1" } });
  });

  it("says of one whose signers are not ready, or which has no description, that it is still starting", async () => {
    await table.acquire();
    await expect(showRunning(state, { json: false })).rejects.toThrow("is still starting");
    describeIt();
    epoch = 0;
    await expect(showRunning(state, { json: false })).rejects.toMatchObject({
      message: expect.stringContaining("is still starting"),
      remedy: expect.stringContaining("make status NAME="),
    });
    expect(written).toBe("");
  });
});
