import { makeLogger, makeMetrics } from "@conclave/platform";
import { beforeEach, expect, test } from "vitest";
import { countedDepositEvents } from "./deposit-events.ts";
import { signerDeviated } from "./session-events.ts";

const network = "Tron";
let metrics: ReturnType<typeof makeMetrics>;
let lines: string[];
let logger: ReturnType<typeof makeLogger>;
beforeEach(() => {
  [metrics, lines] = [makeMetrics("orchestrator"), []];
  const destination = { write: (line: string) => lines.push(line) };
  logger = makeLogger({ name: "test", level: "warn", destination });
});

const shown = async (name: string): Promise<readonly string[]> =>
  (await metrics.text()).split("\n").filter((line) => line.startsWith(`conclave_${name}{`));

test.each([
  ["presign/2/range", "presign/2"],
  ["round one", "round"],
  ["echo", "other"],
])(
  "INV-7 a deviation by the check %s is logged, and counted for its signer and the step %s",
  async (check, step) => {
    const of = { session: "ab", keyId: "key-1", attempt: 2, culprit: 3, reporter: 1, sentence: "it lies" };
    signerDeviated(metrics)(logger, { ...of, signer: "signer-3", check });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ event: "signer-deviated", ...of, check }]);
    expect(await shown("faults_total")).toEqual([
      `conclave_faults_total{signer="signer-3",step="${step}",service="orchestrator"} 1`,
    ]);
  },
);

test("K5 each block that is passed over is counted, forgotten or too large", async () => {
  const { blocksForgotten, blockTooLarge } = countedDepositEvents(metrics);
  blocksForgotten(logger, { network, from: 4n, to: 6n, blocks: 3 });
  blockTooLarge(logger, { network, height: 9n });
  expect(await shown("deposits_passed_over_blocks_total")).toEqual([
    'conclave_deposits_passed_over_blocks_total{network="Tron",service="orchestrator"} 4',
  ]);
});

test("deposits that cannot be stored, or of which no event tells, are counted", async () => {
  const { depositUnstorable, depositsUnannounced } = countedDepositEvents(metrics);
  depositUnstorable(logger, { network, height: 9n, walletId: "wa-1", place: "value" });
  depositsUnannounced(logger, { network, height: 9n, unannounced: 7 });
  expect(await shown("deposits_unstorable_total")).toEqual([
    'conclave_deposits_unstorable_total{network="Tron",service="orchestrator"} 1',
  ]);
  expect(await shown("deposits_untold_total")).toEqual([
    'conclave_deposits_untold_total{network="Tron",service="orchestrator"} 7',
  ]);
});
