import { describe, expect, it } from "vitest";
import { reportOf } from "../workers/world-report.ts";
import { drawOrder } from "./draw-order.ts";
import { drawWorld } from "./draw-world.ts";
import { PROFILES, type ProfileName } from "./profile.ts";
import { findingText, repeatLine } from "./world-text.ts";

/** The smallest cluster in which a signer may be dead. */
const SIZE = { signers: 3, threshold: 2, transfers: 2 };
const NAMES: readonly ProfileName[] = ["calm", "rough", "hostile"];
const WORLDS = 300;
const WORLDS_OF_A_TEST = 25;

/** The findings of the world of a seed, each with the command that repeats it. */
const findingsOf = async (seed: number): Promise<readonly string[]> => {
  const name = NAMES[seed % NAMES.length] ?? expect.fail("a profile has a name");
  const profile = PROFILES[name];
  const { findings } = await reportOf(drawOrder(seed, drawWorld(seed, SIZE, profile), profile));
  const command = repeatLine({ size: SIZE, planFile: undefined, profile: name }, seed);
  return findings.map((finding) => `${command}: ${findingText(finding)}`);
};

const firstSeeds = Array.from({ length: WORLDS / WORLDS_OF_A_TEST }, (_, at) => 1 + at * WORLDS_OF_A_TEST);

describe("INV-1 INV-2 INV-3 INV-4 INV-5 INV-6 INV-7 INV-8 INV-9 INV-10 INV-11 small worlds of drawn faults keep every invariant", () => {
  it.each(firstSeeds)(
    `${WORLDS_OF_A_TEST} of them, from seed %i`,
    async (first) => {
      const found: string[] = [];
      for (let seed = first; seed < first + WORLDS_OF_A_TEST; seed += 1)
        found.push(...(await findingsOf(seed)));
      expect(found).toEqual([]);
    },
    600_000,
  );
});
