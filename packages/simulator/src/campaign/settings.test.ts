import { describe, expect, it } from "vitest";
import { readCampaignSettings } from "./settings.ts";

const DEFAULTS = { seed: 17, cores: 8 };

describe("the settings of a campaign", () => {
  it("are all known where none is given", () => {
    expect(readCampaignSettings({}, DEFAULTS)).toEqual({
      ok: true,
      settings: {
        firstSeed: 17,
        worlds: undefined,
        minutes: 1,
        cores: 8,
        shrinkRuns: 40,
        sometimesFrom: 500,
        profile: "rough",
        size: { signers: 5, threshold: 3, transfers: 16 },
        planFile: undefined,
      },
    });
  });

  it("are read, and an empty one is left out", () => {
    const texts = {
      SEED: "7",
      WORLDS: "3",
      CORES: "2",
      SHRINK: "0",
      SOMETIMES: "9",
      PROFILE: "hostile",
      SIGNERS: "4",
      THRESHOLD: "2",
      TRANSFERS: "2",
      MINUTES: "",
      PLAN: "",
    };
    expect(readCampaignSettings(texts, DEFAULTS)).toEqual({
      ok: true,
      settings: {
        firstSeed: 7,
        worlds: 3,
        minutes: 1,
        cores: 2,
        shrinkRuns: 0,
        sometimesFrom: 9,
        profile: "hostile",
        size: { signers: 4, threshold: 2, transfers: 2 },
        planFile: undefined,
      },
    });
  });

  it("run a plan in one world, unless they say how many", () => {
    const worlds = (texts: Readonly<Record<string, string>>): number | undefined => {
      const read = readCampaignSettings({ PLAN: "a.plan", ...texts }, DEFAULTS);
      return read.ok ? read.settings.worlds : undefined;
    };
    expect([worlds({}), worlds({ WORLDS: "9" })]).toEqual([1, 9]);
  });

  it.each([
    [{ SEED: "0" }, 'SEED is a whole number from 1 to 900000000, not "0".'],
    [{ SEED: "seven" }, 'SEED is a whole number from 1 to 900000000, not "seven".'],
    [{ SEED: "900000001" }, 'SEED is a whole number from 1 to 900000000, not "900000001".'],
    [{ WORLDS: "1e3" }, 'WORLDS is a whole number from 1 to 90000000, not "1e3".'],
    [{ MINUTES: "0.5" }, 'MINUTES is a whole number from 1 to 100000, not "0.5".'],
    [{ CORES: "-1" }, 'CORES is a whole number from 1 to 1024, not "-1".'],
    [{ SHRINK: "no" }, 'SHRINK is a whole number from 0 to 10000, not "no".'],
    [{ SOMETIMES: "-1" }, 'SOMETIMES is a whole number from 0 to 90000000, not "-1".'],
    [{ PROFILE: "wild" }, 'PROFILE is one of calm, rough, hostile, not "wild".'],
    [{ PROFILE: "toString" }, 'PROFILE is one of calm, rough, hostile, not "toString".'],
    [{ SIGNERS: "21" }, 'SIGNERS is a whole number from 2 to 20, not "21".'],
    [{ TRANSFERS: "0" }, 'TRANSFERS is a whole number from 1 to 10000, not "0".'],
    [
      { SIGNERS: "3", THRESHOLD: "4" },
      "SIGNERS, THRESHOLD: the threshold is above the number of signers. Lower it.",
    ],
    [{ SEED: "x", CORES: "y" }, 'SEED is a whole number from 1 to 900000000, not "x".'],
  ])("refuse %j with one sentence", (texts, sentence) => {
    expect(readCampaignSettings(texts, DEFAULTS)).toEqual({ ok: false, sentence });
  });
});
