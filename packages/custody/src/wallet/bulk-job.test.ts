import { describe, expect, it } from "vitest";
import { CLOCKS_APART_MS_MAX } from "../clocks-apart.ts";
import { type Problem, problem } from "../errors.ts";
import { bulkJobIdSchema, organisationIdSchema, userIdSchema } from "../identifiers.ts";
import { networkSchema } from "../network.ts";
import {
  BULK_RETRY_AFTER_MS,
  type BulkJob,
  type BulkTally,
  decideBulkJob,
  fullOfBulkJobs,
  MOST_WALLETS_OF_A_JOB,
  WALLETS_IN_FLIGHT,
} from "./bulk-job.ts";
import { bulkCreateBodySchema, bulkWalletName } from "./bulk-job-body.ts";
import { bulkJobView } from "./bulk-job-view.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const BODY = "00000-00000-0000000000000000";
const ASKER = userIdSchema.parse(`us-${BODY}`);
const AWAY: Problem = problem("SignersUnavailable");

const job = (change: Partial<BulkJob> = {}): BulkJob => ({
  id: bulkJobIdSchema.parse(`bwj-${BODY}`),
  orgId: organisationIdSchema.parse(`or-${BODY}`),
  status: "InProgress",
  network: networkSchema.parse("KeyECDSA"),
  namePrefix: "Customer",
  tags: [],
  requester: { userId: ASKER },
  delegatedTo: undefined,
  totalCount: 10,
  completedCount: 0,
  reason: undefined,
  retries: 0,
  nextRetryDate: undefined,
  dateCreated: DATE,
  dateUpdated: DATE,
  dateCompleted: undefined,
  ...change,
});
const tally = (change: Partial<BulkTally> = {}): BulkTally => ({
  creating: 0,
  made: 0,
  failed: [],
  ...change,
});
const failed = (...numbers: number[]) => numbers.map((number) => ({ number, problem: AWAY }));
const decide = (before: BulkJob, counted: BulkTally, lostRight?: string, date = DATE) =>
  decideBulkJob(before, { tally: counted, lostRight, date });
const later = (ms: number): string => new Date(Date.parse(DATE) + ms).toISOString();

