import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCluster } from "@conclave/testbed";
import { describe, expect, it } from "vitest";

const NEVER_MADE = join(tmpdir(), "conclave-integration-never-made");

describe("a cluster that cannot be", () => {
  it.each([
    ["a threshold above the number of signers", { signers: 3, threshold: 4 }],
    ["a threshold of one", { signers: 3, threshold: 1 }],
    ["a single signer", { signers: 1, threshold: 1 }],
  ] as const)("is refused before anything starts: %s", async (_, shape) => {
    await expect(
      createCluster({ state: NEVER_MADE, parameters: "INSECURE-TEST", ...shape }),
    ).rejects.toMatchObject({ name: "LaunchError" });
    expect(existsSync(NEVER_MADE)).toBe(false);
  });
});
