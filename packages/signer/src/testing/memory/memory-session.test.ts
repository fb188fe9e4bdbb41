import { linkOver } from "@conclave/platform/coordination";
import { testParties, testSessionId } from "@conclave/threshold/testing";
import { beforeEach, expect, test } from "vitest";
import { AssembledCluster } from "../assembled-cluster.ts";
import { OPEN_WAY, type Way } from "./way.ts";

const [, SIGNER] = testParties(2);
const CUT: Way = { ...OPEN_WAY, isCut: true };

/** of the answers of signer-2 to the orchestrator */
let back: Way;
let cluster: AssembledCluster;
let heard: string[];
beforeEach(async () => {
  [back, heard] = [OPEN_WAY, []];
  const now: Way = {
    get isCut() {
      return back.isCut;
    },
    delayMs: 0,
    bytesPerSecond: Number.POSITIVE_INFINITY,
    breaks: () => back.breaks(),
  };
  const isTried = (from: string, to: string): boolean => from === "signer-2" && to === "orchestrator-1";
  cluster = new AssembledCluster("sessions", 3, 2, (from, to) => (isTried(from, to) ? now : OPEN_WAY));
  await cluster.start();
});

const turnTo = (way: Way): void => {
  back = way;
  cluster.network.waysChanged();
};

/** Begins a session that waits for the other signers, which are not asked, and ends it for so long. */
const begin = (forMs: number): void => {
  if (SIGNER === undefined) throw new Error("two parties have a second one");
  const link = linkOver(cluster.signers);
  const nowMs = cluster.world.nowMs();
  const command = { kind: "auxiliary", epoch: 1, expiresAtMs: nowMs + forMs } as const;
  const named = { session: testSessionId(`tried/${nowMs}`), lives: link.lives() };
  link.begin(SIGNER, named, command, {
    report: ({ kind }) => heard.push(kind),
    lost: () => heard.push("lost"),
  });
};
const passed = async (ms: number): Promise<void> => {
  const untilMs = cluster.world.nowMs() + ms;
  await cluster.until(() => cluster.world.nowMs() >= untilMs);
};

test("a session reports its end over a way without faults", async () => {
  begin(2_000);
  await passed(4_000);
  expect(heard.filter((kind) => kind !== "progress")).toEqual(["failure"]);
});

test("a session is lost once the keepalive notices that its way is cut", async () => {
  begin(20_000);
  await passed(100);
  turnTo(CUT);
  await passed(2_900);
  expect(heard).not.toContain("lost");
  await passed(300);
  expect(heard.at(-1)).toBe("lost");
});

test("a session that lost a report is lost once the cut is over", async () => {
  begin(1_000);
  await passed(100);
  turnTo(CUT);
  await passed(2_500);
  expect(heard).not.toContain("lost");
  turnTo(OPEN_WAY);
  await passed(100);
  expect(heard.filter((kind) => kind !== "progress")).toEqual(["lost"]);
});

test("a session that lost nothing in a cut goes on", async () => {
  begin(5_000);
  await passed(100);
  turnTo(CUT);
  await passed(1_000);
  turnTo(OPEN_WAY);
  await passed(6_000);
  expect(heard.filter((kind) => kind !== "progress")).toEqual(["failure"]);
});

test("a session is lost where its connection breaks under a report", async () => {
  begin(1_000);
  await passed(100);
  turnTo({ ...OPEN_WAY, breaks: () => true });
  await passed(2_000);
  expect(heard.filter((kind) => kind !== "progress")).toEqual(["lost"]);
});