describe("a job that creates many wallets", () => {
  it("begins as many as may be in flight, and the next ones as these are made", () => {
    const first = decide(job({ status: "Pending" }), tally());
    expect(first).toMatchObject({ job: { status: "InProgress" }, begin: [1, 2, 3, 4] });
    expect(decide(first.job, tally({ creating: WALLETS_IN_FLIGHT }))).toEqual({ job: first.job, begin: [] });
    expect(decide(first.job, tally({ creating: 2, made: 2 }))).toMatchObject({
      job: { completedCount: 2 },
      begin: [5, 6],
    });
    expect(decide(first.job, tally({ creating: 1, made: 8 })).begin).toEqual([10]);
    expect(decide(first.job, tally({ creating: 1, made: 9 })).begin).toEqual([]);
  });

  it("is complete once all are made, and does nothing afterwards", () => {
    const done = decide(job({ completedCount: 9 }), tally({ made: 10 }));
    expect(done).toMatchObject({
      job: { status: "Completed", completedCount: 10, dateCompleted: DATE },
      begin: [],
    });
    expect(decide(done.job, tally({ failed: failed(1) }))).toEqual({ job: done.job, begin: [] });
  });

  it("waits for those in flight when one fails, and begins the failed ones alone after a pause", () => {
    const before = job({ completedCount: 2 });
    expect(decide(before, tally({ creating: 1, made: 2, failed: failed(3) }))).toEqual({
      job: before,
      begin: [],
    });
    const waiting = decide(before, tally({ made: 2, failed: failed(3, 5) })).job;
    expect(waiting).toMatchObject({
      status: "InProgress",
      retries: 0,
      nextRetryDate: later(60_000),
      reason: `8 of 10 wallets were not made: ${AWAY.message}`,
    });
    expect(bulkJobView(waiting)).toMatchObject({ nextRetryAttempt: 1, nextRetryDate: later(60_000) });
    expect(decide(waiting, tally({ made: 2, failed: failed(3, 5) }), undefined, later(59_999)).begin).toEqual(
      [],
    );
    const again = decide(waiting, tally({ made: 2, failed: failed(3, 5) }), undefined, later(60_000));
    expect(again).toMatchObject({ job: { retries: 1, nextRetryDate: undefined }, begin: [3, 5] });
    // the others wait until these are made
    expect(decide(again.job, tally({ creating: 1, made: 3 })).begin).toEqual([]);
    const mended = decide(again.job, tally({ made: 4 }));
    expect(mended.job.reason).toBeUndefined();
    expect(mended).toMatchObject({ job: { retries: 0 }, begin: [5, 6, 7, 8] });
  });

  it("waits for a retry that another gateway dated, whose clock is ahead by as much as clocks may be", () => {
    const ahead = job({ nextRetryDate: later(Math.max(...BULK_RETRY_AFTER_MS) + 2 * CLOCKS_APART_MS_MAX) });
    expect(decide(ahead, tally({ failed: failed(1) })).begin).toEqual([]);
  });

  it.each([
    ["another of the organisation's own", { all: 9, ofEndUsers: 5, own: 0 }, undefined, undefined],
    ["no eleventh", { all: 10, ofEndUsers: 0, own: 0 }, undefined, 10],
    ["an end user's first", { all: 9, ofEndUsers: 4, own: 0 }, ASKER, undefined],
    ["no second of one end user", { all: 1, ofEndUsers: 1, own: 1 }, ASKER, 1],
    ["no sixth of end users", { all: 5, ofEndUsers: 5, own: 0 }, ASKER, 5],
  ])("has room for %s", (_, open, delegatedTo, most) => {
    expect(fullOfBulkJobs(open, { delegatedTo })).toBe(most);
  });

  it("begins again at once what was to wait since before the clock was set back", () => {
    const ahead = job({ nextRetryDate: later(24 * 60 * 60_000) });
    expect(decide(ahead, tally({ failed: failed(1) })).begin).toEqual([1]);
  });

  it.each([
    [0, "Failed"],
    [2, "PartiallyCompleted"],
  ])("ends after the last retry with %s made as %s", (made, status) => {
    let [now, current, begun] = [DATE, job(), 0];
    while (current.dateCompleted === undefined) {
      const next = decide(current, tally({ made, failed: failed(made + 1) }), undefined, now);
      if (next.begin.length > 0) begun += 1;
      now = next.job.nextRetryDate ?? now;
      current = next.job;
    }
    expect(begun).toBe(BULK_RETRY_AFTER_MS.length);
    expect(current).toMatchObject({
      status,
      completedCount: made,
      reason: `${10 - made} of 10 wallets were not made: ${AWAY.message}`,
      nextRetryDate: undefined,
    });
  });

  it("INV-8 begins nothing for a requester who lost the right, and ends once those in flight are made", () => {
    const why = "us-1, who asked for it, is active no more";
    const before = job({ completedCount: 1 });
    expect(decide(before, tally({ creating: 2, made: 1 }), why)).toEqual({ job: before, begin: [] });
    expect(decide(before, tally({ made: 3 }), why)).toMatchObject({
      job: { status: "PartiallyCompleted", reason: `7 of 10 wallets were not made: ${why}` },
      begin: [],
    });
    expect(decide(job({ status: "Pending" }), tally(), why).job.status).toBe("Failed");
  });

  it("names its wallets by their numbers, within the length of a name", () => {
    const longest = "n".repeat(95);
    const sent = { network: "KeyECDSA", count: MOST_WALLETS_OF_A_JOB, name: longest };
    expect(bulkCreateBodySchema.safeParse(sent).success).toBe(true);
    expect(bulkWalletName(longest, MOST_WALLETS_OF_A_JOB)).toHaveLength(100);
    expect(bulkWalletName("Customer", 7)).toBe("Customer-7");
  });
});
