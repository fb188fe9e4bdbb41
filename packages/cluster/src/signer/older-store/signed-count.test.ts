import { testParty } from "@conclave/threshold/testing";
import { bytesToUtf8 } from "@noble/ciphers/utils.js";
import { expect, test } from "vitest";
import { configOf } from "../../testing/fixtures.ts";
import { isCountSigned, signCount, spendingCountBytes } from "./signed-count.ts";

const [one, two] = [testParty(1), testParty(2)];
const config = configOf(one, 3, 2);

test("P11 the signed bytes of a count name their own domain, the cluster, the signer and the count", () => {
  const bytes = spendingCountBytes("test", one, 5);
  expect(bytesToUtf8(bytes)).toContain("conclave/v1/spending-count");
  const others = [
    spendingCountBytes("another", one, 5),
    spendingCountBytes("test", two, 5),
    spendingCountBytes("test", one, 6),
  ];
  expect(new Set([bytes, ...others].map(String)).size).toBe(4);
});

test("a count is signed by the signer whose it is, and by nobody for another", () => {
  const signature = signCount(config, 5);
  expect(isCountSigned(config, one, 5, signature)).toBe(true);
  expect(isCountSigned(config, two, 5, signature)).toBe(false);
  expect(isCountSigned(config, one, 6, signature)).toBe(false);
  expect(isCountSigned({ ...config, clusterId: "another" }, one, 5, signature)).toBe(false);
});
