import { describe, expect, it } from "vitest";
import { type ClusterStatus, statusText } from "./status-text.ts";

const signer = (index: number, standing: "away" | "ready") => ({
  index,
  id: `signer-${index}`,
  state: standing === "ready" ? "ready" : "not answering",
  standing,
  quarantined: [],
  keysToRefresh: 0,
  clockAheadMs: 0,
  isClockOff: false,
});

const RUNNING: ClusterStatus = {
  name: "local",
  running: true,
  supervisor: 1,
  processes: [
    { name: "signer-1", pid: 11 },
    { name: "gateway", pid: 12 },
  ],
  ended: [],
  health: { gateway: "serving", orchestrator: "serving" },
  signers: [signer(1, "ready"), signer(2, "away")],
  urls: {
    api: "http://127.0.0.1:8080",
    docs: "http://127.0.0.1:8080/docs",
    orchestrator: "http://127.0.0.1:8081/status",
  },
  presignatures: 20,
  networks: [{ network: "EthereumSepolia", url: "http://127.0.0.1:8545" }],
};

const { supervisor: _, ...LEFT } = {
  ...RUNNING,
  running: false,
  health: {},
  signers: [],
  networks: [],
};

const ended = (name: string, isAsked: boolean) => ({
  name,
  at: "2026-11-30T12:00:00.000Z",
  how: "by SIGKILL",
  isAsked,
  logFile: `/logs/${name}.log`,
});

describe("the status of a cluster", () => {
  it("has each process with its state, addresses, stock, and the command for a signer that does not answer", () => {
    expect(statusText(RUNNING).split("\n")).toEqual([
      "  process   pid  state",
      "  ────────  ───  ───────",
      "  signer-1  11   ready",
      "  gateway   12   serving",
      "",
      "  API              http://127.0.0.1:8080   (browse it: http://127.0.0.1:8080/docs)",
      "  orchestrator     http://127.0.0.1:8081/status",
      "  presignatures    20 ready",
      "  EthereumSepolia  http://127.0.0.1:8545",
      "",
      "signer-2 does not answer: `make start PROCESS=signer-2` starts it where its process has ended",
    ]);
  });

  it("keeps a process that has ended, says when and how, and names it once with its log", () => {
    const lines = statusText({ ...RUNNING, ended: [ended("signer-2", false)] }).split("\n");
    expect(lines).toContain("  signer-2  -    ended by SIGKILL at 2026-11-30T12:00:00.000Z");
    expect(lines.slice(-2)).toEqual([
      "",
      "signer-2 has ended: `make start PROCESS=signer-2` starts it again; its log is /logs/signer-2.log",
    ]);
  });

  it("says of a process that an operator stopped that it was stopped, and no more", () => {
    const lines = statusText({ ...RUNNING, ended: [ended("signer-2", true)] }).split("\n");
    expect(lines).toContain("  signer-2  -    stopped by an order at 2026-11-30T12:00:00.000Z");
    expect(lines.at(-1)).toBe("  EthereumSepolia  http://127.0.0.1:8545");
  });

  it("says that a cluster is starting, with the processes that run so far", () => {
    const starting: ClusterStatus = { ...LEFT, supervisor: 7 };
    expect(statusText(starting).split("\n")).toEqual([
      "local is starting (process 7); `make down` stops it",
      "  process   pid  state",
      "  ────────  ───  ───────",
      "  signer-1  11   running",
      "  gateway   12   running",
    ]);
    expect(statusText({ ...starting, processes: [] })).toBe(
      "local is starting (process 7); `make down` stops it",
    );
  });

  it("names the other work of the process that keeps a cluster from starting", () => {
    const copied = {
      ...LEFT,
      processes: [],
      supervisor: 7,
      doing: "the snapshot first of local is being taken",
    };
    expect(statusText(copied)).toBe(
      "local does not run; the snapshot first of local is being taken (process 7)",
    );
  });

  it("shows what a killed launcher left running as that", () => {
    expect(statusText(LEFT).split("\n")).toEqual([
      "the process that ran local has ended, and left these:",
      "  process   pid  state",
      "  ────────  ───  ───────",
      "  signer-1  11   running",
      "  gateway   12   running",
      "`make up` ends them and starts the cluster again; `make down` ends them",
    ]);
    expect(statusText({ ...LEFT, processes: [] })).toBe("local does not run; `make up` starts it");
  });
});
