import { describe, expect, it } from "vitest";
import { drawAttack } from "./draw-attack.ts";
import { PROFILES, type ProfileName } from "./profile.ts";

const drawn = (profile: ProfileName) =>
  Array.from({ length: 200 }, (_, at) => drawAttack(at + 1, PROFILES[profile]));

describe("a drawn attack", () => {
  it("is in no calm world, in some rough ones, and in each hostile one", () => {
    const attacked = (profile: ProfileName) => drawn(profile).filter(({ isAttacked }) => isAttacked).length;
    expect([attacked("calm"), attacked("hostile")]).toEqual([0, 200]);
    expect(attacked("rough")).toBeGreaterThan(30);
    expect(attacked("rough")).toBeLessThan(90);
  });

  it("leaves some worlds without presignatures, and is the same again for the same seed", () => {
    const stocked = drawn("rough").filter(({ presignatures }) => presignatures > 0).length;
    expect([stocked > 50, stocked < 150]).toEqual([true, true]);
    expect(drawn("rough")).toEqual(drawn("rough"));
  });
});
