import { describe, expect, test } from "vitest";
import { decode, encode } from "../codec.ts";
import { PARTIES_MAX } from "../fault.ts";
import { PRODUCTION_PARAMETERS } from "../parameters.ts";
import { payloadBytesMax } from "../presign/messages.ts";
import { insecureLargeEvidence } from "../testing/evidence/large-evidence.ts";
import { EVIDENCE_BYTES_MAX, evidenceCodec } from "./evidence.ts";
import { verifyFault } from "./verify-fault.ts";

const CHECKS = ["aux/3 Πmod", "aux/3 Πfac"] as const;

describe.each([2, 5, 7, PARTIES_MAX])("evidence of a wrong proof in a cluster of %i signers", (total) => {
  test.each(CHECKS)("INV-7 fits, and proves %s to anybody", (check) => {
    const { evidence, roster, culprit } = insecureLargeEvidence(total, check);
    const bytes = encode(evidenceCodec, evidence);
    expect(bytes.length).toBeLessThanOrEqual(EVIDENCE_BYTES_MAX);
    const read = decode(evidenceCodec, bytes);
    const verdict = read.ok ? verifyFault(read.value, roster) : expect.fail(read.reason);
    expect(verdict).toMatchObject({ kind: "proven", culprit, check });
  });
});

test("evidence of auxiliary generation leaves out the proofs of all but the accused", () => {
  const { evidence, culprit } = insecureLargeEvidence(7, "aux/3 Πmod");
  const shown = evidence.messages.filter((one) => "payload" in one && one.round === 3);
  expect(shown.map((one) => "payload" in one && one.from)).toEqual([culprit, culprit]);
});

test("the largest evidence of a dispute, of 64 signers, is no longer than evidence may be", () => {
  const { round1, round2, round3, round4 } = payloadBytesMax(PRODUCTION_PARAMETERS, PARTIES_MAX - 1);
  const broadcasts = PARTIES_MAX * (round1 + round2 + round3 + round4);
  const rest = 256 * 1024; // material, the accused's direct messages and echoes, headers and signatures
  expect(broadcasts + rest).toBeLessThan(EVIDENCE_BYTES_MAX);
});
