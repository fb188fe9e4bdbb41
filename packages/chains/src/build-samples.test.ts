import { describe, expect, it } from "vitest";
import { FAMILIES } from "./index.ts";
import { BUILD_SAMPLES } from "./testing/build-samples.ts";

describe("a sampled transfer", () => {
  it("is one of the native coin for every family", () => {
    const sampled = BUILD_SAMPLES.filter(({ kind }) => kind === "Native").map(({ family }) => family);
    expect(sampled.sort()).toEqual(FAMILIES.families.map(({ name }) => String(name)).sort());
  });

  it.each(BUILD_SAMPLES.map((sample) => [sample.family, sample.kind, sample] as const))(
    "of %s, %s, is built from what is found on the chain, and read as it was authorised",
    (_, __, { build, describe: describeBytes, read }) => {
      const built = build();
      if (!built.ok) expect.fail(built.problem.message);
      const reading = read(built.value.unsigned);
      if (!reading.ok) expect.fail(reading.problem.message);
      expect(reading.value.signables.length).toBeGreaterThan(0);
      const described = describeBytes(built.value.unsigned);
      if (!described.ok) expect.fail(described.problem.message);
      const { sequence, details } = built.value;
      expect(described.value.sequence).toBe(sequence);
      expect(details).toMatchObject(described.value.details);
      expect(Object.keys(described.value.details).length).toBeGreaterThan(0);
    },
  );
});
